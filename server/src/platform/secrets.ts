import {
  createHmac,
  createSecretKey,
  hash,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from "node:crypto";

/**
 * Purposes of derived keys, and the kind of their root key: `fleet` for organisations and people, `cell` for
 * this installation.
 */
const KIND_OF = {
  "api-key-pepper": "fleet",
  authenticator: "fleet",
  cursor: "fleet",
  "device/v1": "fleet",
  "device-user-code": "fleet",
  "document-keys": "fleet",
  "domain-proof": "fleet",
  "identity-provider-secret": "fleet",
  "one-time-token": "fleet",
  "provider-sign-in": "fleet",
  "recovery-code": "fleet",
  "routing-webhook": "fleet",
  "webhook-endpoint": "fleet",
  "carrier-credentials": "cell",
  "switch-credential": "cell",
  "trunk-passwords": "cell",
} as const;

/** Customers hold secrets derived with these keys, so the keys outlive their root key. */
export const KEPT_PURPOSES = [
  "authenticator",
  "domain-proof",
  "routing-webhook",
  "webhook-endpoint",
] as const;

/** Migration 0055 gives it to everything that existed before. */
export const FIRST_FLEET_ROOT = 1;

export type RootKind = "fleet" | "cell";
export type Purpose = Exclude<keyof typeof KIND_OF, "api-key-pepper"> | `api-key-pepper/v${number}`;

export interface RootKey {
  id: number;
  kind: RootKind;
  /** Undefined once it is retired. */
  value: string | undefined;
  /** Whether this process uses it for new secrets. Another process can be earlier. */
  isUsed: boolean;
  /** By purpose: the keys that outlive it. */
  kept: ReadonlyMap<string, KeyObject>;
}

/** A key for one purpose, and the root key it comes from. */
export interface DerivedKey {
  rootId: number;
  key: KeyObject;
}

/** Keys derived from the root keys, each for a single purpose. */
export interface Secrets {
  /** For what is created now. */
  current(purpose: Purpose): DerivedKey;
  /** For secrets that do not name their root key: of every root key that is not retired, the current one first. */
  all(purpose: Purpose): readonly DerivedKey[];
  /** For a secret whose row names its root key. */
  of(purpose: Purpose, rootId: number): KeyObject;
}

/** Key objects are prepared once: preparing one costs four times as much as the MAC itself. */
export class SecretRing implements Secrets {
  #roots: readonly RootKey[] = [];
  readonly #all = new Map<Purpose, readonly DerivedKey[]>();

  constructor(roots: readonly RootKey[]) {
    this.replace(roots);
  }

  replace(roots: readonly RootKey[]): void {
    this.#roots = roots;
    this.#all.clear();
  }

  current(purpose: Purpose): DerivedKey {
    return this.all(purpose)[0]!;
  }

  all(purpose: Purpose): readonly DerivedKey[] {
    let keys = this.#all.get(purpose);
    if (!keys) {
      const usable = this.#roots.filter((root) => root.kind === kindOf(purpose) && root.value !== undefined);
      const [used, coming] = [usable.filter(({ isUsed }) => isUsed), usable.filter(({ isUsed }) => !isUsed)];
      const inOrder = [...used.toSorted((one, other) => other.id - one.id), ...coming];
      keys = inOrder.map(({ id, value }) => ({ rootId: id, key: deriveKey(value!, purpose) }));
      this.#all.set(purpose, keys);
    }
    return keys;
  }

  of(purpose: Purpose, rootId: number): KeyObject {
    const usable = this.all(purpose).find((one) => one.rootId === rootId);
    const kept = usable?.key ?? this.#roots.find(({ id }) => id === rootId)?.kept.get(purpose);
    if (!kept)
      throw new Error(`Root key ${rootId} is retired, or was added after this process read the root keys.`);
    return kept;
  }
}

export function deriveKey(value: string, purpose: string): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync("sha256", value, "dialplane", purpose, 32)));
}

function kindOf(purpose: Purpose): RootKind {
  return KIND_OF[
    purpose.startsWith("api-key-pepper/") ? "api-key-pepper" : (purpose as keyof typeof KIND_OF)
  ];
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
