import { expect, inject, test } from "vitest";
import { copyDatabase } from "../../../testing/test-database.ts";
import { orderFromTwoWhileKilling } from "./testing/killed-carrier-orders.ts";

test(
  "buys nothing twice with 2,000 orders at two carriers while the worker is killed 100 times",
  { timeout: 3_600_000 },
  async () => {
    await using database = await copyDatabase(inject("clusterUrl"));
    // The rate limit of DIDWW allows less than two orders per second.
    const plan = { orders: 2_000, kills: 100, withinMs: 1_500_000 };
    const report = await orderFromTwoWhileKilling(database, plan);
    console.log(JSON.stringify(report));

    expect(report).toMatchObject({ orders: 2_000, open: 0, wrong: [], broken: [] });
    expect(report.amidWork).toBeGreaterThan(50);
  },
);
