import { PhoneCall, Unplug } from "lucide-react";
import { Fact, Facts } from "../components/Facts.tsx";
import { RelativeTime } from "../components/RelativeTime.tsx";
import type { OpenPlace } from "../shell/use-place.ts";
import { useLive } from "./use-live.ts";
import { liveText } from "./live-text.ts";

/** Active calls of one number, as its switches report them, and the age of the reports. */
export function LiveCalls({ place, numberId }: { place: OpenPlace; numberId: string }) {
  const { numbers, line } = useLive(place.client, [numberId]);
  const now = numbers.get(numberId);
  const isLost = line === "broken" || (now !== undefined && !now.switch_online);
  return (
    <section aria-label={liveText.callsNow} className="grid gap-2.5">
      <h3 className="text-xs font-name text-ink-3">{liveText.nowTitle}</h3>
      <Facts>
        <Fact name={liveText.callsNow}>
          {now && now.active_calls > 0 && (
            <PhoneCall aria-hidden className="mr-1.5 inline size-3.5 align-[-0.1em] text-good" />
          )}
          {now ? now.active_calls : "–"}
        </Fact>
        <Fact name={liveText.lastMinute}>{now ? now.calls_last_minute : "–"}</Fact>
        <Fact name={liveText.lastCall}>
          {now?.last_call_at ? <RelativeTime at={now.last_call_at} /> : "–"}
        </Fact>
      </Facts>
      <p role="status" className="flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-ink-3">
        {isLost ? (
          <span className="inline-flex items-center gap-1.5">
            <Unplug aria-hidden className="size-3.5 text-warn" />
            {line === "broken" ? liveText.connectionLost : liveText.aSwitchUnreachable}
          </span>
        ) : (
          line === "opening" && <span>{liveText.connecting}</span>
        )}
        {now?.observed_at && (
          <span>
            {liveText.reported} <RelativeTime at={now.observed_at} />
          </span>
        )}
        {now && !now.observed_at && <span>{liveText.noReport}</span>}
      </p>
    </section>
  );
}
