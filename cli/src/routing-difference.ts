import type { RevisedRouting } from "@dialplane/sdk";
import type { Terminal } from "./cli-terminal.ts";
import { plain } from "./table.ts";

const FIELDS = ["mode", "sip_uri", "connection_id", "forward_to", "webhook_url"] as const;

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

function flat(routing: RevisedRouting): Record<string, string> {
  const own = FIELDS.flatMap((field) =>
    routing[field] === undefined ? [] : [[field, routing[field]] as const],
  );
  // A webhook has one whether it was named or not.
  const fallback = routing.mode === "webhook" ? (routing.fallback ?? { mode: "unrouted" }) : {};
  const below = Object.entries(fallback).map(
    ([field, value]) => [`fallback.${field}`, String(value)] as const,
  );
  return Object.fromEntries([...own, ...below]);
}

/** As people know it from diff. */
export function linesOf(differences: readonly Difference[], { tone }: Terminal): string[] {
  const width = Math.max(...differences.map(({ field }) => field.length));
  return differences.flatMap(({ field, from, to }) => [
    ...(from === null ? [] : [tone(`  - ${field.padEnd(width)}  ${plain(from)}`, "bad")]),
    ...(to === null ? [] : [tone(`  + ${field.padEnd(width)}  ${plain(to)}`, "good")]),
  ]);
}
