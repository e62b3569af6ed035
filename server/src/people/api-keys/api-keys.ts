import type { App } from "../../app.ts";
import { violatedConstraint } from "../../platform/db/database-error.ts";
import type { OrganisationTx, Tx } from "../../platform/db/database.ts";
import { type Actor, isOpenTo, type SessionCaller } from "../../platform/http/access.ts";
import type { Page } from "../../platform/http/page.ts";
import { newId } from "../../platform/ids.ts";
import { canonicalNetwork } from "../../platform/networks.ts";
import { ApiError, notFound } from "../../platform/api-error.ts";
import { authorOf } from "../../events/audit/audit.ts";
import { type EventType, lockChanges, recordChange } from "../../events/events/events.ts";
import { ApiKeyCache, secretOf } from "./api-keys.cache.ts";
import { isKeyLike, newKey } from "./api-keys.format.ts";
import { rolesToCreate } from "./api-keys.rules.ts";
import type { CreateApiKey, RotateApiKey } from "./api-keys.schema.ts";
import {
  type ApiKeyRow,
  countActiveApiKeys,
  countMakerMemberships,
  deleteApiKeyOrganisation,
  findApiKey,
  findTag,
  lockApiKeyOf,
  insertApiKey,
  listApiKeysAfter,
  lockApiKey,
  setApiKeyConfirmed,
  setApiKeyExpiry,
  setApiKeyRevoked,
} from "./api-keys.store.ts";

export { KEY_POLICIES, type KeyPolicy, type SettledKey, settleKeysOf } from "./api-keys.maker.ts";
export { mayCreate } from "./api-keys.rules.ts";
export { ApiKeyCache, type ApiKeyRow, isKeyLike };
type Needs = Pick<App, "db" | "clock" | "config" | "secrets">;
type Person = Actor & { caller: SessionCaller };

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 90;
export const MOST_PER_ORGANISATION = 50;

/** The secret is only in the response. */
export async function createApiKey(
  app: Needs,
  actor: Person,
  wanted: CreateApiKey,
): Promise<{ key: ApiKeyRow; secret: string }> {
  const organisationIds = [
    ...new Set((wanted.organisation_ids ?? [actor.organisationId]).map((id) => id.toLowerCase())),
  ];
  const days = wanted.expires_in_days === undefined ? DEFAULT_DAYS : wanted.expires_in_days;
  const now = app.clock.now();
  return app.db.forCaller({ userId: actor.caller.userId }, (tx) =>
    addApiKey(tx, app, actor, {
      name: wanted.name,
      scopes: wanted.scopes,
      allowedNetworks: (wanted.allowed_networks ?? []).map((network) => canonicalNetwork(network)!),
      expiresAt: days === null ? null : new Date(now.getTime() + days * DAY_MS),
      replacesId: null,
      organisationIds,
    }),
  );
}

/** Replaces a key. The old key remains valid for the overlap, so clients can switch without downtime. */
export async function rotateApiKey(
  app: Needs,
  actor: Person,
  id: string,
  wanted: RotateApiKey,
): Promise<{ key: ApiKeyRow; secret: string }> {
  const now = app.clock.now();
  return app.db.forCaller({ userId: actor.caller.userId }, async (tx) => {
    await lockChanges(tx, [actor.organisationId]);
    const old = (await lockApiKeyOf(tx, actor.organisationId, actor.environment, id)) ?? noSuchKey();
    if (!isActive(old, now)) throw new ApiError("api_key_not_active", "This key has expired or is revoked.");
    if (old.is_replaced) throw alreadyReplaced();
    if (old.organisation_ids.length < old.organisation_count) {
      throw new ApiError(
        "organisation_not_allowed",
        "This key also belongs to organisations in which you cannot create keys.",
      );
    }
    await setApiKeyExpiry(tx, id, new Date(now.getTime() + (wanted.overlap_hours ?? 24) * 3_600_000));
    const lifetimeMs = old.expires_at && old.expires_at.getTime() - old.created_at.getTime();
    return addApiKey(tx, app, actor, {
      name: old.name,
      scopes: old.scopes,
      allowedNetworks: old.allowed_networks,
      expiresAt: lifetimeMs === null ? null : new Date(now.getTime() + lifetimeMs),
      replacesId: id,
      organisationIds: old.organisation_ids,
    });
  });
}

export async function listApiKeys({ db }: Pick<App, "db">, actor: Actor, page: Page): Promise<ApiKeyRow[]> {
  return db.forOrganisation(actor, (tx) => listApiKeysAfter(tx, page.after, page.limit));
}

/** Revokes the key for all its organisations, so that any of them can stop a leaked key. */
export async function revokeApiKey(
  tx: OrganisationTx,
  app: Pick<App, "clock">,
  actor: Actor,
  id: string,
): Promise<void> {
  await lockChanges(tx, [tx.organisationId]);
  const key = (await lockApiKey(tx, id)) ?? noSuchKey();
  if (key.revoked_at) return;
  await setApiKeyRevoked(tx, id, app.clock.now());
  await recordKeyChange(tx, app, actor, { type: "api_key.revoked", subject: id });
}

export async function hasApiKey(tx: OrganisationTx, id: string): Promise<boolean> {
  return (await findApiKey(tx, id)) !== undefined;
}

/** The key works again after a restore of the database. Repeating changes nothing. */
export async function confirmApiKey(
  tx: OrganisationTx,
  app: Pick<App, "clock">,
  actor: Actor,
  id: string,
): Promise<ApiKeyRow> {
  await lockChanges(tx, [tx.organisationId]);
  const key = (await lockApiKey(tx, id)) ?? noSuchKey();
  if (await setApiKeyConfirmed(tx, id))
    await recordKeyChange(tx, app, actor, { type: "api_key.confirmed", subject: id });
  return { ...key, suspended_at: null };
}

/** Takes the key away from this organisation only. */

export async function detachApiKey(
  tx: OrganisationTx,
  app: Pick<App, "clock">,
  actor: Actor,
  id: string,
): Promise<void> {
  await lockChanges(tx, [tx.organisationId]);
  if (!(await lockApiKey(tx, id))) noSuchKey();
  await deleteApiKeyOrganisation(tx, id);
  await recordKeyChange(tx, app, actor, { type: "api_key.detached", subject: id });
}

export function isActive(key: Pick<ApiKeyRow, "revoked_at" | "expires_at">, now: Date): boolean {
  return !key.revoked_at && (!key.expires_at || key.expires_at > now);
}

interface WantedKey {
  name: string;
  scopes: ApiKeyRow["scopes"];
  allowedNetworks: string[];
  expiresAt: Date | null;
  replacesId: string | null;
  organisationIds: readonly string[];
}

async function addApiKey(
  tx: Tx,
  app: Needs,
  actor: Person,
  wanted: WantedKey,
): Promise<{ key: ApiKeyRow; secret: string }> {
  const now = app.clock.now();
  await rejectMaking(tx, now, actor, wanted);
  const secret = newKey(actor.environment, await findTag(tx, actor.organisationId));
  const key = {
    id: newId(),
    name: wanted.name,
    environment: actor.environment,
    hint: secret.slice(-4),
    scopes: wanted.scopes,
    allowed_networks: wanted.allowedNetworks,
    created_by: actor.caller.userId,
    created_at: now,
    expires_at: wanted.expiresAt,
    replaces_id: wanted.replacesId,
  };
  await insertApiKey(tx, { ...key, ...secretOf(app, secret) }, wanted.organisationIds).catch(
    (error: unknown) => {
      throw violatedConstraint(error) === "api_keys_by_replaced" ? alreadyReplaced() : error;
    },
  );
  for (const organisationId of wanted.organisationIds.toSorted()) {
    const type = wanted.replacesId ? "api_key.rotated" : "api_key.created";
    const data = {
      name: key.name,
      scopes: key.scopes,
      ...(wanted.replacesId && { replaces_id: wanted.replacesId }),
    };
    await recordChange(tx, authorOf(actor.caller, actor.origin), now, {
      type,
      organisationId,
      environment: actor.environment,
      subject: key.id,
      data,
    });
  }
  return {
    key: {
      ...key,
      organisation_count: wanted.organisationIds.length,
      revoked_at: null,
      suspended_at: null,
      last_used_at: null,
    },
    secret,
  };
}

/** Called under the lock: removing this member or adding another key cannot run concurrently. */
async function rejectMaking(
  tx: Tx,
  now: Date,
  actor: Person,
  { organisationIds, scopes }: Pick<WantedKey, "organisationIds" | "scopes">,
): Promise<void> {
  await lockChanges(tx, organisationIds);
  const roles = rolesToCreate(scopes);
  const closed = actor.caller.memberships.filter((one) => !isOpenTo(one));
  const isClosed = closed.some((one) => organisationIds.includes(one.organisationId));
  const mayMakeIn = await countMakerMemberships(tx, actor.caller.userId, organisationIds, roles);
  if (isClosed || mayMakeIn < organisationIds.length) {
    throw new ApiError(
      "organisation_not_allowed",
      roles.includes("developer")
        ? "You cannot create keys in at least one of these organisations."
        : "Only owners and admins of all these organisations can create keys with the scope audit.",
    );
  }
  for (const organisationId of organisationIds) {
    if ((await countActiveApiKeys(tx, organisationId, now)) >= MOST_PER_ORGANISATION) {
      throw new ApiError(
        "api_key_limit_reached",
        `An organisation can have ${MOST_PER_ORGANISATION} active keys.`,
      );
    }
  }
}

function alreadyReplaced(): ApiError {
  return new ApiError("api_key_not_active", "This key is already replaced. Rotate its successor.");
}

async function recordKeyChange(
  tx: OrganisationTx,
  app: Pick<App, "clock">,
  actor: Actor,
  change: { type: EventType; subject: string },
): Promise<void> {
  const { organisationId, environment } = tx;
  await recordChange(tx, authorOf(actor.caller, actor.origin), app.clock.now(), {
    ...change,
    organisationId,
    environment,
  });
}

function noSuchKey(): never {
  throw notFound("api_key_not_found");
}
