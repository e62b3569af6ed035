import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { callRecord, momentOf } from "../../../testing/call-record.ts";
import { LiveSwitch } from "../../../testing/live-switch.ts";
import { bearer, type Person, type Service, startService } from "../../../testing/service.ts";
import { newId } from "../../platform/ids.ts";
import { seedNumbers } from "../../seed.ts";
import type { Overview, OverviewProblem } from "./overview.schema.ts";
import { sweepCallBuckets } from "./overview.ts";

let service: Service;
let organisationId: string;
let owner: Person;
let own: LiveSwitch;
let numbers: { id: string; e164: string }[];

beforeAll(async () => {
  service = await startService();
  own = await LiveSwitch.add(service);
});
afterAll(() => service[Symbol.asyncDispose]());

beforeEach(async () => {
  organisationId = await service.organisation();
  owner = await service.person({ [organisationId]: "owner" });
  numbers = await seedNumbers(service.app, organisationId, "live", 3);
  await own.confirmAll();
});

async function overview(token = owner.token): Promise<Overview> {
  const { status, text, body } = await service.send("GET", "/v1/overview", { headers: bearer(token) });
  expect(status, text).toBe(200);
  return body;
}

/** Minutes ago, by the database's clock. */
const ago = (minutes: number): string => `now() - interval '${minutes} minutes'`;

async function failNumber(id: string, since: string, error = "Out of memory."): Promise<void> {
  await service.database.admin(
    `insert into applied_exceptions (switch_id, item_id, shard, kind, organisation_id, environment, version, state, applied, applied_generation, error, since, observed_at)
     select $1, holding_id, shard, 'route', organisation_id, environment, version, 'failed',
       '{"mode": "unrouted", "e164": "+49"}', 1, $3, ${since}, now() from routings where holding_id = $2`,
    [own.own.id, id, error],
  );
}

async function drift(id: string, since: string, count: number): Promise<void> {
  await service.database.admin(
    `insert into drift_episodes (id, switch_id, item_id, shard, kind, organisation_id, environment, error, found, found_generation, expected, expected_generation, first_at, last_at, count)
     select gen_random_uuid(), $1, holding_id, shard, 'route', organisation_id, environment, 'It held another value.',
       '{"mode": "forward", "forward_to": "+4930123456", "e164": "+49"}', 1, '{"mode": "unrouted", "e164": "+49"}', 1, ${since}, now(), $3
     from routings where holding_id = $2`,
    [own.own.id, id, count],
  );
}

async function loseConnection(): Promise<string> {
  const headers = bearer(owner.token);
  const body = { name: "Hamburg office", targets: [{ host: "8.8.8.8" }, { host: "8.8.4.4" }] };
  const { id } = (await service.send("POST", "/v1/connections", { headers, body })).body as { id: string };
  await service.send("PUT", `/v1/numbers/${numbers[2]!.id}/routing`, {
    headers: { ...headers, "idempotency-key": newId() },
    body: { mode: "connection", connection_id: id },
  });
  await own.confirmAll();
  await service.database.admin(
    `insert into target_health (switch_id, connection_id, host, port, transport, organisation_id, environment, state, last_known, addresses, since)
     select $1, $2, host, port, transport, organisation_id, environment, 'down', 'down', '[]', ${ago(28)}
     from connection_targets where connection_id = $2`,
    [own.own.id, id],
  );
  await service.database.admin("update switches set targets_read_at = now() where id = $1", [own.own.id]);
  return id;
}

describe("problems", () => {
  test("are shown longest first, with cause, switch and affected numbers", async () => {
    await drift(numbers[1]!.id, ago(26), 14);
    await failNumber(numbers[0]!.id, ago(192));
    const connectionId = await loseConnection();

    const { problems, numbers: counts } = await overview();

    expect(counts).toMatchObject({ total: 3, failed: 1, unreachable: 1, in_sync: 1, unrouted: 2 });
    expect(problems).toMatchObject([
      {
        kind: "number_failing",
        subject: { type: "number", id: numbers[0]!.id, label: numbers[0]!.e164 },
        found: { mode: "unrouted", generation: 1 },
        expected: { mode: "unrouted", generation: 1 },
        error: "Out of memory.",
        count: 1,
        numbers_affected: 1,
        calls_failed: 0,
      },
      {
        kind: "connection_unreachable",
        subject: { type: "connection", id: connectionId, label: "Hamburg office" },
        error: "None of 2 targets responds: 8.8.4.4, 8.8.8.8",
        numbers_affected: 1,
      },
      {
        kind: "number_flapping",
        found: { mode: "forward", forward_to: "+4930123456", generation: 1 },
        times_found: 14,
      },
    ]);
  });

  test("count the failed calls of a number since they began", async () => {
    await failNumber(numbers[0]!.id, ago(60));
    const failed = { number_id: numbers[0]!.id, answered_at: null, ending: "refused" as const, code: 503 };
    const at = (minutes: number): object => ({
      started_at: momentOf(Date.now() - minutes * 60_000),
      ended_at: momentOf(Date.now() - minutes * 60_000 + 2_000),
    });
    await report([
      callRecord({ ...failed, ...at(90) }),
      callRecord({ ...failed, ...at(30) }),
      callRecord({ ...failed, ...at(20) }),
      callRecord({ number_id: numbers[0]!.id }),
    ]);
    expect((await overview()).problems).toMatchObject([{ calls_failed: 2, calls_misrouted: null }]);
  });

  test("include endpoints that the service disabled and orders that failed today", async () => {
    const orderId = newId();
    const { admin } = service.database;
    await admin(
      `insert into webhook_endpoints (id, organisation_id, environment, url, status, disabled_reason, disabled_at, position, created_at)
       values (gen_random_uuid(), $1, 'live', 'https://hooks.example.com/secret', 'disabled', 'gone', ${ago(5)}, 0, now()),
         (gen_random_uuid(), $1, 'live', 'https://hooks.example.com/paused', 'disabled', null, null, 0, now())`,
      [organisationId],
    );
    await admin(
      `insert into jobs (id, organisation_id, environment, type, total, request_id, created_at, next_check_at, queued_at)
       values ($1, $2, 'live', 'number_order', 1, 'overview', now(), now() + interval '1 day', now())`,
      [orderId, organisationId],
    );
    await admin(
      `insert into orders (id, organisation_id, environment, job_id, status, carrier, idempotency_key, criteria, quantity, all_or_nothing, tags, external_ref, created_by_kind, created_at, finished_at)
       values ($1, $2, 'live', $1, 'failed', 'pool', 'key', '{}', 1, false, '{}', 'PO-17', 'system', ${ago(600)}, ${ago(7)})`,
      [orderId, organisationId],
    );
    const endpoint = { kind: "webhook_endpoint_disabled", error: "gone" };
    expect((await overview()).problems).toMatchObject([
      { kind: "order_failed", subject: { type: "order", id: orderId, label: "PO-17" }, numbers_affected: 0 },
      { ...endpoint, subject: { label: "https://hooks.example.com/secret" } },
    ]);

    const key = await service.key(owner, organisationId, ["numbers"]);
    const byKey = (await overview(key.secret)).problems;
    expect(byKey.map(({ subject }) => subject!.label)).toEqual([null, null]);
    service.clock.advance(25 * 3_600_000);
    expect((await overview()).problems).toMatchObject([endpoint]);
    service.clock.advance(-25 * 3_600_000);
  });

  test("of many numbers are one entry", async () => {
    for (const { id } of await seedNumbers(service.app, organisationId, "live", 25))
      await failNumber(id, ago(5));
    await own.confirmAll();
    const { problems } = await overview();
    expect(problems).toMatchObject([
      { kind: "number_failing", subject: null, count: 25, numbers_affected: 25, error: "Out of memory." },
    ]);
  });

  test("of numbers that are no longer held, or of an older route, are not shown", async () => {
    await failNumber(numbers[0]!.id, ago(5));
    await failNumber(numbers[1]!.id, ago(5));
    await service.database.admin("update holdings set status = 'quarantined' where id = $1", [
      numbers[0]!.id,
    ]);
    await service.database.admin("update applied_exceptions set version = version - 1 where item_id = $1", [
      numbers[1]!.id,
    ]);
    const { problems, numbers: counts } = await overview();
    expect(problems).toEqual([]);
    expect(counts).toMatchObject({ total: 2, pending: 1, in_sync: 1 });
  });
});

describe("routing facts", () => {
  test("are hidden from a plain member and shown to a key that reads numbers", async () => {
    await failNumber(numbers[0]!.id, ago(5));
    await loseConnection();
    const member = await service.person({ [organisationId]: "member" });
    const key = await service.key(owner, organisationId, ["numbers"]);

    const hidden = (await overview(member.token)).problems;
    expect(hidden).toMatchObject([
      { kind: "connection_unreachable", subject: { label: null }, numbers_affected: 1 },
      { kind: "number_failing", subject: { label: numbers[0]!.e164 } },
    ]);
    const facts = ({ found, expected, error }: OverviewProblem): unknown[] => [found, expected, error];
    expect(hidden.flatMap(facts)).toEqual([null, null, null, null, null, null]);
    expect((await overview(key.secret)).problems).toEqual((await overview()).problems);
  });
});

describe("switches", () => {
  test("that are silent make their numbers unknown and are a problem", async () => {
    await own.tell({ [numbers[0]!.id]: 2, [numbers[1]!.id]: 1 });
    const good = await overview();
    expect(good.switches).toMatchObject([{ state: "reporting", active_calls: 3 }]);
    expect(good.calls.active.value).toBe(3);
    expect(good.numbers).toMatchObject({ in_sync: 3, unknown: 0 });

    await service.database.admin(`update switches set last_seen_at = ${ago(9)} where id = $1`, [own.own.id]);
    const silent = await overview();
    expect(silent.switches).toMatchObject([{ state: "silent", active_calls: null }]);
    expect(silent.calls.active.value).toBeNull();
    expect(silent.numbers).toMatchObject({ in_sync: 0, unknown: 3 });
    expect(silent.problems).toMatchObject([
      { kind: "switch_silent", subject: { type: "switch", id: null }, numbers_affected: 3 },
    ]);
    await service.database.admin("update switches set last_seen_at = now() + interval '1 hour'");
  });
});

describe("calls", () => {
  test("are counted by ten minutes with their seconds in each, once however often they are reported", async () => {
    const startedAt = Math.floor(Date.now() / 600_000) * 600_000 - 1_260_000;
    const records = [
      callRecord({
        number_id: numbers[0]!.id,
        started_at: momentOf(startedAt, 0),
        answered_at: momentOf(startedAt, 0),
        // One minute in the first, ten in the second and one in the third bucket.
        ended_at: momentOf(startedAt + 720_000, 0),
      }),
      callRecord({
        number_id: numbers[1]!.id,
        started_at: momentOf(startedAt, 0),
        answered_at: null,
        ended_at: momentOf(startedAt + 5_000, 0),
        ending: "refused",
        code: 486,
      }),
    ];
    await report(records);
    await report(records);
    const rows = await service.database.admin(
      `select calls::int, answered::int, seconds::int from call_buckets where organisation_id = $1 order by began_at`,
      [organisationId],
    );
    expect(rows).toEqual([
      { calls: 2, answered: 1, seconds: 65 },
      { calls: 0, answered: 0, seconds: 600 },
      { calls: 0, answered: 0, seconds: 60 },
    ]);
  });

  test("are compared with the weeks before, which are kept for five weeks", async () => {
    const bucket = (weeks: number, calls: number): Promise<unknown> =>
      service.database.admin(
        `insert into call_buckets (organisation_id, environment, began_at, switch_id, calls, answered, seconds)
         values ($1, 'live', date_bin('10 minutes', $4::timestamptz, '2000-01-01Z') - interval '10 minutes' - $2 * interval '7 days', $5, $3, 0, 0)`,
        [organisationId, weeks, calls, service.clock.now(), own.own.id],
      );
    for (const [weeks, calls] of [40, 10, 20, 30, 40, 500, 7].entries()) await bucket(weeks, calls);
    const { calls } = await overview();
    expect(calls.last_10_minutes).toEqual({ value: 40, usual: { low: 13, high: 37 } });

    await sweepCallBuckets(service.app);
    const kept = await service.database.admin(
      "select calls::int from call_buckets where organisation_id = $1",
      [organisationId],
    );
    expect(kept).toHaveLength(6);
  });
});

async function report(records: object[]): Promise<void> {
  const { status } = await service.send("POST", "/switch/v1/call-records", {
    headers: bearer(own.own.credential),
    body: { records },
  });
  expect(status).toBe(200);
}
