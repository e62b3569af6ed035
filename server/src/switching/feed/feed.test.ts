import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { systemAuthor } from "../../events/audit/audit.ts";
import { createSwitch, createSwitchGroup } from "../switches/switches.ts";
import {
  type FeedStream,
  openFeedStream,
  publish,
  shardsOf,
  untilReady,
} from "../../../testing/feed-stream.ts";
import { type Service, startService, until } from "../../../testing/service.ts";

const AUTHOR = systemAuthor("test");

let service: Service;
let organisationId: string;
beforeAll(async () => {
  service = await startService();
  organisationId = await service.organisation();
});
afterAll(() => service[Symbol.asyncDispose]());

let groups = 0;
/** A switch in a separate group. */
async function newSwitch(shards = 2): Promise<{ credential: string; shards: number[]; id: string }> {
  const name = `group ${++groups}`;
  const group = await createSwitchGroup(service.app, AUTHOR, { name, shards });
  const { row, credential } = await createSwitch(service.app, AUTHOR, { name: "one", groupName: name });
  return { credential, shards: await shardsOf(service, group.id), id: row.id };
}

const typesOf = (stream: FeedStream): string[] =>
  stream.messages.map((message) => message.type).filter((type) => type !== "ping");

describe("a stream", () => {
  test("of a new agent begins with hello, a snapshot of every shard and ready", async () => {
    const { credential, shards, id } = await newSwitch();
    const kept = await publish(service.database, { organisationId, shard: shards[0]! });
    await publish(service.database, { organisationId, shard: shards[0]!, id: kept.id, generation: 2 });
    const gone = await publish(service.database, { organisationId, shard: shards[1]! });
    await publish(service.database, { organisationId, shard: shards[1]!, id: gone.id, value: null });

    await using stream = await openFeedStream(service.url, credential);
    await untilReady(stream);

    expect(stream.messages).toEqual([
      {
        type: "hello",
        epoch: expect.any(String),
        instance: expect.any(String),
        lineage: expect.any(String),
        features: ["tokens", "sockets", "switch_features", "hold"],
        switch: { id, name: "one" },
        shards,
      },
      { type: "state", state: "active" },
      {
        type: "snapshot",
        shard: shards[0],
        version: 2,
        version_token: expect.any(Number),
        items: [
          {
            kind: "route",
            id: kept.id,
            version: 2,
            generation: 2,
            organisation_id: organisationId,
            value: { e164: "+442079460000", mode: "unrouted" },
          },
        ],
      },
      { type: "snapshot", shard: shards[1], version: 2, version_token: expect.any(Number), items: [] },
      { type: "ready" },
    ]);
  });

  test("continues with later commits, including removals", async () => {
    const { credential, shards } = await newSwitch();
    await using stream = await openFeedStream(service.url, credential);
    await untilReady(stream);

    const { id } = await publish(service.database, { organisationId, shard: shards[0]! });
    await until(() => stream.items().length === 1);
    await publish(service.database, { organisationId, shard: shards[0]!, id, generation: 2, value: null });
    await until(() => stream.items().length === 2);

    expect(stream.items()).toMatchObject([
      { id, version: 1, generation: 1, value: { mode: "unrouted" } },
      { id, version: 2, generation: 2, value: null },
    ]);
  });

  test("resumed from a position brings what came since, and nothing for shards without news", async () => {
    const { credential, shards } = await newSwitch(3);
    for (const shard of shards) await publish(service.database, { organisationId, shard });
    const first = await openFeedStream(service.url, credential);
    await untilReady(first);
    await first[Symbol.asyncDispose]();
    await publish(service.database, { organisationId, shard: shards[1]! });
    await publish(service.database, { organisationId, shard: shards[1]! });

    await using second = await openFeedStream(service.url, credential, first.position());
    await untilReady(second);

    expect(typesOf(second)).toEqual(["hello", "state", "changes", "ready"]);
    expect(second.messages[2]).toMatchObject({
      shard: shards[1],
      version: 3,
      items: [{ version: 2 }, { version: 3 }],
    });
  });

  test.each([
    { from: "another epoch", epoch: "1-00000001", versions: (shard: number) => ({ [shard]: 2 }) },
    { from: "a version that never was", epoch: undefined, versions: (shard: number) => ({ [shard]: 3 }) },
    { from: "a version that is forgotten", epoch: undefined, versions: (shard: number) => ({ [shard]: 0 }) },
    { from: "no version at all", epoch: undefined, versions: () => ({}) },
  ])("resumed from $from starts over with a snapshot", async ({ epoch, versions }) => {
    const { credential, shards } = await newSwitch(1);
    const [shard] = shards as [number];
    await publish(service.database, { organisationId, shard });
    await publish(service.database, { organisationId, shard });
    await service.database.admin("update feed_shards set floor = 1 where id = $1", [shard]);
    const [found] = await service.database.admin<{ epoch: string }>("select epoch from feed_epoch");

    await using stream = await openFeedStream(service.url, credential, {
      epoch: epoch ?? found!.epoch,
      versions: versions(shard),
    });
    await untilReady(stream);

    expect(typesOf(stream)).toEqual(["hello", "state", "snapshot", "ready"]);
    expect(stream.messages[2]).toMatchObject({ version: 2, items: [{ version: 1 }, { version: 2 }] });
  });

  test("that is closed by its agent is forgotten", async () => {
    const { credential } = await newSwitch();
    const agents = async (): Promise<number> => (await service.app.metrics.feedAgents.get()).values[0]!.value;
    const before = await agents();
    const stream = await openFeedStream(service.url, credential);
    expect(await agents()).toBe(before + 1);

    await stream[Symbol.asyncDispose]();

    await until(async () => (await agents()) === before);
  });
});
