import type { Machine } from "./bench-conditions.ts";
import { DATABASE_CONNECTIONS } from "./bench-settings.ts";
import { type Cost, HTTP_CONNECTIONS, LEG_NAMES, type LegName, type Round } from "./cost-of-a-request.ts";
import { type Leg, median } from "./leg.ts";
import { MOST_PAGES, PAGE_SIZE } from "./number-works.ts";

interface Comparison {
  what: string;
  ours: LegName;
  beside: LegName;
}

const COMPARISONS: readonly Comparison[] = [
  { what: "session ÷ pgbench", ours: "session", beside: "session_sql" },
  { what: "key ÷ bare route", ours: "key", beside: "bare" },
  { what: "list ÷ pgbench", ours: "list", beside: "list_sql" },
  { what: "read routing ÷ pgbench", ours: "read", beside: "read_sql" },
  { what: "set routing ÷ pgbench", ours: "set", beside: "set_sql" },
];

const LEGS: Record<LegName, string> = {
  session: "`/v1/me` with a session",
  session_sql: "pgbench, the same statement",
  key: "`/v1/me` with a cached key",
  bare: "bare Fastify route, the same bytes",
  list: `\`GET /v1/numbers?limit=${PAGE_SIZE}\``,
  list_sql: "pgbench, the same transaction",
  read: "`GET /v1/numbers/{id}/routing`",
  read_sql: "pgbench, the same transaction",
  set: "`PUT /v1/numbers/{id}/routing`",
  set_sql: "pgbench, the same transaction",
};

export interface Ratio {
  what: string;
  perRound: number[];
  median: number;
  least: number;
  most: number;
}

/** Only what ran within one round is divided by each other: a machine is not the same from one minute to the next. */
export function ratiosOf(rounds: readonly Round[]): Ratio[] {
  return COMPARISONS.map(({ what, ours, beside }) =>
    ratioOf(
      what,
      rounds.map((round) => round[ours].perSecond / round[beside].perSecond),
    ),
  );
}

export function ratioOf(what: string, perRound: number[]): Ratio {
  return {
    what,
    perRound,
    median: median(perRound),
    least: Math.min(...perRound),
    most: Math.max(...perRound),
  };
}

/** As Markdown that can be read on a terminal too. */
export function figuresOf(cost: Cost): string {
  const ratios = ratiosOf(cost.rounds);
  const columns = cost.rounds.map((_, at) => `round ${at + 1}`);
  return [
    table(
      ["ratio of operations/s", "median", "least – most", ...columns],
      ratios.map((ratio) => [
        ratio.what,
        ratio.median.toFixed(2),
        `${ratio.least.toFixed(2)} – ${ratio.most.toFixed(2)}`,
        ...ratio.perRound.map((one) => one.toFixed(2)),
      ]),
    ),
    "",
    table(
      ["median of the rounds", "operations/s", "p50 ms", "p99 ms", "server µs", "PostgreSQL µs", "client µs"],
      LEG_NAMES.map((name) =>
        legRow(
          LEGS[name],
          cost.rounds.map((round) => round[name]),
        ),
      ),
    ),
    "",
    "µs are CPU time per operation, each of the whole process or, for PostgreSQL, of all its processes.",
  ].join("\n");
}

export function machineText(machine: Machine & { loadAverage: readonly number[] }): string {
  const settings = Object.entries(machine.settings)
    .map(([name, value]) => `${name} ${value}`)
    .join(", ");
  const load = machine.loadAverage.map((value) => value.toFixed(2)).join(", ");
  return [
    `Measured on ${machine.measuredAt}: ${machine.cpu}, ${machine.cores} cores; Node ${machine.node}; PostgreSQL ${machine.postgres} (${settings}).`,
    `Load average at the start (1, 5, 15 minutes): ${load}. Figures are worth reading where the first is near 0.`,
  ].join("\n");
}

export function conditionsText({ conditions, rounds }: Cost): string {
  return [
    machineText(conditions),
    `${rounds.length} rounds; ${conditions.seconds} s a leg after ${conditions.warmUpSeconds} s of warm-up; ${conditions.people} people with a session each, in ${conditions.peopleOrganisations} organisations.`,
    `${conditions.numbers.toLocaleString("en")} numbers of ${conditions.numberOrganisations.toLocaleString("en")} organisations, all routed and read back by one switch (${conditions.databaseSize}, filled in ${Math.round(conditions.fillSeconds)} s).`,
  ].join("\n");
}

export function documentOf(cost: Cost): string {
  return `# Cost of a request

Written by \`npm run bench -- --markdown\`.

${conditionsText(cost)}
List, read and set as published up to 2026-11-15 were measured on numbers that were all \`pending\`, because the population reset the confirmations after setting them.

${figuresOf(cost)}

## What is compared
* **Session beside pgbench.** A request with a session asks the database one statement, every time, through one function that also sets what the row policies need. pgbench sends the same statement as the same role (\`-M prepared\`), over ${DATABASE_CONNECTIONS} connections like the API, and walks the same sessions in an order unrelated to where they lie. The ratio is what is left of PostgreSQL's speed once HTTP, authentication, limits, metrics and JSON are around it.
* **Key beside a bare route.** A key that the API has seen within the last minute is answered from memory. The bare route is Fastify with one response schema that answers the same body, without any header, check or metric of ours. The ratio is what is left of Fastify's speed.
* **Numbers beside pgbench.** A list page, a routing read and a routing set each make the API send one transaction in one flight: whose it is, and one statement. Before measuring, such a request is sent by way of a tap that reads what goes to PostgreSQL; pgbench is given these very texts as the same role (\`-M prepared\`, one pipeline), over as many connections. Constants in them are the API's own; ids, keys and times are made in SQL instead, which takes a few microseconds, and for reading it is checked that the rows are those the API answered.
  * *List:* a page of ${PAGE_SIZE} after one of the first ${MOST_PAGES} cursors of the organisation that has half of all numbers, each with the state of its routing.
  * *Read:* any number of that organisation, with what the switch answered.
  * *Set:* any number of 64 organisations that share a quarter of all, with a new key and a new destination each time: idempotency key, revision, audit entry, event, feed item and answer. Every execution is counted as a version given to the switches.

## How
* PostgreSQL, the API, the bare route and the load generator are processes of their own on one machine and share its cores; everything goes over 127.0.0.1.
* HTTP load: ${HTTP_CONNECTIONS} connections that are kept open, each asking again as soon as it is answered; any answer but 2xx ends the run. pgbench ends it at any error, and with sessions unless each execution finds exactly one.
* The legs follow one another within each round, and their order moves on by one every round. A ratio is made within a round; the median of these ratios is the result.
* The API's connections have the time limits of production; pgbench's have none.
`;
}

export function legRow(what: string, legs: readonly Leg[]): string[] {
  const middle = (read: (leg: Leg) => number): number => median(legs.map(read));
  const isServed = legs[0]!.cpu.server !== undefined;
  return [
    what,
    Math.round(middle((leg) => leg.perSecond)).toLocaleString("en"),
    middle((leg) => leg.p50Ms).toFixed(2),
    middle((leg) => leg.p99Ms).toFixed(2),
    isServed ? middle((leg) => leg.cpu.server!).toFixed(1) : "–",
    middle((leg) => leg.cpu.postgres).toFixed(1),
    middle((leg) => leg.cpu.client).toFixed(1),
  ];
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, at) => Math.max(title.length, ...rows.map((row) => row[at]!.length)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, at) => (at === 0 ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!))).join(" | ")} |`;
  const rule = `| ${widths.map((width, at) => (at === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`)).join(" | ")} |`;
  return [line(head), rule, ...rows.map(line)].join("\n");
}
