import { expect, test } from "vitest";
import { CountedCalls, shortCalls } from "./service/counted-calls.ts";
import { callThroughKills } from "./service/kill-run.ts";

test("20,000 calls, 300 a second, with switch, agent or server killed every 5 seconds: one record of each answered call, none twice", async () => {
  await using scene = await CountedCalls.open(shortCalls, { shared_memory_mb: 256 });
  const outcome = await callThroughKills(scene, { calls: 20_000, perSecond: 300, everyMs: 5_000 });
  console.log(outcome.told);
  expect(outcome).toMatchObject({ twice: [], wrong: [], oneSided: [], miscounted: [] });
  // Callers retry during a kill, so hardly any call stays unanswered.
  expect(outcome.answered).toBeGreaterThan(19_800);
  expect(Object.values(outcome.kills).reduce((all, one) => all + one)).toBeGreaterThanOrEqual(10);
  expect(Math.min(...Object.values(outcome.kills))).toBeGreaterThan(0);
  expect(outcome.unknown).toBeLessThanOrEqual(outcome.mostUnknown);
}, 600_000);
