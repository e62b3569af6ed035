import { test } from "vitest";
import { startService } from "../../testing/service.ts";
import { compareUsage } from "../../testing/usage-cases.ts";

const RUNS = 20;

test("100,000 windows: those that touch add up, and each is what its records add up to", async () => {
  await using service = await startService();
  for (let run = 0; run < RUNS; run++)
    await compareUsage(service.database, { seed: run, cases: 100_000 / RUNS });
}, 7_200_000);
