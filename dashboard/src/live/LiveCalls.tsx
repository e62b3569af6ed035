import { PhoneCall, Unplug } from "lucide-react";
import type { ReactNode } from "react";
import { Age } from "../numbers/Age.tsx";
import type { OpenPlace } from "../shell/use-place.ts";
import { useLive } from "./use-live.ts";
import { liveText } from "./live-text.ts";

/** Active calls of one number, as its switches report them, and the age of the reports. */
export function LiveCalls({ place, numberId }: { place: OpenPlace; numberId: string }) {
  const { numbers, line } = useLive(place.client, [numberId]);
  const now = numbers.get(numberId);
  return (
    <section
      aria-label={liveText.callsNow}
      className="flex flex-wrap items-center gap-x-8 gap-y-2 rounded-lg border border-line bg-surface px-4 py-3"
    >
      <Figure name={liveText.callsNow}>
        {now && now.active_calls > 0 && (
          <PhoneCall aria-hidden className="mr-2 inline size-4 align-[-0.1em] text-good" />
        )}
        {now ? now.active_calls : "–"}
      </Figure>
      <Figure name={liveText.lastMinute}>{now ? now.calls_last_minute : "–"}</Figure>
      <Figure name={liveText.lastCall}>{now?.last_call_at ? <Age at={now.last_call_at} /> : "–"}</Figure>
      <p
        role="status"
        className="ml-auto inline-flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-muted"
      >
        {line === "broken" || (now && !now.switch_online) ? (
          <span className="inline-flex items-center gap-1.5">
            <Unplug aria-hidden className="size-3.5 text-warn" />
            {line === "broken" ? liveText.connectionLost : liveText.aSwitchUnreachable}
          </span>
        ) : (
          line === "opening" && <span>{liveText.connecting}</span>
        )}
        {now?.observed_at && (
          <span>
            {liveText.reported} <Age at={now.observed_at} />
          </span>
        )}
        {now && !now.observed_at && <span>{liveText.noReport}</span>}
      </p>
    </section>
  );
}

function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <dl>
      <dt className="text-xs text-muted">{name}</dt>
      <dd className="text-lg font-semibold tracking-tight tabular-nums">{children}</dd>
    </dl>
  );
}
