import type { Tx } from "../../platform/db/database.ts";
import type { Missing } from "./identity-providers.rules.ts";

export interface ProofRow extends Missing {
  organisation_id: string;
  provider_id: string;
  domain: string;
}

type ProofName = Pick<ProofRow, "provider_id" | "domain">;

export async function listProofsDue(tx: Tx, now: Date, limit: number): Promise<ProofRow[]> {
  return tx.query<ProofRow>(
    `select organisation_id, provider_id, domain, missing_since, missing_checks from identity_provider_domains
     where proved_at is not null and (next_check_at is null or next_check_at <= $1)
     order by next_check_at nulls first limit $2`,
    [now, limit],
  );
}

/** Undefined if the proof is no longer due: another worker has checked it, or an owner has removed or proved it. */
export async function lockProofDue(
  tx: Tx,
  { provider_id, domain }: ProofName,
  now: Date,
): Promise<ProofRow | undefined> {
  const [row] = await tx.query<ProofRow>(
    `select organisation_id, provider_id, domain, missing_since, missing_checks from identity_provider_domains
     where provider_id = $1 and domain = $2 and proved_at is not null and (next_check_at is null or next_check_at <= $3)
     for no key update`,
    [provider_id, domain, now],
  );
  return row;
}

export async function setProofUnknown(tx: Tx, { provider_id, domain }: ProofName, next: Date): Promise<void> {
  await tx.query(
    "update identity_provider_domains set next_check_at = $3 where provider_id = $1 and domain = $2",
    [provider_id, domain, next],
  );
}

export async function setProofChecked(
  tx: Tx,
  { provider_id, domain, missing_since, missing_checks }: ProofName & Missing,
  at: Date,
  next: Date,
): Promise<void> {
  await tx.query(
    `update identity_provider_domains set checked_at = $3, next_check_at = $4, missing_since = $5, missing_checks = $6
     where provider_id = $1 and domain = $2`,
    [provider_id, domain, at, next, missing_since, missing_checks],
  );
}

export async function setProofLapsed(tx: Tx, { provider_id, domain }: ProofName, at: Date): Promise<void> {
  await tx.query(
    `update identity_provider_domains set proved_at = null, checked_at = $3, next_check_at = null, missing_since = null,
       missing_checks = 0, lapsed_at = $3
     where provider_id = $1 and domain = $2`,
    [provider_id, domain, at],
  );
}

/** For mail to owners, written when it is sent. */
export async function listTroubledDomains(
  tx: Tx,
  providerId: string,
  trouble: "missing" | "lapsed",
): Promise<string[]> {
  const column = trouble === "missing" ? "missing_since" : "lapsed_at";
  const rows = await tx.query<{ domain: string }>(
    `select domain from identity_provider_domains where provider_id = $1 and ${column} is not null order by domain`,
    [providerId],
  );
  return rows.map(({ domain }) => domain);
}
