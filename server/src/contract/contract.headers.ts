import { ERRORS } from "../platform/error-catalogue.ts";
import { ENVIRONMENTS } from "../platform/http/access.ts";
import { optionalExample } from "./contract.examples.ts";
import { type Declaration, propertiesOf, takesIfMatch } from "./contract.errors.ts";
import type { JsonObject } from "./contract.schemas.ts";

const UUID: JsonObject = { type: "string", format: "uuid", maxLength: 36 };
const TEXT: JsonObject = { type: "string", maxLength: 1000 };
const KEY = "5f0c9a4e-3a55-4c64-8a0b-2b6a9a6a5b0e";
const SECONDS: JsonObject = { type: "integer", format: "int32", minimum: 0, maximum: 86_400 };

/** Shared by all operations; which of them apply follows from the declaration. */
export const HEADER_PARAMETERS: JsonObject = {
  Organisation: {
    name: "X-Service-Org",
    in: "header",
    description:
      "ID of the organisation to act in. Required if you belong to several organisations. You must be a member of it.",
    ...optionalExample("0198c5f2-7c1e-7a33-9d3f-3f6a1c0f9b11"),
    schema: UUID,
  },
  Environment: {
    name: "X-Service-Environment",
    in: "header",
    description:
      "Environment to act in (default: `live`). An API key belongs to one environment, and the header must match it.",
    ...optionalExample("test"),
    schema: { type: "string", enum: [...ENVIRONMENTS] },
  },
  IdempotencyKey: idempotencyKey(true),
  OptionalIdempotencyKey: idempotencyKey(false),
  IfMatch: {
    name: "If-Match",
    in: "header",
    description:
      "`ETag` of the version you read, a list of them, or `*`. If the resource has changed since, the API returns 412 and changes nothing. Without the header, the last write wins.",
    ...optionalExample('"17"'),
    schema: { type: "string", minLength: 1, maxLength: 1000 },
  },
  Prefer: {
    name: "Prefer",
    in: "header",
    description:
      "`wait=N`: respond when the result is final, or after N seconds, at most 30 (RFC 7240). Other preferences have no effect.",
    ...optionalExample("wait=10"),
    schema: { type: "string", maxLength: 1000 },
  },
  LastEventId: {
    name: "Last-Event-ID",
    in: "header",
    description: "`id` of the last event you received. Browsers send it automatically when they reconnect.",
    ...optionalExample("5XzYb2bJcVQnX0dE6Sx3rw"),
    schema: { type: "string", maxLength: 1000 },
  },
};

export const ANSWER_HEADERS: JsonObject = {
  RequestId: header("ID of this request. Quote it when you ask for help.", UUID, true),
  RateLimitPolicy: header(
    'Rate limits that apply to this request: `"name";q=quota;w=window in seconds`. Without a credential, only limits that all replicas share are listed.',
    TEXT,
  ),
  RateLimit: header('Remaining quota of each rate limit: `"name";r=remaining;t=seconds until more`.', TEXT),
  RetryAfter: header("Seconds to wait before you repeat the request.", SECONDS),
  Location: header("Absolute URL of the created resource, or of its job.", {
    ...TEXT,
    format: "uri",
  }),
  Link: header('Absolute URL of the next page, as `rel="next"`. Absent on the last page.', TEXT),
  IdempotencyReplayed: header(
    "`true` if this is the stored response to an earlier request with the same key.",
    {
      type: "string",
      enum: ["true"],
    },
  ),
  ETag: header("Version of the resource, for `If-Match`.", TEXT, true),
  PreferenceApplied: header("`wait=N` if the API honoured `Prefer`. Absent if it responded at once.", TEXT),
  WwwAuthenticate: header("Authentication scheme to use (RFC 9110, section 11.6.1).", TEXT),
};

type AnswerHeader =
  | "Request-Id"
  | "RateLimit-Policy"
  | "RateLimit"
  | "Retry-After"
  | "Location"
  | "Link"
  | "Idempotency-Replayed"
  | "ETag"
  | "Preference-Applied"
  | "WWW-Authenticate";

const COMPONENT_OF: Record<AnswerHeader, string> = {
  "Request-Id": "RequestId",
  "RateLimit-Policy": "RateLimitPolicy",
  RateLimit: "RateLimit",
  "Retry-After": "RetryAfter",
  Location: "Location",
  Link: "Link",
  "Idempotency-Replayed": "IdempotencyReplayed",
  ETag: "ETag",
  "Preference-Applied": "PreferenceApplied",
  "WWW-Authenticate": "WwwAuthenticate",
};

export function headerParametersOf(operation: Declaration): JsonObject[] {
  const { access, idempotency, settle, http } = operation;
  const names = [
    ...(access.callers === "organisation" ? ["Organisation"] : []),
    ...(access.callers === "organisation" || access.callers === "authenticated" ? ["Environment"] : []),
    ...(idempotency === "required" ? ["IdempotencyKey"] : []),
    ...(idempotency === "optional" ? ["OptionalIdempotencyKey"] : []),
    ...(takesIfMatch(operation) ? ["IfMatch"] : []),
    ...(settle ? ["Prefer"] : []),
    ...(http?.media === "text/event-stream" ? ["LastEventId"] : []),
  ];
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
}

export function successHeadersOf(operation: Declaration, status: number): JsonObject {
  return referred([
    ...alwaysOf(operation),
    ...(hasLocation(operation, status) ? (["Location"] as const) : []),
    ...(isPaged(operation, status) ? (["Link"] as const) : []),
    ...(operation.idempotency === "none" ? [] : (["Idempotency-Replayed"] as const)),
    ...(operation.http?.conditional ? (["ETag"] as const) : []),
    ...(operation.settle ? (["Preference-Applied"] as const) : []),
    ...(operation.http?.retryAfter ? (["Retry-After"] as const) : []),
  ]);
}

export function errorHeadersOf(operation: Declaration, status: number): JsonObject {
  const isKeyed = operation.idempotency !== "none";
  const isWaiting =
    status === 429 || status === 503 || (status === 409 && isKeyed) || isRetryable(operation, status);
  return referred([
    ...alwaysOf(operation),
    ...(status === 401 ? (["WWW-Authenticate"] as const) : []),
    // Current ETag for the next attempt.
    ...(status === 412 ? (["ETag"] as const) : []),
    ...(isWaiting ? (["Retry-After"] as const) : []),
    ...(isKeyed && (status === 409 || status === 422) ? (["Idempotency-Replayed"] as const) : []),
  ]);
}

/** One of the operation's own errors with this status is retryable. */
function isRetryable({ errors = [] }: Declaration, status: number): boolean {
  return errors.some((code) => ERRORS[code].status === status && ERRORS[code].retryable);
}

/** All identified callers get the limits, even for public operations. Switches have none. */
function alwaysOf({ access }: Declaration): AnswerHeader[] {
  return access.callers === "switch" ? ["Request-Id"] : ["Request-Id", "RateLimit-Policy", "RateLimit"];
}

function isPaged({ query, answers }: Declaration, status: number): boolean {
  return propertiesOf(query).includes("limit") && propertiesOf(answers[status]).includes("next_cursor");
}

/** A created resource has a location, unless it exists only in the response (a secret, a session). */
function hasLocation({ access, answers, http }: Declaration, status: number): boolean {
  return (
    (status === 201 || status === 202) &&
    answers[status] !== null &&
    !http?.hasSecret &&
    access.callers !== "anyone"
  );
}

function referred(names: AnswerHeader[]): JsonObject {
  return Object.fromEntries(
    names.map((name) => [name, { $ref: `#/components/headers/${COMPONENT_OF[name]}` }]),
  );
}

function header(description: string, schema: JsonObject, isRequired = false): JsonObject {
  return { description, ...(isRequired && { required: true }), schema };
}

function idempotencyKey(isRequired: boolean): JsonObject {
  return {
    name: "Idempotency-Key",
    in: "header",
    ...(isRequired ? { required: true, example: KEY } : optionalExample(KEY)),
    description:
      "Unique value per operation, such as a UUID. Repeat it on each retry. Keys are kept for at least 30 days.",
    schema: {
      type: "string",
      minLength: 1,
      maxLength: 255,
      pattern: String.raw`^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$`,
    },
  };
}
