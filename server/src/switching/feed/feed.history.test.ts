import type { Position } from "@dialplane/switch-agent";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openFeedStream, publish, shardsOf, untilReady } from "../../../testing/feed-stream.ts";
import { type Service, startService, until } from "../../../testing/service.ts";
import { sendReport, shardReport } from "../../../testing/switch-reports.ts";
import { makeSwitch } from "../../../testing/walls/switch-callers.ts";
import { systemAuthor } from "../../events/audit/audit.ts";
import { beginEpochByHand, resolveEpoch } from "../epochs/epochs.ts";
import { createSwitchGroup } from "../switches/switches.ts";

/** Tokens show whether an agent's versions belong to the history of this database. */
const AUTHOR = systemAuthor("test");
let service: Service;
let organisationId: string;
let groups = 0;
beforeAll(async () => {
  service = await startService();
  organisationId = await service.organisation();
});
afterAll(() => service[Symbol.asyncDispose]());

interface Epoch {
  epoch: string;
  cause: string;
  evidence: Record<string, unknown>;
  is_held: boolean;
}
const epochs = (): Promise<Epoch[]> =>
  service.database.admin<Epoch>("select * from feed_epochs order by began_at desc, cause");
const tokenOf = async (shard: number): Promise<number> => {
  const [row] = await service.database.admin<{ token: string }>(
    "select token from feed_shards where id = $1",
    [shard],
  );
  return Number(row!.token);
};

let credential: string;
let switchId: string;
let shard: number;
let position: Position;
let before: number;

/** A switch that has read two versions of its only shard. */
beforeEach(async () => {
  const group = await createSwitchGroup(service.app, AUTHOR, { name: `group ${++groups}`, shards: 1 });
  ({ credential, id: switchId } = await makeSwitch(service, { groupId: group.id }));
  [shard = 0] = await shardsOf(service, group.id);
  await publish(service.database, { organisationId, shard });
  await publish(service.database, { organisationId, shard });
  const stream = await openFeedStream(service.url, credential);
  await untilReady(stream);
  position = stream.position();
  await stream[Symbol.asyncDispose]();
  before = (await epochs()).length;
});

/** The types of messages between the state and ready. */
async function resume(from: Position): Promise<string[]> {
  await using stream = await openFeedStream(service.url, credential, from);
  await untilReady(stream);
  return stream.messages.map(({ type }) => type).slice(2, -1);
}

const newEpochs = async (): Promise<Epoch[]> => {
  const all = await epochs();
  return all.slice(0, all.length - before);
};

describe("a position", () => {
  test("continues from the token of the head, and from one below it", async () => {
    expect(await resume(position)).toEqual([]);
    await publish(service.database, { organisationId, shard });
    expect(await resume(position)).toEqual(["changes"]);
    expect(await newEpochs()).toEqual([]);
  });

  test("without tokens, as agents of the previous version send it, gets one full resync", async () => {
    const { tokens: _, ...legacy } = position;
    expect(await resume(legacy)).toEqual(["snapshot"]);
    expect(await newEpochs()).toEqual([]);
  });

  test("that another switch stored gets a full resync and raises no alarm", async () => {
    const other = { ...position, tokens: { [shard]: 1 }, switch_id: "0198c5f2-7c1e-7a33-9d3f-3f6a1c0f9b11" };
    expect(await resume(other)).toEqual(["snapshot"]);
    expect(await newEpochs()).toEqual([]);
    expect(await resume({ ...position, switch_id: switchId })).toEqual([]);
  });

  test("whose version is superseded and forgotten gets a full resync", async () => {
    const kept = await publish(service.database, { organisationId, shard });
    const forgotten = { ...position, versions: { [shard]: 3 }, tokens: { [shard]: await tokenOf(shard) } };
    await publish(service.database, { organisationId, shard, id: kept.id, generation: 2 });
    await service.database.admin("delete from feed_items where shard = $1 and version = 3", [shard]);
    expect(await resume(forgotten)).toEqual(["snapshot"]);
    expect(await newEpochs()).toEqual([]);
  });

  test.each([
    { what: "the head with another token", change: (at: Position) => ({ ...at, tokens: { [shard]: 1 } }) },
    { what: "a version ahead of the head", change: (at: Position) => ({ ...at, versions: { [shard]: 9 } }) },
    {
      what: "a version below the head with another token",
      change: (at: Position) => ({ ...at, versions: { [shard]: 1 }, tokens: { [shard]: 1 } }),
    },
    { what: "an epoch that never was", change: (at: Position) => ({ ...at, epoch: "from-another-history" }) },
  ])(
    "of $what starts one new epoch with an alarm, also if several processes detect it",
    async ({ change }) => {
      const mails = async (): Promise<number> =>
        (await service.database.admin("select from mails where kind = 'database_rolled_back'")).length;
      const { userId } = await service.person();
      await service.database.admin("update users set is_operator = (id = $1)", [userId]);
      const mailed = await mails();

      const wrong = change(position);
      const resumed = await Promise.all([resume(wrong), resume(wrong), resume(wrong)]);

      expect(resumed).toEqual([["snapshot"], ["snapshot"], ["snapshot"]]);
      const [begun, ...others] = await newEpochs();
      expect(others).toEqual([]);
      expect(begun).toMatchObject({ cause: "rollback", evidence: { switch: expect.any(String) } });
      expect(await mails()).toBe(mailed + 1);
      expect(
        await service.database.admin(
          "select from audit_entries where action = 'feed.rolled_back' and subject = $1",
          [begun!.epoch],
        ),
      ).toHaveLength(1);
      const { values } = await service.app.metrics.feedEpochs.get();
      expect(values).toContainEqual({ labels: { cause: "rollback" }, value: expect.any(Number) });
      // The epochs it ended are known: agents that come late raise no second alarm.
      expect(await resume(position)).toEqual(["snapshot"]);
      expect(await newEpochs()).toHaveLength(1);
    },
  );
});

describe("a report", () => {
  test("of a version whose token is another, or that is ahead of the head, is not recorded and begins an epoch", async () => {
    const { epoch } = position as { epoch: string };
    for (const wrong of [
      { ...shardReport(shard, 2), position: 2, version_token: 1 },
      { ...shardReport(shard, 2), position: 7, version_token: 1 },
      shardReport(shard, 7),
    ]) {
      before = (await epochs()).length;
      const [{ epoch: current } = { epoch }] = await epochs();
      const answer = await sendReport(service, credential, { epoch: current, shards: [wrong] });
      expect(answer).toMatchObject({ status: 409, body: { code: "epoch_ended" } });
      expect(await newEpochs()).toMatchObject([{ cause: "rollback" }]);
      await until(async () => service.app.feed.epoch() === (await epochs())[0]!.epoch);
    }
    expect(await service.database.admin("select from applied_watermarks where shard = $1", [shard])).toEqual(
      [],
    );
  });

  test("is taken with the token of the head, of an earlier version, and without one from an agent of the previous version", async () => {
    const [{ epoch }] = (await epochs()) as [Epoch];
    const head = await tokenOf(shard);
    await publish(service.database, { organisationId, shard });
    for (const right of [
      { ...shardReport(shard, 2), position: 2, version_token: head },
      { ...shardReport(shard, 2), position: 3, version_token: await tokenOf(shard) },
      shardReport(shard, 3),
    ])
      expect((await sendReport(service, credential, { epoch, shards: [right] })).status).toBe(204);
    expect(await newEpochs()).toEqual([]);
  });
});

test("an epoch that an operator begins makes every agent load everything again, and raises no alarm", async () => {
  const epoch = await beginEpochByHand(service.app, AUTHOR);

  expect(await resume(position)).toEqual(["snapshot"]);
  expect(await newEpochs()).toMatchObject([{ epoch, cause: "operator", is_held: false }]);
});

test("with the policy hold a rollback leaves every switch alone until an operator resolves it", async () => {
  await using held = await startService({ settings: { ROLLBACK_POLICY: "hold" } });
  const organisation = await held.organisation();
  const own = await makeSwitch(held);
  const [first = 0] = await shardsOf(held, own.groupId);
  await publish(held.database, { organisationId: organisation, shard: first });
  const [{ epoch } = { epoch: "" }] = await held.database.admin<{ epoch: string }>(
    "select epoch from feed_epoch",
  );
  const open = () =>
    openFeedStream(held.url, own.credential, { epoch, versions: { [first]: 1 }, tokens: { [first]: 1 } });

  await expect(open()).rejects.toThrow("503");
  await expect(open()).rejects.toThrow("503");
  const [current] = await held.database.admin<{ epoch: string; is_held: boolean }>(
    "select * from feed_epoch",
  );
  expect(current).toMatchObject({ is_held: true });
  const report = { epoch: current!.epoch, shards: [shardReport(first, 1)] };
  expect(await sendReport(held, own.credential, report)).toMatchObject({
    status: 503,
    body: { code: "feed_held" },
  });
  const [states] = await held.database.admin<{ is_unreachable: boolean }>(
    "select is_unreachable from switch_group_states where group_id = $1",
    [own.groupId],
  );
  expect(states).toEqual({ is_unreachable: true });

  await resolveEpoch(held.app, AUTHOR, current!.epoch);
  await using stream = await open();
  await untilReady(stream);
  expect(stream.messages[0]).toMatchObject({ type: "hello", epoch: current!.epoch });
});
