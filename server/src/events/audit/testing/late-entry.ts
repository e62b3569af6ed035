import pg from "pg";
import { newId } from "../../../platform/ids.ts";

/** An audit entry in a transaction that stays open until `commit`. Its subject is "late". */
export async function insertLate(
  databaseUrl: string,
  organisationId: string,
): Promise<{ id: string; commit(): Promise<void> }> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query("begin");
  const id = newId();
  await client.query(
    `insert into audit_entries (id, organisation_id, environment, action, outcome, subject, actor_kind, detail, at)
     values ($1, $2, 'live', 'number.changed', 'done', 'late', 'system', '{}', now())`,
    [id, organisationId],
  );
  return {
    id,
    async commit() {
      await client.query("commit");
      await client.end();
    },
  };
}
