import { expect, test } from "vitest";
import { writeWhileKilling } from "./testing/killed-writes.ts";

test("2,000 keyed writes while the API is killed repeatedly: none lost, none twice", async () => {
  const report = await writeWhileKilling({ writes: 2_000, kills: 200, writers: 4 });
  console.log(JSON.stringify({ ...report, lost: report.lost.length, doubled: report.doubled.length }));

  expect(report).toMatchObject({ lost: [], doubled: [], broken: [] });
  expect(report.kills).toBeGreaterThan(20);
});
