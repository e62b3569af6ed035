import type { Switch } from "@dialplane/sdk/operator";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ConfirmDialog } from "../components/ConfirmDialog.tsx";
import { FormDialog } from "../components/FormDialog.tsx";
import { tellDone } from "../components/Toaster.tsx";
import { operator } from "../session/client.ts";
import { withSession } from "../session/session.ts";
import { switchesList } from "./switches-list.ts";
import { operatorText } from "./operator-text.ts";

export type WantedState = "active" | "draining" | "retired";

interface SwitchDialogProps {
  one: Switch;
  onClose(): void;
}

export function StateDialog({ one, state, onClose }: SwitchDialogProps & { state: WantedState }) {
  const queries = useQueryClient();
  const { verb, done, hint } = operatorText.switches.actions[state];
  const change = useMutation({
    mutationFn: () => withSession(() => operator.switches.change(one.id, { state })),
    meta: { isShownInPlace: true },
    onSuccess: async () => {
      tellDone(done(one.name));
      onClose();
      await queries.invalidateQueries({ queryKey: switchesList.queryKey });
    },
  });
  return (
    <ConfirmDialog
      title={`${verb} ${one.name}?`}
      action={verb}
      mutation={change}
      onConfirm={() => change.mutate()}
      onClose={onClose}
    >
      <p>{hint}</p>
    </ConfirmDialog>
  );
}

export function CredentialDialog({ one, onClose }: SwitchDialogProps) {
  const rotate = useMutation({
    mutationFn: () => withSession(() => operator.switches.rotate(one.id)),
    meta: { isShownInPlace: true },
  });
  const { credentialTitle, credentialHint, credential, createCredential } = operatorText.switches;
  return (
    <FormDialog
      made={
        rotate.data
          ? { title: credentialTitle(one.name), secret: rotate.data.credential, label: credential }
          : undefined
      }
      onClose={onClose}
      title={credentialTitle(one.name)}
      description={credentialHint}
      action={createCredential}
      mutation={rotate}
      onSubmit={(event) => {
        event.preventDefault();
        rotate.mutate();
      }}
    />
  );
}
