import type { Carrier } from "@dialplane/sdk/operator";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ConfirmDialog } from "../components/ConfirmDialog.tsx";
import { tellDone } from "../components/Toaster.tsx";
import { operator } from "../session/client.ts";
import { withSession } from "../session/session.ts";
import { carriersList } from "./carriers-list.ts";
import { carriersText } from "./carriers-text.ts";

export type WantedCarrierState = "open" | "draining" | "closed";

interface CarrierStateDialogProps {
  one: Carrier;
  state: WantedCarrierState;
  onClose(): void;
}

/** Confirms a new state of a carrier. */
export function CarrierStateDialog({ one, state, onClose }: CarrierStateDialogProps) {
  const queries = useQueryClient();
  const { verb, done, hint } = carriersText.actions[state];
  const change = useMutation({
    mutationFn: () => withSession(() => operator.carriers.change(one.id, { state })),
    meta: { isShownInPlace: true },
    onSuccess: async () => {
      tellDone(done(one.name));
      onClose();
      await queries.invalidateQueries({ queryKey: carriersList.queryKey });
    },
  });
  return (
    <ConfirmDialog
      title={`${verb} ${one.name}?`}
      action={carriersText.confirmAction(verb)}
      mutation={change}
      onConfirm={() => change.mutate()}
      onClose={onClose}
    >
      <p>{hint}</p>
    </ConfirmDialog>
  );
}
