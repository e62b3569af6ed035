import { RelativeTime } from "./RelativeTime.tsx";
import { sharedText } from "./shared-text.ts";

interface FreshnessProps {
  /** The query that the page shows. */
  query: { dataUpdatedAt: number; error: unknown };
}

/** Time since the page's data was fetched. A failure turns the mark amber and keeps the data. */
export function Freshness({ query: { dataUpdatedAt, error } }: FreshnessProps) {
  if (dataUpdatedAt === 0) return null;
  return (
    <span className="inline-flex items-center gap-2 text-xs text-ink-2 max-md:hidden">
      <span aria-hidden className={`size-1.5 rounded-full ${error ? "bg-warn-mark" : "bg-good-mark"}`} />
      <span>
        {sharedText.updated} <RelativeTime at={new Date(dataUpdatedAt).toISOString()} />
      </span>
    </span>
  );
}
