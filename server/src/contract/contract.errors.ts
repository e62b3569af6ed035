import { ERRORS, type ErrorCode } from "../platform/error-catalogue.ts";
import type { Access } from "../platform/http/access.ts";
import type { Operation } from "../platform/http/operation.ts";

/** Declaration of an operation, without its handlers. */
export type Declaration = Omit<Operation<unknown>, "run" | "change" | "keyed" | "settle"> & {
  /** Whether it can wait is all the contract has to know of it. */
  settle?: unknown;
};

/** Every code an operation can reject with, by status: what its declaration implies, and its own. */
export function errorsOf(operation: Declaration): Map<number, ErrorCode[]> {
  const codes = new Set<ErrorCode>([
    ...errorsOfAccess(operation),
    ...errorsOfRequest(operation),
    ...errorsOfKey(operation),
    ...(takesIfMatch(operation) ? (["generation_mismatch"] as const) : []),
    ...(operation.errors ?? []),
    // The operator's own machines are not counted.
    ...(operation.access.callers === "switch" ? [] : (["rate_limited"] as const)),
    "internal_error",
    "busy",
    "unavailable",
  ]);
  const byStatus = Map.groupBy(codes, (code) => ERRORS[code].status);
  return new Map([...byStatus].toSorted(([a], [b]) => a - b));
}

function isWrite(operation: Declaration): boolean {
  return operation.method !== "GET";
}

/** A conditional read only gives the tag that a conditional change takes. */
export function takesIfMatch(operation: Declaration): boolean {
  return operation.http?.conditional === true && isWrite(operation);
}

/** In the order of the checks in admission.ts, which is the order callers meet them in. */
function* errorsOfAccess(operation: Declaration): Generator<ErrorCode> {
  const { access } = operation;
  if (access.callers !== "anyone") yield "unauthenticated";
  if (access.callers === "switch") {
    yield "switch_retired";
    return;
  }
  if ("keys" in access && access.keys !== "none") yield "key_suspended";
  if (isWrite(operation) || operation.http?.media === "text/event-stream") yield "cross_site_request";
  if (access.callers === "anyone") return;
  yield "address_not_allowed";
  if (isClosedToSomeKind(access)) yield "caller_kind_not_allowed";
  if (access.callers === "operator") {
    yield* ["operator_only", "second_factor_required", "reauthentication_required"] as const;
    return;
  }
  if (access.keys !== "none" && access.keys !== "any") yield "scope_missing";
  if (access.callers === "organisation") {
    yield* ["organisation_required", "organisation_header_invalid", "organisation_not_allowed"] as const;
    yield "organisation_suspended";
    if (access.sessions !== "none")
      yield* ["organisation_second_factor_required", "single_sign_on_required", "session_too_old"] as const;
  }
  yield "environment_header_invalid";
  if (access.keys !== "none") yield "environment_not_allowed";
  if (access.sessions === "none") return;
  if (access.sessions.roles !== "any") yield "role_not_allowed";
  if (access.sessions.recent) yield "reauthentication_required";
}

function isClosedToSomeKind(access: Exclude<Access, { callers: "anyone" | "switch" }>): boolean {
  if (access.callers === "operator") return true;
  return access.keys === "none" || access.sessions === "none" || access.sessions.browser === true;
}

/** A body is read, and can therefore be wrong, on every method but GET, whether or not one is wanted. */
function* errorsOfRequest(operation: Declaration): Generator<ErrorCode> {
  yield "invalid_request";
  if (isWrite(operation)) yield* ["invalid_json", "body_too_large", "media_type_not_supported"] as const;
  if (propertiesOf(operation.query).includes("cursor")) yield "invalid_cursor";
  if (operation.notFound) yield operation.notFound;
}

function* errorsOfKey({ idempotency }: Declaration): Generator<ErrorCode> {
  if (idempotency === "none") return;
  if (idempotency === "required") yield "idempotency_key_missing";
  yield* ["idempotency_key_invalid", "idempotency_in_progress", "idempotency_key_reused"] as const;
}

export function propertiesOf(schema: { properties?: object } | null | undefined): string[] {
  return Object.keys(schema?.properties ?? {});
}
