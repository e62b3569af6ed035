import type { Caller } from "../../platform/http/access.ts";
import type { SetRouting } from "./routing.destination.schema.ts";
import { type Cause, CAUSES, type Mode } from "./routing.modes.rules.ts";

/** Desired destination without author or reason, normalised for storage and comparison. */
export interface Destination {
  mode: Mode;
  sip_uri?: string;
  connection_id?: string;
  forward_to?: string;
  webhook_url?: string;
  ring_seconds?: number;
  /** Causes after which this destination takes the call from the one before. */
  on?: Cause[];
  fallback?: Destination;
}

/** Only people hand calls to another number or to a program. */
const MODES_OF_PEOPLE: ReadonlySet<unknown> = new Set<Mode>(["forward", "webhook"]);

/** The first mode of an unchecked routing, at any depth, that the caller cannot set. */
export function deniedMode(caller: Caller, routing: unknown): string | undefined {
  if (caller.kind === "session" || typeof routing !== "object" || routing === null) return undefined;
  const { mode, fallback } = routing as { mode?: unknown; fallback?: unknown };
  return MODES_OF_PEOPLE.has(mode) ? String(mode) : deniedMode(caller, fallback);
}

const DEFAULT_CAUSES: readonly Cause[] = ["unreachable", "no_answer"];
const DEFAULT_RING_SECONDS = 30;

export function destinationOf(body: SetRouting): Destination {
  const wanted: Destination & { reason?: string } = { ...body };
  delete wanted.reason;
  const first = normalStep(wanted, undefined);
  return first.mode === "webhook" ? { ...first, fallback: first.fallback ?? { mode: "unrouted" } } : first;
}

/** Fills in defaults, so that equal routings are stored in the same way. */
function normalStep(step: Destination, parent: Mode | undefined): Destination {
  const normal = { ...step };
  if (step.connection_id !== undefined) normal.connection_id = step.connection_id.toLowerCase();
  if (parent !== undefined && step.mode !== "unrouted") {
    const causes = step.on ?? (parent === "webhook" ? [] : DEFAULT_CAUSES);
    normal.on = CAUSES.filter((cause) => causes.includes(cause));
    if (normal.on.length === 0) delete normal.on;
  }
  if (!step.fallback) return normal;
  normal.fallback = normalStep(step.fallback, step.mode);
  if (normal.fallback.on?.includes("no_answer")) normal.ring_seconds ??= DEFAULT_RING_SECONDS;
  return normal;
}

/** The destinations of a routing, in the order in which a call tries them. */
export function stepsOf(destination: Destination): Destination[] {
  const { fallback, ...step } = destination;
  return fallback ? [step, ...stepsOf(fallback)] : [step];
}

const MOST_RING_SECONDS = 120;

/** Returns what is wrong with the order of the steps, as a sentence for the caller. */
export function failoverFault(destination: Destination): string | undefined {
  const steps = stepsOf(destination);
  const rung = steps.slice(0, -1).reduce((sum, { ring_seconds: seconds = 0 }) => sum + seconds, 0);
  if (rung > MOST_RING_SECONDS)
    return `The destinations before the last ring for ${rung} seconds in total. Use at most ${MOST_RING_SECONDS}.`;
  const texts = steps.map(({ mode, sip_uri, connection_id, forward_to, webhook_url }) =>
    JSON.stringify([mode, sip_uri, connection_id, forward_to, webhook_url]),
  );
  const repeated = texts.findIndex((text, at) => texts.indexOf(text) < at);
  if (repeated >= 0)
    return `Step ${repeated + 1} repeats step ${texts.indexOf(texts[repeated]!) + 1}. Use each destination once.`;
  if (destination.mode !== "webhook" && destination.fallback?.mode === "unrouted")
    return "A fallback cannot be unrouted. Leave it out: a call that no destination takes is rejected.";
  return undefined;
}

export function connectionsOf(destination: Destination): string[] {
  return stepsOf(destination).flatMap(({ connection_id: id }) => id ?? []);
}

export interface Difference {
  field: string;
  from: string | null;
  to: string | null;
}

/** Field by field. Fields of fallbacks are named fallback.mode, fallback.fallback.mode and so on. */
export function differencesBetween(before: Destination, after: Destination): Difference[] {
  const [from, to] = [flat(before), flat(after)];
  const fields = [...new Set([...from.keys(), ...to.keys()])];
  return fields
    .map((field) => ({ field, from: from.get(field) ?? null, to: to.get(field) ?? null }))
    .filter((one) => one.from !== one.to);
}

function flat({ fallback, ...fields }: Destination, prefix = ""): Map<string, string> {
  return new Map([
    ...Object.entries(fields).map(([name, value]) => [prefix + name, textOf(value)] as const),
    ...(fallback ? flat(fallback, `${prefix}fallback.`) : []),
  ]);
}

function textOf(value: string | number | readonly string[]): string {
  return Array.isArray(value) ? value.join(", ") : String(value);
}
