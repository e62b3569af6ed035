import { CircleCheck, CircleX, LoaderCircle, type LucideIcon, TriangleAlert, Unplug } from "lucide-react";
import { StatusBadge, type Tone } from "../components/StatusBadge.tsx";
import { wordFor } from "../components/shared-text.ts";
import { trunksText } from "./trunks-text.ts";

const LOOKS: Record<string, { tone: Tone; icon: LucideIcon }> = {
  applied: { tone: "good", icon: CircleCheck },
  pending: { tone: "wait", icon: LoaderCircle },
  failed: { tone: "bad", icon: CircleX },
  drifted: { tone: "warn", icon: TriangleAlert },
  unknown: { tone: "plain", icon: Unplug },
};

export function TrunkStatus({ status }: { status: string }) {
  const { tone, icon } = LOOKS[status] ?? LOOKS["unknown"]!;
  return (
    <StatusBadge tone={tone} icon={icon} isSpinning={status === "pending"}>
      {trunksText.statuses[status] ?? wordFor(status)}
    </StatusBadge>
  );
}
