import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import type { FeedMessage } from "@dialplane/switch-agent";
import { expect, test } from "vitest";
import {
  type FeedStream,
  openFeedStream,
  publish,
  shardsOf,
  untilReady,
} from "../../../testing/feed-stream.ts";
import { bearer, type Service, startService, until } from "../../../testing/service.ts";
import { sendReport, shardReport } from "../../../testing/switch-reports.ts";
import { makeSwitch } from "../../../testing/walls/switch-callers.ts";
import { systemAuthor } from "../../events/audit/audit.ts";
import { changeSwitch, createSwitchGroup, rotateCredential } from "../switches/switches.ts";
import { openFeed } from "./feed.ts";

const AUTHOR = systemAuthor("test");

/** Publishes `count` changes of a shard in one transaction, each of about a kilobyte. */
async function publishMany(service: Service, shard: number, count: number): Promise<void> {
  await service.database.admin(
    `select count(publish_item($1, 'route', gen_random_uuid(), (select id from organisations limit 1), 'live', 1,
       jsonb_build_object('e164', repeat('x', 1000)), now())) from generate_series(1, $2::integer)`,
    [shard, count],
  );
}

const versionsOf = (stream: FeedStream): number[] => stream.items().map(({ version }) => version);
const upTo = (head: number): number[] => Array.from({ length: head }, (_, at) => at + 1);

test("an agent that stops reading costs little memory, does not slow the others, and is given everything when it reads on", async () => {
  await using service = await startService();
  await service.organisation();
  const { credential, groupId, id } = await makeSwitch(service);
  const [shard] = (await shardsOf(service, groupId)) as [number];
  const unread = await service.app.feed.open(
    { switchId: id, groupId, name: "slow", credentialVersion: 1 },
    { epoch: null, versions: {} },
  );
  await using slow = await openFeedStream(service.url, credential);
  await using quick = await openFeedStream(service.url, credential);
  await untilReady(slow);
  await untilReady(quick);
  slow.pause();

  for (let round = 1; round <= 12; round++) {
    await publishMany(service, shard, 900);
    await until(() => quick.position().versions[shard] === round * 900);
  }

  // More than 10 MB were published; a full buffer and one page are what may wait.
  expect(unread.readableLength).toBeGreaterThan(256 * 1024);
  expect(unread.readableLength).toBeLessThan(2_000_000);
  slow.resume();
  await until(() => slow.position().versions[shard] === 10_800);
  expect(versionsOf(slow)).toEqual(upTo(10_800));
  const read: FeedMessage[] = [];
  for await (const line of createInterface({ input: unread })) {
    read.push(JSON.parse(line) as FeedMessage);
    const last = read.at(-1)!;
    if ("version" in last && last.shard === shard && last.version === 10_800) break;
  }
  expect(
    read.flatMap((message) => ("items" in message ? message.items : [])).map(({ version }) => version),
  ).toEqual(upTo(10_800));
  unread.destroy();
});

test("delivers more changes than are shared at once, in order and once", async () => {
  await using service = await startService();
  await service.organisation();
  const { credential, groupId } = await makeSwitch(service);
  const [shard] = (await shardsOf(service, groupId)) as [number];
  await using stream = await openFeedStream(service.url, credential);
  await untilReady(stream);

  await publishMany(service, shard, 2_500);
  await until(() => stream.position().versions[shard] === 2_500);
  await publishMany(service, shard, 5);
  await until(() => stream.position().versions[shard] === 2_505);

  expect(versionsOf(stream)).toEqual(upTo(2_505));
});

test("a stream ends within a second when its switch is retired or its credential replaced, and not before", async () => {
  await using service = await startService();
  const [retired, rotated, other] = await Promise.all([
    makeSwitch(service),
    makeSwitch(service),
    makeSwitch(service),
  ]);
  await using ofRetired = await openFeedStream(service.url, retired.credential);
  await using ofRotated = await openFeedStream(service.url, rotated.credential);
  await using ofOther = await openFeedStream(service.url, other.credential);
  const answerTo = async (credential: string): Promise<number> =>
    (await service.send("POST", "/switch/v1/reports", { headers: bearer(credential), body: {} })).status;

  await changeSwitch(service.app, AUTHOR, retired.id, { state: "retired" });
  const { credential } = await rotateCredential(service.app, AUTHOR, rotated.id);

  await until(() => ofRetired.isEnded() && ofRotated.isEnded(), 3_000);
  expect(ofOther.isEnded()).toBe(false);
  await until(async () => (await answerTo(retired.credential)) === 403);
  await until(async () => (await answerTo(rotated.credential)) === 401);
  expect(await answerTo(credential)).toBe(400);
  await using again = await openFeedStream(service.url, credential);
  await untilReady(again);
});

test("sends the state of a drained or activated switch within a second, and at once on reconnect", async () => {
  await using service = await startService();
  const [drained, other] = await Promise.all([makeSwitch(service), makeSwitch(service)]);
  await using stream = await openFeedStream(service.url, drained.credential);
  await using ofOther = await openFeedStream(service.url, other.credential);
  const statesIn = ({ messages }: typeof stream) =>
    messages.flatMap((message) => (message.type === "state" ? [message.state] : []));
  await until(() => statesIn(stream).length === 1 && statesIn(ofOther).length === 1);

  await changeSwitch(service.app, AUTHOR, drained.id, { state: "draining" });
  await until(() => statesIn(stream).length === 2, 3_000);
  await using again = await openFeedStream(service.url, drained.credential);
  await untilReady(again);
  await changeSwitch(service.app, AUTHOR, drained.id, { state: "active" });
  await until(() => statesIn(stream).length === 3 && statesIn(again).length === 2, 3_000);

  expect(statesIn(stream)).toEqual(["active", "draining", "active"]);
  expect(statesIn(again)).toEqual(["draining", "active"]);
  expect(statesIn(ofOther)).toEqual(["active"]);
});

test("keeps a formerly retired switch rejecting calls until it has read back everything", async () => {
  await using service = await startService();
  const { id, credential, groupId } = await makeSwitch(service);
  const shards = await shardsOf(service, groupId);
  const statesIn = ({ messages }: FeedStream) =>
    messages.flatMap((message) => (message.type === "state" ? [message.state] : []));
  for (const state of ["retired", "active"] as const) await changeSwitch(service.app, AUTHOR, id, { state });
  await using stream = await openFeedStream(service.url, credential);
  await untilReady(stream);
  expect(statesIn(stream)).toEqual(["draining"]);

  const report = { boot: "boot 2", shards: shards.map((shard) => shardReport(shard, 0)) };
  await sendReport(service, credential, { ...report, is_complete: false });
  await sendReport(service, credential, { ...report, is_complete: true });
  await until(() => statesIn(stream).length === 2, 3_000);
  expect(statesIn(stream)).toEqual(["draining", "active"]);

  // Another start of the same switch is not a return from retirement: it has its own file.
  await sendReport(service, credential, { ...report, boot: "boot 3", is_complete: false });
  await using again = await openFeedStream(service.url, credential);
  await untilReady(again);
  expect(statesIn(again)).toEqual(["active"]);
});

test("a credential that was replaced opens no stream, not even at once and with the switch's new one in place", async () => {
  await using service = await startService();
  const { id, credential } = await makeSwitch(service);
  await using before = await openFeedStream(service.url, credential);

  const rotated = await rotateCredential(service.app, AUTHOR, id);
  // The old one is still remembered here, for up to a second.
  const tooLate = openFeedStream(service.url, credential);

  await expect(tooLate).rejects.toThrow("401");
  await until(() => before.isEnded(), 3_000);
  await using after = await openFeedStream(service.url, rotated.credential);
  await untilReady(after);
});

test("continues streams after the loss of every database connection, without gaps", async () => {
  await using service = await startService();
  const organisationId = await service.organisation();
  const { credential, groupId } = await makeSwitch(service);
  const [shard] = (await shardsOf(service, groupId)) as [number];
  await using stream = await openFeedStream(service.url, credential);
  await untilReady(stream);

  for (let round = 1; round <= 5; round++) {
    await service.database.admin(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and usename like 'dialplane_%'",
    );
    await publish(service.database, { organisationId, shard });
    await until(() => stream.position().versions[shard] === round);
  }

  expect(versionsOf(stream)).toEqual(upTo(5));
  expect(stream.isEnded()).toBe(false);
});

test("limits concurrent catch-ups of many agents, and completes all", async () => {
  await using service = await startService({ settings: { DATABASE_CONNECTIONS: "10" } });
  const organisationId = await service.organisation();
  const { groupId, id } = await makeSwitch(service);
  const [shard] = (await shardsOf(service, groupId)) as [number];
  await publish(service.database, { organisationId, shard });
  const { app, database } = service;
  const feed = openFeed({
    ...app,
    pollMs: 20,
    declareRollback: async () => expect.unreachable(),
    catchUps: 2,
  });
  const who = { switchId: id, groupId, name: "many", credentialVersion: 1 };
  const reading = async (): Promise<number> =>
    (
      await database.admin(
        "select from pg_stat_activity where datname = current_database() and usename = 'dialplane_switch' and wait_event_type = 'Lock'",
      )
    ).length;

  const opened: FeedMessage[][] = [];
  const reads: Promise<void>[] = [];
  // While the items are locked, catch-ups cannot proceed.
  await app.db.forSystem("feed", async (tx) => {
    await tx.query("lock table feed_items in access exclusive mode");
    for (let at = 0; at < 20; at++) {
      const stream = await feed.open(who, { epoch: null, versions: {} });
      const messages: FeedMessage[] = [];
      opened.push(messages);
      reads.push(readUntilReady(stream, messages));
    }
    await until(async () => (await reading()) > 1);
    expect(await reading()).toBe(2);
  });

  await Promise.all(reads);
  for (const messages of opened) expect(messages.filter(({ type }) => type === "snapshot")).toHaveLength(256);
  await feed.close();
});

async function readUntilReady(stream: Readable, messages: FeedMessage[]): Promise<void> {
  for await (const line of createInterface({ input: stream })) {
    messages.push(JSON.parse(line) as FeedMessage);
    if (messages.at(-1)!.type === "ready") break;
  }
  stream.destroy();
}

test("a stopping process ends its streams at once and opens no more", async () => {
  const service = await startService({ settings: { DRAIN_SECONDS: "15" } });
  const { credential } = await makeSwitch(service);
  const stream = await openFeedStream(service.url, credential);
  await untilReady(stream);
  const startedAt = performance.now();

  await service[Symbol.asyncDispose]();

  expect(performance.now() - startedAt).toBeLessThan(5_000);
  expect(stream.isEnded()).toBe(true);
});

test("a switch is given its own group's items and no others", async () => {
  await using service = await startService();
  const organisationId = await service.organisation();
  const here = await makeSwitch(service);
  const elsewhere = await createSwitchGroup(service.app, AUTHOR, { name: "elsewhere", shards: 2 });
  const [ours] = (await shardsOf(service, here.groupId)) as [number];
  const foreign = await shardsOf(service, elsewhere.id);
  for (const shard of foreign) await publish(service.database, { organisationId, shard });
  const [epoch] = await service.database.admin<{ epoch: string }>("select epoch from feed_epoch");

  // Naming foreign shards in the position opens nothing.
  const position = { epoch: epoch!.epoch, versions: Object.fromEntries(foreign.map((shard) => [shard, 0])) };
  await using stream = await openFeedStream(service.url, here.credential, position);
  await untilReady(stream);
  for (const shard of foreign) await publish(service.database, { organisationId, shard });
  const { id } = await publish(service.database, { organisationId, shard: ours });
  await until(() => stream.items().length > 0);

  expect(stream.items().map((item) => item.id)).toEqual([id]);
  expect(JSON.stringify(stream.messages[0])).not.toContain(`,${foreign[0]},`);
});

test("resolves a wait when every counted switch has read the version back, and not before", async () => {
  await using service = await startService();
  const organisationId = await service.organisation();
  const { credential, groupId } = await makeSwitch(service);
  const [shard] = (await shardsOf(service, groupId)) as [number];
  const { version } = await publish(service.database, { organisationId, shard });
  let isConfirmed = false;
  const waiting = service.app.feed
    .waitUntilConfirmed([{ shard, version }], AbortSignal.timeout(10_000))
    .then(() => (isConfirmed = true));
  const report = (is_complete: boolean, versionOf: (shard: number) => number) => ({
    epoch: service.app.feed.epoch(),
    boot: "boot",
    agent_version: "test",
    is_complete,
    shards: shards.map((one) => ({
      shard: one,
      version: versionOf(one),
      observed_at: new Date().toISOString(),
      exceptions: [],
    })),
  });
  const shards = await shardsOf(service, groupId);
  await until(() => service.app.feed.epoch());
  const send = (body: object): Promise<{ status: number }> =>
    service.send("POST", "/switch/v1/reports", { headers: bearer(credential), body });

  expect((await send(report(true, () => 0))).status).toBe(204);
  expect(isConfirmed).toBe(false);
  expect((await send(report(true, (one) => (one === shard ? version : 0)))).status).toBe(204);

  await waiting;
  const [confirmed] = await service.database.admin<{ version: string }>(
    "select version from feed_confirmations where shard = $1",
    [shard],
  );
  expect(Number(confirmed!.version)).toBe(version);
  const abandoned = AbortSignal.timeout(50);
  await service.app.feed.waitUntilConfirmed([{ shard, version: version + 1 }], abandoned);
  expect(abandoned.aborted).toBe(true);
});
