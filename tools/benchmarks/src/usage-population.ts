import { statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import type { Config } from "@dialplane/server/config";
import { seedSwitch } from "@dialplane/server/seed";
import { openApp } from "@dialplane/server/start";
import { populateNumbers } from "./bench-numbers.ts";
import { psql } from "./psql.ts";
import {
  type Counted,
  countStatements,
  edgeStatements,
  hourStatements,
  recordStatements,
  sumStatements,
} from "./usage-statements.ts";
import { type BenchYear, yearBefore } from "./usage-year.ts";

export interface UsagePopulation {
  year: BenchYear;
  organisationId: string;
  key: string;
  /** All that have calls are of one organisation; the first of them have calls in each hour of the year. */
  hourly: number;
  rollups: number;
  /** Numbers whose calls all exist as records. */
  counted: Counted[];
  /** Calls of any of them can be uploaded. */
  numbers: number;
  switches: { id: string; credential: string }[];
}

export interface UsageSize {
  /** Calls of the number that has most. */
  calls: number;
  /** Rows of numbers' hours. */
  rollups: number;
}

/** Switches that upload records concurrently: as many as the API has connections for them. */
export const SWITCHES = 4;
const HOURS_A_YEAR = 8_760;
/** Heap and index together. */
const ROLLUP_BYTES = 260;

export async function populateUsage(
  config: Config,
  size: UsageSize,
  signal: AbortSignal,
): Promise<UsagePopulation> {
  const hourly = Math.ceil(fitting(size.rollups) / HOURS_A_YEAR);
  const counted = [10_000, 100, 1].map((part, at) => ({
    number: hourly + at,
    calls: Math.ceil(size.calls / part),
  }));
  const all = await populateNumbers(config, 2 * (hourly + counted.length), signal);
  const { organisationId, key } = all.large;
  const url = config.database.ownerUrl;
  const switches = await seedSwitches(config);
  const year = yearBefore(new Date());
  const filling = { year, organisationId, switchId: switches[0]!.id, hourly };

  const months = year.firsts.slice(0, -1).map((_, at) => at);
  const ofMonth = (at: number): string[] => [
    ...hourStatements(filling, at),
    ...recordStatements(filling, counted, at),
  ];
  await inTwo(months, (some) => psql(url, [...SESSION, ...some.flatMap(ofMonth)], signal));
  await psql(
    url,
    [...SESSION, ...sumStatements(filling), ...edgeStatements(filling), ...countStatements(counted)],
    signal,
  );
  await psql(url, ["vacuum analyze", "checkpoint"], signal);
  return {
    year,
    organisationId,
    key,
    hourly,
    rollups: Number(await psql(url, ["select count(*) from usage_hours"], signal)),
    counted,
    numbers: all.count,
    switches,
  };
}

const SESSION = [
  "set synchronous_commit = off",
  "set maintenance_work_mem = '512MB'",
  "set work_mem = '128MB'",
  "set timezone = 'UTC'",
];

/** As many as take up a third of the free disk at most. */
function fitting(rollups: number): number {
  const { bavail, bsize } = statfsSync(tmpdir());
  return Math.min(rollups, Math.floor((bavail * bsize) / 3 / ROLLUP_BYTES));
}

async function seedSwitches(config: Config): Promise<UsagePopulation["switches"]> {
  const app = await openApp(config);
  try {
    const switches = [];
    for (let at = 0; at < SWITCHES; at++) {
      const name = `ingest-${at}`;
      const { credential } = await seedSwitch(app, name);
      const id = await psql(config.database.ownerUrl, [`select id from switches where name = '${name}'`]);
      switches.push({ id: id.trim(), credential });
    }
    return switches;
  } finally {
    await app.close();
  }
}

/** Each half runs in its own session. */
async function inTwo(months: readonly number[], fill: (some: number[]) => Promise<unknown>): Promise<void> {
  await Promise.all([0, 1].map((half) => fill(months.filter((at) => at % 2 === half))));
}
