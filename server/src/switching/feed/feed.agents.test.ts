import { expect, inject, test } from "vitest";
import { type AgentsReport, loadAgents, POLL_MS } from "./testing/agents-load.ts";
import { copyDatabase } from "../../../testing/test-database.ts";

test("sends 50 agents with separate shards every change once, at no more polls than one agent", async () => {
  const load = { processes: 1, changesPerSecond: 40, seconds: 3 };
  const measure = async (agents: number): Promise<AgentsReport> => {
    await using database = await copyDatabase(inject("clusterUrl"));
    return await loadAgents(database, { agents, ...load });
  };
  /** One by the clock, one after each change and one after each report of it. */
  const mostPolls = ({ changes, changedInMs, confirmedAfterMs }: AgentsReport): number =>
    (changedInMs + confirmedAfterMs) / POLL_MS + 2 * changes;

  const one = await measure(1);
  const many = await measure(50);

  const whole = { changes: 120, deliveries: 120, missed: 0, repeated: 0, astray: [] };
  expect(one).toMatchObject(whole);
  expect(many).toMatchObject(whole);
  expect(one.polls).toBeGreaterThan(0);
  expect(one.polls).toBeLessThan(mostPolls(one));
  expect(many.polls).toBeLessThan(mostPolls(many));
});
