import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { Agent as HttpAgent, type IncomingMessage, request as httpRequest } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import type { PrivateCluster } from "../../../platform/db/private-cluster.ts";
import { openApp } from "../../../start.ts";
import { startCrowd } from "./agent-crowd.ts";
import type { CrowdReport } from "./agent-crowd-worker.ts";
import { type LoadedNumber, populateAgents } from "./agents-population.ts";
import { type Cost, countCost, type Measured } from "./process-cost.ts";
import { quantile } from "../../../../testing/quantile.ts";
import { send } from "../../../../testing/send.ts";
import { type ServerProcess, startProcess } from "../../../../testing/server-process.ts";
import { until } from "../../../../testing/service.ts";
import { testConfig } from "../../../../testing/test-config.ts";
import type { TestDatabase } from "../../../../testing/test-database.ts";

export interface AgentsLoad {
  /** One switch group with separate shards and numbers for each. */
  agents: number;
  processes: number;
  changesPerSecond: number;
  seconds: number;
  /** Measured afterwards, without changes. */
  idleSeconds?: number;
}

export interface AgentsReport {
  agents: number;
  changes: number;
  /** Changes that had to be sent again, because the service said so. */
  retries: number;
  /** From the first change until the last was answered. */
  changedInMs: number;
  /** How often the service asked for the heads of the shards, from the first change until all was confirmed. */
  polls: number;
  deliveries: number;
  missed: number;
  repeated: number;
  /** Numbers of which a switch holds something other than is desired in the end. */
  astray: string[];
  complaints: Record<string, number>[];
  /** From the last change's answer until every switch had read back everything. */
  confirmedAfterMs: number;
  agentsCpuSeconds: number;
  agentsRssMb: number;
  figures?: Figures;
}

interface Figures {
  /** From the commit to the agent. */
  p50Ms: number;
  p99Ms: number;
  busy: Cost;
  idle: Cost | undefined;
}

type Database = Pick<TestDatabase, "url" | "admin">;

/** Interval of the service's polls. Its own commits trigger one at once. */
export const POLL_MS = 25;

/**
 * Changes routes at a steady rate over the API, spread over the agents of many switches, and then reports what each
 * received. Figures need a private cluster, started with COUNTING_SETTINGS.
 */
export async function loadAgents(
  database: Database,
  load: AgentsLoad,
  cluster?: PrivateCluster,
): Promise<AgentsReport> {
  const app = await openApp(testConfig(database.url));
  const { credentials, numbers } = await populateAgents(app, load.agents);
  await app.close();
  const settings = { FEED_POLL_MS: String(POLL_MS) };
  await using server = await startProcess({ databaseUrl: database.url, settings });
  await using crowds = new AsyncDisposableStack();
  const parts = Array.from({ length: load.processes }, (_, part) =>
    credentials.filter((_credential, place) => place % load.processes === part),
  );
  const started = await Promise.all(
    parts.map(async (part) => crowds.use(await startCrowd({ url: server.url, credentials: part }))),
  );
  await untilConfirmed(database);

  const measured = cluster && { serverPid: server.process.pid!, cluster, admin: database.admin };
  const busySoFar = measured && (await countCost(measured));
  const pollsBefore = await countPolls(server);
  const changed = await changeSteadily(load, (nth) =>
    changeRoute(server.url, numbers[nth % numbers.length]!, nth),
  );
  const changedAt = performance.now();
  await untilConfirmed(database);
  const confirmedAfterMs = Math.round(performance.now() - changedAt);
  const polls = (await countPolls(server)) - pollsBefore;
  const busy = await busySoFar?.();
  const idle = measured && (await idleCost(measured, load.idleSeconds));

  const reports = await Promise.all(started.map((crowd) => crowd.report()));
  return {
    ...sumOf(reports),
    agents: load.agents,
    ...changed,
    polls,
    confirmedAfterMs,
    astray: await listAstray(database, reports),
    ...(busy && { figures: { ...(await latencies(database, reports)), busy, idle } }),
  };
}

/** Every switch counts, and has read back all there is. The test environment has no switch here. */
async function untilConfirmed({ admin }: Database): Promise<void> {
  await until(async () => {
    const [row] = await admin<{ is_done: boolean }>(
      `select not exists (select from switches where synced_epoch is null)
         and not exists (select from feed_shards s join feed_confirmations c on c.shard = s.id
           join switch_groups g on g.id = s.group_id where g.environment = 'live' and c.version < s.head) as is_done`,
    );
    return row!.is_done;
  }, 60_000);
}

/** Each begins when its time has come, however long the others take. */
async function changeSteadily(
  { changesPerSecond, seconds }: AgentsLoad,
  change: (nth: number) => Promise<number>,
): Promise<Pick<AgentsReport, "changes" | "retries" | "changedInMs">> {
  const startedAt = performance.now();
  const failures: unknown[] = [];
  const underWay: Promise<number>[] = [];
  const count = changesPerSecond * seconds;
  for (let nth = 0; nth < count && failures.length === 0; nth++) {
    const waitMs = startedAt + (nth * 1000) / changesPerSecond - performance.now();
    if (waitMs > 0) await pause(waitMs);
    underWay.push(change(nth).catch((error: unknown) => failures.push(error)));
  }
  const retries = await Promise.all(underWay);
  if (failures.length > 0) throw failures[0];
  const changedInMs = Math.round(performance.now() - startedAt);
  return { changes: count, retries: retries.reduce((sum, one) => sum + one, 0), changedInMs };
}

/** Retries like a client, with the same key, if the response allows it. */
async function changeRoute(url: string, { id, key }: LoadedNumber, nth: number): Promise<number> {
  const headers = {
    authorization: `Bearer ${key}`,
    "content-type": "application/json",
    "idempotency-key": randomUUID(),
  };
  const body = JSON.stringify({ mode: "sip_uri", sip_uri: `sip:${nth}@pbx.example.com` });
  for (let retries = 0; ; retries++) {
    const request = httpRequest(`${url}/v1/numbers/${id}/routing`, { method: "PUT", headers, agent: lines });
    request.end(body);
    const [answer] = (await once(request, "response")) as [IncomingMessage];
    const said = await text(answer);
    if (answer.statusCode === 200) return retries;
    if (answer.statusCode !== 503)
      throw new Error(`A change was answered with ${answer.statusCode}: ${said}`);
    await pause(100);
  }
}

/** If the service falls behind, changes wait here and not in thousands of connections. */
const lines = new HttpAgent({ keepAlive: true, maxSockets: 32 });

async function countPolls({ metricsPort }: ServerProcess): Promise<number> {
  const { text: shown } = await send(`http://127.0.0.1:${metricsPort}`, "GET", "/metrics");
  return Number(/^feed_poll_duration_seconds_count (\d+)$/m.exec(shown)![1]);
}

async function idleCost(measured: Measured, seconds = 0): Promise<Cost | undefined> {
  if (seconds === 0) return undefined;
  const soFar = await countCost(measured);
  await pause(seconds * 1000);
  return soFar();
}

function sumOf(
  reports: CrowdReport[],
): Pick<
  AgentsReport,
  "deliveries" | "missed" | "repeated" | "complaints" | "agentsCpuSeconds" | "agentsRssMb"
> {
  const sum = (of: (report: CrowdReport) => number): number =>
    reports.reduce((total, report) => total + of(report), 0);
  return {
    deliveries: sum(({ deliveries }) => deliveries),
    missed: sum(({ missed }) => missed),
    repeated: sum(({ repeated }) => repeated),
    complaints: reports.map(({ complaints }) => complaints),
    agentsCpuSeconds: sum(({ cpuSeconds }) => cpuSeconds),
    agentsRssMb: Math.round(sum(({ rssBytes }) => rssBytes) / 2 ** 20),
  };
}

async function listAstray({ admin }: Database, reports: readonly CrowdReport[]): Promise<string[]> {
  const held = new Map(reports.flatMap((report) => report.held).map((one) => [one.id, one]));
  const desired = await admin<{
    id: string;
    generation: string;
    e164: string;
    mode: string;
    sip_uri: string;
  }>("select holding_id as id, generation, e164, mode, sip_uri from routings where environment = 'live'");
  if (held.size !== desired.length) return [`${held.size} items instead of ${desired.length}`];
  return desired
    .filter(({ id, generation, e164, mode, sip_uri }) => {
      const { value, ...found } = held.get(id) ?? { value: null, generation: 0 };
      const route = value && "mode" in value ? value : undefined;
      const isSame = route?.e164 === e164 && route.mode === mode && (route.sip_uri ?? null) === sip_uri;
      return !isSame || found.generation !== Number(generation);
    })
    .map(({ id }) => id);
}

/** A change's event is written in its transaction and never touched again: it has the time of the commit. */
async function latencies(
  { admin }: Database,
  reports: readonly CrowdReport[],
): Promise<{ p50Ms: number; p99Ms: number }> {
  const commits = await admin<{ change: string; at_ms: number }>(
    `select subject || '/' || (data ->> 'generation') as change,
       (extract(epoch from pg_xact_commit_timestamp(xmin)) * 1000)::float8 as at_ms
     from events where type = 'routing.changed'`,
  );
  const committedAt = new Map(commits.map(({ change, at_ms }) => [change, at_ms]));
  const delays = reports
    .flatMap(({ receipts }) => receipts)
    .map(({ id, generation, atMs }) => atMs - committedAt.get(`${id}/${generation}`)!);
  return { p50Ms: quantile(delays, 0.5), p99Ms: quantile(delays, 0.99) };
}
