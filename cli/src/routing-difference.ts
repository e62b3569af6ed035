import type { RevisedRouting } from "@dialplane/sdk";
import type { Terminal } from "./cli-terminal.ts";
import { plain } from "./table.ts";

export interface Difference {
  field: string;
  from: string | null;
  to: string | null;
}

/** Field by field; what neither names, or both name alike, is left out. */
export function differencesOf(from: RevisedRouting, to: RevisedRouting): Difference[] {
  const [before, after] = [flat(from), flat(to)];
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .map((field) => ({ field, from: before[field] ?? null, to: after[field] ?? null }))
    .filter(({ from: old, to: next }) => old !== next);
}

const FIELDS = [
  "mode",
  "sip_uri",
  "connection_id",
  "forward_to",
  "webhook_url",
  "ring_seconds",
  "on",
] as const;

type Step = {
  [Field in (typeof FIELDS)[number]]?: string | number | readonly string[] | undefined;
} & { fallback?: Step | undefined };

/** With the defaults that the service fills in, so that a routing equals what is stored of it. */
function flat(routing: Step, prefix = ""): Record<string, string> {
  const fallback = routing.fallback ?? (routing.mode === "webhook" && prefix === "" ? UNROUTED : undefined);
  const next = fallback && { ...fallback, on: fallback.on ?? defaultCauses(routing, fallback) };
  const own = { ...routing, ring_seconds: routing.ring_seconds ?? defaultRing(next) };
  const fields = FIELDS.flatMap((field) =>
    own[field] === undefined ? [] : [[prefix + field, [own[field]].flat().join(", ")] as const],
  );
  return { ...Object.fromEntries(fields), ...(next && flat(next, `${prefix}fallback.`)) };
}

const UNROUTED: Step = { mode: "unrouted" };

function defaultCauses(parent: Step, fallback: Step): string[] | undefined {
  return parent.mode === "webhook" || fallback.mode === "unrouted" ? undefined : ["unreachable", "no_answer"];
}

function defaultRing(next: Step | undefined): number | undefined {
  return Array.isArray(next?.on) && next.on.includes("no_answer") ? 30 : undefined;
}

/** As people know it from diff. */
export function linesOf(differences: readonly Difference[], { tone }: Terminal): string[] {
  const width = Math.max(...differences.map(({ field }) => field.length));
  return differences.flatMap(({ field, from, to }) => [
    ...(from === null ? [] : [tone(`  - ${field.padEnd(width)}  ${plain(from)}`, "bad")]),
    ...(to === null ? [] : [tone(`  + ${field.padEnd(width)}  ${plain(to)}`, "good")]),
  ]);
}
