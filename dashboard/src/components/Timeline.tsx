import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { clockOf, exactly, minuteOf } from "./dates.ts";

const TONES = {
  good: "bg-good-soft text-good",
  bad: "bg-bad-soft text-bad",
  warn: "bg-warn-soft text-warn",
  wait: "bg-wait-soft text-wait",
  accent: "bg-accent-soft text-accent",
  plain: "bg-select text-ink-2",
};

export type TimelineTone = keyof typeof TONES;

export function Timeline({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ol aria-label={label} className="grid">
      {children}
    </ol>
  );
}

interface TimelineItemProps {
  icon: LucideIcon;
  tone: TimelineTone;
  at: string;
  /** End of what lasted. */
  until?: string | null;
  title: ReactNode;
  children?: ReactNode;
}

/** One entry, joined to the next one by a line. */
export function TimelineItem({ icon: Icon, tone, at, until, title, children }: TimelineItemProps) {
  return (
    <li className="group relative grid grid-cols-[auto_minmax(0,1fr)_auto] gap-x-2.5 pb-4.5">
      <span aria-hidden className="absolute top-6 bottom-0 left-2.5 w-px bg-line group-last:hidden" />
      <span className={`grid size-5.5 place-items-center rounded-full ${TONES[tone]}`}>
        <Icon aria-hidden className="size-3" />
      </span>
      <div className="min-w-0">
        <p>{title}</p>
        {children && <div className="grid justify-items-start gap-1 text-xs text-ink-3">{children}</div>}
      </div>
      <time dateTime={at} title={exactly(at)} className="text-xs text-ink-3 tabular-nums">
        {until && minuteOf(until) !== minuteOf(at) ? `${minuteOf(at)}–${minuteOf(until)}` : clockOf(at)}
      </time>
    </li>
  );
}
