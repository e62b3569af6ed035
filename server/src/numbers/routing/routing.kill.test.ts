import { expect, test } from "vitest";
import { routeWhileKilling } from "./testing/killed-routing.ts";

test("killing API and agent amid changes: applied comes to what was last desired, never goes back, and is what the switch was read to hold", async () => {
  const report = await routeWhileKilling({
    changes: 200,
    kills: 6,
    numbers: 20,
    writers: 4,
    withinMs: 30_000,
  });

  expect(report).toMatchObject({ changes: 200, lies: [], behind: [], broken: [] });
  expect(report.kills.api + report.kills.agent).toBe(6);
  expect(report.changesAtLastKill).toBeGreaterThan(160);
  expect(report.amidChanges).toBeGreaterThan(3);
  expect(report.shown).toBeGreaterThan(20);
  expect(report.readBack).toBeGreaterThan(20);
});
