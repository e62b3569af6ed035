import type { Tx } from "../../platform/db/database.ts";

export interface OrganisationRow {
  id: string;
  name: string;
  created_at: Date;
  suspended_at: Date | null;
  suspension_reason: string | null;
  suspends_numbers: boolean;
  numbers_due: boolean;
}

const COLUMNS = "id, name, created_at, suspended_at, suspension_reason, suspends_numbers, numbers_due";

export async function insertOrganisation(
  tx: Tx,
  row: Pick<OrganisationRow, "id" | "name" | "created_at"> & { root_id: number },
): Promise<void> {
  await tx.query("insert into organisations (id, name, root_id, created_at) values ($1, $2, $3, $4)", [
    row.id,
    row.name,
    row.root_id,
    row.created_at,
  ]);
}

/** Over all organisations: for the operator's door only. */
export async function listOrganisationsAfter(
  tx: Tx,
  after: string | undefined,
  limit: number,
): Promise<OrganisationRow[]> {
  return tx.query<OrganisationRow>(
    `select ${COLUMNS} from organisations where ($1::uuid is null or id > $1) order by id limit $2`,
    [after ?? null, limit + 1],
  );
}

export async function findOrganisation(tx: Tx, id: string): Promise<OrganisationRow | undefined> {
  const [organisation] = await tx.query<OrganisationRow>(
    `select ${COLUMNS} from organisations where id = $1`,
    [id],
  );
  return organisation;
}

export async function lockOrganisation(tx: Tx, id: string): Promise<OrganisationRow | undefined> {
  const [organisation] = await tx.query<OrganisationRow>(
    `select ${COLUMNS} from organisations where id = $1 for no key update`,
    [id],
  );
  return organisation;
}

export type Suspension = Pick<
  OrganisationRow,
  "suspended_at" | "suspension_reason" | "suspends_numbers" | "numbers_due"
>;

export async function setOrganisationSuspension(
  tx: Tx,
  id: string,
  suspension: Suspension,
): Promise<OrganisationRow> {
  const [organisation] = await tx.query<OrganisationRow>(
    `update organisations set suspended_at = $2, suspension_reason = $3, suspends_numbers = $4, numbers_due = $5
     where id = $1 returning ${COLUMNS}`,
    [
      id,
      suspension.suspended_at,
      suspension.suspension_reason,
      suspension.suspends_numbers,
      suspension.numbers_due,
    ],
  );
  return organisation!;
}

/** Has no effect if an operator has changed what is to happen to the numbers. */
export async function setNumbersDone(tx: Tx, id: string, suspendsNumbers: boolean): Promise<void> {
  await tx.query("update organisations set numbers_due = false where id = $1 and suspends_numbers = $2", [
    id,
    suspendsNumbers,
  ]);
}

export async function listOrganisationsWithNumbersDue(tx: Tx): Promise<string[]> {
  const rows = await tx.query<{ id: string }>("select id from organisations where numbers_due limit 100");
  return rows.map(({ id }) => id);
}
