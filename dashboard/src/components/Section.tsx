import type { ReactNode } from "react";

/** A part of a page under its own heading. */
export function Section({
  title,
  count,
  aside,
  children,
}: {
  title: string;
  /** Number of rows, next to the title. */
  count?: ReactNode;
  aside?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section className="grid min-w-0 content-start gap-3" aria-label={title}>
      <div className="flex min-h-7 flex-wrap items-center justify-between gap-x-3 gap-y-2">
        <div className="flex items-baseline gap-2">
          <h2 className="text-base font-semibold">{title}</h2>
          {count !== undefined && <span className="text-xs text-ink-3">{count}</span>}
        </div>
        {aside}
      </div>
      {children}
    </section>
  );
}
