import { inject } from "vitest";
import type { Settings } from "../src/config.ts";

/** With `--mode pooler`, for databases of the shared cluster: PgBouncer. */
export function poolerSettings(databaseUrl: string): Settings {
  const pooler = inject("pooler");
  const url = new URL(databaseUrl);
  if (!pooler || url.host !== new URL(inject("clusterUrl")).host) return {};
  url.host = new URL(pooler.url).host;
  return { DATABASE_POOLER_URL: url.href, DATABASE_POOLER_STATEMENTS: pooler.statements };
}
