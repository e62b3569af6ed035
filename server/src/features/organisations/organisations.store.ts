import type { Tx } from "../../platform/db/database.ts";

export interface OrganisationRow {
  id: string;
  name: string;
  created_at: Date;
}

export async function insertOrganisation(tx: Tx, organisation: OrganisationRow): Promise<void> {
  await tx.query("insert into organisations (id, name, created_at) values ($1, $2, $3)", [
    organisation.id,
    organisation.name,
    organisation.created_at,
  ]);
}

/** Over all organisations: for the operator's door only. */
export async function listOrganisationsAfter(
  tx: Tx,
  after: string | undefined,
  limit: number,
): Promise<OrganisationRow[]> {
  return tx.query<OrganisationRow>(
    "select id, name, created_at from organisations where ($1::uuid is null or id > $1) order by id limit $2",
    [after ?? null, limit + 1],
  );
}

export async function findOrganisation(tx: Tx, id: string): Promise<OrganisationRow | undefined> {
  const [organisation] = await tx.query<OrganisationRow>(
    "select id, name, created_at from organisations where id = $1",
    [id],
  );
  return organisation;
}
