import { isObject, type Json, type JsonObject, wordOf } from "./contract.schemas.ts";

/** An example, and its place in the document. */
export interface Example {
  place: string;
  value: Json;
}

/** All examples of a document: of bodies, parameters, problems and schemas. */
export function examplesIn(value: Json, place = "#"): Example[] {
  if (Array.isArray(value)) return value.flatMap((one, index) => examplesIn(one, `${place}/${index}`));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, within]): Example[] => {
    const inner = `${place}/${name}`;
    if (name === "example") return [{ place: inner, value: within }];
    if (name === "examples" && Array.isArray(within))
      return within.map((one, index) => ({ place: `${inner}/${index}`, value: one }));
    if (name === "examples" && isObject(within)) return namedExamples(within, inner);
    return examplesIn(within, inner);
  });
}

/** References are left out, because the referenced component is in the document too. */
function namedExamples(examples: JsonObject, place: string): Example[] {
  return Object.entries(examples).flatMap(([name, one]) =>
    isObject(one) && one["value"] !== undefined
      ? [{ place: `${place}/${name}/value`, value: one["value"] }]
      : [],
  );
}

/** Contradictions within one example. */
export function faultsOf({ place, value }: Example, knownIds: ReadonlySet<string>): string[] {
  return walk(value, place).flatMap(([at, part]) => {
    const faults = isObject(part) ? OBJECT_RULES.flatMap((rule) => rule(part)) : textFaults(part, knownIds);
    return faults.map((fault) => `${at}: ${fault}`);
  });
}

function walk(value: Json, place: string): [place: string, part: Json][] {
  if (typeof value !== "object" || value === null) return [[place, value]];
  const within = Object.entries(value).flatMap(([name, one]: [string, Json]) =>
    walk(one, `${place}/${name}`),
  );
  return Array.isArray(value) ? within : [[place, value], ...within];
}

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

function textFaults(value: Json, knownIds: ReadonlySet<string>): string[] {
  if (typeof value !== "string") return [];
  const unknown = (value.match(UUID) ?? []).filter((id) => !knownIds.has(id));
  return [
    ...(value === "text" ? ["a placeholder"] : []),
    ...unknown.map((id) => `${id} is not an ID of the story`),
  ];
}

type Rule = (part: JsonObject) => string[];

const FIELDS_OF_MODE: Record<string, string[]> = {
  unrouted: [],
  sip_uri: ["sip_uri"],
  connection: ["connection_id"],
  forward: ["forward_to"],
  webhook: ["webhook_url", "fallback"],
};
const DESTINATION_FIELDS = Object.values(FIELDS_OF_MODE).flat();

const modeRule: Rule = (part) => {
  const own = typeof part["mode"] === "string" ? FIELDS_OF_MODE[part["mode"]] : undefined;
  if (!own) return [];
  return DESTINATION_FIELDS.filter((field) => field in part && !own.includes(field)).map(
    (field) => `${field} in mode ${wordOf(part["mode"])}`,
  );
};

const FINISHED = [
  "succeeded",
  "partially_succeeded",
  "failed",
  "completed",
  "partially_completed",
  "finished",
];
const NOT_STARTED = ["queued", "planned", "pending"];

const finishedRule: Rule = ({ status, finished_at: finished, started_at: started }) => {
  if (typeof status !== "string") return [];
  const isFinished = FINISHED.includes(status);
  return [
    ...(finished !== undefined && (finished !== null) !== isFinished
      ? [`finished_at contradicts ${status}`]
      : []),
    ...(typeof started === "string" && NOT_STARTED.includes(status) ? [`started_at while ${status}`] : []),
  ];
};

/** The database has the same rule. */
const releasedRule: Rule = ({ status, released_at: released }) =>
  released !== undefined && (released !== null) !== (status === "released")
    ? [`released_at contradicts ${wordOf(status)}`]
    : [];

const syncRule: Rule = ({ status, last_error: lastError, switches }) => {
  if (status !== "in_sync") return [];
  const failing = Array.isArray(switches) ? switches.filter((one) => isObject(one) && one["error"]) : [];
  return lastError || failing.length > 0 ? ["an error while in_sync"] : [];
};

const callRule: Rule = ({ ending, answered_at: answered, talk_seconds: talk }) => {
  if (typeof ending !== "string") return [];
  const isAnswered = typeof answered === "string";
  return [
    ...(isAnswered === (ending === "refused") ? [`answered_at contradicts ${ending}`] : []),
    ...(talk !== undefined && talk !== 0 && !isAnswered ? ["talk time of an unanswered call"] : []),
  ];
};

/** Pairs of times, of which the first is not after the second. */
const ORDER: [earlier: string, later: string][] = [
  ["created_at", "updated_at"],
  ["created_at", "expires_at"],
  ["created_at", "started_at"],
  ["created_at", "finished_at"],
  ["created_at", "last_used_at"],
  ["created_at", "last_seen_at"],
  ["started_at", "finished_at"],
  ["started_at", "answered_at"],
  ["started_at", "ended_at"],
  ["answered_at", "ended_at"],
  ["first_at", "last_at"],
  ["complete_through", "as_of"],
];

const timeRule: Rule = (part) => [
  ...ORDER.filter(([earlier, later]) => compare(part[earlier], part[later]) > 0).map(
    ([earlier, later]) => `${earlier} is after ${later}`,
  ),
  ...(isOrdered(part["from"], part["to"]) ? [] : ["from is not before to"]),
];

/** Only times and numbers have an order. The roles before and after a change have none. */
export function isOrdered(from: Json | undefined, to: Json | undefined): boolean {
  return Number.isNaN(compare(from, to)) || compare(from, to) < 0;
}

function compare(one: Json | undefined, other: Json | undefined): number {
  return momentOf(one) - momentOf(other);
}

function momentOf(value: Json | undefined): number {
  if (typeof value === "number") return value;
  return typeof value === "string" && /^\d{4}-\d{2}-\d{2}T/.test(value) ? Date.parse(value) : Number.NaN;
}

const RESULTS = ["answered", "busy", "no_answer", "cancelled", "rejected", "failed"];
const SUMS: [total: string, parts: string[], isComplete: (part: JsonObject) => boolean][] = [
  ["calls", RESULTS, (part) => "busy" in part],
  ["total", ["free", "held"], () => true],
  ["total", ["set", "unchanged", "stale", "failed"], ({ set, unchanged }) => set !== 0 || unchanged !== 0],
];
/** Lists whose numbers add up to those of the object they are in, or of its member. */
const PARTS: [list: string, whole: string | null, fields: string[]][] = [
  ["buckets", "totals", ["calls", ...RESULTS, "talk_seconds", "forwarded_seconds"]],
  ["kinds", null, ["total", "free", "held"]],
];

const sumRule: Rule = (part) => [
  ...SUMS.filter(
    ([total, parts, isComplete]) =>
      [total, ...parts].every((name) => name in part) &&
      isComplete(part) &&
      part[total] !== sumOf(parts.map((name) => part[name])),
  ).map(([total]) => `${total} is not the sum of its parts`),
  ...PARTS.flatMap(([list, whole, fields]) => {
    const entries = part[list];
    const sums = whole === null ? part : part[whole];
    if (!Array.isArray(entries) || !isObject(sums)) return [];
    return fields
      .filter(
        (field) => sums[field] !== sumOf(entries.map((one) => (isObject(one) ? one[field] : undefined))),
      )
      .map((field) => `${field} is not the sum of ${list}`);
  }),
];

function sumOf(values: (Json | undefined)[]): number {
  return values.reduce<number>((sum, one) => sum + Number(one), 0);
}

const OBJECT_RULES: Rule[] = [modeRule, finishedRule, releasedRule, syncRule, callRule, timeRule, sumRule];
