import { ROLES, SCOPES } from "../platform/http/access.ts";
import { ROLE_MEANINGS, SCOPE_MEANINGS } from "./contract.access.ts";

/** Introduction to all operations, in Markdown. */
export const CALLERS_INTRODUCTION = `
Dialplane manages the phone numbers of organisations and their routing on your SIP switches. The API uses HTTP with
JSON.

## Credentials

Programs send an API key: \`Authorization: Bearer svc_live_…\`. Command-line tools send a session token in the same
header: \`svc_cli_…\`. The dashboard uses a cookie. A request with an invalid \`Authorization\` header is rejected, even
if its cookie is valid. Credentials in the URL are ignored.

A user's permissions depend on the role:

${ROLES.map((role) => `- \`${role}\`: ${ROLE_MEANINGS[role]}`).join("\n")}

A key's permissions depend on its scopes:

${SCOPES.map((scope) => `- \`${scope}\`: ${SCOPE_MEANINGS[scope]}`).join("\n")}

## Organisation and environment

Most operations act in one organisation. If you belong to several, send \`X-Service-Org\`. Every organisation has a live
and a test environment, which share no data. The prefix of an API key determines its environment. Users choose it with
\`X-Service-Environment\` (default: \`live\`).

## Requests and responses

- Names are in snake case. Text is UTF-8. Times are in UTC with milliseconds (RFC 3339).
- IDs are UUIDs. The API returns the same 404 for malformed and unknown IDs and for those of other organisations or
  environments.
- Unknown fields and query parameters in a request are rejected. Unknown headers are ignored.
- Responses may contain new fields and enum values in future.
- A list is \`{ "data": […], "next_cursor": … }\`. Send \`next_cursor\` as \`cursor\`, or follow the \`Link\` header.
- Every response has a \`Request-Id\`. Responses must not be cached.

## Numbers and their IDs

Phone numbers are in E.164 format, such as \`+442079460000\`. The \`id\` of a number identifies your organisation's holding
of it, from acquisition to release. A later holder of the same phone number gets another \`id\` and cannot see your data.
Store the \`id\`, not the digits.

Paths also take the E.164 form instead of the \`id\`, such as \`/v1/numbers/+493010000001\`. It stands for the number that your
organisation holds now, in the chosen environment.

## Desired and applied routing

\`desired\` is the routing that you set, and \`generation\` is its revision number. \`applied\` is the routing that the
switches have read back. With several switches, it is the one furthest behind. \`status\` compares the two:

- \`in_sync\`: all switches hold the desired routing.
- \`pending\`: a switch has not confirmed it yet.
- \`failed\`: a switch rejected it.
- \`drifted\`: a switch holds another value.
- \`unknown\`: a switch has stopped reporting.

A successful change means that the desired routing is stored. To wait until the switches have confirmed it, send
\`Prefer: wait=10\`. The API then responds when the status is final, or after that time, at most 30 seconds.
\`Preference-Applied\` shows that it waited. It responds at once if your organisation has too many waiting requests.

## Concurrent changes

Resources that several clients can change have an \`ETag\`. Send it in \`If-Match\`. If the resource has changed since you
read it, the API returns 412 \`generation_mismatch\` and changes nothing. Without \`If-Match\`, the last write wins.

## Errors

Errors are \`application/problem+json\` (RFC 9457). Branch on \`code\`, which is stable, and not on the text. The
[error catalogue](/docs/errors) has a remedy for each code. \`retryable\` shows whether the same request can succeed
later.

An IP address over its rate limit gets 429 before any other check. All other checks run in a fixed order: credential,
caller type and scope, organisation, role, environment, quota, media type and size, request, existence, idempotency,
precondition, state. Missing permissions are therefore reported before other errors.

## Idempotency

Operations that accept \`Idempotency-Key\` take effect once per key. Repeated requests return the stored response, with
\`Idempotency-Replayed: true\`. The same key with a different request is rejected. Keys are kept for at least 30
days, per organisation and environment.

## Limits

Responses to authenticated callers list the rate limits in \`RateLimit-Policy\` and the remaining quota in \`RateLimit\`.
Over a limit, the API returns 429 with \`Retry-After\`.

## Versions

\`/v1\` changes only by additions: operations, optional parameters, fields, enum values and event types. Other changes
would be \`/v2\`. \`/v1\` would remain for at least twelve months, announced with \`Deprecation\` and \`Sunset\`.
`.trim();

export const SWITCH_INTRODUCTION = `
This contract is for the agents that program switches. An agent sends the credential of its switch,
\`Authorization: Bearer svc_switch_…\`, and receives the desired state of its switch group. It programs the switch, reads
the state back and reports it. Agents report only values that they have read back.

Streamed responses are lines of JSON, \`application/x-ndjson\`. The schema describes one line. Errors are problem documents
as in the callers' contract, \`/openapi.json\`. Switches have no rate limits. This contract is not frozen: it changes
together with the agent.
`.trim();

export const OPERATOR_INTRODUCTION = `
This contract is for operators of a Dialplane installation. Its operations apply across organisations. They require the
session of an operator who entered the password within the last ten minutes. The server's command line makes users
operators. API keys are never accepted. The audit log records every change and every request denied with 403, but no
reads.

Conventions for requests, responses, errors and limits are those of the callers' contract, \`/openapi.json\`. This contract
is not frozen: it changes together with the dashboard.
`.trim();
