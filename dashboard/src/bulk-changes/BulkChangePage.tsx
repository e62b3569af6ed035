import { type BulkChange, NotFoundError } from "@dialplane/sdk";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { ListX } from "lucide-react";
import { useState } from "react";
import { AsCode } from "../as-code/AsCode.tsx";
import { Button } from "../components/Button.tsx";
import { EmptyState } from "../components/EmptyState.tsx";
import { FailureNotice } from "../components/FailureNotice.tsx";
import { Page } from "../components/Page.tsx";
import { ProgressBar } from "../components/ProgressBar.tsx";
import { SaveButton } from "../components/SaveButton.tsx";
import { RelativeTime } from "../components/RelativeTime.tsx";
import { connectionsQuery } from "../numbers/routing-queries.ts";
import { RowSkeletons } from "../numbers/RowSkeletons.tsx";
import { withSession } from "../session/session.ts";
import { type OpenPlace, useOpenPlace } from "../shell/use-place.ts";
import { useTitle } from "../shell/use-title.ts";
import { bulkChangeQuery, failuresAsCsv } from "./bulk-change-queries.ts";
import { momentOf } from "../components/dates.ts";
import { bulkChangesText, bulkStatusWord, changeInWords } from "./bulk-changes-text.ts";
import { BulkChangeItems } from "./BulkChangeItems.tsx";
import { sharedText } from "../components/shared-text.ts";

const route = getRouteApi("/signed-in/o/$organisation/$environment/bulk-changes/$change");

/** One plan: its changes, the apply button, the progress and the result of each number. */
export function BulkChangePage() {
  useTitle(bulkChangesText.title);
  const place = useOpenPlace();
  const { change: id } = route.useParams();
  const bulk = useQuery(bulkChangeQuery(place, id));
  if (bulk.error instanceof NotFoundError)
    return (
      <EmptyState isPage icon={ListX} title={bulkChangesText.notFound}>
        {sharedText.otherEnvironment}
      </EmptyState>
    );
  return (
    <Page
      title={bulkChangesText.title}
      asCode={() => ({ operation: "getBulkChange", path: { id } })}
      back={{ label: sharedText.numbers, to: "/o/$organisation/$environment/numbers" }}
    >
      {bulk.data ? (
        <Content place={place} bulk={bulk.data} />
      ) : bulk.error ? (
        <FailureNotice
          error={bulk.error}
          action={<Button onClick={() => void bulk.refetch()}>{sharedText.retry}</Button>}
        />
      ) : (
        <RowSkeletons count={5} />
      )}
    </Page>
  );
}

function Content({ place, bulk }: { place: OpenPlace; bulk: BulkChange }) {
  const connections = useQuery({ ...connectionsQuery(place), enabled: place.role !== "member" }).data ?? [];
  const { total, failed, stale } = bulk.progress;
  const words = changeInWords(bulk.change, connections);
  return (
    <>
      <section
        aria-label={bulkChangesText.change}
        className="grid gap-3 rounded-lg border border-line bg-surface p-4"
      >
        <div>
          <p className="text-base font-medium break-words">{words}</p>
          <p className="text-sm text-ink-2">
            {bulkChangesText.plannedBy(
              sharedText.countNumbers(total),
              bulk.created_by.name ?? bulk.created_by.kind,
            )}{" "}
            <RelativeTime at={bulk.created_at} />
            {bulk.reason && bulkChangesText.quoted(bulk.reason)}
          </p>
        </div>
        {bulk.missing.length > 0 && (
          <p className="text-sm text-warn">{bulkChangesText.missing(bulk.missing.length)}</p>
        )}
        <Progress bulk={bulk} />
        {bulk.status === "planned" && <Apply place={place} bulk={bulk} />}
      </section>
      <BulkChangeItems
        place={place}
        bulk={bulk}
        connections={connections}
        aside={
          failed + stale > 0 && (
            <SaveButton
              label={sharedText.saveFailures}
              fileName={bulkChangesText.failuresFile(bulk.id)}
              content={() => failuresAsCsv(place, bulk.id)}
            />
          )
        }
      />
    </>
  );
}

function Progress({ bulk: { status, progress } }: { bulk: BulkChange }) {
  const { total, set, unchanged, stale, failed } = progress;
  const done = set + unchanged + stale + failed;
  if (status === "planned" || status === "expired")
    return <p className="text-sm font-medium">{bulkStatusWord(status)}</p>;
  return (
    <div className="grid gap-1.5">
      <ProgressBar label={bulkStatusWord(status)} done={done} total={total} />
      <p className="text-sm text-ink-2">{bulkChangesText.progress(progress)}</p>
    </div>
  );
}

function Apply({ place, bulk }: { place: OpenPlace; bulk: BulkChange }) {
  const queries = useQueryClient();
  const [isSure, setSure] = useState(false);
  const apply = useMutation({
    mutationFn: () => withSession(() => place.client.bulkChanges.apply(bulk.id)),
    meta: { isShownInPlace: true },
    onSuccess: async (applied) => {
      queries.setQueryData(bulkChangeQuery(place, bulk.id).queryKey, applied);
      await queries.invalidateQueries({ queryKey: [place.organisation, place.environment] });
    },
  });
  const { total } = bulk.progress;
  if (total === 0) return <p className="text-sm text-ink-2">{bulkChangesText.empty}</p>;
  return (
    <div className="grid gap-3">
      {apply.error && <FailureNotice error={apply.error} />}
      <div className="flex flex-wrap items-center gap-3">
        {isSure ? (
          <Button look="primary" isPending={apply.isPending} onClick={() => apply.mutate()}>
            {bulkChangesText.applyConfirm(sharedText.countNumbers(total))}
          </Button>
        ) : (
          <Button look="primary" onClick={() => setSure(true)}>
            {bulkChangesText.apply}
          </Button>
        )}
        <AsCode
          of={bulkChangesText.applyCode}
          call={() => ({ operation: "applyBulkChange", path: { id: bulk.id } })}
        />
        <p className="text-xs text-ink-2">{bulkChangesText.applyHint(momentOf(bulk.expires_at))}</p>
      </div>
    </div>
  );
}
