import type { OrganisationTx, Tx } from "../../platform/db/database.ts";
import { nextCheckAfter } from "./identity-providers.rules.ts";

export interface ProviderRow {
  id: string;
  organisation_id: string;
  name: string;
  issuer: string;
  client_id: string;
  created_at: Date;
}

export interface DomainRow {
  domain: string;
  created_at: Date;
  proved_at: Date | null;
  /** When name servers last said whether the record is there. */
  checked_at: Date | null;
  missing_since: Date | null;
  lapsed_at: Date | null;
}

export interface ProviderWithDomains extends ProviderRow {
  domains: DomainRow[];
  people: number;
}

/** With its secret, for signing in; only the system's door can read it. */
export interface SealedProviderRow extends ProviderRow {
  sealed_secret: Buffer;
  root_id: number;
  /** Tag of its organisation. */
  tag: string;
}

const COLUMNS = "p.id, p.organisation_id, p.name, p.issuer, p.client_id, p.created_at";
const WHOLE = `${COLUMNS}, (select count(*)::integer from identities i where i.organisation_id = p.organisation_id and i.provider_id = p.id) as people`;

export async function insertProvider(
  tx: OrganisationTx,
  row: Omit<SealedProviderRow, "organisation_id" | "tag">,
): Promise<void> {
  await tx.query(
    `insert into identity_providers (organisation_id, id, name, issuer, client_id, root_id, sealed_secret, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      tx.organisationId,
      row.id,
      row.name,
      row.issuer,
      row.client_id,
      row.root_id,
      row.sealed_secret,
      row.created_at,
    ],
  );
}

export async function countProviders(tx: OrganisationTx): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    "select count(*)::integer as count from identity_providers where organisation_id = $1",
    [tx.organisationId],
  );
  return row!.count;
}

export async function findProvider(tx: OrganisationTx, id: string): Promise<ProviderWithDomains | undefined> {
  const [row] = await tx.query<Omit<ProviderWithDomains, "domains">>(
    `select ${WHOLE} from identity_providers p where p.organisation_id = $1 and p.id = $2`,
    [tx.organisationId, id],
  );
  return row && { ...row, domains: (await domainsOf(tx, [id])).get(id) ?? [] };
}

/** Locks it, so that two changes queue. */
export async function lockProvider(tx: OrganisationTx, id: string): Promise<boolean> {
  const rows = await tx.query(
    "select id from identity_providers where organisation_id = $1 and id = $2 for no key update",
    [tx.organisationId, id],
  );
  return rows.length === 1;
}

export async function listProvidersAfter(
  tx: OrganisationTx,
  after: string | undefined,
  limit: number,
): Promise<ProviderWithDomains[]> {
  const rows = await tx.query<Omit<ProviderWithDomains, "domains">>(
    `select ${WHOLE} from identity_providers p
     where p.organisation_id = $1 and ($2::uuid is null or p.id > $2) order by p.id limit $3`,
    [tx.organisationId, after ?? null, limit + 1],
  );
  const domains = await domainsOf(
    tx,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({ ...row, domains: domains.get(row.id) ?? [] }));
}

export async function setProviderName(tx: OrganisationTx, id: string, name: string): Promise<void> {
  await tx.query("update identity_providers set name = $3 where organisation_id = $1 and id = $2", [
    tx.organisationId,
    id,
    name,
  ]);
}

export async function setSealedSecret(
  tx: OrganisationTx,
  { id, sealed_secret, root_id }: Pick<SealedProviderRow, "id" | "sealed_secret" | "root_id">,
): Promise<void> {
  await tx.query(
    "update identity_providers set sealed_secret = $3, root_id = $4 where organisation_id = $1 and id = $2",
    [tx.organisationId, id, sealed_secret, root_id],
  );
}

export async function deleteProvider(tx: OrganisationTx, id: string): Promise<void> {
  await tx.query("delete from identity_providers where organisation_id = $1 and id = $2", [
    tx.organisationId,
    id,
  ]);
}

/** Exactly these from now on; what stays keeps its proof. */
export async function setDomains(
  tx: OrganisationTx,
  providerId: string,
  domains: readonly string[],
  at: Date,
): Promise<void> {
  await tx.query(
    "delete from identity_provider_domains where organisation_id = $1 and provider_id = $2 and domain <> all ($3)",
    [tx.organisationId, providerId, domains],
  );
  await tx.query(
    `insert into identity_provider_domains (organisation_id, provider_id, domain, created_at)
     select $1, $2, domain, $4 from unnest($3::text[]) as domain on conflict do nothing`,
    [tx.organisationId, providerId, domains, at],
  );
}

export async function setDomainProved(
  tx: OrganisationTx,
  { id, domain }: { id: string; domain: string },
  at: Date,
): Promise<boolean> {
  const proved = await tx.query(
    `update identity_provider_domains set proved_at = coalesce(proved_at, $4), checked_at = $4, next_check_at = $5,
       missing_since = null, missing_checks = 0, lapsed_at = null
     where organisation_id = $1 and provider_id = $2 and domain = $3 returning domain`,
    [tx.organisationId, id, domain, at, nextCheckAfter(at)],
  );
  return proved.length === 1;
}

/** Searches all organisations, because the user has not signed in yet. */
export async function findProviderOfDomain(tx: Tx, domain: string): Promise<SealedProviderRow | undefined> {
  const [row] = await tx.query<SealedProviderRow>(
    `select ${COLUMNS}, p.sealed_secret, p.root_id, o.tag from identity_provider_domains d
     join identity_providers p on p.id = d.provider_id
     join organisations o on o.id = p.organisation_id
     where d.domain = $1 and d.proved_at is not null`,
    [domain],
  );
  return row;
}

/** Through which people can sign in now. */
export async function listProvidersWithProof(
  tx: Tx,
  organisationId: string,
): Promise<{ id: string; name: string }[]> {
  return tx.query<{ id: string; name: string }>(
    `select p.id, p.name from identity_providers p
     where p.organisation_id = $1 and exists (select from identity_provider_domains d
       where d.organisation_id = p.organisation_id and d.provider_id = p.id and d.proved_at is not null)
     order by p.name, p.id`,
    [organisationId],
  );
}

/** Whether a user has signed in through a provider with a verified domain, which proves that it works. */
export async function hasUsedProvider(tx: OrganisationTx): Promise<boolean> {
  const rows = await tx.query(
    `select from identities i join identity_provider_domains d
       on d.organisation_id = i.organisation_id and d.provider_id = i.provider_id and d.proved_at is not null
     where i.organisation_id = $1 limit 1`,
    [tx.organisationId],
  );
  return rows.length === 1;
}

export async function findSealedProvider(tx: Tx, id: string): Promise<SealedProviderRow | undefined> {
  const [row] = await tx.query<SealedProviderRow>(
    `select ${COLUMNS}, p.sealed_secret, p.root_id, o.tag from identity_providers p
     join organisations o on o.id = p.organisation_id where p.id = $1`,
    [id],
  );
  return row;
}

export async function listProvedDomains(tx: Tx, providerId: string): Promise<string[]> {
  const rows = await tx.query<{ domain: string }>(
    "select domain from identity_provider_domains where provider_id = $1 and proved_at is not null",
    [providerId],
  );
  return rows.map(({ domain }) => domain);
}

/** By whichever of the two is given. */
export async function findIdentity(
  tx: Tx,
  providerId: string,
  by: { subject: string } | { userId: string },
): Promise<{ subject: string; user_id: string } | undefined> {
  const [column, value] = "subject" in by ? ["subject", by.subject] : ["user_id", by.userId];
  const [row] = await tx.query<{ subject: string; user_id: string }>(
    `select subject, user_id from identities where provider_id = $1 and ${column} = $2`,
    [providerId, value],
  );
  return row;
}

/** If two inserts run concurrently, one wins and the other returns false. */
export async function insertIdentity(
  tx: Tx,
  { id, organisation_id }: ProviderRow,
  { subject, userId, at }: { subject: string; userId: string; at: Date },
): Promise<boolean> {
  const added = await tx.query(
    `insert into identities (organisation_id, provider_id, subject, user_id, created_at) values ($1, $2, $3, $4, $5)
     on conflict do nothing returning subject`,
    [organisation_id, id, subject, userId, at],
  );
  return added.length === 1;
}

async function domainsOf(tx: OrganisationTx, ids: readonly string[]): Promise<Map<string, DomainRow[]>> {
  const rows = await tx.query<DomainRow & { provider_id: string }>(
    `select provider_id, domain, created_at, proved_at, checked_at, missing_since, lapsed_at from identity_provider_domains
     where organisation_id = $1 and provider_id = any ($2) order by domain`,
    [tx.organisationId, ids],
  );
  return Map.groupBy(rows, (row) => row.provider_id);
}
