import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { seedNumbers } from "../../seed.ts";
import { callRecord, momentOf } from "../../../testing/call-record.ts";
import type { Sent } from "../../../testing/send.ts";
import { bearer, type Service, startService, until } from "../../../testing/service.ts";
import { openSuperuser } from "../../../testing/superuser.ts";
import { makeSwitch, type TestSwitch } from "../../../testing/walls/switch-callers.ts";
import { newId } from "../../platform/ids.ts";
import { keepPartitions } from "./calls.records.ts";
import type { CallRecord } from "./calls.records.schema.ts";

const DAY_MS = 86_400_000;

let service: Service;
let organisationId: string;
let own: TestSwitch;
/** Of another group. */
let stranger: TestSwitch;
let numberId: string;
beforeAll(async () => {
  service = await startService();
  organisationId = await service.organisation();
  own = await makeSwitch(service);
  const groupId = newId();
  await service.database.admin("select add_switch_group($1, 'elsewhere', 'live', false, 4, now())", [
    groupId,
  ]);
  stranger = await makeSwitch(service, { groupId });
  numberId = (await seedNumbers(service.app, organisationId, "live", 1))[0]!.id;
  await until(() => service.app.feed.epoch());
});
afterAll(() => service[Symbol.asyncDispose]());

const post = (by: TestSwitch, records: unknown[]): Promise<Sent> =>
  service.send("POST", "/switch/v1/call-records", { headers: bearer(by.credential), body: { records } });
const rowsOf = (table: string, ids: string[]): Promise<Record<string, unknown>[]> =>
  service.database.admin(
    `select * from ${table} where replace(id::text, '-', '') = any ($1) order by started_at`,
    [ids],
  );
const partitions = async (): Promise<string[]> =>
  (
    await service.database.admin<{ name: string }>(
      "select relname as name from pg_class where relnamespace = 'call_partitions'::regnamespace and relkind = 'r'",
    )
  ).map(({ name }) => name);

describe("a record", () => {
  test("is stored completely, to the microsecond, with the caller in a separate table", async () => {
    const record = callRecord({ number_id: numberId });

    const answer = await post(own, [record]);

    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      epoch: service.app.feed.epoch(),
      acknowledged: [record.id],
      rejected: [],
    });
    const [row] = await service.database.admin<Record<string, unknown>>(
      `select to_jsonb(c) - 'received_at' as row from call_records c where replace(id::text, '-', '') = $1`,
      [record.id],
    );
    const zoned = (text: string | null): string | null => text && text.replace("Z", "+00:00");
    const uuid = record.id.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
    expect(row!["row"]).toEqual({
      id: uuid,
      switch_id: own.id,
      started_at: zoned(record.started_at),
      answered_at: zoned(record.answered_at),
      ended_at: zoned(record.ended_at),
      organisation_id: organisationId,
      environment: "live",
      holding_id: numberId,
      claimed_holding_id: null,
      connection_id: null,
      ending: "hung_up",
      result: "answered",
      mode: "sip_uri",
      generation: 7,
      trunk: "acme",
      code: 200,
      why: null,
      is_forwarded_by_webhook: false,
      // An agent that is not yet upgraded sends none of these.
      ended_by: null,
      setup_ms: null,
      ring_ms: null,
      q850: null,
      gateway: null,
      step: null,
    });
    expect(await rowsOf("call_parties", [record.id])).toMatchObject([
      {
        organisation_id: organisationId,
        holding_id: numberId,
        caller: record.caller,
        called: record.called,
        target: record.target,
        sip_call_id: record.sip_call_id,
      },
    ]);
    const [kept] = await rowsOf("call_records", [record.id]);
    for (const person of [record.caller!, record.target!]) expect(JSON.stringify(kept)).not.toContain(person);
  });

  test("counts once however often it comes, in one batch and in many at once, and is acknowledged each time", async () => {
    const records = Array.from({ length: 200 }, () => callRecord({ number_id: numberId }));
    const ids = records.map(({ id }) => id);

    const answers = await Promise.all(
      [records, records.toReversed(), [...records, ...records], records.toReversed()].map((sent) =>
        post(own, sent),
      ),
    );
    answers.push(await post(own, records));

    for (const { status, body } of answers) {
      expect(status).toBe(200);
      expect(new Set(body.acknowledged)).toEqual(new Set(ids));
    }
    expect(await rowsOf("call_records", ids)).toHaveLength(200);
    expect(await rowsOf("call_parties", ids)).toHaveLength(200);
  });

  test("that comes again with another content changes nothing", async () => {
    const record = callRecord({ number_id: numberId });
    await post(own, [record]);

    await post(own, [{ ...record, ending: "unknown", ended_at: null, caller: "+15550001111" }]);

    expect(await rowsOf("call_records", [record.id])).toMatchObject([{ ending: "hung_up" }]);
    expect(await rowsOf("call_parties", [record.id])).toMatchObject([{ caller: record.caller }]);
  });

  test("of another switch under the same id is another record: none can take a place from another", async () => {
    const sibling = await makeSwitch(service);
    const record = callRecord({ number_id: numberId });

    for (const one of [own, sibling]) await post(one, [record]);

    expect(await rowsOf("call_records", [record.id])).toHaveLength(2);
  });

  test("without a number, or with one that the switch's group does not have, is the operator's", async () => {
    const nobodys = callRecord({ ending: "refused", code: 404, why: "unknown_number", mode: null });
    const unknown = callRecord({ number_id: newId() });
    const foreign = callRecord({ number_id: numberId });

    expect((await post(own, [nobodys, unknown])).body.acknowledged).toHaveLength(2);
    expect((await post(stranger, [foreign])).body.acknowledged).toHaveLength(1);

    const nobody = { organisation_id: null, holding_id: null, environment: "live" };
    expect(await rowsOf("call_records", [nobodys.id])).toMatchObject([
      { ...nobody, claimed_holding_id: null },
    ]);
    expect(await rowsOf("call_records", [unknown.id])).toMatchObject([
      { ...nobody, claimed_holding_id: unknown.number_id },
    ]);
    expect(await rowsOf("call_records", [foreign.id])).toMatchObject([
      { ...nobody, claimed_holding_id: numberId },
    ]);
    const seen = await service.app.db.forOrganisation.read(
      { organisationId, environment: "live" },
      "select from call_records where replace(id::text, '-', '') = any ($1)",
      [[nobodys.id, unknown.id, foreign.id]],
    );
    expect(seen).toEqual([]);
  });

  test("of a released number belongs to the holding it names", async () => {
    const [number] = await seedNumbers(service.app, organisationId, "live", 1);
    await service.database.admin(
      "update holdings set status = 'released', released_at = now() where id = $1",
      [number!.id],
    );
    await service.database.admin("delete from feed_items where item_id = $1", [number!.id]);
    const record = callRecord({ number_id: number!.id });

    await post(own, [record]);

    expect(await rowsOf("call_records", [record.id])).toMatchObject([{ holding_id: number!.id }]);
  });
});

describe("rejects invalid records", () => {
  test("holds up nothing that it was sent with, and is kept once for the operator", async () => {
    const good = callRecord({ number_id: numberId });
    const bad = { ...callRecord(), id: "x".repeat(30_000) };
    const old = callRecord({ started_at: momentOf(Date.now() - 500 * DAY_MS) });
    const sent = [bad, good, "INVITE|torn", old];

    const answers = [await post(own, sent), await post(own, sent)];

    for (const { status, body } of answers) {
      expect(status).toBe(200);
      expect(body.acknowledged).toEqual([good.id]);
      expect(body.rejected).toMatchObject([
        { index: 0, code: "malformed" },
        { index: 2, code: "malformed" },
        { index: 3, code: "too_old" },
      ]);
    }
    const kept = await service.database.admin<{ record: string }>(
      "select record from rejected_records where switch_id = $1",
      [own.id],
    );
    expect(kept).toHaveLength(3);
    expect(kept.map(({ record }) => record)).toContain('"INVITE|torn"');
    expect(await rowsOf("call_records", [good.id])).toHaveLength(1);
  });

  test("rejects an empty batch and one that is too large", async () => {
    const many = Array.from({ length: 1_001 }, () => callRecord());
    for (const records of [[], many]) {
      const { status, body } = await post(own, records);
      expect([status, body.code]).toEqual([400, "invalid_request"]);
    }
    expect((await post(own, many.slice(1))).status).toBe(200);
  });
});

describe("partitions", () => {
  test("are created for late calls by the first process", async () => {
    const startedAt = Date.now() - 75 * DAY_MS;
    const batches = [1, 2, 3, 4].map(() => [
      callRecord({ started_at: momentOf(startedAt), number_id: numberId }),
      callRecord({ number_id: numberId }),
    ]);
    const day = momentOf(startedAt).slice(0, 10).replaceAll("-", "_");
    expect(await partitions()).not.toContain(`parties_${day}`);

    const answers = await Promise.all(batches.map((batch) => post(own, batch)));

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await partitions()).toEqual(
      expect.arrayContaining([`parties_${day}`, `records_${day.slice(0, 7)}`]),
    );
    const ids = batches.flat().map(({ id }) => id);
    expect(await rowsOf("call_records", ids)).toHaveLength(8);
    expect(await rowsOf("call_parties", ids)).toHaveLength(8);
  });

  test("of callers are not created after their retention, but the call counts", async () => {
    const record = callRecord({ started_at: momentOf(Date.now() - 200 * DAY_MS), number_id: numberId });

    expect((await post(own, [record])).body.acknowledged).toEqual([record.id]);

    expect(await rowsOf("call_records", [record.id])).toHaveLength(1);
    expect(await rowsOf("call_parties", [record.id])).toEqual([]);
  });

  test("are there ahead of time, and go with what is kept no longer", async () => {
    await using later = await startService();
    const { app, clock, database } = later;
    const by = await makeSwitch(later);
    const record = callRecord();
    await later.send("POST", "/switch/v1/call-records", {
      headers: bearer(by.credential),
      body: { records: [record, "none"] },
    });
    const names = async (): Promise<string[]> =>
      (
        await database.admin<{ name: string }>(
          "select relname as name from pg_class where relnamespace = 'call_partitions'::regnamespace and relkind = 'r'",
        )
      ).map(({ name }) => name);
    const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10).replaceAll("-", "_");
    const count = async (table: string): Promise<number> =>
      (await database.admin(`select from ${table}`)).length;

    await keepPartitions(app);
    expect(await names()).toEqual(
      expect.arrayContaining([`parties_${dayOf(Date.now())}`, `parties_${dayOf(Date.now() + 34 * DAY_MS)}`]),
    );
    clock.advance(92 * DAY_MS);
    await keepPartitions(app);
    expect(await Promise.all(["call_records", "call_parties", "rejected_records"].map(count))).toEqual([
      1, 0, 0,
    ]);
    expect(await names()).not.toContain(`parties_${dayOf(Date.now())}`);
    clock.advance(14 * 31 * DAY_MS);
    await keepPartitions(app);
    expect(await count("call_records")).toBe(0);
  });

  test.each([
    ["call_records", "call_parties"],
    ["call_parties", "call_records"],
  ])("go while calls are written: who has %s gets %s", async (first, second) => {
    await using later = await startService();
    const { app, clock, database } = later;
    await using writer = await openSuperuser(database.url);
    clock.advance(16 * 31 * DAY_MS);
    await writer.admin(`begin; lock table ${first} in row exclusive mode`);

    const kept = keepPartitions(app);
    await until(async () => {
      const waiting = await database.admin(
        "select from pg_locks where not granted and mode = 'AccessExclusiveLock'",
      );
      return waiting.length > 0;
    });
    await writer.admin(`lock table ${second} in row exclusive mode; commit`);

    await expect(kept).resolves.toBeUndefined();
  });
});

test("rejects records of a retired switch and of other callers", async () => {
  const retired = await makeSwitch(service, { state: "retired" });
  expect((await post(retired, [callRecord()])).body.code).toBe("switch_retired");
  const owner = await service.person({ [organisationId]: "owner" });
  expect((await post({ ...own, credential: owner.token }, [callRecord()])).status).toBe(401);
});

test("logs no callers", async () => {
  const lines: string[] = [];
  await using logged = await startService({
    overrides: {
      log: Object.assign(Object.create(service.app.log), {
        warn: (...args: unknown[]) => lines.push(JSON.stringify(args)),
      }),
    },
  });
  const by = await makeSwitch(logged);
  const record: CallRecord = { ...callRecord(), ending: "never" as "unknown" };
  await logged.send("POST", "/switch/v1/call-records", {
    headers: bearer(by.credential),
    body: { records: [record] },
  });
  expect(lines.join("\n")).toContain("rejected");
  for (const secret of [record.caller!, record.target!]) expect(lines.join("\n")).not.toContain(secret);
});
