import {
  type Client,
  type NumberUsage,
  type OrganisationUsage,
  startOfDay,
  type TopNumber,
  type UsageTotals,
} from "@dialplane/sdk";
import { usageFailure } from "./cli-failure.ts";
import type { Context } from "./cli-context.ts";
import { command, type OptionTable, type Values } from "./cli-command.ts";
import { durationOf, momentOf } from "./moments.ts";
import { findNumber } from "./named-numbers.ts";
import { readCount } from "./several.ts";
import { sparkline } from "./sparkline.ts";
import type { Column } from "./table.ts";

type UsageQuery = Parameters<Client["usage"]["ofOrganisation"]>[0];

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
      by: {
        type: "string",
        value: ["hour", "day", "month"],
        summary: "interval of each row (default: day)",
      },
      "time-zone": {
        type: "string",
        value: "Europe/Berlin",
        summary: "time zone of days and months (default: UTC)",
      },
    },
    examples: [
      "dialplane usage",
      "dialplane usage +493010000001 --from 2026-10-01 --to 2026-11-01 --csv",
      "dialplane usage --from 2026-10-01 --to 2026-11-01 --time-zone Europe/Berlin",
    ],
    async run({ context, args: [named], options }) {
      const client = await context.client();
      const { by: granularity = "day" } = options;
      const zone = readZone(options["time-zone"]);
      const query: UsageQuery = {
        ...windowOf(options, zone),
        granularity: granularity as NonNullable<UsageQuery["granularity"]>,
        ...(zone !== "UTC" && { time_zone: zone }),
      };
      const number = named === undefined ? undefined : await findNumber(client, named);
      await show(
        context,
        number ? await client.usage.ofNumber(number.id, query) : await client.usage.ofOrganisation(query),
        { name: number?.e164 ?? "all numbers", granularity, zone },
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
      const { data } = await client.usage.topNumbers({ ...windowOf(options, "UTC"), by, limit });
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
  { name, granularity, zone }: { name: string; granularity: string; zone: string },
): Promise<void> {
  const { buckets = [], totals } = usage;
  if (output.format === "json") return output.record(usage, []);
  const columns: Column<(typeof buckets)[number]>[] = [
    {
      title: "from",
      of: ({ from }) => from,
      show: ({ from }) => (zone === "UTC" ? momentOf(from) : localStart(from, granularity, zone)),
    },
    { title: "to", of: ({ to }) => to, isHidden: true },
    ...COUNTS,
  ];
  if (output.format === "csv") return output.list(buckets, columns);
  const line = sparkline(
    buckets.map(({ calls }) => calls),
    (terminal.width ?? 80) - 8,
  );
  await terminal.write(
    `${name}, ${momentOf(usage.from)} to ${momentOf(usage.to)}\n${totals.calls} calls, ${totals.answered} answered, talk time ${durationOf(totals.talk_seconds)}\n\n${line}\n\n`,
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

function readZone(name = "UTC"): string {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name }).format();
    return name;
  } catch {
    throw usageFailure(
      `--time-zone must be a name of the IANA time zone database, such as Europe/Berlin, not “${name}”.`,
    );
  }
}

/** Such as 2026-11-02. Hours are those of UTC. */
function localStart(from: string, granularity: string, zone: string): string {
  if (granularity === "hour") return momentOf(from);
  const day = new Intl.DateTimeFormat("sv-SE", { timeZone: zone }).format(new Date(from));
  return granularity === "month" ? day.slice(0, 7) : day;
}

/** Without `from`, the window has 30 full days and today. */
function windowOf({ from, to }: Values<typeof WINDOW_OPTIONS>, zone: string): { from: string; to: string } {
  const end = to === undefined ? new Date().toISOString() : readMomentIn(zone, to, "--to");
  if (from !== undefined) return { from: readMomentIn(zone, from, "--from"), to: end };
  const today = new Intl.DateTimeFormat("sv-SE", { timeZone: zone }).format(new Date(end));
  const first = new Date(Date.parse(`${today}T00:00:00Z`) - 30 * DAY_MS).toISOString().slice(0, 10);
  return { from: startOfDay(first, zone).toISOString(), to: end };
}

/** A day begins at midnight of the time zone. */
function readMomentIn(zone: string, text: string, name: string): string {
  const at = readMoment(text, name);
  return DAY.test(text) && zone !== "UTC" ? startOfDay(text, zone).toISOString() : at;
}

const DAY = /^\d{4}-\d\d-\d\d$/;

export function readMoment(text: string, name: string): string {
  const isDay = DAY.test(text);
  const at = Date.parse(isDay ? `${text}T00:00:00Z` : text);
  if (Number.isNaN(at) || (!isDay && !/(Z|[+-]\d\d:\d\d)$/.test(text)))
    throw usageFailure(
      `${name} must be a day such as 2026-11-01, or a time such as 2026-11-01T12:00:00Z, not “${text}”.`,
    );
  return new Date(at).toISOString();
}
