import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bearer, type Service, startService } from "../../../testing/service.ts";
import { openSuperuser } from "../../../testing/superuser.ts";
import { seedNumbers } from "../../seed.ts";
import { sweepUsage } from "./usage.jobs.ts";

const NEVER = new AbortController().signal;
const MONTHS = 30;

let service: Service;
let organisationId: string;
let numberId: string;
let key: string;
let before: Usage[];

interface Usage {
  from: string;
  to: string;
  exact: boolean;
  totals: Record<string, number>;
  buckets?: { from: string; calls: number }[];
}

/** Start of a month, counted back from this one. */
const month = (back: number): string => {
  const now = service.clock.now();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1)).toISOString();
};
const read = async (query: string): Promise<Usage[]> => {
  const answers = await Promise.all(
    ["/v1/usage", `/v1/numbers/${numberId}/usage`].map((path) =>
      service.send("GET", `${path}?${query}`, { headers: bearer(key) }),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  return answers.map(({ body }) => body as Usage);
};
const totalsOf = (usages: Usage[]): Record<string, number>[] => usages.map(({ totals }) => totals);
const window = (from: number, to: number, more = ""): string => `from=${month(from)}&to=${month(to)}${more}`;
const count = async (table: string): Promise<number> =>
  (await service.database.admin<{ count: number }>(`select count(*)::int from ${table}`))[0]!.count;

/** Four calls a day at uneven times, for all of the months. Counted by the triggers on call records. */
beforeAll(async () => {
  service = await startService({ settings: { USAGE_HOURS_MONTHS: "20" } });
  organisationId = await service.organisation();
  const owner = await service.person({ [organisationId]: "owner" });
  key = (await service.key(owner, organisationId, ["numbers"])).secret;
  numberId = (await seedNumbers(service.app, organisationId, "live", 1))[0]!.id;
  const { admin } = service.database;
  const days = `generate_series(date_trunc('month', now(), 'UTC') - interval '${MONTHS} months', now(), interval '1 day')`;
  await admin(
    `select make_call_partitions(array(select distinct date_trunc('month', d, 'UTC')::date from ${days} d))`,
  );
  await admin(
    `insert into call_records (id, switch_id, started_at, organisation_id, environment, holding_id, answered_at, ended_at, ending, result, received_at)
     select gen_random_uuid(), '0198c5f2-7c1e-7a33-9d3f-3f6a1c0f9b11', d + n * interval '5 hours 50 minutes', $1, 'live', $2,
       d + n * interval '5 hours 50 minutes', d + n * interval '5 hours 50 minutes 7 seconds', 'hung_up', 'answered', now()
     from ${days} d, generate_series(0, 3) n where d < now() - interval '2 days'`,
    [organisationId, numberId],
  );
  before = await read(window(MONTHS, 0));
});
afterAll(() => service[Symbol.asyncDispose]());

describe("usage that is older than USAGE_HOURS_MONTHS", () => {
  test("keeps its sums by the day", async () => {
    const hours = await count("organisation_usage_hours");
    await sweepUsage(service.app, NEVER);
    expect(await count("organisation_usage_hours")).toBe(hours);
    expect(totalsOf(await read(window(MONTHS, 0)))).toEqual(totalsOf(before));
    // Rows are deleted a run after they are marked as old.
    await sweepUsage(service.app, NEVER);
    for (const table of ["organisation_usage_hours", "usage_hours"]) {
      expect(await count(`${table} where hour < '${month(20)}'`), table).toBe(0);
      expect(await count(`${table} where hour >= '${month(20)}'`), table).toBeGreaterThan(0);
    }
    expect(await count(`organisation_usage_quarters where quarter < '${month(20)}'`)).toBe(0);
    const after = await read(window(MONTHS, 0));
    expect(totalsOf(after)).toEqual(totalsOf(before));
    expect(after.map(({ exact }) => exact)).toEqual([true, true]);
  });

  test.each(["day", "month"])("adds up by the %s, in any time zone", async (granularity) => {
    for (const zone of ["UTC", "Europe/Berlin", "Asia/Kolkata"]) {
      const [of, number] = await read(window(24, 18, `&granularity=${granularity}&time_zone=${zone}`));
      for (const usage of [of!, number!]) {
        const sum = usage.buckets!.reduce((total, { calls }) => total + calls, 0);
        expect([zone, usage.totals["calls"]]).toEqual([zone, sum]);
        expect(usage.exact, zone).toBe(zone === "UTC");
      }
      expect(number!.totals).toEqual(of!.totals);
    }
  });

  test("moves the edges of a window to full days, and has no hours", async () => {
    const start = new Date(Date.parse(month(25)) + 5_400_000).toISOString();
    for (const usage of await read(`from=${start}&to=${month(24)}`))
      expect([usage.from, usage.exact]).toEqual([month(25), false]);
    for (const path of ["/v1/usage", `/v1/numbers/${numberId}/usage`]) {
      const query = `from=${month(21)}&to=${new Date(Date.parse(month(21)) + 86_400_000).toISOString()}&granularity=hour`;
      const { status, body } = await service.send("GET", `${path}?${query}`, { headers: bearer(key) });
      expect([status, body]).toMatchObject([400, { errors: [{ parameter: "from", code: "too_early" }] }]);
    }
  });

  test("keeps a month whose hours and days differ", async () => {
    const own = await startService({ settings: { USAGE_HOURS_MONTHS: "20" } });
    try {
      await own.database.admin(
        `select make_call_partitions(array['2020-01-15'::date]);
         insert into usage_hours values (gen_random_uuid(), 'live', gen_random_uuid(), '2020-01-15', 1, 1, 0, 0, 0, 0, 0, 60, 0)`,
      );
      await sweepUsage(own.app, NEVER);
      await expect(sweepUsage(own.app, NEVER)).rejects.toThrow("The hours are kept");
      expect(await own.database.admin("select from usage_hours")).toHaveLength(1);
    } finally {
      await own[Symbol.asyncDispose]();
    }
  });
});

test("drops partitions while requests read and write them, without an error", async () => {
  const { admin } = service.database;
  const stopping = new AbortController();
  const failures: unknown[] = [];
  const loop = async (work: () => Promise<unknown>): Promise<void> => {
    while (!stopping.signal.aborted) await work().catch((error: unknown) => failures.push(error));
  };
  const insert = `insert into call_records (id, switch_id, started_at, organisation_id, environment, holding_id, ending, result, received_at)
    values (gen_random_uuid(), '0198c5f2-7c1e-7a33-9d3f-3f6a1c0f9b11', now(), $1, 'live', $2, 'refused', 'busy', now())`;
  await admin("update usage_quarters_start set hours_since = now() - interval '13 months'");
  // A long reader makes the drop try again.
  await using holder = await openSuperuser(service.database.url);
  await holder.admin("begin");
  await holder.admin("select count(*) from usage_hours");
  const load = [
    loop(() => read(window(12, 0))),
    loop(() => admin(insert, [organisationId, numberId])),
    new Promise((resolve) => setTimeout(resolve, 500)).then(() => holder.admin("commit")),
  ];
  const months = await count("pg_class where relname like 'hours\\_%' and relkind = 'r'");
  try {
    await sweepUsage(service.app, NEVER);
  } finally {
    stopping.abort();
    await Promise.all(load);
  }
  expect(failures).toEqual([]);
  expect(await count("pg_class where relname like 'hours\\_%' and relkind = 'r'")).toBeLessThan(months);
});
