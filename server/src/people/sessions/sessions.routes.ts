import { operation } from "../../app.ts";
import { ENDED_SESSION_COOKIE } from "../../platform/http/credential.ts";
import type { Answer } from "../../platform/http/operation.ts";
import { ById } from "../../platform/http/shapes.ts";
import { type Session, SessionPage } from "./sessions.schema.ts";
import { endSession, listSessions, type SessionRow } from "./sessions.ts";

const OWN = { callers: "authenticated", sessions: { roles: "any" }, keys: "none" } as const;

const listSessionsOperation = operation({
  id: "listSessions",
  method: "GET",
  path: "/v1/sessions",
  tag: "Sessions",
  summary: "List your sessions",
  description: "Lists your active sessions in browsers and tools.",
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

const signOutOperation = operation({
  id: "signOut",
  method: "DELETE",
  path: "/v1/sessions/current",
  tag: "Sessions",
  summary: "Sign out",
  description: "Ends the current session.",
  access: OWN,
  idempotency: "none",
  answers: { 204: null },
  async run(app, { caller, origin }) {
    await endSession(app, caller, caller.id, origin);
    return signedOut();
  },
});

const endSessionOperation = operation({
  id: "endSession",
  method: "DELETE",
  path: "/v1/sessions/{id}",
  tag: "Sessions",
  summary: "End a session",
  description: "Ends one of your sessions.",
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
    headers: { "set-cookie": ENDED_SESSION_COOKIE, "clear-site-data": '"cache", "storage"' },
  };
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

export const sessionsOperations = [listSessionsOperation, signOutOperation, endSessionOperation];
