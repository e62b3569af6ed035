import type { Tx } from "../../platform/db/database.ts";

export interface UserRow {
  id: string;
  email: string;
  name: string;
  password_hash: string | null;
  is_operator: boolean;
  created_at: Date;
  disabled_at: Date | null;
}

const COLUMNS = "id, email, name, password_hash, is_operator, created_at, disabled_at";

export async function findUserByEmail(tx: Tx, email: string): Promise<UserRow | undefined> {
  const [user] = await tx.query<UserRow>(`select ${COLUMNS} from users where email = $1`, [email]);
  return user;
}

export async function findUser(tx: Tx, id: string): Promise<UserRow | undefined> {
  const [user] = await tx.query<UserRow>(`select ${COLUMNS} from users where id = $1`, [id]);
  return user;
}

/** Tag of the first organisation that the user joined. 0000 if there is none. */
export async function findHomeTag(tx: Tx, id: string): Promise<string> {
  const [row] = await tx.query<{ tag: string }>(
    "select coalesce((select home_tag from users where id = $1), '0000') as tag",
    [id],
  );
  return row!.tag;
}

export async function insertUser(tx: Tx, user: Omit<UserRow, "is_operator" | "disabled_at">): Promise<void> {
  await tx.query(
    "insert into users (id, email, name, password_hash, created_at) values ($1, $2, $3, $4, $5)",
    [user.id, user.email, user.name, user.password_hash, user.created_at],
  );
}

/** Whether the hash is unchanged. If so, the row lock keeps it until the transaction ends. */
export async function lockPasswordHash(tx: Tx, id: string, passwordHash: string): Promise<boolean> {
  const rows = await tx.query("select id from users where id = $1 and password_hash = $2 for update", [
    id,
    passwordHash,
  ]);
  return rows.length === 1;
}

export async function setPasswordHash(tx: Tx, id: string, passwordHash: string): Promise<void> {
  await tx.query("update users set password_hash = $2 where id = $1", [id, passwordHash]);
}

/** Fails if another user has the address, or if the old one has changed since. */
export async function setEmail(tx: Tx, id: string, from: string, to: string): Promise<boolean> {
  const changed = await tx.query("update users set email = $3 where id = $1 and email = $2 returning id", [
    id,
    from,
    to,
  ]);
  return changed.length === 1;
}

/** Whether the user has an authenticator app or a passkey. */
export async function hasSecondFactor(tx: Tx, id: string): Promise<boolean> {
  const [row] = await tx.query<{ has: boolean }>("select has_second_factor($1) as has", [id]);
  return row!.has;
}

export async function setOperator(tx: Tx, id: string, isOperator: boolean): Promise<void> {
  await tx.query("update users set is_operator = $2 where id = $1", [id, isOperator]);
}
