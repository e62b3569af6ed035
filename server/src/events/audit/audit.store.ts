import type { OrganisationTx, Tx } from "../../platform/db/database.ts";

export interface AuditRow {
  id: string;
  organisation_id: string | null;
  environment: string | null;
  action: string;
  outcome: "done" | "refused";
  subject: string | null;
  actor_kind: string;
  actor_id: string | null;
  actor_name: string | null;
  detail: Record<string, unknown>;
  request_id: string | null;
  address: string | null;
  at: Date;
}

/** Many at once, so that errors under a flood cost one statement a second. */
export async function insertAuditEntries(tx: Tx, rows: readonly AuditRow[]): Promise<void> {
  await tx.query(
    `insert into audit_entries (id, organisation_id, environment, action, outcome, subject, actor_kind, actor_id, actor_name, detail, request_id, address, at)
     select * from json_to_recordset($1) as r(id uuid, organisation_id uuid, environment text, action text, outcome text, subject text,
       actor_kind text, actor_id uuid, actor_name text, detail jsonb, request_id text, address inet, at timestamptz)`,
    [JSON.stringify(rows)],
  );
}

export async function listAuditEntries(
  tx: OrganisationTx,
  before: string | undefined,
  limit: number,
): Promise<AuditRow[]> {
  return tx.query<AuditRow>(
    `select id, organisation_id, environment, action, outcome, subject, actor_kind, actor_id, actor_name, detail, request_id, host(address) as address, at
     from audit_entries
     where organisation_id = $1 and (environment is null or environment = $2) and ($3::uuid is null or id < $3)
     order by id desc limit $4`,
    [tx.organisationId, tx.environment, before ?? null, limit + 1],
  );
}
