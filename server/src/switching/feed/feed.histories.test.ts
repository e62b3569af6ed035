import { expect, test } from "vitest";
import { runHistories } from "./testing/feed-histories.ts";
import { MODEL_SEED } from "../../../testing/model-seed.ts";
import { startService } from "../../../testing/service.ts";
import { isLong } from "../../../testing/test-size.ts";

const [COUNT, LONGEST_MS] = isLong ? [10_000, 7_200_000] : [80, 180_000];
const AT_ONCE = 250;

test(
  `in ${COUNT} random histories with rollbacks, an agent never ends with a version that the service never committed`,
  async () => {
    const total = { rollbacks: 0, accepted: 0, diverged: 0 };
    // A separate database for every few hundred, because leftovers would slow down the next ones.
    for (let done = 0; done < COUNT; done += AT_ONCE) {
      await using service = await startService();
      const report = await runHistories(service, MODEL_SEED + done, Math.min(AT_ONCE, COUNT - done));
      expect(report.faults).toEqual([]);
      for (const name of ["rollbacks", "accepted", "diverged"] as const) total[name] += report[name];
    }
    console.log(
      `seed ${MODEL_SEED}: ${total.rollbacks} rollbacks, ${total.accepted} reports taken, ${total.diverged} rejected`,
    );
    expect(total.rollbacks).toBeGreaterThan(COUNT / 2);
    expect(total.accepted).toBeGreaterThan(COUNT);
    expect(total.diverged).toBeGreaterThan(COUNT / 50);
  },
  LONGEST_MS,
);
