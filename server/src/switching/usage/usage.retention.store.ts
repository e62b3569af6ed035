import type { Database } from "../../platform/db/database.ts";

const BATCH = 5_000;

export async function advanceUsageStart(db: Database, hoursFrom: Date): Promise<void> {
  await db.forSystem("calls", (tx) => tx.query("select advance_usage_start($1)", [hoursFrom]));
}

export async function readHoursSince(db: Database): Promise<Date> {
  const [row] = await db.forSystem.read<{ hours_since: Date }>(
    "calls",
    "select hours_since from usage_quarters_start",
  );
  return row!.hours_since;
}

/** Organisations with hours or quarters that no request reads. */
export async function listOrganisationsWithOldUsage(db: Database): Promise<string[]> {
  const oldest = (table: string, column: string): string =>
    `(select u.${column} from ${table} u where u.organisation_id = o.id and u.environment = e.name
      order by u.organisation_id, u.environment, u.${column} limit 1)`;
  const rows = await db.forSystem.read<{ id: string }>(
    "calls",
    `select distinct o.id from organisations o cross join (values ('live'), ('test')) e (name) cross join usage_quarters_start s
     where least(${oldest("organisation_usage_hours", "hour")}, ${oldest("organisation_usage_quarters", "quarter")}) < s.hours_since`,
  );
  return rows.map(({ id }) => id);
}

/** Turns hours into days, and deletes quarters. */
export async function rollUpUsage(
  db: Database,
  organisationId: string,
  stopping: AbortSignal,
): Promise<void> {
  const rollUp = (environment: string): Promise<number> =>
    count(db, "select roll_up_usage_hours($1, $2) as count", [organisationId, environment]);
  const endQuarters = (): Promise<number> =>
    count(db, "select end_usage_quarters($1, $2) as count", [organisationId, BATCH]);
  for (const environment of ["live", "test"]) while (!stopping.aborted && (await rollUp(environment)) > 0);
  while (!stopping.aborted && (await endQuarters()) === BATCH);
}

/** Throws if a month of hours has other calls than its days. */
export async function compareUsageDays(db: Database, partition: string): Promise<void> {
  await db.forSystem("calls", async (tx) => {
    await tx.extendTimeout(240_000);
    await tx.query("select compare_usage_days($1)", [partition]);
  });
}

export async function endUsageDays(db: Database, before: string): Promise<void> {
  const organisations = await db.forSystem.read<{ id: string }>(
    "calls",
    `select o.id from organisations o where exists (
       select from organisation_usage_days d where d.organisation_id = o.id and d.environment in ('live', 'test') and d.day < least($1::date, current_date - 731))`,
    [before],
  );
  for (const { id } of organisations)
    await db.forSystem("calls", (tx) => tx.query("select end_usage_days($1, $2::date)", [id, before]));
}

async function count(db: Database, text: string, values: unknown[]): Promise<number> {
  return db.forSystem("calls", async (tx) => (await tx.query<{ count: number }>(text, values))[0]!.count);
}
