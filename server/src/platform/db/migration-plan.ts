import pg from "pg";
import { changedFiles, replaceFunctions } from "./functions.ts";
import { isBeforeBaseline } from "./baseline.ts";
import { appliedMigrations, pendingMigrations } from "./migrate.ts";
import { clientConfigOf } from "./primary-socket.ts";

/** A step of `migrate`, and the existing tables that it locks against others until it ends. */
export interface PlannedStep {
  name: string;
  ms: number;
  blocked: { table: string; what: "reads and writes" | "writes" }[];
}

const BLOCKED = new Map<string, PlannedStep["blocked"][0]["what"]>([
  ["AccessExclusiveLock", "reads and writes"],
  ["ExclusiveLock", "writes"],
  ["ShareRowExclusiveLock", "writes"],
  ["ShareLock", "writes"],
]);

/** Runs what `migrate` would run in one transaction, looks at the locks, and rolls everything back. */
export async function planMigration(url: string): Promise<PlannedStep[]> {
  const client = new pg.Client({ ...clientConfigOf(url), application_name: "dialplane_migrate_plan" });
  await client.connect();
  try {
    await client.query("begin");
    await client.query("set local lock_timeout = '5s'");
    if (isBeforeBaseline(await appliedMigrations(client)))
      throw new Error(
        "This database is older than the baseline of the migrations. Run migrate without --plan.",
      );
    const pending = await pendingMigrations(client);
    const locks = await watchLocks(client);
    const steps: PlannedStep[] = [];
    const step = async (name: string, work: () => Promise<unknown>): Promise<void> => {
      const began = performance.now();
      await work();
      steps.push({ name, ms: Math.round(performance.now() - began), blocked: await locks.takeNew() });
    };
    for (const { name, sql } of pending) await step(name, () => client.query(sql));
    const files = await changedFiles(client);
    if (files.length > 0)
      await step(`functions (${files.map(({ name }) => name).join(", ")})`, () =>
        replaceFunctions(client, files),
      );
    return steps;
  } finally {
    await client.end();
  }
}

interface Locks {
  /** Tables that this transaction has blocked since the last call. */
  takeNew(): Promise<PlannedStep["blocked"]>;
}

/** Only tables that exist already: no request waits for a table that the transaction creates. */
async function watchLocks(client: pg.Client): Promise<Locks> {
  const held = new Set<string>();
  const { rows } = await client.query<{ oid: number }>(
    "select oid from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition",
  );
  const existing = rows.map(({ oid }) => oid);
  return {
    async takeNew() {
      const { rows: locks } = await client.query<{ table: string; mode: string }>(
        `select c.relname as table, l.mode from pg_locks l join pg_class c on c.oid = l.relation
         where l.pid = pg_backend_pid() and l.granted and c.oid = any($1) order by c.relname, l.mode`,
        [existing],
      );
      const blocked: PlannedStep["blocked"] = [];
      for (const { table, mode } of locks) {
        const what = BLOCKED.get(mode);
        if (!what || held.has(`${table} ${what}`)) continue;
        held.add(`${table} ${what}`);
        if (!blocked.some((one) => one.table === table)) blocked.push({ table, what });
      }
      return blocked;
    },
  };
}

/** Lines for people. */
export function describePlan(steps: readonly PlannedStep[]): string[] {
  if (steps.length === 0) return ["The schema is up to date."];
  const lines = steps.flatMap(({ name, ms, blocked }) => [
    `${name}: ${ms} ms`,
    ...(blocked.length === 0 ? ["  blocks nothing"] : []),
    ...["reads and writes", "writes"].flatMap((what) => {
      const tables = blocked.filter((one) => one.what === what).map(({ table }) => table);
      return tables.length === 0 ? [] : [`  blocks ${what} of ${tables.join(", ")}`];
    }),
  ]);
  return [...lines, "Everything was rolled back: the database has not changed."];
}
