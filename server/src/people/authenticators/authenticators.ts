import { type KeyObject, randomBytes } from "node:crypto";
import type { App } from "../../app.ts";
import type { Tx } from "../../platform/db/database.ts";
import type { Origin, SessionCaller } from "../../platform/http/access.ts";
import { newId } from "../../platform/ids.ts";
import { ApiError } from "../../platform/api-error.ts";
import { macOf, type Secrets } from "../../platform/secrets.ts";
import { authorOf, recordAct } from "../../events/audit/audit.ts";
import { type MailKind, queueMail } from "../../events/mails/mails.ts";
import {
  endOtherSessions,
  forgetLastFactor,
  rejectWeakEnrolment,
  withFirstFactor,
} from "../sessions/sessions.ts";
import {
  base32,
  otpauthUri,
  plainCode,
  RECOVERY_CODE_BYTES,
  RECOVERY_CODES,
  recoveryCodeOf,
  stepOfCode,
  TOTP_CODE,
} from "./authenticators.codes.ts";
import {
  type AuthenticatorRow,
  countRecoveryCodes,
  deleteAuthenticator,
  deleteRecoveryCode,
  deleteRecoveryCodes,
  findAuthenticator,
  insertAuthenticator,
  insertRecoveryCodes,
  setAuthenticatorConfirmed,
  setLastStep,
} from "./authenticators.store.ts";

export { Code } from "./authenticators.schema.ts";
type Needs = Pick<App, "db" | "clock" | "config" | "secrets" | "jobs">;

/** How long an app may take to be set up. */
const ENROLMENT_MS = 10 * 60_000;

export async function readAuthenticator(
  app: Needs,
  caller: SessionCaller,
): Promise<{ confirmedAt: Date | null; recoveryCodesLeft: number }> {
  return app.db.forCaller({ userId: caller.userId }, async (tx) => ({
    confirmedAt: (await findAuthenticator(tx, caller.userId))?.confirmed_at ?? null,
    recoveryCodesLeft: await countRecoveryCodes(tx, caller.userId),
  }));
}

/** Nothing asks for codes until a first one has shown that the app works. */
export async function enrolAuthenticator(
  app: Needs,
  caller: SessionCaller,
): Promise<{ secret: string; uri: string; expiresAt: Date }> {
  const now = app.clock.now();
  const row = { id: newId(), root_id: app.secrets.current("authenticator").rootId };
  const isCreated = await app.db.forCaller({ userId: caller.userId }, async (tx) => {
    await rejectWeakEnrolment(tx, app, caller);
    return insertAuthenticator(tx, { ...row, user_id: caller.userId, created_at: now });
  });
  if (!isCreated)
    throw new ApiError(
      "authenticator_exists",
      "You already have an authenticator app. Remove it to set up another.",
    );
  const secret = secretOf(app.secrets, row);
  return {
    secret: base32(secret),
    uri: otpauthUri(secret, new URL(app.config.baseUrl).hostname, caller.email),
    expiresAt: new Date(now.getTime() + ENROLMENT_MS),
  };
}

/** Signing in now requires a code. Other sessions without one end. */
export async function confirmAuthenticator(
  app: Needs,
  caller: SessionCaller,
  code: string,
  origin: Origin,
): Promise<string[]> {
  const now = app.clock.now();
  return app.db.forCaller({ userId: caller.userId }, async (tx) => {
    const found = await findAuthenticator(tx, caller.userId);
    const isOpen = found && !found.confirmed_at && found.created_at.getTime() > now.getTime() - ENROLMENT_MS;
    const step = isOpen && stepOfCode(secretOf(app.secrets, found), plainCode(code), now);
    if (
      !step ||
      !(await withFirstFactor(tx, app, caller, () => setAuthenticatorConfirmed(tx, found, now, step)))
    )
      throw new ApiError(
        "code_not_valid",
        "The code does not match the app being set up, or the setup has expired.",
      );
    await endOtherSessions(tx, caller.userId, caller.id);
    const codes = await renewCodes(tx, app, caller.userId);
    await tell(tx, app, { caller, origin, action: "authenticator.added", mail: "authenticator_added" });
    return codes;
  });
}

export async function removeAuthenticator(app: Needs, caller: SessionCaller, origin: Origin): Promise<void> {
  await app.db.forCaller({ userId: caller.userId }, async (tx) => {
    await rejectWeakEnrolment(tx, app, caller);
    if (!(await dropAuthenticator(tx, caller.userId))) throw noAuthenticator();
    await forgetLastFactor(tx, caller);
    await endOtherSessions(tx, caller.userId, caller.id);
    await tell(tx, app, { caller, origin, action: "authenticator.removed", mail: "authenticator_removed" });
  });
}

/** With its recovery codes. False if there is none. */
export async function dropAuthenticator(tx: Tx, userId: string): Promise<boolean> {
  if (!(await deleteAuthenticator(tx, userId))) return false;
  await deleteRecoveryCodes(tx, userId);
  return true;
}

/** The ones before are worth nothing any longer. */
export async function renewRecoveryCodes(
  app: Needs,
  caller: SessionCaller,
  origin: Origin,
): Promise<string[]> {
  return app.db.forCaller({ userId: caller.userId }, async (tx) => {
    await rejectWeakEnrolment(tx, app, caller);
    if (!(await hasAuthenticator(tx, caller.userId))) throw noAuthenticator();
    const codes = await renewCodes(tx, app, caller.userId);
    await tell(tx, app, { caller, origin, action: "recovery_codes.renewed", mail: "recovery_codes_renewed" });
    return codes;
  });
}

/** Whether signing in asks for a code. */
export async function hasAuthenticator(tx: Tx, userId: string): Promise<boolean> {
  return Boolean((await findAuthenticator(tx, userId))?.confirmed_at);
}

/** Takes a code of the app or a recovery code, once; undefined when it is wrong or was used before. */
export async function useCode(
  tx: Tx,
  app: Pick<App, "clock" | "secrets">,
  userId: string,
  given: string,
): Promise<"app" | "recovery_code" | undefined> {
  const code = plainCode(given);
  const found = await findAuthenticator(tx, userId);
  if (!found?.confirmed_at) return undefined;
  if (TOTP_CODE.test(code)) return (await isTaken(tx, app, found, code)) ? "app" : undefined;
  const macs = app.secrets.all("recovery-code").map(({ key }) => macOfCode(key, userId, code));
  const isUsed = await deleteRecoveryCode(tx, userId, macs);
  return isUsed ? "recovery_code" : undefined;
}

async function isTaken(
  tx: Tx,
  { clock, secrets }: Pick<App, "clock" | "secrets">,
  authenticator: AuthenticatorRow,
  code: string,
): Promise<boolean> {
  const step = stepOfCode(secretOf(secrets, authenticator), code, clock.now());
  return step !== undefined && setLastStep(tx, authenticator, step);
}

/** Derived, so that there is nothing to steal from the database; RFC 4226 asks for 160 bits. */
function secretOf(secrets: Secrets, { id, root_id }: Pick<AuthenticatorRow, "id" | "root_id">): Buffer {
  return macOf(secrets.of("authenticator", root_id), id).subarray(0, 20);
}

function macOfCode(key: KeyObject, userId: string, plain: string): Buffer {
  return macOf(key, `${userId}/${plain}`);
}

async function renewCodes(tx: Tx, { secrets }: Pick<App, "secrets">, userId: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () =>
    recoveryCodeOf(randomBytes(RECOVERY_CODE_BYTES)),
  );
  await deleteRecoveryCodes(tx, userId);
  const { key, rootId } = secrets.current("recovery-code");
  await insertRecoveryCodes(tx, {
    userId,
    rootId,
    macs: codes.map((code) => macOfCode(key, userId, plainCode(code))),
  });
  return codes;
}

async function tell(
  tx: Tx,
  app: Needs,
  act: { caller: SessionCaller; origin: Origin; action: string; mail: MailKind },
): Promise<void> {
  const { caller, origin, action } = act;
  await recordAct(tx, authorOf(caller, origin), app.clock.now(), { action, subject: caller.userId });
  await queueMail(tx, app, { kind: act.mail, recipient: caller.email });
}

function noAuthenticator(): ApiError {
  return new ApiError("authenticator_not_found", "Your account has no authenticator app.");
}
