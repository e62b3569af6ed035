import { ArrowRight } from "lucide-react";
import { sharedText } from "./shared-text.ts";

export interface Difference {
  what: string;
  from: string;
  to: string;
}

/** Old value, and new value. */
export function Becomes({ from, to }: { from: string; to: string }) {
  return (
    <span className="flex flex-wrap items-baseline gap-x-2">
      <del className="font-mono break-all text-bad">{from}</del>
      <ArrowRight aria-label={sharedText.becomes} className="size-3.5 self-center text-ink-2" />
      <ins className="font-mono break-all text-good no-underline">{to}</ins>
    </span>
  );
}

/** Changes on save, line by line. */
export function Differences({ differences }: { differences: readonly Difference[] }) {
  return (
    <section
      aria-label={sharedText.changes}
      aria-live="polite"
      className="rounded-lg border border-line bg-canvas p-3"
    >
      {differences.length === 0 ? (
        <p className="text-sm text-ink-2">{sharedText.noChanges}</p>
      ) : (
        <dl className="grid gap-2 text-sm">
          {differences.map(({ what, from, to }) => (
            <div key={what} className="grid gap-x-3 sm:grid-cols-[9rem_1fr]">
              <dt className="text-ink-2">{what}</dt>
              <dd>
                <Becomes from={from} to={to} />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}
