import { expect, inject, test } from "vitest";
import { measureConvergence } from "./testing/convergence.ts";
import { copyDatabase } from "../../../testing/test-database.ts";

test("five rounds of 200 changes: a switch has each of them within 40 ms at the median, 120 ms at the 99th percentile", async () => {
  await using database = await copyDatabase(inject("clusterUrl"));
  const report = await measureConvergence(database, { rounds: 5, changes: 200 });
  console.log(`convergence: ${JSON.stringify(report)}`);

  expect(report).toMatchObject({ inSync: 1_000, others: [] });
  expect(report.p50Ms).toBeLessThanOrEqual(40);
  expect(report.p99Ms).toBeLessThanOrEqual(120);
});
