import type { OrganisationTx } from "../../platform/db/database.ts";

export interface ViewRow {
  id: string;
  page: string;
  name: string;
  query: string;
  /** Null for a view of the organisation. */
  user_id: string | null;
  created_at: Date;
  updated_at: Date;
}

export const MOST_VIEWS = 100;

const COLUMNS = "id, page, name, query, user_id, created_at, updated_at";
const OWN = "organisation_id = $1 and environment = $2";
const VISIBLE = "(user_id is null or user_id = $3)";
/** Lowest slot that the owner $3 does not use. */
const FREE_SLOT = `(select slot from generate_series(1, ${MOST_VIEWS}) slot
  where not exists (select from views o where o.organisation_id = $1 and o.environment = $2
    and o.user_id is not distinct from $3::uuid and o.slot = slot.slot) order by slot limit 1)`;

/** Views of a member and of the organisation. */
export async function listViewsAfter(
  tx: OrganisationTx,
  { userId, page }: { userId: string; page: string | undefined },
  after: string | undefined,
  limit: number,
): Promise<ViewRow[]> {
  return tx.query<ViewRow>(
    `select ${COLUMNS} from views where ${OWN} and ${VISIBLE} and ($4::text is null or page = $4)
       and ($5::uuid is null or id > $5) order by id limit $6`,
    [tx.organisationId, tx.environment, userId, page ?? null, after ?? null, limit + 1],
  );
}

/** Undefined if the member does not see it. */
export async function lockView(tx: OrganisationTx, userId: string, id: string): Promise<ViewRow | undefined> {
  const [row] = await tx.query<ViewRow>(
    `select ${COLUMNS} from views where ${OWN} and ${VISIBLE} and id = $4 for update`,
    [tx.organisationId, tx.environment, userId, id],
  );
  return row;
}

/** Whether the owner has room for another view. */
export async function hasRoom(tx: OrganisationTx, userId: string | null): Promise<boolean> {
  const [row] = await tx.query<{ slot: number | null }>(`select ${FREE_SLOT} as slot`, [
    tx.organisationId,
    tx.environment,
    userId,
  ]);
  return row!.slot !== null;
}

export async function insertView(tx: OrganisationTx, row: ViewRow): Promise<void> {
  const { user_id, id, page, name, query, created_at, updated_at } = row;
  await tx.query(
    `insert into views (organisation_id, environment, user_id, slot, id, page, name, query, created_at, updated_at)
     values ($1, $2, $3, ${FREE_SLOT}, $4, $5, $6, $7, $8, $9)`,
    [tx.organisationId, tx.environment, user_id, id, page, name, query, created_at, updated_at],
  );
}

export async function setView(
  tx: OrganisationTx,
  { user_id, id, name, query, updated_at }: ViewRow,
): Promise<void> {
  await tx.query(
    `update views set slot = case when user_id is not distinct from $3::uuid then slot else ${FREE_SLOT} end,
       user_id = $3, name = $5, query = $6, updated_at = $7
     where ${OWN} and id = $4`,
    [tx.organisationId, tx.environment, user_id, id, name, query, updated_at],
  );
}

export async function deleteView(tx: OrganisationTx, id: string): Promise<void> {
  await tx.query(`delete from views where ${OWN} and id = $3`, [tx.organisationId, tx.environment, id]);
}
