import { ROLES, SCOPES } from "../platform/http/access.ts";
import { ROLE_MEANINGS, SCOPE_MEANINGS } from "./contract.access.ts";

/** Introduction to all operations, in Markdown. */
export const CALLERS_INTRODUCTION = `
Dialplane manages the telephone numbers of organisations: which they hold, how calls to them are routed, and what
the switch has made of it. Everything is HTTP with JSON.

## Credentials

A program sends an API key, \`Authorization: Bearer svc_live_…\`. A person's tool sends its session token the same way,
\`svc_cli_…\`. The dashboard uses a cookie. A request with a bad \`Authorization\` is refused even if it also has a good
cookie, and a credential in the address is never read.

What a person may do depends on the role:

${ROLES.map((role) => `- \`${role}\`: ${ROLE_MEANINGS[role]}`).join("\n")}

What a key may do depends on its scopes:

${SCOPES.map((scope) => `- \`${scope}\`: ${SCOPE_MEANINGS[scope]}`).join("\n")}

## Organisation and environment

Most operations act within one organisation. A caller of one organisation need not name it; a caller of several
sends \`X-Service-Org\`. Every organisation has a live and a test side that share nothing. A key belongs to one side
by its prefix; a person chooses with \`X-Service-Environment\` and gets the live side otherwise.

## Requests and answers

- Names are in snake case, text is UTF-8, times are RFC 3339 in UTC with milliseconds.
- Identifiers are UUIDs. One that is malformed, unknown, or of another organisation or side gets the same 404.
- Unknown fields and query parameters in a request are refused; unknown headers are ignored.
- Answers grow: expect fields, and values of enumerations, that you do not know yet.
- A list is \`{ "data": […], "next_cursor": … }\`. Send \`next_cursor\` back as \`cursor\`, or follow the \`Link\` header.
- Every answer has a \`Request-Id\`. None may be cached.

## Numbers and their identifiers

A telephone number is written in E.164, \`+442079460000\`. What the API calls a number, and names by \`id\`, is that
your organisation has it: from the day it came to you until you release it. Whoever gets the same telephone number
later gets another \`id\`, and neither sees anything of the other's time with it. Keep the \`id\`, not the digits.

## Desired and applied

A routing has two sides. \`desired\` is what was set last, and \`generation\` counts how often. \`applied\` is what the
switches answered when they were asked what they hold; it is read back, never concluded. With several switches it is
the one furthest behind. \`status\` compares the two: \`in_sync\` when every switch holds what it should, \`pending\` while
they are at it, \`failed\` when one refused, \`drifted\` when one was found holding something else, \`unknown\` when one has
fallen silent. So a successful change says that the wish is stored, and \`status\` says what became of it.

To hear of it at once, send \`Prefer: wait=10\` with the change: the answer then comes when the status is decided, or after
that many seconds, at most 30. \`Preference-Applied\` shows that the answer was waited for; an organisation with many
requests waiting already is answered without.

## Changing what you have read

Records that several people change carry an \`ETag\`. Send it back in \`If-Match\` and the change is made only if the record
is still the one you read; otherwise the answer is 412 \`generation_mismatch\` and nothing has changed. Without
\`If-Match\` the last change wins.

## Refusals

A refusal is \`application/problem+json\` (RFC 9457). Decide by \`code\`, which is stable, never by the text;
[every code](/docs/errors) says what to do about it. \`retryable\` says whether the very same request can succeed
later.

An address beyond its flood limit gets 429 before anything is looked up, its credential included. For everybody else
checks run in a fixed order: credential, kind of caller and scope, organisation, role, environment, quota, media type
and size, the request itself, existence, idempotency, precondition, state. So a caller who may not do a thing is told so,
whatever else was wrong.

## Repeating a request safely

Operations that take \`Idempotency-Key\` do a thing once per key, however often the request arrives: later ones get the
first answer again, byte for byte, with \`Idempotency-Replayed: true\`. The same key with another request is refused.
Keys are remembered for 30 days, per organisation and side.

## Limits

Answers to a known caller show the limits in \`RateLimit-Policy\` and what is left in \`RateLimit\`. Beyond a limit the
answer is 429 with \`Retry-After\`.

## Versions

\`/v1\` only grows: new operations, optional parameters, fields, enumeration values and event types. Anything else would be
\`/v2\`, beside \`/v1\` for at least twelve months and announced with \`Deprecation\` and \`Sunset\`.
`.trim();

export const SWITCH_INTRODUCTION = `
For the agents that program switches. An agent shows the credential of its switch,
\`Authorization: Bearer svc_switch_…\`, and is told what the switches of its group should hold; it programs its switch,
reads back what the switch holds and reports that. Nothing is ever reported because it was sent.

Answers that go on are lines of JSON, \`application/x-ndjson\`; the schema is that of one line. Refusals are problem
documents as in the callers' contract, \`/openapi.json\`. No limits are counted for switches. This contract is not
frozen: it changes together with the agent.
`.trim();

export const OPERATOR_INTRODUCTION = `
For whoever runs an installation of Dialplane. These operations reach across organisations, so they take the session of
a person who was made operator by the server's own command and who entered the password within the last ten minutes.
API keys are never let in. Every change is written to the audit, and so is a call refused with 403; reading is not.

Conventions of requests, answers, refusals and limits are those of the callers' contract, \`/openapi.json\`. This
contract is not frozen: it changes together with the dashboard.
`.trim();
