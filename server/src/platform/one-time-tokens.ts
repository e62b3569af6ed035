import { isId } from "./ids.ts";
import { isSameMac, macOf, type Secrets } from "./secrets.ts";

/**
 * The secret part of a mailed link is a MAC over the row it opens, so it is the same on every try to send
 * the mail and stands nowhere in the database. The row decides whether the link still works.
 */
export function oneTimeToken(secrets: Secrets, purpose: string, rowId: string): string {
  const mac = macOf(secrets.derive("one-time-token"), `${purpose}/${rowId}`);
  return Buffer.concat([Buffer.from(rowId.replaceAll("-", ""), "hex"), mac]).toString("base64url");
}

/** The row a token opens, or nothing when the token was not made here for this purpose. */
export function rowOfToken(secrets: Secrets, purpose: string, token: string): string | undefined {
  const bytes = Buffer.from(token, "base64url");
  if (bytes.length !== 48) return undefined;
  const hex = bytes.toString("hex", 0, 16);
  const rowId = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  if (!isId(rowId)) return undefined;
  const mac = macOf(secrets.derive("one-time-token"), `${purpose}/${rowId}`);
  return isSameMac(mac, bytes.subarray(16)) ? rowId : undefined;
}
