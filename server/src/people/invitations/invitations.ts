import type { App } from "../../app.ts";
import { violatedConstraint } from "../../platform/db/database-error.ts";
import type { OrganisationTx, Tx } from "../../platform/db/database.ts";
import type { Actor, Caller, Origin, Role } from "../../platform/http/access.ts";
import type { Page } from "../../platform/http/page.ts";
import { newId } from "../../platform/ids.ts";
import { spend } from "../../platform/limits/limits.ts";
import { oneTimeToken, rowOfToken } from "../../platform/one-time-tokens.ts";
import { ApiError, notFound } from "../../platform/api-error.ts";
import { type Author, authorOf } from "../../events/audit/audit.ts";
import { recordChange } from "../../events/events/events.ts";
import { queueMail } from "../../events/mails/mails.ts";
import { findMemberByEmail, findRole, insertMember, isAbove } from "../members/members.ts";
import { addUser, findUserByEmail, hashPassword, normalEmail, rejectGuessable } from "../users/users.ts";
import type { AcceptInvitation, InviteMember } from "./invitations.schema.ts";
import {
  deleteExpiredInvitation,
  deleteInvitation,
  deleteOpenInvitation,
  findInvitation,
  findInvitationTo,
  findOpenInvitation,
  insertInvitation,
  type InvitationRow,
  listInvitationsAfter,
} from "./invitations.store.ts";

export { findOpenInvitation, type InvitationRow };
type Needs = Pick<App, "clock" | "jobs">;

/** Enough for a mistyped role and a lost mail, too few to harass the recipient. */
const TO_ONE_RECIPIENT_PER_DAY = 3;
/** By all organisations together. */
const TO_ONE_ADDRESS_PER_DAY = 20;

const LIFETIME_MS = 7 * 86_400_000;

export async function inviteMember(
  tx: OrganisationTx,
  app: Needs & Pick<App, "db" | "config">,
  actor: Actor,
  wanted: InviteMember,
): Promise<InvitationRow> {
  const email = normalEmail(wanted.email);
  if (isAbove(wanted.role, actor.role))
    throw new ApiError("role_too_high", `Only ${wanted.role}s can invite a ${wanted.role}.`);
  if (await findMemberByEmail(tx, email))
    throw new ApiError("already_member", "This user is already a member.");
  const invitedBy = actor.caller.kind === "session" ? actor.caller.userId : null;
  const invitation = await addInvitation(tx, app, authorOf(actor.caller, actor.origin), {
    organisationId: tx.organisationId,
    email,
    role: wanted.role,
    invitedBy,
  });
  await spendInvitation(app, actor, email);
  return invitation;
}

/** Counted although it may be withdrawn: the mail is sent. */
async function spendInvitation(
  app: Pick<App, "db" | "clock" | "config">,
  { organisationId, origin }: Actor,
  email: string,
): Promise<void> {
  const day = { windowSeconds: 86_400 };
  const { invitationsPerDay } = app.config.limits;
  await spend(app, origin, {
    ...day,
    name: "invitations_to_recipient",
    perWindow: TO_ONE_RECIPIENT_PER_DAY,
    subject: `${organisationId} ${email}`,
  });
  await spend(app, origin, {
    ...day,
    name: "invitations",
    perWindow: invitationsPerDay,
    subject: organisationId,
  });
  await spend(app, origin, {
    ...day,
    name: "invitations_to_address",
    perWindow: TO_ONE_ADDRESS_PER_DAY,
    subject: email,
    isHidden: true,
  });
}

/** The invitation, its mail, its event: one change. */
export async function addInvitation(
  tx: Tx,
  app: Needs,
  author: Author,
  wanted: { organisationId: string; email: string; role: Role; invitedBy: string | null },
): Promise<InvitationRow> {
  const now = app.clock.now();
  const row: InvitationRow = {
    id: newId(),
    organisation_id: wanted.organisationId,
    email: normalEmail(wanted.email),
    role: wanted.role,
    invited_by: wanted.invitedBy,
    created_at: now,
    expires_at: new Date(now.getTime() + LIFETIME_MS),
  };
  await deleteExpiredInvitation(tx, row.organisation_id, row.email, now);
  await insertInvitation(tx, row).catch((error: unknown) => {
    if (violatedConstraint(error) !== "invitations_organisation_id_email_key") throw error;
    throw new ApiError("already_invited", "This address already has an open invitation.");
  });
  await queueMail(tx, app, { kind: "invitation", recipient: row.email, reference: row.id });
  await recordChange(tx, author, now, {
    type: "invitation.created",
    organisationId: row.organisation_id,
    subject: row.id,
    data: { role: row.role },
  });
  return row;
}

export async function listInvitations(
  app: Pick<App, "db" | "clock">,
  actor: Actor,
  page: Page,
): Promise<InvitationRow[]> {
  return app.db.forOrganisation(actor, (tx) =>
    listInvitationsAfter(tx, page.after, page.limit, app.clock.now()),
  );
}

export async function getInvitation(
  app: Pick<App, "db" | "clock">,
  actor: Actor,
  id: string,
): Promise<InvitationRow> {
  const row = await app.db.forOrganisation(actor, (tx) => findInvitation(tx, id, app.clock.now()));
  if (!row) throw notFound("invitation_not_found");
  return row;
}

export async function withdrawInvitation(
  tx: OrganisationTx,
  app: Pick<App, "clock">,
  actor: Actor,
  id: string,
): Promise<void> {
  const row = await deleteInvitation(tx, id);
  if (!row) throw notFound("invitation_not_found");
  await recordChange(tx, authorOf(actor.caller, actor.origin), app.clock.now(), {
    type: "invitation.withdrawn",
    organisationId: tx.organisationId,
    subject: id,
    data: { role: row.role },
  });
}

export function tokenOfInvitation({ secrets }: Pick<App, "secrets">, id: string, tag?: string): string {
  return oneTimeToken(secrets, "invitation", id, tag);
}

/**
 * Bound to whom it was sent to: signed in, one's address must be the invited one; without an account, the
 * mailed token proves the address and makes the account.
 */
export async function acceptInvitation(
  app: Pick<App, "db" | "clock" | "config" | "secrets">,
  caller: Caller | undefined,
  given: AcceptInvitation,
  origin: Origin,
): Promise<{ organisationId: string; organisationName: string; role: Role }> {
  const now = app.clock.now();
  const id = rowOfToken(app.secrets, "invitation", given.token);
  if (id === undefined) throw noOpenInvitation();
  // Hashing is expensive, so invalid passwords and tokens are rejected first.
  await app.db.forSystem("invitations", async (tx) => {
    const open = await findOpenInvitation(tx, id, now);
    if (!open) throw noOpenInvitation();
    if (!caller) {
      await rejectAccount(tx, open.email, given.account);
      const { password } = given.account!;
      await rejectGuessable(app, { password, email: open.email, field: "account/password" });
    }
  });
  const passwordHash = caller ? undefined : await hashPassword(given.account!.password);
  return app.db.forSystem("invitations", async (tx) => {
    const invitation = await findOpenInvitation(tx, id, now);
    // If several requests accept concurrently, one deletes the row and continues. An error below rolls the
    // deletion back.
    if (!invitation || !(await deleteOpenInvitation(tx, invitation.id, now))) throw noOpenInvitation();
    const userId = await recipientOf(tx, now, invitation, { caller, account: given.account, passwordHash });
    await join(tx, now, { invitation, userId, author: authorOf(caller, origin) });
    const { organisation_id: organisationId, organisation_name: organisationName, role } = invitation;
    return { organisationId, organisationName, role };
  });
}

export async function isInvited(tx: Tx, organisationId: string, email: string, now: Date): Promise<boolean> {
  return (await findInvitationTo(tx, organisationId, email, now)) !== undefined;
}

/** Joins a user without an account who has verified the address by other means than the mailed link. */
export async function joinInvited(
  tx: Tx,
  app: Pick<App, "clock">,
  person: { organisationId: string; email: string; name: string },
  origin: Origin,
): Promise<string> {
  const now = app.clock.now();
  const invitation = await findInvitationTo(tx, person.organisationId, person.email, now);
  if (!invitation || !(await deleteOpenInvitation(tx, invitation.id, now))) throw noOpenInvitation();
  const userId = await newAccount(tx, now, { ...person, passwordHash: null });
  await join(tx, now, { invitation, userId, author: authorOf(undefined, origin) });
  return userId;
}

async function join(
  tx: Tx,
  now: Date,
  { invitation, userId, author }: { invitation: InvitationRow; userId: string; author: Author },
): Promise<void> {
  const { organisation_id: organisationId, role, invited_by: inviter } = invitation;
  // An inviter who may no longer grant this role invalidates the invitation.
  if (inviter !== null && isAbove(role, await findRole(tx, organisationId, inviter)))
    throw noOpenInvitation();
  if (!(await insertMember(tx, organisationId, { userId, role, at: now })))
    throw new ApiError("already_member", "You are already a member.");
  await recordChange(tx, { ...author, actor_id: userId }, now, {
    type: "member.joined",
    organisationId,
    subject: userId,
    data: { role },
  });
}

async function recipientOf(
  tx: Tx,
  now: Date,
  invitation: InvitationRow,
  by: { caller: Caller | undefined; account: AcceptInvitation["account"]; passwordHash: string | undefined },
): Promise<string> {
  if (by.caller) {
    if (by.caller.kind !== "session" || by.caller.email !== invitation.email) throw noOpenInvitation();
    return by.caller.userId;
  }
  const { email } = invitation;
  await rejectAccount(tx, email, by.account);
  return newAccount(tx, now, { email, name: by.account!.name, passwordHash: by.passwordHash! });
}

async function rejectAccount(tx: Tx, email: string, account: AcceptInvitation["account"]): Promise<void> {
  if (await findUserByEmail(tx, email)) throw accountExists();
  if (!account) {
    throw new ApiError("invalid_request", "account is required: there is no account with this address yet.", {
      errors: [{ pointer: "#/account", code: "required", detail: "Name and password of the new account." }],
    });
  }
}

function newAccount(tx: Tx, now: Date, person: Parameters<typeof addUser>[2]): Promise<string> {
  return addUser(tx, now, person).catch((error: unknown) => {
    throw violatedConstraint(error) === "users_email_key" ? accountExists() : error;
  });
}

function accountExists(): ApiError {
  return new ApiError("account_exists", "An account with this address exists. Sign in with it, then accept.");
}

function noOpenInvitation(): ApiError {
  return new ApiError("invitation_not_found", "The invitation is unknown, used, withdrawn or expired.");
}
