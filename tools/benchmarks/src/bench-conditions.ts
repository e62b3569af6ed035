import { cpus } from "node:os";
import { psql } from "./psql.ts";

/** Without which figures say little. */
export interface Machine {
  measuredAt: string;
  cpu: string;
  cores: number;
  node: string;
  postgres: string;
  settings: Record<string, string>;
  databaseSize: string;
}

export interface Conditions extends Machine {
  loadAverage: number[];
  people: number;
  peopleOrganisations: number;
  numbers: number;
  numberOrganisations: number;
  fillSeconds: number;
  seconds: number;
  warmUpSeconds: number;
}

const SHOWN_SETTINGS = ["server_version", "fsync", "synchronous_commit", "shared_buffers"];

export async function conditionsOf(
  databaseUrl: string,
  known: Omit<Conditions, keyof Machine>,
): Promise<Conditions> {
  return { ...known, ...(await machineOf(databaseUrl)) };
}

export async function machineOf(databaseUrl: string): Promise<Machine> {
  const said = await psql(databaseUrl, [
    "select pg_size_pretty(pg_database_size(current_database()))",
    ...SHOWN_SETTINGS.map((name) => `show ${name}`),
  ]);
  const [databaseSize, version, ...values] = said.trim().split("\n");
  return {
    measuredAt: new Date().toISOString().slice(0, 10),
    cpu: cpus()[0]?.model ?? "unknown",
    cores: cpus().length,
    node: process.version,
    postgres: version!,
    settings: Object.fromEntries(SHOWN_SETTINGS.slice(1).map((name, at) => [name, values[at]!])),
    databaseSize: databaseSize!,
  };
}
