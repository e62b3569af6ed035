import type { OrganisationTx, Tx } from "../../platform/db/database.ts";

export interface SecretRow {
  secret_version: number;
  previous_secrets_until: Date[];
  secret_roots: number[];
}

export interface SignerRow extends SecretRow {
  holding_id: string;
  organisation_id: string;
  environment: string;
}

/** There is no row before the first change. */
export async function findSecret(tx: OrganisationTx): Promise<SecretRow> {
  const [row] = await tx.query<SecretRow>(
    `select coalesce(s.secret_version, 1) as secret_version, coalesce(s.previous_secrets_until, '{}') as previous_secrets_until,
       coalesce(s.secret_roots, array[o.root_id]) as secret_roots
     from organisations o left join routing_webhook_secrets s on s.organisation_id = o.id and s.environment = $2
     where o.id = $1`,
    [tx.organisationId, tx.environment],
  );
  return row!;
}

/** The caller holds the organisation's lock, so the row has not changed since it was read. */
export async function setSecret(tx: OrganisationTx, row: SecretRow): Promise<void> {
  await tx.query(
    `insert into routing_webhook_secrets (organisation_id, environment, secret_version, previous_secrets_until, secret_roots)
     values ($1, $2, $3, $4, $5)
     on conflict (organisation_id, environment) do update
     set secret_version = excluded.secret_version, previous_secrets_until = excluded.previous_secrets_until,
       secret_roots = excluded.secret_roots`,
    [tx.organisationId, tx.environment, row.secret_version, row.previous_secrets_until, row.secret_roots],
  );
}

/** For a switch's door: numbers that are not of its group have none. */
export async function listSigners(tx: Tx, numberIds: readonly string[]): Promise<SignerRow[]> {
  return tx.query<SignerRow>(
    "select * from signing_secrets_of_calls($1::uuid[]) order by organisation_id, holding_id",
    [numberIds],
  );
}
