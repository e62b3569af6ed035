import type { Database, Environment, Tx } from "../../platform/db/database.ts";

type RootKind = "fleet" | "cell";

export interface RootKeyRow {
  id: number;
  kind: RootKind;
  sealed: Buffer | null;
  sealed_under: string | null;
  created_at: Date;
  retired_at: Date | null;
  is_used: boolean;
}

export interface KeptKeyRow {
  root_id: number;
  purpose: string;
  sealed_by: number;
  sealed: Buffer;
}

/** `migrate` has a plain connection instead of a transaction. */
export type Query = <Row>(text: string, values?: unknown[]) => Promise<Row[]>;

const ROOT_KEYS = `select id, kind, sealed, sealed_under, created_at, retired_at, used_from <= now() as is_used
  from root_keys order by id`;
const KEPT_KEYS = "select root_id, purpose, sealed_by, sealed from kept_keys order by root_id, purpose";

/** Root keys first: a kept key that appears in between is sealed by a root key that is already read. */
export async function readRing(db: Database): Promise<{ roots: RootKeyRow[]; kept: KeptKeyRow[] }> {
  return db.forSystem("root-keys", async (tx) => {
    const [roots, kept] = await Promise.all([
      tx.query<RootKeyRow>(ROOT_KEYS),
      tx.query<KeptKeyRow>(KEPT_KEYS),
    ]);
    return { roots, kept };
  });
}

/** One at a time: resealing, adding and retiring must not cross. Rows that name a root key can be added in the meantime. */
export async function lockRing(query: Query): Promise<{ roots: RootKeyRow[]; kept: KeptKeyRow[] }> {
  await query("select id from root_keys order by id for no key update");
  return { roots: await query<RootKeyRow>(ROOT_KEYS), kept: await query<KeptKeyRow>(KEPT_KEYS) };
}

export async function setSealed(
  query: Query,
  id: number,
  { sealed, sealedUnder }: { sealed: Buffer; sealedUnder: string },
): Promise<void> {
  await query("update root_keys set sealed = $2, sealed_under = $3 where id = $1 and retired_at is null", [
    id,
    sealed,
    sealedUnder,
  ]);
}

/** Inserts the row first, because the sealed value is bound to its id. */
export async function insertRootKey(
  tx: Tx,
  kind: RootKind,
  usedInSeconds: number,
  sealFor: (id: number) => { sealed: Buffer; sealedUnder: string },
): Promise<number> {
  const [row] = await tx.query<{ id: number }>(
    `insert into root_keys (kind, used_from) values ($1, now() + make_interval(secs => $2)) returning id`,
    [kind, usedInSeconds],
  );
  await setSealed(tx.query, row!.id, sealFor(row!.id));
  return row!.id;
}

/** Waits for those who are adding rows that name it, so that these are counted. */
export async function lockRetiring(tx: Tx, id: number): Promise<void> {
  await tx.query("select id from root_keys where id = $1 for update", [id]);
}

/** Deletes the value. */
export async function setRetired(tx: Tx, id: number): Promise<void> {
  await tx.query(
    "update root_keys set retired_at = now(), sealed = null, sealed_under = null where id = $1 and retired_at is null",
    [id],
  );
}

export async function setKeptKey(tx: Tx, row: KeptKeyRow): Promise<void> {
  await tx.query(
    `insert into kept_keys (root_id, purpose, sealed_by, sealed) values ($1, $2, $3, $4)
     on conflict (root_id, purpose) do update set sealed_by = excluded.sealed_by, sealed = excluded.sealed`,
    [row.root_id, row.purpose, row.sealed_by, row.sealed],
  );
}

/** Whether secrets can exist that were derived from the master secret. If not, the root keys can be random. */
export async function isInUse(query: Query): Promise<boolean> {
  const [row] = await query<{ is_in_use: boolean }>(
    `select exists (select from users) or exists (select from organisations)
       or exists (select from switches where credential_mac is not null) as is_in_use`,
  );
  return row!.is_in_use;
}

export interface Remaining {
  root_id: number;
  /** API keys and switch credentials move when they are used. */
  api_keys: number;
  switch_credentials: number;
  /** These cannot move; people renew them. */
  recovery_codes: number;
  identity_providers: number;
  /** Like identity providers: their credentials are sealed again. */
  carriers: number;
  /** Revisions of trunks with passwords, sealed again too. */
  trunk_revisions: number;
  /** Documents of organisations, whose keys are sealed again. */
  documents: number;
}

/** Rows that stop working without their root key. Expired and revoked rows do not count. */
export async function countRemaining(tx: Tx): Promise<Remaining[]> {
  return tx.query<Remaining>(
    `select r.id as root_id,
       (select count(*)::integer from api_keys k where k.root_id = r.id and k.revoked_at is null
          and (k.expires_at is null or k.expires_at > now())) as api_keys,
       (select count(*)::integer from switches s where s.root_id = r.id and s.credential_mac is not null
          and s.state <> 'retired') as switch_credentials,
       (select count(*)::integer from recovery_codes c where c.root_id = r.id) as recovery_codes,
       (select count(*)::integer from identity_providers p where p.root_id = r.id) as identity_providers,
       (select count(*)::integer from carriers c where c.root_id = r.id) as carriers,
       (select count(*)::integer from trunk_revisions t where t.root_id = r.id) as trunk_revisions,
       (select count(*)::integer from documents d where d.root_id = r.id) as documents
     from root_keys r order by r.id`,
  );
}

/** A secret of another party, sealed by a root key. */
export interface SealedRow {
  id: string;
  root_id: number;
  sealed: Buffer;
}

/** Secrets that are sealed again by a new root key. Each table has its statements. */
export interface SealedTable {
  purpose: "identity-provider-secret" | "carrier-credentials" | "trunk-passwords" | "document-keys";
  /** Those sealed by another root key than this one. */
  list(tx: Tx, rootId: number): Promise<SealedRow[]>;
  set(tx: Tx, row: SealedRow): Promise<void>;
}

/** In every organisation. */
export const SEALED_PROVIDERS: SealedTable = {
  purpose: "identity-provider-secret",
  list: (tx, rootId) =>
    tx.query<SealedRow>(
      "select id, root_id, sealed_secret as sealed from identity_providers where root_id <> $1 for update",
      [rootId],
    ),
  async set(tx, { id, root_id, sealed }) {
    await tx.query("update identity_providers set root_id = $2, sealed_secret = $3 where id = $1", [
      id,
      root_id,
      sealed,
    ]);
  },
};

export const SEALED_CARRIERS: SealedTable = {
  purpose: "carrier-credentials",
  list: (tx, rootId) =>
    tx.query<SealedRow>(
      "select id, root_id, sealed_credentials as sealed from carriers where root_id <> $1 for update",
      [rootId],
    ),
  async set(tx, { id, root_id, sealed }) {
    await tx.query("update carriers set root_id = $2, sealed_credentials = $3 where id = $1", [
      id,
      root_id,
      sealed,
    ]);
  },
};

/** Revisions have no ID: they are sealed under their switch group and revision. */
export const SEALED_TRUNKS: SealedTable = {
  purpose: "trunk-passwords",
  list: (tx, rootId) =>
    tx.query<SealedRow>(
      `select switch_group_id || '/' || revision as id, root_id, sealed_passwords as sealed from trunk_revisions
       where root_id <> $1 for update`,
      [rootId],
    ),
  async set(tx, { id, root_id, sealed }) {
    const [groupId, revision] = id.split("/");
    await tx.query(
      `update trunk_revisions set root_id = $3, sealed_passwords = $4
       where switch_group_id = $1::uuid and revision = $2::integer`,
      [groupId, revision, root_id, sealed],
    );
  },
};

/** Keys of documents. The files are not read. */
export const SEALED_DOCUMENTS: SealedTable = {
  purpose: "document-keys",
  list: (tx, rootId) =>
    tx.query<SealedRow>(
      "select id, root_id, sealed_key as sealed from documents where root_id <> $1 for no key update",
      [rootId],
    ),
  async set(tx, { id, root_id, sealed }) {
    await tx.query("update documents set root_id = $2, sealed_key = $3 where id = $1", [id, root_id, sealed]);
  },
};

/** Returns a row for each organisation of each key. */
export async function endApiKeys(
  tx: Tx,
  rootId: number,
  at: Date,
): Promise<{ id: string; organisation_id: string; environment: Environment }[]> {
  return tx.query(
    `with ended as (
       update api_keys set revoked_at = $2
       where root_id = $1 and revoked_at is null and (expires_at is null or expires_at > $2) returning id, environment)
     select e.id, o.organisation_id, e.environment from ended e join api_key_organisations o on o.api_key_id = e.id
     order by o.organisation_id, e.id`,
    [rootId, at],
  );
}

export async function endRecoveryCodes(tx: Tx, rootId: number): Promise<void> {
  await tx.query("delete from recovery_codes where root_id = $1", [rootId]);
}

/** Sets a random MAC, which no credential has. The switch needs a new credential. */
export async function endSwitchCredentials(
  tx: Tx,
  rootId: number,
  newRootId: number,
  newMac: () => Buffer,
): Promise<void> {
  const rows = await tx.query<{ id: string }>(
    "select id from switches where root_id = $1 and credential_mac is not null and state <> 'retired' for update",
    [rootId],
  );
  for (const { id } of rows)
    await tx.query(
      "update switches set credential_mac = $2, root_id = $3, credential_version = credential_version + 1 where id = $1",
      [id, newMac(), newRootId],
    );
}
