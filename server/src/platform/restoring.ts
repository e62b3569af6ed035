import type { Tx } from "./db/database.ts";

/** While the database is being restored from a backup, work that cannot be undone waits. */
export async function isRestoring(tx: Tx): Promise<boolean> {
  const [row] = await tx.query<{ is_restore: boolean }>("select is_restore from feed_epoch");
  return row!.is_restore;
}
