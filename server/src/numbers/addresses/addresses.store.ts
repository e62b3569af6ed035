import type { OrganisationScope, OrganisationTx, Tx } from "../../platform/db/database.ts";

export interface AddressRow {
  id: string;
  name: string;
  street: string;
  city: string;
  postal_code: string;
  region: string | null;
  country: string;
  created_at: Date;
}

const COLUMNS = "id, name, street, city, postal_code, region, country, created_at";
const OWN = "organisation_id = $1 and environment = $2";

export async function listAddressesAfter(
  tx: OrganisationTx,
  after: string | undefined,
  limit: number,
): Promise<AddressRow[]> {
  return tx.query<AddressRow>(
    `select ${COLUMNS} from addresses where ${OWN} and ($3::uuid is null or id > $3) order by id limit $4`,
    [tx.organisationId, tx.environment, after ?? null, limit + 1],
  );
}

/** Also for the worker. */
export async function findAddress(
  tx: Tx,
  { organisationId, environment }: OrganisationScope,
  id: string,
): Promise<AddressRow | undefined> {
  const [row] = await tx.query<AddressRow>(`select ${COLUMNS} from addresses where ${OWN} and id = $3`, [
    organisationId,
    environment,
    id,
  ]);
  return row;
}

export async function insertAddress(tx: OrganisationTx, row: AddressRow): Promise<void> {
  const { id, name, street, city, postal_code, region, country, created_at } = row;
  await tx.query(
    `insert into addresses (organisation_id, environment, ${COLUMNS})
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [tx.organisationId, tx.environment, id, name, street, city, postal_code, region, country, created_at],
  );
}

/** Orders that have ended forget the address. A foreign key keeps those of open orders. */
export async function deleteAddressRow(tx: OrganisationTx, id: string): Promise<void> {
  const own = [tx.organisationId, tx.environment, id];
  await tx.query(
    `update order_requirements r set address_id = null from orders o
     where r.organisation_id = $1 and r.environment = $2 and r.address_id = $3 and o.organisation_id = $1
       and o.environment = $2 and o.id = r.order_id and o.finished_at is not null`,
    own,
  );
  await tx.query(`delete from addresses where ${OWN} and id = $3`, own);
}
