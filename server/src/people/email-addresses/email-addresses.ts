import type { App } from "../../app.ts";
import { violatedConstraint } from "../../platform/db/database-error.ts";
import type { Origin, SessionCaller } from "../../platform/http/access.ts";
import { spend } from "../../platform/limits/limits.ts";
import { ApiError } from "../../platform/api-error.ts";
import { authorOf, recordAct } from "../../events/audit/audit.ts";
import { queueMail } from "../../events/mails/mails.ts";
import { endLinks, makeLink, useLink } from "../one-time-links/one-time-links.ts";
import { endOtherSessions } from "../sessions/sessions.ts";
import { findUser, normalEmail, setEmail } from "../users/users.ts";

type Needs = Pick<App, "db" | "clock" | "config" | "secrets" | "jobs">;

/** Nothing changes until the link sent to the new address is used. */
export async function requestEmailChange(
  app: Needs,
  caller: SessionCaller,
  newEmail: string,
  origin: Origin,
): Promise<void> {
  const recipient = normalEmail(newEmail);
  const now = app.clock.now();
  // The address can belong to another person, who then gets a mail.
  const perWindow = app.config.limits.signInsPerMinute;
  const window = { perWindow, windowSeconds: 3600 };
  await spend(app, origin, { ...window, name: "email_change_person", subject: caller.userId });
  await spend(app, origin, {
    ...window,
    name: "email_change_recipient",
    subject: recipient,
    isHidden: true,
  });
  await app.db.forCaller({ userId: caller.userId }, async (tx) => {
    const reference = await makeLink(tx, now, {
      userId: caller.userId,
      purpose: "change_email",
      newEmail: recipient,
    });
    await recordAct(tx, authorOf(caller, origin), now, {
      action: "email_address.change_requested",
      subject: caller.userId,
    });
    await queueMail(tx, app, { kind: "change_email", recipient, reference });
  });
}

/** Notifies both addresses, so that an attacker's change does not go unnoticed. */
export async function completeEmailChange(app: Needs, token: string, origin: Origin): Promise<void> {
  const now = app.clock.now();
  const changed = app.db.forCaller("unknown", async (tx) => {
    const link = await useLink(tx, app, "change_email", token);
    const user = await findUser(tx, link.user_id);
    await setEmail(tx, link.user_id, user!.email, link.new_email!);
    await endOtherSessions(tx, link.user_id, undefined);
    await endLinks(tx, link.user_id);
    await recordAct(tx, { ...authorOf(undefined, origin), actor_id: link.user_id }, now, {
      action: "email_address.changed",
      subject: link.user_id,
    });
    for (const recipient of [user!.email, link.new_email!])
      await queueMail(tx, app, { kind: "email_changed", recipient });
  });
  await changed.catch((error: unknown) => {
    if (violatedConstraint(error) === "users_email_key")
      throw new ApiError("email_taken", "This email address cannot be used.");
    throw error;
  });
}
