import type { Switch } from "@dialplane/sdk/operator";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Button } from "../components/Button.tsx";
import { ConfirmDialog } from "../components/ConfirmDialog.tsx";
import { Dialog } from "../components/Dialog.tsx";
import { FailureNotice } from "../components/FailureNotice.tsx";
import { Secret } from "../components/Secret.tsx";
import { tellDone } from "../components/Toaster.tsx";
import { operator } from "../session/client.ts";
import { withSession } from "../session/session.ts";
import { switchesList } from "./switches-list.ts";
import { operatorText } from "./operator-text.ts";
import { sharedText } from "../components/shared-text.ts";

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
      isPending={change.isPending}
      error={change.error}
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
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={operatorText.switches.credentialTitle(one.name)}
      description={operatorText.switches.credentialHint}
    >
      <div className="grid gap-4">
        {rotate.data && <Secret text={rotate.data.credential} label={operatorText.switches.credential} />}
        {rotate.error && <FailureNotice error={rotate.error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{rotate.data ? sharedText.done : sharedText.cancel}</Button>
          {!rotate.data && (
            <Button look="primary" isPending={rotate.isPending} onClick={() => rotate.mutate()}>
              {operatorText.switches.createCredential}
            </Button>
          )}
        </div>
      </div>
    </Dialog>
  );
}
