import type { App } from "../../app.ts";
import type { Tx } from "../../platform/db/database.ts";
import type { Origin } from "../../platform/http/access.ts";
import { ApiError } from "../../platform/api-error.ts";
import type { Author } from "../../events/audit/audit.ts";
import { recordChange } from "../../events/events/events.ts";
import { isInvited, joinInvited } from "../invitations/invitations.ts";
import { queueMail } from "../../events/mails/mails.ts";
import { isMember } from "../members/members.ts";
import { findUser, findUserByEmail, type User } from "../users/users.ts";
import type { Claims } from "./identity-providers.openid.ts";
import { domainOf, entryOf } from "./identity-providers.rules.ts";
import {
  findIdentity,
  insertIdentity,
  listProvedDomains,
  type SealedProviderRow,
} from "./identity-providers.store.ts";

type Needs = Pick<App, "db" | "clock" | "jobs">;

/** Account for a provider's claims. The first sign-in links it to the subject permanently. */
export async function personOf(
  app: Needs,
  provider: SealedProviderRow,
  claims: Claims,
  origin: Origin,
): Promise<User> {
  return app.db.forSystem("sign-ins", async (tx) => {
    const standing = await standingOf(tx, app, provider, claims);
    const entry = entryOf(standing);
    if (typeof entry === "object") throw notAccepted(entry.apiError);
    if (entry === "enter") return standing.linked!;
    const userId =
      entry === "join"
        ? await joinInvited(tx, app, newcomer(provider, claims), origin)
        : standing.account!.id;
    return link(tx, app, { provider, subject: claims.subject, userId, origin });
  });
}

async function standingOf(tx: Tx, app: Needs, provider: SealedProviderRow, claims: Claims) {
  const { subject, email, isEmailVerified } = claims;
  const { id, organisation_id: organisationId } = provider;
  const known = await findIdentity(tx, id, { subject });
  const account = email ? await findUserByEmail(tx, email) : undefined;
  return {
    domains: new Set(await listProvedDomains(tx, id)),
    email,
    isEmailVerified,
    linked: known && (await findUser(tx, known.user_id)),
    account,
    isMember: account !== undefined && (await isMember(tx, organisationId, account.id)),
    isOtherSubjects:
      account !== undefined && (await findIdentity(tx, id, { userId: account.id })) !== undefined,
    isInvited: email !== undefined && (await isInvited(tx, organisationId, email, app.clock.now())),
  };
}

async function link(
  tx: Tx,
  app: Needs,
  {
    provider,
    subject,
    userId,
    origin,
  }: { provider: SealedProviderRow; subject: string; userId: string; origin: Origin },
): Promise<User> {
  const at = app.clock.now();
  if (!(await insertIdentity(tx, provider, { subject, userId, at })))
    throw notAccepted("This identity was linked by a concurrent sign-in. Start again.");
  const user = (await findUser(tx, userId))!;
  await queueMail(tx, app, { kind: "identity_linked", recipient: user.email });
  await recordChange(tx, authorOf(user, origin), at, {
    type: "member.identity_linked",
    organisationId: provider.organisation_id,
    subject: userId,
    data: { identity_provider_id: provider.id },
  });
  return user;
}

function authorOf(user: User, origin: Origin): Author {
  return {
    actor_kind: "session",
    actor_id: user.id,
    actor_name: user.name,
    request_id: origin.requestId,
    address: origin.address,
  };
}

function newcomer({ organisation_id }: SealedProviderRow, { email, name }: Claims) {
  const shown = (name ?? "")
    .replaceAll(/\p{Cc}/gu, " ")
    .trim()
    .slice(0, 200);
  return {
    organisationId: organisation_id,
    email: email!,
    name: shown || email!.slice(0, email!.length - domainOf(email!).length - 1),
  };
}

function notAccepted(detail: string): ApiError {
  return new ApiError("identity_not_accepted", detail);
}
