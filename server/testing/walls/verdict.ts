import type { ErrorCode } from "../../src/platform/error-catalogue.ts";
import type { Access, Role, Scope, SessionRule } from "../../src/platform/http/access.ts";

/** Everything about a caller that a declaration of access may ask for. */
export type Traits =
  | { kind: "nobody" }
  /** A switch's agent: authenticated for its own operations, unauthenticated for all others. */
  | { kind: "switch" }
  | { kind: "retired switch" }
  | {
      kind: "session";
      isBrowser: boolean;
      /** In the organisation the request is for; none for a stranger. */
      role: Role | undefined;
      isRecent: boolean;
      isOperator: boolean;
    }
  | {
      kind: "api_key";
      scopes: readonly Scope[];
      isStranger: boolean;
      /** Sends a header that names the other environment. */
      isOnWrongSide: boolean;
      isFromElsewhere: boolean;
    };

type ForPeopleAndKeys = Exclude<Access, { callers: "anyone" | "switch" }>;

export type Verdict = ErrorCode | "admitted";

/** Verdict from the declaration alone. Written from the contract, not from the enforcing code. */
export function verdictOn(access: Access, who: Traits): Verdict {
  if (access.callers === "anyone") return "admitted";
  if (access.callers === "switch") return ofSwitches(who);
  if (who.kind === "nobody" || who.kind === "switch" || who.kind === "retired switch")
    return "unauthenticated";
  return who.kind === "api_key" ? verdictOnKey(access, who) : verdictOnSession(access, who);
}

function ofSwitches({ kind }: Traits): Verdict {
  if (kind === "retired switch") return "switch_retired";
  return kind === "switch" ? "admitted" : "unauthenticated";
}

function verdictOnKey(access: ForPeopleAndKeys, key: Extract<Traits, { kind: "api_key" }>): Verdict {
  if (key.isFromElsewhere) return "address_not_allowed";
  if (access.callers === "operator" || access.keys === "none") return "caller_kind_not_allowed";
  const isEnough = access.keys === "any" || access.keys.some((scope) => isIncluded(scope, key.scopes));
  if (!isEnough) return "scope_missing";
  if (access.callers === "organisation" && key.isStranger) return "organisation_not_allowed";
  return key.isOnWrongSide ? "environment_not_allowed" : "admitted";
}

function verdictOnSession(access: ForPeopleAndKeys, session: Extract<Traits, { kind: "session" }>): Verdict {
  if (access.callers === "operator") {
    if (!session.isOperator) return "operator_only";
    return session.isRecent ? "admitted" : "reauthentication_required";
  }
  const rule: SessionRule<"any" | readonly Role[]> = access.sessions;
  if (rule === "none" || (rule.browser && !session.isBrowser)) return "caller_kind_not_allowed";
  if (access.callers === "organisation") {
    if (!session.role) return "organisation_not_allowed";
    if (rule.roles !== "any" && !rule.roles.includes(session.role)) return "role_not_allowed";
  }
  return rule.recent && !session.isRecent ? "reauthentication_required" : "admitted";
}

/** Errors about the caller, not about the request. */
export const ABOUT_THE_CALLER: ReadonlySet<string> = new Set<ErrorCode>([
  "unauthenticated",
  "switch_retired",
  "address_not_allowed",
  "caller_kind_not_allowed",
  "scope_missing",
  "organisation_required",
  "organisation_header_invalid",
  "organisation_not_allowed",
  "environment_header_invalid",
  "environment_not_allowed",
  "role_not_allowed",
  "operator_only",
  "reauthentication_required",
]);

/** `full` includes every scope except `audit`. */
function isIncluded(scope: Scope, scopes: readonly Scope[]): boolean {
  return scopes.includes(scope) || (scope !== "audit" && scopes.includes("full"));
}
