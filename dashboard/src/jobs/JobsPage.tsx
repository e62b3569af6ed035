import type { Job } from "@dialplane/sdk";
import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { ListChecks } from "lucide-react";
import { BulkChangeList } from "../bulk-changes/BulkChangeList.tsx";
import { buttonClass } from "../components/Button.tsx";
import { EmptyState } from "../components/EmptyState.tsx";
import { MoreRows } from "../components/MoreRows.tsx";
import { Page } from "../components/Page.tsx";
import { Segments } from "../components/Segments.tsx";
import { RelativeTime } from "../components/RelativeTime.tsx";
import { withSession } from "../session/session.ts";
import { type OpenPlace, useOpenPlace } from "../shell/use-place.ts";
import { useTitle } from "../shell/use-title.ts";
import { jobsText, jobTypeWord, reasonFor } from "./jobs-text.ts";
import { JobStatus } from "./JobStatus.tsx";
import { sharedText } from "../components/shared-text.ts";

const route = getRouteApi("/signed-in/o/$organisation/$environment/jobs");
const REFRESH_MS = 3_000;
const PAGE_SIZE = 50;

/** Background jobs, newest first. */
export function JobsPage() {
  useTitle(jobsText.title);
  const place = useOpenPlace();
  const { organisation, environment, role } = place;
  const { show = "jobs" } = route.useSearch();
  const navigate = useNavigate();
  const choose = (value: "jobs" | "bulk"): void =>
    void navigate({
      to: "/o/$organisation/$environment/jobs",
      params: { organisation, environment },
      search: value === "bulk" ? { show: value } : {},
    });
  return (
    <Page
      title={jobsText.title}
      says={jobsText.about}
      asCode={() => (show === "bulk" ? { operation: "listBulkChanges" } : { operation: "listJobs" })}
      aside={
        role !== "member" && (
          <Segments
            label={jobsText.filter}
            value={show}
            choices={[
              { value: "jobs", label: jobsText.ordersAndReleases },
              { value: "bulk", label: jobsText.bulkChanges },
            ]}
            onChange={choose}
          />
        )
      }
    >
      {show === "bulk" && role !== "member" ? <BulkChangeList place={place} /> : <JobList place={place} />}
    </Page>
  );
}

function JobList({ place }: { place: OpenPlace }) {
  const { organisation, environment, client } = place;
  const list = useInfiniteQuery({
    queryKey: [organisation, environment, "jobs"],
    queryFn: ({ signal, pageParam }) =>
      withSession(() => client.jobs.list({ limit: PAGE_SIZE, cursor: pageParam }, { signal })),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) > 1 ? false : REFRESH_MS),
  });
  const jobs = list.data?.pages.flatMap((page) => page.data) ?? [];
  if (list.data && jobs.length === 0)
    return (
      <EmptyState
        icon={ListChecks}
        title={jobsText.none}
        action={
          <Link
            to="/o/$organisation/$environment/order"
            params={{ organisation, environment }}
            className={buttonClass("primary")}
          >
            {sharedText.orderNumbers}
          </Link>
        }
      >
        {jobsText.noneHint}
      </EmptyState>
    );
  return (
    <>
      {jobs.length > 0 && (
        <ul className="divide-y divide-line rounded-lg border border-line bg-surface">
          {jobs.map((job) => (
            <Row key={job.id} place={place} job={job} />
          ))}
        </ul>
      )}
      <MoreRows list={list} />
    </>
  );
}

function Row({ place: { organisation, environment }, job }: { place: OpenPlace; job: Job }) {
  const { total, succeeded, failed } = job.progress;
  return (
    <li className="relative flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2.5 hover:bg-hover">
      <div className="grid min-w-0 grow basis-48">
        <Link
          to="/o/$organisation/$environment/jobs/$job"
          params={{ organisation, environment, job: job.id }}
          className="rounded font-medium after:absolute after:inset-0"
        >
          {jobsText.row(jobTypeWord(job.type), sharedText.countNumbers(total))}
        </Link>
        <p className="text-xs text-ink-2">
          {job.reason && job.finished_at === null
            ? reasonFor(job.reason)
            : jobsText.counts(succeeded, failed)}
        </p>
      </div>
      <span className="text-xs text-ink-2">
        <RelativeTime at={job.created_at} />
      </span>
      <JobStatus status={job.status} />
    </li>
  );
}
