import { expect, test } from "vitest";
import { startPrivateCluster } from "../../platform/db/private-cluster.ts";
import { migrateDatabase } from "../../start.ts";
import { type AgentsReport, loadAgents } from "./testing/agents-load.ts";
import { COUNTING_SETTINGS } from "./testing/process-cost.ts";
import { testConfig } from "../../../testing/test-config.ts";
import { copyDatabase, onCluster, TEMPLATE } from "../../../testing/test-database.ts";

test("200 changes a second for a minute reach 1,000 agents, none lost, at the database's price for 10", async () => {
  await using cluster = await startPrivateCluster({ settings: COUNTING_SETTINGS });
  await onCluster(cluster.url, `create database ${TEMPLATE}`);
  await migrateDatabase(testConfig(cluster.urlOf(TEMPLATE)));
  const measure = async (agents: number): Promise<AgentsReport> => {
    await using database = await copyDatabase(cluster.url);
    const load = { agents, processes: 1, changesPerSecond: 200, seconds: 60, idleSeconds: 10 };
    const report = await loadAgents(database, load, cluster);
    console.log(JSON.stringify(report));
    return report;
  };

  const few = await measure(10);
  const many = await measure(1_000);

  const whole = { changes: 12_000, deliveries: 12_000, missed: 0, repeated: 0, astray: [] };
  expect(few).toMatchObject(whole);
  expect(many).toMatchObject(whole);
  expect(few.changedInMs).toBeLessThan(63_000);
  expect(many.changedInMs).toBeLessThan(63_000);
  expect(many.confirmedAfterMs).toBeLessThan(5_000);
  expect(many.polls).toBeLessThan(few.polls * 1.25);
  const busy = (report: AgentsReport): number => report.figures!.busy.statementsPerSecond;
  expect(busy(many)).toBeLessThan(busy(few) * 1.1);
  const idle = (report: AgentsReport): number => report.figures!.idle!.transactionsPerSecond;
  expect(idle(many)).toBeLessThan(idle(few) + 10);
});
