import { expect, inject, test } from "vitest";
import { startKillableCluster } from "./testing/killable-cluster.ts";
import { type OrderKillReport, orderWhileKilling } from "./testing/killed-orders.ts";
import { stopAmidOrder } from "./testing/stopped-worker.ts";
import { copyDatabase } from "../../../testing/test-database.ts";

const ORDERS = 2_000;
const PLAN = { orders: ORDERS, clients: 4, withinMs: 120_000 };

test(
  "2,000 orders while the worker is killed 500 times: all end within 60 s of the last kill, each number is bought once, nothing is orphaned",
  { timeout: 7_200_000 },
  async () => {
    await using database = await copyDatabase(inject("clusterUrl"));
    const report = await orderWhileKilling(database, { ...PLAN, kills: 500 });

    expectNothingLost(report);
    expect(report.amidWork).toBeGreaterThan(400);
    expect(report.unwritten).toBeGreaterThan(50);
    expect(report.ordersAtLastKill).toBeGreaterThan(ORDERS - 10);
  },
);

test(
  "2,000 orders while PostgreSQL is killed 20 times: all end within 60 s of the last kill, each number is bought once, nothing is orphaned",
  { timeout: 3_600_000 },
  async () => {
    await using cluster = await startKillableCluster();
    await using database = await copyDatabase(cluster.url);
    const report = await orderWhileKilling(database, {
      ...PLAN,
      kills: 20,
      killDatabase: () => cluster.kill(),
    });

    expectNothingLost(report);
    expect(report.amidWork).toBeGreaterThan(15);
  },
);

test(
  "rejects writes of a worker that continues after its lease has expired",
  { timeout: 300_000 },
  async () => {
    await using database = await copyDatabase(inject("clusterUrl"));
    const { stoppedMs, before, after } = await stopAmidOrder(database);
    console.log(`The worker was stopped for ${stoppedMs} ms.`);

    expect(stoppedMs).toBeGreaterThan(25_000);
    expect(after).toEqual(before);
  },
);

function expectNothingLost(report: OrderKillReport): void {
  const { open, wrong, orphans, ...figures } = report;
  const some = [open, wrong, orphans].map((found) => found.slice(0, 10));
  console.log(JSON.stringify({ ...figures, some }));

  expect(report).toMatchObject({ orders: ORDERS, open: [], wrong: [], orphans: [], broken: [] });
  expect(report.endedMs).toBeLessThanOrEqual(60_000);
}
