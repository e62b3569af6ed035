import type { User } from "@dialplane/sdk/operator";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ConfirmDialog } from "../components/ConfirmDialog.tsx";
import { TextField } from "../components/TextField.tsx";
import { tellDone } from "../components/Toaster.tsx";
import { operator } from "../session/client.ts";
import { withSession } from "../session/session.ts";

export type UserAction = "disable" | "enable" | "end-sessions" | "remove-authenticator";

interface Words {
  title(email: string): string;
  action: string;
  says: string;
  done: string;
  run(id: string, reason: string): PromiseLike<User>;
}

const WORDS: Record<UserAction, Words> = {
  disable: {
    title: (email) => `Disable ${email}?`,
    action: "Disable",
    says: "Ends all sessions and prevents new ones. API keys that this person created keep working: revoke them in their organisations.",
    done: "is disabled",
    run: (id, reason) => operator.users.disable(id, reason ? { reason } : {}),
  },
  enable: {
    title: (email) => `Enable ${email}?`,
    action: "Enable",
    says: "The person can sign in again. Earlier sessions stay ended.",
    done: "is enabled",
    run: (id) => operator.users.enable(id),
  },
  "end-sessions": {
    title: (email) => `End all sessions of ${email}?`,
    action: "End sessions",
    says: "Signs the person out of every browser and tool. They can sign in again.",
    done: "is signed out",
    run: (id) => operator.users.endSessions(id),
  },
  "remove-authenticator": {
    title: (email) => `Remove the authenticator app of ${email}?`,
    action: "Remove",
    says: "Verify the person’s identity first. Ends all sessions; the next sign-in asks for the password only. The person gets an email.",
    done: "has no authenticator app",
    run: (id) => operator.users.removeAuthenticator(id),
  },
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
  const { title, action: verb, says, done, run } = WORDS[action];
  const change = useMutation({
    mutationFn: () => withSession(() => run(one.id, reason.trim())),
    meta: { isShownInPlace: true },
    onSuccess: async () => {
      tellDone(`${one.email} ${done}`);
      onClose();
      await queries.invalidateQueries({ queryKey: listKey });
    },
  });
  return (
    <ConfirmDialog
      title={title(one.email)}
      action={verb}
      isPending={change.isPending}
      error={change.error}
      onConfirm={() => change.mutate()}
      onClose={onClose}
    >
      <p>{says}</p>
      {action === "disable" && (
        <TextField
          label="Reason"
          hint="Optional. Recorded in the audit log."
          maxLength={500}
          className="mt-2"
          value={reason}
          onChange={({ target }) => setReason(target.value)}
        />
      )}
    </ConfirmDialog>
  );
}
