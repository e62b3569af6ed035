import type { Environment } from "../../src/platform/db/database.ts";
import type { Service } from "../service.ts";

/** Rows that retention leaves behind. */
export async function addOldRows(
  { database: { admin } }: Service,
  { organisationId, environment }: { organisationId: string; environment: Environment },
): Promise<void> {
  await admin(
    `insert into log_floors (organisation_id, log, position, deleted) values ($1, 'audit', 0, 1) on conflict do nothing`,
    [organisationId],
  );
  await admin(
    `insert into organisation_usage_days values ($1, $2, '2020-01-01', 0, 0, 0, 0, 0, 0, 0, 0, 0)`,
    [organisationId, environment],
  );
}
