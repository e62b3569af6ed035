import type { FastifyRequest } from "fastify";
import type { Clock } from "../clock.ts";
import { type Limits, tooMany } from "../limits/limits.ts";
import type { Allowance } from "../limits/token-bucket.ts";
import { isWithin, plainAddress } from "../networks.ts";
import { ApiError } from "../api-error.ts";
import {
  acceptedScopes,
  type Access,
  type Actor,
  type Caller,
  ENVIRONMENTS,
  type KeyCaller,
  type KeyRule,
  type Origin,
  RETIRED,
  type SessionCaller,
  type SwitchCaller,
} from "./access.ts";
import { type Credential, credentialOf, rejectCrossSite } from "./credential.ts";
import { chooseMembership, type ListProviders, rejectUnmetPolicy } from "./membership.ts";

export interface AdmissionNeeds {
  clock: Clock;
  limits: Limits;
  baseUrl: string;
  /** Caller of a credential. Undefined if it is unknown, expired or revoked. */
  authenticate(credential: Credential & { address: string }): Promise<Caller | undefined>;
  /** The identity providers through which an organisation's members can sign in. */
  listProviders: ListProviders;
  /** Whether this operator's session was opened or confirmed with the second factor that operators need. */
  hasSecondFactor(operator: SessionCaller): Promise<boolean>;
  /**
   * Switch of a bearer token. Undefined if it is unknown. No look-up while the address exceeds its rate
   * limit.
   */
  authenticateSwitch(
    token: string,
    from: { isFlooding: boolean },
  ): Promise<SwitchCaller | typeof RETIRED | undefined>;
}

/** Result so far. Filled during the checks, so that an error can name the rejected caller. */
export interface Admission {
  caller?: Caller;
  actor?: Actor;
  switch?: SwitchCaller;
  environment?: Actor["environment"];
  /** When, by the process's own clock, all of this was found out. */
  identifiedAt?: number;
  allowances: Allowance[];
  /** Limits counted in the database, shown to anonymous callers too. */
  exactAllowances: Allowance[];
}

/** How long having proved who one is counts as recent. */
const RECENT_MS = 10 * 60_000;
/** As long as a revocation may take to reach every replica. */
const RIGHTS_KEPT_MS = 1_000;
const SAFE_METHODS = new Set(["GET", "HEAD"]);

/**
 * All checks before the body is read, in the documented order: credential, kind and scope, organisation,
 * role, environment, quota. The rate limit of the address comes first. Beyond it there is no look-up, which
 * would make invented credentials expensive.
 */
export async function admit(
  needs: AdmissionNeeds,
  access: Access,
  request: FastifyRequest,
  admission: Admission,
): Promise<void> {
  if (access.callers === "switch") return identifySwitch(needs, request, admission);
  count(admission, needs.limits.flood(addressOf(request)));
  await identify(needs, access, request, admission);
  if (access.callers === "anyone") return;
  const subject = admission.actor?.organisationId ?? admission.caller!.id;
  count(admission, needs.limits.requests(subject));
  if (isUnsafe(request)) count(admission, needs.limits.writes(subject));
}

/** A slow request body or a slowly read response can outlast the caller's rights. This checks them again. */
export async function admitAgain(
  needs: AdmissionNeeds,
  access: Access,
  request: FastifyRequest,
): Promise<void> {
  const { admission } = request;
  if (performance.now() - (admission.identifiedAt ?? 0) <= RIGHTS_KEPT_MS) return;
  if (access.callers === "switch") await identifySwitch(needs, request, admission);
  else await identify(needs, access, request, admission);
}

/** Switches are the operator's own machines: a thousand of them may call from one address, where only strangers count. */
async function identifySwitch(
  needs: AdmissionNeeds,
  request: FastifyRequest,
  admission: Admission,
): Promise<void> {
  const given = credentialOf(request);
  const address = addressOf(request);
  const from = { isFlooding: needs.limits.isFlooding(address) };
  const found = given?.transport === "bearer" && (await needs.authenticateSwitch(given.token, from));
  if (!found || found === RETIRED) {
    count(admission, needs.limits.flood(address));
    throw found ? retiredSwitch() : unauthenticated(Boolean(given));
  }
  admission.switch = found;
  admission.identifiedAt = performance.now();
}

async function identify(
  needs: AdmissionNeeds,
  access: Exclude<Access, { callers: "switch" }>,
  request: FastifyRequest,
  admission: Admission,
): Promise<void> {
  const address = addressOf(request);
  const given = credentialOf(request);
  const credential = isIdentified(access) ? given : undefined;
  const caller = credential && (await needs.authenticate({ ...credential, address }));
  if (caller) admission.caller = caller;
  else delete admission.caller;
  admission.identifiedAt = performance.now();
  if (access.callers !== "anyone" && !caller) throw unauthenticated(Boolean(credential));
  if (isUnsafe(request)) rejectCrossSite(request, needs.baseUrl, { isCookie: given?.transport === "cookie" });
  if (access.callers === "anyone") return;
  if (caller!.kind === "api_key") checkKey(caller!, access, address);
  else checkSessionKind(caller!, access);

  if (access.callers === "authenticated") admission.environment = chooseEnvironment(caller!, request);
  if (access.callers === "organisation") {
    const membership = chooseMembership(caller!, single(request, "x-service-org"));
    await rejectUnmetPolicy(membership, needs.listProviders);
    const { organisationId, role } = membership;
    const environment = caller!.kind === "api_key" ? caller!.environment : "live";
    const actor: Actor = { caller: caller!, organisationId, role, environment, origin: originOf(request) };
    admission.actor = actor;
    checkRole(actor, access.sessions);
    actor.environment = chooseEnvironment(caller!, request);
  }
  if (caller!.kind !== "session") return;
  if (access.callers === "operator" && !(await needs.hasSecondFactor(caller!)))
    throw new ApiError(
      "second_factor_required",
      "Operators need a second factor. Add an authenticator app or a passkey in the security settings of your account, or confirm with the one you have.",
    );
  checkRecency(caller!, access, needs.clock);
}

export function retiredSwitch(): ApiError {
  return new ApiError("switch_retired", "The operator has retired this switch.");
}

function isUnsafe(request: FastifyRequest): boolean {
  return !SAFE_METHODS.has(request.method);
}

function isIdentified(access: Exclude<Access, { callers: "switch" }>): boolean {
  return access.callers !== "anyone" || access.session === "optional";
}

/** A proxy may send no address, or one with a port. Then the connection's address counts. */
function addressOf(request: FastifyRequest): string {
  return plainAddress(request.ip) ?? plainAddress(request.socket.remoteAddress ?? "") ?? "0.0.0.0";
}

/** Origin of a request, for the audit. */
export function originOf(request: FastifyRequest): Origin {
  return {
    requestId: request.id,
    address: addressOf(request),
    userAgent: (request.headers["user-agent"] ?? "").slice(0, 400),
    allowances: request.admission.exactAllowances,
  };
}

function count(admission: Admission, allowance: Allowance): void {
  admission.allowances.push(allowance);
  if (allowance.hasEnded) throw tooMany(allowance);
}

function unauthenticated(wasGiven: boolean): ApiError {
  const challenge = `Bearer realm="dialplane"${wasGiven ? ', error="invalid_token"' : ""}`;
  const detail = wasGiven
    ? "The credential is unknown, expired or revoked. Create an API key in the dashboard, or sign in again."
    : "The request has no credential. Send an API key in the header `Authorization: Bearer svc_…`.";
  return new ApiError("unauthenticated", detail, { headers: { "www-authenticate": challenge } });
}

function checkKey(key: KeyCaller, access: Access, address: string): void {
  if (!isWithin(key.allowedNetworks, address)) {
    throw new ApiError("address_not_allowed", "This key is not allowed from your address.");
  }
  const rule = keyRuleOf(access);
  if (rule === "none")
    throw new ApiError("caller_kind_not_allowed", "API keys cannot call this operation. Sign in as a user.");
  if (rule === "any") return;
  const scopes = acceptedScopes(rule);
  if (scopes.some((scope) => key.scopes.includes(scope))) return;
  throw new ApiError("scope_missing", `The key needs the scope ${scopes.join(" or ")}.`, {
    members: { scopes },
  });
}

function keyRuleOf(access: Access): KeyRule {
  return access.callers === "organisation" || access.callers === "authenticated" ? access.keys : "none";
}

function checkSessionKind(session: SessionCaller, access: Access): void {
  if (access.callers === "operator") {
    if (!session.isOperator)
      throw new ApiError("operator_only", "Only operators of this installation can call this operation.");
    return;
  }
  if (access.callers === "anyone" || access.callers === "switch") return;
  if (access.sessions === "none")
    throw new ApiError("caller_kind_not_allowed", "Only API keys can call this operation.");
  if (access.sessions.browser && session.transport !== "cookie") {
    throw new ApiError(
      "caller_kind_not_allowed",
      "This operation is available only in the dashboard, not to a tool's session.",
    );
  }
}

function checkRecency(session: SessionCaller, access: Access, clock: Clock): void {
  const isNeeded =
    access.callers === "operator" ||
    ((access.callers === "organisation" || access.callers === "authenticated") &&
      access.sessions !== "none" &&
      access.sessions.recent);
  if (isNeeded && clock.now().getTime() - session.reauthenticatedAt.getTime() > RECENT_MS) {
    throw new ApiError(
      "reauthentication_required",
      "Confirm your password, code or passkey. You last did so more than ten minutes ago.",
    );
  }
}

function chooseEnvironment(caller: Caller, request: FastifyRequest): Actor["environment"] {
  const wanted = single(request, "x-service-environment");
  const environment = ENVIRONMENTS.find((one) => one === wanted);
  if (wanted !== undefined && !environment) {
    throw new ApiError(
      "environment_header_invalid",
      "X-Service-Environment must be sent once, with live or test.",
      {
        errors: [{ header: "X-Service-Environment", code: "malformed", detail: "Neither live nor test." }],
      },
    );
  }
  if (caller.kind === "session") return environment ?? "live";
  if (environment && environment !== caller.environment) {
    throw new ApiError("environment_not_allowed", `This is a ${caller.environment} key.`);
  }
  return caller.environment;
}

function checkRole(
  { caller, role }: Actor,
  rule: Extract<Access, { callers: "organisation" }>["sessions"],
): void {
  if (caller.kind !== "session" || rule === "none" || rule.roles === "any") return;
  if (role && rule.roles.includes(role)) return;
  throw new ApiError(
    "role_not_allowed",
    `This operation requires the role ${listed(rule.roles)}. Your role is ${role}.`,
    {
      members: { roles: rule.roles },
    },
  );
}

/** "owner, admin or developer". */
function listed(roles: readonly string[]): string {
  return new Intl.ListFormat("en-GB", { type: "disjunction" }).format(roles);
}

/** If a header occurs twice, the values are joined with a comma, which no valid value contains. */
function single(request: FastifyRequest, header: string): string | undefined {
  return request.raw.headersDistinct[header]?.join(",");
}
