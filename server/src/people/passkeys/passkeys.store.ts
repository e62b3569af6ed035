import type { Tx } from "../../platform/db/database.ts";

export interface PasskeyRow {
  id: string;
  user_id: string;
  credential_id: string;
  public_key: Buffer;
  sign_count: number;
  transports: string[];
  name: string;
  is_synced: boolean;
  created_at: Date;
  last_used_at: Date | null;
}

const COLUMNS =
  "id, user_id, credential_id, public_key, sign_count::float8 as sign_count, transports, name, is_synced, created_at, last_used_at";

export async function listPasskeysOf(tx: Tx, userId: string): Promise<PasskeyRow[]> {
  return tx.query<PasskeyRow>(`select ${COLUMNS} from passkeys where user_id = $1 order by id limit 100`, [
    userId,
  ]);
}

export async function findPasskeyByCredential(
  tx: Tx,
  userId: string,
  credentialId: string,
): Promise<PasskeyRow | undefined> {
  const [found] = await tx.query<PasskeyRow>(
    `select ${COLUMNS} from passkeys where user_id = $1 and credential_id = $2`,
    [userId, credentialId],
  );
  return found;
}

export async function insertPasskey(tx: Tx, passkey: PasskeyRow): Promise<void> {
  await tx.query(
    `insert into passkeys (id, user_id, credential_id, public_key, sign_count, transports, name, is_synced, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      passkey.id,
      passkey.user_id,
      passkey.credential_id,
      passkey.public_key,
      passkey.sign_count,
      passkey.transports,
      passkey.name,
      passkey.is_synced,
      passkey.created_at,
    ],
  );
}

/** Compare and set: a count that does not grow comes from a copy; devices that do not count say zero. */
export async function setPasskeyUsed(tx: Tx, passkey: PasskeyRow, count: number, at: Date): Promise<boolean> {
  const used = await tx.query(
    `update passkeys set sign_count = $3, last_used_at = $4
     where id = $1 and user_id = $2 and (sign_count < $3 or (sign_count = 0 and $3 = 0)) returning id`,
    [passkey.id, passkey.user_id, count, at],
  );
  return used.length === 1;
}

export async function setPasskeyName(
  tx: Tx,
  { id, userId }: { id: string; userId: string },
  name: string,
): Promise<PasskeyRow | undefined> {
  const [renamed] = await tx.query<PasskeyRow>(
    `update passkeys set name = $3 where id = $1 and user_id = $2 returning ${COLUMNS}`,
    [id, userId, name],
  );
  return renamed;
}

export async function deletePasskey(tx: Tx, id: string, userId: string): Promise<boolean> {
  const gone = await tx.query("delete from passkeys where id = $1 and user_id = $2 returning id", [
    id,
    userId,
  ]);
  return gone.length === 1;
}
