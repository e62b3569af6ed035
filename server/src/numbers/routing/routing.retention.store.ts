import type { Database } from "../../platform/db/database.ts";

/** Rows of one number that one statement deletes at most. */
const BATCH = 1_000;
const FIRST = "00000000-0000-0000-0000-000000000000";

/** Walks all numbers, a page per transaction. A page with old rows is read again, because it can have more of them. */
export async function endRoutingHistory(db: Database, before: Date, stopping: AbortSignal): Promise<void> {
  for (let after = FIRST; !stopping.aborted;) {
    const { last_holding: last, deleted } = await db.forSystem("sweep", async (tx) => {
      const [row] = await tx.query<{ last_holding: string | null; deleted: number }>(
        "select last_holding, deleted from end_routing_history($1, $2, $3)",
        [after, before, BATCH],
      );
      return row!;
    });
    if (last === null) return;
    if (deleted === 0) after = last;
  }
}
