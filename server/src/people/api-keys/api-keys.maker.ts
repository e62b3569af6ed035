import type { App } from "../../app.ts";
import type { OrganisationTx } from "../../platform/db/database.ts";
import type { Author } from "../../events/audit/audit.ts";
import { recordChange } from "../../events/events/events.ts";
import {
  type ApiKeyRow,
  deleteApiKeyOrganisation,
  listActiveApiKeysMadeBy,
  setApiKeyExpiry,
  setApiKeyRevoked,
} from "./api-keys.store.ts";

/** Policies for the keys of a member who leaves, or may no longer create keys. */
export const KEY_POLICIES = ["end", "grace", "keep"] as const;
export type KeyPolicy = (typeof KEY_POLICIES)[number];

const GRACE_MS = 86_400_000;

export interface SettledKey {
  id: string;
  name: string;
  hint: string;
  outcome: "kept" | "ended" | "expires" | "detached";
  expires_at: Date | null;
}

interface Settlement {
  userId: string;
  policy: KeyPolicy;
  /** Kept under every policy. */
  keep?: readonly string[];
  /** Keys that are settled. Default: all. */
  isAffected?: (key: ApiKeyRow) => boolean;
  /** Whether the person leaves: then a key of several organisations loses this one under every policy. */
  isLeaving: boolean;
  author: Author;
}

/** Applies the policy to every active key of the organisation that this person created. */
export async function settleKeysOf(
  tx: OrganisationTx,
  { clock }: Pick<App, "clock">,
  { userId, policy, keep = [], isAffected = () => true, isLeaving, author }: Settlement,
): Promise<SettledKey[]> {
  const now = clock.now();
  const kept = new Set(keep.map((id) => id.toLowerCase()));
  const settled: SettledKey[] = [];
  const keys = await listActiveApiKeysMadeBy(tx, userId, now);
  for (const key of keys.filter(isAffected)) {
    const { id, name, hint } = key;
    const outcome = outcomeOf(key, { isLeaving, policy: kept.has(id) ? "keep" : policy });
    const endsAt = new Date(now.getTime() + GRACE_MS);
    if (outcome === "detached") await deleteApiKeyOrganisation(tx, id);
    if (outcome === "expires") await setApiKeyExpiry(tx, id, endsAt);
    if (outcome === "ended") await end(tx, author, now, key);
    settled.push({ id, name, hint, outcome, expires_at: expiryOf(key, outcome, { now, endsAt }) });
  }
  return settled;
}

/** A key of several organisations is detached from this one; the others decide for themselves. */
function outcomeOf(
  { organisation_count }: ApiKeyRow,
  { policy, isLeaving }: Pick<Settlement, "policy" | "isLeaving">,
): SettledKey["outcome"] {
  if (organisation_count > 1) return isLeaving || policy !== "keep" ? "detached" : "kept";
  return { keep: "kept", grace: "expires", end: "ended" }[policy] as SettledKey["outcome"];
}

/** The event has no environment: a live request can end a key of the test environment. */
async function end(tx: OrganisationTx, author: Author, now: Date, { id }: ApiKeyRow): Promise<void> {
  await setApiKeyRevoked(tx, id, now);
  await recordChange(tx, author, now, {
    type: "api_key.revoked",
    organisationId: tx.organisationId,
    subject: id,
  });
}

function expiryOf(
  { expires_at }: ApiKeyRow,
  outcome: SettledKey["outcome"],
  { now, endsAt }: { now: Date; endsAt: Date },
): Date | null {
  if (outcome === "ended") return now;
  if (outcome !== "expires") return expires_at;
  return expires_at && expires_at < endsAt ? expires_at : endsAt;
}
