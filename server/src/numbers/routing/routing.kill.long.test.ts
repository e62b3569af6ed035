import { expect, test } from "vitest";
import { routeWhileKilling } from "./testing/killed-routing.ts";

test(
  "10,000 changes of routing while API and agent are killed 500 times: all applied within 10 s of the last kill, nothing shown that was not read back",
  { timeout: 3_600_000 },
  async () => {
    const report = await routeWhileKilling({
      changes: 10_000,
      kills: 500,
      numbers: 200,
      writers: 8,
      withinMs: 10_000,
    });
    const { lies, behind, ...figures } = report;
    console.log(JSON.stringify({ ...figures, lies: lies.slice(0, 10), behind: behind.length }));

    expect(report).toMatchObject({ changes: 10_000, lies: [], behind: [], broken: [] });
    expect(report.convergedMs).toBeLessThan(10_000);
    expect(report.kills.api + report.kills.agent).toBe(500);
    expect(report.changesAtLastKill).toBeGreaterThan(9_970);
    expect(report.amidChanges).toBeGreaterThan(400);
    expect(report.shown).toBeGreaterThan(1_000);
    expect(report.readBack).toBeGreaterThan(1_000);
  },
);
