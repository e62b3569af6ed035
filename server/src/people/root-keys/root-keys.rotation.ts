import { randomBytes } from "node:crypto";
import type { App } from "../../app.ts";
import type { Tx } from "../../platform/db/database.ts";
import { fingerprintOf, type MasterSecrets } from "../../platform/master-secret.ts";
import { ApiError } from "../../platform/api-error.ts";
import { seal, unseal } from "../../platform/sealed-secrets.ts";
import { deriveKey, KEPT_PURPOSES, type RootKind } from "../../platform/secrets.ts";
import { type Author, recordAct } from "../../events/audit/audit.ts";
import { recordChange } from "../../events/events/events.ts";
import {
  countRemaining,
  endApiKeys,
  endRecoveryCodes,
  endSwitchCredentials,
  insertRootKey,
  type KeptKeyRow,
  lockRetiring,
  lockRing,
  readRing,
  type Remaining,
  type RootKeyRow,
  SEALED_CARRIERS,
  SEALED_DOCUMENTS,
  SEALED_PROVIDERS,
  SEALED_TRUNKS,
  type SealedTable,
  setKeptKey,
  setRetired,
} from "./root-keys.store.ts";
import { keptName, newRootValue, openRing, sealRoot, USED_AFTER_SECONDS } from "./root-keys.ts";

type Needs = Pick<App, "db" | "clock">;
type Sealing = Needs & { master: MasterSecrets };

export const ROOT_KINDS: readonly RootKind[] = ["fleet", "cell"];
/** A slow process can still use the old root key for a moment. Its rows must exist before we count what depends on that key. */
const SETTLED_SECONDS = 30;

export interface RootKeyStatus extends RootKeyRow {
  state: "coming" | "current" | "previous" | "retired";
  remaining: Remaining;
}

export async function listRootKeys({ db }: Pick<App, "db">): Promise<RootKeyStatus[]> {
  const { roots } = await readRing(db);
  const remaining = await db.forSystem("root-keys", countRemaining);
  return roots.map((root) => ({
    ...root,
    state: stateOf(root, roots),
    remaining: remaining.find(({ root_id }) => root_id === root.id)!,
  }));
}

/** New secrets use the new keys as soon as every process has read them; old ones stay valid. */
export async function addRootKeys(
  { db, clock, master }: Sealing,
  author: Author,
  kinds: readonly RootKind[],
  usedAfterSeconds = USED_AFTER_SECONDS,
): Promise<number[]> {
  return db.forSystem("root-keys", async (tx) => {
    rejectOtherSecret(master, (await lockRing(tx.query)).roots);
    const ids: number[] = [];
    for (const kind of kinds)
      ids.push(
        await insertRootKey(tx, kind, usedAfterSeconds, (id) =>
          sealRoot(master, { id, kind }, newRootValue()),
        ),
      );
    await recordAct(tx, author, clock.now(), {
      action: "root_keys.added",
      subject: ids.join(","),
      detail: { kinds: [...kinds] },
    });
    return ids;
  });
}

/** A key sealed under a secret that is being replaced could not be read by processes that have only the new one. */
function rejectOtherSecret({ current }: MasterSecrets, roots: readonly RootKeyRow[]): void {
  const given = fingerprintOf(current);
  const other = roots.find(({ sealed_under }) => sealed_under !== null && sealed_under !== given);
  if (other)
    throw new ApiError(
      "invalid_request",
      `Root key ${other.id} is sealed under the secret with fingerprint ${other.sealed_under}, and MASTER_SECRET is ${given}. Run reseal with the newest secret first.`,
    );
}

/** Numbers of secrets that were sealed again. */
export interface MovedSecrets {
  identityProviders: number;
  carriers: number;
  trunkRevisions: number;
  documents: number;
}

/** Seals the secrets of other parties with the current root keys. */
export async function moveSealedSecrets(app: Pick<App, "db" | "secrets">): Promise<MovedSecrets> {
  return {
    identityProviders: await moveSecretsOf(app, SEALED_PROVIDERS),
    carriers: await moveSecretsOf(app, SEALED_CARRIERS),
    trunkRevisions: await moveSecretsOf(app, SEALED_TRUNKS),
    documents: await moveSecretsOf(app, SEALED_DOCUMENTS),
  };
}

async function moveSecretsOf(
  { db, secrets }: Pick<App, "db" | "secrets">,
  { purpose, list, set }: SealedTable,
): Promise<number> {
  return db.forSystem("root-keys", async (tx) => {
    const { key, rootId } = secrets.current(purpose);
    const rows = await list(tx, rootId);
    for (const { id, root_id, sealed } of rows) {
      const secret = unseal(secrets.of(purpose, root_id), id, sealed);
      // One that cannot be read stays as it is; the next use of it reports it.
      if (secret !== undefined) await set(tx, { id, root_id: rootId, sealed: seal(key, id, secret) });
    }
    return rows.length;
  });
}

/** Deletes the value of a root key. Rejects while something depends on it, unless `isEndingRemaining` is set. */
export async function retireRootKey(
  app: Sealing & Pick<App, "secrets">,
  author: Author,
  id: number,
  { isEndingRemaining = false, settledSeconds = SETTLED_SECONDS } = {},
): Promise<Remaining> {
  await moveSealedSecrets(app);
  return app.db.forSystem("root-keys", async (tx) => {
    const { roots, kept } = await lockRing(tx.query);
    const root = requireRetirable(roots, id);
    await lockRetiring(tx, id);
    const current = roots.findLast(
      ({ kind, retired_at, is_used }) => kind === root.kind && is_used && !retired_at,
    )!;
    await requireSettled(tx, current, settledSeconds);
    const remaining = (await countRemaining(tx)).find(({ root_id }) => root_id === id)!;
    if (isEndingRemaining) await endRemaining(tx, author, app.clock.now(), { root, current });
    else rejectRemaining(remaining);
    await keepKeys(tx, app.master, { root, current, roots, kept });
    await setRetired(tx, id);
    await recordAct(tx, author, app.clock.now(), {
      action: "root_key.retired",
      subject: String(id),
      detail: { kind: root.kind, ended: isEndingRemaining ? { ...remaining } : {} },
    });
    return remaining;
  });
}

function stateOf(root: RootKeyRow, roots: readonly RootKeyRow[]): RootKeyStatus["state"] {
  if (root.retired_at) return "retired";
  if (!root.is_used) return "coming";
  const isNewer = (one: RootKeyRow): boolean => one.kind === root.kind && one.is_used && one.id > root.id;
  return roots.some(isNewer) ? "previous" : "current";
}

function requireRetirable(roots: readonly RootKeyRow[], id: number): RootKeyRow {
  const root = roots.find((one) => one.id === id);
  if (!root) throw new ApiError("invalid_request", `There is no root key ${id}. Run roots status.`);
  const state = stateOf(root, roots);
  if (state === "previous") return root;
  throw new ApiError(
    "invalid_request",
    state === "retired"
      ? `Root key ${id} is already retired.`
      : `Root key ${id} is in use. Add another with roots rotate first.`,
  );
}

async function requireSettled(tx: Tx, current: RootKeyRow, seconds: number): Promise<void> {
  const [row] = await tx.query<{ wait: number }>(
    "select ceil(extract(epoch from used_from + make_interval(secs => $2) - now()))::integer as wait from root_keys where id = $1",
    [current.id, seconds],
  );
  if (row!.wait > 0)
    throw new ApiError(
      "invalid_request",
      `Root key ${current.id} is too new. Retry in ${row!.wait} seconds.`,
    );
}

function rejectRemaining({ root_id, ...remaining }: Remaining): void {
  const left = Object.entries(remaining).filter(([, count]) => count > 0);
  if (left.length === 0) return;
  const counted = left.map(([what, count]) => `${count} ${what.replaceAll("_", " ")}`).join(", ");
  throw new ApiError(
    "invalid_request",
    `Root key ${root_id} still has ${counted}. API keys and switch credentials move when they are used; users generate new recovery codes. To end the remaining ones, add --end-remaining.`,
  );
}

async function endRemaining(
  tx: Tx,
  author: Author,
  at: Date,
  { root, current }: Pick<Retiring, "root" | "current">,
): Promise<void> {
  for (const { id, organisation_id, environment } of await endApiKeys(tx, root.id, at))
    await recordChange(tx, author, at, {
      type: "api_key.revoked",
      organisationId: organisation_id,
      environment,
      subject: id,
      data: {},
    });
  await endRecoveryCodes(tx, root.id);
  await endSwitchCredentials(tx, root.id, current.id, () => randomBytes(32));
}

interface Retiring {
  root: RootKeyRow;
  current: RootKeyRow;
  roots: readonly RootKeyRow[];
  kept: readonly KeptKeyRow[];
}

/** Seals with the current root key what outlives this one: its kept keys, and kept keys of others that it sealed. */
async function keepKeys(
  tx: Tx,
  master: MasterSecrets,
  { root, current, roots, kept }: Retiring,
): Promise<void> {
  const values = new Map<number, string>();
  const ring = openRing(master, roots, kept, values);
  const own = root.kind === "fleet" ? KEPT_PURPOSES : [];
  const keys = own.map((purpose) => ({
    root_id: root.id,
    purpose,
    key: deriveKey(values.get(root.id)!, purpose),
  }));
  const others = kept
    .filter(({ sealed_by }) => sealed_by === root.id)
    .map(({ root_id, purpose }) => ({
      root_id,
      purpose,
      key: ring.find(({ id }) => id === root_id)!.kept.get(purpose)!,
    }));
  const sealing = deriveKey(values.get(current.id)!, "kept-keys");
  for (const { key, ...of } of [...keys, ...others])
    await setKeptKey(tx, {
      ...of,
      sealed_by: current.id,
      sealed: seal(sealing, keptName(of), key.export().toString("base64")),
    });
}
