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
      "Which organisation to act in. Needed by callers of more than one; must match where it is sent.",
    ...optionalExample("0198c5f2-7c1e-7a33-9d3f-3f6a1c0f9b11"),
    schema: UUID,
  },
  Environment: {
    name: "X-Service-Environment",
    in: "header",
    description:
      "Which side of the organisation. Live when left out. A key has one side, and the header must agree with it.",
    ...optionalExample("test"),
    schema: { type: "string", enum: [...ENVIRONMENTS] },
  },
  IdempotencyKey: idempotencyKey(true),
  OptionalIdempotencyKey: idempotencyKey(false),
  IfMatch: {
    name: "If-Match",
    in: "header",
    description:
      "The `ETag` you decided by, or several, or `*`. When the record has moved on, nothing is changed and the answer is 412. Without the header the last writer wins.",
    ...optionalExample('"17"'),
    schema: { type: "string", minLength: 1, maxLength: 1000 },
  },
  Prefer: {
    name: "Prefer",
    in: "header",
    description:
      "`wait=N`: answer once the switches hold what was set, or after N seconds, at most 30 (RFC 7240). Other preferences have no effect.",
    ...optionalExample("wait=10"),
    schema: { type: "string", maxLength: 1000 },
  },
  LastEventId: {
    name: "Last-Event-ID",
    in: "header",
    description: "The `id` of the last event you have; a browser sends it by itself when it connects again.",
    ...optionalExample("5XzYb2bJcVQnX0dE6Sx3rw"),
    schema: { type: "string", maxLength: 1000 },
  },
};

export const ANSWER_HEADERS: JsonObject = {
  RequestId: header("Names this request; quote it when you ask for help.", UUID, true),
  RateLimitPolicy: header(
    'The limits this request was counted against: `"name";q=quota;w=window in seconds`. Anonymous callers see exact limits only.',
    TEXT,
  ),
  RateLimit: header('What is left of them: `"name";r=remaining;t=seconds until more`.', TEXT),
  RetryAfter: header("Seconds to wait before the same request is worth repeating.", SECONDS),
  Location: header("Absolute address of what was made, or of the job that makes it.", {
    ...TEXT,
    format: "uri",
  }),
  Link: header('Absolute address of the next page, as `rel="next"`; absent on the last one.', TEXT),
  IdempotencyReplayed: header(
    "`true` when this is the stored answer to an earlier request with the same key.",
    {
      type: "string",
      enum: ["true"],
    },
  ),
  ETag: header("Names this state of the record, for `If-Match`.", TEXT, true),
  PreferenceApplied: header("`wait=N` when the answer was waited for; absent when it came at once.", TEXT),
  WwwAuthenticate: header("The way to authenticate (RFC 9110, section 11.6.1).", TEXT),
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
      "A value of your own, such as a UUID, that is new for each thing you want done and equal on each retry of it. Kept for 30 days.",
    schema: {
      type: "string",
      minLength: 1,
      maxLength: 255,
      pattern: String.raw`^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$`,
    },
  };
}
