import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

export type Tone = "good" | "wait" | "warn" | "bad" | "plain";

const TONES: Record<Tone, string> = {
  good: "text-good",
  wait: "rounded-full bg-wait-soft pr-2 pl-1.5 text-wait",
  warn: "rounded-full bg-warn-soft pr-2 pl-1.5 text-warn",
  bad: "rounded-full bg-bad-soft pr-2 pl-1.5 text-bad",
  plain: "rounded-full bg-select pr-2 pl-1.5 text-ink-2",
};

interface StatusBadgeProps {
  tone: Tone;
  icon: LucideIcon;
  /** Explanation, as a tooltip. */
  says?: string | undefined;
  isSpinning?: boolean;
  children: ReactNode;
}

/** Status by icon, word and colour. Only exceptions are filled. */
export function StatusBadge({ tone, icon: Icon, says, isSpinning = false, children }: StatusBadgeProps) {
  return (
    <span
      title={says}
      className={`inline-flex h-5 items-center gap-1.5 text-xs font-medium tracking-normal whitespace-nowrap ${TONES[tone]}`}
    >
      <Icon
        aria-hidden
        className={`size-3.5 shrink-0 ${isSpinning ? "animate-spin motion-reduce:animate-none" : ""}`}
      />
      {children}
    </span>
  );
}
