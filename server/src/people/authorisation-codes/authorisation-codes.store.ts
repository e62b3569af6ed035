import type { Database, Tx } from "../../platform/db/database.ts";
import { sweepTable } from "../../platform/db/sweep.ts";

export interface AuthorisationCodeRow {
  id: string;
  user_id: string;
  session_id: string;
  client_name: string;
  redirect_uri: string;
  code_challenge: string;
  created_at: Date;
  expires_at: Date;
}

const COLUMNS = "id, user_id, session_id, client_name, redirect_uri, code_challenge, created_at, expires_at";

export async function insertAuthorisationCode(tx: Tx, code: AuthorisationCodeRow): Promise<void> {
  await tx.query(`insert into authorisation_codes (${COLUMNS}) values ($1, $2, $3, $4, $5, $6, $7, $8)`, [
    code.id,
    code.user_id,
    code.session_id,
    code.client_name,
    code.redirect_uri,
    code.code_challenge,
    code.created_at,
    code.expires_at,
  ]);
}

export async function deleteAuthorisationCode(tx: Tx, id: string): Promise<AuthorisationCodeRow | undefined> {
  const [gone] = await tx.query<AuthorisationCodeRow>(
    `delete from authorisation_codes where id = $1 returning ${COLUMNS}`,
    [id],
  );
  return gone;
}

export async function deleteAuthorisationCodesBefore(db: Database, now: Date): Promise<void> {
  await sweepTable(db, { table: "authorisation_codes", where: "expires_at <= $1", values: [now] });
}
