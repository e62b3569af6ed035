import { expect, test } from "vitest";
import { openFeedStream, publish, shardsOf, untilReady } from "../../../testing/feed-stream.ts";
import { startService } from "../../../testing/service.ts";
import { makeSwitch } from "../../../testing/walls/switch-callers.ts";
import { sweepFeedJob } from "./feed.jobs.ts";

const WEEK_MS = 7 * 86_400_000;

test("what was taken away is forgotten a week after every switch confirmed it, and who stopped reading before that starts over", async () => {
  await using service = await startService();
  const organisationId = await service.organisation();
  const { credential, groupId } = await makeSwitch(service);
  const [shard, other] = (await shardsOf(service, groupId)) as [number, number];
  const kept = await publish(service.database, { organisationId, shard });
  const gone = await publish(service.database, { organisationId, shard, value: null });
  const unconfirmed = await publish(service.database, { organisationId, shard, value: null });
  const last = await publish(service.database, { organisationId, shard });
  const elsewhere = await publish(service.database, { organisationId, shard: other, value: null });
  await service.database.admin("update feed_items set confirmed_at = now() where item_id = any ($1)", [
    [kept.id, gone.id, last.id, elsewhere.id],
  ]);
  const left = async (): Promise<string[]> =>
    (
      await service.database.admin<{ item_id: string }>(
        "select item_id from feed_items where environment = 'live' order by shard, version",
      )
    ).map((row) => row.item_id);
  const floor = async (of: number): Promise<number> => {
    const [row] = await service.database.admin<{ floor: string }>(
      "select floor from feed_shards where id = $1",
      [of],
    );
    return Number(row!.floor);
  };

  const issued = await service.database.admin<{ version: string; token: string }>(
    "select version, token from feed_items where shard = $1",
    [shard],
  );
  const tokenOf = (version: number): number =>
    Number(issued.find((one) => Number(one.version) === version)!.token);

  service.clock.advance(WEEK_MS - 60_000);
  await sweepFeedJob.run(service.app);
  expect(await left()).toHaveLength(5);
  service.clock.advance(120_000);
  await sweepFeedJob.run(service.app);

  expect(await left()).toEqual([kept.id, unconfirmed.id, last.id]);
  expect([await floor(shard), await floor(other)]).toEqual([gone.version, elsewhere.version]);
  const [{ epoch } = { epoch: "" }] = await service.database.admin<{ epoch: string }>(
    "select epoch from feed_epoch",
  );
  const kindFrom = async (version: number): Promise<string[]> => {
    await using stream = await openFeedStream(service.url, credential, {
      epoch,
      versions: { [shard]: version },
      tokens: { [shard]: tokenOf(version) },
    });
    await untilReady(stream);
    return stream.messages.flatMap((message) =>
      "items" in message && message.shard === shard ? message.type : [],
    );
  };
  expect(await kindFrom(gone.version - 1)).toEqual(["snapshot"]);
  expect(await kindFrom(gone.version)).toEqual(["changes"]);
});
