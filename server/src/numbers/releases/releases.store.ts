import type { Environment, OrganisationTx, Tx } from "../../platform/db/database.ts";

export type ReleaseStep =
  | "unrouting"
  | "telling"
  | "quarantined"
  | "restoring"
  | "restored"
  | "released"
  | "failed";

export interface ReleaseRow {
  id: string;
  organisation_id: string;
  environment: Environment;
  holding_id: string;
  e164: string;
  job_id: string;
  restore_job_id: string | null;
  step: ReleaseStep;
  previous_status: "active" | "suspended";
  carrier: string | null;
  asked_by_kind: string;
  asked_by_id: string | null;
  asked_by_name: string | null;
  restored_by_kind: string | null;
  restored_by_id: string | null;
  restored_by_name: string | null;
  /** The reference it was ordered under. */
  bought_as: string | null;
  quarantined_until: Date | null;
  created_at: Date;
}

const COLUMNS = `id, organisation_id, environment, holding_id, e164, job_id, restore_job_id, step, previous_status, carrier,
  asked_by_kind, asked_by_id, asked_by_name, restored_by_kind, restored_by_id, restored_by_name, quarantined_until, created_at,
  (select i.reference from order_items i where i.organisation_id = releases.organisation_id
     and i.environment = releases.environment and i.number_id = releases.holding_id limit 1) as bought_as`;

export async function insertRelease(
  tx: OrganisationTx,
  row: Pick<
    ReleaseRow,
    | "id"
    | "holding_id"
    | "e164"
    | "job_id"
    | "previous_status"
    | "carrier"
    | "asked_by_kind"
    | "asked_by_id"
    | "asked_by_name"
    | "created_at"
  >,
): Promise<void> {
  await tx.query(
    `insert into releases (id, organisation_id, environment, holding_id, e164, job_id, previous_status, carrier, asked_by_kind, asked_by_id, asked_by_name, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    [
      row.id,
      tx.organisationId,
      tx.environment,
      row.holding_id,
      row.e164,
      row.job_id,
      row.previous_status,
      row.carrier,
      row.asked_by_kind,
      row.asked_by_id,
      row.asked_by_name,
      row.created_at,
    ],
  );
}

/** The one that has not ended; a number has one at most. */
export async function findOpenRelease(tx: OrganisationTx, numberId: string): Promise<ReleaseRow | undefined> {
  const [row] = await tx.query<ReleaseRow>(
    `select ${COLUMNS} from releases
     where organisation_id = $1 and environment = $2 and holding_id = $3 and ended_at is null`,
    [tx.organisationId, tx.environment, numberId],
  );
  return row;
}

export async function findReleaseOfJob(tx: Tx, jobId: string): Promise<ReleaseRow | undefined> {
  const [row] = await tx.query<ReleaseRow>(
    `select ${COLUMNS} from releases where job_id = $1 union all select ${COLUMNS} from releases where restore_job_id = $1`,
    [jobId],
  );
  return row;
}

/** For the organisation's door: who continues is the job's worker. */
export async function setRestoring(
  tx: OrganisationTx,
  id: string,
  jobId: string,
  by: Pick<ReleaseRow, "restored_by_kind" | "restored_by_id" | "restored_by_name">,
): Promise<boolean> {
  const set = await tx.query(
    `update releases set step = 'restoring', restore_job_id = $4, restored_by_kind = $5, restored_by_id = $6, restored_by_name = $7
     where organisation_id = $1 and environment = $2 and id = $3 and step = 'quarantined' returning 1`,
    [
      tx.organisationId,
      tx.environment,
      id,
      jobId,
      by.restored_by_kind,
      by.restored_by_id,
      by.restored_by_name,
    ],
  );
  return set.length === 1;
}

/** Compare and set: false if another worker has moved it since then. */
export async function setReleaseStep(
  tx: Tx,
  { id, step }: Pick<ReleaseRow, "id" | "step">,
  to: { step: ReleaseStep; quarantinedUntil?: Date; endedAt?: Date },
): Promise<boolean> {
  const set = await tx.query(
    `update releases set step = $3, quarantined_until = coalesce($4, quarantined_until), ended_at = $5
     where id = $1 and step = $2 returning 1`,
    [id, step, to.step, to.quarantinedUntil ?? null, to.endedAt ?? null],
  );
  return set.length === 1;
}

/** Releases whose quarantine has ended. A number stays quarantined while a switch may still accept its calls. */
export async function listRested(tx: Tx, now: Date, limit: number): Promise<ReleaseRow[]> {
  return tx.query<ReleaseRow>(
    `select ${COLUMNS} from releases where step = 'quarantined' and quarantined_until <= $1
       and route_standing(holding_id) = 'settled' order by quarantined_until limit $2`,
    [now, limit],
  );
}
