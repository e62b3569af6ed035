import type { Connection, Routing, RoutingRevision } from "@dialplane/sdk";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Undo2 } from "lucide-react";
import { useState } from "react";
import { Button } from "../components/Button.tsx";
import { Dialog } from "../components/Dialog.tsx";
import { Differences } from "../components/Differences.tsx";
import { FailureNotice } from "../components/FailureNotice.tsx";
import { tellDone } from "../components/Toaster.tsx";
import { withSession } from "../session/session.ts";
import type { OpenPlace } from "../shell/use-place.ts";
import { Age } from "./Age.tsx";
import { revisionsQuery } from "./routing-queries.ts";
import { differencesOf, targetsOf } from "./routing-target.ts";
import { sharedText, wordFor } from "../components/shared-text.ts";
import { numbersText } from "./numbers-text.ts";

interface RoutingHistoryProps {
  place: OpenPlace;
  routing: Routing;
  connections: readonly Connection[];
  canChange: boolean;
}

/** Routing revisions, newest first, and rollback. */
export function RoutingHistory({ place, routing, connections, canChange }: RoutingHistoryProps) {
  const revisions = useQuery(revisionsQuery(place, routing.number_id));
  const [chosen, setChosen] = useState<RoutingRevision>();
  if (revisions.error) return <FailureNotice error={revisions.error} />;
  return (
    <>
      <ol className="divide-y divide-line rounded-lg border border-line bg-surface">
        {revisions.data?.data.map((revision) => (
          <li key={revision.generation} className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2.5">
            <span className="w-8 text-xs text-muted tabular-nums">{revision.generation}</span>
            <div className="grid min-w-0 grow">
              <p className="text-sm break-all">
                {wordFor(revision.desired.mode)}
                {revision.desired.mode !== "unrouted" && (
                  <span className="font-mono text-xs"> {targetsOf(revision.desired, connections)}</span>
                )}
              </p>
              <p className="text-xs text-muted">
                {revision.set_by.name ?? revision.set_by.kind}, <Age at={revision.set_at} />
                {revision.reason && `: ${revision.reason}`}
              </p>
            </div>
            {canChange && revision.generation !== routing.desired.generation && (
              <Button
                size="small"
                icon={<Undo2 aria-hidden className="size-3.5" />}
                onClick={() => setChosen(revision)}
              >
                {numbersText.rollBackItem}
              </Button>
            )}
          </li>
        ))}
      </ol>
      {chosen && (
        <RollBackDialog
          {...{ place, routing, connections }}
          revision={chosen}
          onClose={() => setChosen(undefined)}
        />
      )}
    </>
  );
}

interface RollBackDialogProps extends Omit<RoutingHistoryProps, "canChange"> {
  revision: RoutingRevision;
  onClose(): void;
}

function RollBackDialog({ place, routing, connections, revision, onClose }: RollBackDialogProps) {
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
    <Dialog
      isOpen
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
    >
      <div className="grid gap-4">
        <Differences differences={differencesOf(routing.desired, revision.desired, connections)} />
        {rollBack.error && <FailureNotice error={rollBack.error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{sharedText.cancel}</Button>
          <Button look="primary" isPending={rollBack.isPending} onClick={() => rollBack.mutate()}>
            {numbersText.rollBack}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
