interface ErrorEntry {
  status: number;
  title: string;
  /** Whether the same request may succeed later without a change. */
  retryable: boolean;
  /** Instruction for the reader. */
  remedy: string;
}

function entry(status: number, title: string, remedy: string, retry?: "retry"): ErrorEntry {
  return { status, title, remedy, retryable: retry === "retry" };
}

/** Valid requests that the current state does not allow. */
const CONFLICTS = {
  idempotency_in_progress: entry(
    409,
    "The first request with this key is still running",
    "Wait as Retry-After says and send the same request again; it will get the first one's answer.",
    "retry",
  ),
  number_not_active: entry(
    409,
    "The number is not active",
    "Its status says why: suspended numbers wait for the operator, released ones are gone.",
  ),
  release_blocked: entry(
    409,
    "The number is locked against release",
    "An owner or admin can take the lock off: PATCH the number with release_lock false.",
  ),
  release_in_progress: entry(409, "The number is being released already", "Follow the job named in job_id."),
  number_not_quarantined: entry(
    409,
    "The number does not rest after a release",
    "Only a number that was released a while ago can be taken back; its status says where it stands.",
  ),
  number_not_restorable: entry(
    409,
    "The number cannot be taken back any more",
    "Its carrier does not give numbers back, or restore_until is over. Order it again, if it is to be had.",
  ),
  restore_in_progress: entry(
    409,
    "The number is being taken back already",
    "Follow the job named in job_id.",
  ),
  carrier_refused: entry(
    409,
    "The carrier refused",
    "Nothing has changed at the carrier. Ask the operator, then try again.",
  ),
  webhook_endpoint_limit_reached: entry(
    409,
    "Too many webhook endpoints",
    "Delete endpoints that are no longer used; one endpoint can hear of every type of event.",
  ),
  finding_repaired: entry(409, "The finding has been repaired", "Reconcile again to see what is left."),
  bought_after_rollback: entry(
    409,
    "Bought after the database was rolled back",
    "The number may be a customer's: the database lost the changes of that time. Find out who ordered it, and adopt it for that organisation with POST /operator/v1/findings/{id}/adopt. If it is nobody's, return it in the carrier's portal.",
  ),
  finding_outdated: entry(
    409,
    "The finding is no longer true",
    "The number has been ordered since. Reconcile again to see what is left.",
  ),
  connection_in_use: entry(
    409,
    "Numbers still use this connection",
    "Point them elsewhere first; the list of numbers can be filtered by mode.",
  ),
  connection_name_taken: entry(409, "There is a connection of that name", "Choose another name."),
  switch_name_taken: entry(409, "That name is taken", "Choose another name."),
  bulk_change_not_planned: entry(
    409,
    "The bulk change has been started or has expired",
    "Read it to see how far it is; plan again to change more.",
  ),
  number_not_available: entry(
    409,
    "At least one number is not available",
    "Search the inventory again; it may have been taken meanwhile.",
  ),
  reservation_not_active: entry(
    409,
    "The reservation does not hold its numbers any more",
    "It has expired, or was cancelled or ordered; reserve again, or order by numbers.",
  ),
  order_incomplete: entry(
    409,
    "Not all of the ordered numbers could be had",
    "The order was for all or nothing, so nothing was kept. Its items say which numbers were not to be had; order the others again.",
  ),
  epoch_ended: entry(
    409,
    "The report belongs to an epoch that has ended",
    "Open the stream again; the agent starts over with a snapshot.",
  ),
  last_owner: entry(409, "An organisation needs an owner", "Make somebody else an owner first."),
  already_member: entry(409, "Already a member", "Change the member's role instead of inviting again."),
  already_invited: entry(
    409,
    "Already invited",
    "Withdraw the open invitation first if the role should be another.",
  ),
  account_exists: entry(
    409,
    "There is an account with this address",
    "Sign in with it, then accept the invitation again.",
  ),
  api_key_limit_reached: entry(409, "Too many API keys", "Revoke keys that are no longer used."),
  api_key_not_active: entry(
    409,
    "The key is revoked or expired",
    "Create a new key; what has ended cannot be rotated.",
  ),
  saved_state_not_uploaded: entry(
    409,
    "Saved state not uploaded",
    "Request it with POST /operator/v1/saved-states/{id}/request and wait until its status is `uploaded`.",
  ),
  saved_state_incomplete: entry(
    409,
    "Saved state incomplete",
    "Announce the saved states again and upload all parts of this one.",
  ),
} as const satisfies Record<string, ErrorEntry>;

/** Errors of signing in and of sign-in methods. */
export const SIGN_IN_ERRORS = {
  authenticator_exists: entry(
    409,
    "There is an authenticator app already",
    "Remove it first; a person has one at a time.",
  ),
  authenticator_not_found: entry(404, "No authenticator app", "Set one up first."),
  challenge_not_valid: entry(
    422,
    "The sign-in cannot be finished",
    "It was finished already or took longer than five minutes; start again with the first step.",
  ),
  code_not_valid: entry(
    422,
    "The code is not right",
    "Enter the code the app shows now. Setting up an app takes at most ten minutes; start again after that.",
  ),
  passkey_not_found: entry(404, "No such passkey", "List your passkeys."),
  passkey_not_valid: entry(
    422,
    "The passkey cannot be added",
    "Begin again, in a browser that shows this service's own address, with a device that is not registered yet.",
  ),
  passkey_limit_reached: entry(409, "Too many passkeys", "Remove one that is no longer used."),
  organisation_second_factor_required: entry(
    403,
    "The organisation requires a second factor",
    "Add an authenticator app or a passkey in the security settings of your account. If you have one, confirm with it, or sign in again with it.",
  ),
  single_sign_on_required: entry(
    403,
    "The organisation requires single sign-on",
    "Sign in through one of the identity providers listed. Owners can instead sign in with a password and a code, or with a passkey.",
  ),
  session_too_old: entry(
    403,
    "The session is too old",
    "Sign in again. The organisation limits how old sessions may be.",
  ),
  stronger_session_required: entry(
    403,
    "The session is not strong enough",
    "Confirm with a code or a passkey, or sign in through your organisation's identity provider. Then change how you sign in.",
  ),
  sign_in_policy_not_met: entry(
    409,
    "You do not meet this rule yourself",
    "Do what the detail says first. Otherwise the rule would lock you out.",
  ),
  single_sign_on_in_use: entry(
    409,
    "Single sign-on is required",
    "Turn off the rule that requires single sign-on first, or verify a domain of another identity provider.",
  ),
  identity_provider_not_found: entry(404, "No such identity provider", "List the identity providers."),
  identity_provider_limit_reached: entry(
    409,
    "Too many identity providers",
    "Delete one that is no longer used; one provider can speak for many domains.",
  ),
  identity_provider_unavailable: entry(
    503,
    "The identity provider cannot be asked",
    "Try again a little later, or sign in with a password or a passkey. If it goes on, an owner checks issuer and client secret.",
    "retry",
  ),
  identity_not_accepted: entry(
    403,
    "Whom the identity provider names is not let in",
    "Its detail says what is missing: a verified address, a proved domain, an invitation, or an account that belongs to the organisation.",
  ),
  domain_not_proved: entry(
    422,
    "The TXT record is not there",
    "Add the record with the name and value that the identity provider's domain shows, wait until the world can see it, and try again.",
  ),
  domain_taken: entry(
    409,
    "The domain has been proved elsewhere",
    "It belongs to one identity provider at a time; have it removed there, or ask the operator.",
  ),
  authorization_pending: entry(
    400,
    "Nobody has decided yet",
    "Ask again after as many seconds as Retry-After says (RFC 8628).",
    "retry",
  ),
  slow_down: entry(
    400,
    "Asked too often",
    "Wait as Retry-After says from now on; it grows by five seconds each time (RFC 8628).",
    "retry",
  ),
  access_denied: entry(400, "The tool was kept out", "Begin again, if the person wants it after all."),
  expired_token: entry(400, "Nobody let the tool in in time", "Begin again; a code lives for ten minutes."),
  invalid_grant: entry(
    400,
    "The code does not open anything",
    "It works once, for a short time, with the verifier and redirect_uri it was asked for with; begin again.",
  ),
  user_code_not_valid: entry(
    422,
    "No tool waits behind this code",
    "Type the code the tool shows; look it up before deciding. It lives for ten minutes, and is somebody else's once they have typed it.",
  ),
} as const satisfies Record<string, ErrorEntry>;

/** Every error that the API returns. docs/errors.md is generated from it, and each code is produced by at least one test. */
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
