import { CircleCheck, CircleHelp, CircleX, LoaderCircle, type LucideIcon, TriangleAlert } from "lucide-react";
import { wordFor } from "../components/shared-text.ts";
import { numbersText } from "./numbers-text.ts";

const LOOKS: Record<string, { icon: LucideIcon; look: string; says: string }> = {
  in_sync: { icon: CircleCheck, look: "text-good", says: numbersText.statusHints.in_sync },
  pending: { icon: LoaderCircle, look: "text-wait bg-wait-soft", says: numbersText.statusHints.pending },
  failed: { icon: CircleX, look: "text-bad bg-bad-soft", says: numbersText.statusHints.failed },
  drifted: {
    icon: TriangleAlert,
    look: "text-warn bg-warn-soft",
    says: numbersText.statusHints.drifted,
  },
  unknown: {
    icon: CircleHelp,
    look: "text-muted bg-hover",
    says: numbersText.statusHints.unknown,
  },
};

/** Routing status by icon, word and colour. */
export function RoutingStatus({ status }: { status: string }) {
  const { icon: Icon, look, says } = LOOKS[status] ?? LOOKS["unknown"]!;
  return (
    <span
      title={says}
      className={`inline-flex h-6 items-center gap-1.5 rounded-full px-2 text-xs font-medium whitespace-nowrap ${look}`}
    >
      <Icon
        aria-hidden
        className={`size-3.5 ${status === "pending" ? "animate-spin motion-reduce:animate-none" : ""}`}
      />
      {wordFor(status)}
    </span>
  );
}
