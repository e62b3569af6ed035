import { PhoneCall, Unplug } from "lucide-react";
import type { ReactNode } from "react";
import { Age } from "../numbers/Age.tsx";
import type { OpenPlace } from "../shell/use-place.ts";
import { useLive } from "./use-live.ts";

/** Active calls of one number, as its switches report them, and the age of the reports. */
export function LiveCalls({ place, numberId }: { place: OpenPlace; numberId: string }) {
  const { numbers, line } = useLive(place.client, [numberId]);
  const now = numbers.get(numberId);
  return (
    <section
      aria-label="Calls now"
      className="flex flex-wrap items-center gap-x-8 gap-y-2 rounded-lg border border-line bg-surface px-4 py-3"
    >
      <Figure name="Calls now">
        {now && now.active_calls > 0 && (
          <PhoneCall aria-hidden className="mr-2 inline size-4 align-[-0.1em] text-good" />
        )}
        {now ? now.active_calls : "–"}
      </Figure>
      <Figure name="Last minute">{now ? now.calls_last_minute : "–"}</Figure>
      <Figure name="Last call">{now?.last_call_at ? <Age at={now.last_call_at} /> : "–"}</Figure>
      <p
        role="status"
        className="ml-auto inline-flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-muted"
      >
        {line === "broken" || (now && !now.switch_online) ? (
          <span className="inline-flex items-center gap-1.5">
            <Unplug aria-hidden className="size-3.5 text-warn" />
            {line === "broken" ? "Line to the service lost; trying again" : "A switch is not heard of"}
          </span>
        ) : (
          line === "opening" && <span>Asking the switches…</span>
        )}
        {now?.observed_at && (
          <span>
            heard <Age at={now.observed_at} />
          </span>
        )}
        {now && !now.observed_at && <span>no switch has spoken of its calls yet</span>}
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
