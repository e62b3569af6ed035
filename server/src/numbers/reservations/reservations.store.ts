import type { OrganisationTx } from "../../platform/db/database.ts";
import type { StoredStatus } from "./reservations.rules.ts";

export interface ReservationRow {
  id: string;
  status: StoredStatus;
  carrier: string;
  numbers: string[];
  created_by: string;
  created_at: Date;
  expires_at: Date;
}

const COLUMNS = "id, status, carrier, numbers, created_by, created_at, expires_at";

export async function insertReservation(tx: OrganisationTx, row: ReservationRow): Promise<void> {
  await tx.query(
    `insert into reservations (organisation_id, environment, ${COLUMNS}) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      tx.organisationId,
      tx.environment,
      row.id,
      row.status,
      row.carrier,
      row.numbers,
      row.created_by,
      row.created_at,
      row.expires_at,
    ],
  );
}

export async function findReservation(tx: OrganisationTx, id: string): Promise<ReservationRow | undefined> {
  const [row] = await tx.query<ReservationRow>(
    `select ${COLUMNS} from reservations where organisation_id = $1 and environment = $2 and id = $3`,
    [tx.organisationId, tx.environment, id],
  );
  return row;
}

/** Newest first. */
export async function listReservationsBefore(
  tx: OrganisationTx,
  before: string | undefined,
  limit: number,
): Promise<ReservationRow[]> {
  return tx.query<ReservationRow>(
    `select ${COLUMNS} from reservations
     where organisation_id = $1 and environment = $2 and ($3::uuid is null or id < $3) order by id desc limit $4`,
    [tx.organisationId, tx.environment, before ?? null, limit + 1],
  );
}

/** Those that hold some of these numbers now. */
export async function listReservationsWith(
  tx: OrganisationTx,
  e164s: readonly string[],
  now: Date,
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `select id from reservations where organisation_id = $1 and environment = $2
     and expires_at > $4 and status = 'active' and numbers && $3::text[]`,
    [tx.organisationId, tx.environment, e164s, now],
  );
  return rows.map(({ id }) => id);
}

/** Carriers of those that hold some of these numbers now. */
export async function listCarriersWith(
  tx: OrganisationTx,
  e164s: readonly string[],
  now: Date,
): Promise<string[]> {
  const rows = await tx.query<{ carrier: string }>(
    `select distinct carrier from reservations where organisation_id = $1 and environment = $2
     and expires_at > $4 and status = 'active' and numbers && $3::text[] order by carrier`,
    [tx.organisationId, tx.environment, e164s, now],
  );
  return rows.map(({ carrier }) => carrier);
}

/** Serialises concurrent decisions about a reservation. */
export async function lockReservation(tx: OrganisationTx, id: string): Promise<ReservationRow | undefined> {
  const [row] = await tx.query<ReservationRow>(
    `select ${COLUMNS} from reservations where organisation_id = $1 and environment = $2 and id = $3 for no key update`,
    [tx.organisationId, tx.environment, id],
  );
  return row;
}

export async function setReservationStatus(
  tx: OrganisationTx,
  id: string,
  status: StoredStatus,
): Promise<void> {
  await tx.query(
    "update reservations set status = $4 where organisation_id = $1 and environment = $2 and id = $3",
    [tx.organisationId, tx.environment, id, status],
  );
}
