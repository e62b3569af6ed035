import { CircleCheck, CircleHelp, CircleX, LoaderCircle, type LucideIcon, TriangleAlert } from "lucide-react";
import { wordFor } from "../components/shared-text.ts";
import { StatusBadge, type Tone } from "../components/StatusBadge.tsx";
import { numbersText } from "./numbers-text.ts";

const LOOKS: Record<string, { icon: LucideIcon; tone: Tone; says: string }> = {
  in_sync: { icon: CircleCheck, tone: "good", says: numbersText.statusHints.in_sync },
  pending: { icon: LoaderCircle, tone: "wait", says: numbersText.statusHints.pending },
  failed: { icon: CircleX, tone: "bad", says: numbersText.statusHints.failed },
  drifted: { icon: TriangleAlert, tone: "warn", says: numbersText.statusHints.drifted },
  flapping: { icon: TriangleAlert, tone: "warn", says: numbersText.statusHints.flapping },
  unknown: { icon: CircleHelp, tone: "plain", says: numbersText.statusHints.unknown },
};

interface RoutingStatusProps {
  status: string;
  /** If true, a switch keeps drifting. It counts more than a last reading that matches. */
  isFlapping?: boolean;
  /** Follows the word, such as the name of a switch. Not for flapping. */
  where?: string | undefined;
}

/** Routing status by icon, word and colour. */
export function RoutingStatus({ status, isFlapping = false, where = "" }: RoutingStatusProps) {
  const shown = isFlapping ? "flapping" : status;
  const { icon, tone, says } = LOOKS[shown] ?? LOOKS["unknown"]!;
  return (
    <StatusBadge tone={tone} icon={icon} says={says} isSpinning={shown === "pending"}>
      {`${wordFor(shown)}${isFlapping ? "" : where}`}
    </StatusBadge>
  );
}
