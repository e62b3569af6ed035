import { randomUUID } from "node:crypto";
import { seedMembership, seedOrganisation, seedPerson, seedSession } from "../../../seed.ts";
import { openApp } from "../../../start.ts";
import { send } from "../../../../testing/send.ts";
import { type ServerProcess, startProcess } from "../../../../testing/server-process.ts";
import { until } from "../../../../testing/service.ts";
import { testConfig } from "../../../../testing/test-config.ts";
import type { TestDatabase } from "../../../../testing/test-database.ts";

export interface StopReport {
  stoppedMs: number;
  /** The order and all that came of it when the other worker had ended it, and after the late one had gone on. */
  before: unknown;
  after: unknown;
}

/** The sandbox sells it at once and responds after two seconds, which is time to stop the waiting worker. */
const SLOW = "+13005550110";

/** Stops a worker between the carrier's sale and its own commit, until another worker has ended its order. */
export async function stopAmidOrder(database: TestDatabase): Promise<StopReport> {
  await using api = await startProcess({ databaseUrl: database.url });
  await using late = await startProcess({ databaseUrl: database.url, role: "worker" });
  await placeOrder(api.url, await ownerOf(database));
  await until(async () => (await database.admin("select from sandbox_purchases")).length > 0, 30_000);
  late.process.kill("SIGSTOP");
  const stoppedAt = performance.now();
  await using other = await startProcess({ databaseUrl: database.url, role: "worker" });
  await until(
    async () => (await database.admin("select from orders where finished_at is not null")).length > 0,
    90_000,
  );
  const stoppedMs = Math.round(performance.now() - stoppedAt);
  const before = await traces(database);
  await other.kill();
  late.process.kill("SIGCONT");
  await until(async () => (await secondsAtOrders(late)) * 1_000 > stoppedMs, 30_000);
  return { stoppedMs, before, after: await traces(database) };
}

async function ownerOf({ url }: TestDatabase): Promise<string> {
  const app = await openApp(testConfig(url));
  const organisationId = await seedOrganisation(app, "Stopped");
  const owner = await seedPerson(app, { name: "Owner", email: "owner@example.com" });
  await seedMembership(app, organisationId, owner.userId, "owner");
  const token = await seedSession(app, owner, "tool");
  await app.close();
  return token;
}

async function placeOrder(url: string, token: string): Promise<void> {
  const answer = await send(url, "POST", "/v1/numbers/orders", {
    headers: {
      authorization: `Bearer ${token}`,
      "x-service-environment": "test",
      "idempotency-key": randomUUID(),
    },
    body: { numbers: [SLOW] },
  });
  if (answer.status !== 202) throw new Error(`Unexpected ${answer.status}: ${answer.text}`);
}

/** The worker's own metric shows that the run in which it was stopped has ended. */
async function secondsAtOrders({ metricsPort }: ServerProcess): Promise<number> {
  const { text } = await send(`http://127.0.0.1:${metricsPort}`, "GET", "/metrics");
  const sums = text.matchAll(/job_duration_seconds_sum\{[^}]*orders\.advance[^}]*\} ([\d.]+)/g);
  return [...sums].reduce((total, [, seconds]) => total + Number(seconds), 0);
}

async function traces({ admin }: TestDatabase): Promise<unknown> {
  const tables = ["orders", "order_items", "jobs", "holdings", "events", "sandbox_purchases"];
  return Promise.all(
    tables.map((table) => admin(`select to_json(t)::text as row from ${table} t order by 1`)),
  );
}
