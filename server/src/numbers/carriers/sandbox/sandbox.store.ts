import type { Tx } from "../../../platform/db/database.ts";

/**
 * $1 is the test environment. Numbers it holds, bought here or not, are not offered to it again. Looked up one by one: from
 * `not exists` the planner makes a join with all numbers of the organisation.
 */
const NOT_HELD = ["h.is_held", "h.status = 'quarantined'"]
  .map(
    (state) => `(select true from holdings h
       where h.organisation_id = $1 and h.environment = 'test' and h.e164 = w.e164 collate "C" and ${state} limit 1) is null`,
  )
  .join(" and ");

export async function listFree(
  tx: Tx,
  testSideOf: string,
  e164s: readonly string[],
  now: Date,
): Promise<string[]> {
  const rows = await tx.query<{ e164: string }>(
    `select w.e164 from unnest($2::text[]) w(e164) where ${NOT_HELD} and not exists (
       select from sandbox_reservations r where r.test_side_of = $1 and r.e164 = w.e164 collate "C" and r.reserved_until > $3)`,
    [testSideOf, e164s, now],
  );
  return rows.map(({ e164 }) => e164);
}

export interface Taking {
  reference: string;
  e164s: readonly string[];
  until: Date | "infinity";
  /** Also what was put aside under these references. */
  reservations: readonly string[];
}

/** Returns the numbers that were free. */
export async function insertReservations(
  tx: Tx,
  testSideOf: string,
  { reference, e164s, until, reservations }: Taking,
  now: Date,
): Promise<string[]> {
  const taken = await tx.query<{ e164: string }>(
    `insert into sandbox_reservations (test_side_of, e164, reference, reserved_until)
     select $1, w.e164, $2, $3 from unnest($4::text[]) w(e164) where ${NOT_HELD} order by w.e164 collate "C"
     on conflict (test_side_of, e164) do update set reference = excluded.reference, reserved_until = excluded.reserved_until
       where sandbox_reservations.reserved_until <= $5 or sandbox_reservations.reference = any($6::uuid[])
     returning e164`,
    [testSideOf, reference, until, e164s, now, reservations],
  );
  return taken.map(({ e164 }) => e164);
}

export async function deleteReservations(tx: Tx, reference: string): Promise<void> {
  await tx.query("delete from sandbox_reservations where reference = $1 and reserved_until < 'infinity'", [
    reference,
  ]);
}

export interface PurchaseRow {
  e164: string;
  asked_at: Date;
  bought_at: Date | null;
}

/** Locks a reference until the commit. */
export async function lockReference(tx: Tx, reference: string): Promise<void> {
  await tx.query("select pg_advisory_xact_lock(hashtextextended($1, 0))", [reference]);
}

export async function listPurchases(tx: Tx, testSideOf: string, reference: string): Promise<PurchaseRow[]> {
  return tx.query<PurchaseRow>(
    `select e164, asked_at, bought_at from sandbox_purchases where test_side_of = $1 and reference = $2 order by e164`,
    [testSideOf, reference],
  );
}

export async function insertPurchases(
  tx: Tx,
  testSideOf: string,
  reference: string,
  rows: readonly PurchaseRow[],
): Promise<void> {
  await tx.query(
    `insert into sandbox_purchases (reference, e164, test_side_of, asked_at, bought_at)
     select $1, r.e164, $2, r.asked_at, r.bought_at from json_to_recordset($3) r(e164 text, asked_at timestamptz, bought_at timestamptz)
     order by r.e164 collate "C"`,
    [reference, testSideOf, JSON.stringify(rows)],
  );
}

/** Numbers that were pending until their evidence was accepted. A cancelled one stays unsold. */
export async function setBought(
  tx: Tx,
  { testSideOf, reference, e164s }: { testSideOf: string; reference: string; e164s: readonly string[] },
  now: Date,
): Promise<void> {
  await tx.query(
    `update sandbox_purchases set bought_at = $4
     where test_side_of = $1 and reference = $2 and e164 = any ($3::text[]) and bought_at > $4 and returned_at is null`,
    [testSideOf, reference, e164s, now],
  );
}

export interface Return {
  testSideOf: string;
  /** Reference of the release. */
  reference: string;
  e164: string;
  /** Reference of the purchase, if known. */
  boughtAs?: string | undefined;
}

/** When a release took or will take effect: null once it was restored, undefined if it is unheard of. */
export async function findReturn(
  tx: Tx,
  { testSideOf, reference, e164 }: Return,
): Promise<{ returned_at: Date | null } | undefined> {
  const [row] = await tx.query<{ returned_at: Date | null }>(
    "select returned_at from sandbox_purchases where test_side_of = $1 and returned_by = $2 and e164 = $3",
    [testSideOf, reference, e164],
  );
  return row;
}

export async function setReturned(
  tx: Tx,
  { testSideOf, reference, e164, boughtAs }: Return,
  returnedAt: Date,
  freeFrom: Date | "infinity",
): Promise<void> {
  const open = `p.test_side_of = $1 and p.e164 = $2 and ($3::uuid is null or p.reference = $3)
    and p.bought_at is not null and p.returned_at is null`;
  await tx.query(
    `update sandbox_reservations r set reserved_until = $4 from sandbox_purchases p
     where r.test_side_of = p.test_side_of and r.e164 = p.e164 and r.reference = p.reference and ${open}`,
    [testSideOf, e164, boughtAs ?? null, freeFrom],
  );
  await tx.query(`update sandbox_purchases p set returned_at = $4, returned_by = $5 where ${open}`, [
    testSideOf,
    e164,
    boughtAs ?? null,
    returnedAt,
    reference,
  ]);
}

/** Restores a number, unless it is reserved or sold again. */
export async function setRestored(tx: Tx, { testSideOf, reference, e164 }: Return, now: Date): Promise<void> {
  const returned = `p.test_side_of = $1 and p.returned_by = $2 and p.e164 = $3 and p.returned_at <= $4`;
  const taken = await tx.query(
    `insert into sandbox_reservations (test_side_of, e164, reference, reserved_until)
     select p.test_side_of, p.e164, p.reference, 'infinity' from sandbox_purchases p where ${returned}
     on conflict (test_side_of, e164) do update set reference = excluded.reference, reserved_until = excluded.reserved_until
       where sandbox_reservations.reserved_until <= $4
     returning 1`,
    [testSideOf, reference, e164, now],
  );
  if (taken.length === 0) return;
  await tx.query(`update sandbox_purchases p set returned_at = null where ${returned}`, [
    testSideOf,
    reference,
    e164,
    now,
  ]);
}

export async function listSold(
  tx: Tx,
  after: { e164: string; reference: string } | undefined,
  limit: number,
  now: Date,
): Promise<{ e164: string; reference: string; boughtAt: string }[]> {
  return tx.query(
    `select e164, reference, wire_time(bought_at) as "boughtAt" from sandbox_purchases
     where bought_at <= $1 and (returned_at is null or returned_at > $1) and ($2::text is null or (e164, reference) > ($2, $3::uuid))
     order by e164, reference limit $4`,
    [now, after?.e164 ?? null, after?.reference ?? null, limit],
  );
}

/** Returns the time of the first call with a reference, and records it if this is the first. */
export async function firstTried(
  tx: Tx,
  testSideOf: string,
  reference: string,
  now: Date,
): Promise<{ isFirst: boolean; at: Date }> {
  const inserted = await tx.query(
    "insert into sandbox_calls (reference, test_side_of, first_at) values ($1, $2, $3) on conflict do nothing returning 1",
    [reference, testSideOf, now],
  );
  if (inserted.length === 1) return { isFirst: true, at: now };
  const [row] = await tx.query<{ first_at: Date }>(
    "select first_at from sandbox_calls where reference = $1",
    [reference],
  );
  return { isFirst: false, at: row!.first_at };
}
