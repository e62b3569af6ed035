import { ERRORS } from "../platform/error-catalogue.ts";
import { ENVIRONMENTS } from "../platform/http/access.ts";
import { optionalExample } from "./contract.examples.ts";
import { type Declaration, propertiesOf, takesIfMatch } from "./contract.errors.ts";
import type { JsonObject } from "./contract.schemas.ts";
import { EVENT_ID } from "./example-story.events.ts";
import { AT, ID } from "./example-story.ids.ts";

const UUID: JsonObject = { type: "string", format: "uuid", maxLength: 36 };
const TEXT: JsonObject = { type: "string", maxLength: 1000 };
/** Effect of a repeated request with the same key. */
const REPEATED =
  "A repeated request with the same key changes nothing and returns the first response, with `Idempotency-Replayed: true`. Another request with the same key returns 422.";
const KEPT = "Keys are kept for at least 30 days.";
const SECONDS: JsonObject = { type: "integer", format: "int32", minimum: 0, maximum: 86_400 };

/** Shared by all operations; which of them apply follows from the declaration. */
export const HEADER_PARAMETERS: JsonObject = {
  Organisation: {
    name: "X-Service-Org",
    in: "header",
    description:
      "ID of the organisation to act in. Required if you belong to several organisations. You must be a member of it.",
    ...optionalExample(ID.organisation),
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
  IdempotencyKey: idempotencyKey(
    true,
    `Unique value per change, such as a UUID. Send the same key on each retry. ${REPEATED} ${KEPT}`,
  ),
  OptionalIdempotencyKey: idempotencyKey(
    false,
    `Unique value per change, such as a UUID. ${REPEATED} Without a key, a repeated request is performed again. ${KEPT}`,
  ),
  CreationIdempotencyKey: idempotencyKey(
    false,
    `Unique value per change, such as a UUID. ${REPEATED} Without a key, a repeated request can create a second resource. ${KEPT}`,
  ),
  IfMatch: {
    name: "If-Match",
    in: "header",
    description:
      "`ETag` of the version you read, a list of them, or `*`. If the resource has changed since, the API returns 412 and changes nothing. Without the header, the last write wins.",
    ...optionalExample('"2"'),
    schema: { type: "string", minLength: 1, maxLength: 1000 },
  },
  LastEventId: {
    name: "Last-Event-ID",
    in: "header",
    description: "`id` of the last event you received. Browsers send it automatically when they reconnect.",
    ...optionalExample("5XzYb2bJcVQnX0dE6Sx3rw"),
    schema: { type: "string", maxLength: 1000 },
  },
  WebhookId: deliveryHeader(
    "webhook-id",
    "ID of the event, the same for every attempt.",
    EVENT_ID["routing.changed"],
  ),
  WebhookTimestamp: deliveryHeader(
    "webhook-timestamp",
    "Time of the attempt, in seconds since 1970.",
    String(Date.parse(AT.moved) / 1000),
  ),
  WebhookSignature: deliveryHeader(
    "webhook-signature",
    "Signatures separated by spaces, each `v1,` and an HMAC-SHA-256 in base64. One of them must match.",
    "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  ),
};

/** Headers of requests to webhook endpoints (Standard Webhooks). */
export const DELIVERY_HEADERS = ["WebhookId", "WebhookTimestamp", "WebhookSignature"].map(parameterNamed);

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
  const { access, settle, http } = operation;
  return [
    ...(access.callers === "organisation" ? [parameterNamed("Organisation")] : []),
    ...(access.callers === "organisation" || access.callers === "authenticated"
      ? [parameterNamed("Environment")]
      : []),
    ...keyParametersOf(operation),
    ...(takesIfMatch(operation) ? [parameterNamed("IfMatch")] : []),
    ...(settle ? [preferParameter(operation)] : []),
    ...(http?.media === "text/event-stream" ? [parameterNamed("LastEventId")] : []),
  ];
}

function keyParametersOf({ idempotency, answers, http }: Declaration): JsonObject[] {
  if (idempotency === "none") return [];
  if (idempotency === "optional")
    return [parameterNamed(answers[201] ? "CreationIdempotencyKey" : "OptionalIdempotencyKey")];
  const member = http?.lateRepeatNames;
  if (!member) return [parameterNamed("IdempotencyKey")];
  const late = `The key never expires. After 30 days, a repeated request returns 422 with \`${member}\`.`;
  return [
    idempotencyKey(
      true,
      `Unique value per change, such as a UUID. Send the same key on each retry. ${REPEATED} ${late}`,
    ),
  ];
}

/** The operation decides what it waits for, so each one has its own text. */
function preferParameter({ id, http }: Declaration): JsonObject {
  if (!http?.waitsFor) throw new Error(`${id} can wait, but does not declare \`waitsFor\`.`);
  const wait = `\`wait=N\`: respond when ${http.waitsFor}, or after N seconds, at most 30 (RFC 7240).`;
  return {
    name: "Prefer",
    in: "header",
    description: `${wait} Other preferences have no effect.`,
    ...optionalExample("wait=10"),
    schema: { type: "string", maxLength: 1000 },
  };
}

function parameterNamed(name: string): JsonObject {
  return { $ref: `#/components/parameters/${name}` };
}

function deliveryHeader(name: string, description: string, example: string): JsonObject {
  return { name, in: "header", required: true, description, example, schema: TEXT };
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

function idempotencyKey(isRequired: boolean, description: string): JsonObject {
  return {
    name: "Idempotency-Key",
    in: "header",
    ...(isRequired ? { required: true, example: ID.idempotencyKey } : optionalExample(ID.idempotencyKey)),
    description,
    schema: {
      type: "string",
      minLength: 1,
      maxLength: 255,
      pattern: String.raw`^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$`,
    },
  };
}
