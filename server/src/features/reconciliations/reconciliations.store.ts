import type { Tx } from "../../platform/db/database.ts";
import type { Finding, OurNumber } from "./reconciliations.rules.ts";

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
  kind: "not_at_carrier" | "not_here";
  e164: string;
  holding_id: string | null;
  organisation_id: string | null;
  bought_for: string | null;
  status_reason: string | null;
  repaired_at: Date | null;
}

export async function listNumbersFrom(tx: Tx, carrier: string): Promise<OurNumber[]> {
  return tx.query<OurNumber>("select e164, holding_id, is_in_flux from numbers_from($1)", [carrier]);
}

export async function insertReconciliation(tx: Tx, id: string, carrier: string, at: Date): Promise<void> {
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
    "update reconciliations set status = 'failed', error = left($2, 500), finished_at = $3 where id = $1",
    [id, error, at],
  );
}

export async function insertFindings(
  tx: Tx,
  reconciliationId: string,
  findings: readonly (Finding & { id: string })[],
): Promise<void> {
  await tx.query(
    `insert into reconciliation_findings (id, reconciliation_id, kind, e164, holding_id, bought_for)
     select r.id, $1, r.kind, r.e164, r."holdingId", r."boughtFor"
     from json_to_recordset($2) r(id uuid, kind text, e164 text, "holdingId" uuid, "boughtFor" uuid)`,
    [reconciliationId, JSON.stringify(findings)],
  );
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

const FINDING = `select f.id, f.reconciliation_id, r.carrier, f.kind, f.e164, f.holding_id, h.organisation_id, h.status_reason, f.bought_for, f.repaired_at
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

/** False where it was repaired before. */
export async function setRepaired(tx: Tx, id: string, at: Date): Promise<boolean> {
  const set = await tx.query(
    "update reconciliation_findings set repaired_at = $2 where id = $1 and repaired_at is null returning 1",
    [id, at],
  );
  return set.length === 1;
}
