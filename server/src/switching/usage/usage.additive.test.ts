import { test } from "vitest";
import { startService } from "../../../testing/service.ts";
import { compareUsage } from "./testing/usage-cases.ts";

test("windows that touch add up, and each is what its records add up to, one by one", async () => {
  await using service = await startService();
  await compareUsage(service.database, { seed: 20_240_229, cases: 200 });
}, 180_000);
