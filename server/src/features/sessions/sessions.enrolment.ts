import type { Tx } from "../../platform/db/database.ts";
import type { SessionCaller } from "../../platform/http/access.ts";
import { Refusal } from "../../platform/refusal.ts";
import { hasSecondFactor } from "../users/users.ts";
import { setSessionFactor } from "./sessions.store.ts";

/**
 * For adding an authenticator app or a passkey. Where an organisation demands more than a password, a stolen password must
 * not be enough to add what is missing: sessions that do not meet its policy cannot, except to add a first second factor.
 */
export async function refuseWeakEnrolment(tx: Tx, caller: SessionCaller): Promise<void> {
  const unmet = new Set(caller.memberships.map((one) => one.unmet));
  if (unmet.has("single_sign_on"))
    throw new Refusal(
      "stronger_session_required",
      "Your organisation requires single sign-on. Sign in through it, then add another way to sign in.",
    );
  if (!unmet.has("second_factor") || !(await hasSecondFactor(tx, caller.userId))) return;
  throw new Refusal(
    "stronger_session_required",
    "Your organisation requires a second factor, and you have one. Confirm with it, then add another.",
  );
}

/** Runs `add`. A first second factor counts for the session that adds it, which has just shown that it works. */
export async function withFirstFactor<Result>(
  tx: Tx,
  caller: SessionCaller,
  add: () => Promise<Result>,
): Promise<Result> {
  await refuseWeakEnrolment(tx, caller);
  const isFirst = !(await hasSecondFactor(tx, caller.userId));
  const result = await add();
  if (isFirst) await setSessionFactor(tx, caller, true);
  return result;
}

/** After removing one: a session cannot have a second factor that its user does not have. */
export async function forgetLastFactor(tx: Tx, caller: SessionCaller): Promise<void> {
  if (!(await hasSecondFactor(tx, caller.userId))) await setSessionFactor(tx, caller, false);
}
