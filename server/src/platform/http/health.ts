import type { FastifyInstance } from "fastify";
import type { Database } from "../db/database.ts";

interface HealthNeeds {
  db: Database;
  newestMigration: string;
  isDraining(): boolean;
}

/** /livez: the process answers. /readyz: it can do its work; never false because of somebody else's service. */
export function registerHealth(http: FastifyInstance, needs: HealthNeeds): void {
  http.get("/livez", async () => ({ status: "ok" }));
  http.get("/readyz", async (_request, reply) => {
    const failed = await failedChecks(needs);
    return reply
      .code(failed.length === 0 ? 200 : 503)
      .send({ status: failed.length === 0 ? "ok" : "not_ready", failed });
  });
}

async function failedChecks({ db, newestMigration, isDraining }: HealthNeeds): Promise<string[]> {
  if (isDraining()) return ["draining"];
  const look = db.forSystem.read<{ name: string }>(
    "sweep",
    "select max(name) as name from schema_migrations",
  );
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, 1_000, undefined).unref());
  const rows = await Promise.race([look.catch(() => undefined), late]);
  if (!rows) return ["database"];
  return (rows[0]?.name ?? "") < newestMigration ? ["migrations"] : [];
}
