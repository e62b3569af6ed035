import { operation } from "../../app.ts";
import type { Caller } from "../../platform/http/access.ts";
import { Me } from "./me.schema.ts";

const getMeOperation = operation({
  id: "getMe",
  method: "GET",
  path: "/v1/me",
  tag: "Caller",
  summary: "Get the caller",
  description: "Returns the caller and its organisations.",
  access: { callers: "authenticated", sessions: { roles: "any" }, keys: "any" },
  idempotency: "none",
  answers: { 200: Me },
  /** Authentication has already read all of it. */
  async run(_app, { caller, environment }) {
    return {
      status: 200,
      body: {
        caller: { ...shownCaller(caller), environment },
        memberships: caller.memberships.map(shownMembership),
      },
    };
  },
});

function shownCaller(caller: Caller): Omit<Me["caller"], "environment"> {
  if (caller.kind === "session") {
    return {
      kind: caller.kind,
      id: caller.userId,
      name: caller.name,
      email: caller.email,
      expires_at: caller.expiresAt.toISOString(),
    };
  }
  return {
    kind: caller.kind,
    id: caller.id,
    name: caller.name,
    scopes: [...caller.scopes],
    key_hint: caller.hint,
    expires_at: caller.expiresAt?.toISOString() ?? null,
  };
}

function shownMembership({
  organisationId,
  organisationName,
  role,
  unmet,
}: Caller["memberships"][number]): Me["memberships"][number] {
  return { organisation: { id: organisationId, name: organisationName }, role, unmet_policy: unmet ?? null };
}

export const meOperations = [getMeOperation];
