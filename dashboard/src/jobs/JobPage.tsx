import { type Job, NotFoundError } from "@dialplane/sdk";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { ListX } from "lucide-react";
import { Button } from "../components/Button.tsx";
import { CopyButton } from "../components/CopyButton.tsx";
import { EmptyState } from "../components/EmptyState.tsx";
import { FailureNotice } from "../components/FailureNotice.tsx";
import { Page } from "../components/Page.tsx";
import { ProgressBar } from "../components/ProgressBar.tsx";
import { RelativeTime } from "../components/RelativeTime.tsx";
import { numberQuery } from "../numbers/routing-queries.ts";
import { RowSkeletons } from "../numbers/RowSkeletons.tsx";
import { OrderItems } from "../orders/OrderItems.tsx";
import { type OpenPlace, useOpenPlace } from "../shell/use-place.ts";
import { useTitle } from "../shell/use-title.ts";
import { hasEnded, jobQuery } from "./job-queries.ts";
import { errorText, jobsText, jobTypeWord, reasonFor } from "./jobs-text.ts";
import { JobStatus } from "./JobStatus.tsx";
import { sharedText } from "../components/shared-text.ts";

const route = getRouteApi("/signed-in/o/$organisation/$environment/jobs/$job");

/** One job, polled until it has finished. */
export function JobPage() {
  const place = useOpenPlace();
  const { job: id } = route.useParams();
  const job = useQuery(jobQuery(place, id));
  const title = job.data ? jobTypeWord(job.data.type) : jobsText.job;
  useTitle(title);
  if (job.error instanceof NotFoundError)
    return (
      <EmptyState isPage icon={ListX} title={jobsText.notFound}>
        {sharedText.otherEnvironment}
      </EmptyState>
    );
  return (
    <Page
      title={title}
      asCode={() => ({ operation: "getJob", path: { job_id: id } })}
      back={{ label: jobsText.title, to: "/o/$organisation/$environment/jobs" }}
    >
      {job.data ? (
        <Content place={place} job={job.data} />
      ) : job.error ? (
        <FailureNotice
          error={job.error}
          action={<Button onClick={() => void job.refetch()}>{sharedText.retry}</Button>}
        />
      ) : (
        <RowSkeletons count={4} />
      )}
    </Page>
  );
}

function Content({ place, job }: { place: OpenPlace; job: Job }) {
  const { total, succeeded, failed } = job.progress;
  return (
    <>
      <section
        aria-label={jobsText.progress}
        className="grid gap-3 rounded-lg border border-line bg-surface p-4"
      >
        <div className="flex flex-wrap items-center justify-between gap-2">
          <JobStatus status={job.status} />
          <p className="flex items-center gap-1 text-xs text-ink-2">
            <span>
              {jobsText.started} <RelativeTime at={job.created_at} />
              {job.finished_at && (
                <>
                  , {jobsText.finished} <RelativeTime at={job.finished_at} />
                </>
              )}
            </span>
            <CopyButton text={job.id} label={jobsText.copyId} />
          </p>
        </div>
        <ProgressBar label={sharedText.numbers} done={succeeded + failed} total={total} />
        <p role="status" className="text-sm">
          {hasEnded(job) ? endOf(job) : standingOf(job)}
        </p>
      </section>
      {job.subject.order_id && (
        <OrderItems place={place} orderId={job.subject.order_id} hasEnded={hasEnded(job)} />
      )}
      {job.subject.number_id && <Subject place={place} numberId={job.subject.number_id} />}
    </>
  );
}

function standingOf({ status, reason }: Job): string {
  if (reason) return reasonFor(reason);
  return status === "queued" ? jobsText.queued : jobsText.running;
}

function endOf({ status, progress, error }: Job): string {
  if (status === "failed") return error ? errorText(error) : jobsText.failed;
  if (status === "partially_succeeded") return jobsText.partlyDone(progress.succeeded, progress.total);
  return jobsText.succeeded;
}

function Subject({ place, numberId }: { place: OpenPlace; numberId: string }) {
  const { organisation, environment } = place;
  const number = useQuery(numberQuery(place, numberId)).data;
  return (
    <p className="text-sm">
      {jobsText.number}{" "}
      <Link
        to="/o/$organisation/$environment/numbers/$number"
        params={{ organisation, environment, number: numberId }}
        className="rounded font-medium text-accent underline"
      >
        {number?.e164 ?? jobsText.thisNumber}
      </Link>
    </p>
  );
}
