import { expect, inject, test } from "vitest";
import { copyDatabase } from "../../../testing/test-database.ts";
import { orderFromTwoWhileKilling } from "./testing/killed-carrier-orders.ts";

test("buys nothing twice at two carriers while the worker is killed", { timeout: 300_000 }, async () => {
  await using database = await copyDatabase(inject("clusterUrl"));
  const report = await orderFromTwoWhileKilling(database, { orders: 60, kills: 6, withinMs: 120_000 });
  console.log(JSON.stringify(report));

  expect(report).toMatchObject({ orders: 60, open: 0, wrong: [], broken: [] });
  expect(report.amidWork).toBeGreaterThan(0);
});
