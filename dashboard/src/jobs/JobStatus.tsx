import type { Job } from "@dialplane/sdk";
import {
  CircleCheck,
  CircleX,
  Clock,
  Hourglass,
  LoaderCircle,
  type LucideIcon,
  TriangleAlert,
} from "lucide-react";
import { jobStatusWord } from "./jobs-text.ts";

const LOOKS: Record<string, { icon: LucideIcon; look: string }> = {
  queued: { icon: Clock, look: "text-ink-2 bg-hover" },
  running: { icon: LoaderCircle, look: "text-wait bg-wait-soft" },
  waiting: { icon: Hourglass, look: "text-wait bg-wait-soft" },
  succeeded: { icon: CircleCheck, look: "text-good" },
  partially_succeeded: { icon: TriangleAlert, look: "text-warn bg-warn-soft" },
  failed: { icon: CircleX, look: "text-bad bg-bad-soft" },
};

/** Status of a job: icon, word and colour. */
export function JobStatus({ status }: { status: Job["status"] }) {
  const { icon: Icon, look } = LOOKS[status] ?? LOOKS["queued"]!;
  return (
    <span
      className={`inline-flex h-6 items-center gap-1.5 rounded-full px-2 text-xs font-medium whitespace-nowrap ${look}`}
    >
      <Icon
        aria-hidden
        className={`size-3.5 ${status === "running" ? "animate-spin motion-reduce:animate-none" : ""}`}
      />
      {jobStatusWord(status)}
    </span>
  );
}
