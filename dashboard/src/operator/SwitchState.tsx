import type { Switch } from "@dialplane/sdk/operator";
import { CircleCheck, CircleDashed, CirclePause, CircleX, type LucideIcon, Unplug } from "lucide-react";
import { wordFor } from "../numbers/words.ts";

const LOOKS: Record<string, { icon: LucideIcon; look: string; says: string }> = {
  active: { icon: CircleCheck, look: "text-good", says: "Active" },
  draining: { icon: CirclePause, look: "text-wait", says: "Draining" },
  unreachable: { icon: Unplug, look: "text-bad", says: "Not heard of" },
  retired: { icon: CircleX, look: "text-muted", says: "Retired" },
};

/** Whether it counts: a shape and words. */
export function SwitchState({ one }: { one: Switch }) {
  const isCatchingUp = one.state === "active" && !one.is_synced;
  const {
    icon: Icon,
    look,
    says,
  } = isCatchingUp
    ? { icon: CircleDashed, look: "text-wait", says: "Reading everything back" }
    : (LOOKS[one.state] ?? { icon: CircleDashed, look: "", says: wordFor(one.state) });
  return (
    <span className="inline-flex items-center gap-1.5 text-xs font-medium whitespace-nowrap">
      <Icon aria-hidden className={`size-3.5 ${look}`} />
      {says}
    </span>
  );
}
