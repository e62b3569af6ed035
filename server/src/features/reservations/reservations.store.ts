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

/** Of several who decide about it at once, each sees what the one before has decided. */
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
