import type { Switch } from "@dialplane/sdk/operator";
import { CircleCheck, CircleDashed, CirclePause, CircleX, type LucideIcon, Unplug } from "lucide-react";
import { wordFor } from "../components/shared-text.ts";
import { operatorText } from "./operator-text.ts";

const LOOKS: Record<string, { icon: LucideIcon; look: string; says: string }> = {
  active: { icon: CircleCheck, look: "text-good", says: operatorText.switches.states.active },
  draining: { icon: CirclePause, look: "text-wait", says: operatorText.switches.states.draining },
  unreachable: { icon: Unplug, look: "text-bad", says: operatorText.switches.states.unreachable },
  retired: { icon: CircleX, look: "text-ink-2", says: operatorText.switches.states.retired },
};

/** State of a switch, by icon and word. */
export function SwitchState({ one }: { one: Switch }) {
  const isCatchingUp = one.state === "active" && !one.is_synced;
  const {
    icon: Icon,
    look,
    says,
  } = isCatchingUp
    ? { icon: CircleDashed, look: "text-wait", says: operatorText.switches.states.catchingUp }
    : (LOOKS[one.state] ?? { icon: CircleDashed, look: "", says: wordFor(one.state) });
  return (
    <span className="inline-flex items-center gap-1.5 text-xs font-medium whitespace-nowrap">
      <Icon aria-hidden className={`size-3.5 ${look}`} />
      {says}
    </span>
  );
}
