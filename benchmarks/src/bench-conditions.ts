import { cpus } from "node:os";
import { psql } from "./psql.ts";

/** Without which figures say little. */
export interface Conditions {
  measuredAt: string;
  cpu: string;
  cores: number;
  loadAverage: number[];
  node: string;
  postgres: string;
  settings: Record<string, string>;
  databaseSize: string;
  people: number;
  peopleOrganisations: number;
  numbers: number;
  numberOrganisations: number;
  fillSeconds: number;
  seconds: number;
  warmUpSeconds: number;
}

type Known = Omit<
  Conditions,
  "measuredAt" | "cpu" | "cores" | "node" | "postgres" | "settings" | "databaseSize"
>;

const SHOWN_SETTINGS = ["server_version", "fsync", "synchronous_commit", "shared_buffers"];

export async function conditionsOf(databaseUrl: string, known: Known): Promise<Conditions> {
  const said = await psql(databaseUrl, [
    "select pg_size_pretty(pg_database_size(current_database()))",
    ...SHOWN_SETTINGS.map((name) => `show ${name}`),
  ]);
  const [databaseSize, version, ...values] = said.trim().split("\n");
  return {
    ...known,
    measuredAt: new Date().toISOString().slice(0, 10),
    cpu: cpus()[0]?.model ?? "unknown",
    cores: cpus().length,
    node: process.version,
    postgres: version!,
    settings: Object.fromEntries(SHOWN_SETTINGS.slice(1).map((name, at) => [name, values[at]!])),
    databaseSize: databaseSize!,
  };
}
