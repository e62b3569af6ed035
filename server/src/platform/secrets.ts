import {
  createHmac,
  createSecretKey,
  hash,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from "node:crypto";

/** Keys derived from the one master secret, each for a single purpose. */
export interface Secrets {
  /** A key object, prepared once: preparing it costs four times as much as the MAC itself. */
  derive(purpose: string): KeyObject;
}

export function secretsFrom(masterSecret: string): Secrets {
  const derived = new Map<string, KeyObject>();
  return {
    derive(purpose) {
      let key = derived.get(purpose);
      if (!key) {
        key = createSecretKey(Buffer.from(hkdfSync("sha256", masterSecret, "dialplane", purpose, 32)));
        derived.set(purpose, key);
      }
      return key;
    },
  };
}

/** 256 random bits for a session; only its digest is ever stored. */
export function newToken(): string {
  return randomBytes(32).toString("base64url");
}

export function digestOf(token: string): Buffer {
  return hash("sha256", token, "buffer");
}

export function macOf(key: KeyObject, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}

export function isSameMac(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}
