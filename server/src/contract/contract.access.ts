import { acceptedScopes, type Access, type KeyRule, type Role, type Scope } from "../platform/http/access.ts";
import { SESSION_COOKIE } from "../platform/http/credential.ts";
import type { JsonObject } from "./contract.schemas.ts";

type Ruled = Extract<Access, { callers: "authenticated" | "organisation" }>;
type SessionsOf = Exclude<Ruled["sessions"], "none">;

export const ROLE_MEANINGS: Record<Role, string> = {
  owner: "Has all permissions, including adding and removing owners.",
  admin: "Manages members and numbers, except owners.",
  developer: "Manages routing, API keys and events.",
  member: "Reads numbers, usage, orders and jobs, but not routing.",
};

export const SCOPE_MEANINGS: Record<Scope, string> = {
  numbers: "Read numbers, inventory, usage and routing.",
  numbers_write: "Set the routing, label, tags and metadata of numbers. Does not include read access.",
  full: "All of the above. Operations for users only are excluded.",
  audit:
    "Read events and the audit log. `full` does not include it. Only owners and admins can create such keys.",
};

export const SECURITY_SCHEMES: JsonObject = {
  apiKey: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "svc_live_… or svc_test_…",
    description: "API key, created in the dashboard. Its prefix shows the environment.",
  },
  toolSession: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "svc_cli_…",
    description: "Session of a user who signed in from a command-line tool.",
  },
  browserSession: {
    type: "apiKey",
    in: "cookie",
    name: SESSION_COOKIE,
    description:
      "Session of a user who signed in from the browser. Ignored if the request has an `Authorization` header.",
  },
  switchCredential: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "svc_switch_…",
    description: "Credential of one switch, shown to the operator once. It is valid only for this contract.",
  },
};

export function securityOf(access: Access): JsonObject[] {
  if (access.callers === "anyone")
    return access.session === "optional" ? [{}, { toolSession: [] }, { browserSession: [] }] : [];
  if (access.callers === "switch") return [{ switchCredential: [] }];
  const people = access.callers === "operator" ? { roles: "any" as const } : access.sessions;
  return [
    ...(access.callers !== "operator" && access.keys !== "none" ? [{ apiKey: [] }] : []),
    ...(people !== "none" && !("browser" in people) ? [{ toolSession: [] }] : []),
    ...(people !== "none" ? [{ browserSession: [] }] : []),
  ];
}

/** For programs: the rule spelled out, so that two versions of it can be compared. */
export function accessExtension(access: Access): JsonObject {
  if (!isRuled(access)) return { callers: access.callers };
  return {
    callers: access.callers,
    sessions:
      access.sessions === "none"
        ? null
        : {
            roles: access.sessions.roles === "any" ? "any" : [...access.sessions.roles],
            transports: access.sessions.browser ? ["cookie"] : ["cookie", "bearer"],
            recent_password: access.sessions.recent === true,
          },
    keys:
      access.keys === "none" ? null : { scopes: access.keys === "any" ? "any" : acceptedScopes(access.keys) },
  };
}

/** For people. */
export function accessSentence(access: Access): string {
  if (access.callers === "anyone") {
    const session = access.session === "optional" ? " With a session, the request acts for its user." : "";
    return `Anyone, without a credential.${session}`;
  }
  if (access.callers === "operator") return `Operators${RECENTLY}. Not available to API keys.`;
  if (access.callers === "switch")
    return "Switch agents, with the credential of the switch. Not available to users or API keys.";
  if (access.sessions === "none") return `${capital(keyPhrase(access.keys))}. Not available to users.`;
  const users = `${usersPhrase(access, access.sessions)}${placePhrase(access.sessions)}${access.sessions.recent ? RECENTLY : ""}`;
  if (access.keys === "none") return `${users}. Not available to API keys.`;
  return `${users}. Also ${keyPhrase(access.keys)}.`;
}

function isRuled(access: Access): access is Ruled {
  return access.callers === "authenticated" || access.callers === "organisation";
}

const RECENTLY = ", within ten minutes of entering the password";

function usersPhrase(access: Ruled, sessions: SessionsOf): string {
  if (sessions.roles === "any")
    return access.callers === "organisation" ? "All members" : "All signed-in users";
  return capital(
    listed(
      sessions.roles.map((role) => `${role}s`),
      "and",
    ),
  );
}

function placePhrase(sessions: SessionsOf): string {
  return sessions.browser ? ", in the browser" : "";
}

function keyPhrase(keys: KeyRule): string {
  if (keys === "any" || keys === "none") return "all API keys";
  return `API keys with the scope ${listed(
    acceptedScopes(keys).map((scope) => `\`${scope}\``),
    "or",
  )}`;
}

function listed(words: readonly string[], conjunction: "and" | "or"): string {
  return words.length < 2
    ? words.join("")
    : `${words.slice(0, -1).join(", ")} ${conjunction} ${words.at(-1)}`;
}

function capital(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}
