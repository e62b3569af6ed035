import type { App } from "../../app.ts";
import { violatedConstraint } from "../../platform/db/database-error.ts";
import type { Tx } from "../../platform/db/database.ts";
import type { Origin, SessionCaller } from "../../platform/http/access.ts";
import { newId } from "../../platform/ids.ts";
import { networkOf, spend } from "../../platform/limits/limits.ts";
import { ApiError, notFound } from "../../platform/api-error.ts";
import { authorOf, recordAct } from "../../events/audit/audit.ts";
import { openChallenge, useChallenge } from "../one-time-links/one-time-links.ts";
import { queueMail } from "../../events/mails/mails.ts";
import {
  endOtherSessions,
  forgetLastFactor,
  rejectWeakEnrolment,
  withFirstFactor,
} from "../sessions/sessions.ts";
import { Assertion, type Attestation } from "./passkeys.schema.ts";
import {
  deletePasskey,
  findPasskeyByCredential,
  insertPasskey,
  listPasskeysOf,
  type PasskeyRow,
  setPasskeyName,
  setPasskeyUsed,
} from "./passkeys.store.ts";
import {
  challengeIn,
  creationOptions,
  ownerIn,
  requestOptions,
  verifiedAttestation,
  verifiedCount,
} from "./passkeys.webauthn.ts";

export { Assertion };
export type { PasskeyRow };
type Needs = Pick<App, "db" | "clock" | "config" | "secrets" | "jobs">;

/** Above any realistic number of devices. */
const MOST_PASSKEYS = 20;

export async function listPasskeys({ db }: Needs, { userId }: SessionCaller): Promise<PasskeyRow[]> {
  return db.forCaller({ userId }, (tx) => listPasskeysOf(tx, userId));
}

export async function beginPasskey(app: Needs, caller: SessionCaller): Promise<Record<string, unknown>> {
  const { userId } = caller;
  return app.db.forCaller({ userId }, async (tx) => {
    await rejectWeakEnrolment(tx, app, caller);
    const known = await listPasskeysOf(tx, userId);
    const { token } = await openChallenge(tx, app, { purpose: "passkey_registration", userId });
    return creationOptions(app, caller, token, known);
  });
}

export async function addPasskey(
  app: Needs,
  caller: SessionCaller,
  given: { name: string; credential: Attestation },
  origin: Origin,
): Promise<PasskeyRow> {
  const { userId } = caller;
  const verified = await verifiedAttestation(app, given.credential);
  const added = app.db.forCaller({ userId }, async (tx) => {
    const challenge = await useChallenge(tx, app, "passkey_registration", challengeIn(given.credential));
    if (!verified || challenge.user_id !== userId)
      throw new ApiError("passkey_not_valid", "The passkey does not match this site and this challenge.");
    if ((await listPasskeysOf(tx, userId)).length >= MOST_PASSKEYS)
      throw new ApiError("passkey_limit_reached", `You have ${MOST_PASSKEYS} passkeys. Remove one first.`);
    const passkey: PasskeyRow = {
      ...verified,
      id: newId(),
      user_id: userId,
      transports: given.credential.response.transports ?? [],
      name: given.name,
      created_at: app.clock.now(),
      last_used_at: null,
    };
    await withFirstFactor(tx, app, caller, () => insertPasskey(tx, passkey));
    await record(tx, app, { caller, origin, action: "passkey.added", subject: passkey.id });
    await queueMail(tx, app, { kind: "passkey_added", recipient: caller.email });
    return passkey;
  });
  return added.catch((error: unknown) => {
    if (violatedConstraint(error) === "passkeys_credential_id_key")
      throw new ApiError("passkey_not_valid", "This passkey is already registered.");
    throw error;
  });
}

export async function renamePasskey(
  app: Needs,
  caller: SessionCaller,
  { id, name }: { id: string; name: string },
  origin: Origin,
): Promise<PasskeyRow> {
  return app.db.forCaller({ userId: caller.userId }, async (tx) => {
    const renamed = await setPasskeyName(tx, { id, userId: caller.userId }, name);
    if (!renamed) throw noPasskey();
    await record(tx, app, { caller, origin, action: "passkey.renamed", subject: id });
    return renamed;
  });
}

/** Also ends the sessions that it opened. */
export async function removePasskey(
  app: Needs,
  caller: SessionCaller,
  id: string,
  origin: Origin,
): Promise<void> {
  await app.db.forCaller({ userId: caller.userId }, async (tx) => {
    await rejectWeakEnrolment(tx, app, caller);
    if (!(await deletePasskey(tx, id, caller.userId))) throw noPasskey();
    await forgetLastFactor(tx, caller);
    await endOtherSessions(tx, caller.userId, caller.id);
    await record(tx, app, { caller, origin, action: "passkey.removed", subject: id });
    await queueMail(tx, app, { kind: "passkey_removed", recipient: caller.email });
  });
}

/** Starts a sign-in or a reauthentication. */
export async function askForPasskey(app: Needs, origin: Origin): Promise<Record<string, unknown>> {
  const perWindow = app.config.limits.challengesPerMinute;
  const subject = networkOf(origin.address);
  await spend(app, origin, { name: "passkey_challenge_address", perWindow, windowSeconds: 60, subject });
  const { token } = await app.db.forCaller("unknown", (tx) => openChallenge(tx, app, { purpose: "passkey" }));
  return requestOptions(app, token);
}

export interface Presented {
  userId: string;
  /** Uses up challenge and count, in the transaction of what it is presented for; false for a copy. */
  take(tx: Tx): Promise<boolean>;
}

/** Owner of the signing passkey. Undefined if it is unknown, or the signature does not match. */
export async function presentedPasskey(app: Needs, assertion: Assertion): Promise<Presented | undefined> {
  const userId = ownerIn(assertion);
  const passkey =
    userId && (await app.db.forCaller({ userId }, (tx) => findPasskeyByCredential(tx, userId, assertion.id)));
  if (!passkey) return undefined;
  const count = await verifiedCount(app, passkey, assertion);
  if (count === undefined) return undefined;
  return {
    userId,
    async take(tx) {
      await useChallenge(tx, app, "passkey", challengeIn(assertion));
      return setPasskeyUsed(tx, passkey, count, app.clock.now());
    },
  };
}

async function record(
  tx: Tx,
  { clock }: Needs,
  act: { caller: SessionCaller; origin: Origin; action: string; subject: string },
): Promise<void> {
  const { caller, origin, action, subject } = act;
  await recordAct(tx, authorOf(caller, origin), clock.now(), { action, subject });
}

function noPasskey(): ApiError {
  return notFound("passkey_not_found");
}
