import { test } from "vitest";
import { startService } from "../../../testing/service.ts";
import { compareUsage } from "./testing/usage-cases.ts";

const SCENES = 20;

test("100,000 windows: those that touch add up, and each is what its records add up to", async () => {
  await using service = await startService();
  for (let scene = 0; scene < SCENES; scene++)
    await compareUsage(service.database, { seed: scene, cases: 100_000 / SCENES });
}, 1_800_000);
