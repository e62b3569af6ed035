import { createSecretKey, randomBytes } from "node:crypto";
import type { App } from "../../app.ts";
import { ConfigError } from "../../config-secrets.ts";
import {
  fingerprintOf,
  type MasterSecrets,
  openSealed,
  sealUnder,
  type SealedValue,
} from "../../platform/master-secret.ts";
import { unseal } from "../../platform/sealed-secrets.ts";
import { deriveKey, type RootKey, SecretRing, type Secrets } from "../../platform/secrets.ts";
import {
  isInUse,
  type KeptKeyRow,
  lockRing,
  type Query,
  readRing,
  type RootKeyRow,
  setSealed,
} from "./root-keys.store.ts";

/** Every process reads new root keys within this time, long before USED_AFTER_SECONDS, when they come into use. */
const READ_EVERY_MS = 2_000;
export const USED_AFTER_SECONDS = 15;

type Needs = Pick<App, "db" | "log"> & { master: MasterSecrets };

/** Reads the root keys repeatedly, because `roots rotate` adds some while this process runs. */
export async function openSecrets(needs: Needs): Promise<Secrets & Disposable> {
  const values = new Map<number, string>();
  const ring = new SecretRing(await readKeys(needs, values));
  const timer = setInterval(() => {
    readKeys(needs, values).then(
      (roots) => ring.replace(roots),
      (error: unknown) => needs.log.warn({ err: error }, "root keys not read; known keys stay in use"),
    );
  }, READ_EVERY_MS);
  timer.unref();
  return Object.assign(ring, { [Symbol.dispose]: () => clearInterval(timer) });
}

/** A value never changes, so it is opened once, whatever seals it later. */
async function readKeys({ db, master }: Needs, values: Map<number, string>): Promise<RootKey[]> {
  const { roots, kept } = await readRing(db);
  return openRing(master, roots, kept, values);
}

export function openRing(
  master: MasterSecrets,
  roots: readonly RootKeyRow[],
  kept: readonly KeptKeyRow[],
  values: Map<number, string>,
): RootKey[] {
  for (const row of roots) {
    if (row.retired_at) values.delete(row.id);
    else if (!values.has(row.id)) values.set(row.id, openRoot(master, row));
  }
  return roots.map(({ id, kind, is_used }) => ({
    id,
    kind,
    value: values.get(id),
    isUsed: is_used,
    kept: new Map(
      kept.filter((one) => one.root_id === id).map((one) => [one.purpose, openKept(one, values)]),
    ),
  }));
}

/**
 * An existing installation keeps every secret that was derived from its master secret; a new one gets random root keys.
 * Returns which master secret seals the keys.
 */
export async function setUpRootKeys(query: Query, master: MasterSecrets): Promise<"current" | "previous"> {
  const { roots } = await lockRing(query);
  const unset = roots.filter(({ sealed, retired_at }) => !sealed && !retired_at);
  if (unset.length > 0) {
    const before = (await isInUse(query)) ? (master.previous ?? master.current) : undefined;
    for (const { id, kind } of unset)
      await setSealed(query, id, sealRoot(master, { id, kind }, before ?? newRootValue()));
  }
  for (const row of roots) if (row.sealed) openRoot(master, row);
  const fingerprint = fingerprintOf(master.current);
  const isOlder = (row: RootKeyRow): boolean => row.sealed !== null && row.sealed_under !== fingerprint;
  return roots.some(isOlder) ? "previous" : "current";
}

export interface Resealed {
  /** How many root keys were sealed under another secret. */
  count: number;
  /** Root keys whose value is one of the two secrets: anyone who knows that secret can derive what comes from them. */
  known: number[];
}

/** Seals every root key under the current master secret. */
export async function resealRootKeys(query: Query, master: MasterSecrets): Promise<Resealed> {
  const fingerprint = fingerprintOf(master.current);
  const { roots } = await lockRing(query);
  const resealed: Resealed = { count: 0, known: [] };
  for (const row of roots.filter(({ sealed }) => sealed)) {
    const value = openRoot(master, row);
    if (value === master.current || value === master.previous) resealed.known.push(row.id);
    if (row.sealed_under === fingerprint) continue;
    await setSealed(query, row.id, sealRoot(master, row, value));
    resealed.count++;
  }
  return resealed;
}

export function newRootValue(): string {
  return randomBytes(48).toString("base64");
}

export function sealRoot(
  master: MasterSecrets,
  root: Pick<RootKeyRow, "id" | "kind">,
  value: string,
): SealedValue {
  return sealUnder(master, nameOf(root), value);
}

function openRoot(master: MasterSecrets, row: RootKeyRow): string {
  if (!row.sealed)
    throw new ConfigError("The root keys of this database are not set. Run dialplane-server migrate.");
  const value = openSealed(master, nameOf(row), row.sealed);
  if (value !== undefined) return value;
  const given = [master.current, master.previous].filter((one) => one !== undefined).map(fingerprintOf);
  throw new ConfigError(
    `MASTER_SECRET does not open root key ${row.id} of this database. The key is sealed under the secret with fingerprint ${row.sealed_under}; you gave ${given.join(" and ")}. Set that secret as MASTER_SECRET, or as MASTER_SECRET_PREVIOUS until you have run dialplane-server reseal.`,
  );
}

function nameOf({ id, kind }: Pick<RootKeyRow, "id" | "kind">): string {
  return `root/${kind}/${id}`;
}

/** Kept keys are always sealed by a root key that is not retired. */
function openKept({ root_id, purpose, sealed_by, sealed }: KeptKeyRow, values: ReadonlyMap<number, string>) {
  const value = values.get(sealed_by);
  const key = value && unseal(deriveKey(value, "kept-keys"), keptName({ root_id, purpose }), sealed);
  if (!key) throw new ConfigError(`The kept key ${purpose} of root key ${root_id} cannot be opened.`);
  return createSecretKey(Buffer.from(key, "base64"));
}

export function keptName({ root_id, purpose }: Pick<KeptKeyRow, "root_id" | "purpose">): string {
  return `kept/${root_id}/${purpose}`;
}
