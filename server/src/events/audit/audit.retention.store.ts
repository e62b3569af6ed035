import type { Database } from "../../platform/db/database.ts";

const BATCH = 2_000;

/** Null is the installation, whose entries have no organisation. */
export async function listScopesWithEntriesBefore(db: Database, before: Date): Promise<(string | null)[]> {
  const rows = await db.forSystem.read<{ id: string | null }>(
    "sweep",
    `select o.id from organisations o cross join lateral (
       select a.at from audit_entries a where a.organisation_id = o.id
       order by a.organisation_id, a.committed_in, a.id limit 1) oldest
     where oldest.at < $1
     union all select null from (
       select a.at from audit_entries a where a.organisation_id is null
       order by a.organisation_id, a.committed_in, a.id limit 1) oldest
     where oldest.at < $1`,
    [before],
  );
  return rows.map(({ id }) => id);
}

/** A batch per transaction, so that no lock is held for long. */
export async function endAuditEntries(
  db: Database,
  { organisationId, before }: { organisationId: string | null; before: Date },
  stopping: AbortSignal,
): Promise<void> {
  while (!stopping.aborted) {
    const gone = await db.forSystem("sweep", async (tx) => {
      const [row] = await tx.query<{ gone: number }>("select end_audit_entries($1, $2, $3) as gone", [
        organisationId,
        before,
        BATCH,
      ]);
      return row!.gone;
    });
    if (gone < BATCH) return;
  }
}
