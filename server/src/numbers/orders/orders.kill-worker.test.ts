import { expect, inject, test } from "vitest";
import { orderWhileKilling } from "./testing/killed-orders.ts";
import { copyDatabase } from "../../../testing/test-database.ts";

test("killing the worker amid orders: every order ends as its numbers' scripts say, and each number is bought once", async () => {
  await using database = await copyDatabase(inject("clusterUrl"));
  const report = await orderWhileKilling(database, {
    orders: 40,
    kills: 6,
    clients: 4,
    withinMs: 60_000,
    areLeasesCut: true,
  });

  expect(report).toMatchObject({ orders: 40, open: [], wrong: [], orphans: [], broken: [] });
  expect(report.items).toBe(100);
  expect(report.ordersAtLastKill).toBeGreaterThan(30);
  expect(report.amidWork).toBeGreaterThan(3);
  expect(report.unwritten).toBeGreaterThan(0);
});
