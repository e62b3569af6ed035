import type { Tx } from "../../platform/db/database.ts";
import { newId } from "../../platform/ids.ts";
import { hashPassword, isPasswordOf, needsRehash, rejectGuessable } from "./users.passwords.ts";
import { MAX_PASSWORD_LENGTH } from "./users.rules.ts";
import {
  findHomeTag,
  findUser,
  findUserByEmail,
  hasSecondFactor,
  insertUser,
  lockPasswordHash,
  setEmail,
  setOperator,
  setPasswordHash,
  type UserRow,
} from "./users.store.ts";

/** A person with an account. */
export type User = UserRow;
export {
  findHomeTag,
  findUser,
  findUserByEmail,
  hasSecondFactor,
  lockPasswordHash,
  setEmail,
  setOperator,
  setPasswordHash,
};
export { hashPassword, isPasswordOf, MAX_PASSWORD_LENGTH, needsRehash, rejectGuessable };

/** Addresses are stored in lower case, so that capital letters do not create a second account. */
export function normalEmail(email: string): string {
  return email.trim().toLowerCase();
}

export async function addUser(
  tx: Tx,
  at: Date,
  person: { email: string; name: string; passwordHash: string | null },
): Promise<string> {
  const id = newId();
  await insertUser(tx, {
    id,
    email: person.email,
    name: person.name,
    password_hash: person.passwordHash,
    created_at: at,
  });
  return id;
}
