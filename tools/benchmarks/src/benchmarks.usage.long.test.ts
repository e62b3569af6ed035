import { expect, test } from "vitest";
import type { Ratio } from "./bench-report.ts";
import { bench } from "./testing/bench.ts";
import { USAGE_LEGS, type UsageCost } from "./usage-cost.ts";

test(
  "measures usage at every size, by indexes, while partitions are created and dropped",
  { timeout: 180_000 },
  async () => {
    const { usage } = await bench<{ usage: UsageCost & { ratios: Ratio[]; growth: Ratio[] } }>("usage", [
      "--rounds",
      "1",
      "--seconds",
      "0.2",
      "--calls",
      "20000",
      "--rollups",
      "100000",
    ]);

    expect(usage.rounds).toHaveLength(1);
    for (const name of USAGE_LEGS) {
      const leg = usage.rounds[0]![name];
      expect(leg.operations, name).toBeGreaterThan(0);
    }
    expect(usage.rawSums.map(({ calls }) => calls)).toEqual([2, 200, 20_000]);
    // As many whole days and hours as the window has, and some single calls: not more with more calls.
    expect(usage.plans.year.rows).toBeGreaterThan(363);
    expect(usage.plans.year.rows).toBeLessThan(420);
    expect(usage.plans.hours.rows).toBeGreaterThan(640);
    expect(usage.conditions.rollups).toBeGreaterThanOrEqual(100_000);
    expect(usage.upkeep.dropped).toBeGreaterThan(0);
    expect(usage.upkeep.made).toBeGreaterThan(0);
    for (const ratio of [...usage.ratios, ...usage.growth])
      expect(Number.isFinite(ratio.median) && ratio.median > 0, ratio.what).toBe(true);
  },
);
