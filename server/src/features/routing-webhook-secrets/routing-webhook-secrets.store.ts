import type { OrganisationTx, Tx } from "../../platform/db/database.ts";

export interface SecretRow {
  secret_version: number;
  previous_secrets_until: Date[];
}

export interface SignerRow extends SecretRow {
  holding_id: string;
  organisation_id: string;
  environment: string;
}

export async function findSecret(tx: OrganisationTx): Promise<SecretRow | undefined> {
  const [row] = await tx.query<SecretRow>(
    `select secret_version, previous_secrets_until from routing_webhook_secrets
     where organisation_id = $1 and environment = $2`,
    [tx.organisationId, tx.environment],
  );
  return row;
}

/** The caller holds the organisation's counter, so nobody else has changed it since it was read. */
export async function setSecret(tx: OrganisationTx, row: SecretRow): Promise<void> {
  await tx.query(
    `insert into routing_webhook_secrets (organisation_id, environment, secret_version, previous_secrets_until)
     values ($1, $2, $3, $4)
     on conflict (organisation_id, environment) do update
     set secret_version = excluded.secret_version, previous_secrets_until = excluded.previous_secrets_until`,
    [tx.organisationId, tx.environment, row.secret_version, row.previous_secrets_until],
  );
}

/** For a switch's door: numbers that are not of its group have none. */
export async function listSigners(tx: Tx, numberIds: readonly string[]): Promise<SignerRow[]> {
  return tx.query<SignerRow>(
    "select * from signers_of_calls($1::uuid[]) order by organisation_id, holding_id",
    [numberIds],
  );
}
