import fc from "fast-check";
import pg from "pg";
import { expect } from "vitest";
import { partsOf } from "../usage.rules.ts";
import { numberUsageStatement } from "../usage.store.ts";
import { statementName } from "../../../platform/db/statement-name.ts";
import { newId } from "../../../platform/ids.ts";
import type { TestDatabase } from "../../../../testing/test-database.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Around a leap day, a year's end and a month's. */
const FIRST = Date.UTC(2023, 11, 30);
const LAST = Date.UTC(2024, 2, 3);
const CALLS = 3_000;
/** Cases per batch of requests. */
const FLIGHT = 100;

const anywhere = fc.integer({ min: FIRST, max: LAST });
const beside = (size: number): fc.Arbitrary<number> =>
  fc
    .tuple(fc.integer({ min: FIRST / size, max: LAST / size }), fc.integer({ min: -1, max: 1 }))
    .map(([count, ms]) => count * size + ms);
/** On an edge, a millisecond next to it, or anywhere. */
const moment = fc.oneof(anywhere, beside(HOUR_MS), beside(DAY_MS));
const call = fc.record({
  startedAt: moment,
  result: fc.constantFrom("answered", "busy", "no_answer", "cancelled", "rejected", "failed", "not_served"),
  mode: fc.constantFrom("sip_uri", "forward", "webhook"),
  isForwardedByWebhook: fc.boolean(),
  micros: fc.integer({ min: 0, max: 600_000_000 }),
});
const edges = fc
  .tuple(moment, moment, moment)
  .map((three) => three.toSorted((a, b) => a - b) as [number, number, number]);
const cases = fc.array(fc.record({ holding: fc.nat({ max: 2 }), edges }), {
  minLength: FLIGHT,
  maxLength: FLIGHT,
});

/**
 * Numbers whose holdings begin and end somewhere in between, with calls at the edges of hours and days and anywhere; then
 * windows with such edges: each, and both halves of it, compared with what its records add up to one by one.
 */
export async function compareUsage(
  database: TestDatabase,
  { seed, cases: wanted }: { seed: number; cases: number },
): Promise<void> {
  const scope = { organisationId: newId(), environment: "live" as const };
  await database.admin("insert into organisations (id, name, created_at) values ($1, 'Cases', now())", [
    scope.organisationId,
  ]);
  const holdings = [newId(), newId(), newId()];
  await fill(database, scope.organisationId, holdings, seed);
  const records = await recordsOf(database, holdings);
  // Planned once for all windows of a kind, and without compiling: there are many of them, and each is short.
  const client = new pg.Client({
    connectionString: database.url,
    options: "-c jit=off -c plan_cache_mode=force_generic_plan",
    pipeline: true,
  });
  await client.connect();
  const usageOf = async (holding: number, from: number, to: number): Promise<Counts> => {
    const { text, values } = numberUsageStatement(scope, holdings[holding]!, partsOf({ from, to }));
    const { rows } = await client.query<{ usage: Counts[] }>({ name: statementName(text), text, values });
    return rows[0]!.usage[0]!;
  };
  const compare = async ({
    holding,
    edges: [a, b, c],
  }: {
    holding: number;
    edges: [number, number, number];
  }) => {
    const windows = [
      [a, b],
      [b, c],
      [a, c],
    ] as const;
    const [ab, bc, ac] = await Promise.all(
      windows.map(async ([from, to]) => {
        const usage = await usageOf(holding, from, to);
        expect(usage).toEqual(naiveSum(records[holding]!, from, to));
        return usage;
      }),
    );
    const sum = Object.entries(ab!).map(([name, value]) => [name, value + bc![name]!]);
    expect(Object.fromEntries(sum)).toEqual(ac);
  };
  try {
    await fc.assert(
      fc.asyncProperty(cases, async (flight) => {
        await Promise.all(flight.map(compare));
      }),
      { seed, numRuns: Math.ceil(wanted / FLIGHT) },
    );
  } finally {
    await client.end();
  }
}

type Counts = Record<string, number>;

async function fill(
  database: TestDatabase,
  organisationId: string,
  holdings: string[],
  seed: number,
): Promise<void> {
  // By the month: for who called there would be one of each day.
  await database.admin(
    "select make_call_partitions(array(select d::date from generate_series($1::timestamp, $2::timestamp, '1 month') d))",
    [new Date(FIRST), new Date(LAST + 31 * DAY_MS)],
  );
  const calls = fc.sample(call, { seed, numRuns: CALLS }).map((one) => ({
    ...one,
    id: newId(),
    // Each has the number for a third of the time.
    holding: holdings[Math.min(2, Math.max(0, Math.floor((3 * (one.startedAt - FIRST)) / (LAST - FIRST))))]!,
  }));
  await database.admin(
    `insert into call_records (id, switch_id, started_at, organisation_id, environment, holding_id, answered_at, ended_at, ending, result,
       mode, is_forwarded_by_webhook, received_at)
     select c.id, $1, at, $1, 'live', c.holding, at, at + make_interval(secs => c.micros / 1e6), 'hung_up', c.result, c.mode,
       c.mode = 'webhook' and c."isForwardedByWebhook", now()
     from jsonb_to_recordset($2) as c (id uuid, "startedAt" bigint, holding uuid, result text, micros bigint, mode text,
       "isForwardedByWebhook" boolean)
     cross join lateral (select to_timestamp(c."startedAt" / 1000.0) as at) t`,
    [organisationId, JSON.stringify(calls)],
  );
}

interface RecordRow {
  holding: string;
  started_ms: number;
  result: string;
  seconds: number;
  is_forwarded: boolean;
}

/** Records from the table, by holding. */
async function recordsOf(database: TestDatabase, holdings: string[]): Promise<RecordRow[][]> {
  const rows = await database.admin<RecordRow>(
    `select holding_id as holding, (extract(epoch from started_at) * 1000)::float8 as started_ms, result,
       ceil(extract(epoch from ended_at - answered_at))::integer as seconds, mode = 'forward' or is_forwarded_by_webhook as is_forwarded
     from call_records where holding_id = any ($1)`,
    [holdings],
  );
  expect(rows).toHaveLength(CALLS);
  return holdings.map((id) => rows.filter(({ holding }) => holding === id));
}

const RESULTS = ["answered", "busy", "no_answer", "cancelled", "rejected", "failed"];

function naiveSum(records: readonly RecordRow[], from: number, to: number): Counts {
  const sum: Counts = { calls: 0 };
  for (const name of [...RESULTS, "talk_seconds", "forwarded_seconds"]) sum[name] = 0;
  for (const { started_ms: at, result, seconds, is_forwarded: isForwarded } of records) {
    if (at < from || at >= to || result === "not_served") continue;
    sum.calls!++;
    sum[result]!++;
    sum.talk_seconds! += seconds;
    if (isForwarded) sum.forwarded_seconds! += seconds;
  }
  return sum;
}
