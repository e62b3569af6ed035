import type { Database } from "./db/database.ts";
import type { ExpectedSchema } from "./db/migrate.ts";

/**
 * Whether a load balancer should send requests to this process: it has started, its schema is there, and it is not
 * stopping. Once it was ready, an outage of the database does not change that: no other process could do more, and
 * clients get 503 with a problem instead of the balancer's page.
 */
export interface Readiness {
  /** Names of failed checks. Empty if the process is ready. */
  failedChecks(): Promise<string[]>;
  /** From now on, the process is not ready. */
  announceDrain(): void;
}

const KEPT_MS = 500;
const LATE_MS = 1_000;

export function openReadiness(db: Database, schema: ExpectedSchema): Readiness {
  let isDraining = false;
  let wasReady = false;
  let looked: { at: number; failed: Promise<string[]> } | undefined;
  const look = async (): Promise<string[]> => {
    const migrated = isMigrated(db, schema).catch(() => undefined);
    const late = new Promise<undefined>((resolve) => setTimeout(resolve, LATE_MS, undefined).unref());
    const result = await Promise.race([migrated, late]);
    if (result === undefined) return ["database"];
    wasReady = result;
    return result ? [] : ["migrations"];
  };
  return {
    async failedChecks() {
      if (isDraining) return ["draining"];
      if (wasReady) return [];
      // The endpoint is public, so frequent requests must not load the database.
      if (!looked || performance.now() - looked.at > KEPT_MS)
        looked = { at: performance.now(), failed: look() };
      return looked.failed;
    },
    announceDrain: () => void (isDraining = true),
  };
}

async function isMigrated(db: Database, schema: ExpectedSchema): Promise<boolean> {
  const [newest] = await db.forSystem.read<{ name: string | null; has_functions: boolean }>(
    "health",
    "select max(name) as name, to_regclass('schema_functions') is not null as has_functions from schema_migrations",
  );
  if (!newest!.has_functions || (newest!.name ?? "") < schema.newestMigration) return false;
  const [functions] = await db.forSystem.read<{ applied: number }>(
    "health",
    "select count(distinct checksum)::integer as applied from schema_functions where checksum = any ($1)",
    [schema.functionChecksums],
  );
  return functions!.applied === schema.functionChecksums.length;
}
