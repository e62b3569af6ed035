import { isId } from "./ids.ts";
import { isSameMac, macOf, type Secrets } from "./secrets.ts";
import { NO_TAG, TAG_LENGTH } from "./tags.ts";

const TOKEN_BYTES = 48;
const TOKEN_LENGTH = 64;

/**
 * The secret in a mailed link is a MAC of its row's ID. It is therefore the same at each attempt to send the
 * mail, and is not in the database. The row decides whether the link still works.
 */
export function oneTimeToken(secrets: Secrets, purpose: string, rowId: string, tag = NO_TAG): string {
  const mac = macOf(secrets.current("one-time-token").key, `${purpose}/${rowId}`);
  return tag + Buffer.concat([Buffer.from(rowId.replaceAll("-", ""), "hex"), mac]).toString("base64url");
}

/** The row a token opens, or undefined when the token was not made here for this purpose. */
export function rowOfToken(secrets: Secrets, purpose: string, token: string): string | undefined {
  return readToken(secrets, purpose, token)?.rowId;
}

/** With the root key that the token was created with. */
export function readToken(
  secrets: Secrets,
  purpose: string,
  token: string,
): { rowId: string; rootId: number } | undefined {
  // Tokens from before tags existed have none.
  const bytes = Buffer.from(token.slice(token.length > TOKEN_LENGTH ? TAG_LENGTH : 0), "base64url");
  if (bytes.length !== TOKEN_BYTES) return undefined;
  const hex = bytes.toString("hex", 0, 16);
  const rowId = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  if (!isId(rowId)) return undefined;
  const made = secrets
    .all("one-time-token")
    .find(({ key }) => isSameMac(macOf(key, `${purpose}/${rowId}`), bytes.subarray(16)));
  return made && { rowId, rootId: made.rootId };
}
