import { loadavg } from "node:os";
import { readConfig, type Settings } from "@dialplane/server/config";
import { startPrivateCluster } from "@dialplane/server/private-cluster";
import { migrateDatabase } from "@dialplane/server/start";
import { type Conditions, conditionsOf } from "./bench-conditions.ts";
import { type BenchNumbers, populateNumbers } from "./bench-numbers.ts";
import { type BenchPopulation, populate } from "./bench-population.ts";
import { type ServerUnderLoad, startApi, startBareRoute } from "./bench-processes.ts";
import type { RequestTemplate } from "./bench-request.ts";
import {
  callerSettings,
  DATABASE_CONNECTIONS,
  inAHurry,
  organisationSettings,
  settingsOf,
} from "./bench-settings.ts";
import { runHttpLeg } from "./http-leg.ts";
import type { Leg } from "./leg.ts";
import { type NumberWork, ORGANISATION_ROLE, watchWorks, type WorkName } from "./number-works.ts";
import { runPgbenchLeg } from "./pgbench-leg.ts";
import type { PgbenchScript } from "./pgbench-script.ts";
import { psql } from "./psql.ts";
import { SESSION_SQL, sessionScript } from "./session-script.ts";
import { tapWire } from "./wire-tap.ts";

export interface CostOptions {
  rounds: number;
  seconds: number;
  people: number;
  numbers: number;
  signal: AbortSignal;
  onProgress(text: string): void;
}

/** Compared legs follow each other. */
export const LEG_NAMES = [
  "session",
  "session_sql",
  "key",
  "bare",
  "list",
  "list_sql",
  "read",
  "read_sql",
  "set",
  "set_sql",
] as const;
export type LegName = (typeof LEG_NAMES)[number];
export type Round = Record<LegName, Leg>;

export interface Cost {
  rounds: Round[];
  conditions: Conditions;
  /** Statements that the API and pgbench send for one request. */
  statements: Record<WorkName, string[]>;
}

export const HTTP_CONNECTIONS = 16;
const PATH = "/v1/me";

/** Measures on a private PostgreSQL server, which is deleted afterwards. */
export async function measureCost(options: CostOptions): Promise<Cost> {
  const { signal, onProgress } = options;
  const loadAverage = loadavg();
  onProgress("starting PostgreSQL and filling it");
  const startedAt = performance.now();
  await using cluster = await startPrivateCluster();
  const common = settingsOf(cluster.url);
  await migrateDatabase(readConfig(common));
  const filling = readConfig({ ...common, DATABASE_URL: inAHurry(cluster.url) });
  const population = await populate(filling, options.people, signal);
  const numbers = await populateNumbers(filling, options.numbers, signal);
  const fillSeconds = (performance.now() - startedAt) / 1000;
  onProgress(`filled in ${Math.round(fillSeconds)} s`);

  const works = await watchedWorks({ common, databaseUrl: cluster.url, numbers, signal });
  await using callerApi = await startApi(await callerSettings(common), signal);
  await using organisationApi = await startApi(await organisationSettings(common), signal);
  await using bare = await startBareRouteLike(callerApi, population.key);
  const runLeg = legsOf({ options, cluster, callerApi, organisationApi, bare, population, works });

  // Code that has not been compiled yet would be measured in the first round only.
  for (const name of ["session", "key", "list", "read", "set"] as const) await runLeg[name]();
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
    statements: { list: works.list.texts, read: works.read.texts, set: works.set.texts },
    conditions: await conditionsOf(cluster.url, {
      loadAverage,
      fillSeconds,
      people: options.people,
      peopleOrganisations: population.organisations,
      numbers: numbers.count,
      numberOrganisations: numbers.organisations,
      seconds: options.seconds,
      warmUpSeconds: warmUpSecondsOf(options.seconds),
    }),
  };
}

interface Unwatched {
  common: Settings;
  databaseUrl: string;
  numbers: BenchNumbers;
  signal: AbortSignal;
}

/** Uses a separate API, because the measured one connects to PostgreSQL directly. */
async function watchedWorks({
  common,
  databaseUrl,
  numbers,
  signal,
}: Unwatched): Promise<Record<WorkName, NumberWork>> {
  await using tap = await tapWire(databaseUrl);
  const settings = await organisationSettings({ ...common, DATABASE_URL: tap.url });
  await using api = await startApi(settings, signal);
  return await watchWorks({ api, tap, databaseUrl: asRole(databaseUrl, ORGANISATION_ROLE) }, numbers);
}

async function startBareRouteLike(api: ServerUnderLoad, token: string): Promise<ServerUnderLoad> {
  const bare = await startBareRoute({
    path: PATH,
    body: JSON.parse(await answerOf(api, token)) as unknown,
  });
  if ((await answerOf(api, token)) === (await answerOf(bare, token))) return bare;
  await bare[Symbol.asyncDispose]();
  throw new Error("the bare route answers other bytes than the API");
}

interface Stage {
  options: CostOptions;
  cluster: { url: string; pid: number };
  callerApi: ServerUnderLoad;
  organisationApi: ServerUnderLoad;
  bare: ServerUnderLoad;
  population: BenchPopulation;
  works: Record<WorkName, NumberWork>;
}

function legsOf(stage: Stage): Record<LegName, () => Promise<Leg>> {
  const { cluster, callerApi, organisationApi, bare, population, works } = stage;
  const { seconds, signal } = stage.options;
  const time = { seconds, warmUpSeconds: warmUpSecondsOf(seconds), clusterPid: cluster.pid };
  const over = (server: ServerUnderLoad, templates: RequestTemplate[]): Promise<Leg> => {
    const { port, pid } = server;
    return runHttpLeg({ ...time, templates, connections: HTTP_CONNECTIONS, port, serverPid: pid }, signal);
  };
  const overSql = (role: string, script: PgbenchScript): Promise<Leg> => {
    const databaseUrl = asRole(cluster.url, role);
    return runPgbenchLeg({ ...time, databaseUrl, script, connections: DATABASE_CONNECTIONS }, signal);
  };
  const overApi = async (work: WorkName): Promise<Leg> => {
    const leg = await over(organisationApi, works[work].templates);
    // The pool's connections have the role's name, which distinguishes them from pgbench's.
    await checkConnections(cluster.url, `application_name = '${ORGANISATION_ROLE}'`);
    return leg;
  };
  const me = (token: string): RequestTemplate => ({ method: "GET", path: PATH, token });
  const hashes = population.hashes.slice(0, DATABASE_CONNECTIONS);
  return {
    async session() {
      const leg = await over(callerApi, population.sessions.map(me));
      await checkConnections(cluster.url, `query = '${SESSION_SQL}'`);
      return leg;
    },
    session_sql: () => overSql("dialplane_caller", sessionScript(hashes)),
    key: () => over(callerApi, [me(population.key)]),
    bare: () => over(bare, [me(population.key)]),
    list: () => overApi("list"),
    list_sql: () => overSql(ORGANISATION_ROLE, works.list.script),
    read: () => overApi("read"),
    read_sql: () => overSql(ORGANISATION_ROLE, works.read.script),
    set: () => changing(cluster.url, () => overApi("set")),
    set_sql: () => changing(cluster.url, () => overSql(ORGANISATION_ROLE, works.set.script)),
  };
}

/** The comparison requires that API and pgbench send the same text over equally many connections. */
async function checkConnections(databaseUrl: string, whose: string): Promise<void> {
  const count = (await psql(databaseUrl, [`select count(*) from pg_stat_activity where ${whose}`])).trim();
  if (count !== String(DATABASE_CONNECTIONS)) {
    throw new Error(`the API has ${count} connections where ${whose}, not ${DATABASE_CONNECTIONS}`);
  }
}

/** Checks that each execution changed the feed: a rejected one would be cheap. */
async function changing(databaseUrl: string, run: () => Promise<Leg>): Promise<Leg> {
  const versions = async (): Promise<number> =>
    Number(await psql(databaseUrl, ["select sum(head) from feed_shards"]));
  const before = await versions();
  const leg = await run();
  const changed = (await versions()) - before;
  if (changed < leg.operations) throw new Error(`${leg.operations} operations made ${changed} changes`);
  return leg;
}

export function rotated<Item>(items: readonly Item[], by: number): Item[] {
  const start = by % items.length;
  return [...items.slice(start), ...items.slice(0, start)];
}

export function warmUpSecondsOf(seconds: number): number {
  return Math.min(1, seconds / 2);
}

export function asRole(databaseUrl: string, role: string): string {
  const url = new URL(databaseUrl);
  url.username = role;
  return url.href;
}

async function answerOf(server: ServerUnderLoad, token: string): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${server.port}${PATH}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  if (!answer.ok) throw new Error(`${PATH} answered ${answer.status}`);
  return answer.text();
}
