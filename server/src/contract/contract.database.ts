import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { migrate } from "../platform/db/migrate.ts";
import { binary, startPrivateCluster } from "../platform/db/private-cluster.ts";

/** What all migrations together make, as PostgreSQL itself tells it. */
export async function databaseSchema(): Promise<string> {
  await using cluster = await startPrivateCluster({ settings: { fsync: "off" } });
  await migrate({ url: cluster.url, passwordOf: () => "unused", setUpRootKeys: async () => "current" });
  const dump = [
    binary("pg_dump"),
    "--schema-only",
    "--no-owner",
    "--schema=public",
    `--dbname=${cluster.url}`,
  ];
  const { stdout } = await promisify(execFile)(dump[0]!, dump.slice(1), { maxBuffer: 64 * 1024 * 1024 });
  return `-- Generated from server/database/migrations by npm run generate; changes made here are lost.\n\n${readable(stdout)}\n`;
}

const NOT_OURS =
  /^(--|\\(un)?restrict |SET \w+ = |SELECT pg_catalog\.set_config\(|(CREATE|COMMENT ON) SCHEMA public\b)/;

/**
 * Only what the migrations decide. The rest of a dump differs between versions of PostgreSQL, or, as the word
 * after \restrict, between two runs.
 */
export function readable(dump: string): string {
  return dump
    .split("\n")
    .filter((line) => !NOT_OURS.test(line))
    .join("\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
}
