import type { Tx } from "../../platform/db/database.ts";

/** Adds changes to the totals of the counts. Returns how many changes there were, `most` at most. */
export async function addNumberCounts(tx: Tx, most: number): Promise<number> {
  const [row] = await tx.query<{ added: number }>("select add_number_counts($1) as added", [most]);
  return row!.added;
}
