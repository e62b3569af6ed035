import type { App } from "../../app.ts";
import type { Origin, SessionCaller } from "../../platform/http/access.ts";
import { networkOf, spend } from "../../platform/limits/limits.ts";
import { authorOf, recordAct } from "../../events/audit/audit.ts";
import { knownDevice } from "../devices/devices.ts";
import { queueMail } from "../../events/mails/mails.ts";
import { endLinks, useLink } from "../one-time-links/one-time-links.ts";
import { endOtherSessions } from "../sessions/sessions.ts";
import { findUser, hashPassword, normalEmail, rejectGuessable, setPasswordHash } from "../users/users.ts";

type Needs = Pick<App, "db" | "clock" | "config" | "secrets" | "jobs">;

/** The worker looks up the account, so that neither the response nor its time reveals whether it exists. */
export async function requestPasswordReset(
  app: Needs,
  email: string,
  { origin, deviceToken }: { origin: Origin; deviceToken: string | undefined },
): Promise<void> {
  await spendReset(app, normalEmail(email), origin, knownDevice(app, deviceToken, email));
  await app.db.forCaller("unknown", async (tx) => {
    await recordAct(tx, authorOf(undefined, origin), app.clock.now(), { action: "password.reset_requested" });
    await queueMail(tx, app, { kind: "reset_password", recipient: normalEmail(email) });
  });
}

/** A browser that has signed in to the account has a separate limit, which strangers cannot use up. */
async function spendReset(
  app: Needs,
  account: string,
  origin: Origin,
  device: string | undefined,
): Promise<void> {
  const perWindow = app.config.limits.signInsPerMinute;
  if (device !== undefined)
    return spend(app, origin, { name: "reset_device", perWindow, windowSeconds: 3600, subject: device });
  const subject = networkOf(origin.address);
  await spend(app, origin, { name: "reset_address", perWindow, windowSeconds: 60, subject });
  const ofAccount = { name: "reset_account", perWindow, windowSeconds: 3600, isHidden: true };
  await spend(app, origin, { ...ofAccount, subject: account });
}

export async function completePasswordReset(
  app: Needs,
  given: { token: string; newPassword: string },
  origin: Origin,
): Promise<void> {
  const now = app.clock.now();
  await app.db.forCaller("unknown", async (tx) => {
    const link = await useLink(tx, app, "reset_password", given.token);
    const user = await findUser(tx, link.user_id);
    await rejectGuessable(app, { password: given.newPassword, email: user!.email, field: "new_password" });
    await setPasswordHash(tx, link.user_id, await hashPassword(given.newPassword));
    await endOtherSessions(tx, link.user_id, undefined);
    await endLinks(tx, link.user_id);
    await recordAct(tx, { ...authorOf(undefined, origin), actor_id: link.user_id }, now, {
      action: "password.reset",
      subject: link.user_id,
    });
    await queueMail(tx, app, { kind: "password_changed", recipient: user!.email });
  });
}

/** The old password was entered within the last ten minutes; every other session ends. */
export async function changePassword(
  app: Needs,
  caller: SessionCaller,
  newPassword: string,
  origin: Origin,
): Promise<void> {
  await rejectGuessable(app, { password: newPassword, email: caller.email, field: "new_password" });
  const passwordHash = await hashPassword(newPassword);
  await app.db.forCaller({ userId: caller.userId }, async (tx) => {
    await setPasswordHash(tx, caller.userId, passwordHash);
    await endOtherSessions(tx, caller.userId, caller.id);
    await endLinks(tx, caller.userId);
    await recordAct(tx, authorOf(caller, origin), app.clock.now(), {
      action: "password.changed",
      subject: caller.userId,
    });
    await queueMail(tx, app, { kind: "password_changed", recipient: caller.email });
  });
}
