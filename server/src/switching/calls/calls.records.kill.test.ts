import { expect, test } from "vitest";
import { recordWhileKilling } from "./testing/killed-records.ts";

test("records that come twice, out of order and through kills of the API are counted once each", async () => {
  const report = await recordWhileKilling({ records: 20_000, kills: 3 });
  expect(report).toMatchObject({ rows: 20_000, kills: 3, wrong: [], broken: [] });
});
