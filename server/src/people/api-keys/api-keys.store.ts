import type { Database, Environment, OrganisationTx, Tx } from "../../platform/db/database.ts";
import type { Membership, Role, Scope } from "../../platform/http/access.ts";

export interface ApiKeyRow {
  id: string;
  name: string;
  environment: Environment;
  hint: string;
  scopes: Scope[];
  allowed_networks: string[];
  organisation_count: number;
  created_by: string;
  created_at: Date;
  expires_at: Date | null;
  revoked_at: Date | null;
  suspended_at: Date | null;
  replaces_id: string | null;
  last_used_at: Date | null;
}

export interface AuthenticatedKey {
  id: string;
  name: string;
  environment: Environment;
  hint: string;
  scopes: Scope[];
  allowed_networks: string[];
  expires_at: Date | null;
  revoked_at: Date | null;
  suspended_at: Date | null;
  memberships: Membership[];
}

const COLUMNS = `k.id, k.name, k.environment, k.hint, k.scopes, k.allowed_networks::text[] as allowed_networks, k.organisation_count,
  k.created_by, k.created_at, k.expires_at, k.revoked_at, k.suspended_at, k.replaces_id, k.last_used_at`;
const OF_ORGANISATION =
  "api_key_organisations o join api_keys k on k.id = o.api_key_id where o.organisation_id = $1";

/** One statement, which sets the policies' settings itself. */
export async function authenticateApiKey(db: Database, mac: Buffer): Promise<AuthenticatedKey | undefined> {
  const [found] = await db.authenticate<AuthenticatedKey>("select * from authenticate_api_key($1)", [mac]);
  return found;
}

/** Tag of the organisation in which a key is created. */
export async function findTag(tx: Tx, organisationId: string): Promise<string> {
  const [row] = await tx.query<{ tag: string }>("select tag from organisations where id = $1", [
    organisationId,
  ]);
  return row!.tag;
}

export type NewApiKey = Omit<
  ApiKeyRow,
  "organisation_count" | "revoked_at" | "suspended_at" | "last_used_at"
> &
  ApiKeySecret;

export async function insertApiKey(
  tx: Tx,
  key: NewApiKey,
  organisationIds: readonly string[],
): Promise<void> {
  await tx.query(
    `insert into api_keys (id, name, environment, secret_mac, pepper_version, root_id, hint, scopes, allowed_networks, created_by, created_at, expires_at, replaces_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
    [
      key.id,
      key.name,
      key.environment,
      key.secretMac,
      key.pepperVersion,
      key.rootId,
      key.hint,
      key.scopes,
      key.allowed_networks,
      key.created_by,
      key.created_at,
      key.expires_at,
      key.replaces_id,
    ],
  );
  await tx.query(
    "insert into api_key_organisations (api_key_id, organisation_id) select $1, unnest($2::uuid[])",
    [key.id, organisationIds],
  );
}

export async function listApiKeysAfter(
  tx: OrganisationTx,
  after: string | undefined,
  limit: number,
): Promise<ApiKeyRow[]> {
  return tx.query<ApiKeyRow>(
    `select ${COLUMNS} from ${OF_ORGANISATION} and k.environment = $2 and ($3::uuid is null or k.id > $3) order by k.id limit $4`,
    [tx.organisationId, tx.environment, after ?? null, limit + 1],
  );
}

export async function findApiKey(tx: OrganisationTx, id: string): Promise<ApiKeyRow | undefined> {
  const [key] = await tx.query<ApiKeyRow>(
    `select ${COLUMNS} from ${OF_ORGANISATION} and k.environment = $2 and k.id = $3`,
    [tx.organisationId, tx.environment, id],
  );
  return key;
}

export async function lockApiKey(tx: OrganisationTx, id: string): Promise<ApiKeyRow | undefined> {
  const [key] = await tx.query<ApiKeyRow>(
    `select ${COLUMNS} from ${OF_ORGANISATION} and k.environment = $2 and k.id = $3 for update of k`,
    [tx.organisationId, tx.environment, id],
  );
  return key;
}

type OwnApiKeyRow = ApiKeyRow & { organisation_ids: string[]; is_replaced: boolean };

/** In the caller's own door: the organisations of the key that the caller belongs to. */
export async function lockApiKeyOf(
  tx: Tx,
  organisationId: string,
  environment: Environment,
  id: string,
): Promise<OwnApiKeyRow | undefined> {
  const [key] = await tx.query<OwnApiKeyRow>(
    `select ${COLUMNS}, array(select a.organisation_id::text from api_key_organisations a
        join memberships m on m.organisation_id = a.organisation_id
        where a.api_key_id = k.id and m.user_id = current_user_id() and m.role in ('owner', 'admin', 'developer')) as organisation_ids,
       exists (select from api_keys successor where successor.replaces_id = k.id) as is_replaced
     from ${OF_ORGANISATION} and k.environment = $2 and k.id = $3 for update of k`,
    [organisationId, environment, id],
  );
  return key;
}

export async function setApiKeyRevoked(tx: OrganisationTx, id: string, at: Date): Promise<void> {
  await tx.query(
    `update api_keys k set revoked_at = $3 from api_key_organisations o
     where o.organisation_id = $1 and o.api_key_id = k.id and k.id = $2 and k.revoked_at is null`,
    [tx.organisationId, id, at],
  );
}

export async function setApiKeyConfirmed(tx: OrganisationTx, id: string): Promise<boolean> {
  const set = await tx.query(
    `update api_keys k set suspended_at = null from api_key_organisations o
     where o.organisation_id = $1 and o.api_key_id = k.id and k.id = $2 and k.suspended_at is not null returning 1`,
    [tx.organisationId, id],
  );
  return set.length === 1;
}

/** Never later than it would have ended anyway. */
export async function setApiKeyExpiry(tx: Tx, id: string, at: Date): Promise<void> {
  await tx.query("update api_keys set expires_at = least(expires_at, $2) where id = $1", [id, at]);
}

export async function deleteApiKeyOrganisation(tx: OrganisationTx, id: string): Promise<void> {
  await tx.query("delete from api_key_organisations where organisation_id = $1 and api_key_id = $2", [
    tx.organisationId,
    id,
  ]);
}

export async function listActiveApiKeysMadeBy(
  tx: OrganisationTx,
  userId: string,
  now: Date,
): Promise<ApiKeyRow[]> {
  return tx.query<ApiKeyRow>(
    `select ${COLUMNS} from ${OF_ORGANISATION}
       and k.created_by = $2 and k.revoked_at is null and (k.expires_at is null or k.expires_at > $3) order by k.id for update of k`,
    [tx.organisationId, userId, now],
  );
}

/** In how many of these organisations a person may make keys at this moment. */
export async function countMakerMemberships(
  tx: Tx,
  userId: string,
  organisationIds: readonly string[],
  roles: readonly Role[],
): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    `select count(*)::int as count from memberships m join organisations o on o.id = m.organisation_id
     where m.user_id = $1 and m.organisation_id = any($2::uuid[]) and m.role = any($3::text[])
       and o.suspended_at is null`,
    [userId, organisationIds, roles],
  );
  return row!.count;
}

export async function countActiveApiKeys(tx: Tx, organisationId: string, now: Date): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    `select count(*)::int as count from ${OF_ORGANISATION} and k.revoked_at is null and (k.expires_at is null or k.expires_at > $2)`,
    [organisationId, now],
  );
  return row!.count;
}

/** At most once a minute per key, however many replicas saw it. */
export interface ApiKeySecret {
  secretMac: Buffer;
  pepperVersion: number;
  rootId: number;
}

export interface ApiKeyUse {
  id: string;
  at: Date;
  from: string;
  /** New stored form of a key that was found by an older pepper or root key. */
  moved?: ApiKeySecret;
}

/** To a newer root key or pepper, once the key was used and so is known. */
export async function moveApiKeySecret(
  tx: Tx,
  id: string,
  { secretMac, pepperVersion, rootId }: ApiKeySecret,
): Promise<void> {
  await tx.query(
    `update api_keys set secret_mac = $2, pepper_version = $3, root_id = $4
     where id = $1 and (root_id, pepper_version) < ($4, $3)`,
    [id, secretMac, pepperVersion, rootId],
  );
}

export async function setApiKeysUsed(tx: Tx, uses: readonly ApiKeyUse[]): Promise<number> {
  const changed = await tx.query(
    `update api_keys k set last_used_at = u.at, last_used_from = u.source
     from json_to_recordset($1) as u(id uuid, at timestamptz, source inet)
     where k.id = u.id and (k.last_used_at is null or k.last_used_at <= u.at - interval '60 seconds') returning k.id`,
    [JSON.stringify(uses.map(({ id, at, from }) => ({ id, at, source: from })))],
  );
  return changed.length;
}
