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

export type WantedState = "active" | "draining" | "retired";

const STATES: Record<WantedState, { verb: string; done: string; says: string }> = {
  active: {
    verb: "Activate",
    done: "is active",
    says: "It takes calls again; one that was retired, once it has read back everything.",
  },
  draining: {
    verb: "Drain",
    done: "is draining",
    says: "It refuses new calls with 503 within seconds, so that carriers take another; calls that are up go on. It goes on being told of changes.",
  },
  retired: {
    verb: "Retire",
    done: "is retired",
    says: "Take it off its trunks first: changes no longer wait for it, and it refuses calls once its agent hears of it.",
  },
};

interface SwitchDialogProps {
  one: Switch;
  onClose(): void;
}

export function StateDialog({ one, state, onClose }: SwitchDialogProps & { state: WantedState }) {
  const queries = useQueryClient();
  const { verb, done, says } = STATES[state];
  const change = useMutation({
    mutationFn: () => withSession(() => operator.switches.change(one.id, { state })),
    meta: { isShownInPlace: true },
    onSuccess: async () => {
      tellDone(`${one.name} ${done}`);
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
      <p>{says}</p>
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
      title={`A new credential for ${one.name}`}
      description="The old one ends; the switch goes on as it was last told until its agent has the new one."
    >
      <div className="grid gap-4">
        {rotate.data && <Secret text={rotate.data.credential} label="credential" />}
        {rotate.error && <FailureNotice error={rotate.error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{rotate.data ? "I have it" : "Cancel"}</Button>
          {!rotate.data && (
            <Button look="primary" isPending={rotate.isPending} onClick={() => rotate.mutate()}>
              Make a new credential
            </Button>
          )}
        </div>
      </div>
    </Dialog>
  );
}
