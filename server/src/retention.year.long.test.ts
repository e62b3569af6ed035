import { expect, test } from "vitest";
import { SHARE, simulateYear } from "../testing/simulated-year.ts";

test("a year of a busy service ends under load", { timeout: 14_400_000 }, async () => {
  const report = await simulateYear(
    {
      events: 20_000_000 * SHARE,
      auditEntries: 20_000_000 * SHARE,
      usageHours: 50_000_000 * SHARE,
      calls: 10_000_000 * SHARE,
    },
    31,
  );
  const { before, after, sums, ...figures } = report;
  console.table(
    Object.fromEntries(
      Object.keys(before).map((table) => [
        table,
        {
          "rows before": before[table]!.rows,
          "rows after": after[table]!.rows,
          "MB before": before[table]!.mb,
          "MB after": after[table]!.mb,
        },
      ]),
    ),
  );
  console.log(JSON.stringify({ ...figures, archived: sums.archived }, null, 2));
  expect(report.underLoad.failures).toEqual([]);
  expect(report.broken).toEqual([]);
  expect(sums.usageAfter).toEqual(sums.usageBefore);
  expect(sums.archived).toEqual(sums.stored);
  // A millisecond is the noise of a busy machine.
  for (const [name, [first, second]] of Object.entries(report.queries))
    expect(second, name).toBeLessThan(first * 1.3 + 1);
});
