import type { NumberFilter, PhoneNumber, NumberDestination } from "@dialplane/sdk";
import type { Context } from "./cli-context.ts";
import { command, type OptionTable, type Values } from "./cli-command.ts";
import { usageFailure } from "./cli-failure.ts";
import { momentOf } from "./moments.ts";
import { findNumber } from "./named-numbers.ts";
import { toneOfSync, toneOfStatus } from "./tones.ts";
import { LIST_OPTIONS, several } from "./several.ts";
import type { Column } from "./table.ts";

/** Which numbers: the same for the list, bulk changes and the export. */
export const FILTER_OPTIONS = {
  search: { type: "string", short: "q", value: "text", summary: "part of the number or label" },
  country: { type: "string", value: "DE", summary: "country code, two letters" },
  type: { type: "string", value: "local", summary: "number type, such as local, mobile or toll_free" },
  status: {
    type: "string",
    value: ["active", "suspended", "releasing", "quarantined", "released"],
    summary: "number status",
  },
  tag: { type: "string", value: "tag", summary: "tag of the numbers" },
  mode: {
    type: "string",
    value: ["sip_uri", "connection", "unrouted", "forward", "webhook"],
    summary: "routing mode",
  },
  sync: {
    type: "string",
    value: ["in_sync", "pending", "failed", "drifted", "unknown"],
    summary: "sync status of the routing",
  },
  health: {
    type: "string",
    value: ["up", "partial", "down", "unknown"],
    summary: "health of the connection that the numbers use first",
  },
  e164: { type: "string", multiple: true, value: "+49…", summary: "phone number (repeatable)" },
  "connection-id": {
    type: "string",
    multiple: true,
    value: "connection id",
    summary: "connection that the numbers use (repeatable)",
  },
  destination: { type: "string", value: "text", summary: "part of a host, SIP URI, URL or phone number" },
  metadata: {
    type: "string",
    multiple: true,
    value: "key=value",
    summary: "value of a metadata key (repeatable)",
  },
  "last-call-before": {
    type: "string",
    value: "time",
    summary: "numbers without a call since this time",
  },
} as const satisfies OptionTable;

export function filterOf(options: Values<typeof FILTER_OPTIONS>): NumberFilter {
  const given = {
    q: options.search,
    country: options.country,
    type: options.type,
    status: options.status,
    tag: options.tag,
    mode: options.mode,
    sync: options.sync,
    health: options.health,
    e164: options.e164,
    connection_id: options["connection-id"],
    destination: options.destination,
    metadata: options.metadata && pairsOf(options.metadata),
    last_call_before: options["last-call-before"],
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

/** Metadata from arguments such as site=berlin. */
function pairsOf(given: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    given.map((pair) => {
      const [, key, value] = /^([^=]+)=(.+)$/s.exec(pair) ?? [];
      if (!key || !value) throw usageFailure(`Metadata is key=value, such as site=berlin, not “${pair}”.`);
      return [key, value];
    }),
  );
}

/** Destination of calls, for a cell of a table. */
function destinationOf(destination: NumberDestination): string {
  const { mode, sip_uri, connection, forward_to, webhook_url, steps } = destination;
  const first = sip_uri ?? connection?.name ?? forward_to ?? webhook_url ?? mode;
  return steps === 1 ? first : `${first} (${steps === 2 ? "1 fallback" : `${steps - 1} fallbacks`})`;
}

const COLUMNS: readonly Column<PhoneNumber>[] = [
  { title: "number", of: ({ e164 }) => e164 },
  { title: "label", of: ({ label }) => label, isFlexible: true },
  { title: "status", of: ({ status }) => status, tone: ({ status }) => toneOfStatus(status) },
  {
    title: "destination",
    of: ({ routing }) => routing && destinationOf(routing.destination),
    isFlexible: true,
  },
  { title: "mode", of: ({ routing }) => routing?.mode, isHidden: true },
  { title: "sync", of: ({ routing }) => routing?.status, tone: ({ routing }) => toneOfSync(routing?.status) },
  { title: "tags", of: ({ tags }) => tags.join(";"), isFlexible: true },
  {
    title: "applied destination",
    of: ({ routing }) => routing?.applied_destination && destinationOf(routing.applied_destination),
    isHidden: true,
  },
  {
    title: "switches behind",
    of: ({ routing }) => routing?.switches_behind.map((one) => one.switch).join(";"),
    isHidden: true,
  },
  { title: "health", of: ({ routing }) => routing?.health, isHidden: true },
  { title: "calls 24h", of: ({ calls_24h }) => calls_24h, isHidden: true },
  { title: "id", of: ({ id }) => id, isHidden: true },
];

export const NUMBER_COMMANDS = [
  command({
    name: "numbers list",
    summary: "List numbers",
    options: {
      ...FILTER_OPTIONS,
      sort: { type: "string", value: "e164", summary: "sort order, as in GET /v1/numbers" },
      ...LIST_OPTIONS,
    },
    examples: [
      "dialplane numbers list --tag berlin --sync failed",
      "dialplane numbers list --all --csv > numbers.csv",
    ],
    async run({ context, options }) {
      const client = await context.client();
      const query = { ...filterOf(options), ...(options.sort ? { sort: options.sort as "e164" } : {}) };
      const numbers = await several(context, options, ({ limit }) =>
        client.numbers.list({ ...query, limit }),
      );
      await context.output.list(numbers, COLUMNS);
    },
  }),
  command({
    name: "numbers show",
    summary: "Show a number",
    args: ["number"],
    examples: ["dialplane numbers show +493010000001"],
    async run({ context, args: [named] }) {
      await show(context, await findNumber(await context.client(), named!));
    },
  }),
  command({
    name: "numbers label",
    summary: "Set or remove a label",
    args: ["number", "text?"],
    examples: ["dialplane numbers label +493010000001 'Front desk'", "dialplane numbers label +493010000001"],
    async run({ context, args: [named, text] }) {
      const client = await context.client();
      const { id } = await findNumber(client, named!);
      await show(context, await client.numbers.change(id, { label: text || null }));
    },
  }),
  command({
    name: "numbers metadata",
    summary: "Set or remove metadata",
    args: ["number", "pairs..."],
    details: "KEY=VALUE sets a key. KEY= removes it. Other keys remain.",
    examples: ["dialplane numbers metadata +493010000001 site=berlin floor="],
    async run({ context, args: [named, ...pairs] }) {
      const client = await context.client();
      const { id } = await findNumber(client, named!);
      const removed = pairs.filter((pair) => /^[^=]+=$/.test(pair));
      const metadata = {
        ...pairsOf(pairs.filter((pair) => !removed.includes(pair))),
        ...Object.fromEntries(removed.map((pair) => [pair.slice(0, -1), null])),
      };
      await show(context, await client.numbers.change(id, { metadata }));
    },
  }),
  ...([true, false] as const).map((lock) =>
    command({
      name: lock ? "numbers lock" : "numbers unlock",
      summary: lock ? "Prevent a number from being released" : "Allow a number to be released",
      args: ["number"],
      async run({ context, args: [named] }) {
        const client = await context.client();
        const { id } = await findNumber(client, named!);
        await show(context, await client.numbers.change(id, { release_lock: lock }));
      },
    }),
  ),
];

async function show({ output }: Context, number: PhoneNumber): Promise<void> {
  const { routing } = number;
  await output.record(number, [
    ["Number", number.e164],
    ["Id", number.id],
    ["Label", number.label],
    ["Tags", number.tags.join("; ")],
    [
      "Metadata",
      Object.entries(number.metadata)
        .map((pair) => pair.join("="))
        .join("; "),
    ],
    ["Country", number.country],
    ["Type", number.type],
    ["Status", number.status_reason ? `${number.status} (${number.status_reason})` : number.status],
    ["Mode", routing?.mode],
    ["Destination", routing && destinationOf(routing.destination)],
    ["Sync", routing && syncOf(routing)],
    ["Health", routing?.health],
    ["Generation", routing?.generation],
    ["Release lock", number.release_lock ? "on" : "off"],
    ["Acquired", momentOf(number.acquired_at)],
    ["Restore until", momentOf(number.restore_until)],
    ["Last call", momentOf(number.last_call_at)],
    ["Calls, 24 h", String(number.calls_24h)],
  ]);
}

/** Status, with the switches that are behind. */
function syncOf({ status, switches_behind: behind, switches }: NonNullable<PhoneNumber["routing"]>): string {
  if (behind.length === 0) return status;
  const names = behind.map((one) => one.switch).join(", ");
  return `${status} (${switches - behind.length} of ${switches} switches, not ${names})`;
}
