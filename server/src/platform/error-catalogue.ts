import { type ErrorEntry, entry } from "./error-entry.ts";
import { CONFLICTS } from "./error-conflicts.ts";
import { SIGN_IN_ERRORS } from "./error-sign-ins.ts";

/**
 * Every "no" this service can say. The docs page is generated from here, and each code is produced by at
 * least one test.
 */
export const ERRORS = {
  invalid_json: entry(
    400,
    "The body is not valid JSON",
    "Send a JSON document in UTF-8, nested at most 32 levels deep.",
  ),
  invalid_request: entry(
    400,
    "The request does not fit the contract",
    "Look at errors[]: each entry names the field, parameter or header and what is wrong with it.",
  ),
  invalid_cursor: entry(
    400,
    "The cursor cannot be used here",
    "Use next_cursor exactly as it was given, with the same filters, organisation and environment; or start again without one.",
  ),
  idempotency_key_missing: entry(
    400,
    "An Idempotency-Key is required",
    "Send a fresh value, such as a UUID, once per thing you want done, and the same value on every retry of it.",
  ),
  idempotency_key_invalid: entry(
    400,
    "The Idempotency-Key is malformed",
    "Send it once, 1 to 255 visible ASCII characters, bare or as a quoted string.",
  ),
  organisation_required: entry(
    400,
    "Which organisation?",
    "You belong to several organisations; send X-Service-Org with the UUID of one of those listed in organisations.",
  ),
  organisation_header_invalid: entry(
    400,
    "X-Service-Org is malformed",
    "Send it once, with an organisation's UUID.",
  ),
  environment_header_invalid: entry(
    400,
    "X-Service-Environment is malformed",
    "Send it once, with live or test.",
  ),

  unauthenticated: entry(
    401,
    "No valid credential",
    "Send Authorization: Bearer with an API key or a tool's session token, or sign in. Keys can be expired or revoked: check the dashboard.",
  ),
  sign_in_failed: entry(
    401,
    "What was entered is wrong",
    "Check it; a code works once. After several failures wait as Retry-After says, or reset the password.",
  ),

  switch_retired: entry(
    403,
    "The switch is retired",
    "An operator brings it back with PATCH /operator/v1/switches/{id}; otherwise stop its agent. Until then it refuses new calls.",
  ),
  caller_kind_not_allowed: entry(
    403,
    "This kind of caller may not do this",
    "Some operations are for signed-in people only, some for browsers only; the operation's documentation says which.",
  ),
  role_not_allowed: entry(
    403,
    "Your role does not allow this",
    "Ask an owner or admin of the organisation to do it or to change your role.",
  ),
  scope_missing: entry(
    403,
    "The API key lacks a scope",
    "Use a key that has the scope named in detail; scopes are chosen when a key is created.",
  ),
  organisation_not_allowed: entry(
    403,
    "Not an organisation of yours",
    "X-Service-Org must name one of the organisations in GET /v1/me.",
  ),
  organisation_suspended: entry(
    403,
    "The organisation is suspended",
    "Contact the operator of this installation. Calls continue unless the operator also suspended the numbers.",
  ),
  environment_not_allowed: entry(
    403,
    "The key belongs to the other environment",
    "A svc_live_ key works on the live side only and a svc_test_ key on the test side; leave the header out or use the other key.",
  ),
  address_not_allowed: entry(
    403,
    "The key may not be used from this address",
    "The key is limited to certain networks; use it from there or create another.",
  ),
  second_factor_required: entry(
    403,
    "Operators need a second factor",
    "Sign in to the dashboard with a second factor, and try again. If you have none, add an authenticator app or a passkey under Security; for a tool, sign in with the tool again afterwards.",
  ),
  operator_only: entry(
    403,
    "For the operator of this installation",
    "The person who runs the server can grant this with its operator command.",
  ),
  reauthentication_required: entry(
    403,
    "Confirm it is you",
    "Enter the password again (POST /v1/sessions/current/reauthentication), or a code, and repeat the request within ten minutes.",
  ),
  cross_site_request: entry(
    403,
    "Refused as a request from another site",
    "Browsers may call this only from the service's own pages.",
  ),
  role_too_high: entry(403, "You cannot give a role above your own", "An owner can."),

  mode_not_allowed: entry(
    403,
    "A key cannot set this mode",
    "forward and webhook are set by people: sign in, or use sip_uri, connection or unrouted.",
  ),

  not_found: entry(
    404,
    "There is nothing here",
    "Check the path against the documentation; identifiers of other organisations answer the same.",
  ),
  invitation_not_found: entry(
    404,
    "No such invitation",
    "It may have been used, withdrawn, or have expired; ask for a new one.",
  ),
  member_not_found: entry(
    404,
    "No such member",
    "List the organisation's members to find the right identifier.",
  ),
  session_not_found: entry(404, "No such session", "It may have ended already; list your sessions."),
  api_key_not_found: entry(
    404,
    "No such API key",
    "List the organisation's keys; keys of the other environment are listed there, not here.",
  ),
  user_not_found: entry(404, "No such user", "List the users of the installation to find the ID."),
  own_account: entry(
    409,
    "You cannot do this to your own account",
    "Ask another operator, or change your own account on the account page.",
  ),
  organisation_not_found: entry(404, "No such organisation", "List the organisations."),

  number_not_found: entry(404, "No such number", "List the numbers of this organisation and environment."),
  connection_not_found: entry(404, "No such connection", "List the connections."),
  revision_not_found: entry(404, "No such revision", "List the revisions of the number's routing."),
  bulk_change_not_found: entry(
    404,
    "No such bulk change",
    "Plans that were not applied are removed after a day.",
  ),
  order_not_found: entry(404, "No such order", "List the orders of this organisation and environment."),
  reservation_not_found: entry(404, "No such reservation", "It may have been deleted; make another."),
  webhook_endpoint_not_found: entry(404, "No such webhook endpoint", "List the endpoints."),
  carrier_not_found: entry(404, "No such carrier", "Name a carrier that this installation is connected to."),
  reconciliation_not_found: entry(404, "No such reconciliation", "List the reconciliations."),
  finding_not_found: entry(404, "No such finding", "List the findings of a reconciliation."),
  job_not_found: entry(
    404,
    "No such job",
    "Use the job_id that the order or release was answered with; jobs are kept for at least 30 days.",
  ),
  switch_not_found: entry(404, "No such switch", "List the switches."),
  switch_group_not_found: entry(404, "No such group of switches", "List the groups."),
  epoch_not_found: entry(
    404,
    "Epoch not found",
    "List the epochs with GET /operator/v1/epochs and use the ID of one of them.",
  ),
  saved_state_not_found: entry(
    404,
    "Saved state not found",
    "List the saved states with GET /operator/v1/saved-states. An agent keeps the last three and deletes older ones.",
  ),

  method_not_allowed: entry(
    405,
    "This path does not take that method",
    "The Allow header lists the methods it takes.",
  ),

  ...CONFLICTS,
  ...SIGN_IN_ERRORS,

  generation_mismatch: entry(
    412,
    "It has changed since you read it",
    "Read it again, decide again, and send If-Match with the new ETag; generation names it.",
  ),

  body_too_large: entry(
    413,
    "The body is too large",
    "Send at most 256 KiB, or what the operation's page says.",
  ),
  media_type_not_supported: entry(415, "The body must be JSON", "Send Content-Type: application/json."),

  idempotency_key_reused: entry(
    422,
    "This key was used for another request",
    "Use a new Idempotency-Key for a new request; repeat a key only with the same method, path and body.",
  ),
  connection_unknown: entry(
    422,
    "The routing names a connection that does not exist",
    "List the connections of this organisation and environment.",
  ),
  destination_not_allowed: entry(
    422,
    "Calls may not be sent there",
    "The detail says why. Targets must be public addresses and forwards must begin with a prefix the operator has opened.",
  ),
  forward_loop: entry(
    422,
    "The forward would come back to the number",
    "Forward to a number whose calls end somewhere else.",
  ),
  window_empty: entry(422, "The window has no length", "`to` must be later than `from`."),
  window_too_long: entry(
    422,
    "The window is too long for this",
    "Ask for a shorter window, for coarser buckets, or for the totals alone.",
  ),
  bulk_change_too_large: entry(
    422,
    "The filter matches too many numbers",
    "Narrow the filter; several bulk changes can be planned one after another.",
  ),
  password_too_weak: entry(
    422,
    "The password is too easy to guess",
    "Use at least 12 characters that are not a well-known password; a sentence works well.",
  ),
  link_not_valid: entry(
    422,
    "The link no longer works",
    "It was used, has expired, or a newer one was sent; ask for a new link.",
  ),
  email_taken: entry(422, "That address cannot be used", "Use another e-mail address."),

  rate_limited: entry(
    429,
    "Too many requests",
    "Wait as Retry-After says. The RateLimit fields of every answer show what is left.",
    "retry",
  ),

  internal_error: entry(
    500,
    "Something went wrong on our side",
    "Repeat the request with the same Idempotency-Key; if it stays, tell the operator the request_id.",
    "retry",
  ),
  carrier_inventory_not_connected: entry(
    501,
    "No carrier inventory is connected",
    "Ask the operator of this installation; orders by number work without it.",
  ),
  feed_held: entry(
    503,
    "Switches are held after a rollback",
    "Agents retry until an operator resolves the rollback with `dialplane-server resolve-epoch`. Until then switches keep the routes they have.",
    "retry",
  ),
  busy: entry(
    503,
    "Too busy to respond in time",
    "Nothing was changed. Wait for the number of seconds in Retry-After and send the same request again, with the same Idempotency-Key if it takes one.",
    "retry",
  ),
  unavailable: entry(
    503,
    "The service cannot answer right now",
    "Wait as Retry-After says and send the same request again, with the same Idempotency-Key where it takes one; without a key, look first whether the change was made.",
    "retry",
  ),
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof ERRORS;
