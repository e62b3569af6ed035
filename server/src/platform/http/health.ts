import type { FastifyInstance } from "fastify";
import type { Readiness } from "../readiness.ts";

/** /livez: the process responds. /readyz: it should get requests. */
export function registerHealth(http: FastifyInstance, readiness: Readiness): void {
  http.get("/livez", async () => ({ status: "ok" }));
  http.get("/readyz", async (_request, reply) => {
    const failed = await readiness.failedChecks();
    return reply
      .code(failed.length === 0 ? 200 : 503)
      .send({ status: failed.length === 0 ? "ok" : "not_ready", failed });
  });
}
