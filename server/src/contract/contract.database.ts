import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { migrate } from "../platform/db/migrate.ts";
import { binary, startPrivateCluster } from "../platform/db/private-cluster.ts";

/** Tables, views, indexes, policies and privileges as PostgreSQL dumps them. Functions are in server/database/functions. */
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
  return `-- Generated from server/database/{migrations,functions} by npm run generate; changes made here are lost.\n\n${readable(stdout)}\n`;
}

const NOT_OURS =
  /^(--|\\(un)?restrict |SET \w+ = |SELECT pg_catalog\.set_config\(|(CREATE|COMMENT ON) SCHEMA public\b)/;

const FUNCTION = /^--\n-- Name: [^\n]*; Type: FUNCTION;[^\n]*\n--\n[^]*?(?=^--\n-- Name: )/gm;

/**
 * Only what the migrations decide. The rest of a dump differs between versions of PostgreSQL, or, as the word
 * after \restrict, between two runs.
 */
export function readable(dump: string): string {
  return dump
    .replaceAll(FUNCTION, "")
    .split("\n")
    .filter((line) => !NOT_OURS.test(line))
    .join("\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
}
