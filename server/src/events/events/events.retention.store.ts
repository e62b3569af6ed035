import type { Database } from "../../platform/db/database.ts";

const BATCH = 2_000;

export async function listOrganisationsWithEventsBefore(db: Database, before: Date): Promise<string[]> {
  const rows = await db.forSystem.read<{ id: string }>(
    "sweep",
    `select h.organisation_id as id from event_heads h cross join lateral (
       select e.created_at from events e where e.organisation_id = h.organisation_id order by e.sequence limit 1) oldest
     where oldest.created_at < $1`,
    [before],
  );
  return rows.map(({ id }) => id);
}

/** A batch per transaction, so that no lock is held for long. */
export async function endEvents(
  db: Database,
  { organisationId, before }: { organisationId: string; before: Date },
  stopping: AbortSignal,
): Promise<void> {
  while (!stopping.aborted) {
    const gone = await db.forSystem("sweep", async (tx) => {
      const [row] = await tx.query<{ gone: number }>("select end_events($1, $2, $3) as gone", [
        organisationId,
        before,
        BATCH,
      ]);
      return row!.gone;
    });
    if (gone < BATCH) return;
  }
}
