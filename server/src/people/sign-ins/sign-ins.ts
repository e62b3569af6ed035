import type { App } from "../../app.ts";
import type { Tx } from "../../platform/db/database.ts";
import type { Caller, Origin } from "../../platform/http/access.ts";
import { ApiError } from "../../platform/api-error.ts";
import { authorOf, recordAct } from "../../events/audit/audit.ts";
import { hasAuthenticator, useCode } from "../authenticators/authenticators.ts";
import { openChallenge, readChallenge, useChallenge } from "../one-time-links/one-time-links.ts";
import { knownDevice } from "../devices/devices.ts";
import { findSealedProvider } from "../identity-providers/identity-providers.ts";
import { queueMail } from "../../events/mails/mails.ts";
import { type Assertion, presentedPasskey } from "../passkeys/passkeys.ts";
import { enterBrowser, type Proof } from "../sessions/sessions.ts";
import {
  findUser,
  findUserByEmail,
  hashPassword,
  isPasswordOf,
  lockPasswordHash,
  needsRehash,
  normalEmail,
  setPasswordHash,
  type User,
} from "../users/users.ts";
import { CODES_PER_DAY, countingFailures } from "./sign-ins.limits.ts";
import { applyPolicies } from "./sign-ins.policies.ts";

export { CODES_PER_DAY };

type Needs = Pick<App, "db" | "clock" | "config" | "secrets" | "jobs">;

/** Origin of a sign-in, and the browser's current session. */
export interface Visit {
  origin: Origin;
  before: Caller | undefined;
  /** Token of a browser that has signed in before. */
  deviceToken?: string | undefined;
  /** Identity provider of the sign-in. Absent for passwords and passkeys. */
  provider?: Proof["provider"];
}

export interface Entered {
  token: string;
  user: User;
  /** Whether the person has to add a second factor before they can do all they may. */
  isEnrolmentRequired: boolean;
}
export type SignInStep = Entered | { challenge: string; expiresAt: Date };

/** Response and timing are the same whether or not the account exists. */
export async function signIn(
  app: Needs,
  given: { email: string; password: string },
  visit: Visit,
): Promise<SignInStep> {
  const email = normalEmail(given.email);
  const known = knownDevice(app, visit.deviceToken, email);
  return countingFailures(app, { account: email, known, origin: visit.origin }, async () => {
    const user = await app.db.forCaller("unknown", (tx) => findUserByEmail(tx, email));
    const isRight = await isPasswordOf(user?.password_hash, given.password);
    const step = await passPassword(app, isRight ? user : undefined, given.password, visit);
    if (step) return step;
    await recordFailure(app, user?.id, visit.origin, "password");
    throw signInFailed("The email address or password is incorrect.");
  });
}

/** Second step for a user with an authenticator app. A wrong code does not end the first step. */
export async function signInWithCode(
  app: Needs,
  given: { challenge: string; code: string },
  { origin, before, deviceToken }: Visit,
): Promise<Entered> {
  const { user_id, reference } = await app.db.forCaller("unknown", (tx) =>
    readChallenge(tx, app, "second_factor", given.challenge),
  );
  const userId = user_id!;
  const provider = await providerBehind(app, reference);
  const { email } = (await app.db.forCaller({ userId }, (tx) => findUser(tx, userId)))!;
  const known = knownDevice(app, deviceToken, email);
  return countingFailures(app, { code: userId, known, origin }, async () => {
    const entered = await app.db.forCaller({ userId }, async (tx) => {
      const user = (await findUser(tx, userId))!;
      const factor = user.disabled_at ? undefined : await useCode(tx, app, userId, given.code);
      if (!factor) return undefined;
      await useChallenge(tx, app, "second_factor", given.challenge);
      if (factor === "recovery_code")
        await queueMail(tx, app, { kind: "recovery_code_used", recipient: user.email });
      const method = provider ? ("provider" as const) : ("password" as const);
      const proof = { method, hasSecondFactor: true, provider };
      return enter(tx, app, user, { origin, before, deviceToken, proof });
    });
    if (entered) return entered;
    await recordFailure(app, userId, origin, "code");
    throw signInFailed("The code is incorrect or was already used.");
  });
}

/** No password and no code: the device has verified the person, and proves that it is here. */
export async function signInWithPasskey(app: Needs, credential: Assertion, visit: Visit): Promise<Entered> {
  const { origin } = visit;
  return countingFailures(app, { address: "passkey_address", origin }, async () => {
    const presented = await presentedPasskey(app, credential);
    const entered =
      presented &&
      (await app.db.forCaller({ userId: presented.userId }, async (tx) => {
        const user = await findUser(tx, presented.userId);
        if (!user || user.disabled_at || !(await presented.take(tx))) return undefined;
        // A passkey is taken only after the device has verified its user: two factors in one.
        return enter(tx, app, user, { ...visit, proof: { method: "passkey", hasSecondFactor: true } });
      }));
    if (entered) return entered;
    await recordFailure(app, presented?.userId, origin, "passkey");
    throw signInFailed("No account has this passkey.");
  });
}

export function signInFailed(detail: string): ApiError {
  return new ApiError("sign_in_failed", detail, {
    headers: { "www-authenticate": 'Bearer realm="dialplane"' },
  });
}

async function passPassword(
  app: Needs,
  user: User | undefined,
  password: string,
  visit: Visit,
): Promise<SignInStep | undefined> {
  if (!user || user.disabled_at) return undefined;
  const userId = user.id;
  const rehashed = needsRehash(user.password_hash!) ? await hashPassword(password) : undefined;
  return app.db.forCaller({ userId }, async (tx) => {
    // Checks again under a lock: the password may have changed during the comparison.
    if (!(await lockPasswordHash(tx, userId, user.password_hash!))) return undefined;
    if (rehashed) await setPasswordHash(tx, userId, rehashed);
    return passFirstFactor(tx, app, user, visit);
  });
}

/** A user with an authenticator app needs a code. Other users are signed in. */
export async function passFirstFactor(tx: Tx, app: Needs, user: User, visit: Visit): Promise<SignInStep> {
  const userId = user.id;
  const { provider } = visit;
  if (await hasAuthenticator(tx, userId)) {
    const first = { purpose: "second_factor" as const, userId, ...(provider && { reference: provider.id }) };
    const { token, expiresAt } = await openChallenge(tx, app, first);
    return { challenge: token, expiresAt };
  }
  const method = provider ? ("provider" as const) : ("password" as const);
  return enter(tx, app, user, { ...visit, proof: { method, hasSecondFactor: false, provider } });
}

/** The first step, where it was an identity provider's word. */
async function providerBehind(app: Needs, reference: string | null): Promise<Proof["provider"]> {
  if (!reference) return undefined;
  const provider = await app.db.forSystem("sign-ins", (tx) => findSealedProvider(tx, reference));
  if (!provider)
    throw new ApiError("challenge_not_valid", "Your organisation has removed this identity provider.");
  return { id: provider.id, organisationId: provider.organisation_id };
}

/** Emails the person if this browser has not signed in to the account before. */
async function enter(
  tx: Tx,
  app: Needs,
  user: User,
  { origin, before, deviceToken, proof }: Visit & { proof: Proof },
): Promise<Entered> {
  const person = { userId: user.id, name: user.name, origin, before, how: proof };
  const token = await enterBrowser(tx, app.clock.now(), person);
  if (!knownDevice(app, deviceToken, user.email))
    await queueMail(tx, app, { kind: "browser_signed_in", recipient: user.email });
  const isEnrolmentRequired = await applyPolicies(tx, app, { user, proof, origin });
  return { token, user, isEnrolmentRequired };
}

async function recordFailure(
  app: Needs,
  userId: string | undefined,
  origin: Origin,
  factor: string,
): Promise<void> {
  const author = { ...authorOf(undefined, origin), actor_id: userId ?? null };
  await app.db.forCaller(userId ? { userId } : "unknown", (tx) =>
    recordAct(tx, author, app.clock.now(), {
      action: "session.opened",
      outcome: "refused",
      detail: { factor },
    }),
  );
}
