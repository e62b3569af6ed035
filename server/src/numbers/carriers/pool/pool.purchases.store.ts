import type { Tx } from "../../../platform/db/database.ts";

export interface PurchaseRow {
  e164: string;
  is_sold: boolean;
}

/** Locks a reference until the commit, so that a concurrent repetition finds the result of the first call. */
export async function lockReference(tx: Tx, reference: string): Promise<void> {
  await tx.query("select pg_advisory_xact_lock(hashtextextended($1, 0))", [reference]);
}

export async function listPurchases(tx: Tx, reference: string, soldTo: string): Promise<PurchaseRow[]> {
  return tx.query<PurchaseRow>(
    `select e164, number_id is not null as is_sold from pool_purchases where reference = $1 and sold_to = $2 order by e164`,
    [reference, soldTo],
  );
}

/**
 * Claims numbers in stock without a holder that are free or reserved by the buyer, and records the result of each. It
 * locks in order of the numbers, so that concurrent purchases cannot deadlock.
 */
export async function insertPurchases(
  tx: Tx,
  soldTo: string,
  wanted: { reference: string; e164s: readonly string[]; reservations: readonly string[] },
  now: Date,
): Promise<PurchaseRow[]> {
  const taken = await tx.query<{ number_id: string }>(
    `insert into stock_reservations (number_id, test_side_of, reference, reserved_until)
     select n.id, null, $1, 'infinity' from numbers n
     where n.environment = 'live' and n.is_stock and n.e164 = any($2::text[]) and not exists (
       select from holdings h where h.number_id = n.id and h.environment = 'live' and h.status <> 'released')
     order by n.e164
     on conflict (number_id, test_side_of) do update set reference = excluded.reference, reserved_until = excluded.reserved_until
       where stock_reservations.reserved_until <= $3 or stock_reservations.reference = any($4::uuid[])
     returning number_id`,
    [wanted.reference, wanted.e164s, now, wanted.reservations],
  );
  return tx.query<PurchaseRow>(
    `insert into pool_purchases (reference, e164, number_id, sold_to, asked_at)
     select $1, w.e164, n.id, $2, $3 from unnest($4::text[]) w(e164)
     left join numbers n on n.environment = 'live' and n.e164 = w.e164 and n.id = any($5::uuid[])
     order by w.e164
     returning e164, number_id is not null as is_sold`,
    [wanted.reference, soldTo, now, wanted.e164s, taken.map((one) => one.number_id)],
  );
}

export interface ReturnWanted {
  /** Reference of the release. */
  reference: string;
  e164: string;
  soldTo: string;
  /** Reference of the purchase; null if it is unknown. */
  boughtAs: string | null;
}

/** Finds the state of a release; undefined if it is unknown. */
export async function findReturn(
  tx: Tx,
  { reference, e164, soldTo }: ReturnWanted,
): Promise<{ is_returned: boolean } | undefined> {
  const [row] = await tx.query<{ is_returned: boolean }>(
    `select returned_at is not null as is_returned from pool_purchases where returned_by = $1 and e164 = $2 and sold_to = $3`,
    [reference, e164, soldTo],
  );
  return row;
}

/**
 * Deletes the stock row first, like every other change here, so that a transaction waiting for that row sees the
 * return.
 */
export async function setReturned(
  tx: Tx,
  { reference, e164, soldTo, boughtAs }: ReturnWanted,
  now: Date,
): Promise<void> {
  const open = `p.e164 = $1 and p.sold_to = $2 and ($3::uuid is null or p.reference = $3)
    and p.number_id is not null and p.returned_at is null`;
  await tx.query(
    `delete from stock_reservations r using pool_purchases p
     where r.number_id = p.number_id and r.test_side_of is null and r.reference = p.reference and ${open}`,
    [e164, soldTo, boughtAs],
  );
  await tx.query(`update pool_purchases p set returned_at = $4, returned_by = $5 where ${open}`, [
    e164,
    soldTo,
    boughtAs,
    now,
    reference,
  ]);
}

/** Restores a number, unless another organisation holds it or it is reserved again. */
export async function setRestored(
  tx: Tx,
  { reference, e164, soldTo }: ReturnWanted,
  now: Date,
): Promise<void> {
  const returned = "p.returned_by = $1 and p.e164 = $2 and p.sold_to = $3 and p.returned_at is not null";
  const taken = await tx.query(
    `insert into stock_reservations (number_id, test_side_of, reference, reserved_until)
     select p.number_id, null, p.reference, 'infinity' from pool_purchases p
     where ${returned} and not exists (
       select from holdings h where h.number_id = p.number_id and h.environment = 'live' and h.status <> 'released'
         and h.organisation_id <> p.sold_to)
     on conflict (number_id, test_side_of) do update set reference = excluded.reference, reserved_until = excluded.reserved_until
       where stock_reservations.reserved_until <= $4
     returning 1`,
    [reference, e164, soldTo, now],
  );
  if (taken.length === 0) return;
  await tx.query(`update pool_purchases p set returned_at = null where ${returned}`, [
    reference,
    e164,
    soldTo,
  ]);
}

export async function listOpenPurchases(
  tx: Tx,
  after: string | undefined,
  limit: number,
): Promise<{ e164: string; reference: string; boughtFor: string; boughtAt: string }[]> {
  return tx.query(
    `select e164, reference, sold_to as "boughtFor", wire_time(asked_at) as "boughtAt" from pool_purchases
     where number_id is not null and returned_at is null and ($1::text is null or e164 > $1) order by e164 limit $2`,
    [after ?? null, limit],
  );
}
