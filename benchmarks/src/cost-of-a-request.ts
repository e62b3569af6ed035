import { randomBytes } from "node:crypto";
import { cpus, loadavg } from "node:os";
import { readConfig, type Settings } from "@dialplane/server/config";
import { freePort, startPrivateCluster } from "@dialplane/server/private-cluster";
import { migrateDatabase } from "@dialplane/server/start";
import { type BenchPopulation, populate, psql } from "./bench-population.ts";
import { type ServerUnderLoad, startApi, startBareRoute } from "./bench-processes.ts";
import { runHttpLeg } from "./http-leg.ts";
import type { Leg } from "./leg.ts";
import { runPgbenchLeg, SESSION_SQL } from "./pgbench-leg.ts";

export interface CostOptions {
  rounds: number;
  seconds: number;
  people: number;
  signal: AbortSignal;
  onProgress(text: string): void;
}

export const LEG_NAMES = ["session", "pgbench", "key", "bare"] as const;
export type LegName = (typeof LEG_NAMES)[number];
export type Round = Record<LegName, Leg>;

export interface Cost {
  rounds: Round[];
  conditions: Conditions;
}

export interface Conditions {
  measuredAt: string;
  cpu: string;
  cores: number;
  loadAverage: number[];
  node: string;
  postgres: string;
  settings: Record<string, string>;
  people: number;
  organisations: number;
  seconds: number;
  warmUpSeconds: number;
}

export const DATABASE_CONNECTIONS = 8;
export const HTTP_CONNECTIONS = 16;
const PATH = "/v1/me";
const SHOWN_SETTINGS = ["server_version", "fsync", "synchronous_commit", "shared_buffers"];

/** Measures on a PostgreSQL of its own with a database of its own; nothing of either is left. */
export async function measureCost(options: CostOptions): Promise<Cost> {
  const { signal, onProgress } = options;
  const loadAverage = loadavg();
  onProgress("starting PostgreSQL and filling it");
  await using cluster = await startPrivateCluster();
  const settings = await apiSettings(cluster.url);
  await migrateDatabase(readConfig(settings));
  const population = await populate(
    readConfig({ ...settings, DATABASE_URL: inAHurry(cluster.url) }),
    options.people,
    signal,
  );
  await using api = await startApi(settings, signal);
  await using bare = await startBareRoute({
    path: PATH,
    body: JSON.parse(await answerOf(api, population.key)) as unknown,
  });
  if ((await answerOf(api, population.key)) !== (await answerOf(bare, population.key))) {
    throw new Error("the bare route answers other bytes than the API");
  }
  const runLeg = legsOf({ options, cluster, api, bare, population });

  const rounds: Round[] = [];
  for (let round = 0; round < options.rounds; round++) {
    const legs: Partial<Round> = {};
    for (const name of rotated(LEG_NAMES, round)) {
      signal.throwIfAborted();
      legs[name] = await runLeg[name]();
      onProgress(`round ${round + 1} of ${options.rounds}, ${name}: ${Math.round(legs[name].perSecond)}/s`);
    }
    rounds.push(legs as Round);
  }
  return {
    rounds,
    conditions: conditionsOf(options, {
      loadAverage,
      databaseUrl: cluster.url,
      organisations: population.organisations,
    }),
  };
}

interface Stage {
  options: CostOptions;
  cluster: { url: string; pid: number };
  api: ServerUnderLoad;
  bare: ServerUnderLoad;
  population: BenchPopulation;
}

function legsOf({ options, cluster, api, bare, population }: Stage): Record<LegName, () => Promise<Leg>> {
  const { seconds, signal } = options;
  const time = { seconds, warmUpSeconds: warmUpSecondsOf(seconds), clusterPid: cluster.pid };
  const over = (server: ServerUnderLoad, tokens: string[]) => {
    const load = {
      ...time,
      path: PATH,
      connections: HTTP_CONNECTIONS,
      port: server.port,
      serverPid: server.pid,
      tokens,
    };
    return runHttpLeg(load, signal);
  };
  const asCaller = new URL(cluster.url);
  asCaller.username = "dialplane_caller";
  const firstHashes = population.hashes.slice(0, DATABASE_CONNECTIONS);
  return {
    async session() {
      const leg = await over(api, population.sessions);
      checkConnections(cluster.url);
      return leg;
    },
    pgbench: () =>
      runPgbenchLeg(
        { ...time, databaseUrl: asCaller.href, connections: DATABASE_CONNECTIONS, firstHashes },
        signal,
      ),
    key: () => over(api, [population.key]),
    bare: () => over(bare, [population.key]),
  };
}

/** The comparison stands on both sides sending one text over equally many connections. */
function checkConnections(databaseUrl: string): void {
  const count = psql(databaseUrl, [
    `select count(*) from pg_stat_activity where query = '${SESSION_SQL}'`,
  ]).trim();
  if (count !== String(DATABASE_CONNECTIONS)) {
    throw new Error(
      `“${SESSION_SQL}” went over ${count} connections of the API, not ${DATABASE_CONNECTIONS}`,
    );
  }
}

export function rotated<Item>(items: readonly Item[], by: number): Item[] {
  const start = by % items.length;
  return [...items.slice(start), ...items.slice(0, start)];
}

function warmUpSecondsOf(seconds: number): number {
  return Math.min(1, seconds / 2);
}

async function answerOf(server: ServerUnderLoad, token: string): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${server.port}${PATH}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  if (!answer.ok) throw new Error(`${PATH} answered ${answer.status}`);
  return answer.text();
}

async function apiSettings(databaseUrl: string): Promise<Settings> {
  const port = String(await freePort());
  const out = "1000000000";
  return {
    DIALPLANE_MODE: "development",
    BASE_URL: `http://127.0.0.1:${port}`,
    PORT: port,
    METRICS_PORT: "0",
    MASTER_SECRET: randomBytes(48).toString("base64"),
    DATABASE_URL: databaseUrl,
    // A caller's requests get half of them.
    DATABASE_CONNECTIONS: String(DATABASE_CONNECTIONS * 2),
    LOG_LEVEL: "error",
    ANNOUNCE_DRAIN_SECONDS: "0",
    LIMIT_REQUESTS_PER_SECOND: out,
    LIMIT_REQUEST_BURST: out,
    LIMIT_FLOOD_PER_SECOND: out,
  };
}

/** Thousands of small transactions need not each reach the disk while nothing is measured. */
function inAHurry(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  url.searchParams.set("options", "-csynchronous_commit=off");
  return url.href;
}

function conditionsOf(
  { seconds, people }: CostOptions,
  {
    loadAverage,
    databaseUrl,
    organisations,
  }: { loadAverage: number[]; databaseUrl: string; organisations: number },
): Conditions {
  const shown = psql(
    databaseUrl,
    SHOWN_SETTINGS.map((name) => `show ${name}`),
  )
    .trim()
    .split("\n");
  const [version, ...values] = shown;
  return {
    measuredAt: new Date().toISOString().slice(0, 10),
    cpu: cpus()[0]?.model ?? "unknown",
    cores: cpus().length,
    loadAverage,
    node: process.version,
    postgres: version!,
    settings: Object.fromEntries(SHOWN_SETTINGS.slice(1).map((name, at) => [name, values[at]!])),
    people,
    organisations,
    seconds,
    warmUpSeconds: warmUpSecondsOf(seconds),
  };
}
