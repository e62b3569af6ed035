import type { App } from "../../app.ts";
import { type Listener, listen } from "../../platform/db/listener.ts";
import { ApiError } from "../../platform/api-error.ts";
import type { KeyCaller } from "../../platform/http/access.ts";
import { type DerivedKey, macOf } from "../../platform/secrets.ts";
import { environmentOfKey } from "./api-keys.format.ts";
import {
  type ApiKeySecret,
  type ApiKeyUse,
  type AuthenticatedKey,
  authenticateApiKey,
  moveApiKeySecret,
  setApiKeysUsed,
} from "./api-keys.store.ts";

type Needs = Pick<App, "db" | "clock" | "config" | "secrets" | "log" | "metrics">;

interface Entry {
  key: AuthenticatedKey | undefined;
  until: number;
}

const KNOWN_MS = 60_000;
const UNKNOWN_MS = 5_000;
/** About 25 MB. */
const MOST_ENTRIES = 50_000;
const FLUSH_USES_MS = 10_000;
/** During a change of pepper, keys of the version before still work. */
const PEPPERS_TRIED = 2;

/** Authenticates keys from memory while revocations reach this process, otherwise from the database. */
export class ApiKeyCache {
  readonly #app: Needs;
  readonly #listener: Listener;
  readonly #timer: NodeJS.Timeout;
  readonly #entries = new Map<string, Entry>();
  readonly #loading = new Map<string, Promise<AuthenticatedKey | undefined>>();
  readonly #uses = new Map<string, Omit<ApiKeyUse, "id">>();
  /** Increments with each received change: a read that began before may be stale and is not cached. */
  #generation = 0;

  constructor(app: Needs) {
    this.#app = app;
    this.#listener = listen({
      login: app.config.database.directLoginOf("caller"),
      channel: "credentials",
      log: app.log,
      onGap: () => this.#forget(""),
      onNotification: (keyId) => this.#forget(keyId),
    });
    this.#timer = setInterval(() => {
      this.flushUses().catch((error: unknown) =>
        app.log.warn({ err: error }, "last use of API keys not stored"),
      );
    }, FLUSH_USES_MS);
    this.#timer.unref();
  }

  async callerOf(text: string, address: string): Promise<KeyCaller | undefined> {
    if (!environmentOfKey(text)) return undefined; // mistyped or invented: needs no query
    for (const [place, pepper] of peppersOf(this.#app).entries()) {
      const key = await this.#find(macOf(pepper.key, text));
      if (!key) continue;
      const now = this.#app.clock.now();
      if (!isUsable(key, now)) return undefined;
      if (key.suspended_at !== null)
        throw new ApiError(
          "key_suspended",
          "The database was restored from a backup. An owner has to confirm this key.",
          { headers: { "www-authenticate": 'Bearer realm="dialplane", error="invalid_token"' } },
        );
      const moved = place === 0 ? undefined : secretOf(this.#app, text);
      this.#uses.set(key.id, { at: now, from: address, ...(moved && { moved }) });
      return callerOf(key);
    }
    return undefined;
  }

  isTrusted(): boolean {
    return this.#listener.isTrusted();
  }

  /** Stores the last use of keys. Returns the number of updated rows. */
  async flushUses(): Promise<number> {
    if (this.#uses.size === 0) return 0;
    const batch = [...this.#uses].map(([id, use]) => ({ id, ...use }));
    this.#uses.clear();
    return this.#app.db.forSystem("api-key-usage", async (tx) => {
      for (const { id, moved } of batch) if (moved) await moveApiKeySecret(tx, id, moved);
      return setApiKeysUsed(tx, batch);
    });
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#listener.close();
    await this.flushUses();
  }

  async #find(mac: Buffer): Promise<AuthenticatedKey | undefined> {
    const name = mac.toString("latin1");
    const isTrusted = this.isTrusted();
    this.#app.metrics.keyCacheTrusted.set(isTrusted ? 1 : 0);
    const entry = isTrusted ? this.#entries.get(name) : undefined;
    if (entry && entry.until > performance.now()) {
      this.#app.metrics.keyCache.inc({ answered_by: "memory" });
      return entry.key;
    }
    this.#app.metrics.keyCache.inc({ answered_by: "database" });
    // Concurrent first uses share one query. Without trust each caller queries again, because an earlier
    // query may be stale.
    return isTrusted ? this.#loadOnce(mac, name) : authenticateApiKey(this.#app.db, mac);
  }

  #loadOnce(mac: Buffer, name: string): Promise<AuthenticatedKey | undefined> {
    let shared = this.#loading.get(name);
    if (!shared) {
      shared = this.#load(mac, name).finally(() => this.#loading.delete(name));
      this.#loading.set(name, shared);
    }
    return shared;
  }

  async #load(mac: Buffer, name: string): Promise<AuthenticatedKey | undefined> {
    const startedAt = this.#generation;
    const key = await authenticateApiKey(this.#app.db, mac);
    if (startedAt === this.#generation && this.isTrusted()) {
      if (this.#entries.size >= MOST_ENTRIES) this.#entries.delete(this.#entries.keys().next().value!);
      this.#entries.set(name, { key, until: performance.now() + (key ? KNOWN_MS : UNKNOWN_MS) });
    }
    return key;
  }

  /** Without an id everything may have changed. */
  #forget(keyId: string): void {
    this.#generation++;
    this.#loading.clear();
    if (!keyId) return this.#entries.clear();
    for (const [mac, { key }] of this.#entries) {
      if (!key || key.id === keyId) this.#entries.delete(mac);
    }
  }
}

/** Stored form of a key, with the newest pepper and root key. */
export function secretOf({ config, secrets }: Pick<App, "config" | "secrets">, text: string): ApiKeySecret {
  const pepperVersion = config.apiKeyPepperVersion;
  const { key, rootId } = secrets.current(`api-key-pepper/v${pepperVersion}`);
  return { secretMac: macOf(key, text), pepperVersion, rootId };
}

/** Every key that a MAC can have been created with, the newest first. */
function peppersOf({ config, secrets }: Pick<App, "config" | "secrets">): readonly DerivedKey[] {
  const newest = config.apiKeyPepperVersion;
  if (newest === 1) return secrets.all("api-key-pepper/v1");
  return Array.from({ length: PEPPERS_TRIED }, (_, at) =>
    secrets.all(`api-key-pepper/v${newest - at}`),
  ).flat();
}

function isUsable(key: AuthenticatedKey, now: Date): boolean {
  return (
    key.revoked_at === null && (key.expires_at === null || key.expires_at > now) && key.memberships.length > 0
  );
}

function callerOf(key: AuthenticatedKey): KeyCaller {
  return {
    kind: "api_key",
    id: key.id,
    name: key.name,
    hint: key.hint,
    environment: key.environment,
    scopes: key.scopes,
    allowedNetworks: key.allowed_networks,
    expiresAt: key.expires_at,
    memberships: key.memberships,
  };
}
