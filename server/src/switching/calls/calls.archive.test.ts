import { appendFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { asyncBufferFromFile, parquetReadObjects } from "hyparquet/src/node.js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Service, startService } from "../../../testing/service.ts";
import { seedNumbers } from "../../seed.ts";
import { archiveCallsBefore } from "./calls.archive.jobs.ts";
import { COLUMNS } from "./calls.archive.store.ts";
import { archiveMonth, verifyArchive } from "./calls.archive.ts";
import { keepPartitions } from "./calls.records.ts";

const MONTH = "2024-02";
const NEVER = new AbortController().signal;

let service: Service;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "archive-"));
  service = await startService({ settings: { CALL_ARCHIVE: join(folder, "job") } });
  const organisationId = await service.organisation();
  const [number] = await seedNumbers(service.app, organisationId, "live", 1);
  await service.database.admin("select make_call_partitions(array[$1::date])", [`${MONTH}-01`]);
  // 12,000 calls on the last day, more than a row group. Every fifth is not answered, every seventh has no number.
  await service.database.admin(
    `insert into call_records (id, switch_id, started_at, answered_at, ended_at, organisation_id, environment, holding_id, ending, result, generation, code, trunk, received_at)
     select gen_random_uuid(), '0198c5f2-7c1e-7a33-9d3f-3f6a1c0f9b11', t, case when n % 5 > 0 then t + interval '1.5 s' end, t + n % 90 * interval '1 s',
       case when n % 7 > 0 then $1::uuid end, 'live', case when n % 7 > 0 then $2::uuid end, 'hung_up', 'answered', n, n % 600, 'Trunk "ü"', now()
     from generate_series(1, 12004) n
     cross join lateral (select timestamptz '2024-02-29 23:59:59.999999Z' - n * interval '7.000001 s' - case when n > 12000 then interval '20 days' else '0 s' end as t) at`,
    [organisationId, number!.id],
  );
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

const partitions = async (): Promise<number> =>
  (await service.database.admin("select from pg_class where relname = 'records_2024_02'")).length;

test("an archive has every column and every value of the calls, to the microsecond", async () => {
  const columns = await service.database.admin<{ name: string }>(
    "select attname as name from pg_attribute where attrelid = 'call_records'::regclass and attnum > 0 and not attisdropped",
  );
  expect(Object.keys(COLUMNS).toSorted()).toEqual(
    [...columns.map(({ name }) => name), "talk_seconds"].toSorted(),
  );
  const [manifest] = await archiveCallsBefore(service.app.db, { before: "2024-03", to: folder });
  const [sums] = await service.database.admin<{ rows: number; talk_seconds: number }>(
    "select count(*)::int as rows, sum(talk_seconds(answered_at, ended_at))::int as talk_seconds from call_records where started_at < '2024-03-01'",
  );
  expect(manifest).toMatchObject({ ...sums, month: MONTH, files: [{ rows: 4 }, { rows: 12_000 }] });
  const path = join(folder, `calls-${MONTH}`, "calls-2024-02-29.parquet");
  const rows = await parquetReadObjects({
    file: await asyncBufferFromFile(path),
    parsers: { timestampFromMicroseconds: (micros: bigint) => micros },
  });
  const stored = await service.database.admin<{ row: Record<string, unknown> }>(
    `select to_jsonb(c) || jsonb_build_object('started_at', (extract(epoch from started_at) * 1000000)::bigint) as row from call_records c
     where started_at >= '2024-02-29Z' order by started_at`,
  );
  for (const [index, { row }] of stored.entries())
    for (const name of ["id", "started_at", "holding_id", "generation", "code", "trunk", "result"])
      if (String(rows[index]![name] ?? null) !== String(row[name])) expect(rows[index]).toEqual(row);
  expect(rows).toHaveLength(stored.length);
  expect(await verifyArchive(join(folder, `calls-${MONTH}`))).toEqual(manifest);
});

test("a month without calls is archived too", async () => {
  const manifest = await archiveMonth(service.app.db, { month: "2024-01", to: folder }, NEVER);
  expect(manifest).toMatchObject({ rows: 0, talk_seconds: 0, files: [] });
});

test("continues where it was stopped", async () => {
  const to = join(folder, "stopped");
  expect(await archiveMonth(service.app.db, { month: MONTH, to }, AbortSignal.abort())).toBeUndefined();
  expect(await archiveMonth(service.app.db, { month: MONTH, to }, NEVER)).toMatchObject({ rows: 12_004 });
  expect(readdirSync(join(to, `calls-${MONTH}`))).toEqual([
    "calls-2024-02-09.parquet",
    "calls-2024-02-29.parquet",
    "manifest.json",
  ]);
});

test("a damaged file is found", async () => {
  const archived = join(folder, "stopped", `calls-${MONTH}`);
  appendFileSync(join(archived, "calls-2024-02-09.parquet"), "x");
  await expect(verifyArchive(archived)).rejects.toThrow("calls-2024-02-09.parquet differs from its manifest");
});

test("a month is dropped after it is archived, and kept if it cannot be", async () => {
  const { app } = service;
  writeFileSync(join(folder, "file"), "");
  const broken = { ...app, config: { ...app.config, callArchive: join(folder, "file") } };
  await expect(keepPartitions(broken)).rejects.toThrow("ENOTDIR");
  expect(await partitions()).toBe(1);
  await keepPartitions(app);
  expect(await partitions()).toBe(0);
  const manifest = await verifyArchive(join(folder, "job", `calls-${MONTH}`));
  expect(manifest.rows).toBe(12_004);
});
