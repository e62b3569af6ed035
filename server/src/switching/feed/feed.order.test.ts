import { expect, test } from "vitest";
import { raceFeed } from "./testing/feed-race.ts";
import { shardsOf } from "../../../testing/feed-stream.ts";
import { startService } from "../../../testing/service.ts";
import { makeSwitch } from "../../../testing/walls/switch-callers.ts";

test("readers that are cut off and resume at random miss nothing and see everything in order, however transactions overtake each other", async () => {
  await using service = await startService();
  const { credential, groupId } = await makeSwitch(service);
  const report = await raceFeed(service, {
    credential,
    organisationId: await service.organisation(),
    shards: (await shardsOf(service, groupId)).slice(0, 8),
    writers: 16,
    changes: 1_500,
    readers: 3,
  });

  expect(report.faults).toEqual([]);
  expect(report.committed).toBe(1_500);
  expect(report.delayed).toBeGreaterThan(300);
  expect(report.read).toEqual(report.read.map(() => report.committed));
  expect(report.resumed).toBeGreaterThan(5);
});
