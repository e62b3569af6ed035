import type { NumberFilter, SetLastFallback, SetRouting } from "@dialplane/sdk";
import { quoted, requestOf } from "./code-as-curl.ts";
import type { ShownOperation } from "./code-recipes.ts";
import type { AnyCall, CallOf, CallPlace } from "./shown-call.ts";

export interface CliCode {
  text: string;
  /** If false, the sample uses `dialplane api`. */
  hasOwnCommand: boolean;
}

export function asCli(call: AnyCall, place: CallPlace): CliCode {
  const own = cliWords(call);
  const words = own ?? apiWords(call);
  const { organisation, environment } = place.inside ?? {};
  const where = [...option("org", organisation), ...option("environment", environment)];
  return { text: ["dialplane", ...words, ...where].map(quoted).join(" "), hasOwnCommand: own !== undefined };
}

/** Words of the command. `undefined` if no command does this. */
export function cliWords(call: AnyCall): string[] | undefined {
  const command = COMMANDS[call.operation] as ((of: AnyCall) => string[] | undefined) | undefined;
  return command?.(call);
}

export function apiWords(call: AnyCall): string[] {
  const { method, address } = requestOf(call);
  return [
    "api",
    method,
    address,
    ...(call.body === undefined ? [] : ["--body", JSON.stringify(call.body)]),
    ...(call.ifGeneration === undefined ? [] : ["--if-match", String(call.ifGeneration)]),
  ];
}

const COMMANDS: { [Of in ShownOperation]?: (call: CallOf<Of>) => string[] | undefined } = {
  getOverview: () => ["overview"],
  getOwnOrganisation: () => ["orgs", "show"],
  searchCalls: ({ query = {} }) => {
    const { limit, cursor: _, ...filter } = query;
    return ["calls", "list", ...callFilterWords(filter), ...option("limit", limit)];
  },
  exportFoundCalls: ({ query = {} }) => ["calls", "export", ...callFilterWords(query)],
  getCall: ({ path }) => ["calls", "show", path.id],
  listNumbers: ({ query = {} }) => {
    const { sort, limit, cursor: _, ...filter } = query;
    return ["numbers", "list", ...filterWords(filter), ...option("sort", sort), ...option("limit", limit)];
  },
  exportNumbers: ({ query = {} }) => {
    const { sort, ...filter } = query as NumberFilter & { sort?: string };
    return sort ? undefined : ["export", ...filterWords(filter)];
  },
  getNumber: ({ path }) => ["numbers", "show", path.id],
  changeNumber: ({ path, body: { label, tags, release_lock } }) => {
    if (tags !== undefined || (label !== undefined) === (release_lock !== undefined)) return undefined;
    if (release_lock !== undefined) return ["numbers", release_lock ? "lock" : "unlock", path.id];
    return ["numbers", "label", path.id, ...(label ? [label] : [])];
  },
  releaseNumber: ({ path }) => ["release", path.id],
  restoreNumber: ({ path }) => ["restore", path.id],
  listTimeline: ({ path, query }) => ["numbers", "timeline", path.id, ...option("limit", query?.limit)],
  getRouting: ({ path }) => ["routing", "get", path.id],
  setRouting: ({ path, body }) => targetWords(body, ["routing", "set", path.id]),
  createProbe: ({ path, body: { via } }) => [
    "probes",
    "place",
    path.id,
    ...(via === "carrier" ? ["--via", via] : []),
  ],
  rollBackRouting: ({ path, body }) => ["routing", "rollback", path.id, String(body.generation)],
  listRoutingRevisions: ({ path }) => ["routing", "history", path.id],
  getNumberUsage: ({ path, query }) => ["usage", path.id, ...windowWords(query)],
  getOrganisationUsage: ({ query }) => ["usage", ...windowWords(query)],
  getTopNumbers: ({ query }) => [
    "usage",
    "top",
    ...windowWords(query),
    ...option("by", query?.by),
    ...option("limit", query?.limit),
  ],
  readLive: ({ query }) => ["live", "--once", ...[query?.ids ?? []].flat()],
  planBulkChange: bulkPlanWords,
  applyBulkChange: ({ path }) => ["bulk", "apply", path.id],
  getBulkChange: ({ path }) => ["bulk", "show", path.id],
  listBulkChangeItems: ({ path, query }) => ["bulk", "show", path.id, ...option("outcome", query?.outcome)],
  listBulkChanges: () => ["bulk", "list"],
  searchInventory: ({ query = {} }) => [
    "inventory",
    "search",
    ...option("country", query.country),
    ...option("type", query.type),
    ...option("contains", query.contains),
  ],
  placeOrder: orderWords,
  getOrder: ({ path }) => ["orders", "show", path.id],
  getJob: ({ path }) => ["jobs", "show", path.job_id],
  listJobs: () => ["jobs", "list"],
  listConnections: () => ["connections", "list"],
  listEvents: () => ["events", "tail", "--no-follow"],
  listApiKeys: () => ["keys", "list"],
  confirmApiKey: ({ path }) => ["keys", "confirm", path.id],
  revokeApiKey: ({ path }) => ["keys", "revoke", path.id],
  getForwarding: ({ path }) => ["operator", "forwarding", "show", path.id],
  setForwarding: forwardingWords,
};

function option(name: string, value: string | number | undefined): string[] {
  return value === undefined || value === "" ? [] : [`--${name}`, String(value)];
}

function filterWords({ q, metadata = {}, ...rest }: NumberFilter): string[] {
  const pairs = Object.entries(metadata).flatMap(([key, value]) => ["--metadata", `${key}=${String(value)}`]);
  const others = Object.entries(rest).flatMap(([name, value]) =>
    [value].flat().flatMap((one) => option(name.replaceAll("_", "-"), one)),
  );
  return [...option("search", q), ...others, ...pairs];
}

function callFilterWords(filter: NonNullable<CallOf<"exportFoundCalls">["query"]>): string[] {
  return [
    ...option("from", filter.from),
    ...option("to", filter.to),
    ...option("search", filter.q),
    ...option("number", filter.number_id),
    ...option("caller", filter.caller),
    ...option("result", filter.result),
    ...option("code", filter.code),
    ...option("connection", filter.connection_id),
    ...option("switch", filter.switch),
    ...option("call-id", filter.sip_call_id),
    ...option("min-seconds", filter.min_seconds),
    ...(filter.misrouted ? ["--misrouted"] : []),
  ];
}

function windowWords(query: Partial<NonNullable<CallOf<"getNumberUsage">["query"]>> | undefined): string[] {
  const { from, to, granularity, time_zone: zone } = query ?? {};
  return [
    ...option("from", from),
    ...option("to", to),
    ...option("by", granularity),
    ...option("time-zone", zone),
  ];
}

/** `undefined` if the command has no option for it, such as an unrouted fallback. */
function targetWords(routing: SetRouting, begins: string[]): string[] | undefined {
  const why = option("reason", routing.reason);
  if (routing.mode === "unrouted") return [...begins, "--unrouted", ...why];
  const { fallback } = routing;
  if (fallback?.mode === "unrouted") return undefined;
  const steps = [fallback, fallback?.fallback].flatMap((step) => (step ? ["--then", stepText(step)] : []));
  return [...begins, ...firstWords(routing), ...option("ring", routing.ring_seconds), ...steps, ...why];
}

function firstWords(routing: Exclude<SetRouting, { mode: "unrouted" }>): string[] {
  switch (routing.mode) {
    case "sip_uri":
      return ["--sip-uri", routing.sip_uri];
    case "connection":
      return ["--connection", routing.connection_id];
    case "forward":
      return ["--forward", routing.forward_to];
    case "webhook":
      return ["--webhook", routing.webhook_url];
  }
}

/** As `--then` reads it: the destination, when it takes the call, and how long it rings. */
function stepText(step: SetLastFallback): string {
  const [, target] = firstWords(step);
  const causes = step.on ? ` on ${step.on.join(",")}` : "";
  return `${target}${causes}${step.ring_seconds === undefined ? "" : ` ring ${step.ring_seconds}`}`;
}

/** The command needs numbers or a filter. A plan for all numbers uses `dialplane api`. */
function bulkPlanWords({ body: { select, change, reason } }: CallOf<"planBulkChange">): string[] | undefined {
  const which = select.ids ?? filterWords(select.filter ?? {});
  if (which.length === 0) return undefined;
  const begins = ["bulk", "plan", ...which];
  const why = option("reason", reason);
  if (change.routing) {
    const words = targetWords(change.routing, begins);
    return words && [...words, ...why];
  }
  if (change.tags) {
    const { add = [], remove = [] } = change.tags;
    const each = (name: string, tags: readonly string[]) => tags.flatMap((tag) => [`--${name}`, tag]);
    return [...begins, ...each("add-tag", add), ...each("remove-tag", remove), ...why];
  }
  return [...begins, "--release-lock", change.release_lock ? "on" : "off", ...why];
}

function orderWords({ body }: CallOf<"placeOrder">): string[] | undefined {
  const { numbers, criteria, quantity, reservation_id, routing, label, tags, external_ref } = body;
  if (reservation_id !== undefined) return undefined;
  const words = [
    "order",
    ...(numbers ?? []).flatMap((number) => ["--number", number]),
    ...option("country", criteria?.country),
    ...option("type", criteria?.type),
    ...option("prefix", criteria?.prefix),
    ...option("quantity", quantity),
    ...option("label", label ?? undefined),
    ...(tags ?? []).flatMap((tag) => ["--tag", tag]),
    ...option("ref", external_ref ?? undefined),
    ...(body.all_or_nothing ? ["--all-or-nothing"] : []),
  ];
  return routing ? targetWords(routing, words) : words;
}

/** All limits by name: the command keeps those that it does not name, and the request does not. */
function forwardingWords({ path, body }: CallOf<"setForwarding">): string[] {
  const { caller = "pass", caller_number: number, identity } = body;
  return [
    "operator",
    "forwarding",
    "set",
    path.id,
    ...option("calls-at-once", body.calls_at_once ?? "none"),
    ...option("calls-per-day", body.calls_per_day ?? "none"),
    ...option("minutes-per-day", body.minutes_per_day ?? "none"),
    ...option("caller", number ?? caller),
    ...option("identity", identity),
  ];
}
