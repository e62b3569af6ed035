import { createHash } from "node:crypto";
import { seal, unseal } from "./sealed-secrets.ts";
import { deriveKey } from "./secrets.ts";

/** Seals the root keys. While you change it, the previous one still opens what it sealed. */
export interface MasterSecrets {
  current: string;
  previous: string | undefined;
}

export interface SealedValue {
  sealed: Buffer;
  sealedUnder: string;
}

/** Identifies a secret without revealing it. */
export function fingerprintOf(secret: string): string {
  const key = deriveKey(secret, "fingerprint").export();
  return createHash("sha256").update(key).digest("hex").slice(0, 16);
}

export function sealUnder({ current }: MasterSecrets, name: string, value: string): SealedValue {
  return {
    sealed: seal(deriveKey(current, "root-keys"), name, value),
    sealedUnder: fingerprintOf(current),
  };
}

/** Undefined if neither secret sealed it. */
export function openSealed(
  { current, previous }: MasterSecrets,
  name: string,
  sealed: Buffer,
): string | undefined {
  for (const secret of [current, previous]) {
    const value = secret && unseal(deriveKey(secret, "root-keys"), name, sealed);
    if (value) return value;
  }
  return undefined;
}
