import { sharedText } from "../components/shared-text.ts";
/** Placeholder for loading rows. */
export function RowSkeletons({ count }: { count: number }) {
  return (
    <div role="status" aria-label={sharedText.loadingRows} className="border-t border-line bg-surface">
      {Array.from({ length: count }, (_, at) => (
        <div key={at} className="flex h-11 items-center gap-6 border-b border-line px-4">
          <span className="h-3 w-36 animate-pulse rounded bg-hover" />
          <span className="h-3 w-48 animate-pulse rounded bg-hover max-md:hidden" />
          <span className="ml-auto h-3 w-20 animate-pulse rounded bg-hover" />
        </div>
      ))}
    </div>
  );
}
