import type { App } from "../../app.ts";
import { violatedConstraint } from "../../platform/db/database-error.ts";
import type { OrganisationTx } from "../../platform/db/database.ts";
import type { Actor, Role } from "../../platform/http/access.ts";
import type { Page } from "../../platform/http/page.ts";
import { Refusal } from "../../platform/refusal.ts";
import { type LeftBehindKey, leaveKeysBehind } from "../api-keys/api-keys.ts";
import { authorOf } from "../audit/audit.ts";
import { lockChanges, recordChange } from "../events/events.ts";
import { isAbove } from "./members.rules.ts";
import {
  deleteMember,
  findMemberByEmail,
  findRole,
  insertMember,
  isMember,
  listMembersAfter,
  lockMember,
  type MemberRow,
  setRole,
} from "./members.store.ts";

export { findMemberByEmail, findRole, insertMember, isAbove, isMember, type MemberRow };

export async function listMembers({ db }: Pick<App, "db">, actor: Actor, page: Page): Promise<MemberRow[]> {
  return db.forOrganisation(actor, (tx) => listMembersAfter(tx, page.after, page.limit));
}

export async function changeRole(
  tx: OrganisationTx,
  app: Pick<App, "clock">,
  actor: Actor,
  change: { userId: string; role: Role },
): Promise<MemberRow> {
  const member = (await lockMember(tx, change.userId)) ?? noSuchMember();
  refuseAbove(member.role, actor);
  refuseAbove(change.role, actor);
  if (member.role === change.role) return member;
  await setRole(tx, change.userId, change.role).catch(refuseLastOwner);
  await recordChange(tx, authorOf(actor.caller, actor.origin), app.clock.now(), {
    type: "member.role_changed",
    organisationId: tx.organisationId,
    subject: change.userId,
    data: { from: member.role, to: change.role },
  });
  return { ...member, role: change.role };
}

/** Of two owners who leave at once one stays: the database lets only one of them go. */
export async function removeMember(
  tx: OrganisationTx,
  app: Pick<App, "clock">,
  actor: Actor,
  removal: { userId: string; keepKeys: readonly string[] },
): Promise<LeftBehindKey[]> {
  await lockChanges(tx, [tx.organisationId]); // no key is made between listing them and the end of the membership
  const member = (await lockMember(tx, removal.userId)) ?? noSuchMember();
  refuseAbove(member.role, actor);
  const keys = await leaveKeysBehind(tx, app, removal.userId, removal.keepKeys);
  await deleteMember(tx, removal.userId).catch(refuseLastOwner);
  await recordChange(tx, authorOf(actor.caller, actor.origin), app.clock.now(), {
    type: "member.removed",
    organisationId: tx.organisationId,
    subject: removal.userId,
    data: { role: member.role, keys: keys.map(({ id, outcome }) => ({ id, outcome })) },
  });
  return keys;
}

function refuseAbove(role: Role, actor: Actor): void {
  if (isAbove(role, actor.role))
    throw new Refusal("role_too_high", `Only ${role}s can give, change or take the role ${role}.`);
}

function refuseLastOwner(error: unknown): never {
  if (violatedConstraint(error) !== "memberships_keep_last_owner") throw error;
  throw new Refusal("last_owner", "This is the organisation's only owner.");
}

function noSuchMember(): never {
  throw new Refusal("member_not_found", "There is no such thing here.");
}
