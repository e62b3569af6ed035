import { spawnSync } from "node:child_process";
import { basename, join } from "node:path";
import { listFiles, repositoryRoot } from "./repository-files.ts";

interface SquawkFault {
  file: string;
  line: number;
  message: string;
  rule_name: string;
}

/** Migrations before this number were folded into the baseline. */
const FIRST_NUMBER = 100;

/** Faults of the forward-only migrations: gaps in their numbers, and what would lock or break a running service. */
export function findMigrationFaults(root: string): string[] {
  const migrations = listFiles(root).filter((path) => path.startsWith("server/database/migrations/"));
  if (migrations.length === 0) return ["no migration to check"];
  return [...findNumberingFaults(migrations), ...runSquawk(root, migrations)];
}

function findNumberingFaults(migrations: string[]): string[] {
  return migrations.flatMap((path, index) => {
    const expected = String(index + FIRST_NUMBER).padStart(4, "0");
    const isNumbered = new RegExp(`^${expected}_[a-z0-9_]+\\.sql$`).test(basename(path));
    return isNumbered ? [] : [`${path}: expected ${expected}_snake_case.sql at this place`];
  });
}

function runSquawk(root: string, migrations: string[]): string[] {
  const squawk = join(repositoryRoot, "node_modules/.bin/squawk");
  const config = join(repositoryRoot, ".squawk.toml");
  const { stdout, stderr, status, error } = spawnSync(
    squawk,
    ["--config", config, "--reporter", "json", ...migrations],
    { cwd: root, encoding: "utf8" },
  );
  if (error) throw error;
  if (status !== 0 && !stdout.startsWith("[")) return [`squawk: ${stderr.trim() || `exit ${status}`}`];
  const faults = JSON.parse(stdout) as SquawkFault[];
  // Squawk counts lines from zero.
  return faults.map((fault) => `${fault.file}:${fault.line + 1}: ${fault.message} (${fault.rule_name})`);
}
