import {
  constants,
  createCipheriv,
  createHash,
  createPublicKey,
  publicEncrypt,
  randomBytes,
} from "node:crypto";

/**
 * Encrypts a file as DIDWW documents it: AES-256-CBC, with key and initialisation vector encrypted for both of its RSA
 * keys in front.
 */
export function encryptFile(content: Buffer, publicKeys: readonly [string, string]): Buffer {
  const [key, vector] = [randomBytes(32), randomBytes(16)];
  const secret = Buffer.concat([key, vector]);
  const cipher = createCipheriv("aes-256-cbc", key, vector);
  const sealed = publicKeys.map((pem) =>
    publicEncrypt({ key: pem, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: "sha256" }, secret),
  );
  return Buffer.concat([...sealed, cipher.update(content), cipher.final()]);
}

/** Names the keys that a file was encrypted for. */
export function fingerprintOf(publicKeys: readonly [string, string]): string {
  return publicKeys.map(digestOf).join(":::");
}

function digestOf(pem: string): string {
  const der = createPublicKey(pem).export({ type: "spki", format: "der" });
  return createHash("sha1").update(der).digest("hex");
}
