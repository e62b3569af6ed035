import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { ZoneSelect } from "./ZoneSelect.tsx";

export interface PageBarProps {
  title: ReactNode;
  /** Number of rows, next to the title. */
  count?: ReactNode;
  /** Link to the page above this one. */
  back?: ReactNode;
  /** If false, the page has its own heading below. */
  isHeading?: boolean;
  /** Freshness of the page's data. */
  freshness?: ReactNode;
  /** Actions of the page. */
  children?: ReactNode;
}

/** Top line of a page: where you are, how fresh it is, and what you can do. */
export function PageBar({ title, count, back, isHeading = true, freshness, children }: PageBarProps) {
  const Heading = isHeading ? "h1" : "p";
  return (
    <header className="flex min-h-11 shrink-0 flex-wrap items-center gap-x-2 gap-y-1 border-b border-line px-4 py-1.5 md:px-6">
      <div className="flex min-h-8 min-w-0 grow items-center gap-1.5">
        {back && (
          <>
            <span className="text-ink-2 *:rounded *:hover:text-ink">{back}</span>
            <ChevronRight aria-hidden className="size-3.5 shrink-0 text-ink-3" />
          </>
        )}
        <Heading className="truncate font-name">{title}</Heading>
        {count !== undefined && <span className="text-xs text-ink-3 tabular-nums">{count}</span>}
      </div>
      <div className="flex flex-wrap items-center gap-2">
        {freshness}
        <ZoneSelect />
        {children}
      </div>
    </header>
  );
}
