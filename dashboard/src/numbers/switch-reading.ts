import type { RevisedRouting, Routing } from "@dialplane/sdk";
import { stepsOf } from "./routing-form.ts";

type SwitchReading = Routing["switches"][number];
type Drift = NonNullable<Routing["drift"]>;

export type ReadingState =
  | "matches"
  /** Matched, but the switch has stopped reporting. */
  | "stale"
  /** Holds no route and should hold none. */
  | "none"
  /** Matches at the moment, between two drifts. */
  | "flapping"
  | "differs"
  | "failed"
  | "applying"
  | "unreported";

export interface Reading {
  switch: string;
  state: ReadingState;
  generation: number | undefined;
  observed_at: string | null;
  found: RevisedRouting | null;
  expected: RevisedRouting | null;
  error: string | null;
  /** Recent drift of this switch. */
  drift: Drift | null;
}

/** Compares what a switch holds with what it should hold. */
export function readingOf(routing: Routing, reading: SwitchReading): Reading {
  const drift = routing.drift?.switch === reading.switch ? routing.drift : null;
  const state = stateOf(routing, reading, drift);
  const isDrift = drift !== null && (state === "differs" || state === "flapping");
  return {
    switch: reading.switch,
    state,
    generation: reading.applied?.generation,
    observed_at: reading.observed_at,
    found: isDrift ? drift.found : reading.applied,
    expected: isDrift ? drift.expected : reading.expected,
    error: state === "failed" ? reading.error : null,
    drift: isDrift ? drift : null,
  };
}

function stateOf(routing: Routing, reading: SwitchReading, drift: Drift | null): ReadingState {
  const { applied, expected, error, observed_at } = reading;
  if (drift && routing.status === "drifted") return "differs";
  if (drift && routing.flapping) return "flapping";
  if (error) return "failed";
  if (!observed_at) return "unreported";
  if (!applied && !expected) return "none";
  if (!applied || !expected || applied.generation !== expected.generation) return "applying";
  if (!holdsExpected(reading)) return "differs";
  return routing.status === "unknown" ? "stale" : "matches";
}

/** Whether the last reading has the expected generation and value. */
export function holdsExpected({ applied, expected, error }: SwitchReading): boolean {
  if (error) return false;
  if (!applied || !expected) return applied === expected;
  return applied.generation === expected.generation && valueOf(applied) === valueOf(expected);
}

/** Fields of all steps, in one order. An unrouted fallback is the same as none. */
function valueOf(routing: RevisedRouting): string {
  const steps = stepsOf(routing).map((step) => [
    step.mode,
    step.sip_uri ?? step.connection_id ?? step.forward_to ?? step.webhook_url,
    step.ring_seconds,
    [...(step.on ?? [])].toSorted(),
  ]);
  return JSON.stringify(steps);
}
