import { loadavg } from "node:os";
import { readConfig, type Settings } from "@dialplane/server/config";
import { startPrivateCluster } from "@dialplane/server/private-cluster";
import { migrateDatabase } from "@dialplane/server/start";
import pg from "pg";
import { type Machine, machineOf } from "./bench-conditions.ts";
import { type ServerUnderLoad, startApi } from "./bench-processes.ts";
import { requestFrom, type RequestTemplate } from "./bench-request.ts";
import { DATABASE_CONNECTIONS, inAHurry, organisationSettings, settingsOf } from "./bench-settings.ts";
import { asRole, HTTP_CONNECTIONS, rotated, warmUpSecondsOf } from "./cost-of-a-request.ts";
import { runHttpLeg } from "./http-leg.ts";
import type { Leg } from "./leg.ts";
import { numberIdOf } from "./number-ids.ts";
import { answerTo, ORGANISATION_ROLE } from "./number-works.ts";
import { runPgbenchLeg } from "./pgbench-leg.ts";
import type { PgbenchScript } from "./pgbench-script.ts";
import { checkPlan, type UsagePlan } from "./usage-plans.ts";
import { populateUsage, SWITCHES, type UsagePopulation, type UsageSize } from "./usage-population.ts";
import { type Loads, measureUpkeep, type Upkeep } from "./usage-upkeep.ts";
import { rawSumSql, SWITCH_ROLE, type UsageWorks, watchUsage } from "./usage-works.ts";
import { tapWire } from "./wire-tap.ts";

export interface UsageOptions extends UsageSize {
  rounds: number;
  seconds: number;
  signal: AbortSignal;
  onProgress(text: string): void;
}

/**
 * Compared legs follow each other. `few`, `many` and `most` are one statement over a year, for numbers with
 * these call counts.
 */
export const USAGE_LEGS = [
  "month",
  "month_sql",
  "year",
  "year_sql",
  "ingest",
  "ingest_sql",
  "few",
  "many",
  "most",
  "hours",
  "organisation",
  "top",
] as const;
export type UsageLeg = (typeof USAGE_LEGS)[number];
export type UsageRound = Record<UsageLeg, Leg>;

const LEAST_BATCH_SECONDS = 2;
const COMPILED = ["month", "year", "ingest", "hours"] as const;
const WARM_UPS = 3;
const READS = ["month", "year", "hours", "organisation", "top"] as const;

export interface UsageCost {
  rounds: UsageRound[];
  conditions: Machine & {
    loadAverage: number[];
    seconds: number;
    fillSeconds: number;
    rollups: number;
    hourly: number;
  };
  /** Every call of a number looked at one by one. */
  rawSums: { calls: number; rawMs: number }[];
  plans: Record<(typeof READS)[number], UsagePlan>;
  upkeep: Upkeep;
}

/** Runs on a private PostgreSQL server, which is deleted afterwards. */
export async function measureUsage(options: UsageOptions): Promise<UsageCost> {
  const { signal, onProgress, seconds } = options;
  const loadAverage = loadavg();
  onProgress("starting PostgreSQL and filling it with usage");
  const startedAt = performance.now();
  // A table that is filled in the transaction that made it need not go through the log as well.
  await using cluster = await startPrivateCluster({
    settings: { wal_level: "minimal", max_wal_senders: "0" },
  });
  const common = settingsOf(cluster.url);
  await migrateDatabase(readConfig(common));
  const population = await populateUsage(
    readConfig({ ...common, DATABASE_URL: inAHurry(cluster.url) }),
    options,
    signal,
  );
  const fillSeconds = (performance.now() - startedAt) / 1000;
  onProgress(`${population.rollups} hours filled in ${Math.round(fillSeconds)} s`);

  const works = await watchedUsage({ common, databaseUrl: cluster.url, population, signal });
  const organisationUrl = asRole(cluster.url, ORGANISATION_ROLE);
  const plans = {} as UsageCost["plans"];
  for (const name of READS) plans[name] = await checkPlan(organisationUrl, works[name]);
  await using api = await startApi(await organisationSettings(common), signal);
  const rawSums = await rawSumsOf(cluster.url, api, population);
  onProgress(
    `raw sums: ${rawSums.map(({ calls, rawMs }) => `${calls} in ${rawMs.toFixed(1)} ms`).join(", ")}`,
  );

  const runLeg = usageLegsOf({ options, cluster, api, works, population });
  // At some hundred requests a second it takes thousands until V8 has compiled what they run for good.
  const warmUps = seconds < 1 ? 1 : WARM_UPS;
  for (const name of Array.from({ length: warmUps }, () => COMPILED).flat()) await runLeg[name]();
  const rounds: UsageRound[] = [];
  for (let round = 0; round < options.rounds; round++) {
    const legs: Partial<UsageRound> = {};
    for (const name of rotated(USAGE_LEGS, round)) {
      signal.throwIfAborted();
      legs[name] = await runLeg[name]();
      onProgress(`round ${round + 1} of ${options.rounds}, ${name}: ${legs[name].perSecond.toFixed(1)}/s`);
    }
    rounds.push(legs as UsageRound);
  }
  onProgress("making and dropping partitions under load");
  const runLoads = async (): Promise<Loads> => {
    const [read, ingest] = await Promise.all([runLeg.year(), runLeg.ingest()]);
    return { read, ingest };
  };
  const upkeep = await measureUpkeep({ databaseUrl: cluster.url, population, runLoads, signal });
  const { rollups, hourly } = population;
  const conditions = {
    ...(await machineOf(cluster.url)),
    loadAverage,
    seconds,
    fillSeconds,
    rollups,
    hourly,
  };
  return { rounds, conditions, rawSums, plans, upkeep };
}

interface Unwatched {
  common: Settings;
  databaseUrl: string;
  population: UsagePopulation;
  signal: AbortSignal;
}

async function watchedUsage({ common, databaseUrl, population, signal }: Unwatched): Promise<UsageWorks> {
  await using tap = await tapWire(databaseUrl);
  await using api = await startApi(await organisationSettings({ ...common, DATABASE_URL: tap.url }), signal);
  return await watchUsage({ api, tap, databaseUrl: asRole(databaseUrl, ORGANISATION_ROLE) }, population);
}

/** The second time, when what can be in memory is there. Both ways must come to the same. */
async function rawSumsOf(
  databaseUrl: string,
  api: ServerUnderLoad,
  { counted, year, organisationId, key }: UsagePopulation,
): Promise<UsageCost["rawSums"]> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  try {
    const sums = [];
    for (const { number, calls } of counted) {
      const text = rawSumSql(organisationId, number, year.year);
      await client.query(text);
      const beganAt = performance.now();
      const { rows } = await client.query<{ json_build_object: unknown }>(text);
      const rawMs = performance.now() - beganAt;
      const raw = JSON.stringify(rows[0]!.json_build_object);
      const path = `/v1/numbers/${numberIdOf(number)}/usage?from=${year.year.from}&to=${year.year.to}`;
      const answer = await answerTo(api, requestFrom({ method: "GET", path, token: key }));
      const { totals } = JSON.parse(answer) as { totals: unknown };
      if (raw !== JSON.stringify(totals))
        throw new Error(`usage is ${answer}, but its calls add up to ${raw}`);
      sums.push({ calls, rawMs });
    }
    return sums;
  } finally {
    await client.end();
  }
}

interface Stage {
  options: UsageOptions;
  cluster: { url: string; pid: number };
  api: ServerUnderLoad;
  works: UsageWorks;
  population: UsagePopulation;
}

function usageLegsOf({
  options,
  cluster,
  api,
  works,
  population,
}: Stage): Record<UsageLeg, () => Promise<Leg>> {
  const { seconds, signal } = options;
  const time = { seconds, warmUpSeconds: warmUpSecondsOf(seconds), clusterPid: cluster.pid };
  const alone = { ...time, connections: 1 };
  // A batch takes a tenth of a second and more; a short run only shows that each leg works.
  const isShort = seconds < 1;
  const longer = isShort ? {} : { seconds: Math.max(seconds, LEAST_BATCH_SECONDS), warmUpSeconds: 1 };
  const batches = { ...time, connections: SWITCHES, ...longer };
  const over = (
    templates: RequestTemplate[],
    how = { ...time, connections: HTTP_CONNECTIONS },
  ): Promise<Leg> => runHttpLeg({ ...how, templates, port: api.port, serverPid: api.pid }, signal);
  const overSql = (
    role: string,
    script: PgbenchScript,
    how = { ...time, connections: DATABASE_CONNECTIONS },
  ): Promise<Leg> => runPgbenchLeg({ ...how, databaseUrl: asRole(cluster.url, role), script }, signal);
  const { counted, hourly } = population;
  const ofOne = (at: number): Promise<Leg> => {
    const { number } = counted[at]!;
    return overSql(ORGANISATION_ROLE, works.year.script(number, number), alone);
  };
  return {
    month: () => over([works.month.template]),
    month_sql: () => overSql(ORGANISATION_ROLE, works.month.script(0, hourly - 1)),
    year: () => over([works.year.template]),
    year_sql: () => overSql(ORGANISATION_ROLE, works.year.script(0, hourly - 1)),
    ingest: () => over(works.ingest.templates, batches),
    ingest_sql: () => overSql(SWITCH_ROLE, works.ingest.script, batches),
    few: () => ofOne(0),
    many: () => ofOne(1),
    most: () => ofOne(2),
    hours: () => over([works.hours.template]),
    organisation: () => over([works.organisation.template], alone),
    top: () => over([works.top.template], alone),
  };
}
