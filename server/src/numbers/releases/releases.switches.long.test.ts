import { test } from "vitest";
import { MODEL_SEED } from "../../../testing/model-seed.ts";
import { openReleaseDesk } from "../../../testing/release-desk.ts";
import { tryReleaseHistories } from "./testing/release-histories.ts";

test(
  `calls no carrier too early and routes no released number in 2,000 random histories (MODEL_SEED=${MODEL_SEED})`,
  { timeout: 3_600_000 },
  async () => {
    console.log(`MODEL_SEED=${MODEL_SEED}`);
    await using desk = await openReleaseDesk();
    await tryReleaseHistories(desk, 2_000, MODEL_SEED);
  },
);
