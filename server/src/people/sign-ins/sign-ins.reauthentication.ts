import type { App } from "../../app.ts";
import type { Tx } from "../../platform/db/database.ts";
import type { Origin, SessionCaller } from "../../platform/http/access.ts";
import { authorOf, recordAct } from "../../events/audit/audit.ts";
import { useCode } from "../authenticators/authenticators.ts";
import { type Assertion, presentedPasskey } from "../passkeys/passkeys.ts";
import { renewSession } from "../sessions/sessions.ts";
import { findUser, isPasswordOf, lockPasswordHash } from "../users/users.ts";
import { countingFailures } from "./sign-ins.limits.ts";
import { strengthenSession } from "./sign-ins.policies.ts";
import { signInFailed } from "./sign-ins.ts";

type Needs = Pick<App, "db" | "clock" | "config" | "secrets" | "jobs">;

/** The password again, for what matters: a new token, and ten minutes of being recent. */
export async function reauthenticate(
  app: Needs,
  caller: SessionCaller,
  password: string,
  origin: Origin,
): Promise<string> {
  return countingFailures(app, { account: caller.email, known: caller.id, origin }, async () => {
    const { userId } = caller;
    const user = await app.db.forCaller({ userId }, (tx) => findUser(tx, userId));
    const isRight = await isPasswordOf(user?.password_hash, password);
    const token = await renew(
      app,
      caller,
      origin,
      async (tx) => isRight && lockPasswordHash(tx, userId, user!.password_hash!),
    );
    if (!token) throw signInFailed("The password is incorrect.");
    return token;
  });
}

/** The same with a code: a user of an identity provider may have no password. */
export async function reauthenticateWithCode(
  app: Needs,
  caller: SessionCaller,
  code: string,
  origin: Origin,
): Promise<string> {
  return countingFailures(app, { code: caller.userId, known: caller.id, origin }, async () => {
    const token = await renew(app, caller, origin, async (tx) => {
      const isRight = Boolean(await useCode(tx, app, caller.userId, code));
      if (isRight) await strengthenSession(tx, app, caller, origin);
      return isRight;
    });
    if (!token) throw signInFailed("The code is incorrect or was already used.");
    return token;
  });
}

/** The same with a passkey of the caller. */
export async function reauthenticateWithPasskey(
  app: Needs,
  caller: SessionCaller,
  credential: Assertion,
  origin: Origin,
): Promise<string> {
  return countingFailures(app, { known: caller.id, origin }, async () => {
    const presented = await presentedPasskey(app, credential);
    const token = await renew(app, caller, origin, async (tx) => {
      const isRight = presented?.userId === caller.userId && (await presented.take(tx));
      if (isRight) await strengthenSession(tx, app, caller, origin);
      return isRight;
    });
    if (!token) throw signInFailed("This passkey does not belong to your account.");
    return token;
  });
}

async function renew(
  app: Needs,
  caller: SessionCaller,
  origin: Origin,
  isProved: (tx: Tx) => Promise<boolean>,
): Promise<string | undefined> {
  const now = app.clock.now();
  return app.db.forCaller({ userId: caller.userId }, async (tx) => {
    const token = (await isProved(tx)) ? await renewSession(tx, now, caller) : undefined;
    await recordAct(tx, authorOf(caller, origin), now, {
      action: "session.reauthenticated",
      subject: caller.id,
      outcome: token ? "done" : "refused",
    });
    return token;
  });
}
