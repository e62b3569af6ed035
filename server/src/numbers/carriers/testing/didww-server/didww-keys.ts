import { constants, createDecipheriv, createHash, generateKeyPairSync, privateDecrypt } from "node:crypto";

const BITS = 2048;
const SEALED_BYTES = BITS / 8;
const KEY_BYTES = 32;

const pairs = [0, 1].map(() => generateKeyPairSync("rsa", { modulusLength: BITS }));
const DERS = pairs.map(({ publicKey }) => publicKey.export({ type: "spki", format: "der" }));

export const PUBLIC_PEMS = pairs.map(({ publicKey }) => publicKey.export({ type: "spki", format: "pem" }));
export const FINGERPRINT = DERS.map((der) => createHash("sha1").update(der).digest("hex")).join(":::");

/** Undefined if the file was not encrypted as documented, for both keys. */
export function decryptFile(content: Buffer): Buffer | undefined {
  try {
    const secrets = pairs.map(({ privateKey: key }, at) =>
      privateDecrypt(
        { key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: "sha256" },
        content.subarray(at * SEALED_BYTES, (at + 1) * SEALED_BYTES),
      ),
    );
    const [secret, other] = secrets as [Buffer, Buffer];
    if (!secret.equals(other)) return undefined;
    const decipher = createDecipheriv(
      "aes-256-cbc",
      secret.subarray(0, KEY_BYTES),
      secret.subarray(KEY_BYTES),
    );
    return Buffer.concat([decipher.update(content.subarray(2 * SEALED_BYTES)), decipher.final()]);
  } catch {
    return undefined;
  }
}
