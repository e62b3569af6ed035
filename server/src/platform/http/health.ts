import type { FastifyInstance } from "fastify";
import type { Database } from "../db/database.ts";
import type { ExpectedSchema } from "../db/migrate.ts";

interface HealthNeeds {
  db: Database;
  schema: ExpectedSchema;
  isDraining(): boolean;
}

const KEPT_MS = 500;

/** /livez: the process responds. /readyz: it can do its work. External services do not affect it. */
export function registerHealth(http: FastifyInstance, needs: HealthNeeds): void {
  http.get("/livez", async () => ({ status: "ok" }));
  let looked: { at: number; failed: Promise<string[]> } | undefined;
  http.get("/readyz", async (_request, reply) => {
    // The endpoint is public, so frequent requests must not load the database.
    if (!looked || performance.now() - looked.at > KEPT_MS || needs.isDraining()) {
      looked = { at: performance.now(), failed: failedChecks(needs) };
    }
    const failed = await looked.failed;
    return reply
      .code(failed.length === 0 ? 200 : 503)
      .send({ status: failed.length === 0 ? "ok" : "not_ready", failed });
  });
}

async function failedChecks({ db, schema, isDraining }: HealthNeeds): Promise<string[]> {
  if (isDraining()) return ["draining"];
  const migrated = isMigrated(db, schema).catch(() => undefined);
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, 1_000, undefined).unref());
  const result = await Promise.race([migrated, late]);
  if (result === undefined) return ["database"];
  return result ? [] : ["migrations"];
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
