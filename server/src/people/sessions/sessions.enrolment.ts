import type { App } from "../../app.ts";
import type { Tx } from "../../platform/db/database.ts";
import type { SessionCaller } from "../../platform/http/access.ts";
import { ApiError } from "../../platform/api-error.ts";
import { hasSecondFactor } from "../users/users.ts";
import { findSessionOrigin, setSessionFactor } from "./sessions.store.ts";

type Needs = Pick<App, "config">;

/**
 * For changes of authenticator apps, passkeys and recovery codes. If an organisation requires more than a
 * password, and for operators, a stolen password must not be enough for them. Sessions without the user's
 * second factor are therefore rejected. A user without a second factor can add the first.
 */
export async function rejectWeakEnrolment(tx: Tx, { config }: Needs, caller: SessionCaller): Promise<void> {
  const unmet = new Set(caller.memberships.map((one) => one.unmet));
  if (unmet.has("single_sign_on"))
    throw new ApiError(
      "stronger_session_required",
      "Your organisation requires single sign-on. Sign in through it, then change how you sign in.",
    );
  const isOperating = caller.isOperator && config.operatorSecondFactor === "required";
  if (!unmet.has("second_factor") && !isOperating) return;
  if (!(await hasSecondFactor(tx, caller.userId))) return;
  if ((await findSessionOrigin(tx, caller.id))?.has_second_factor) return;
  throw new ApiError(
    "stronger_session_required",
    "You have a second factor and need it for this. Confirm with it, then change how you sign in.",
  );
}

/** Runs `add`. A first second factor counts for the session that adds it, which has just shown that it works. */
export async function withFirstFactor<Result>(
  tx: Tx,
  app: Needs,
  caller: SessionCaller,
  add: () => Promise<Result>,
): Promise<Result> {
  await rejectWeakEnrolment(tx, app, caller);
  const isFirst = !(await hasSecondFactor(tx, caller.userId));
  const result = await add();
  if (isFirst) await setSessionFactor(tx, caller, true);
  return result;
}

/** After removing one: a session cannot have a second factor that its user does not have. */
export async function forgetLastFactor(tx: Tx, caller: SessionCaller): Promise<void> {
  if (!(await hasSecondFactor(tx, caller.userId))) await setSessionFactor(tx, caller, false);
}
