import type { Tx } from "../../platform/db/database.ts";

export interface AuthenticatorRow {
  id: string;
  user_id: string;
  root_id: number;
  created_at: Date;
  confirmed_at: Date | null;
}

const COLUMNS = "id, user_id, root_id, created_at, confirmed_at";

export async function findAuthenticator(tx: Tx, userId: string): Promise<AuthenticatorRow | undefined> {
  const [found] = await tx.query<AuthenticatorRow>(
    `select ${COLUMNS} from authenticators where user_id = $1`,
    [userId],
  );
  return found;
}

/** In place of one that was never confirmed; not in place of one that counts. */
export async function insertAuthenticator(tx: Tx, row: Omit<AuthenticatorRow, "confirmed_at">) {
  const made = await tx.query(
    `insert into authenticators as a (id, user_id, root_id, created_at) values ($1, $2, $3, $4)
     on conflict (user_id) do update set id = excluded.id, root_id = excluded.root_id, created_at = excluded.created_at, last_step = 0
       where a.confirmed_at is null
     returning id`,
    [row.id, row.user_id, row.root_id, row.created_at],
  );
  return made.length === 1;
}

/** The step of the first code is used up with it. */
export async function setAuthenticatorConfirmed(
  tx: Tx,
  { id, user_id }: AuthenticatorRow,
  at: Date,
  step: number,
): Promise<boolean> {
  const confirmed = await tx.query(
    `update authenticators set confirmed_at = $3, last_step = $4
     where id = $1 and user_id = $2 and confirmed_at is null returning id`,
    [id, user_id, at, step],
  );
  return confirmed.length === 1;
}

/** Compare and set: of many who send the same code at once, one has it taken. */
export async function setLastStep(tx: Tx, { id, user_id }: AuthenticatorRow, step: number): Promise<boolean> {
  const taken = await tx.query(
    `update authenticators set last_step = $3
     where id = $1 and user_id = $2 and confirmed_at is not null and last_step < $3 returning id`,
    [id, user_id, step],
  );
  return taken.length === 1;
}

export async function deleteAuthenticator(tx: Tx, userId: string): Promise<boolean> {
  const gone = await tx.query(
    "delete from authenticators where user_id = $1 and confirmed_at is not null returning id",
    [userId],
  );
  return gone.length === 1;
}

export async function insertRecoveryCodes(
  tx: Tx,
  { userId, rootId, macs }: { userId: string; rootId: number; macs: readonly Buffer[] },
): Promise<void> {
  await tx.query(
    "insert into recovery_codes (user_id, root_id, code_mac) select $1, $2, unnest($3::bytea[])",
    [userId, rootId, macs],
  );
}

/** Whichever root key it was created with. */
export async function deleteRecoveryCode(tx: Tx, userId: string, macs: readonly Buffer[]): Promise<boolean> {
  const gone = await tx.query(
    "delete from recovery_codes where user_id = $1 and code_mac = any ($2::bytea[]) returning user_id",
    [userId, macs],
  );
  return gone.length === 1;
}

export async function deleteRecoveryCodes(tx: Tx, userId: string): Promise<void> {
  await tx.query("delete from recovery_codes where user_id = $1", [userId]);
}

export async function countRecoveryCodes(tx: Tx, userId: string): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    "select count(*)::int as count from recovery_codes where user_id = $1",
    [userId],
  );
  return row!.count;
}
