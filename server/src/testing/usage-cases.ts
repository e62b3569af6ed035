import pg from "pg";
import { expect } from "vitest";
import { partsOf } from "../features/usage/usage.rules.ts";
import { numberUsageStatement } from "../features/usage/usage.store.ts";
import { newId } from "../platform/ids.ts";
import { randomFrom } from "./random.ts";
import type { TestDatabase } from "./test-database.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** As many windows as one statement adds up. */
const BATCH = 20;
/** Around a leap day, a year's end and a month's. */
const FIRST = Date.UTC(2023, 11, 30);
const LAST = Date.UTC(2024, 2, 3);

/**
 * Numbers whose holdings begin and end somewhere in between, with calls at the edges of hours and days and anywhere; then
 * windows with such edges: each, and both halves of it, compared with what its records add up to one by one.
 */
export async function compareUsage(database: TestDatabase, { seed, cases }: { seed: number; cases: number }) {
  const random = randomFrom(seed);
  const scope = { organisationId: newId(), environment: "live" as const };
  await database.admin("insert into organisations (id, name, created_at) values ($1, 'Cases', now())", [
    scope.organisationId,
  ]);
  const holdings = [newId(), newId(), newId()];
  await fill(database, scope.organisationId, holdings, random);
  // Without compiling: these statements are long, and run once each.
  const client = new pg.Client({ connectionString: database.url, options: "-c jit=off" });
  await client.connect();
  for (let done = 0; done < cases; done += BATCH) {
    const windows = Array.from({ length: Math.min(BATCH, cases - done) }, () => {
      const holding = holdings[Math.floor(random() * holdings.length)]!;
      const [a, b, c] = [moment(random), moment(random), moment(random)].toSorted((x, y) => x - y);
      return { holding, edges: [a!, b!, c!] as const };
    });
    const asked = windows.flatMap(({ holding, edges: [a, b, c] }) =>
      [
        [a, b],
        [b, c],
        [a, c],
      ].map(([from, to]) => ({ holding, from: from!, to: to! })),
    );
    const text = asked.map((one) => comparison(scope, one)).join(" union all ");
    const { rows } = await client.query<{ usage: Counts; naive: Counts }>(text);
    for (const [index, { holding, edges }] of windows.entries()) {
      const [ab, bc, ac] = rows.slice(3 * index, 3 * index + 3);
      const said = `seed ${seed}, holding ${holding}, ${edges.map((at) => new Date(at).toISOString()).join(" ")}`;
      for (const row of [ab!, bc!, ac!]) expect(row.usage, said).toEqual(row.naive);
      const sum = Object.entries(ab!.usage).map(([name, value]) => [name, value + bc!.usage[name]!]);
      expect(Object.fromEntries(sum), said).toEqual(ac!.usage);
    }
  }
  await client.end();
}

type Counts = Record<string, number>;

/** On an edge, a millisecond beside it, or anywhere. */
function moment(random: () => number): number {
  const at = FIRST + Math.floor(random() * (LAST - FIRST));
  const kind = random();
  if (kind < 0.3) return at;
  const size = kind < 0.65 ? HOUR_MS : DAY_MS;
  return Math.round(at / size) * size + Math.floor(random() * 3) - 1;
}

async function fill(
  database: TestDatabase,
  organisationId: string,
  holdings: string[],
  random: () => number,
): Promise<void> {
  // By the month: for who called there would be one of each day.
  await database.admin(
    "select make_call_partitions(array(select d::date from generate_series($1::timestamp, $2::timestamp, '1 month') d))",
    [new Date(FIRST), new Date(LAST + 31 * DAY_MS)],
  );
  const results = [
    "answered",
    "answered",
    "busy",
    "no_answer",
    "cancelled",
    "rejected",
    "failed",
    "not_served",
  ];
  const calls = Array.from({ length: 3_000 }, () => {
    const startedAt = moment(random);
    // Each has the number for a third of the time.
    const holding =
      holdings[Math.min(2, Math.max(0, Math.floor((3 * (startedAt - FIRST)) / (LAST - FIRST))))]!;
    const result = results[Math.floor(random() * results.length)]!;
    const micros = Math.floor(random() * 600_000_000);
    return { id: newId(), startedAt, holding, result, micros, mode: random() < 0.3 ? "forward" : "sip_uri" };
  });
  await database.admin(
    `insert into call_records (id, switch_id, started_at, organisation_id, environment, holding_id, answered_at, ended_at, ending, result, mode, received_at)
     select c.id, $1, at, $1, 'live', c.holding, at, at + make_interval(secs => c.micros / 1e6), 'hung_up', c.result, c.mode, now()
     from jsonb_to_recordset($2) as c (id uuid, "startedAt" bigint, holding uuid, result text, micros bigint, mode text)
     cross join lateral (select to_timestamp(c."startedAt" / 1000.0) as at) t`,
    [organisationId, JSON.stringify(calls)],
  );
}

const COUNTED = ["calls", "answered", "busy", "no_answer", "cancelled", "rejected", "failed"];

function comparison(
  scope: { organisationId: string; environment: "live" },
  { holding, from, to }: { holding: string; from: number; to: number },
): string {
  const { text, values } = numberUsageStatement(scope, holding, partsOf({ from, to }));
  const literal = text.replaceAll(/\$(\d+)/g, (_, place: string) => `'${String(values[Number(place) - 1])}'`);
  const naive = COUNTED.slice(1).map((result) => `'${result}', count(*) filter (where result = '${result}')`);
  const seconds = "ceil(extract(epoch from ended_at - answered_at))";
  return `select usage -> 0 as usage, (select json_build_object('calls', count(*), ${naive.join(", ")},
      'talk_seconds', coalesce(sum(${seconds}), 0), 'forwarded_seconds', coalesce(sum(${seconds}) filter (where mode = 'forward'), 0))
    from call_records where holding_id = '${holding}' and result <> 'not_served'
      and started_at >= '${new Date(from).toISOString()}' and started_at < '${new Date(to).toISOString()}') as naive from (${literal}) asked`;
}
