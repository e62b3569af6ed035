import type { TimelineEntry } from "@dialplane/sdk";
import { command, type OptionTable } from "./cli-command.ts";
import { findNumber } from "./named-numbers.ts";
import { LIST_OPTIONS, several } from "./several.ts";
import type { Column } from "./table.ts";

type Kind = (typeof KIND_OPTIONS)["kind"]["value"][number];

const KIND_OPTIONS = {
  kind: {
    type: "string",
    value: ["set", "applied", "failed", "drifted", "state"],
    summary: "kind of the entries",
  },
} as const satisfies OptionTable;

const COLUMNS: readonly Column<TimelineEntry>[] = [
  { title: "at", of: ({ at }) => at, show: ({ at }) => secondOf(at) },
  { title: "kind", of: ({ kind }) => kind, tone: ({ kind }) => (isFault(kind) ? "bad" : undefined) },
  { title: "switch", of: (entry) => entry.switch, isFlexible: true, isHidden: true },
  { title: "who", of: whoOf, isFlexible: true },
  { title: "revision", of: ({ revision }) => revision, isNumeric: true, isHidden: true },
  { title: "until", of: ({ until }) => until, isHidden: true },
  { title: "count", of: ({ count }) => count, isHidden: true },
  { title: "took ms", of: ({ took_ms }) => took_ms, isHidden: true },
  { title: "wrong ms", of: ({ wrong_ms }) => wrong_ms, isHidden: true },
  { title: "what", of: whatOf, isFlexible: true },
];

export const TIMELINE_COMMANDS = [
  command({
    name: "numbers timeline",
    summary: "Show what happened to a number",
    args: ["number"],
    options: { ...KIND_OPTIONS, ...LIST_OPTIONS },
    details:
      "Newest first: changes of the routing, confirmations and errors of each switch, drift, and changes of the number itself.",
    examples: [
      "dialplane numbers timeline +493010000001",
      "dialplane numbers timeline +493010000001 --kind drifted",
    ],
    async run({ context, args: [named], options }) {
      const client = await context.client();
      const { id } = await findNumber(client, named!);
      const kind = options.kind as Kind | undefined;
      const entries = await several(context, options, (query) =>
        client.numbers.timeline(id, { ...query, ...(kind && { kind }) }),
      );
      await context.output.list(entries, COLUMNS);
    },
  }),
];

function secondOf(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)}Z`;
}

function isFault(kind: string): boolean {
  return kind === "failed" || kind === "drifted";
}

function whoOf({ switch: name, actor }: TimelineEntry): string | null {
  return name ?? actor?.name ?? actor?.kind ?? null;
}

/** The entry as a short sentence. */
export function whatOf(entry: TimelineEntry): string {
  switch (entry.kind) {
    case "set":
      return `generation ${entry.revision}: ${changesOf(entry)}${because(entry.reason)}`;
    case "applied":
      return `generation ${entry.revision} (${valueOf(entry.found)}) in ${lengthOf(entry.took_ms)}`;
    case "failed":
      return `generation ${entry.revision}: ${entry.error} (${endOf(entry)})`;
    case "drifted":
      return `held ${valueOf(entry.found)} instead of ${valueOf(entry.expected)}, ${entry.count}×, wrong for ${lengthOf(entry.wrong_ms)}, ${endOf(entry)}`;
    default:
      return `${entry.state ?? entry.kind}${because(entry.reason)}`;
  }
}

function changesOf({ changes }: TimelineEntry): string {
  return changes
    .map(({ field, from, to }) => (from === null ? `${field} ${to}` : `${field} ${from} → ${to ?? "none"}`))
    .join(", ");
}

function because(reason: string | null): string {
  return reason === null ? "" : ` (${reason})`;
}

function endOf({ until }: TimelineEntry): string {
  return until === null ? "not over" : `until ${secondOf(until).slice(11)}`;
}

function valueOf(value: TimelineEntry["found"]): string {
  if (value === null) return "nothing";
  return value.sip_uri ?? value.connection_id ?? value.forward_to ?? value.webhook_url ?? value.mode;
}

function lengthOf(ms: number | null): string {
  if (ms === null) return "unknown time";
  return ms < 10_000 ? `${ms} ms` : `${Math.round(ms / 1_000)} s`;
}
