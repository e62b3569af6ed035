import { expect, test } from "vitest";
import { shardsOf } from "../../../testing/feed-stream.ts";
import { startService, until } from "../../../testing/service.ts";
import { holdManyNumbers } from "../../../testing/stock.ts";
import { sendReport, shardReport } from "../../../testing/switch-reports.ts";
import { isLong } from "../../../testing/test-size.ts";
import { makeSwitch } from "../../../testing/walls/switch-callers.ts";

const NUMBERS = isLong ? 102_400 : 20_000;

test(`the first complete report over ${NUMBERS} unconfirmed items is taken within the time a statement may take`, async () => {
  await using service = await startService();
  await holdManyNumbers(service.database, await service.organisation(), NUMBERS);
  const { credential, groupId } = await makeSwitch(service);
  await until(() => service.app.feed.epoch());
  const heads = await service.database.admin<{ id: number; head: string; token: string }>(
    "select id, head, token from feed_shards where group_id = $1",
    [groupId],
  );
  expect(heads).toHaveLength((await shardsOf(service, groupId)).length);
  const shards = heads.map(({ id, head, token }) => ({
    ...shardReport(id, Number(head)),
    position: Number(head),
    version_token: Number(token),
  }));

  const sent = await sendReport(service, credential, { shards });

  expect(sent.status, sent.text).toBe(204);
  const [left] = await service.database.admin<{ items: number }>(
    `select count(*)::integer as items from feed_items i join feed_confirmations c on c.shard = i.shard
     join feed_shards s on s.id = i.shard
     where s.group_id = $1 and (i.confirmed_at is null or i.version > c.version)`,
    [groupId],
  );
  expect(left).toEqual({ items: 0 });
}, 300_000);
