import { legRow, machineText, type Ratio, ratioOf, table } from "./bench-report.ts";
import { BATCH } from "./call-batch.ts";
import { type Leg, median } from "./leg.ts";
import { USAGE_LEGS, type UsageCost, type UsageLeg, type UsageRound } from "./usage-cost.ts";
import { SWITCHES } from "./usage-population.ts";

const COMPARISONS: readonly { what: string; ours: UsageLeg; beside: UsageLeg }[] = [
  { what: "usage of a month ÷ pgbench", ours: "month", beside: "month_sql" },
  { what: "usage of a year ÷ pgbench", ours: "year", beside: "year_sql" },
  { what: "handing over records ÷ bare statement", ours: "ingest", beside: "ingest_sql" },
];

export function usageRatiosOf(rounds: readonly UsageRound[]): Ratio[] {
  return COMPARISONS.map(({ what, ours, beside }) =>
    ratioOf(
      what,
      rounds.map((round) => round[ours].perSecond / round[beside].perSecond),
    ),
  );
}

/** How a year of a number grows with its calls: the time one statement takes, next to that of the number with fewer. */
export function growthOf(rounds: readonly UsageRound[]): Ratio[] {
  const grown = (what: string, of: UsageLeg, beside: UsageLeg): Ratio =>
    ratioOf(
      what,
      rounds.map((round) => round[of].p50Ms / round[beside].p50Ms),
    );
  return [grown("most ÷ many calls", "most", "many"), grown("few ÷ many calls", "few", "many")];
}

function legsOf({ rawSums }: UsageCost): Record<UsageLeg, string> {
  const [few, many, most] = rawSums.map(({ calls }) => calls.toLocaleString("en"));
  return {
    month: "`GET /v1/numbers/{id}/usage`, a month",
    month_sql: "pgbench, the same transaction",
    year: "`GET /v1/numbers/{id}/usage`, a year",
    year_sql: "pgbench, the same transaction",
    ingest: `\`POST /switch/v1/call-records\`, ${BATCH.toLocaleString("en")} each`,
    ingest_sql: "pgbench, the same statement, bare",
    few: `pgbench alone: a year of ${few} calls`,
    many: `pgbench alone: a year of ${many} calls`,
    most: `pgbench alone: a year of ${most} calls`,
    hours: "a month by the hour",
    organisation: "`GET /v1/usage`, a year by day, one at a time",
    top: "`GET /v1/usage/numbers`, 3 months, one at a time",
  };
}

export function usageConditionsText({ conditions, rounds }: UsageCost): string {
  return [
    machineText(conditions),
    `${rounds.length} rounds; ${conditions.seconds} s a leg. ${conditions.rollups.toLocaleString("en")} rows of numbers' hours, of ${conditions.hourly.toLocaleString("en")} numbers that have calls in each hour of a year (${conditions.databaseSize}, filled in ${Math.round(conditions.fillSeconds)} s).`,
  ].join("\n");
}

export function usageFiguresOf(cost: UsageCost): string {
  const { rounds, upkeep, plans } = cost;
  const names = legsOf(cost);
  const { quiet, busy } = upkeep;
  const rows = Object.values(plans).map((plan) => plan.rows);
  return [
    ratioTable("ratio of operations/s", usageRatiosOf(rounds)),
    "",
    ratioTable("ratio of time", growthOf(rounds)),
    "",
    flatTable(cost),
    "",
    table(
      ["median of the rounds", "operations/s", "p50 ms", "p99 ms", "server µs", "PostgreSQL µs", "client µs"],
      USAGE_LEGS.map((name) =>
        legRow(
          names[name],
          rounds.map((round) => round[name]),
        ),
      ),
    ),
    "",
    `µs are CPU time per operation; an operation of handing over is ${BATCH.toLocaleString("en")} records.`,
    "",
    table(
      ["both at once", "operations/s", "p50 ms", "p99 ms", "longest ms"],
      [
        upkeepRow("reading a year", quiet.read),
        upkeepRow("the same, while partitions come and go", busy.read),
        upkeepRow("handing over records", quiet.ingest),
        upkeepRow("the same, while partitions come and go", busy.ingest),
      ],
    ),
    "",
    `Meanwhile ${upkeep.made} partitions were made and ${upkeep.dropped} dropped with ${upkeep.droppedRows.toLocaleString("en")} rows; the longest took ${upkeep.longestMs.toFixed(0)} ms, waiting for others included. Nothing was refused.`,
    `Plans: every table of calls is read by an index, planned for its values or for any. Rows read: ${rows[0]} for the month, ${rows[1]} for the year, ${rows[2]} for the month by the hour, ${rows[3]!.toLocaleString("en")} for the organisation's year, ${rows[4]!.toLocaleString("en")} for its top numbers.`,
  ].join("\n");
}

function ratioTable(title: string, ratios: readonly Ratio[]): string {
  return table(
    [title, "median", "least – most", ...ratios[0]!.perRound.map((_, at) => `round ${at + 1}`)],
    ratios.map((ratio) => [
      ratio.what,
      ratio.median.toFixed(2),
      `${ratio.least.toFixed(2)} – ${ratio.most.toFixed(2)}`,
      ...ratio.perRound.map((one) => one.toFixed(2)),
    ]),
  );
}

/** Time of the statement, compared with a scan of every call. */
function flatTable({ rounds, rawSums }: UsageCost): string {
  const legs = (["few", "many", "most"] as const).map((name) =>
    median(rounds.map((round) => round[name].p50Ms)),
  );
  return table(
    ["calls in the year", "usage ms", "raw sum ms"],
    rawSums.map(({ calls, rawMs }, at) => [
      calls.toLocaleString("en"),
      legs[at]!.toFixed(2),
      rawMs.toFixed(2),
    ]),
  );
}

function upkeepRow(what: string, { perSecond, p50Ms, p99Ms, mostMs }: Leg): string[] {
  return [
    what,
    Math.round(perSecond).toLocaleString("en"),
    ...[p50Ms, p99Ms, mostMs].map((ms) => ms.toFixed(1)),
  ];
}

export function usageDocumentOf(cost: UsageCost): string {
  return `# Usage

Written by \`npm run bench -- --only usage --markdown\`, or with the rest.

${usageConditionsText(cost)}

${usageFiguresOf(cost)}

## What is compared
* **Windows** begin and end within an hour, so that each answer is added up from whole days, whole hours and single calls.
* **Usage beside pgbench.** The API sends one transaction in one flight; pgbench sends the same texts as the same role over as many connections, of numbers drawn by chance. It is checked that the rows are those the API answered.
* **A year, whatever the number of calls.** The same statement over one connection, for three numbers whose calls are all there one by one. Beside it the sum over their rows, the second time; both must come to the same.
* **Handing over records beside the bare statement.** ${SWITCHES} switches hand over calls of the last minute, each its next batch when the last is acknowledged. pgbench runs the same transaction as the same role over as many connections, each as one of the switches; the records are made by the database itself.
* **Partitions under load.** 16 connections read years and ${SWITCHES} hand over records, first alone; then the same while the functions that the worker calls make a month ahead and drop the oldest, month after month. Any answer but 2xx ends the run.

## How
* Hours and calls are filled month by month before they become partitions; \`wal_level\` is minimal for that. The rest is as with requests.
* Of the numbers' own calls, those are there one by one that lie in the hours in which windows begin and end.
`;
}
