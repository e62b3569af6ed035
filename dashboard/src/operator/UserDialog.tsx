import type { User } from "@dialplane/sdk/operator";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ConfirmDialog } from "../components/ConfirmDialog.tsx";
import { TextField } from "../components/TextField.tsx";
import { tellDone } from "../components/Toaster.tsx";
import { operator } from "../session/client.ts";
import { withSession } from "../session/session.ts";
import { operatorText } from "./operator-text.ts";
import { sharedText } from "../components/shared-text.ts";

export type UserAction = "disable" | "enable" | "end-sessions" | "remove-authenticator";

const RUNS: Record<UserAction, (id: string, reason: string) => PromiseLike<User>> = {
  disable: (id, reason) => operator.users.disable(id, reason ? { reason } : {}),
  enable: (id) => operator.users.enable(id),
  "end-sessions": (id) => operator.users.endSessions(id),
  "remove-authenticator": (id) => operator.users.removeAuthenticator(id),
};

interface UserDialogProps {
  one: User;
  action: UserAction;
  listKey: readonly unknown[];
  onClose(): void;
}

export function UserDialog({ one, action, listKey, onClose }: UserDialogProps) {
  const queries = useQueryClient();
  const [reason, setReason] = useState("");
  const { title, action: verb, hint, done } = operatorText.users.actions[action];
  const change = useMutation({
    mutationFn: () => withSession(() => RUNS[action](one.id, reason.trim())),
    meta: { isShownInPlace: true },
    onSuccess: async () => {
      tellDone(done(one.email));
      onClose();
      await queries.invalidateQueries({ queryKey: listKey });
    },
  });
  return (
    <ConfirmDialog
      title={title(one.email)}
      action={verb}
      mutation={change}
      onConfirm={() => change.mutate()}
      onClose={onClose}
    >
      <p>{hint}</p>
      {action === "disable" && (
        <TextField
          label={sharedText.reason}
          hint={operatorText.users.reasonHint}
          maxLength={500}
          className="mt-2"
          value={reason}
          onChange={({ target }) => setReason(target.value)}
        />
      )}
    </ConfirmDialog>
  );
}
