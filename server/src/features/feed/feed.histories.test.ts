import { expect, test } from "vitest";
import { runHistories } from "../../testing/feed-histories.ts";
import { MODEL_SEED } from "../../testing/model-seed.ts";
import { startService } from "../../testing/service.ts";
import { isLong } from "../../testing/test-size.ts";

const [COUNT, LONGEST_MS] = isLong ? [10_000, 7_200_000] : [80, 180_000];

test(
  `in ${COUNT} random histories with rollbacks, an agent never ends with a version that the service never committed`,
  async () => {
    await using service = await startService();
    const { faults, rollbacks, accepted, diverged } = await runHistories(service, MODEL_SEED, COUNT);

    console.log(
      `seed ${MODEL_SEED}: ${rollbacks} rollbacks, ${accepted} reports taken, ${diverged} rejected`,
    );
    expect(faults).toEqual([]);
    expect(rollbacks).toBeGreaterThan(COUNT / 2);
    expect(accepted).toBeGreaterThan(COUNT);
    expect(diverged).toBeGreaterThan(COUNT / 50);
  },
  LONGEST_MS,
);
