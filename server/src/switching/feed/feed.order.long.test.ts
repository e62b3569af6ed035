import { expect, test } from "vitest";
import { raceFeed } from "./testing/feed-race.ts";
import { shardsOf } from "../../../testing/feed-stream.ts";
import { startService } from "../../../testing/service.ts";
import { makeSwitch } from "../../../testing/walls/switch-callers.ts";

test("64 writers, 20,000 changes, 30 % of the transactions pause before they end: every reader is given every change once and in order", async () => {
  await using service = await startService();
  const { credential, groupId } = await makeSwitch(service);
  const report = await raceFeed(service, {
    credential,
    organisationId: await service.organisation(),
    shards: (await shardsOf(service, groupId)).slice(0, 64),
    writers: 64,
    changes: 20_000,
    readers: 5,
  });

  expect(report.faults).toEqual([]);
  expect(report.committed).toBe(20_000);
  expect(report.delayed / report.committed).toBeGreaterThan(0.28);
  expect(report.read).toEqual(report.read.map(() => report.committed));
  expect(report.resumed).toBeGreaterThan(50);
});
