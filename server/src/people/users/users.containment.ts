import type { App } from "../../app.ts";
import type { Tx } from "../../platform/db/database.ts";
import type { Page } from "../../platform/http/page.ts";
import { ApiError, notFound } from "../../platform/api-error.ts";
import { type Author, recordActs } from "../../events/audit/audit.ts";
import { dropAuthenticator } from "../authenticators/authenticators.ts";
import { queueMail } from "../../events/mails/mails.ts";
import { endLinks } from "../one-time-links/one-time-links.ts";
import { endOtherSessions, idleSince } from "../sessions/sessions.ts";
import { findUserDetails, listUserDetails, setDisabled, type UserDetails } from "./users.details.store.ts";
import { normalEmail } from "./users.ts";

export type { UserDetails };
type Needs = Pick<App, "db" | "clock" | "jobs">;

export async function listUsers(
  { db, clock }: Pick<App, "db" | "clock">,
  email: string | undefined,
  page: Page,
): Promise<UserDetails[]> {
  const now = clock.now();
  return db.forSystem("operator", (tx) =>
    listUserDetails(tx, lasting(now), { email: email && normalEmail(email), ...page }),
  );
}

export async function getUser(app: Pick<App, "db" | "clock">, id: string): Promise<UserDetails> {
  return app.db.forSystem("operator", (tx) => findDetails(tx, app, id));
}

/** Sessions are checked against the account with every request, so this holds everywhere at once. */
export async function disableUser(
  app: Needs,
  author: Author,
  id: string,
  reason?: string,
): Promise<UserDetails> {
  rejectOwnAccount(author, id);
  return contain(app, author, { id, action: "user.disabled", reason }, async (tx) => {
    const isChanged = await setDisabled(tx, id, app.clock.now());
    await signOut(tx, id);
    return isChanged;
  });
}

export async function enableUser(app: Needs, author: Author, id: string): Promise<UserDetails> {
  return contain(app, author, { id, action: "user.enabled" }, async (tx) => {
    const isChanged = await setDisabled(tx, id, null);
    // A sign-in that began before the account was disabled can have opened one since.
    if (isChanged) await signOut(tx, id);
    return isChanged;
  });
}

export async function endUserSessions(app: Needs, author: Author, id: string): Promise<UserDetails> {
  return contain(app, author, { id, action: "user.sessions_ended" }, async (tx) => {
    await signOut(tx, id);
    return true;
  });
}

export async function removeUserAuthenticator(app: Needs, author: Author, id: string): Promise<UserDetails> {
  rejectOwnAccount(author, id);
  return contain(app, author, { id, action: "user.authenticator_removed" }, async (tx, { email }) => {
    if (!(await dropAuthenticator(tx, id)))
      throw new ApiError("authenticator_not_found", "This user has no authenticator app.");
    await endOtherSessions(tx, id, undefined);
    await queueMail(tx, app, { kind: "authenticator_removed", recipient: email });
    return true;
  });
}

/** Also ends mailed links: an attacker may have requested an email change, and could use it to return. */
async function signOut(tx: Tx, id: string): Promise<void> {
  await endOtherSessions(tx, id, undefined);
  await endLinks(tx, id);
}

/** The organisations of the person see it in their audit log too. */
async function contain(
  app: Needs,
  author: Author,
  { id, action, reason }: { id: string; action: string; reason?: string | undefined },
  act: (tx: Tx, user: UserDetails) => Promise<boolean>,
): Promise<UserDetails> {
  return app.db.forSystem("operator", async (tx) => {
    const user = await findDetails(tx, app, id);
    if (!(await act(tx, user))) return user;
    const entry = { action, subject: id, detail: reason === undefined ? {} : { reason } };
    await recordActs(tx, author, app.clock.now(), [
      entry,
      ...user.organisations.map((one) => ({ ...entry, organisationId: one.id })),
    ]);
    return findDetails(tx, app, id);
  });
}

async function findDetails(tx: Tx, { clock }: Pick<App, "clock">, id: string): Promise<UserDetails> {
  const found = await findUserDetails(tx, lasting(clock.now()), id);
  if (!found) throw notFound("user_not_found");
  return found;
}

function lasting(now: Date): { now: Date; seenSince: Date } {
  return { now, seenSince: idleSince(now) };
}

function rejectOwnAccount({ actor_id: own }: Author, id: string): void {
  if (own === id)
    throw new ApiError("own_account", "You cannot do this to your own account. Ask another operator.");
}
