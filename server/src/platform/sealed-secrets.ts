import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from "node:crypto";

const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts third-party secrets, which we must send and so cannot derive from our keys. Bound to its row: a
 * ciphertext copied to another row does not decrypt.
 */
export function seal(key: KeyObject, rowId: string, secret: string | Buffer): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(rowId));
  const plain = typeof secret === "string" ? Buffer.from(secret) : secret;
  const sealed = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
}

/** Undefined if it was sealed with another key, for another row, or changed since. */
export function unseal(key: KeyObject, rowId: string, sealed: Buffer): string | undefined {
  return unsealBytes(key, rowId, sealed)?.toString("utf8");
}

/** The same for a file. */
export function unsealBytes(key: KeyObject, rowId: string, sealed: Buffer): Buffer | undefined {
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(rowId))
    .setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  try {
    const opened = decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES));
    return Buffer.concat([opened, decipher.final()]);
  } catch {
    return undefined;
  }
}
