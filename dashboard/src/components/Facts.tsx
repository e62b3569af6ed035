import type { ReactNode } from "react";
import { CopyButton } from "./CopyButton.tsx";

/** Names on the left, values on the right. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1.5">{children}</dl>;
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-ink-3">{name}</dt>
      <dd className="min-w-0 text-right break-words tabular-nums">{children}</dd>
    </>
  );
}

/** A long value, cut off if needed. The button copies all of it. */
export function CopiedFact({ name, value, copyLabel }: { name: string; value: string; copyLabel: string }) {
  return (
    <Fact name={name}>
      <span className="inline-flex max-w-full items-center gap-1">
        <code className="truncate font-mono text-xs" title={value}>
          {value}
        </code>
        <CopyButton text={value} label={copyLabel} />
      </span>
    </Fact>
  );
}
