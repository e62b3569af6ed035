import { expect, test } from "vitest";
import { recordWhileKilling } from "./testing/killed-records.ts";

test("a million records that come twice, out of order and through fifty kills of the API are counted once each", async () => {
  const report = await recordWhileKilling({ records: 1_000_000, kills: 50 });
  console.log(JSON.stringify({ ...report, wrong: report.wrong.length }));
  expect(report).toMatchObject({ rows: 1_000_000, kills: 50, wrong: [], broken: [] });
}, 1_800_000);
