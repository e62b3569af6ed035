import type { App } from "../../app.ts";
import { violatedConstraint } from "../../platform/db/database-error.ts";
import type { OrganisationTx } from "../../platform/db/database.ts";
import type { Actor, SessionCaller } from "../../platform/http/access.ts";
import { ApiError } from "../../platform/api-error.ts";
import { authorOf } from "../../events/audit/audit.ts";
import { recordChange } from "../../events/events/events.ts";
import { hasUsedProvider } from "../identity-providers/identity-providers.ts";
import { findSessionOrigin, type SessionOrigin } from "../sessions/sessions.ts";
import { findPolicy, lockPolicy, type PolicyRow, setPolicy } from "./organisations.policy.store.ts";
import type { ChangeSignInPolicy } from "./organisations.schema.ts";

type Needs = Pick<App, "db" | "clock">;
type Person = Actor & { caller: SessionCaller };

const HOUR_MS = 3_600_000;

export async function getSignInPolicy({ db }: Needs, actor: Actor): Promise<PolicyRow> {
  return db.forOrganisation(actor, findPolicy);
}

/**
 * Every process follows it at once: `unmet_policy` in the database reads it with each request. An owner cannot turn on what
 * their own session does not meet.
 */
export async function changeSignInPolicy(
  app: Needs,
  actor: Person,
  wanted: ChangeSignInPolicy,
): Promise<PolicyRow> {
  const { userId, id } = actor.caller;
  const session = await app.db.forCaller({ userId }, (tx) => findSessionOrigin(tx, id));
  const changed = app.db.forOrganisation(actor, async (tx) => {
    const before = await lockPolicy(tx);
    const after = { ...before, ...wanted };
    const changes = changedIn(before, after);
    if (Object.keys(changes).length === 0) return before;
    await rejectLockout(tx, app, session, { before, after });
    await setPolicy(tx, after);
    await recordChange(tx, authorOf(actor.caller, actor.origin), app.clock.now(), {
      type: "organisation.sign_in_policy_changed",
      organisationId: tx.organisationId,
      subject: tx.organisationId,
      data: changes,
      before: Object.fromEntries(Object.keys(changes).map((name) => [name, before[name as keyof PolicyRow]])),
      after: changes,
    });
    return after;
  });
  return changed.catch((error: unknown) => {
    if (violatedConstraint(error) === "organisations_single_sign_on") throw withoutProvider();
    throw error;
  });
}

function changedIn(before: PolicyRow, after: PolicyRow): Partial<PolicyRow> {
  return Object.fromEntries(
    Object.entries(after).filter(([name, value]) => before[name as keyof PolicyRow] !== value),
  );
}

async function rejectLockout(
  tx: OrganisationTx,
  app: Needs,
  session: SessionOrigin | undefined,
  { before, after }: { before: PolicyRow; after: PolicyRow },
): Promise<void> {
  const turnsOnSingleSignOn = after.require_single_sign_on && !before.require_single_sign_on;
  const turnsOnFactor = after.require_second_factor && !before.require_second_factor;
  if (turnsOnSingleSignOn && !(await hasUsedProvider(tx))) throw withoutProvider();
  if (turnsOnSingleSignOn && !session?.has_second_factor)
    throw notMet(
      "require_single_sign_on",
      "Sign in with a second factor first. Owners need it if the identity provider fails. Add an authenticator app or a passkey in your security settings, or confirm with the one you have.",
    );
  if (turnsOnFactor && !session?.has_second_factor)
    throw notMet(
      "require_second_factor",
      "Sign in with a second factor first. Add an authenticator app or a passkey in your security settings, or confirm with the one you have.",
    );
  const hours = after.max_session_age_hours;
  if (hours === null || hours === before.max_session_age_hours) return;
  const ageMs = app.clock.now().getTime() - (session?.signed_in_at.getTime() ?? 0);
  if (ageMs >= hours * HOUR_MS)
    throw notMet(
      "max_session_age_hours",
      `You signed in more than ${hours} hours ago. Sign in again, then set this limit.`,
    );
}

function notMet(field: keyof PolicyRow, detail: string): ApiError {
  return new ApiError("sign_in_policy_not_met", detail, {
    errors: [{ pointer: `#/${field}`, code: "not_met", detail }],
  });
}

function withoutProvider(): ApiError {
  return notMet(
    "require_single_sign_on",
    "No member has signed in through an identity provider yet. Add one, verify a domain, and sign in through it once.",
  );
}
