import { expect, test } from "vitest";
import { simulateYear } from "../testing/simulated-year.ts";

test("a small year ends under load, without an error and with equal sums", async () => {
  const report = await simulateYear(
    { events: 8_000, auditEntries: 8_000, usageHours: 35_040, calls: 5_000 },
    1,
  );
  const { before, after, sums } = report;
  expect(report.underLoad.failures).toEqual([]);
  expect(report.underLoad.done).toBeGreaterThan(3);
  expect(report.broken).toEqual([]);
  expect(sums.usageAfter).toEqual(sums.usageBefore);
  expect(sums.archived).toEqual(sums.stored);
  for (const table of ["events", "audit_entries", "usage_hours", "organisation_usage_hours"])
    expect(after[table]!.rows, table).toBeLessThan(before[table]!.rows * 0.65);
});
