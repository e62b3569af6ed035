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
    "Original request in progress",
    "Retry after `Retry-After` seconds with the same key.",
    "retry",
  ),
  number_not_active: entry(
    409,
    "Number is not active",
    "Check its `status`. Ask the operator to resume a suspended number.",
  ),
  release_blocked: entry(
    409,
    "Number is release-locked",
    "Ask an owner or admin to set `release_lock` to false.",
  ),
  release_in_progress: entry(409, "Release already in progress", "Poll the job in `job_id`."),
  number_not_quarantined: entry(
    409,
    "Number is not in quarantine",
    "Check its `status`. Only numbers in quarantine can be restored.",
  ),
  number_not_restorable: entry(
    409,
    "Number can no longer be restored",
    "Order the number again if it is available.",
  ),
  key_suspended: entry(
    401,
    "API key is suspended",
    "An owner of the organisation confirms the key in the dashboard, or with POST /v1/api-keys/{id}/confirm.",
  ),
  restore_open: entry(
    409,
    "Database restore in progress",
    "Finish the restore first: see `dialplane-server restore status`.",
  ),
  restore_ended: entry(409, "Restore has ended", "List the restores to find the open one."),
  restore_unfinished: entry(
    409,
    "Restore has open findings",
    "Adopt or drop each finding, and wait for the state of each switch. See `dialplane-server restore status`.",
  ),
  finding_without_organisation: entry(
    409,
    "Organisation of the finding is unknown",
    "Send `organisation_id` with the organisation that held the number.",
  ),
  restore_in_progress: entry(409, "Restore already in progress", "Poll the job in `job_id`."),
  carrier_refused: entry(
    409,
    "Carrier rejected the request",
    "Contact the operator, then retry. Nothing changed at the carrier.",
  ),
  webhook_endpoint_limit_reached: entry(
    409,
    "Too many webhook endpoints",
    "Delete unused endpoints. One endpoint can receive all event types.",
  ),
  finding_repaired: entry(409, "Finding already repaired", "Reconcile again to see the remaining findings."),
  bought_after_rollback: entry(
    409,
    "Number bought after a database rollback",
    "Find the customer who ordered the number, then assign it with POST /operator/v1/findings/{id}/adopt. If it has no owner, return it in the carrier's portal.",
  ),
  finding_outdated: entry(409, "Finding is outdated", "Reconcile again. The number has been ordered since."),
  connection_in_use: entry(
    409,
    "Connection is in use",
    "Reroute its numbers first. Filter the number list by `connection_id` to find them.",
  ),
  connection_name_taken: entry(409, "Connection name already in use", "Choose another name."),
  switch_name_taken: entry(409, "Name already in use", "Choose another name."),
  carrier_name_taken: entry(409, "Carrier name already in use", "Choose another name."),
  carrier_in_use: entry(
    409,
    "Carrier is in use",
    "Set its state to `draining`, and close it when its numbers are released and its orders have finished.",
  ),
  carrier_check_failed: entry(
    422,
    "Carrier check failed",
    "Check `url` and `credentials`. Test the server with `dialplane carrier test`.",
  ),
  no_carrier: entry(
    409,
    "No carrier for these numbers",
    "Choose another country or type, or order the numbers of each country separately. Otherwise contact the operator.",
  ),
  bulk_change_not_planned: entry(
    409,
    "Bulk change already started or expired",
    "Get its status, or plan a new bulk change.",
  ),
  number_not_available: entry(
    409,
    "Number is not available",
    "Search the inventory again and choose another number.",
  ),
  requirement_not_open: entry(
    409,
    "Requirement does not wait for evidence",
    "Get the order, and submit evidence for requirements with the status `missing` or `rejected`.",
  ),
  requirements_expired: entry(
    409,
    "Requirements not met in time",
    "Order the number again, and submit the evidence before `action_required_until`.",
  ),
  address_in_use: entry(409, "Address is in use", "Delete the address after its orders have finished."),
  address_limit_reached: entry(409, "Too many addresses", "Delete addresses that you no longer need."),
  document_in_use: entry(409, "Document is in use", "Delete the document after its orders have finished."),
  document_limit_reached: entry(409, "Too many documents", "Delete documents that you no longer need."),
  reservation_not_active: entry(
    409,
    "Reservation is no longer active",
    "Reserve the numbers again, or order them by `numbers`.",
  ),
  order_incomplete: entry(
    409,
    "Order could not be completed",
    "Check the order's items and order the available numbers again. No numbers were kept.",
  ),
  switches_outdated: entry(
    409,
    "Switches too old",
    "Upgrade the agent and the configuration of each switch in the group, then try again.",
  ),
  trunks_changed: entry(
    409,
    "Trunks have changed",
    "Read the trunks again, and send the new `revision` with your change.",
  ),
  trunk_in_use: entry(409, "Trunk is in use", "Remove the trunk from `forwarding` first."),
  epoch_ended: entry(409, "Epoch has ended", "Open the stream again. The agent starts over with a snapshot."),
  last_owner: entry(409, "Organisation needs an owner", "Make another member an owner first."),
  already_member: entry(409, "Already a member", "Change the member's role instead."),
  already_invited: entry(409, "Already invited", "Withdraw the open invitation to invite with another role."),
  account_exists: entry(
    409,
    "Account already exists",
    "Sign in with this account, then accept the invitation.",
  ),
  probes_disabled: entry(
    409,
    "Probes are not enabled",
    "Ask your operator to set a limit of probes for your organisation.",
  ),
  probe_limit_reached: entry(
    409,
    "Too many probes",
    "Delete unused schedules, or wait for the next UTC day, or ask your operator for a higher limit.",
  ),
  probe_in_progress: entry(
    409,
    "Probe already running",
    "Wait until the running probe of the number has ended.",
  ),
  view_name_taken: entry(409, "View name already used", "Choose another name, or change the existing view."),
  view_limit_reached: entry(409, "Too many views", "Delete unused views."),
  api_key_limit_reached: entry(409, "Too many API keys", "Revoke unused keys."),
  api_key_not_active: entry(409, "API key is revoked or expired", "Create a new key."),
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
    "Authenticator app already set up",
    "Remove the current app first. An account can have one.",
  ),
  authenticator_not_found: entry(404, "No authenticator app", "Set one up first."),
  challenge_not_valid: entry(
    422,
    "Sign-in challenge expired or used",
    "Start again with the first step. Challenges expire after five minutes.",
  ),
  code_not_valid: entry(
    422,
    "Incorrect code",
    "Enter the code that the app shows now. If setup took longer than ten minutes, start again.",
  ),
  passkey_not_found: entry(404, "Passkey not found", "List your passkeys to find the ID."),
  passkey_not_valid: entry(
    422,
    "Passkey could not be added",
    "Start again on this service's own address, with a device that is not registered yet.",
  ),
  passkey_limit_reached: entry(409, "Too many passkeys", "Remove unused passkeys."),
  organisation_second_factor_required: entry(
    403,
    "Organisation requires a second factor",
    "Add an authenticator app or a passkey in your security settings. If you have one, confirm with it, or sign in again with it.",
  ),
  single_sign_on_required: entry(
    403,
    "Organisation requires single sign-on",
    "Sign in through one of the listed identity providers. Owners can instead sign in with a password and a code, or with a passkey.",
  ),
  session_too_old: entry(
    403,
    "Session is too old",
    "Sign in again. The organisation limits the age of sessions.",
  ),
  stronger_session_required: entry(
    403,
    "Stronger sign-in required",
    "Confirm with a code or a passkey, or use single sign-on. Then retry.",
  ),
  sign_in_policy_not_met: entry(
    409,
    "Rule not met by your session",
    "Meet the rule first, as `detail` explains. Otherwise it would lock you out.",
  ),
  single_sign_on_in_use: entry(
    409,
    "Single sign-on is required",
    "Turn off the rule that requires single sign-on, or verify a domain of another identity provider.",
  ),
  identity_provider_not_found: entry(
    404,
    "Identity provider not found",
    "List the identity providers to find the ID.",
  ),
  identity_provider_limit_reached: entry(
    409,
    "Too many identity providers",
    "Delete unused identity providers. One provider can have several domains.",
  ),
  identity_provider_unavailable: entry(
    503,
    "Identity provider unreachable",
    "Retry later, or sign in with a password or a passkey. If it persists, ask an owner to check the issuer and client secret.",
    "retry",
  ),
  identity_not_accepted: entry(
    403,
    "Identity rejected",
    "Check `detail`: a verified address, a verified domain, an invitation or a membership is missing.",
  ),
  domain_not_proved: entry(
    422,
    "DNS record not found",
    "Publish the TXT record that the domain shows, wait for DNS propagation, and retry.",
  ),
  domain_taken: entry(
    409,
    "Domain already verified elsewhere",
    "Remove the domain from the other identity provider, or contact the operator.",
  ),
  authorization_pending: entry(
    400,
    "Waiting for the user",
    "Retry after `Retry-After` seconds (RFC 8628).",
    "retry",
  ),
  slow_down: entry(
    400,
    "Polling too often",
    "Wait `Retry-After` seconds between requests. The interval grows by five seconds each time (RFC 8628).",
    "retry",
  ),
  access_denied: entry(400, "Sign-in denied by the user", "Start again if the user agrees."),
  expired_token: entry(400, "Device code expired", "Start again. Codes expire after ten minutes."),
  invalid_grant: entry(
    400,
    "Invalid or expired code",
    "Start again. A code works once, with its verifier and redirect_uri.",
  ),
  user_code_not_valid: entry(
    422,
    "Unknown or expired code",
    "Type the code that the tool shows, and look it up before you decide. Codes expire after ten minutes, and only one user can use them.",
  ),
} as const satisfies Record<string, ErrorEntry>;

/** Every error that the API returns. docs/errors.md is generated from it, and each code is produced by at least one test. */
export const ERRORS = {
  invalid_json: entry(400, "Invalid JSON", "Send a JSON document in UTF-8, nested at most 32 levels deep."),
  invalid_request: entry(
    400,
    "Invalid request",
    "See `errors[]` for the invalid fields, parameters and headers.",
  ),
  invalid_cursor: entry(
    400,
    "Invalid cursor",
    "Pass `next_cursor` unchanged with the same filters, organisation and environment, or start without a cursor.",
  ),
  idempotency_key_missing: entry(
    400,
    "Idempotency-Key required",
    "Send a new UUID per operation and repeat it on retries.",
  ),
  idempotency_key_invalid: entry(
    400,
    "Invalid Idempotency-Key",
    "Send it once, with 1 to 255 visible ASCII characters, bare or as a quoted string.",
  ),
  organisation_required: entry(
    400,
    "Organisation not specified",
    "Set `X-Service-Org` to an ID in `organisations`.",
  ),
  organisation_header_invalid: entry(
    400,
    "Invalid X-Service-Org",
    "Send it once, with the UUID of an organisation.",
  ),
  environment_header_invalid: entry(
    400,
    "Invalid X-Service-Environment",
    "Send it once, with `live` or `test`.",
  ),

  unauthenticated: entry(
    401,
    "Missing or invalid credential",
    "Send an API key or session token, or sign in. Check in the dashboard whether the key is expired or revoked.",
  ),
  sign_in_failed: entry(
    401,
    "Incorrect credentials",
    "Check your email, password or code. After several failures, wait `Retry-After` seconds or reset the password.",
  ),

  switch_retired: entry(
    403,
    "Switch is retired",
    "Reactivate it with PATCH /operator/v1/switches/{id}, or stop its agent.",
  ),
  caller_kind_not_allowed: entry(
    403,
    "Caller type not allowed",
    "Sign in as a user, in a browser if the operation requires it.",
  ),
  role_not_allowed: entry(403, "Insufficient role", "Ask an owner or admin of the organisation."),
  scope_missing: entry(403, "Missing scope", "Use a key with a scope in `scopes`."),
  organisation_not_allowed: entry(
    403,
    "Organisation not allowed",
    "Set `X-Service-Org` to one of the organisations in GET /v1/me.",
  ),
  organisation_suspended: entry(
    403,
    "Organisation is suspended",
    "Contact the operator. Calls continue unless the operator also suspended the numbers.",
  ),
  environment_not_allowed: entry(
    403,
    "Wrong environment",
    "Use a key for this environment, or omit `X-Service-Environment`.",
  ),
  address_not_allowed: entry(
    403,
    "Source address not allowed",
    "Call from an allowed network, or create another key.",
  ),
  second_factor_required: entry(
    403,
    "Second factor required for operators",
    "Sign in to the dashboard with a second factor, and retry. If you have none, add an authenticator app or a passkey under Security. Then sign in to your tools again.",
  ),
  operator_only: entry(
    403,
    "Operator access required",
    "Ask the administrator of the server to make you an operator.",
  ),
  reauthentication_required: entry(
    403,
    "Recent sign-in required",
    "Confirm your password, code or passkey, then retry within 10 minutes.",
  ),
  cross_site_request: entry(
    403,
    "Cross-site request blocked",
    "Send browser requests only from the service's own pages.",
  ),
  view_sharing_not_allowed: entry(
    403,
    "View belongs to the organisation",
    "Ask an owner, admin or developer, or create your own view.",
  ),
  role_too_high: entry(403, "Role exceeds your own", "Ask an owner."),

  mode_not_allowed: entry(
    403,
    "Mode not available to API keys",
    "Use `sip_uri`, `connection` or `unrouted`, or sign in as a user.",
  ),

  not_found: entry(404, "Not found", "Check the path and ID."),
  invitation_not_found: entry(
    404,
    "Invitation not found",
    "Ask for a new one. It may be used, withdrawn or expired.",
  ),
  probe_not_found: entry(
    404,
    "Probe not found",
    "List the probes of the number to find the ID. Probes are kept for 90 days.",
  ),
  probe_schedule_not_found: entry(404, "Probe schedule not found", "List the schedules to find the tag."),
  view_not_found: entry(404, "View not found", "List the views to find the ID."),
  member_not_found: entry(404, "Member not found", "List the members to find the ID."),
  session_not_found: entry(404, "Session not found", "List your sessions. It may have ended."),
  api_key_not_found: entry(404, "API key not found", "List the keys of this organisation and environment."),
  user_not_found: entry(404, "User not found", "List the users to find the ID."),
  own_account: entry(
    409,
    "Not allowed on your own account",
    "Ask another operator, or use the account page.",
  ),
  organisation_not_found: entry(404, "Organisation not found", "List the organisations to find the ID."),

  number_not_found: entry(404, "Number not found", "List the numbers of this organisation and environment."),
  call_not_found: entry(404, "Call not found", "List the calls of this organisation and environment."),
  connection_not_found: entry(404, "Connection not found", "List the connections to find the ID."),
  revision_not_found: entry(404, "Revision not found", "List the routing revisions of the number."),
  trunk_not_found: entry(404, "Trunk not found", "List the trunks of the switch group."),
  trunk_revision_not_found: entry(
    404,
    "Trunk revision not found",
    "List the trunk revisions of the switch group. The last 200 are kept.",
  ),
  bulk_change_not_found: entry(
    404,
    "Bulk change not found",
    "Plan it again. Plans that are not applied are deleted after a day, and finished bulk changes after 90 days.",
  ),
  order_not_found: entry(404, "Order not found", "List the orders of this organisation and environment."),
  address_not_found: entry(404, "Address not found", "List the addresses to find the ID."),
  document_not_found: entry(404, "Document not found", "List the documents to find the ID."),
  reservation_not_found: entry(404, "Reservation not found", "List the reservations, or create a new one."),
  webhook_endpoint_not_found: entry(
    404,
    "Webhook endpoint not found",
    "List the webhook endpoints to find the ID.",
  ),
  carrier_not_found: entry(404, "Carrier not found", "Use the name of a connected carrier."),
  reconciliation_not_found: entry(
    404,
    "Reconciliation not found",
    "List the reconciliations to find the ID.",
  ),
  restore_not_found: entry(404, "Restore not found", "List the restores to find the ID."),
  finding_not_found: entry(404, "Finding not found", "List the findings of a reconciliation."),
  job_not_found: entry(
    404,
    "Job not found",
    "Use the `job_id` of an order or release. Jobs are kept for at least 30 days.",
  ),
  switch_not_found: entry(404, "Switch not found", "List the switches to find the ID."),
  switch_group_not_found: entry(404, "Switch group not found", "List the switch groups to find the ID."),
  epoch_not_found: entry(
    404,
    "Epoch not found",
    "List the epochs with GET /operator/v1/epochs to find the ID.",
  ),
  saved_state_not_found: entry(
    404,
    "Saved state not found",
    "List the saved states with GET /operator/v1/saved-states. Agents keep the last three.",
  ),

  method_not_allowed: entry(405, "Method not allowed", "Use a method in the `Allow` header."),

  ...CONFLICTS,
  ...SIGN_IN_ERRORS,

  generation_mismatch: entry(
    412,
    "Resource has changed",
    "Read it again and send the new `ETag` in `If-Match`.",
  ),

  body_too_large: entry(
    413,
    "Request body too large",
    "Send at most 256 KiB, or the limit in the operation's description.",
  ),
  media_type_not_supported: entry(415, "Unsupported media type", "Send `Content-Type: application/json`."),

  idempotency_key_reused: entry(
    422,
    "Idempotency-Key already used",
    "Use a new key for a different request.",
  ),
  connection_unknown: entry(
    422,
    "Connection does not exist",
    "Use a connection of this organisation and environment.",
  ),
  destination_not_allowed: entry(
    422,
    "Destination not allowed",
    "Use a public address or an allowed prefix.",
  ),
  networks_not_confirmed: entry(
    422,
    "Networks not confirmed",
    "Check each network in `networks`, and send exactly these in `confirmed_networks`.",
  ),
  evidence_not_suitable: entry(
    422,
    "Evidence does not fit the requirement",
    "Check `type`, `country` and `document_kinds` of the requirement, and the ID of the address or document.",
  ),
  forward_loop: entry(422, "Forwarding loop", "Forward to a number that does not lead back to this one."),
  window_empty: entry(422, "Empty time window", "Set `to` later than `from`."),
  window_too_long: entry(422, "Time window too long", "Shorten it or use a coarser `granularity`."),
  bulk_change_too_large: entry(
    422,
    "Filter matches too many numbers",
    "Narrow the filter and plan several bulk changes.",
  ),
  password_too_weak: entry(
    422,
    "Password too weak",
    "Use at least 12 characters and not a well-known password. A sentence works well.",
  ),
  link_not_valid: entry(422, "Link expired or already used", "Request a new one."),
  email_taken: entry(422, "Email address not available", "Use another email address."),

  rate_limited: entry(
    429,
    "Too many requests",
    "Wait `Retry-After` seconds. See the remaining quota in `RateLimit`.",
    "retry",
  ),

  internal_error: entry(
    500,
    "Internal error",
    "Retry with the same key. If it persists, report the `request_id`.",
    "retry",
  ),
  carrier_inventory_not_connected: entry(
    501,
    "No carrier inventory connected",
    "Contact the operator. You can order by number without it.",
  ),
  feed_held: entry(
    503,
    "Switches are held after a rollback",
    "Resolve the rollback with `dialplane-server resolve-epoch`. Agents retry, and switches keep their routes until then.",
    "retry",
  ),
  busy: entry(
    503,
    "Server busy",
    "Retry after `Retry-After` seconds, with the same Idempotency-Key if the operation accepts one. Nothing was changed.",
    "retry",
  ),
  unavailable: entry(
    503,
    "Service unavailable",
    "Retry after `Retry-After` seconds with the same Idempotency-Key. Without a key, first check whether the change took effect.",
    "retry",
  ),
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof ERRORS;
