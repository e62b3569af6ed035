import type { Allowance } from "../limits/token-bucket.ts";
import type { Environment } from "../db/database.ts";

export const ROLES = ["owner", "admin", "developer", "member"] as const;
export type Role = (typeof ROLES)[number];

/** Scopes of a key. `full` includes the others, except `audit`. Operations for users only are in no scope. */
export const SCOPES = ["numbers", "numbers_write", "full", "audit"] as const;
export type Scope = (typeof SCOPES)[number];

/** Scopes of which a key needs one. */
export function acceptedScopes(rule: readonly Scope[]): Scope[] {
  return rule.every((scope) => scope === "audit") ? [...rule] : [...new Set<Scope>([...rule, "full"])];
}

export const ENVIRONMENTS = ["live", "test"] as const satisfies readonly Environment[];

/** Callers that may use an operation. Enforcement, contract and tests derive from this declaration. */
export type Access =
  /** With an optional session, a valid session counts. */
  | { callers: "anyone"; session?: "optional" }
  /** The operator of the installation: a person's session with the flag, confirmed within ten minutes. */
  | { callers: "operator" }
  /** A switch's agent, with the credential of its switch; works nowhere else. */
  | { callers: "switch" }
  /** About the caller itself, over all its organisations; X-Service-Org has no effect. */
  | { callers: "authenticated"; sessions: SessionRule<"any">; keys: KeyRule }
  /** Within one organisation and one environment. */
  | { callers: "organisation"; sessions: SessionRule<"any" | readonly Role[]>; keys: KeyRule };

/** Which sessions: none, any, or those with one of these roles; `browser` and `recent` narrow it further. */
export type SessionRule<Roles> = "none" | { roles: Roles; browser?: true; recent?: true };
/** Which keys: none, any valid one, or those with one of these scopes, or with `full` unless only `audit` is named. */
export type KeyRule = "none" | "any" | readonly Scope[];

export interface Membership {
  organisationId: string;
  organisationName: string;
  /** Null for a key, whose power is its scopes. */
  role: Role | null;
  /** By an operator: requests in it are rejected. */
  isSuspended: boolean;
  /** The rule of the organisation's sign-in policy that the session does not meet. Never set for a key. */
  unmet?: UnmetPolicy | null;
}

/** As `unmet_policy` in the database names them. */
export const UNMET_POLICIES = ["second_factor", "single_sign_on", "session_age"] as const;
export type UnmetPolicy = (typeof UNMET_POLICIES)[number];

/** Whether requests of the caller are accepted in this organisation. */
export function isOpenTo({ isSuspended, unmet }: Membership): boolean {
  return !isSuspended && !unmet;
}

export interface SessionCaller {
  kind: "session";
  id: string;
  userId: string;
  name: string;
  email: string;
  isOperator: boolean;
  /** By cookie from a browser, or by bearer token from a tool. */
  transport: "cookie" | "bearer";
  reauthenticatedAt: Date;
  expiresAt: Date;
  memberships: Membership[];
}

export interface KeyCaller {
  kind: "api_key";
  id: string;
  name: string;
  hint: string;
  environment: Environment;
  scopes: readonly Scope[];
  allowedNetworks: readonly string[];
  expiresAt: Date | null;
  memberships: Membership[];
}

export type Caller = SessionCaller | KeyCaller;

/** A switch's agent. Sees and reports its group only. */
/** In place of a switch whose credential is right, and which the operator has retired. */
export const RETIRED = "retired";

export interface SwitchCaller {
  switchId: string;
  groupId: string;
  name: string;
  /** Version of the credential in the request. */
  credentialVersion: number;
}

/** A caller acting within one organisation and environment. */
export interface Actor {
  caller: Caller;
  organisationId: string;
  environment: Environment;
  role: Role | null;
  origin: Origin;
}

/** Origin of a request, for the audit. */
export interface Origin {
  requestId: string;
  address: string;
  userAgent: string;
  /** Limits that the request was counted against and that its response shows. */
  allowances: Allowance[];
}
