import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import type pg from "pg";

const FUNCTIONS = new URL("../../../database/functions/", import.meta.url);
/** Roles that own functions. Only a member can replace a function that its role owns. */
const OWNERS = "dialplane_search, dialplane_calls, dialplane_retention";
/** Lock timeout and deadlock: a busy service holds the lock of a table whose trigger is replaced. */
const BUSY = new Set(["55P03", "40P01"]);
const MAX_ATTEMPTS = 10;
/** The function, table or type that a definition uses does not exist yet. */
const MISSING = new Set(["42883", "42P01", "42704"]);

export interface FunctionFile {
  name: string;
  sql: string;
  checksum: string;
}

export function functionFiles(): FunctionFile[] {
  return readdirSync(FUNCTIONS)
    .filter((name) => name.endsWith(".sql"))
    .toSorted()
    .map((name) => {
      const sql = readFileSync(new URL(name, FUNCTIONS), "utf8");
      return { name, sql, checksum: createHash("sha256").update(sql).digest("hex") };
    });
}

/**
 * Replaces the functions, views and triggers of every file that changed since it was last applied, in one transaction.
 * Returns the names of these files.
 */
export async function applyFunctions(client: pg.Client): Promise<string[]> {
  const changed = await changedFiles(client);
  for (let attempt = 1; changed.length > 0; attempt++) {
    try {
      await applyInOneTransaction(client, changed);
      break;
    } catch (error) {
      if (!BUSY.has(codeOf(error)) || attempt === MAX_ATTEMPTS) throw error;
      await pause(200 * attempt);
    }
  }
  return changed.map((file) => `functions/${file.name}`);
}

/** Files that are not the last ones applied. */
export async function changedFiles(client: pg.Client): Promise<FunctionFile[]> {
  await client.query(`create table if not exists schema_functions (
    name text not null, checksum text not null, applied_at timestamptz not null default now(),
    primary key (name, checksum))`);
  const { rows } = await client.query<{ name: string; checksum: string }>(
    "select distinct on (name) name, checksum from schema_functions order by name, applied_at desc",
  );
  const applied = new Map(rows.map((row) => [row.name, row.checksum]));
  return functionFiles().filter((file) => applied.get(file.name) !== file.checksum);
}

async function applyInOneTransaction(client: pg.Client, files: FunctionFile[]): Promise<void> {
  await client.query("begin");
  try {
    await client.query("set local lock_timeout = '5s'");
    await replaceFunctions(client, files);
    for (const { name, checksum } of files) {
      await client.query(
        `insert into schema_functions (name, checksum) values ($1, $2)
          on conflict (name, checksum) do update set applied_at = excluded.applied_at`,
        [name, checksum],
      );
    }
    await client.query("commit");
  } catch (error) {
    await client.query("rollback");
    throw error;
  }
}

/** In the caller's transaction. */
export async function replaceFunctions(client: pg.Client, files: FunctionFile[]): Promise<void> {
  await client.query(`grant ${OWNERS} to current_user`);
  await client.query(`grant create on schema public to ${OWNERS}`);
  await applyInOrderOfUse(client, files);
  await client.query(`revoke create on schema public from ${OWNERS}`);
  await client.query(`revoke ${OWNERS} from current_user`);
}

/** A definition can use one of another file. Files that miss something wait until the others have been applied. */
async function applyInOrderOfUse(client: pg.Client, files: FunctionFile[]): Promise<void> {
  let waiting = files;
  while (waiting.length > 0) {
    const postponed: FunctionFile[] = [];
    for (const file of waiting) {
      const error = await applyOne(client, file);
      if (!error) continue;
      if (!MISSING.has(codeOf(error))) throw failure(file, error);
      postponed.push(file);
      if (postponed.length === waiting.length) throw failure(file, error);
    }
    waiting = postponed;
  }
}

async function applyOne(client: pg.Client, file: FunctionFile): Promise<unknown> {
  await client.query("savepoint file");
  try {
    await client.query(file.sql);
    await client.query("release savepoint file");
    return undefined;
  } catch (error) {
    await client.query("rollback to savepoint file");
    return error;
  }
}

function failure(file: FunctionFile, cause: unknown): Error {
  const error = new Error(`Applying functions/${file.name} failed: ${(cause as Error).message}`, { cause });
  return Object.assign(error, { code: codeOf(cause) });
}

function codeOf(error: unknown): string {
  return String((error as { code?: unknown }).code);
}
