import type { Static } from "typebox";
import type { App } from "../../app.ts";
import { violatedConstraint } from "../../platform/db/database-error.ts";
import type { Tx } from "../../platform/db/database.ts";
import type { Caller, Origin, SessionCaller } from "../../platform/http/access.ts";
import { newId } from "../../platform/ids.ts";
import { ApiError, notFound } from "../../platform/api-error.ts";
import { digestOf, newToken } from "../../platform/secrets.ts";
import { type Author, authorOf, recordAct } from "../../events/audit/audit.ts";
import { endChallenges } from "../one-time-links/one-time-links.ts";
import { queueMail } from "../../events/mails/mails.ts";
import { findHomeTag, findUser, type User } from "../users/users.ts";
import { ABSOLUTE_MS, IDLE_MS, isSeenStale, TOOL_TOKEN_PREFIX } from "./sessions.rules.ts";
import { forgetLastFactor, rejectWeakEnrolment, withFirstFactor } from "./sessions.enrolment.ts";
import { SignedInUser, ToolSession } from "./sessions.schema.ts";
import {
  authenticateSession,
  deleteSession,
  deleteSessionsBefore,
  deleteSessionsOf,
  findSessionOrigin,
  insertSession,
  listSessionsOf,
  listStandings,
  type SessionOrigin,
  type SessionRow,
  setSessionFactor,
  setSessionSeen,
  setSessionToken,
  type Standing,
} from "./sessions.store.ts";

export { ABSOLUTE_MS as SESSION_MS, type SessionRow, TOOL_TOKEN_PREFIX };
export { forgetLastFactor, rejectWeakEnrolment, withFirstFactor };
export { findSessionOrigin, type SessionOrigin, setSessionFactor };
export { SignedInUser, ToolSession };
type Needs = Pick<App, "db" | "clock" | "config">;

/** For work that stores the caller's session, which can end between admission and effect. */
export async function whileSignedIn<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!violatedConstraint(error)?.endsWith("_session_id_fkey")) throw error;
    throw new ApiError("unauthenticated", "The session has ended.", {
      headers: { "www-authenticate": 'Bearer realm="dialplane", error="invalid_token"' },
    });
  }
}

/**
 * Caller of a session token. Not cached: sign-out, a lost role and a removal take effect at the next request.
 */
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
    seen.catch((error: unknown) => app.log.warn({ err: error }, "last use of a session not stored"));
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

/** Current access of long-lived connections: the valid sessions and their roles. */
export async function findStandings(tx: Tx, sessionIds: readonly string[], now: Date): Promise<Standing[]> {
  return listStandings(tx, sessionIds, now, idleSince(now));
}

/** The browser's session before it ends: a browser has one. */
export async function enterBrowser(
  tx: Tx,
  at: Date,
  person: { userId: string; name: string; origin: Origin; before: Caller | undefined; how: Proof },
): Promise<string> {
  const { before, origin } = person;
  if (before?.kind === "session" && before.transport === "cookie")
    await removeSession(tx, at, before, authorOf(before, origin));
  return openSession(tx, at, { ...person, kind: "browser" });
}

/** Proof of the user's identity. */
export interface Proof {
  method: SessionOrigin["method"];
  hasSecondFactor: boolean;
  /** Organisation of the identity provider. */
  provider?: { id: string; organisationId: string } | undefined;
}

/** Token of a tool's session, and its user. The token is not readable later. */
export interface ToolEntered {
  token: string;
  expiresAt: Date;
  user: User;
}

/**
 * Undefined if the user has been disabled since. The user is notified by mail, because a tool's session lasts
 * for weeks.
 */
export async function enterTool(
  tx: Tx,
  app: Pick<App, "clock" | "jobs">,
  tool: { userId: string; clientName: string; authorisedBy: string; origin: Origin },
): Promise<ToolEntered | undefined> {
  const { userId, clientName, origin } = tool;
  const user = await findUser(tx, userId);
  // The session that authorised it: a tool gets no further than that.
  const from = await findSessionOrigin(tx, tool.authorisedBy);
  if (!user || user.disabled_at || !from) return undefined;
  const now = app.clock.now();
  const person = { userId, name: user.name, kind: "tool" as const, origin, clientName, from };
  const token = await openSession(tx, now, person);
  await queueMail(tx, app, { kind: "tool_signed_in", recipient: user.email });
  return { token, expiresAt: new Date(now.getTime() + ABSOLUTE_MS), user };
}

interface OpenedSession {
  userId: string;
  name: string;
  kind: SessionRow["kind"];
  origin: Origin;
  clientName?: string;
  how?: Proof;
  /** Origin of a tool's session, in place of `how`. */
  from?: SessionOrigin;
}

/** Returns the token. Only its digest is stored. */
export async function openSession(tx: Tx, at: Date, person: OpenedSession): Promise<string> {
  const token =
    (person.kind === "tool" ? TOOL_TOKEN_PREFIX : "") + (await newSessionToken(tx, person.userId));
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
    ...(person.from ?? originOf(person.how ?? { method: "password", hasSecondFactor: false }, at)),
  });
  const author = {
    actor_kind: "session",
    actor_id: person.userId,
    actor_name: person.name,
    request_id: person.origin.requestId,
    address: person.origin.address,
  };
  await recordAct(tx, author, at, {
    action: "session.opened",
    subject: id,
    detail: { kind: person.kind, ...(person.clientName && { client_name: person.clientName }) },
  });
  return token;
}

async function newSessionToken(tx: Tx, userId: string): Promise<string> {
  return (await findHomeTag(tx, userId)) + newToken();
}

function originOf({ method, hasSecondFactor, provider }: Proof, at: Date): SessionOrigin {
  return {
    method,
    has_second_factor: hasSecondFactor,
    signed_in_at: at,
    identity_organisation_id: provider?.organisationId ?? null,
    identity_provider_id: provider?.id ?? null,
  };
}

/** A new token for a session whose owner has proved again who they are; undefined when it has ended in the meantime. */
export async function renewSession(
  tx: Tx,
  at: Date,
  session: Pick<SessionCaller, "id" | "userId">,
): Promise<string | undefined> {
  const token = await newSessionToken(tx, session.userId);
  return (await setSessionToken(tx, session, digestOf(token), at)) ? token : undefined;
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
  if (!isEnded) throw notFound("session_not_found");
}

/** A new password or address ends all other sessions and pending sign-ins. */
export async function endOtherSessions(tx: Tx, userId: string, except: string | undefined): Promise<void> {
  await endChallenges(tx, userId);
  await deleteSessionsOf(tx, userId, except);
}

export async function sweepSessions(app: Needs): Promise<void> {
  const now = app.clock.now();
  await deleteSessionsBefore(app.db, now, idleSince(now));
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

export function shownToolSession({ token, expiresAt, user }: ToolEntered): Static<typeof ToolSession> {
  return {
    token,
    expires_at: expiresAt.toISOString(),
    user: { id: user.id, name: user.name, email: user.email },
  };
}

export function idleSince(now: Date): Date {
  return new Date(now.getTime() - IDLE_MS);
}
