import type { Tx } from "../../../platform/db/database.ts";

/** Returns the status of our reservations, of all organisations. Those that were never recorded are missing. */
export async function listReservationStatuses(
  tx: Tx,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await tx.query<{ id: string; status: string }>(
    "select id, status from reservations where id = any($1::uuid[])",
    [ids],
  );
  return new Map(rows.map(({ id, status }) => [id, status]));
}
