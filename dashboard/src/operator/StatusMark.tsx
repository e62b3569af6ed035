import { CircleCheck, CircleDashed, CircleX } from "lucide-react";

const LOOKS = {
  active: { icon: CircleCheck, look: "text-good" },
  pending: { icon: CircleDashed, look: "text-wait" },
  stopped: { icon: CircleX, look: "text-bad" },
};

/** A shape and a word, never a colour alone. */
export function StatusMark({ look, children }: { look: keyof typeof LOOKS; children: string }) {
  const { icon: Icon, look: colour } = LOOKS[look];
  return (
    <span className="inline-flex items-center gap-1.5 text-xs font-medium whitespace-nowrap">
      <Icon aria-hidden className={`size-3.5 ${colour}`} />
      {children}
    </span>
  );
}
