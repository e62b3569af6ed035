import type { NumberUsage, OrganisationUsage, TopNumber, UsageTotals } from "@dialplane/sdk";
import { usageFailure } from "./cli-failure.ts";
import type { Context } from "./cli-context.ts";
import { command, type OptionTable, type Values } from "./cli-command.ts";
import { durationOf, momentOf } from "./moments.ts";
import { findNumber } from "./named-numbers.ts";
import { readCount } from "./several.ts";
import { sparkline } from "./sparkline.ts";
import type { Column } from "./table.ts";

const DAY_MS = 86_400_000;
const WINDOW_OPTIONS = {
  from: {
    type: "string",
    value: "2026-11-01",
    summary: "start, a day or time in UTC (default: 30 days ago)",
  },
  to: { type: "string", value: "2026-12-01", summary: "end, exclusive, a day or time in UTC (default: now)" },
} as const satisfies OptionTable;

const COUNTS: readonly Column<UsageTotals>[] = [
  { title: "calls", of: ({ calls }) => calls, isNumeric: true },
  { title: "answered", of: ({ answered }) => answered, isNumeric: true },
  { title: "busy", of: ({ busy }) => busy, isNumeric: true },
  { title: "no answer", of: ({ no_answer }) => no_answer, isNumeric: true },
  { title: "cancelled", of: ({ cancelled }) => cancelled, isNumeric: true, isHidden: true },
  { title: "rejected", of: ({ rejected }) => rejected, isNumeric: true, isHidden: true },
  { title: "failed", of: ({ failed }) => failed, isNumeric: true },
  {
    title: "talk seconds",
    heading: "talk time",
    of: ({ talk_seconds }) => talk_seconds,
    show: ({ talk_seconds }) => durationOf(talk_seconds),
    isNumeric: true,
  },
  { title: "forwarded seconds", of: ({ forwarded_seconds }) => forwarded_seconds, isHidden: true },
];

export const USAGE_COMMANDS = [
  command({
    name: "usage",
    group: "Usage",
    summary: "Show call counts and talk time",
    args: ["number?"],
    options: {
      ...WINDOW_OPTIONS,
      by: { type: "string", value: ["day", "hour"], summary: "interval of each row (default: day)" },
    },
    examples: ["dialplane usage", "dialplane usage +493010000001 --from 2026-10-01 --to 2026-11-01 --csv"],
    async run({ context, args: [named], options }) {
      const client = await context.client();
      const granularity = options.by === "hour" ? ("hour" as const) : ("day" as const);
      const query = { ...windowOf(options), granularity };
      const number = named === undefined ? undefined : await findNumber(client, named);
      await show(
        context,
        number ? await client.usage.ofNumber(number.id, query) : await client.usage.ofOrganisation(query),
        number?.e164 ?? "all numbers",
      );
    },
  }),
  command({
    name: "usage top",
    summary: "List the busiest numbers",
    options: {
      ...WINDOW_OPTIONS,
      by: {
        type: "string",
        value: ["calls", "answered", "talk_seconds"],
        summary: "count to sort by (default: calls)",
      },
      limit: {
        type: "string",
        short: "n",
        value: "count",
        summary: "maximum number of results (default: 10)",
      },
    },
    async run({ context, options }) {
      const client = await context.client();
      const by = (options.by ?? "calls") as "calls";
      const limit = readCount(options.limit ?? "10", "--limit");
      const { data } = await client.usage.topNumbers({ ...windowOf(options), by, limit });
      await context.output.list<TopNumber>(data, [
        { title: "number", of: ({ e164 }) => e164 },
        { title: "label", of: ({ label }) => label, isFlexible: true },
        ...COUNTS,
      ]);
    },
  }),
];

async function show(
  { output, terminal }: Context,
  usage: NumberUsage | OrganisationUsage,
  of: string,
): Promise<void> {
  const { buckets = [], totals } = usage;
  if (output.format === "json") return output.record(usage, []);
  const columns: Column<(typeof buckets)[number]>[] = [
    { title: "from", of: ({ from }) => from, show: ({ from }) => momentOf(from) },
    { title: "to", of: ({ to }) => to, isHidden: true },
    ...COUNTS,
  ];
  if (output.format === "csv") return output.list(buckets, columns);
  const line = sparkline(
    buckets.map(({ calls }) => calls),
    (terminal.width ?? 80) - 8,
  );
  await terminal.write(
    `${of}, ${momentOf(usage.from)} to ${momentOf(usage.to)}\n${totals.calls} calls, ${totals.answered} answered, talk time ${durationOf(totals.talk_seconds)}\n\n${line}\n\n`,
  );
  await output.list(buckets, columns);
  terminal.say(completeness(usage));
}

/** Billing needs to know whether the figures are complete. */
function completeness({
  complete_through,
  exact,
  unreachable_switches,
}: NumberUsage | OrganisationUsage): string {
  const until = complete_through ? `complete through ${momentOf(complete_through)}` : "completeness unknown";
  const edges = exact ? "" : ", rounded to full hours";
  const away = unreachable_switches.length > 0 ? `, no report from: ${unreachable_switches.join(", ")}` : "";
  return `${until}${edges}${away}`;
}

/** Days are those of UTC; without times they begin at midnight. */
function windowOf({ from, to }: Values<typeof WINDOW_OPTIONS>): { from: string; to: string } {
  const end = to === undefined ? new Date().toISOString() : readMoment(to, "--to");
  const midnight = Math.floor(Date.parse(end) / DAY_MS) * DAY_MS;
  return {
    from: from === undefined ? new Date(midnight - 30 * DAY_MS).toISOString() : readMoment(from, "--from"),
    to: end,
  };
}

export function readMoment(text: string, name: string): string {
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text);
  const at = Date.parse(isDay ? `${text}T00:00:00Z` : text);
  if (Number.isNaN(at) || (!isDay && !/(Z|[+-]\d\d:\d\d)$/.test(text)))
    throw usageFailure(
      `${name} must be a day such as 2026-11-01, or a time such as 2026-11-01T12:00:00Z, not “${text}”.`,
    );
  return new Date(at).toISOString();
}
