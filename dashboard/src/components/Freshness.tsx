import { Button } from "./Button.tsx";
import { now, RelativeTime } from "./RelativeTime.tsx";
import { sharedText } from "./shared-text.ts";

interface FreshnessProps {
  /** The query that the page shows. */
  query: { dataUpdatedAt: number; error: unknown; fetchStatus: string; refetch(): unknown };
}

const STALE_MS = 30_000;

/** Time since the page's data was fetched. A failure turns the mark amber. After a while, the page turns grey. */
export function Freshness({ query: { dataUpdatedAt, error, fetchStatus, refetch } }: FreshnessProps) {
  const hasFailed = error != null || fetchStatus === "paused";
  const isStale = now.use() - dataUpdatedAt >= STALE_MS && hasFailed;
  if (dataUpdatedAt === 0) return null;
  return (
    <span
      data-stale={isStale ? "" : undefined}
      className={`inline-flex items-center gap-2 text-xs text-ink-2 ${isStale ? "" : "max-md:hidden"}`}
    >
      <span aria-hidden className={`size-1.5 rounded-full ${hasFailed ? "bg-warn-mark" : "bg-good-mark"}`} />
      <span>
        {sharedText.updated} <RelativeTime at={new Date(dataUpdatedAt).toISOString()} />
      </span>
      {isStale && (
        <Button size="small" onClick={() => void refetch()}>
          {sharedText.retryNow}
        </Button>
      )}
    </span>
  );
}
