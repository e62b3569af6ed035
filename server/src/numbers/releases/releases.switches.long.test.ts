import { test } from "vitest";
import { MODEL_SEED } from "../../../testing/model-seed.ts";
import { openReleaseDesk } from "../../../testing/release-desk.ts";
import { tryReleaseHistories } from "./testing/release-histories.ts";

test(
  `2,000 random histories of releases and switches: no carrier is told too early, no released number routes (MODEL_SEED=${MODEL_SEED})`,
  { timeout: 3_600_000 },
  async () => {
    console.log(`MODEL_SEED=${MODEL_SEED}`);
    await using desk = await openReleaseDesk();
    await tryReleaseHistories(desk, 2_000, MODEL_SEED);
  },
);
