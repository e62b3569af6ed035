import type { App } from "../../app.ts";
import { violatedConstraint } from "../../platform/db/database-error.ts";
import type { OrganisationTx } from "../../platform/db/database.ts";
import type { Actor, Role } from "../../platform/http/access.ts";
import type { Page } from "../../platform/http/page.ts";
import { ApiError, notFound } from "../../platform/api-error.ts";
import {
  type ApiKeyRow,
  type KeyPolicy,
  mayCreate,
  type SettledKey,
  settleKeysOf,
} from "../api-keys/api-keys.ts";
import { authorOf } from "../../events/audit/audit.ts";
import { lockChanges, recordChange } from "../../events/events/events.ts";
import { isAbove } from "./members.rules.ts";
import {
  deleteMember,
  findMemberByEmail,
  findRole,
  insertMember,
  isMember,
  listMembersAfter,
  listOwnerEmails,
  lockMember,
  type MemberRow,
  setRole,
} from "./members.store.ts";

export { findMemberByEmail, findRole, insertMember, isAbove, isMember, listOwnerEmails, type MemberRow };

export async function listMembers({ db }: Pick<App, "db">, actor: Actor, page: Page): Promise<MemberRow[]> {
  return db.forOrganisation(actor, (tx) => listMembersAfter(tx, page.after, page.limit));
}

/** Names the keys that the person could not create in the new role, and what happens to them. */
export async function changeRole(
  tx: OrganisationTx,
  app: Pick<App, "clock">,
  actor: Actor,
  change: { userId: string; role: Role; keys: KeyPolicy },
): Promise<{ member: MemberRow; keys: SettledKey[] }> {
  await lockChanges(tx, [tx.organisationId]); // no key is created between listing them and the new role
  const member = (await lockMember(tx, change.userId)) ?? noSuchMember();
  rejectAbove(member.role, actor);
  rejectAbove(change.role, actor);
  const author = authorOf(actor.caller, actor.origin);
  const isAffected = (key: ApiKeyRow): boolean => !mayCreate(change.role, key);
  const settlement = { userId: change.userId, policy: change.keys, isAffected, isLeaving: false, author };
  const keys = await settleKeysOf(tx, app, settlement);
  if (member.role === change.role) return { member, keys };
  await setRole(tx, change.userId, change.role).catch(rejectLastOwner);
  await recordChange(tx, author, app.clock.now(), {
    type: "member.role_changed",
    organisationId: tx.organisationId,
    subject: change.userId,
    data: { from: member.role, to: change.role, ...(keys.length > 0 && { keys: keys.map(outcomeOf) }) },
  });
  return { member: { ...member, role: change.role }, keys };
}

interface Removal {
  userId: string;
  keys: KeyPolicy;
  /** Kept, whatever happens to the others. */
  keepKeys: readonly string[];
}

/** If two owners leave concurrently, one stays: the database allows only one removal. */
export async function removeMember(
  tx: OrganisationTx,
  app: Pick<App, "clock">,
  actor: Actor,
  { userId, keys: policy, keepKeys: keep }: Removal,
): Promise<SettledKey[]> {
  await lockChanges(tx, [tx.organisationId]); // no key is created between listing them and the end of the membership
  const member = (await lockMember(tx, userId)) ?? noSuchMember();
  rejectAbove(member.role, actor);
  const author = authorOf(actor.caller, actor.origin);
  const keys = await settleKeysOf(tx, app, { userId, policy, keep, isLeaving: true, author });
  await deleteMember(tx, userId).catch(rejectLastOwner);
  await recordChange(tx, author, app.clock.now(), {
    type: "member.removed",
    organisationId: tx.organisationId,
    subject: userId,
    data: { role: member.role, keys: keys.map(outcomeOf) },
  });
  return keys;
}

function outcomeOf({ id, outcome }: SettledKey): Pick<SettledKey, "id" | "outcome"> {
  return { id, outcome };
}

function rejectAbove(role: Role, actor: Actor): void {
  if (isAbove(role, actor.role))
    throw new ApiError("role_too_high", `Only ${role}s can grant, change or revoke the role ${role}.`);
}

function rejectLastOwner(error: unknown): never {
  if (violatedConstraint(error) !== "memberships_keep_last_owner") throw error;
  throw new ApiError("last_owner", "This is the organisation's only owner.");
}

function noSuchMember(): never {
  throw notFound("member_not_found");
}
