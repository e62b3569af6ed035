import type { Job, PhoneNumber } from "@dialplane/sdk";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Undo2 } from "lucide-react";
import type { ReactNode } from "react";
import { AsCode } from "../as-code/AsCode.tsx";
import { Button } from "../components/Button.tsx";
import { tellDone } from "../components/Toaster.tsx";
import { hasEnded, jobOfNumberQuery, jobQuery } from "../jobs/job-queries.ts";
import { errorText, reasonFor } from "../jobs/jobs-text.ts";
import { JobStatus } from "../jobs/JobStatus.tsx";
import { dayOf } from "../components/dates.ts";
import { withSession } from "../session/session.ts";
import type { OpenPlace } from "../shell/use-place.ts";
import { releasesText } from "./releases-text.ts";
import { sharedText } from "../components/shared-text.ts";

interface ReleaseProgressProps {
  place: OpenPlace;
  number: PhoneNumber;
}

/**
 * Progress of a release, or the remaining steps. All state comes from the service, so a reload changes
 * nothing.
 */
export function ReleaseProgress({ place, number }: ReleaseProgressProps) {
  const job = useJob(place, number);
  switch (number.status) {
    case "releasing":
      return (
        <Notice title={releasesText.releasing} aside={job && <JobStatus status={job.status} />}>
          {releasesText.callsStopped} {job?.reason ? reasonFor(job.reason) : sharedText.applying}
        </Notice>
      );
    case "quarantined":
      return <Quarantined place={place} number={number} job={job} />;
    case "released":
      return (
        <Notice
          title={
            number.released_at ? releasesText.releasedOn(dayOf(number.released_at)) : releasesText.released
          }
        >
          {releasesText.releasedHint}
        </Notice>
      );
    default:
      return job?.type === "number_release" && job.status === "failed" && isRecent(job) ? (
        <Notice title={releasesText.failed} aside={<JobStatus status={job.status} />}>
          {job.error && errorText(job.error)} {releasesText.failedHint}
        </Notice>
      ) : null;
  }
}

/** Long enough for the requesting user to read it. Afterwards it is only in the list of jobs. */
const MESSAGE_MS = 86_400_000;

function isRecent({ finished_at }: Job): boolean {
  return finished_at !== null && Date.now() - Date.parse(finished_at) < MESSAGE_MS;
}

/** Newest job of the number, polled until it has finished. */
function useJob(place: OpenPlace, number: PhoneNumber): Job | undefined {
  const found = useQuery(jobOfNumberQuery(place, number.id)).data;
  const followed = useQuery({
    ...jobQuery(place, found?.id ?? ""),
    enabled: !!found && !hasEnded(found),
  }).data;
  return followed ?? found ?? undefined;
}

function Quarantined({ place, number, job }: ReleaseProgressProps & { job: Job | undefined }) {
  const queries = useQueryClient();
  const restore = useMutation({
    mutationFn: () => withSession(() => place.client.numbers.restore(number.id)),
    onSuccess: () => {
      tellDone(releasesText.restoring, releasesText.restoringHint);
      return queries.invalidateQueries({ queryKey: [place.organisation, place.environment] });
    },
  });
  const isRestoring = job?.type === "number_restore" && !hasEnded(job);
  const canRestore =
    (place.role === "owner" || place.role === "admin") &&
    number.restore_until !== null &&
    Date.parse(number.restore_until) > Date.now();
  if (isRestoring)
    return (
      <Notice title={releasesText.restoring} aside={<JobStatus status={job.status} />}>
        {job.reason ? reasonFor(job.reason) : releasesText.restoringHint}
      </Notice>
    );
  return (
    <Notice
      title={releasesText.quarantined}
      aside={
        canRestore && (
          <div className="flex flex-wrap gap-2">
            <AsCode
              of={releasesText.restoreCode}
              call={() => ({ operation: "restoreNumber", path: { id: number.id } })}
            />
            <Button
              size="small"
              icon={<Undo2 aria-hidden className="size-3.5" />}
              isPending={restore.isPending}
              onClick={() => restore.mutate()}
            >
              {releasesText.restore}
            </Button>
          </div>
        )
      }
    >
      {releasesText.quarantinedHint}{" "}
      {number.restore_until && releasesText.restoreUntil(dayOf(number.restore_until))}
      {job?.type === "number_restore" && job.status === "failed" && job.error && (
        <span className="block text-bad">{releasesText.restoreFailed(errorText(job.error))}</span>
      )}
    </Notice>
  );
}

function Notice({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
  return (
    <section
      aria-label={title}
      role="status"
      className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg border border-warn/40 bg-warn-soft px-4 py-3"
    >
      <div className="min-w-0 grow basis-64">
        <p className="font-medium">{title}</p>
        <p className="text-sm">{children}</p>
      </div>
      {aside}
    </section>
  );
}
