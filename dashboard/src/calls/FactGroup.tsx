import type { ReactNode } from "react";
import { Facts } from "../components/Facts.tsx";

interface FactGroupProps {
  title: string;
  children: ReactNode;
  /** Below the facts. */
  after?: ReactNode;
}

/** Facts under a heading. */
export function FactGroup({ title, children, after }: FactGroupProps) {
  return (
    <section aria-label={title} className="grid content-start gap-2 border-b border-line pb-5">
      <h2 className="text-xs font-name text-ink-2">{title}</h2>
      <Facts>{children}</Facts>
      {after}
    </section>
  );
}
