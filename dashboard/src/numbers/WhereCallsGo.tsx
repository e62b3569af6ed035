import type { Connection, RevisedRouting, Routing } from "@dialplane/sdk";
import { CircleCheck, CircleHelp, CircleX, LoaderCircle, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { Dot } from "../components/Dot.tsx";
import { PhoneNumber } from "../components/PhoneNumber.tsx";
import { RelativeTime } from "../components/RelativeTime.tsx";
import { wordFor } from "../components/shared-text.ts";
import { StatusBadge, type Tone } from "../components/StatusBadge.tsx";
import { CarrierLink } from "./CarrierLink.tsx";
import { numberPageText } from "./number-page-text.ts";
import { stepsOf } from "./routing-form.ts";
import { readingOf, type ReadingState } from "./switch-reading.ts";
import { targetsOf } from "./routing-target.ts";

interface WhereCallsGoProps {
  routing: Routing;
  connections: readonly Connection[];
}

/** Desired steps next to what each switch holds. */
export function WhereCallsGo({ routing, connections }: WhereCallsGoProps) {
  return (
    <div className="grid grid-cols-1 overflow-hidden rounded-lg border border-line xl:grid-cols-2">
      <Desired {...{ routing, connections }} />
      <Applied {...{ routing, connections }} />
    </div>
  );
}

function Desired({ routing: { desired }, connections }: WhereCallsGoProps) {
  const steps = stepsOf(desired);
  const isRouted = desired.mode !== "unrouted";
  return (
    <section aria-label={numberPageText.desired} className="grid content-start gap-3 p-4">
      <PartTitle
        aside={
          <>
            {numberPageText.setBy(desired.generation, desired.set_by.name ?? wordFor(desired.set_by.kind))}{" "}
            <RelativeTime at={desired.set_at} />
          </>
        }
      >
        {numberPageText.desired}
      </PartTitle>
      <ol className="grid">
        {steps.map((step, at) => (
          <Step
            key={at}
            step={step}
            at={at}
            isAfterWebhook={at > 0 && steps[at - 1]!.mode === "webhook"}
            connections={connections}
          />
        ))}
      </ol>
      <p className="text-xs text-ink-3">
        {isRouted ? numberPageText.otherwise : numberPageText.rejected}
        {desired.reason && <q className="mt-1 block text-ink-2">{desired.reason}</q>}
      </p>
    </section>
  );
}

function PartTitle({ children, aside }: { children: ReactNode; aside: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-3 text-xs text-ink-3">
      <h3 className="font-name">{children}</h3>
      <span>{aside}</span>
    </div>
  );
}

interface StepProps {
  step: ReturnType<typeof stepsOf>[number];
  at: number;
  isAfterWebhook: boolean;
  connections: readonly Connection[];
}

function Step({ step, at, isAfterWebhook, connections }: StepProps) {
  const { mode, sip_uri, forward_to, webhook_url, ring_seconds, on = [] } = step;
  const connection = connections.find(({ id }) => id === step.connection_id);
  const causes = [
    ...(isAfterWebhook ? [numberPageText.noDecision] : []),
    ...on.map((cause) => numberPageText.causes[cause] ?? wordFor(cause).toLowerCase()),
  ];
  return (
    <li className="group relative grid grid-cols-[auto_minmax(0,1fr)] gap-x-2.5 pb-4 last:pb-0">
      <span aria-hidden className="absolute top-6 bottom-0 left-2.5 w-px bg-line-2 group-last:hidden" />
      <span
        aria-hidden
        className={`grid size-5.5 place-items-center rounded-full text-2xs font-semibold ${at === 0 ? "bg-accent-fill text-accent-ink" : "border border-line-2 text-ink-2"}`}
      >
        {at + 1}
      </span>
      <div className="min-w-0">
        {at > 0 && causes.length > 0 && (
          <p className="text-xs text-ink-3">{numberPageText.after(causes.join(numberPageText.or))}</p>
        )}
        <p className="font-semibold">
          {connection ? connection.name : wordFor(mode)}
          {forward_to && (
            <>
              {" "}
              <PhoneNumber e164={forward_to} />
            </>
          )}
        </p>
        {(sip_uri ?? webhook_url) && (
          <p className="font-mono text-xs leading-5 break-all">{sip_uri ?? webhook_url}</p>
        )}
        {connection && <ConnectionHealth connection={connection} />}
        {ring_seconds !== undefined && (
          <p className="text-xs text-ink-3">{numberPageText.rings(ring_seconds)}</p>
        )}
      </div>
    </li>
  );
}

function ConnectionHealth({ connection: { targets } }: { connection: Connection }) {
  const up = targets.filter(({ health }) => health.state === "up").length;
  const down = targets.filter(({ health }) => health.state === "down").length;
  if (up + down === 0) return null;
  return (
    <p className="flex items-center gap-1.5 text-xs text-ink-3">
      <Dot tone={down === 0 ? "good" : up === 0 ? "bad" : "warn"} />
      {numberPageText.targetsUp(up, targets.length)}
    </p>
  );
}

function Applied({ routing, connections }: WhereCallsGoProps) {
  const { switches, effective_reason: reason, last_error: lastError } = routing;
  const readings = switches.map((one) => readingOf(routing, one));
  const matching = readings.filter(({ state }) => state === "matches" || state === "none").length;
  return (
    <section
      aria-label={numberPageText.applied}
      className="grid content-start gap-2 border-line bg-sunken p-4 max-xl:border-t xl:border-l"
    >
      <PartTitle aside={switches.length > 0 && numberPageText.match(matching, switches.length)}>
        {numberPageText.applied}
      </PartTitle>
      {reason && (
        <p className="text-xs text-warn">{numberPageText.notRouted(wordFor(reason).toLowerCase())}</p>
      )}
      <CarrierLink link={routing.chain.find(({ link }) => link === "carrier")} />
      {switches.length === 0 && <p className="text-ink-2">{numberPageText.noSwitch}</p>}
      <ul aria-label={numberPageText.applied} className="grid gap-2">
        {readings.map((reading) => (
          <Reading key={reading.switch} {...{ reading, connections }} />
        ))}
      </ul>
      {lastError && readings.every(({ error, drift }) => error !== lastError && !drift) && (
        <p className="text-xs break-words text-bad">{lastError}</p>
      )}
    </section>
  );
}

const LOOKS: Record<ReadingState, { tone: Tone; icon: typeof CircleX }> = {
  matches: { tone: "good", icon: CircleCheck },
  none: { tone: "good", icon: CircleCheck },
  stale: { tone: "plain", icon: CircleHelp },
  flapping: { tone: "warn", icon: TriangleAlert },
  differs: { tone: "bad", icon: CircleX },
  failed: { tone: "bad", icon: CircleX },
  applying: { tone: "wait", icon: LoaderCircle },
  unreported: { tone: "plain", icon: CircleHelp },
};

const BORDERS: Partial<Record<ReadingState, string>> = {
  differs: "border-bad-mark/50 bg-bad-soft/50",
  failed: "border-bad-mark/50 bg-bad-soft/50",
  flapping: "border-warn-mark/60 bg-warn-soft/50",
};

interface ReadingProps {
  reading: ReturnType<typeof readingOf>;
  connections: readonly Connection[];
}

/** Reading of one switch. Both values are shown in full wherever they can differ. */
function Reading({ reading, connections }: ReadingProps) {
  const { state, generation, observed_at: observedAt, found, expected, error, drift } = reading;
  const { tone, icon } = LOOKS[state];
  const valueOf = (value: RevisedRouting | null): string =>
    value ? targetsOf(value, connections) : numberPageText.noRoute;
  const isPlain = state === "matches" || state === "stale";
  return (
    <li
      className={`grid gap-1.5 rounded-md border px-3 py-2.5 ${BORDERS[state] ?? "border-line bg-surface"}`}
    >
      <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <span className="font-name">{reading.switch}</span>
        <StatusBadge tone={tone} icon={icon} isSpinning={state === "applying"}>
          {wordOf(state, generation)}
        </StatusBadge>
        <span className="ml-auto text-xs text-ink-3">
          {observedAt && (
            <>
              {numberPageText.readBack} <RelativeTime at={observedAt} />
            </>
          )}
        </span>
      </div>
      {isPlain && <p className="font-mono text-xs break-all text-ink-2">{valueOf(found)}</p>}
      {!isPlain && state !== "none" && state !== "unreported" && (
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-0.5 text-xs">
          <dt className="text-ink-3">
            {state === "flapping" ? numberPageText.lastFound : numberPageText.found}
          </dt>
          <dd
            className={`font-mono break-all ${state === "differs" ? "text-bad" : state === "flapping" ? "text-warn" : ""}`}
          >
            {valueOf(found)}
          </dd>
          <dt className="text-ink-3">{numberPageText.expected}</dt>
          <dd className="font-mono break-all">{valueOf(expected)}</dd>
        </dl>
      )}
      {error && <p className="text-xs break-words text-bad">{error}</p>}
      {drift && (
        <p className="text-xs text-ink-2">
          {numberPageText.repairs(drift.count)} <RelativeTime at={drift.last_at} />.{" "}
          {drift.count > 2 && numberPageText.driftHint}
        </p>
      )}
    </li>
  );
}

function wordOf(state: ReadingState, generation: number | undefined): string {
  switch (state) {
    case "matches":
      return numberPageText.matches(generation!);
    case "stale":
      return numberPageText.lastReport(generation!);
    case "none":
      return numberPageText.holdsNone;
    case "flapping":
      return numberPageText.flappingNow;
    case "differs":
      return numberPageText.differs;
    case "failed":
      return numberPageText.failed;
    case "applying":
      return numberPageText.applying;
    case "unreported":
      return numberPageText.noReport;
  }
}
