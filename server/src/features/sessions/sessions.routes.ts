import { operation } from "../../app.ts";
import { ENDED_SESSION_COOKIE, sessionCookie } from "../../platform/http/credential.ts";
import type { Answer } from "../../platform/http/operation.ts";
import { ById } from "../../platform/http/shapes.ts";
import { ABSOLUTE_MS } from "./sessions.rules.ts";
import { Reauthenticate, type Session, SessionPage, SignedIn, SignIn } from "./sessions.schema.ts";
import { endSession, listSessions, reauthenticate, type SessionRow, signIn } from "./sessions.ts";

const OWN = { callers: "authenticated", sessions: { roles: "any" }, keys: "none" } as const;

export const signInOperation = operation({
  id: "signIn",
  method: "POST",
  path: "/v1/sessions",
  tag: "Sessions",
  summary: "Sign in with e-mail address and password",
  description:
    "For browsers: the session comes as a cookie and in no other form. Ten failures a minute, per account and per address.",
  access: { callers: "anyone", session: "optional" },
  idempotency: "none",
  body: SignIn,
  answers: { 201: SignedIn },
  refusals: ["sign_in_failed"],
  async run(app, { body, origin, caller }) {
    const { token, user } = await signIn(app, body, origin, caller);
    return {
      status: 201,
      body: { user: { id: user.id, name: user.name, email: user.email } },
      headers: { "set-cookie": cookieOf(token) },
    };
  },
});

export const reauthenticateOperation = operation({
  id: "reauthenticate",
  method: "POST",
  path: "/v1/sessions/current/reauthentication",
  tag: "Sessions",
  summary: "Enter the password again",
  description:
    "Needed within ten minutes before creating keys and changing credentials. The session gets a new token; the old one ends.",
  access: { ...OWN, sessions: { roles: "any", browser: true } },
  idempotency: "none",
  body: Reauthenticate,
  answers: { 204: null },
  refusals: ["sign_in_failed"],
  async run(app, { caller, body, origin }) {
    const token = await reauthenticate(app, caller, body.password, origin);
    return { status: 204, headers: { "set-cookie": cookieOf(token) } };
  },
});

export const listSessionsOperation = operation({
  id: "listSessions",
  method: "GET",
  path: "/v1/sessions",
  tag: "Sessions",
  summary: "List where you are signed in",
  access: OWN,
  idempotency: "none",
  answers: { 200: SessionPage },
  async run(app, { caller }) {
    const rows = await listSessions(app, caller);
    return {
      status: 200,
      body: { data: rows.map((row) => shownSession(row, caller.id)), next_cursor: null },
    };
  },
});

export const signOutOperation = operation({
  id: "signOut",
  method: "DELETE",
  path: "/v1/sessions/current",
  tag: "Sessions",
  summary: "Sign out",
  access: OWN,
  idempotency: "none",
  answers: { 204: null },
  async run(app, { caller, origin }) {
    await endSession(app, caller, caller.id, origin);
    return signedOut();
  },
});

export const endSessionOperation = operation({
  id: "endSession",
  method: "DELETE",
  path: "/v1/sessions/{id}",
  tag: "Sessions",
  summary: "End one of your sessions",
  access: OWN,
  idempotency: "none",
  params: ById,
  notFound: "session_not_found",
  answers: { 204: null },
  async run(app, { caller, params, origin }) {
    await endSession(app, caller, params.id, origin);
    return { status: 204 };
  },
});

function signedOut(): Answer {
  return {
    status: 204,
    headers: { "set-cookie": ENDED_SESSION_COOKIE, "clear-site-data": '"cache", "cookies", "storage"' },
  };
}

function cookieOf(token: string): string {
  return sessionCookie(token, ABSOLUTE_MS / 1000);
}

function shownSession(row: SessionRow, currentId: string): Session {
  return {
    id: row.id,
    kind: row.kind,
    is_current: row.id === currentId,
    created_at: row.created_at.toISOString(),
    last_seen_at: row.last_seen_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    address: row.address,
    user_agent: row.user_agent,
  };
}
