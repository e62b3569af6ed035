import type { Database } from "./database.ts";

/** Small enough to end well within a statement's time limit, however much has piled up. */
const BATCH = 2_000;

/** Removes what has ended, a batch per transaction. Table and condition come from our own code, never from a request. */
export async function sweepTable(
  db: Database,
  ended: { table: string; where: string; values: unknown[] },
): Promise<void> {
  const { table, where, values } = ended;
  const statement = `delete from ${table} where ctid = any (array(select ctid from ${table} where ${where} limit ${BATCH})) returning 1`;
  for (;;) {
    const gone = await db.forSystem("sweep", (tx) => tx.query(statement, values));
    if (gone.length < BATCH) return;
  }
}
