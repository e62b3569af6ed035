import type { Routing } from "@dialplane/sdk";
import { CircleCheck, CircleHelp, CircleX, LoaderCircle, type LucideIcon, TriangleAlert } from "lucide-react";
import { RelativeTime } from "../components/RelativeTime.tsx";
import { wordFor } from "../components/shared-text.ts";
import { StatusBadge, type Tone } from "../components/StatusBadge.tsx";
import { numberPageText } from "./number-page-text.ts";

type Link = Routing["chain"][number];

const LOOKS: Record<string, { tone: Tone; icon: LucideIcon }> = {
  in_sync: { tone: "good", icon: CircleCheck },
  pending: { tone: "wait", icon: LoaderCircle },
  drifting: { tone: "bad", icon: TriangleAlert },
  failed: { tone: "bad", icon: CircleX },
};

/** First link of a call: the trunk at the carrier that receives it. It is hidden if the service does not set it. */
export function CarrierLink({ link }: { link: Link | undefined }) {
  if (!link || link.status === "unsupported") return null;
  const { status, desired, applied, error, observed_at: observedAt } = link;
  const { tone, icon } = LOOKS[status] ?? { tone: "plain" as const, icon: CircleHelp };
  const text = numberPageText.carrier;
  return (
    <section
      aria-label={text.title}
      className="grid gap-1.5 rounded-md border border-line bg-surface px-3 py-2.5"
    >
      <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <span className="font-name">{text.title}</span>
        <StatusBadge tone={tone} icon={icon} isSpinning={status === "pending"}>
          {text.statuses[status] ?? wordFor(status)}
        </StatusBadge>
        <span className="ml-auto text-xs text-ink-3">{observedAt && <RelativeTime at={observedAt} />}</span>
      </div>
      {status === "in_sync" ? (
        <p className="text-xs break-all text-ink-2">{text.trunk(applied?.trunk)}</p>
      ) : (
        <p className="text-xs break-all">{text.foundExpected(applied?.trunk, desired?.trunk)}</p>
      )}
      {error && <p className="text-xs break-words text-bad">{error}</p>}
    </section>
  );
}
