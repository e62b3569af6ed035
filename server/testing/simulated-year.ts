import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { examineWith } from "../src/doctor.ts";
import { sweepRoutingHistory } from "../src/numbers/routing/routing.jobs.ts";
import { sweepRetention } from "../src/retention.ts";
import { seedNumbers } from "../src/seed.ts";
import { verifyArchive } from "../src/switching/calls/calls.archive.ts";
import { keepPartitions } from "../src/switching/calls/calls.records.ts";
import { quantile } from "./quantile.ts";
import { bearer, type Service, startService } from "./service.ts";
import { addYear, type YearSize } from "./year-of-rows.ts";

/** `YEAR_SHARE` of the full size: 20 M events, 20 M audit entries, 50 M rows of usage, 10 M calls. */
export const SHARE = Number(process.env["YEAR_SHARE"] ?? 1);

const NEVER = new AbortController().signal;
const NUMBERS = 10;
const TABLES = ["events", "audit_entries", "routing_revisions", "usage_hours", "usage_days"].concat([
  "organisation_usage_hours",
  "organisation_usage_days",
  "organisation_usage_quarters",
  "call_records",
]);

/** Rows and megabytes by table. */
type Sizes = Record<string, { rows: number; mb: number }>;

export interface YearReport {
  before: Sizes;
  after: Sizes;
  /** Median milliseconds of each query before and after. */
  queries: Record<string, [before: number, after: number]>;
  /** Requests and inserts while rows were deleted. */
  underLoad: { done: number; failures: string[] };
  seconds: { fill: number; sweep: number; archive: number };
  sums: { usageBefore: unknown; usageAfter: unknown; stored: unknown; archived: unknown };
  broken: string[];
}

interface Tenant {
  organisationId: string;
  numberIds: string[];
  key: string;
}

/** Fills a database with a year of rows, and lets them end while requests read and write. */
export async function simulateYear(size: YearSize, repeats: number): Promise<YearReport> {
  const folder = mkdtempSync(join(tmpdir(), "year-"));
  const service = await startService({
    settings: { AUDIT_MONTHS: "6", USAGE_HOURS_MONTHS: "14", CALL_ARCHIVE: folder },
  });
  try {
    const tenant = await openTenant(service);
    const fill = await secondsOf(() => addYear(service, tenant, size));
    const before = await sizesOf(service);
    const timesBefore = await timeQueries(service, tenant, repeats);
    const usageBefore = await usageOf(service, tenant);
    const stored = await storedCalls(service);
    await using load = startLoad(service, tenant);
    const sweep = await secondsOf(() => sweepAll(service));
    const archive = await secondsOf(() => keepPartitions(service.app));
    const underLoad = await load.stop();
    const usageAfter = await usageOf(service, tenant);
    await service.database.admin("vacuum analyze");
    const timesAfter = await timeQueries(service, tenant, repeats);
    return {
      before,
      after: await sizesOf(service),
      queries: Object.fromEntries(
        Object.entries(timesBefore).map(([name, ms]) => [name, [ms, timesAfter[name]!]]),
      ),
      underLoad,
      seconds: { fill, sweep, archive },
      sums: { usageBefore, usageAfter, stored, archived: await archivedCalls(folder, stored.month) },
      broken: await brokenChecks(service),
    };
  } finally {
    // Generated events repeat one shape: nothing is gained by comparing millions of them with the catalogue.
    await service.database.admin("truncate events");
    await service[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  }
}

async function openTenant(service: Service): Promise<Tenant> {
  const organisationId = await service.organisation();
  const owner = await service.person({ [organisationId]: "owner" });
  const { secret } = await service.key(owner, organisationId, ["numbers", "numbers_write", "audit"]);
  const numbers = await seedNumbers(service.app, organisationId, "live", NUMBERS);
  return { organisationId, numberIds: numbers.map(({ id }) => id), key: secret };
}

/** Usage needs two runs: the first one marks what the second one deletes. */
async function sweepAll({ app }: Service): Promise<void> {
  await sweepRetention(app, NEVER);
  await sweepRetention(app, NEVER);
  await sweepRoutingHistory(app, NEVER);
}

const day = (daysAgo: number): string =>
  new Date(Math.floor(Date.now() / 864e5 - daysAgo) * 864e5).toISOString();

/** Ten reads that people do most. */
function queriesOf({ numberIds }: Tenant): Record<string, string> {
  const number = numberIds[0]!;
  return {
    "list events": "/v1/events?limit=200",
    "list newest events": "/v1/events?order=newest&limit=200",
    "list events of a type": "/v1/events?order=newest&type=number.changed",
    "list audit": "/v1/audit?limit=100",
    "list audit of a number": `/v1/audit?subject_id=${number}`,
    "list audit of an action": "/v1/audit?action=number.changed",
    "export audit": "/v1/audit/committed?limit=200",
    "usage by the day": `/v1/usage?from=${day(31)}&to=${day(0)}&granularity=day`,
    "usage of a number by the month": `/v1/numbers/${number}/usage?from=${day(365)}&to=${day(0)}&granularity=month&time_zone=Europe/Berlin`,
    "history of a number": `/v1/numbers/${number}/timeline`,
  };
}

async function timeQueries(
  service: Service,
  tenant: Tenant,
  repeats: number,
): Promise<Record<string, number>> {
  const times: Record<string, number[]> = {};
  for (let round = 0; round < repeats; round++)
    for (const [name, path] of Object.entries(queriesOf(tenant))) {
      const began = performance.now();
      await get(service, tenant, path);
      (times[name] ??= []).push(performance.now() - began);
    }
  return Object.fromEntries(Object.entries(times).map(([name, all]) => [name, quantile(all, 0.5)]));
}

async function get(service: Service, { key }: Tenant, path: string): Promise<Record<string, unknown>> {
  const { status, body } = await service.send("GET", path, { headers: bearer(key) });
  if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
  return body as Record<string, unknown>;
}

/** Totals of two years that begin before the hours end. */
async function usageOf(service: Service, tenant: Tenant): Promise<unknown[]> {
  const now = new Date();
  const from = new Date(Date.UTC(now.getUTCFullYear() - 2, now.getUTCMonth(), 1)).toISOString();
  // Today's calls are those of the load.
  const window = `from=${from}&to=${day(0)}`;
  const paths = ["/v1/usage", ...tenant.numberIds.map((id) => `/v1/numbers/${id}/usage`)];
  return Promise.all(paths.map(async (path) => (await get(service, tenant, `${path}?${window}`))["totals"]));
}

interface Load extends AsyncDisposable {
  stop(): Promise<YearReport["underLoad"]>;
}

function startLoad(service: Service, tenant: Tenant): Load {
  const stopping = new AbortController();
  const failures: string[] = [];
  let done = 0;
  const loop = async (work: (turn: number) => Promise<unknown>): Promise<void> => {
    for (let turn = 0; !stopping.signal.aborted; turn++)
      await work(turn).then(
        () => done++,
        (error: unknown) => failures.push(String(error)),
      );
  };
  const paths = Object.values(queriesOf(tenant));
  const rename = async (turn: number): Promise<void> => {
    const { status, body } = await service.send("PATCH", `/v1/numbers/${tenant.numberIds[turn % NUMBERS]}`, {
      headers: bearer(tenant.key),
      body: { label: `Label ${turn}` },
    });
    if (status !== 200) throw new Error(`PATCH: ${status} ${JSON.stringify(body)}`);
  };
  const call = (): Promise<unknown> =>
    service.database.admin(
      `insert into call_records (id, switch_id, started_at, organisation_id, environment, holding_id, ending, result, received_at)
       values (gen_random_uuid(), '0198c5f2-7c1e-7a33-9d3f-3f6a1c0f9b11', now(), $1, 'live', $2, 'refused', 'busy', now())`,
      [tenant.organisationId, tenant.numberIds[0]],
    );
  const loops = [loop((turn) => get(service, tenant, paths[turn % paths.length]!)), loop(rename), loop(call)];
  const stop = async (): Promise<YearReport["underLoad"]> => {
    stopping.abort();
    await Promise.all(loops);
    return { done, failures };
  };
  return { stop, [Symbol.asyncDispose]: async () => void (await stop()) };
}

async function sizesOf({ database }: Service): Promise<Sizes> {
  const sizes: Sizes = {};
  for (const table of TABLES) {
    const [row] = await database.admin<{ rows: string; bytes: string }>(
      `select (select count(*) from ${table}) as rows,
         (select coalesce(sum(pg_total_relation_size(relid)), pg_total_relation_size('${table}')) from pg_partition_tree('${table}')) as bytes`,
    );
    sizes[table] = { rows: Number(row!.rows), mb: Math.round(Number(row!.bytes) / 1e6) };
  }
  return sizes;
}

async function storedCalls({
  database,
}: Service): Promise<{ month: string; rows: number; talk_seconds: number }> {
  const [row] = await database.admin<{ month: string; rows: number; talk_seconds: number }>(
    `select to_char(min(started_at) at time zone 'UTC', 'YYYY-MM') as month, count(*)::float8 as rows,
       sum(talk_seconds(answered_at, ended_at))::float8 as talk_seconds
     from call_records where started_at < now() - interval '14 months'`,
  );
  return row!;
}

async function archivedCalls(folder: string, month: string): Promise<unknown> {
  const { rows, talk_seconds } = await verifyArchive(join(folder, `calls-${month}`));
  return { month, rows, talk_seconds };
}

/** Checks that do not depend on rows that this simulation leaves out. */
async function brokenChecks({ app }: Service): Promise<string[]> {
  const findings = await examineWith(app.config);
  return findings
    .filter(({ says, rows }) => /numbered|in time/.test(says) && rows.length > 0)
    .map(({ says }) => says);
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return Math.round((performance.now() - began) / 100) / 10;
}
