import { CircleCheck, CircleHelp, CircleX, LoaderCircle, type LucideIcon, TriangleAlert } from "lucide-react";
import { wordFor } from "./words.ts";

const LOOKS: Record<string, { icon: LucideIcon; look: string; says: string }> = {
  in_sync: { icon: CircleCheck, look: "text-good", says: "Every switch answered with what is desired." },
  pending: { icon: LoaderCircle, look: "text-wait bg-wait-soft", says: "On its way to the switches." },
  failed: { icon: CircleX, look: "text-bad bg-bad-soft", says: "A switch refused it; it is tried again." },
  drifted: {
    icon: TriangleAlert,
    look: "text-warn bg-warn-soft",
    says: "A switch was found holding something else; it is being repaired.",
  },
  unknown: {
    icon: CircleHelp,
    look: "text-muted bg-hover",
    says: "A switch has not been heard of for too long.",
  },
};

/** Whether calls go where they should: a shape, a word and a colour, so that none of them has to carry it alone. */
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
