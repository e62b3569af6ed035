import type { FastifyInstance } from "fastify";
import type { Database } from "../db/database.ts";

interface HealthNeeds {
  db: Database;
  newestMigration: string;
  isDraining(): boolean;
}

const KEPT_MS = 500;

/** /livez: the process answers. /readyz: it can do its work; never false because of somebody else's service. */
export function registerHealth(http: FastifyInstance, needs: HealthNeeds): void {
  http.get("/livez", async () => ({ status: "ok" }));
  let looked: { at: number; failed: Promise<string[]> } | undefined;
  http.get("/readyz", async (_request, reply) => {
    // Anybody may ask, so asking often must not cost the database anything.
    if (!looked || performance.now() - looked.at > KEPT_MS || needs.isDraining()) {
      looked = { at: performance.now(), failed: failedChecks(needs) };
    }
    const failed = await looked.failed;
    return reply
      .code(failed.length === 0 ? 200 : 503)
      .send({ status: failed.length === 0 ? "ok" : "not_ready", failed });
  });
}

async function failedChecks({ db, newestMigration, isDraining }: HealthNeeds): Promise<string[]> {
  if (isDraining()) return ["draining"];
  const look = db.forSystem.read<{ name: string }>(
    "health",
    "select max(name) as name from schema_migrations",
  );
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, 1_000, undefined).unref());
  const rows = await Promise.race([look.catch(() => undefined), late]);
  if (!rows) return ["database"];
  return (rows[0]?.name ?? "") < newestMigration ? ["migrations"] : [];
}
