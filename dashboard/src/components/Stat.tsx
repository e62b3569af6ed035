import type { ReactNode } from "react";

interface StatProps {
  name: string;
  children: ReactNode;
  /** Below the figure, such as its usual range. */
  note?: ReactNode;
  isUnusual?: boolean;
}

/** One figure with its name. Use it in a `dl`. */
export function Stat({ name, children, note, isUnusual = false }: StatProps) {
  return (
    <div>
      <dt className="text-xs text-ink-3">{name}</dt>
      <dd className="text-lg font-semibold tracking-tight tabular-nums">{children}</dd>
      {note && (
        <dd className={`text-xs tabular-nums ${isUnusual ? "font-name text-warn" : "text-ink-3"}`}>{note}</dd>
      )}
    </div>
  );
}
