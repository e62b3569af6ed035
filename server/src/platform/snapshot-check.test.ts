import { expect, test } from "vitest";
import { holdSnapshot } from "../../testing/held-snapshot.ts";
import { startService } from "../../testing/service.ts";
import { snapshotCheck } from "./snapshot-check.ts";

test("measures the oldest snapshot in transactions and seconds, and forgets it when it ends", async () => {
  await using service = await startService();
  const { app, clock, database } = service;
  const held = await holdSnapshot(database);
  await database.admin("create table burned (id integer)");
  for (let at = 0; at < 20; at++) await database.admin("insert into burned values (1)");
  const check = snapshotCheck();
  const measured = async (): Promise<number[]> => {
    await check.run(app);
    const { oldestSnapshotTransactions, oldestSnapshotSeconds } = app.metrics;
    return [
      (await oldestSnapshotTransactions.get()).values[0]!.value,
      (await oldestSnapshotSeconds.get()).values[0]!.value,
    ];
  };

  const [transactions, seconds] = await measured();
  expect(transactions).toBeGreaterThanOrEqual(20);
  expect(seconds).toBe(0);
  clock.advance(90_000);
  expect((await measured())[1]).toBeGreaterThanOrEqual(90);

  await held.end();
  clock.advance(1_000);
  expect((await measured())[1]).toBe(0);
});
