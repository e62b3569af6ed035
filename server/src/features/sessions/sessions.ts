import type { App } from "../../app.ts";
import type { Tx } from "../../platform/db/database.ts";
import type { Caller, Origin, SessionCaller } from "../../platform/http/access.ts";
import { newId } from "../../platform/ids.ts";
import { networkOf, refund, spend } from "../../platform/limits/limits.ts";
import { Refusal } from "../../platform/refusal.ts";
import { digestOf, newToken } from "../../platform/secrets.ts";
import { type Author, authorOf, recordAct } from "../audit/audit.ts";
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
import { ABSOLUTE_MS, IDLE_MS, isSeenStale, TOOL_TOKEN_PREFIX } from "./sessions.rules.ts";
import {
  authenticateSession,
  deleteSession,
  deleteSessionsBefore,
  deleteSessionsOf,
  insertSession,
  listSessionsOf,
  type SessionRow,
  setSessionSeen,
  setSessionToken,
} from "./sessions.store.ts";

export { type SessionRow, TOOL_TOKEN_PREFIX };
type Needs = Pick<App, "db" | "clock" | "config">;

/** Whose token it is. Not cached: signing out, losing a role and being removed count from the next request on. */
export async function callerOfSession(
  app: Needs & Pick<App, "log">,
  token: string,
  transport: "cookie" | "bearer",
): Promise<SessionCaller | undefined> {
  if ((transport === "bearer") !== token.startsWith(TOOL_TOKEN_PREFIX)) return undefined;
  const now = app.clock.now();
  const found = await authenticateSession(app.db, digestOf(token), now, idleSince(now));
  if (!found) return undefined;
  if (isSeenStale(found.last_seen_at, now)) {
    const seen = app.db.forCaller({ userId: found.user_id }, (tx) =>
      setSessionSeen(tx, { id: found.session_id, userId: found.user_id }, now),
    );
    seen.catch((error: unknown) => app.log.warn({ err: error }, "last use of a session not written"));
  }
  return {
    kind: "session",
    id: found.session_id,
    userId: found.user_id,
    name: found.name,
    email: found.email,
    isOperator: found.is_operator,
    transport,
    reauthenticatedAt: found.reauthenticated_at,
    expiresAt: found.expires_at,
    memberships: found.memberships,
  };
}

/** Answers and takes its time alike for accounts that exist and accounts that do not. The browser's session before it ends. */
export async function signIn(
  app: Needs,
  given: { email: string; password: string },
  origin: Origin,
  before: Caller | undefined,
): Promise<{ token: string; user: User }> {
  const email = normalEmail(given.email);
  const limits = signInLimits(app, email, origin);
  for (const { limit, subject } of limits) await spend(app, limit, subject);
  const user = await app.db.forCaller("unknown", (tx) => findUserByEmail(tx, email));
  const isRight = await isPasswordOf(user?.password_hash, given.password);
  const now = app.clock.now();
  const rehashed =
    isRight && needsRehash(user!.password_hash!) ? await hashPassword(given.password) : undefined;
  const token = await app.db.forCaller(user ? { userId: user.id } : "unknown", async (tx) => {
    // Once more, and held: the password may have been changed while it was being compared.
    if (!isRight || user!.disabled_at || !(await lockPasswordHash(tx, user!.id, user!.password_hash!))) {
      const author = { ...authorOf(undefined, origin), actor_id: user?.id ?? null };
      await recordAct(tx, author, now, { action: "session.opened", outcome: "refused" });
      return undefined;
    }
    if (rehashed) await setPasswordHash(tx, user!.id, rehashed);
    if (before?.kind === "session" && before.transport === "cookie")
      await removeSession(tx, now, before, authorOf(before, origin));
    return openSession(tx, now, { userId: user!.id, name: user!.name, kind: "browser", origin });
  });
  if (!token) throw signInFailed("E-mail address or password is wrong.");
  for (const { limit, subject } of limits) await refund(app, limit.name, subject);
  return { token, user: user! };
}

/** The token is told once, here; only its digest is kept. */
export async function openSession(
  tx: Tx,
  at: Date,
  person: { userId: string; name: string; kind: SessionRow["kind"]; origin: Origin },
): Promise<string> {
  const token = person.kind === "tool" ? TOOL_TOKEN_PREFIX + newToken() : newToken();
  const id = newId();
  await insertSession(tx, {
    id,
    user_id: person.userId,
    token_hash: digestOf(token),
    kind: person.kind,
    created_at: at,
    last_seen_at: at,
    reauthenticated_at: at,
    expires_at: new Date(at.getTime() + ABSOLUTE_MS),
    address: person.origin.address,
    user_agent: person.origin.userAgent,
  });
  const author = {
    actor_kind: "session",
    actor_id: person.userId,
    actor_name: person.name,
    request_id: person.origin.requestId,
    address: person.origin.address,
  };
  await recordAct(tx, author, at, { action: "session.opened", subject: id, detail: { kind: person.kind } });
  return token;
}

/** The password once more, for what matters: a new token, and ten minutes of being recent. */
export async function reauthenticate(
  app: Needs,
  caller: SessionCaller,
  password: string,
  origin: Origin,
): Promise<string> {
  const limits = signInLimits(app, caller.email, origin);
  for (const { limit, subject } of limits) await spend(app, limit, subject);
  const user = await app.db.forCaller({ userId: caller.userId }, (tx) => findUser(tx, caller.userId));
  const now = app.clock.now();
  const isRight = await isPasswordOf(user?.password_hash, password);
  const token = newToken();
  const isDone = await app.db.forCaller({ userId: caller.userId }, async (tx) => {
    const isStill = isRight && (await lockPasswordHash(tx, caller.userId, user!.password_hash!));
    const isChanged = isStill && (await setSessionToken(tx, caller, digestOf(token), now));
    await recordAct(tx, authorOf(caller, origin), now, {
      action: "session.reauthenticated",
      subject: caller.id,
      outcome: isChanged ? "done" : "refused",
    });
    return isChanged;
  });
  if (!isDone) throw signInFailed("The password is wrong.");
  for (const { limit, subject } of limits) await refund(app, limit.name, subject);
  return token;
}

export async function listSessions(app: Needs, caller: SessionCaller): Promise<SessionRow[]> {
  const now = app.clock.now();
  return app.db.forCaller({ userId: caller.userId }, (tx) =>
    listSessionsOf(tx, caller.userId, now, idleSince(now)),
  );
}

export async function endSession(
  app: Needs,
  caller: SessionCaller,
  id: string,
  origin: Origin,
): Promise<void> {
  const isEnded = await app.db.forCaller({ userId: caller.userId }, (tx) =>
    removeSession(tx, app.clock.now(), { id, userId: caller.userId }, authorOf(caller, origin)),
  );
  if (!isEnded) throw new Refusal("session_not_found", "There is no such thing here.");
}

/** After a new password or address nobody else stays signed in. */
export async function endOtherSessions(tx: Tx, userId: string, except: string | undefined): Promise<void> {
  await deleteSessionsOf(tx, userId, except);
}

export async function sweepSessions(app: Needs): Promise<void> {
  const now = app.clock.now();
  await deleteSessionsBefore(app.db, now, idleSince(now));
}

function signInFailed(detail: string): Refusal {
  return new Refusal("sign_in_failed", detail, {
    headers: { "www-authenticate": 'Bearer realm="dialplane"' },
  });
}

async function removeSession(
  tx: Tx,
  at: Date,
  { id, userId }: Pick<SessionCaller, "id" | "userId">,
  author: Author,
): Promise<boolean> {
  const isGone = await deleteSession(tx, id, userId);
  if (isGone) await recordAct(tx, author, at, { action: "session.ended", subject: id });
  return isGone;
}

function idleSince(now: Date): Date {
  return new Date(now.getTime() - IDLE_MS);
}

/**
 * Counted per account, so that many addresses cannot share the guessing, and per address, so that one cannot
 * try many accounts. The address comes first: one that is used up no longer uses up other people's accounts.
 */
function signInLimits(app: Needs, email: string, origin: Origin) {
  const perWindow = app.config.limits.signInsPerMinute;
  return [
    { limit: { name: "sign_in_address", perWindow, windowSeconds: 60 }, subject: networkOf(origin.address) },
    { limit: { name: "sign_in_account", perWindow, windowSeconds: 60 }, subject: email },
  ];
}
