import { randomBytes } from "node:crypto";
import { seal, unseal } from "../../platform/sealed-secrets.ts";
import type { Secrets } from "../../platform/secrets.ts";
import type { StoredTrunk, TrunkDocument } from "./trunks.document.rules.ts";
import type { Fault } from "./trunks.faults.rules.ts";
import type { NewTrunk } from "./trunks.schema.ts";
import type { SealedPasswords } from "./trunks.store.ts";

/** Passwords by their ID. */
export type Passwords = Readonly<Record<string, string>>;

const ID_BYTES = 12;

/** Bound to the revision: a copy in another row does not open. */
export function sealPasswords(
  secrets: Secrets,
  groupId: string,
  revision: number,
  passwords: Passwords,
): SealedPasswords {
  if (Object.keys(passwords).length === 0) return { sealed_passwords: null, root_id: null };
  const { key, rootId } = secrets.current("trunk-passwords");
  const sealed = seal(key, rowOf(groupId, revision), JSON.stringify(passwords));
  return { sealed_passwords: sealed, root_id: rootId };
}

export function openPasswords(
  secrets: Secrets,
  groupId: string,
  { revision, sealed_passwords, root_id }: SealedPasswords & { revision: number },
): Passwords {
  if (sealed_passwords === null || root_id === null) return {};
  const opened = unseal(secrets.of("trunk-passwords", root_id), rowOf(groupId, revision), sealed_passwords);
  if (opened === undefined) throw new Error("The passwords of the trunks cannot be opened.");
  return JSON.parse(opened) as Passwords;
}

/** The passwords that a list uses. */
export function passwordsOf({ trunks }: TrunkDocument, known: Passwords): Passwords {
  const ids = trunks.flatMap(({ gateway }) => gateway?.password_id ?? []);
  return Object.fromEntries(ids.map((id) => [id, known[id]!]));
}

interface Password {
  password_id: string | null;
  password_set_at: string | null;
  /** Set if it is new. */
  added?: Passwords;
  fault?: Fault;
}

/**
 * The password of a gateway after a change. A stored one is kept for the same address and user name only: otherwise an
 * operator who cannot read it could have it sent to another server.
 */
export function passwordFor(
  wanted: NonNullable<NewTrunk["gateway"]> & { port: number; username: string | null },
  { stored, known, now, at }: { stored: StoredTrunk | undefined; known: Passwords; now: Date; at: string },
): Password {
  const none: Password = { password_id: null, password_set_at: null };
  const pointer = `${at}/gateway/password`;
  const before = stored?.gateway;
  const { password, username, host, port } = wanted;
  if (username === null && password !== undefined)
    return { ...none, fault: { pointer, code: "not_allowed", detail: "A password needs a user name." } };
  if (username === null) return none;
  const isSameGateway = before?.host === host && before.port === port && before.username === username;
  const kept = isSameGateway ? (before.password_id ?? undefined) : undefined;
  if (kept !== undefined && (password === undefined || known[kept] === password))
    return { password_id: kept, password_set_at: before!.password_set_at };
  if (password === undefined) {
    const detail = "A new user name, host or port needs the password too.";
    return { ...none, fault: { pointer, code: "required", detail } };
  }
  const id = randomBytes(ID_BYTES).toString("base64url");
  return { password_id: id, password_set_at: now.toISOString(), added: { [id]: password } };
}

function rowOf(groupId: string, revision: number): string {
  return `${groupId.toLowerCase()}/${revision}`;
}
