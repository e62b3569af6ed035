import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bearer, type Service, startService } from "../testing/service.ts";
import { examine } from "./doctor.ts";
import { newId } from "./platform/ids.ts";
import { sweepRetention } from "./retention.ts";
import { BOUNDED, GROWING, PERMANENT } from "./retention.tables.ts";
import { sweepRoutingHistory } from "./numbers/routing/routing.jobs.ts";
import { seedNumbers } from "./seed.ts";
import { monthsBefore } from "./platform/clock.ts";

const NEVER = new AbortController().signal;
const DAY_MS = 86_400_000;

let service: Service;
let organisationId: string;
let key: string;
beforeAll(async () => {
  service = await startService();
  organisationId = await service.organisation();
  const owner = await service.person({ [organisationId]: "owner" });
  key = (await service.key(owner, organisationId, ["numbers", "audit"])).secret;
});
afterAll(() => service[Symbol.asyncDispose]());

const sql = <Row extends object = Record<string, unknown>>(text: string, values: unknown[] = []) =>
  service.database.admin<Row>(text, values);
const idAt = (at: Date): string => {
  const time = at.getTime().toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}${newId().slice(13)}`;
};
const daysAgo = (days: number): Date => new Date(service.clock.now().getTime() - days * DAY_MS);
const brokenChecks = async (): Promise<string[]> =>
  (await examine(service.app.db)).filter(({ rows }) => rows.length > 0).map(({ says }) => says);

const overdue = async (): Promise<string[]> =>
  (await examine(service.app.db, service.app.config))
    .find(({ says }) => says.startsWith("old rows"))!
    .rows.toSorted();

/** Events with their audit entries, a day apart, oldest first. Every fifth one is of the test environment. */
async function addHistory(days: readonly number[]): Promise<string[]> {
  const rows = days.map((day, index) => ({
    id: idAt(daysAgo(day)),
    at: daysAgo(day),
    environment: index % 5 === 4 ? "test" : "live",
  }));
  await sql(
    `with given as (select *, row_number() over () as place from json_to_recordset($2) as r(id uuid, at timestamptz, environment text)),
     head as (update event_heads set head = head + $3 where organisation_id = $1 returning head - $3 as before)
     insert into events (organisation_id, sequence, id, environment, type, subject, data, created_at)
     select $1, before + place, id, environment, 'number.changed', id::text, '{}', at from given, head`,
    [organisationId, JSON.stringify(rows), rows.length],
  );
  await sql(
    `insert into audit_entries (id, organisation_id, environment, action, outcome, subject, actor_kind, detail, at, committed_in)
     select id, $1, environment, 'number.changed', 'done', id::text, 'system', '{}', at, row_number() over ()
     from json_to_recordset($2) as r(id uuid, at timestamptz, environment text)`,
    [organisationId, JSON.stringify(rows)],
  );
  return rows.filter(({ environment }) => environment === "live").map(({ id }) => id);
}

const list = (path: string) => service.send("GET", path, { headers: bearer(key) });
const idsOf = (body: unknown): string[] => (body as { data: { id: string }[] }).data.map(({ id }) => id);

test("every table of the schema has an end, or a reason to have none", async () => {
  const tables = await sql<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by 1`,
  );
  const listed = [...GROWING, ...PERMANENT].flatMap(({ tables: names }) => names).concat(BOUNDED);
  expect(listed.toSorted()).toEqual(tables.map(({ name }) => name));
});

describe("events and audit entries", () => {
  let live: string[];
  beforeAll(async () => {
    await sql("delete from events where organisation_id = $1", [organisationId]);
    await sql("update event_heads set head = 0 where organisation_id = $1", [organisationId]);
    live = await addHistory([900, 899, 898, 800, 799, 120, 119, 100, 99, 98, 80, 79, 2, 1]);
    // An endpoint that was disabled for months, with a delivery that was pending then.
    await sql(
      `with added as (insert into webhook_endpoints (id, organisation_id, environment, url, position, created_at)
         values ($2, $1, 'live', 'https://hooks.example.com/', 0, now()) returning id)
       insert into webhook_deliveries (id, organisation_id, environment, endpoint_id, sequence, event_id, event_type, next_attempt_at, created_at)
       select gen_random_uuid(), $1, 'live', id, 6, gen_random_uuid(), 'number.changed', now(), now() from added`,
      [organisationId, newId()],
    );
    expect(await overdue()).toMatchObject([
      expect.stringMatching(/^audit_entries: \d+ days$/),
      "events: 810 days",
    ]);
    await sweepRetention(service.app, NEVER);
    expect(await overdue()).toEqual([]);
  });

  test("end after their periods, and leave no gap", async () => {
    const events = await sql<{ first: string; count: number }>(
      "select min(sequence) as first, count(*)::int from events where organisation_id = $1",
      [organisationId],
    );
    expect(events).toEqual([{ first: "11", count: 4 }]);
    const entries = await sql<{ count: number }>(
      "select count(*)::int from audit_entries where organisation_id = $1 and action = 'number.changed'",
      [organisationId],
    );
    expect(entries).toEqual([{ count: 9 }]);
    expect(await brokenChecks()).toEqual([]);
    await sql("delete from events where sequence = 12");
    expect(await brokenChecks()).toContain(
      "an organisation's events are numbered from 1, without gaps except at restores",
    );
  });

  test("are listed from the oldest stored one", async () => {
    const { status, body } = await list("/v1/events");
    expect([status, idsOf(body)[0]]).toEqual([200, live[8]]);
  });

  test("continue without a gap after the last deleted one, and not after earlier ones", async () => {
    // The last deleted event is of the test environment.
    const last = await list(`/v1/events?after=${live[7]}`);
    expect([last.status, idsOf(last.body)[0]]).toEqual([200, live[8]]);
    const earlier = await list(`/v1/events?after=${live[6]}`);
    expect(earlier.status).toBe(400);
    expect(earlier.body).toMatchObject({
      code: "invalid_cursor",
      errors: [{ parameter: "after", code: "expired" }],
    });
    const next = await list(`/v1/audit/committed?after=${live[3]}`);
    expect([next.status, idsOf(next.body)[0]]).toEqual([200, live[4]]);
    const lost = await list(`/v1/audit/committed?after=${live[2]}`);
    expect([lost.status, (lost.body as { errors: { code: string }[] }).errors[0]!.code]).toEqual([
      400,
      "expired",
    ]);
  });

  test("reach a webhook endpoint that was disabled for months from the oldest stored one", async () => {
    const deliveries = () => sql<{ sequence: string }>("select sequence from webhook_deliveries order by 1");
    expect(await deliveries()).toEqual([]);
    await service.app.db.forSystem("webhooks", (tx) => tx.query("select make_out_deliveries(100, now())"));
    expect((await deliveries())[0]).toEqual({ sequence: "11" });
  });

  test("of the last four weeks stay, whatever the caller wants", async () => {
    for (const call of [
      "end_events($1, now(), 1000)",
      "end_audit_entries($1, now() + interval '1 year', 1000)",
    ])
      await service.app.db.forSystem("sweep", (tx) => tx.query(`select ${call}`, [organisationId]));
    const { body } = await list("/v1/events");
    expect(idsOf(body)).toEqual(live.slice(-2));
  });
});

describe("the history of a number", () => {
  test("keeps the revisions that stored calls and audit entries can name", async () => {
    const [number] = await seedNumbers(service.app, organisationId, "live", 1);
    const set = (generation: number, months: number) =>
      sql(
        `insert into routing_revisions (organisation_id, environment, holding_id, generation, desired, set_at, set_by_kind)
         values ($1, 'live', $2, $3, '{"mode": "unrouted"}', $4, 'system')
         on conflict (holding_id, generation) do update set set_at = excluded.set_at`,
        [organisationId, number!.id, generation, monthsBefore(service.clock.now(), months)],
      );
    for (const [generation, months] of [
      [1, 40],
      [2, 30],
      [3, 26],
      [4, 20],
      [5, 1],
    ] as const)
      await set(generation, months);
    await sweepRoutingHistory(service.app, NEVER);
    const kept = await sql<{ generation: string }>(
      "select generation from routing_revisions where holding_id = $1 order by 1",
      [number!.id],
    );
    expect(kept.map(({ generation }) => generation)).toEqual(["3", "4", "5"]);
  });
});
