import type { Tx } from "../../platform/db/database.ts";
import type { Finding, OurNumber, Rollback } from "./reconciliations.rules.ts";

export interface ReconciliationRow {
  id: string;
  carrier: string;
  status: "running" | "finished" | "failed";
  held: number | null;
  owned: number | null;
  error: string | null;
  open_findings: number;
  started_at: Date;
  finished_at: Date | null;
}

export interface FindingRow {
  id: string;
  reconciliation_id: string;
  carrier: string;
  kind: "not_at_carrier" | "not_here" | "delivered_elsewhere";
  e164: string;
  holding_id: string | null;
  organisation_id: string | null;
  bought_for: string | null;
  found_trunk: string | null;
  expected_trunk: string | null;
  repaired_at: Date | null;
}

export async function listNumbersFrom(tx: Tx, carrier: string): Promise<OurNumber[]> {
  return tx.query<OurNumber>("select e164, holding_id, is_in_flux from numbers_from($1)", [carrier]);
}

/**
 * Returns the numbers that an organisation holds or is buying, from any carrier. Imported numbers have no carrier,
 * and may be billed by this one. Quarantined numbers count too, unless they came from this carrier, which has already
 * been notified.
 */
export async function listTaken(tx: Tx, carrier: string, e164s: readonly string[]): Promise<Set<string>> {
  const rows = await tx.query<{ e164: string }>(
    `select e164 from numbers_from($1) where e164 = any($2)
     union all
     select n.e164 from numbers n join holdings h on h.number_id = n.id
     where n.environment = 'live' and n.e164 = any($2) and h.environment = 'live' and h.status <> 'released'
       and (h.is_held or h.carrier is distinct from $1)
     union all
     select i.e164 from order_items i
     where i.environment = 'live' and i.e164 = any($2) and i.step in ('submitted', 'unknown', 'bought', 'returning')`,
    [carrier, e164s],
  );
  return new Set(rows.map(({ e164 }) => e164));
}

/** Carriers of held live numbers, and carriers compared before, which may still have numbers without a holder. */
export async function listCarriersKnown(tx: Tx): Promise<string[]> {
  const rows = await tx.query<{ carrier: string }>(
    `with recursive held as (
       (select carrier from holdings where environment = 'live' and carrier is not null and is_held order by carrier limit 1)
       union all
       select (select h.carrier from holdings h
         where h.environment = 'live' and h.carrier > k.carrier and h.is_held order by h.carrier limit 1)
       from held k where k.carrier is not null
     ), compared as (
       (select carrier from reconciliations order by carrier limit 1)
       union all
       select (select r.carrier from reconciliations r where r.carrier > k.carrier order by r.carrier limit 1)
       from compared k where k.carrier is not null
     )
     select carrier from held where carrier is not null union select carrier from compared where carrier is not null`,
  );
  return rows.map(({ carrier }) => carrier);
}

/** One that has been at it for hours has died with its process. */
export async function insertReconciliation(tx: Tx, id: string, carrier: string, at: Date): Promise<void> {
  await tx.query(
    `update reconciliations set status = 'failed', error = 'It did not come to an end.', finished_at = $2
     where carrier = $1 and status = 'running' and started_at < $2::timestamptz - interval '6 hours'`,
    [carrier, at],
  );
  await tx.query("insert into reconciliations (id, carrier, started_at) values ($1, $2, $3)", [
    id,
    carrier,
    at,
  ]);
}

export async function setReconciled(
  tx: Tx,
  id: string,
  { held, owned, at }: { held: number; owned: number; at: Date },
): Promise<void> {
  await tx.query(
    "update reconciliations set status = 'finished', held = $2, owned = $3, finished_at = $4 where id = $1",
    [id, held, owned, at],
  );
}

export async function setReconciliationFailed(tx: Tx, id: string, error: string, at: Date): Promise<void> {
  await tx.query(
    "update reconciliations set status = 'failed', error = left($2, 500), finished_at = $3 where id = $1 and status = 'running'",
    [id, error, at],
  );
}

/** Serialises concurrent reconciliations of a carrier, so that the second sees the notifications of the first. */
export async function lockFindings(tx: Tx, carrier: string): Promise<void> {
  await tx.query("select pg_advisory_xact_lock(hashtextextended('reconciliations/' || $1, 0))", [carrier]);
}

/**
 * Marks missing numbers whose holders are to be notified: only active ones, and not again within 20 hours while
 * unrepaired.
 */
export async function insertFindings(
  tx: Tx,
  reconciliationId: string,
  findings: readonly (Finding & { id: string; isToTell: boolean })[],
  reportedSince: Date,
): Promise<void> {
  await tx.query(
    `insert into reconciliation_findings (id, reconciliation_id, kind, e164, holding_id, bought_for, found_trunk, expected_trunk,
       is_untold)
     select r.id, $1, r.kind, r.e164, r."holdingId", r."boughtFor", r.found, r.expected,
       r."isToTell" and h.status = 'active' and not exists (
         select from reconciliation_findings f where f.holding_id = r."holdingId" and f.repaired_at is null
           and f.kind = 'not_at_carrier'
           and (f.is_untold or f.told_at > $3))
     from json_to_recordset($2) r(id uuid, kind text, e164 text, "holdingId" uuid, "boughtFor" uuid, "isToTell" boolean,
       found text, expected text)
     left join holdings h on h.id = r."holdingId"`,
    [reconciliationId, JSON.stringify(findings), reportedSince],
  );
}

/** Includes earlier reconciliations, because a worker may have crashed before it notified the holder. */
export async function listUnreported(tx: Tx, after: string | undefined, limit: number): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    "select id from reconciliation_findings where is_untold and ($1::uuid is null or id > $1) order by id limit $2",
    [after ?? null, limit],
  );
  return rows.map(({ id }) => id);
}

export interface ReportedFinding {
  organisation_id: string;
  holding_id: string;
  e164: string;
  carrier: string;
  /** It may be suspended by now, or on its way back. */
  is_due: boolean;
}

/** Undefined if another worker has already notified the holder. */
export async function setReported(tx: Tx, id: string, at: Date): Promise<ReportedFinding | undefined> {
  const [row] = await tx.query<ReportedFinding>(
    `update reconciliation_findings f set is_untold = false, told_at = $2
     from holdings h, reconciliations r
     where f.id = $1 and f.is_untold and h.id = f.holding_id and r.id = f.reconciliation_id
     returning h.organisation_id, f.holding_id, f.e164, r.carrier, h.status = 'active' as is_due`,
    [id, at],
  );
  return row;
}

const RECONCILIATION = `select r.id, r.carrier, r.status, r.held, r.owned, r.error, r.started_at, r.finished_at,
  (select count(*)::integer from reconciliation_findings f where f.reconciliation_id = r.id and f.repaired_at is null) as open_findings
  from reconciliations r`;

export async function listReconciliationsBefore(
  tx: Tx,
  before: string | undefined,
  limit: number,
): Promise<ReconciliationRow[]> {
  return tx.query<ReconciliationRow>(
    `${RECONCILIATION} where $1::uuid is null or r.id < $1 order by r.id desc limit $2`,
    [before ?? null, limit + 1],
  );
}

export async function findReconciliation(tx: Tx, id: string): Promise<ReconciliationRow | undefined> {
  const [row] = await tx.query<ReconciliationRow>(`${RECONCILIATION} where r.id = $1`, [id]);
  return row;
}

const FINDING = `select f.id, f.reconciliation_id, r.carrier, f.kind, f.e164, f.holding_id, h.organisation_id, f.bought_for, f.found_trunk, f.expected_trunk,
  f.repaired_at
  from reconciliation_findings f join reconciliations r on r.id = f.reconciliation_id
  left join holdings h on h.id = f.holding_id`;

export async function listFindingsAfter(
  tx: Tx,
  reconciliationId: string,
  after: string | undefined,
  limit: number,
): Promise<FindingRow[]> {
  return tx.query<FindingRow>(
    `${FINDING} where f.reconciliation_id = $1 and ($2::uuid is null or f.id > $2) order by f.id limit $3`,
    [reconciliationId, after ?? null, limit + 1],
  );
}

export async function findFinding(tx: Tx, id: string): Promise<FindingRow | undefined> {
  const [row] = await tx.query<FindingRow>(`${FINDING} where f.id = $1`, [id]);
  return row;
}

/**
 * False if it was repaired before. A repaired finding needs no notification, because the repair creates its own
 * event.
 */
export async function setRepaired(tx: Tx, id: string, at: Date): Promise<boolean> {
  const set = await tx.query(
    `update reconciliation_findings set repaired_at = $2, is_untold = false, claimed_until = null
     where id = $1 and repaired_at is null returning 1`,
    [id, at],
  );
  return set.length === 1;
}

/** Claims a number for one finding at a time. False if another finding has the lease, or if this one was repaired. */
export async function claimFinding(
  tx: Tx,
  { id, e164 }: Pick<FindingRow, "id" | "e164">,
  { at, until }: { at: Date; until: Date },
): Promise<boolean> {
  await tx.query("select pg_advisory_xact_lock(hashtextextended('findings/' || $1, 0))", [e164]);
  const claimed = await tx.query(
    `update reconciliation_findings set claimed_until = $4 where id = $1 and repaired_at is null and not exists (
       select from reconciliation_findings f where f.e164 = $2 and f.claimed_until > $3)
     returning 1`,
    [id, e164, at, until],
  );
  return claimed.length === 1;
}

/** Keeps the claim of another worker, if there is one since then. */
export async function unclaimFinding(tx: Tx, id: string, until: Date): Promise<void> {
  await tx.query(
    "update reconciliation_findings set claimed_until = null where id = $1 and claimed_until = $2",
    [id, until],
  );
}

export async function listRollbacks(tx: Tx): Promise<Rollback[]> {
  return tx.query(
    "select newest_row_at, began_at from feed_epochs where cause = 'rollback' order by began_at desc",
  );
}

export async function organisationExists(tx: Tx, id: string): Promise<boolean> {
  return (await tx.query("select from organisations where id = $1", [id])).length === 1;
}

export async function findHoldingStatus(tx: Tx, id: string): Promise<string | undefined> {
  const [row] = await tx.query<{ status: string }>("select status from holdings where id = $1", [id]);
  return row?.status;
}
