import type { App } from "../../app.ts";
import type { Tx } from "../../platform/db/database.ts";
import type { Origin, SessionCaller } from "../../platform/http/access.ts";
import type { Author } from "../../events/audit/audit.ts";
import { recordChanges } from "../../events/events/events.ts";
import { listPoliciesOf, type MemberPolicy } from "../organisations/organisations.ts";
import { findSessionOrigin, type Proof, setSessionFactor } from "../sessions/sessions.ts";
import { findUser, hasSecondFactor, type User } from "../users/users.ts";

type Needs = Pick<App, "clock" | "config" | "jobs">;

export const TELL_OWNERS = "sign-ins.tell-owners";

interface SignIn {
  user: User;
  proof: Proof;
  origin: Origin;
}

/** Applies the policies of the user's organisations. Returns whether the user must add a second factor. */
export async function applyPolicies(tx: Tx, app: Needs, signedIn: SignIn): Promise<boolean> {
  const { user } = signedIn;
  const policies = await listPoliciesOf(tx, user.id);
  const needsFactor =
    (user.is_operator && app.config.operatorSecondFactor === "required") ||
    policies.some((one) => one.require_second_factor);
  const isEnrolmentRequired = needsFactor && !(await hasSecondFactor(tx, user.id));
  await recordBreakGlass(tx, app, signedIn, policies);
  return isEnrolmentRequired;
}

/** After a code or a passkey in a session that was opened without one. */
export async function strengthenSession(
  tx: Tx,
  app: Needs,
  caller: SessionCaller,
  origin: Origin,
): Promise<void> {
  if (!(await setSessionFactor(tx, caller, true))) return;
  const from = await findSessionOrigin(tx, caller.id);
  const user = await findUser(tx, caller.userId);
  if (!from || !user) return;
  const provider =
    from.identity_provider_id && from.identity_organisation_id
      ? { id: from.identity_provider_id, organisationId: from.identity_organisation_id }
      : undefined;
  const proof = { method: from.method, hasSecondFactor: true, provider };
  await recordBreakGlass(tx, app, { user, proof, origin }, await listPoliciesOf(tx, user.id));
}

/** An owner who gets in without the organisation's identity provider: its audit log says so, and the other owners learn of it. */
async function recordBreakGlass(
  tx: Tx,
  app: Needs,
  { user, proof, origin }: SignIn,
  policies: readonly MemberPolicy[],
): Promise<void> {
  if (!proof.hasSecondFactor) return;
  const around = policies.filter(
    (one) =>
      one.role === "owner" &&
      one.require_single_sign_on &&
      one.organisation_id !== proof.provider?.organisationId,
  );
  if (around.length === 0) return;
  for (const { organisation_id } of around)
    await app.jobs.enqueue(tx, TELL_OWNERS, { organisationId: organisation_id, userId: user.id });
  const author: Author = {
    actor_kind: "session",
    actor_id: user.id,
    actor_name: user.name,
    request_id: origin.requestId,
    address: origin.address,
  };
  await recordChanges(
    tx,
    author,
    app.clock.now(),
    around.map(({ organisation_id }) => ({
      type: "member.break_glass_used" as const,
      organisationId: organisation_id,
      subject: user.id,
      data: { method: proof.method },
    })),
  );
}
