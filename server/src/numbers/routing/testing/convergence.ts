import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  seedKey,
  seedMembership,
  seedNumbers,
  seedOrganisation,
  seedPerson,
  seedSwitch,
} from "../../../seed.ts";
import { openApp } from "../../../start.ts";
import { startAgentProcess } from "./agent-process.ts";
import { quantile } from "../../../../testing/quantile.ts";
import { startProcess } from "../../../../testing/server-process.ts";
import { until } from "../../../../testing/service.ts";
import { testConfig } from "../../../../testing/test-config.ts";
import type { TestDatabase } from "../../../../testing/test-database.ts";

export interface ConvergenceReport {
  rounds: { p50Ms: number; p99Ms: number }[];
  /** Medians of the rounds. */
  p50Ms: number;
  p99Ms: number;
  inSync: number;
  /** Responses without confirmation by the switch. */
  others: string[];
}

const NUMBERS = 10;

/** One change after the other, each waiting until the switch has answered that it holds it. */
export async function measureConvergence(
  database: TestDatabase,
  { rounds, changes }: { rounds: number; changes: number },
): Promise<ConvergenceReport> {
  const { key, credential, numbers } = await furnish(database);
  using directory = temporaryDirectory();
  await using server = await startProcess({ databaseUrl: database.url, settings: { FEED_POLL_MS: "25" } });
  const agent = { url: server.url, credential, storePath: join(directory.path, "agent.sqlite") };
  await using _agent = startAgentProcess(agent);
  await until(async () => {
    const [row] = await database.admin<{ synced_epoch: string | null }>("select synced_epoch from switches");
    return row!.synced_epoch !== null;
  });

  const others: string[] = [];
  const tookMs: number[] = [];
  for (let nth = 0; nth < rounds * changes; nth++) {
    const sentAt = performance.now();
    const said = await setRoute(server.url, key, numbers[nth % NUMBERS]!, nth);
    tookMs.push(performance.now() - sentAt);
    if (!isApplied(said, nth)) others.push(said);
  }
  const measured = Array.from({ length: rounds }, (_, round) => {
    const part = tookMs.slice(round * changes, (round + 1) * changes);
    return { p50Ms: quantile(part, 0.5), p99Ms: quantile(part, 0.99) };
  });
  return {
    rounds: measured,
    p50Ms: quantile(
      measured.map(({ p50Ms }) => p50Ms),
      0.5,
    ),
    p99Ms: quantile(
      measured.map(({ p99Ms }) => p99Ms),
      0.5,
    ),
    inSync: tookMs.length - others.length,
    others,
  };
}

async function furnish(
  database: TestDatabase,
): Promise<{ key: string; credential: string; numbers: string[] }> {
  const app = await openApp(testConfig(database.url));
  try {
    const organisationId = await seedOrganisation(app, "Example Ltd");
    const owner = await seedPerson(app, { name: "Owner", email: "owner@example.com" });
    await seedMembership(app, organisationId, owner.userId, "owner");
    const key = await seedKey(app, owner, {
      organisationIds: [organisationId],
      environment: "live",
      scopes: ["numbers_write"],
      name: "Convergence",
    });
    const { credential } = await seedSwitch(app, "berlin-1");
    const numbers = await seedNumbers(app, organisationId, "live", NUMBERS);
    return { key: key.secret, credential, numbers: numbers.map(({ id }) => id) };
  } finally {
    await app.close();
  }
}

async function setRoute(url: string, key: string, id: string, nth: number): Promise<string> {
  const answer = await fetch(`${url}/v1/numbers/${id}/routing`, {
    method: "PUT",
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      "idempotency-key": randomUUID(),
      prefer: "wait=10",
    },
    body: JSON.stringify({ mode: "sip_uri", sip_uri: uriOf(nth) }),
  });
  return answer.text();
}

function isApplied(said: string, nth: number): boolean {
  const { status, desired, applied } = JSON.parse(said) as {
    status?: string;
    desired?: { generation: number };
    applied?: { generation: number; sip_uri?: string } | null;
  };
  return (
    status === "in_sync" && applied?.generation === desired?.generation && applied?.sip_uri === uriOf(nth)
  );
}

function uriOf(nth: number): string {
  return `sip:${nth}@pbx.example.com`;
}

function temporaryDirectory(): Disposable & { path: string } {
  const path = mkdtempSync(join(tmpdir(), "dialplane-agent-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
