import type { Connection, Routing, RoutingRevision } from "@dialplane/sdk";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Differences } from "../components/Differences.tsx";
import { FormDialog } from "../components/FormDialog.tsx";
import { sharedText } from "../components/shared-text.ts";
import { tellDone } from "../components/Toaster.tsx";
import { withSession } from "../session/session.ts";
import type { OpenPlace } from "../shell/use-place.ts";
import { numbersText } from "./numbers-text.ts";
import { differencesOf } from "./routing-target.ts";

interface RollBackDialogProps {
  place: OpenPlace;
  routing: Routing;
  connections: readonly Connection[];
  revision: RoutingRevision;
  onClose(): void;
}

/** Shows what a rollback changes, and does it. */
export function RollBackDialog({ place, routing, connections, revision, onClose }: RollBackDialogProps) {
  const queries = useQueryClient();
  const rollBack = useMutation({
    mutationFn: () =>
      withSession(() =>
        place.client.routing.rollBack(
          routing.number_id,
          { generation: revision.generation },
          { ifGeneration: routing.desired.generation },
        ),
      ),
    meta: { isShownInPlace: true },
    onSuccess: async () => {
      tellDone(numbersText.rolledBack(revision.generation), sharedText.applying);
      onClose();
      await queries.invalidateQueries({ queryKey: [place.organisation, place.environment] });
    },
  });
  return (
    <FormDialog
      onClose={onClose}
      title={numbersText.rollBackTitle(revision.generation)}
      description={numbersText.rollBackHint}
      size="large"
      asCode={() => ({
        operation: "rollBackRouting",
        path: { id: routing.number_id },
        body: { generation: revision.generation },
        ifGeneration: routing.desired.generation,
      })}
      action={numbersText.rollBack}
      mutation={rollBack}
      onSubmit={(event) => {
        event.preventDefault();
        rollBack.mutate();
      }}
    >
      <Differences differences={differencesOf(routing.desired, revision.desired, connections)} />
    </FormDialog>
  );
}
