import type { Tx } from "../../platform/db/database.ts";

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
  /** Changed settings. Null if unknown. */
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
}

/** Many at once, so that errors under a flood cost one statement a second. */
export async function insertAuditEntries(tx: Tx, rows: readonly AuditRow[]): Promise<void> {
  await tx.query(
    `insert into audit_entries (id, organisation_id, environment, action, outcome, subject, actor_kind, actor_id, actor_name, detail, request_id, address, at, before, after)
     select * from json_to_recordset($1) as r(id uuid, organisation_id uuid, environment text, action text, outcome text, subject text,
       actor_kind text, actor_id uuid, actor_name text, detail jsonb, request_id text, address inet, at timestamptz, before jsonb, after jsonb)`,
    [JSON.stringify(rows)],
  );
}
