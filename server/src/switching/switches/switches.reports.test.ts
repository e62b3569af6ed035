import type { Report, ReportedException } from "@dialplane/switch-agent";
import { beforeAll, afterAll, describe, expect, test } from "vitest";
import { publish, shardsOf } from "../../../testing/feed-stream.ts";
import { rowChecksums } from "../../../testing/row-checksums.ts";
import type { Sent } from "../../../testing/send.ts";
import { type Service, startService, until } from "../../../testing/service.ts";
import { exceptionOf, sendReport, shardReport } from "../../../testing/switch-reports.ts";
import { systemAuthor } from "../../events/audit/audit.ts";
import { insertReport } from "./switches.reports.store.ts";
import { changeSwitch, createSwitch, createSwitchGroup } from "./switches.ts";

const AUTHOR = systemAuthor("test");

let service: Service;
let organisationId: string;
let epoch: string;
beforeAll(async () => {
  service = await startService();
  organisationId = await service.organisation();
  epoch = await until(() => service.app.feed.epoch());
});
afterAll(() => service[Symbol.asyncDispose]());

let groups = 0;
type Made = { id: string; credential: string; groupId: string };

/** A group with a shard or more, and switches in it. */
async function newGroup(switches: number, shards = 1) {
  const name = `group ${++groups}`;
  const group = await createSwitchGroup(service.app, AUTHOR, { name, shards });
  const made: Made[] = [];
  for (let at = 1; at <= switches; at++) {
    const { row, credential } = await createSwitch(service.app, AUTHOR, { name: `s${at}`, groupName: name });
    made.push({ id: row.id, credential, groupId: group.id });
  }
  return { name, switches: made, shards: await shardsOf(service, group.id) };
}

const send = (credential: string, report: Partial<Report>): Promise<Sent> =>
  sendReport(service, credential, report);
const confirmed = async (shard: number): Promise<number> => {
  const [row] = await service.database.admin<{ version: string }>(
    "select version from feed_confirmations where shard = $1",
    [shard],
  );
  return Number(row!.version);
};
const switchRow = async (id: string): Promise<Record<string, unknown>> =>
  (await service.database.admin<Record<string, unknown>>("select * from switches where id = $1", [id]))[0]!;

const watermarksOf = (id: string): Promise<object[]> =>
  service.database.admin("select shard, version from applied_watermarks where switch_id = $1", [id]);
const areWaiting = async (): Promise<boolean> =>
  (
    await service.database.admin(
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    )
  ).length > 0;

describe("a version is confirmed", () => {
  test("when every switch that has read back everything once has read it back, even if they report at one moment", async () => {
    const { switches, shards } = await newGroup(2);
    const [shard] = shards as [number];
    await publish(service.database, { organisationId, shard });
    for (const { credential } of switches) await send(credential, { shards: [shardReport(shard, 1)] });
    expect(await confirmed(shard)).toBe(1);

    for (let version = 2; version <= 15; version++) {
      await publish(service.database, { organisationId, shard });
      const answers = await Promise.all(
        switches.map(({ credential }) => send(credential, { shards: [shardReport(shard, version)] })),
      );
      expect(answers.map(({ status }) => status)).toEqual([204, 204]);
      expect(await confirmed(shard)).toBe(version);
    }
  });

  test("without a switch that is joining, until that one holds all the others have confirmed", async () => {
    const { switches, shards } = await newGroup(2, 2);
    const [old, joining] = switches as [Made, Made];
    const [first, second] = shards as [number, number];
    await publish(service.database, { organisationId, shard: first });
    await send(old.credential, { shards: [shardReport(first, 1), shardReport(second, 0)] });
    expect(await confirmed(first)).toBe(1);

    await send(joining.credential, { is_complete: false, shards: [shardReport(second, 0)] });
    await publish(service.database, { organisationId, shard: first });
    await send(old.credential, { shards: [shardReport(first, 2)] });
    expect(await confirmed(first)).toBe(2);
    await send(joining.credential, { shards: [shardReport(first, 1)] });
    expect((await switchRow(joining.id))["synced_epoch"]).toBeNull();
    await send(joining.credential, { shards: [shardReport(first, 2)] });
    expect((await switchRow(joining.id))["synced_epoch"]).toBe(epoch);

    await publish(service.database, { organisationId, shard: first });
    await send(old.credential, { shards: [shardReport(first, 3)] });
    expect(await confirmed(first)).toBe(2);
    await send(joining.credential, { shards: [shardReport(first, 3)] });
    expect(await confirmed(first)).toBe(3);
  });

  test("when the switch that held it up is retired; brought back, it counts once it has read everything again", async () => {
    const { switches, shards } = await newGroup(2);
    const [here, away] = switches as [Made, Made];
    const [shard] = shards as [number];
    const { id } = await publish(service.database, { organisationId, shard });
    await send(here.credential, { shards: [shardReport(shard, 1)] });
    await send(away.credential, { shards: [shardReport(shard, 1, [exceptionOf(id, 1)])] });
    await publish(service.database, { organisationId, shard });
    await send(here.credential, { shards: [shardReport(shard, 2)] });
    expect(await confirmed(shard)).toBe(1);

    await changeSwitch(service.app, AUTHOR, away.id, { state: "retired" });

    expect(await confirmed(shard)).toBe(2);
    for (const table of ["applied_watermarks", "applied_exceptions"])
      expect(
        await service.database.admin(`select from ${table} where switch_id = $1`, [away.id]),
      ).toHaveLength(0);
    await changeSwitch(service.app, AUTHOR, away.id, { state: "active" });
    await publish(service.database, { organisationId, shard });
    await send(here.credential, { shards: [shardReport(shard, 3)] });
    expect(await confirmed(shard)).toBe(3);
    await until(
      async () => (await send(away.credential, { shards: [shardReport(shard, 3)] })).status === 204,
    );
    await publish(service.database, { organisationId, shard });
    await send(here.credential, { shards: [shardReport(shard, 4)] });
    expect(await confirmed(shard)).toBe(3);
  });

  test("once, with repeated, reordered and old reports", async () => {
    const { switches, shards } = await newGroup(1);
    const [shard] = shards as [number];
    for (let at = 0; at < 3; at++) await publish(service.database, { organisationId, shard });

    for (const version of [3, 1, 2, 3])
      await send(switches[0]!.credential, { shards: [shardReport(shard, version)] });

    expect(await confirmed(shard)).toBe(3);
    const [watermark] = await service.database.admin<{ version: string }>(
      "select version from applied_watermarks where switch_id = $1",
      [switches[0]!.id],
    );
    expect(watermark!.version).toBe("3");
  });
});

describe("a switch that lost its memory", () => {
  test("counts as joining until it has read back everything, and keeps earlier confirmations", async () => {
    const { switches, shards } = await newGroup(2, 2);
    const [lasting, lost] = switches as [Made, Made];
    const [first, second] = shards as [number, number];
    const { id } = await publish(service.database, { organisationId, shard: first });
    const whole = [shardReport(first, 1), shardReport(second, 0)];
    await send(lasting.credential, { shards: whole });
    await send(lost.credential, { shards: [shardReport(first, 1, [exceptionOf(id, 1)]), whole[1]!] });
    expect(await confirmed(first)).toBe(1);

    await send(lost.credential, { boot: "boot 2", is_complete: false, shards: [shardReport(second, 0)] });

    expect(await switchRow(lost.id)).toMatchObject({ synced_epoch: null, boot: "boot 2" });
    expect(await watermarksOf(lost.id)).toEqual([{ shard: second, version: "0" }]);
    expect(await service.database.admin("select from applied_exceptions where item_id = $1", [id])).toEqual(
      [],
    );
    expect(await confirmed(first)).toBe(1);
    await send(lost.credential, { boot: "boot 2", is_complete: false, shards: [] });
    expect(await watermarksOf(lost.id)).toHaveLength(1);
    await publish(service.database, { organisationId, shard: first });
    await send(lasting.credential, { shards: [shardReport(first, 2)] });
    expect(await confirmed(first)).toBe(2);
    await send(lost.credential, { boot: "boot 2", shards: [shardReport(first, 2)] });
    expect(await switchRow(lost.id)).toMatchObject({ synced_epoch: epoch });
  });

  test("is distinguished by the boot from a restarted agent or an intact switch", async () => {
    const { switches, shards } = await newGroup(1);
    const [{ id, credential }] = switches as [Made];
    await send(credential, { shards: [shardReport(shards[0]!, 0)] });

    await send(credential, { is_complete: false, shards: [] });
    expect(await switchRow(id)).toMatchObject({ synced_epoch: epoch });
    // Restarted, and all of it read back before anything was said.
    await send(credential, { boot: "boot 2", shards: [shardReport(shards[0]!, 0)] });
    expect(await switchRow(id)).toMatchObject({ synced_epoch: epoch, boot: "boot 2" });
    expect(await watermarksOf(id)).toHaveLength(1);
  });
});

test("joins after a concurrent confirmation when it has everything", async () => {
  const { switches, shards } = await newGroup(2, 2);
  const [old, joining] = switches as [Made, Made];
  const [first, second] = shards as [number, number];
  await publish(service.database, { organisationId, shard: first });
  await send(old.credential, { shards: [shardReport(first, 1), shardReport(second, 0)] });
  await send(joining.credential, { is_complete: false, shards: [shardReport(first, 1)] });
  await publish(service.database, { organisationId, shard: first });

  let isAnswered = false;
  const joined = await service.app.db.forSwitch({ switchId: old.id, groupId: old.groupId }, async (tx) => {
    const report = { epoch, boot: "boot 1", agent_version: "1", is_complete: true };
    await insertReport(tx, { ...report, shards: [shardReport(first, 2)] }, new Date());
    const answer = send(joining.credential, { shards: [shardReport(second, 0)] });
    void answer.then(() => (isAnswered = true));
    await until(async () => isAnswered || (await areWaiting()));
    return { answer };
  });

  expect((await joined.answer).status).toBe(204);
  expect(await confirmed(first)).toBe(2);
  expect((await switchRow(joining.id))["synced_epoch"]).toBeNull();
});

test("asking the switch again refreshes when a whole shard was seen, with one row", async () => {
  const { switches, shards } = await newGroup(1);
  const [{ credential }] = switches as [Made];
  const [shard] = shards as [number];
  for (let at = 0; at < 3; at++) await publish(service.database, { organisationId, shard });
  const seenAt = new Date(Date.now() - 60_000);
  await send(credential, { shards: [shardReport(shard, 3, [], seenAt)] });
  const before = await rowChecksums(service.database);

  const againAt = new Date();
  await send(credential, { shards: [shardReport(shard, 3, [], againAt)] });

  const after = await rowChecksums(service.database);
  const changed = Object.keys(after).filter((table) => after[table] !== before[table]);
  expect(changed).toEqual(["applied_watermarks"]);
  const [row] = await service.database.admin("select observed_at from applied_watermarks where shard = $1", [
    shard,
  ]);
  expect(row).toEqual({ observed_at: againAt });
});

describe("rejects a report", () => {
  test("under another epoch", async () => {
    const { switches, shards } = await newGroup(1);
    const [shard] = shards as [number];
    await publish(service.database, { organisationId, shard });

    const answer = await send(switches[0]!.credential, {
      epoch: "1-00000001",
      shards: [shardReport(shard, 1)],
    });

    expect([answer.status, answer.body.code]).toEqual([409, "epoch_ended"]);
    expect(await confirmed(shard)).toBe(0);
  });

  test("about a shard of another group, one that does not exist, or one shard twice, and nothing of it is kept", async () => {
    const { switches, shards } = await newGroup(1, 2);
    const foreign = await newGroup(1);
    const [shard] = shards as [number];
    await publish(service.database, { organisationId, shard });
    await publish(service.database, { organisationId, shard: foreign.shards[0]! });

    for (const other of [foreign.shards[0]!, 2_000_000_000, shard]) {
      const answer = await send(switches[0]!.credential, {
        shards: [shardReport(shard, 1), shardReport(other, 1)],
      });
      expect([answer.status, answer.body.code]).toEqual([400, "invalid_request"]);
    }

    expect([await confirmed(shard), await confirmed(foreign.shards[0]!)]).toEqual([0, 0]);
    expect(
      await service.database.admin("select from applied_watermarks where switch_id = $1", [switches[0]!.id]),
    ).toEqual([]);
  });

  test.each(["2026-13-45T09:30:00Z", "2026-02-30T25:00:00Z", "yesterday"])(
    "with the moment %s, as any other malformed one",
    async (moment) => {
      const { switches, shards } = await newGroup(1);

      const answer = await send(switches[0]!.credential, {
        shards: [{ ...shardReport(shards[0]!, 0), observed_at: moment }],
      });

      expect([answer.status, answer.body.code]).toEqual([400, "invalid_request"]);
    },
  );
});

describe("a deviation", () => {
  const eventsOf = (id: string): Promise<{ type: string; data: object }[]> =>
    service.database.admin("select type, data from events where subject = $1 order by sequence", [id]);

  test("becomes one event and one audit entry of the organisation it concerns, when it begins", async () => {
    const { switches, shards } = await newGroup(1);
    const [shard] = shards as [number];
    const { id } = await publish(service.database, { organisationId, shard });
    const report = (exceptions: ReportedException[]): Promise<Sent> =>
      send(switches[0]!.credential, { shards: [shardReport(shard, 1, exceptions)] });

    await report([exceptionOf(id, 1, { state: "pending" })]);
    expect(await eventsOf(id)).toEqual([]);
    await report([exceptionOf(id, 1)]);
    await report([exceptionOf(id, 1)]);
    await report([exceptionOf(id, 1, { state: "drifted", error: "held something else" })]);
    await report([]);

    expect(await eventsOf(id)).toEqual([
      { type: "routing.failed", data: { switch: "s1", error: "500 refused" } },
      {
        type: "routing.drifted",
        data: {
          switch: "s1",
          error: "held something else",
          found: null,
          expected: { mode: "unrouted", generation: 1 },
        },
      },
    ]);
    const entries = await service.database.admin<{ organisation_id: string; actor_name: string }>(
      "select organisation_id, actor_name from audit_entries where subject = $1",
      [id],
    );
    expect(entries).toEqual([
      { organisation_id: organisationId, actor_name: "switch s1" },
      { organisation_id: organisationId, actor_name: "switch s1" },
    ]);
    expect(await service.database.admin("select from applied_exceptions where item_id = $1", [id])).toEqual(
      [],
    );
  });

  test("of thousands of items of several organisations at once is recorded in a few statements, each in its order", async () => {
    const { switches, shards } = await newGroup(1);
    const [shard] = shards as [number];
    const organisations = [organisationId, await service.organisation(), await service.organisation()];
    // Next to many others: what a report costs must not depend on them.
    await service.database.admin(
      `insert into feed_items (shard, version, kind, item_id, organisation_id, environment, generation, value, created_at)
       select $1, 2000 + n, 'route', gen_random_uuid(), $2, 'live', 1, '{}', now() from generate_series(1, 20000) n`,
      [shard, organisationId],
    );
    const items = await service.database.admin<{ id: string; version: string }>(
      `with taken as (update feed_shards set head = head + 22000 where id = $1)
       insert into feed_items (shard, version, kind, item_id, organisation_id, environment, generation, value, created_at)
       select $1, n, 'route', gen_random_uuid(), ($2::uuid[])[1 + n % 3], 'live', 1, '{}', now()
       from generate_series(1, 2000) n returning item_id as id, version`,
      [shard, organisations],
    );
    const headsOf = () =>
      service.database.admin<{ head: string; cmin: string }>(
        "select head, cmin from event_heads where organisation_id = any ($1) order by organisation_id",
        [organisations],
      );
    const before = await headsOf();
    const exceptions = items.map(({ id, version }) => exceptionOf(id, Number(version)));

    const answer = await send(switches[0]!.credential, { shards: [shardReport(shard, 2000, exceptions)] });

    expect(answer.status).toBe(204);
    const after = await headsOf();
    // Command of the transaction that wrote each head: the same for all.
    expect(new Set(after.map(({ cmin }) => cmin)).size).toBe(1);
    const grown = after.map(({ head }, at) => Number(head) - Number(before[at]!.head));
    expect(grown.toSorted((a, b) => a - b)).toEqual([666, 667, 667]);
    const [written] = await service.database.admin(
      `select count(distinct (e.organisation_id, e.sequence))::integer as events, count(distinct a.id)::integer as entries
       from feed_items i join events e on e.subject = i.item_id::text and e.organisation_id = i.organisation_id
       join audit_entries a on a.subject = e.subject and a.organisation_id = i.organisation_id
       where i.shard = $1`,
      [shard],
    );
    expect(written).toEqual({ events: 2000, entries: 2000 });
  }, 60_000);

  test("of an item of another group is not recorded", async () => {
    const { switches, shards } = await newGroup(1);
    const foreign = await newGroup(1);
    const { id } = await publish(service.database, { organisationId, shard: foreign.shards[0]! });

    const answer = await send(switches[0]!.credential, {
      shards: [shardReport(shards[0]!, 0, [exceptionOf(id, 1)])],
    });

    expect(answer.status).toBe(204);
    expect(await eventsOf(id)).toEqual([]);
    expect(await service.database.admin("select from applied_exceptions where item_id = $1", [id])).toEqual(
      [],
    );
  });
});

describe("a sign of life", () => {
  test("is stored within seconds, and changes nothing else", async () => {
    const { switches } = await newGroup(1);
    const [{ id, credential }] = switches as [Made];
    await send(credential, {});
    const before = await switchRow(id);
    expect(before).toMatchObject({ boot: "boot 1", agent_version: "1.2.3" });
    await service.database.admin("update switches set last_seen_at = null where id = $1", [id]);

    expect((await send(credential, {})).status).toBe(204);

    expect((await switchRow(id))["last_seen_at"]).toBeNull();
    await until(async () => (await switchRow(id))["last_seen_at"]);
    await send(credential, { boot: "boot 2" });
    expect(await switchRow(id)).toMatchObject({ boot: "boot 2" });
  });
});
