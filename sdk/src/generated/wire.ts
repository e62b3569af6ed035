// Generated from openapi.json by npm run generate; changes made here are lost.

/** A value of an enumeration that may grow: expect ones you do not know yet. */
export type Open<Known extends string> = Known | (string & Record<never, never>);

/** A shape with one of these lists of fields. */
type Needing<Shape, Fields extends (keyof Shape)[]> = Fields extends unknown
  ? Shape & { [Name in Fields[number]]-?: Exclude<Shape[Name], undefined> }
  : never;

export interface AcceptInvitation {
  /** The token of the mailed link. */
  token: string;
  account?: NewAccount | undefined;
}

export interface AcceptedInvitation {
  organisation: AcceptedOrganisation;
  /** One of owner, admin, developer, member; more may come. */
  role: Open<"owner" | "admin" | "developer" | "member">;
}

export interface AcceptedOrganisation {
  id: string;
  name: string;
}

export interface AddPasskey {
  name: string;
  credential: PasskeyAttestation;
}

export interface ApiKey {
  id: string;
  name: string;
  /** One of live, test; more may come. */
  environment: Open<"live" | "test">;
  /** The last four characters of the key. */
  hint: string;
  scopes: Open<"numbers" | "numbers_write" | "full">[];
  /** One of active, expired, revoked; more may come. */
  status: Open<"active" | "expired" | "revoked">;
  allowed_networks: string[];
  /** Whether it also belongs to other organisations. */
  is_shared: boolean;
  created_by: string;
  created_at: string;
  expires_at: string | null;
  revoked_at: string | null;
  replaces_id: string | null;
  last_used_at: string | null;
}

export interface ApiKeyPage {
  data: ApiKey[];
  /** Present while there is more. */
  next_cursor: string | null;
}

export interface ApiKeyWithSecret {
  id: string;
  name: string;
  /** One of live, test; more may come. */
  environment: Open<"live" | "test">;
  /** The last four characters of the key. */
  hint: string;
  scopes: Open<"numbers" | "numbers_write" | "full">[];
  /** One of active, expired, revoked; more may come. */
  status: Open<"active" | "expired" | "revoked">;
  allowed_networks: string[];
  /** Whether it also belongs to other organisations. */
  is_shared: boolean;
  created_by: string;
  created_at: string;
  expires_at: string | null;
  revoked_at: string | null;
  replaces_id: string | null;
  last_used_at: string | null;
  /** The key itself. Shown here and never again. */
  secret: string;
}

export interface AppliedRouting {
  /** One of sip_uri, connection, unrouted, forward, webhook; more may come. */
  mode: Open<"sip_uri" | "connection" | "unrouted" | "forward" | "webhook">;
  sip_uri?: string | undefined;
  connection_id?: string | undefined;
  forward_to?: string | undefined;
  webhook_url?: string | undefined;
  fallback?: Fallback | undefined;
  /** Grows by one with every change of what is desired. */
  generation: number;
  observed_at: string;
}

export interface AuditActor {
  /** One of session, api_key, operator, system, nobody; more may come. */
  kind: Open<"session" | "api_key" | "operator" | "system" | "nobody">;
  id: string | null;
  name: string | null;
}

export interface AuditEntry {
  id: string;
  action: string;
  /** One of done, refused; more may come. */
  outcome: Open<"done" | "refused">;
  /** What it was done to. */
  subject: string | null;
  actor: AuditActor;
  detail: Record<string, unknown>;
  request_id: string | null;
  /** Network address it was done from. */
  address: string | null;
  at: string;
}

export interface AuditPage {
  data: AuditEntry[];
  /** Present while there is more. */
  next_cursor: string | null;
}

export interface Authenticator {
  confirmed_at: string | null;
  recovery_codes_left: number;
}

export interface AuthenticatorEnrolment {
  /** For typing into an app, in base32. */
  secret: string;
  /** The same, to be shown as a QR code. */
  otpauth_uri: string;
  expires_at: string;
}

export interface AuthoriseTool {
  client_name: string;
  /** Where the tool listens: 127.0.0.1 or [::1], any port, a plain path. */
  redirect_uri: string;
  /** SHA-256 of the verifier in base64url (RFC 7636). */
  code_challenge: string;
  code_challenge_method: "S256";
  state: string;
}

export interface BeginDeviceSignIn {
  client_name: string;
}

export interface BeginProviderSignIn {
  email: string;
}

export interface BulkChange {
  id: string;
  /** One of planned, applying, finished, expired; more may come. */
  status: Open<"planned" | "applying" | "finished" | "expired">;
  change: BulkChangeDetail;
  reason: string | null;
  progress: BulkChangeProgress;
  /** Ids that were asked for and name no number here. */
  missing: string[];
  created_by: BulkChangeAuthor;
  created_at: string;
  expires_at: string;
  started_at: string | null;
  finished_at: string | null;
}

export interface BulkChangeAuthor {
  /** One of session, api_key; more may come. */
  kind: Open<"session" | "api_key">;
  id: string | null;
  name: string | null;
}

export interface BulkChangeDetail {
  routing?: RevisedRouting | undefined;
  tags?: TagChange | undefined;
  release_lock?: boolean | undefined;
}

export interface BulkChangeItem {
  number_id: string;
  e164: string;
  from: BulkChangeOrigin;
  /** One of planned, set, unchanged, stale, failed; more may come. */
  outcome: Open<"planned" | "set" | "unchanged" | "stale" | "failed">;
  error: BulkChangeItemError | null;
}

export interface BulkChangeItemError {
  /** As in the list of errors. */
  code: string;
  detail: string;
}

export interface BulkChangeItemPage {
  data: BulkChangeItem[];
  /** Present while there is more. */
  next_cursor: string | null;
}

export interface BulkChangeOrigin {
  /** One of sip_uri, connection, unrouted, forward, webhook; more may come. */
  mode: Open<"sip_uri" | "connection" | "unrouted" | "forward" | "webhook">;
  generation: number;
  tags: string[];
  release_lock: boolean;
}

export interface BulkChangePage {
  data: BulkChange[];
  /** Present while there is more. */
  next_cursor: string | null;
}

export interface BulkChangeProgress {
  total: number;
  set: number;
  unchanged: number;
  stale: number;
  failed: number;
}

/** Exactly one of ids, filter. */
export interface BulkSelection {
  ids?: string[] | undefined;
  filter?: NumberFilter | undefined;
}

export interface Call {
  id: string;
  started_at: string;
  answered_at: string | null;
  ended_at: string | null;
  /** One of answered, busy, no_answer, cancelled, rejected, failed; more may come. */
  result: Open<"answered" | "busy" | "no_answer" | "cancelled" | "rejected" | "failed">;
  /** One of refused, hung_up, unknown; more may come. */
  ending: Open<"refused" | "hung_up" | "unknown">;
  /** `caller`, `callee` or `switch`; null if unknown. */
  ended_by: string | null;
  /** From the INVITE to the first ringing, or to the answer of a call that never rang. */
  setup_ms: number | null;
  /** From the first ringing to the answer or the end; null for a call that never rang. */
  ring_ms: number | null;
  talk_seconds: number;
  /** Of the routing that the call found. */
  mode: string | null;
  generation: number | null;
  /** Of SIP. */
  code: number | null;
  /** Why the switch ended it, where it did. */
  reason: string | null;
  /** Cause by ITU-T Q.850, if the other side gave one. */
  q850: number | null;
  switch: string | null;
  /** In E.164. Null if the caller sent no number, withheld it, or when the time is over for which callers are kept. */
  caller: string | null;
  /** As the carrier sent it; kept as long as the caller. */
  caller_raw: string | null;
  /** Kept as long as the caller. */
  target: string | null;
  /** Every target that the switch tried, in order; kept as long as the caller. */
  attempts: CallAttempt[];
  /** Call-ID of the carrier's INVITE; kept as long as the caller. */
  sip_call_id: string | null;
}

export interface CallAttempt {
  /** Counts the destinations of a routing; 1 unless it has a failover. */
  step: number;
  /** One of sip_uri, connection, forward; more may come. */
  mode: Open<"sip_uri" | "connection" | "forward">;
  /** As the routing or connection names it; null for a gateway. */
  host: string | null;
  /** Where the switch sent the call. */
  address: string;
  /** One of udp, tcp, tls; more may come. */
  transport: Open<"udp" | "tcp" | "tls">;
  /** One of answered, unreachable, no_answer, busy, refused, cancelled, unknown; more may come. */
  outcome: Open<"answered" | "unreachable" | "no_answer" | "busy" | "refused" | "cancelled" | "unknown">;
  /** SIP status of the target's final response; null if there was none. */
  code: number | null;
  started_at: string;
  ringing_at: string | null;
  /** When the target answered or the switch gave up on it. */
  ended_at: string | null;
}

export interface CallPage {
  data: Call[];
  /** Present while there is more. */
  next_cursor: string | null;
}

export interface Caller {
  /** One of session, api_key; more may come. */
  kind: Open<"session" | "api_key">;
  id: string;
  name: string;
  /** Of a person. */
  email?: string | undefined;
  /** Of a key. */
  scopes?: Open<"numbers" | "numbers_write" | "full">[] | undefined;
  /** One of live, test; more may come. */
  environment: Open<"live" | "test">;
  /** The last four characters of the key. */
  key_hint?: string | undefined;
  expires_at?: string | null | undefined;
}

export interface ChangeConnection {
  name?: string | undefined;
  targets?: SetConnectionTarget[] | undefined;
  /** Calls at once; null for no limit. */
  max_calls?: number | null | undefined;
  /** How long a target may ring before the next is tried; null for what the switch does by itself. */
  ring_seconds?: number | null | undefined;
  /** Addresses and networks (/24 to /32) of your cluster beside its targets: hang-ups and other requests within a call are accepted from there too. They must be public. */
  sources?: string[] | undefined;
}

export interface ChangeEmail {
  new_email: string;
}

export interface ChangeIdentityProvider {
  name?: string | undefined;
  /** What the provider gave for this client. It is kept sealed and never shown. */
  client_secret?: string | undefined;
  /** Domains of the e-mail addresses that this provider speaks for. Each counts once it is proved. */
  domains?: string[] | undefined;
}

export interface ChangeNumber {
  label?: string | null | undefined;
  tags?: string[] | undefined;
  release_lock?: boolean | undefined;
}

export interface ChangePassword {
  new_password: string;
}

export interface ChangeRole {
  role: "owner" | "admin" | "developer" | "member";
  /** What happens to API keys that the person created and could not create in the new role: they end at once (`end`), in 24 hours (`grace`) or not at all (`keep`, the default). A key of several organisations loses this one instead. */
  keys?: "end" | "grace" | "keep" | undefined;
}

export interface ChangeSignInPolicy {
  require_second_factor?: boolean | undefined;
  require_single_sign_on?: boolean | undefined;
  /** Hours after signing in. Null if only the limit of the service applies, which is 30 days. */
  max_session_age_hours?: number | null | undefined;
}

export interface ChangeWebhookEndpoint {
  /** https, port 443, a public name or address. */
  url?: string | undefined;
  description?: string | null | undefined;
  /** Types of events to deliver. `order.*` stands for every type that begins with `order.`. Leave it empty for all events, including types that are added later. */
  event_types?: string[] | undefined;
  status?: "active" | "disabled" | undefined;
}

export interface ChangedMember {
  user_id: string;
  name: string;
  email: string;
  /** One of owner, admin, developer, member; more may come. */
  role: Open<"owner" | "admin" | "developer" | "member">;
  joined_at: string;
  /** Active API keys that the person created and could not create in the new role, and what happens to them. */
  keys: LeftBehindKey[];
}

export interface CompleteEmailChange {
  /** The token of the mailed link. */
  token: string;
}

export interface CompletePasswordReset {
  /** The token of the mailed link. */
  token: string;
  new_password: string;
}

export interface ConfirmAuthenticator {
  /** Six digits of the authenticator app, or a recovery code where one can stand in for it. */
  code: string;
}

export interface Connection {
  id: string;
  name: string;
  targets: ConnectionTarget[];
  /** Calls at once; null for no limit. */
  max_calls: number | null;
  /** How long a target may ring before the next is tried; null for what the switch does by itself. */
  ring_seconds: number | null;
  /** Addresses and networks (/24 to /32) of your cluster beside its targets: hang-ups and other requests within a call are accepted from there too. They must be public. */
  sources: string[];
  /** Grows by one with every change; also the ETag. */
  generation: number;
  /** Numbers whose routing or fallback names it; counted up to 1,000. */
  in_use_by: number;
  created_at: string;
  updated_at: string;
}

export interface ConnectionPage {
  data: Connection[];
  /** Present while there is more. */
  next_cursor: string | null;
}

export interface ConnectionTarget {
  host: string;
  port: number;
  /** One of udp, tcp, tls; more may come. */
  transport: Open<"udp" | "tcp" | "tls">;
  /** Lower is tried first. */
  priority: number;
  /** Share of the calls among targets of one priority. */
  weight: number;
  health: TargetHealth;
}

export interface CreateApiKey {
  name: string;
  scopes: ("numbers" | "numbers_write" | "full")[];
  /** 90 when left out; null for a key that does not end by itself. */
  expires_in_days?: number | null | undefined;
  /** The current organisation when left out. */
  organisation_ids?: string[] | undefined;
  /** From where the key may be used; anywhere when empty. */
  allowed_networks?: string[] | undefined;
}

export interface CreateConnection {
  name: string;
  targets: SetConnectionTarget[];
  /** Calls at once; null for no limit. */
  max_calls?: number | null | undefined;
  /** How long a target may ring before the next is tried; null for what the switch does by itself. */
  ring_seconds?: number | null | undefined;
  /** Addresses and networks (/24 to /32) of your cluster beside its targets: hang-ups and other requests within a call are accepted from there too. They must be public. */
  sources?: string[] | undefined;
}

export interface CreateIdentityProvider {
  name: string;
  /** As the provider writes it: below it lies .well-known/openid-configuration. https, port 443, a public name or address. */
  issuer: string;
  client_id: string;
  /** What the provider gave for this client. It is kept sealed and never shown. */
  client_secret: string;
  /** Domains of the e-mail addresses that this provider speaks for. Each counts once it is proved. */
  domains: string[];
}

export interface CreateReservation {
  numbers: string[];
}

export interface CreateWebhookEndpoint {
  /** https, port 443, a public name or address. */
  url: string;
  description?: string | null | undefined;
  /** Types of events to deliver. `order.*` stands for every type that begins with `order.`. Leave it empty for all events, including types that are added later. */
  event_types?: string[] | undefined;
}

export interface DesiredRouting {
  /** One of sip_uri, connection, unrouted, forward, webhook; more may come. */
  mode: Open<"sip_uri" | "connection" | "unrouted" | "forward" | "webhook">;
  sip_uri?: string | undefined;
  connection_id?: string | undefined;
  forward_to?: string | undefined;
  webhook_url?: string | undefined;
  fallback?: Fallback | undefined;
  /** Grows by one with every change of what is desired. */
  generation: number;
  set_at: string;
  set_by: RoutingAuthor;
  reason: string | null;
}

export interface DeviceSignIn {
  device_code: string;
  user_code: string;
  /** Where the person types the user_code. */
  verification_uri: string;
  interval_seconds: number;
  expires_at: string;
}

/** The last drift, until 10 minutes after it was last found. `null` if there was none. */
export interface Drift {
  switch: string;
  found: DriftedDestination | null;
  expected: DriftedDestination | null;
  /** Whether the switch held another value each time. `found` and `expected` are then those of the last time. */
  is_various: boolean;
  /** How often it was found. */
  count: number;
  first_at: string;
  last_at: string;
}

export interface DriftedDestination {
  /** One of sip_uri, connection, unrouted, forward, webhook; more may come. */
  mode: Open<"sip_uri" | "connection" | "unrouted" | "forward" | "webhook">;
  sip_uri?: string | undefined;
  connection_id?: string | undefined;
  forward_to?: string | undefined;
  webhook_url?: string | undefined;
  fallback?: Fallback | undefined;
  /** Grows by one with every change of what is desired. */
  generation: number;
}

export interface DialplaneEvent {
  id: string;
  /** Position among the organisation's events. It only grows; other environments leave gaps. */
  sequence: number;
  /** noun.past; more types may come. */
  type: string;
  /** Identifier of what it happened to. */
  subject: string | null;
  data: Record<string, unknown>;
  created_at: string;
}

export interface EventPage {
  data: DialplaneEvent[];
  /** Present while there is more. */
  next_cursor: string | null;
}

export interface Fallback {
  /** One of sip_uri, connection, unrouted, forward, webhook; more may come. */
  mode: Open<"sip_uri" | "connection" | "unrouted" | "forward" | "webhook">;
  sip_uri?: string | undefined;
  connection_id?: string | undefined;
}

export interface GenerationMismatchProblem {
  /** Address of this code's documentation. */
  type: string;
  /** The same for every refusal with this code. */
  title: string;
  status: number;
  /** What was wrong with this very request. */
  detail: string;
  /** This very refusal. */
  instance: string;
  /** Stable; decide by it. More codes may come. */
  code: string;
  request_id: string;
  /** Whether the very same request can succeed later. */
  retryable: boolean;
  /** One entry for each part that was wrong. */
  errors?: ProblemPart[] | undefined;
  /** The current generation. */
  generation: number;
}

export interface IdempotencyKeyReusedProblem {
  /** Address of this code's documentation. */
  type: string;
  /** The same for every refusal with this code. */
  title: string;
  status: number;
  /** What was wrong with this very request. */
  detail: string;
  /** This very refusal. */
  instance: string;
  /** Stable; decide by it. More codes may come. */
  code: string;
  request_id: string;
  /** Whether the very same request can succeed later. */
  retryable: boolean;
  /** One entry for each part that was wrong. */
  errors?: ProblemPart[] | undefined;
  /** The order that was placed with this key, if it was one. */
  order_id?: string | undefined;
}

export interface IdentityProvider {
  id: string;
  name: string;
  issuer: string;
  client_id: string;
  /** What the provider has to allow for this client. */
  redirect_uri: string;
  domains: IdentityProviderDomain[];
  /** How many have signed in through it. */
  people: number;
  created_at: string;
}

export interface IdentityProviderDomain {
  domain: string;
  /** `claimed`: not verified yet. `proved`: the domain is verified. `lapsed`: it was verified, and its TXT record has been missing for three days. Only with `proved` can people of the domain sign in through the provider. */
  status: Open<"claimed" | "proved" | "lapsed">;
  /** Where the TXT record belongs. */
  record_name: string;
  /** What it has to say. */
  record_value: string;
  proved_at: string | null;
  /** When the TXT record was last looked up with a result. It is looked up about once a day. */
  checked_at: string | null;
  /** When the TXT record was first found missing. Null if it is there. The proof lapses after three days. */
  missing_since: string | null;
  /** When the proof lapsed. Null if it has not, or if the domain has been verified again. */
  lapsed_at: string | null;
}

export interface IdentityProviderPage {
  data: IdentityProvider[];
  /** Present while there is more. */
  next_cursor: string | null;
}

export interface InventoryCarrier {
  /** False where this installation has no inventory to show; data is empty then. */
  connected: boolean;
}

export interface InventoryNumber {
  e164: string;
  /** Null for numbers of no country, such as +800. */
  country: string | null;
  /** One of local, national, mobile, toll_free; more may come. */
  type: Open<"local" | "national" | "mobile" | "toll_free">;
  capabilities: Open<"voice">[];
}

export interface InventoryPage {
  data: InventoryNumber[];
  /** Present while there is more. */
  next_cursor: string | null;
  carrier: InventoryCarrier;
}

export interface Invitation {
  id: string;
  email: string;
  /** One of owner, admin, developer, member; more may come. */
  role: Open<"owner" | "admin" | "developer" | "member">;
  invited_by: string | null;
  created_at: string;
  expires_at: string;
}

export interface InvitationPage {
  data: Invitation[];
  /** Present while there is more. */
  next_cursor: string | null;
}

export interface InviteMember {
  email: string;
  role: "owner" | "admin" | "developer" | "member";
}

export interface Job {
  id: string;
  /** One of number_order, number_release, number_restore; more may come. */
  type: Open<"number_order" | "number_release" | "number_restore">;
  /** One of queued, running, waiting, succeeded, partially_succeeded, failed; more may come. */
  status: Open<"queued" | "running" | "waiting" | "succeeded" | "partially_succeeded" | "failed">;
  /** What a waiting job waits for. */
  reason: string | null;
  progress: JobProgress;
  subject: JobSubject;
  /** Why it failed: a problem, as refused requests are answered with. */
  error: Record<string, unknown> | null;
  /** How often a worker has taken it up. */
  attempts: number;
  created_at: string;
  started_at: string | null;
  finished_at: string | null;
}

export interface JobPage {
  data: Job[];
  /** Present while there is more. */
  next_cursor: string | null;
}

export interface JobProgress {
  total: number;
  succeeded: number;
  failed: number;
}

export interface JobSubject {
  order_id?: string | undefined;
  number_id?: string | undefined;
}

export interface LeftBehindKey {
  id: string;
  name: string;
  hint: string;
  /** One of kept, ended, expires, detached; more may come. */
  outcome: Open<"kept" | "ended" | "expires" | "detached">;
  expires_at: string | null;
}

export interface LiveNumber {
  number_id: string;
  active_calls: number;
  calls_last_minute: number;
  last_call_at: string | null;
  /** One of sip_uri, connection, unrouted, forward, webhook; more may come. */
  applied_mode: Open<"sip_uri" | "connection" | "unrouted" | "forward" | "webhook"> | null;
  /** Whether every switch of the number has been heard of lately. */
  switch_online: boolean;
  observed_at: string | null;
}

export interface LiveNumbers {
  as_of: string;
  data: LiveNumber[];
  /** Ids that are no number of this organisation's on this side. */
  missing: string[];
}

export interface Me {
  caller: Caller;
  memberships: Membership[];
}

export interface Member {
  user_id: string;
  name: string;
  email: string;
  /** One of owner, admin, developer, member; more may come. */
  role: Open<"owner" | "admin" | "developer" | "member">;
  joined_at: string;
}

export interface MemberPage {
  data: Member[];
  /** Present while there is more. */
  next_cursor: string | null;
}

export interface Membership {
  organisation: MembershipOrganisation;
  /** One of owner, admin, developer, member; more may come. */
  role: Open<"owner" | "admin" | "developer" | "member"> | null;
  /** The rule of the organisation's sign-in policy that your session does not meet. While it is set, requests in the organisation are rejected. Always null for an API key. */
  unmet_policy: Open<"second_factor" | "single_sign_on" | "session_age"> | null;
}

export interface MembershipOrganisation {
  id: string;
  name: string;
}

export interface NewAccount {
  name: string;
  password: string;
}

export interface PhoneNumber {
  id: string;
  e164: string;
  country: string | null;
  /** One of local, national, mobile, toll_free, shared_cost, premium, voip, personal, uan, pager, other; more may come. */
  type: Open<"local" | "national" | "mobile" | "toll_free" | "shared_cost" | "premium" | "voip" | "personal" | "uan" | "pager" | "other">;
  capabilities: Open<"voice">[];
  /** One of active, suspended, releasing, quarantined, released; more may come. */
  status: Open<"active" | "suspended" | "releasing" | "quarantined" | "released">;
  /** Why it is suspended, where a reason was given: `not_at_carrier`, for one. */
  status_reason: string | null;
  label: string | null;
  tags: string[];
  /** One of order, import; more may come. */
  source: Open<"order" | "import">;
  order_id: string | null;
  /** Null for a member without a role that reads routing. */
  routing: NumberRouting | null;
  /** While true, the number cannot be released. */
  release_lock: boolean;
  acquired_at: string;
  released_at: string | null;
  restore_until: string | null;
  /** Start of the newest call that has ended, accurate to a minute. Null if no call has ended yet. Calls in progress are in `GET /v1/numbers/live`. */
  last_call_at: string | null;
  created_at: string;
  updated_at: string;
}

export interface NumberFilter {
  /** Part of the digits or of the label. One or two characters are taken as what a number or, if they are no digits, a label begins with. */
  q?: string | undefined;
  country?: string | undefined;
  type?: string | undefined;
  status?: "active" | "suspended" | "releasing" | "quarantined" | "released" | undefined;
  tag?: string | undefined;
  mode?: "sip_uri" | "connection" | "unrouted" | "forward" | "webhook" | undefined;
  sync?: "in_sync" | "pending" | "failed" | "drifted" | "unknown" | undefined;
}

export interface NumberPage {
  data: PhoneNumber[];
  /** Present while there is more. */
  next_cursor: string | null;
}

export interface NumberRouting {
  /** One of sip_uri, connection, unrouted, forward, webhook; more may come. */
  mode: Open<"sip_uri" | "connection" | "unrouted" | "forward" | "webhook">;
  generation: number;
  /** One of in_sync, pending, failed, drifted, unknown; more may come. */
  status: Open<"in_sync" | "pending" | "failed" | "drifted" | "unknown">;
  /** Whether a switch has drifted three times or more between the same values, and the last time was less than 10 minutes ago. Also true while it holds what it should. */
  flapping: boolean;
}

export interface NumberUsage {
  number_id: string;
  /** The window that was used. */
  from: string;
  to: string;
  /** False where an edge had to be moved to the full hour: records that old are gone. */
  exact: boolean;
  /** When this was counted. */
  as_of: string;
  /** No call that began before this is still up or has still to be reported; null while a switch has not said how far it is. */
  complete_through: string | null;
  /** Switches not heard of, which may have calls to report. */
  unreachable_switches: string[];
  totals: UsageTotals;
  /** Only where `granularity` was asked for. */
  buckets?: UsageBucket[] | undefined;
}

export interface Order {
  id: string;
  job_id: string;
  /** One of pending, processing, completed, partially_completed, failed; more may come. */
  status: Open<"pending" | "processing" | "completed" | "partially_completed" | "failed">;
  quantity: number;
  criteria: OrderedCriteria | null;
  reservation_id: string | null;
  all_or_nothing: boolean;
  routing: RevisedRouting | null;
  label: string | null;
  tags: string[];
  external_ref: string | null;
  created_by: OrderAuthor;
  created_at: string;
  finished_at: string | null;
  items: OrderItem[];
}

export interface OrderAuthor {
  /** One of session; more may come. */
  kind: Open<"session">;
  id: string | null;
  name: string | null;
}

export interface OrderCriteria {
  country: string;
  type?: string | undefined;
  /** Digits the number begins with, its country's code first, without the plus. */
  prefix?: string | undefined;
}

export interface OrderItem {
  /** Null until one is chosen. */
  e164: string | null;
  /** One of pending, submitted, succeeded, failed, outcome_unknown; more may come. */
  status: Open<"pending" | "submitted" | "succeeded" | "failed" | "outcome_unknown">;
  number_id: string | null;
  error: OrderItemError | null;
}

export interface OrderItemError {
  /** As in the list of errors. */
  code: string;
  detail: string;
}

export interface OrderPage {
  data: OrderSummary[];
  /** Present while there is more. */
  next_cursor: string | null;
}

export interface OrderSummary {
  id: string;
  job_id: string;
  /** One of pending, processing, completed, partially_completed, failed; more may come. */
  status: Open<"pending" | "processing" | "completed" | "partially_completed" | "failed">;
  quantity: number;
  criteria: OrderedCriteria | null;
  reservation_id: string | null;
  all_or_nothing: boolean;
  routing: RevisedRouting | null;
  label: string | null;
  tags: string[];
  external_ref: string | null;
  created_by: OrderAuthor;
  created_at: string;
  finished_at: string | null;
}

export interface OrderedCriteria {
  country: string;
  type?: string | undefined;
  /** Digits the number begins with, its country's code first, without the plus. */
  prefix?: string | undefined;
}

export interface OrganisationRequiredProblem {
  /** Address of this code's documentation. */
  type: string;
  /** The same for every refusal with this code. */
  title: string;
  status: number;
  /** What was wrong with this very request. */
  detail: string;
  /** This very refusal. */
  instance: string;
  /** Stable; decide by it. More codes may come. */
  code: string;
  request_id: string;
  /** Whether the very same request can succeed later. */
  retryable: boolean;
  /** One entry for each part that was wrong. */
  errors?: ProblemPart[] | undefined;
  /** Organisations that you can name in `X-Service-Org`. */
  organisations: ProblemOrganisation[];
}

export interface OrganisationSecondFactorRequiredProblem {
  /** Address of this code's documentation. */
  type: string;
  /** The same for every refusal with this code. */
  title: string;
  status: number;
  /** What was wrong with this very request. */
  detail: string;
  /** This very refusal. */
  instance: string;
  /** Stable; decide by it. More codes may come. */
  code: string;
  request_id: string;
  /** Whether the very same request can succeed later. */
  retryable: boolean;
  /** One entry for each part that was wrong. */
  errors?: ProblemPart[] | undefined;
  organisation: ProblemOrganisation;
}

export interface OrganisationUsage {
  /** The window that was used. */
  from: string;
  to: string;
  /** False where an edge had to be moved to the full hour: records that old are gone. */
  exact: boolean;
  /** When this was counted. */
  as_of: string;
  /** No call that began before this is still up or has still to be reported; null while a switch has not said how far it is. */
  complete_through: string | null;
  /** Switches not heard of, which may have calls to report. */
  unreachable_switches: string[];
  totals: UsageTotals;
  /** Only where `granularity` was asked for. */
  buckets?: UsageBucket[] | undefined;
}

export interface Passkey {
  id: string;
  name: string;
  /** Whether it can be on several devices of yours. */
  is_synced: boolean;
  created_at: string;
  last_used_at: string | null;
}

export interface PasskeyAssertion {
  /** In base64url. */
  id: string;
  /** In base64url. */
  rawId: string;
  type: "public-key";
  clientExtensionResults: Record<string, unknown>;
  authenticatorAttachment?: string | null | undefined;
  response: PasskeyAssertionResponse;
}

export interface PasskeyAssertionResponse {
  /** In base64url. */
  clientDataJSON: string;
  /** In base64url. */
  authenticatorData: string;
  /** In base64url. */
  signature: string;
  /** In base64url. */
  userHandle?: string | null | undefined;
  /** In base64url. */
  attestationObject?: string | null | undefined;
}

export interface PasskeyAttestation {
  /** In base64url. */
  id: string;
  /** In base64url. */
  rawId: string;
  type: "public-key";
  clientExtensionResults: Record<string, unknown>;
  authenticatorAttachment?: string | null | undefined;
  response: PasskeyAttestationResponse;
}

export interface PasskeyAttestationResponse {
  /** In base64url. */
  clientDataJSON: string;
  /** In base64url. */
  attestationObject: string;
  /** In base64url. */
  authenticatorData?: string | undefined;
  /** In base64url. */
  publicKey?: string | null | undefined;
  publicKeyAlgorithm?: number | undefined;
  transports?: string[] | undefined;
}

export interface PasskeyChallenge {
  /** For PublicKeyCredential.parseCreationOptionsFromJSON or parseRequestOptionsFromJSON of the browser. */
  options: Record<string, unknown>;
}

export interface PasskeyPage {
  data: Passkey[];
  /** Present while there is more. */
  next_cursor: string | null;
}

/** By `numbers`, by `reservation_id`, or by `criteria` and `quantity`: exactly one of these. */
export type PlaceOrder = Needing<{
  numbers?: string[] | undefined;
  reservation_id?: string | undefined;
  criteria?: OrderCriteria | undefined;
  quantity?: number | undefined;
  routing?: SetRouting | undefined;
  label?: string | undefined;
  tags?: string[] | undefined;
  /** A name of yours for it, given back with the order. */
  external_ref?: string | undefined;
  all_or_nothing?: boolean | undefined;
}, ["numbers"] | ["reservation_id"] | ["criteria","quantity"]>;

export interface PlanBulkChange {
  select: BulkSelection;
  change: WantedBulkChange;
  /** Why, for whoever reads the history. */
  reason?: string | undefined;
}

export interface Problem {
  /** Address of this code's documentation. */
  type: string;
  /** The same for every refusal with this code. */
  title: string;
  status: number;
  /** What was wrong with this very request. */
  detail: string;
  /** This very refusal. */
  instance: string;
  /** Stable; decide by it. More codes may come. */
  code: string;
  request_id: string;
  /** Whether the very same request can succeed later. */
  retryable: boolean;
  /** One entry for each part that was wrong. */
  errors?: ProblemPart[] | undefined;
}

export interface ProblemIdentityProvider {
  id: string;
  name: string;
}

export interface ProblemOrganisation {
  id: string;
  name: string;
}

export interface ProblemPart {
  /** Where in the body, as a JSON Pointer. */
  pointer?: string | undefined;
  /** Which query parameter. */
  parameter?: string | undefined;
  /** Which request header. */
  header?: string | undefined;
  /** What is wrong with it, for programs. */
  code: string;
  /** The same for people. */
  detail: string;
}

export interface ProveDomain {
  domain: string;
}

export interface ProviderSignIn {
  /** Where to send the browser; null where no organisation has proved the address's domain. */
  redirect_to: string | null;
}

export interface RateLimitedProblem {
  /** Address of this code's documentation. */
  type: string;
  /** The same for every refusal with this code. */
  title: string;
  status: number;
  /** What was wrong with this very request. */
  detail: string;
  /** This very refusal. */
  instance: string;
  /** Stable; decide by it. More codes may come. */
  code: string;
  request_id: string;
  /** Whether the very same request can succeed later. */
  retryable: boolean;
  /** One entry for each part that was wrong. */
  errors?: ProblemPart[] | undefined;
  /** The limit that is used up, as in `RateLimit-Policy`. */
  policy: string;
}

export interface Reauthenticate {
  password: string;
}

export interface ReauthenticateWithCode {
  /** Six digits of the authenticator app, or a recovery code where one can stand in for it. */
  code: string;
}

export interface ReauthenticateWithPasskey {
  credential: PasskeyAssertion;
}

export interface RecoveryCodes {
  recovery_codes: string[];
}

export interface RedeemCode {
  code: string;
  code_verifier: string;
  /** Where the tool listens: 127.0.0.1 or [::1], any port, a plain path. */
  redirect_uri: string;
}

export interface RedeemDevice {
  device_code: string;
}

export interface Release {
  job_id: string;
  number_id: string;
  /** One of releasing, restoring, quarantined, released, active, suspended; more may come. */
  status: Open<"releasing" | "restoring" | "quarantined" | "released" | "active" | "suspended">;
}

export interface ReleaseInProgressProblem {
  /** Address of this code's documentation. */
  type: string;
  /** The same for every refusal with this code. */
  title: string;
  status: number;
  /** What was wrong with this very request. */
  detail: string;
  /** This very refusal. */
  instance: string;
  /** Stable; decide by it. More codes may come. */
  code: string;
  request_id: string;
  /** Whether the very same request can succeed later. */
  retryable: boolean;
  /** One entry for each part that was wrong. */
  errors?: ProblemPart[] | undefined;
  /** The job in progress. Follow it at `GET /v1/jobs/{job_id}`. */
  job_id: string | null;
}

export interface RemovedMember {
  user_id: string;
  /** Active API keys of the organisation that this person created, and what happens to them. */
  keys: LeftBehindKey[];
}

export interface RenamePasskey {
  name: string;
}

export interface ReplayDeliveries {
  delivery_id?: string | undefined;
  status?: "delivered" | "failed" | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

export interface ReplayedDeliveries {
  replayed: number;
}

export interface RequestPasswordReset {
  email: string;
}

export interface Reservation {
  id: string;
  /** One of active, ordered, expired, cancelled; more may come. */
  status: Open<"active" | "ordered" | "expired" | "cancelled">;
  numbers: string[];
  expires_at: string;
  created_at: string;
}

export interface ReservationPage {
  data: Reservation[];
  /** Present while there is more. */
  next_cursor: string | null;
}

export interface RestoreInProgressProblem {
  /** Address of this code's documentation. */
  type: string;
  /** The same for every refusal with this code. */
  title: string;
  status: number;
  /** What was wrong with this very request. */
  detail: string;
  /** This very refusal. */
  instance: string;
  /** Stable; decide by it. More codes may come. */
  code: string;
  request_id: string;
  /** Whether the very same request can succeed later. */
  retryable: boolean;
  /** One entry for each part that was wrong. */
  errors?: ProblemPart[] | undefined;
  /** The job in progress. Follow it at `GET /v1/jobs/{job_id}`. */
  job_id: string | null;
}

export interface RevisedRouting {
  /** One of sip_uri, connection, unrouted, forward, webhook; more may come. */
  mode: Open<"sip_uri" | "connection" | "unrouted" | "forward" | "webhook">;
  sip_uri?: string | undefined;
  connection_id?: string | undefined;
  forward_to?: string | undefined;
  webhook_url?: string | undefined;
  fallback?: Fallback | undefined;
}

export interface RoleNotAllowedProblem {
  /** Address of this code's documentation. */
  type: string;
  /** The same for every refusal with this code. */
  title: string;
  status: number;
  /** What was wrong with this very request. */
  detail: string;
  /** This very refusal. */
  instance: string;
  /** Stable; decide by it. More codes may come. */
  code: string;
  request_id: string;
  /** Whether the very same request can succeed later. */
  retryable: boolean;
  /** One entry for each part that was wrong. */
  errors?: ProblemPart[] | undefined;
  /** Roles of which you need one. */
  roles: string[];
}

export interface RollBackRouting {
  /** The revision whose routing is to be desired again. */
  generation: number;
  /** Why, for whoever reads the history. */
  reason?: string | undefined;
}

export interface RotateApiKey {
  /** How long the old key goes on; 24 when left out. */
  overlap_hours?: 0 | 1 | 24 | 168 | undefined;
}

export interface Routing {
  number_id: string;
  desired: DesiredRouting;
  applied: AppliedRouting | null;
  /** One of in_sync, pending, failed, drifted, unknown; more may come. */
  status: Open<"in_sync" | "pending" | "failed" | "drifted" | "unknown">;
  since: string | null;
  /** Why calls are not routed as desired, such as number_suspended. */
  effective_reason: string | null;
  switches: SwitchReading[];
  last_error: string | null;
  /** Whether a switch has drifted three times or more between the same values, and the last time was less than 10 minutes ago. Also true while it holds what it should. */
  flapping: boolean;
  drift: Drift | null;
}

export interface RoutingAuthor {
  /** One of session, api_key, operator, system; more may come. */
  kind: Open<"session" | "api_key" | "operator" | "system">;
  id: string | null;
  name: string | null;
}

export interface RoutingDiff {
  /** Grows by one with every change of what is desired. */
  from: number;
  /** Grows by one with every change of what is desired. */
  to: number;
  changes: RoutingDifference[];
}

export interface RoutingDifference {
  field: string;
  from: string | null;
  to: string | null;
}

export interface RoutingRevision {
  /** Grows by one with every change of what is desired. */
  generation: number;
  desired: RevisedRouting;
  set_at: string;
  set_by: RoutingAuthor;
  reason: string | null;
}

export interface RoutingRevisionPage {
  data: RoutingRevision[];
  /** Present while there is more. */
  next_cursor: string | null;
}

export interface RoutingWebhookSecret {
  /** For any library of Standard Webhooks. */
  secret: string;
  version: number;
  /** Until when the secret before this one signs too; null where none does any more. */
  previous_until: string | null;
}

export interface ScopeMissingProblem {
  /** Address of this code's documentation. */
  type: string;
  /** The same for every refusal with this code. */
  title: string;
  status: number;
  /** What was wrong with this very request. */
  detail: string;
  /** This very refusal. */
  instance: string;
  /** Stable; decide by it. More codes may come. */
  code: string;
  request_id: string;
  /** Whether the very same request can succeed later. */
  retryable: boolean;
  /** One entry for each part that was wrong. */
  errors?: ProblemPart[] | undefined;
  /** Scopes of which the API key needs one. */
  scopes: string[];
}

export interface SecondFactorNeeded {
  /** The challenge that the first step was answered with. */
  challenge: string;
  factors: Open<"app" | "recovery_code">[];
  expires_at: string;
}

export interface Session {
  id: string;
  /** One of browser, tool; more may come. */
  kind: Open<"browser" | "tool">;
  /** Whether this is the session that asks. */
  is_current: boolean;
  created_at: string;
  last_seen_at: string;
  expires_at: string;
  address: string | null;
  user_agent: string | null;
}

export interface SessionPage {
  data: Session[];
  /** Present while there is more. */
  next_cursor: string | null;
}

export interface SessionTooOldProblem {
  /** Address of this code's documentation. */
  type: string;
  /** The same for every refusal with this code. */
  title: string;
  status: number;
  /** What was wrong with this very request. */
  detail: string;
  /** This very refusal. */
  instance: string;
  /** Stable; decide by it. More codes may come. */
  code: string;
  request_id: string;
  /** Whether the very same request can succeed later. */
  retryable: boolean;
  /** One entry for each part that was wrong. */
  errors?: ProblemPart[] | undefined;
  organisation: ProblemOrganisation;
}

export interface SetConnectionFallback {
  mode: "connection";
  connection_id: string;
}

export interface SetConnectionRouting {
  mode: "connection";
  connection_id: string;
  /** Why, for whoever reads the history. */
  reason?: string | undefined;
}

export interface SetConnectionTarget {
  /** A name or an address; IPv6 without brackets. It must be public. */
  host: string;
  /** 5060 when left out; 5061 for tls. */
  port?: number | undefined;
  transport?: "udp" | "tcp" | "tls" | undefined;
  /** Lower is tried first. */
  priority?: number | undefined;
  /** Share of the calls among targets of one priority. */
  weight?: number | undefined;
  /** Ignored: targets may be sent back as they were read. */
  health?: {
    state: string;
    switches: unknown[];
  } | undefined;
}

export type SetFallback = SetSipUriFallback | SetConnectionFallback | SetUnroutedFallback;

export interface SetForwardRouting {
  mode: "forward";
  forward_to: string;
  /** Why, for whoever reads the history. */
  reason?: string | undefined;
}

export type SetRouting = SetSipUriRouting | SetConnectionRouting | SetUnrouted | SetForwardRouting | SetWebhookRouting;

export interface SetSipUriFallback {
  mode: "sip_uri";
  sip_uri: string;
}

export interface SetSipUriRouting {
  mode: "sip_uri";
  sip_uri: string;
  /** Why, for whoever reads the history. */
  reason?: string | undefined;
}

export interface SetUnrouted {
  mode: "unrouted";
  /** Why, for whoever reads the history. */
  reason?: string | undefined;
}

export interface SetUnroutedFallback {
  mode: "unrouted";
}

export interface SetWebhookRouting {
  mode: "webhook";
  webhook_url: string;
  fallback?: SetFallback | undefined;
  /** Why, for whoever reads the history. */
  reason?: string | undefined;
}

export interface SignIn {
  email: string;
  password: string;
}

export interface SignInPolicy {
  /** Whether members have to sign in with an authenticator app or a passkey. */
  require_second_factor: boolean;
  /** Whether members have to sign in through an identity provider of the organisation. Owners can instead use two factors of their own: the other owners get an email, and the audit log records it. */
  require_single_sign_on: boolean;
  /** Hours after signing in. Null if only the limit of the service applies, which is 30 days. */
  max_session_age_hours: number | null;
}

export interface SignInWithCode {
  /** The challenge that the first step was answered with. */
  challenge: string;
  /** Six digits of the authenticator app, or a recovery code where one can stand in for it. */
  code: string;
}

export interface SignInWithPasskey {
  credential: PasskeyAssertion;
}

export interface SignInWithProvider {
  /** As it came back. */
  state: string;
  /** As it came back. */
  code: string;
  /** As it came back, where it did (RFC 9207). */
  iss?: string | undefined;
}

export interface SignedIn {
  user: SignedInUser;
  /** Whether you must add an authenticator app or a passkey: an organisation of yours requires it, or you are an operator. Without one, requests there are rejected. */
  enrolment_required: boolean;
}

export interface SignedInUser {
  id: string;
  name: string;
  email: string;
}

export interface SingleSignOnRequiredProblem {
  /** Address of this code's documentation. */
  type: string;
  /** The same for every refusal with this code. */
  title: string;
  status: number;
  /** What was wrong with this very request. */
  detail: string;
  /** This very refusal. */
  instance: string;
  /** Stable; decide by it. More codes may come. */
  code: string;
  request_id: string;
  /** Whether the very same request can succeed later. */
  retryable: boolean;
  /** One entry for each part that was wrong. */
  errors?: ProblemPart[] | undefined;
  organisation: ProblemOrganisation;
  /** Identity providers that have a verified domain. */
  identity_providers: ProblemIdentityProvider[];
}

export interface SwitchReading {
  switch: string;
  applied: AppliedRouting | null;
  observed_at: string | null;
  error: string | null;
}

export interface TagChange {
  add: string[];
  remove: string[];
}

export interface TargetAddress {
  address: string;
  /** One of up, down, unknown; more may come. */
  state: Open<"up" | "down" | "unknown">;
}

export interface TargetHealth {
  /** Of all switches that know the connection: `down` if one gets no answer, else `unknown` if one cannot tell or there is none, else `up`. */
  state: Open<"up" | "down" | "unknown">;
  switches: TargetReading[];
}

export interface TargetReading {
  switch: string;
  /** `up`: it answers the switch's questions (SIP OPTIONS). `down`: it does not, or its name leads to no address. `unknown`: it was not asked yet, or the switch has not been heard of for a while. */
  state: Open<"up" | "down" | "unknown">;
  /** What its name leads to there, each asked by itself. */
  addresses: TargetAddress[];
  /** Since when it is so; null where nobody knows. */
  since: string | null;
  /** When the switch last said how its targets are; null if never. */
  checked_at: string | null;
}

export interface ToolLetIn {
  /** Where the browser goes now. */
  redirect_to: string;
}

export interface ToolSession {
  /** For Authorization: Bearer. Shown once. */
  token: string;
  expires_at: string;
  user: SignedInUser;
}

export interface TopNumber {
  number_id: string;
  e164: string;
  label: string | null;
  /** Each has one of the six results. */
  calls: number;
  answered: number;
  busy: number;
  no_answer: number;
  /** The caller gave up. */
  cancelled: number;
  rejected: number;
  failed: number;
  /** The seconds of each call rounded up, added. */
  talk_seconds: number;
  /** Of these, in calls that were forwarded. */
  forwarded_seconds: number;
}

export interface TopNumbers {
  from: string;
  to: string;
  /** False where an edge had to be moved to the full day. */
  exact: boolean;
  as_of: string;
  data: TopNumber[];
}

export interface TypedUserCode {
  user_code: string;
}

export interface UsageBucket {
  from: string;
  to: string;
  /** Each has one of the six results. */
  calls: number;
  answered: number;
  busy: number;
  no_answer: number;
  /** The caller gave up. */
  cancelled: number;
  rejected: number;
  failed: number;
  /** The seconds of each call rounded up, added. */
  talk_seconds: number;
  /** Of these, in calls that were forwarded. */
  forwarded_seconds: number;
}

export interface UsageTotals {
  /** Each has one of the six results. */
  calls: number;
  answered: number;
  busy: number;
  no_answer: number;
  /** The caller gave up. */
  cancelled: number;
  rejected: number;
  failed: number;
  /** The seconds of each call rounded up, added. */
  talk_seconds: number;
  /** Of these, in calls that were forwarded. */
  forwarded_seconds: number;
}

export interface WaitingDevice {
  /** What the tool calls itself; nobody has checked it. */
  client_name: string;
  /** Network address the tool asked from. */
  address: string | null;
  user_agent: string | null;
  created_at: string;
  expires_at: string;
}

/** Exactly one of routing, tags, release_lock. */
export interface WantedBulkChange {
  routing?: SetRouting | undefined;
  tags?: WantedTagChange | undefined;
  release_lock?: boolean | undefined;
}

export interface WantedTagChange {
  add?: string[] | undefined;
  remove?: string[] | undefined;
}

export interface WebhookDelivery {
  id: string;
  event_id: string;
  event_type: string;
  /** One of pending, delivered, failed; more may come. */
  status: Open<"pending" | "delivered" | "failed">;
  attempts: number;
  next_attempt_at: string | null;
  /** Status of the last answer. */
  answered: number | null;
  error: string | null;
  attempted_at: string | null;
  created_at: string;
}

export interface WebhookDeliveryPage {
  data: WebhookDelivery[];
  /** Present while there is more. */
  next_cursor: string | null;
}

export interface WebhookEndpoint {
  id: string;
  /** https, port 443, a public name or address. */
  url: string;
  description: string | null;
  /** Types of events to deliver. `order.*` stands for every type that begins with `order.`. Leave it empty for all events, including types that are added later. */
  event_types: string[];
  /** One of active, disabled; more may come. */
  status: Open<"active" | "disabled">;
  /** `gone`: it answered 410. `unreachable`: it took nothing for five days. */
  disabled_reason: string | null;
  failing_since: string | null;
  created_at: string;
}

export interface WebhookEndpointPage {
  data: WebhookEndpoint[];
  /** Present while there is more. */
  next_cursor: string | null;
}

export interface WebhookEndpointWithSecret {
  id: string;
  /** https, port 443, a public name or address. */
  url: string;
  description: string | null;
  /** Types of events to deliver. `order.*` stands for every type that begins with `order.`. Leave it empty for all events, including types that are added later. */
  event_types: string[];
  /** One of active, disabled; more may come. */
  status: Open<"active" | "disabled">;
  /** `gone`: it answered 410. `unreachable`: it took nothing for five days. */
  disabled_reason: string | null;
  failing_since: string | null;
  created_at: string;
  /** Shown once. Verify deliveries with it by any library of Standard Webhooks. */
  secret: string;
}

/** What each operation takes and answers. */
export interface Operations {
  /** Read who is calling and which organisations they belong to */
  getMe: {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: Me;
  };
  /** Change your password */
  changePassword: {
    path: undefined;
    query: undefined;
    body: ChangePassword;
    answer: undefined;
  };
  /** Ask for a link to set a new password */
  requestPasswordReset: {
    path: undefined;
    query: undefined;
    body: RequestPasswordReset;
    answer: undefined;
  };
  /** Set a new password with a mailed link */
  completePasswordReset: {
    path: undefined;
    query: undefined;
    body: CompletePasswordReset;
    answer: undefined;
  };
  /** Change your e-mail address */
  changeEmail: {
    path: undefined;
    query: undefined;
    body: ChangeEmail;
    answer: undefined;
  };
  /** Confirm a new e-mail address with a mailed link */
  completeEmailChange: {
    path: undefined;
    query: undefined;
    body: CompleteEmailChange;
    answer: undefined;
  };
  /** Read whether signing in asks for a code */
  getAuthenticator: {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: Authenticator;
  };
  /** Set up an authenticator app */
  enrolAuthenticator: {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: AuthenticatorEnrolment;
  };
  /** Remove the authenticator app */
  removeAuthenticator: {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: undefined;
  };
  /** Confirm the app with its first code */
  confirmAuthenticator: {
    path: undefined;
    query: undefined;
    body: ConfirmAuthenticator;
    answer: RecoveryCodes;
  };
  /** Make new recovery codes */
  renewRecoveryCodes: {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: RecoveryCodes;
  };
  /** List your passkeys */
  listPasskeys: {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: PasskeyPage;
  };
  /** Add the passkey the browser has made */
  addPasskey: {
    path: undefined;
    query: undefined;
    body: AddPasskey;
    answer: Passkey;
  };
  /** Begin to add a passkey */
  beginPasskey: {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: PasskeyChallenge;
  };
  /** Rename a passkey */
  renamePasskey: {
    path: { id: string };
    query: undefined;
    body: RenamePasskey;
    answer: Passkey;
  };
  /** Remove a passkey */
  removePasskey: {
    path: { id: string };
    query: undefined;
    body: undefined;
    answer: undefined;
  };
  /** Begin to sign in with a passkey */
  askForPasskey: {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: PasskeyChallenge;
  };
  /** List where you are signed in */
  listSessions: {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: SessionPage;
  };
  /** Sign in with e-mail address and password */
  signIn: {
    path: undefined;
    query: undefined;
    body: SignIn;
    answer: SignedIn;
  };
  /** Finish signing in with a code */
  signInWithCode: {
    path: undefined;
    query: undefined;
    body: SignInWithCode;
    answer: SignedIn;
  };
  /** Sign in with a passkey */
  signInWithPasskey: {
    path: undefined;
    query: undefined;
    body: SignInWithPasskey;
    answer: SignedIn;
  };
  /** Begin to sign in through one's organisation */
  beginProviderSignIn: {
    path: undefined;
    query: undefined;
    body: BeginProviderSignIn;
    answer: ProviderSignIn;
  };
  /** Finish signing in through one's organisation */
  signInWithProvider: {
    path: undefined;
    query: undefined;
    body: SignInWithProvider;
    answer: SignedIn;
  };
  /** Enter the password again */
  reauthenticate: {
    path: undefined;
    query: undefined;
    body: Reauthenticate;
    answer: undefined;
  };
  /** Enter a code instead of the password */
  reauthenticateWithCode: {
    path: undefined;
    query: undefined;
    body: ReauthenticateWithCode;
    answer: undefined;
  };
  /** Use a passkey instead of the password */
  reauthenticateWithPasskey: {
    path: undefined;
    query: undefined;
    body: ReauthenticateWithPasskey;
    answer: undefined;
  };
  /** Sign out */
  signOut: {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: undefined;
  };
  /** End one of your sessions */
  endSession: {
    path: { id: string };
    query: undefined;
    body: undefined;
    answer: undefined;
  };
  /** Let a tool on this machine in */
  authoriseTool: {
    path: undefined;
    query: undefined;
    body: AuthoriseTool;
    answer: ToolLetIn;
  };
  /** Fetch the tool's session */
  redeemCode: {
    path: undefined;
    query: undefined;
    body: RedeemCode;
    answer: ToolSession;
  };
  /** Ask to be let in, for a tool without a browser */
  beginDeviceSignIn: {
    path: undefined;
    query: undefined;
    body: BeginDeviceSignIn;
    answer: DeviceSignIn;
  };
  /** Fetch the tool's session, once somebody has let it in */
  redeemDevice: {
    path: undefined;
    query: undefined;
    body: RedeemDevice;
    answer: ToolSession;
  };
  /** See which tool waits behind a code */
  lookUpDevice: {
    path: undefined;
    query: undefined;
    body: TypedUserCode;
    answer: WaitingDevice;
  };
  /** Let the tool behind a code in */
  approveDevice: {
    path: undefined;
    query: undefined;
    body: TypedUserCode;
    answer: undefined;
  };
  /** Keep the tool behind a code out */
  denyDevice: {
    path: undefined;
    query: undefined;
    body: TypedUserCode;
    answer: undefined;
  };
  /** List the organisation's people */
  listMembers: {
    path: undefined;
    query: {
      /** How many at most. */
      limit?: number | undefined;
      /** next_cursor of the page before. */
      cursor?: string | undefined;
    };
    body: undefined;
    answer: MemberPage;
  };
  /** Leave the organisation */
  leaveOrganisation: {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: RemovedMember;
  };
  /** Change a member's role */
  changeRole: {
    path: { id: string };
    query: undefined;
    body: ChangeRole;
    answer: ChangedMember;
  };
  /** Remove a member */
  removeMember: {
    path: { id: string };
    query: {
      /** What happens to API keys that this person created: they end at once (`end`), in 24 hours (`grace`, the default) or not at all (`keep`). A key of several organisations always loses this one. */
      keys?: "end" | "grace" | "keep" | undefined;
      /** Keys that keep working, whatever `keys` says. */
      keep_key?: string[] | undefined;
    };
    body: undefined;
    answer: RemovedMember;
  };
  /** List open invitations */
  listInvitations: {
    path: undefined;
    query: {
      /** How many at most. */
      limit?: number | undefined;
      /** next_cursor of the page before. */
      cursor?: string | undefined;
    };
    body: undefined;
    answer: InvitationPage;
  };
  /** Invite somebody into the organisation */
  inviteMember: {
    path: undefined;
    query: undefined;
    body: InviteMember;
    answer: Invitation;
  };
  /** Accept an invitation with its mailed token */
  acceptInvitation: {
    path: undefined;
    query: undefined;
    body: AcceptInvitation;
    answer: AcceptedInvitation;
  };
  /** Read an open invitation */
  getInvitation: {
    path: { id: string };
    query: undefined;
    body: undefined;
    answer: Invitation;
  };
  /** Withdraw an invitation */
  withdrawInvitation: {
    path: { id: string };
    query: undefined;
    body: undefined;
    answer: undefined;
  };
  /** List where the organisation's people sign in */
  listIdentityProviders: {
    path: undefined;
    query: {
      /** How many at most. */
      limit?: number | undefined;
      /** next_cursor of the page before. */
      cursor?: string | undefined;
    };
    body: undefined;
    answer: IdentityProviderPage;
  };
  /** Let people sign in through an identity provider */
  createIdentityProvider: {
    path: undefined;
    query: undefined;
    body: CreateIdentityProvider;
    answer: IdentityProvider;
  };
  /** Read an identity provider, its domains and how to prove them */
  getIdentityProvider: {
    path: { id: string };
    query: undefined;
    body: undefined;
    answer: IdentityProvider;
  };
  /** Change an identity provider's name, client secret or domains */
  changeIdentityProvider: {
    path: { id: string };
    query: undefined;
    body: ChangeIdentityProvider;
    answer: IdentityProvider;
  };
  /** Let nobody sign in through it any more */
  deleteIdentityProvider: {
    path: { id: string };
    query: undefined;
    body: undefined;
    answer: undefined;
  };
  /** Prove that a domain is the organisation's */
  proveDomain: {
    path: { id: string };
    query: undefined;
    body: ProveDomain;
    answer: IdentityProvider;
  };
  /** Get the sign-in policy */
  getSignInPolicy: {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: SignInPolicy;
  };
  /** Change the sign-in policy */
  changeSignInPolicy: {
    path: undefined;
    query: undefined;
    body: ChangeSignInPolicy;
    answer: SignInPolicy;
  };
  /** List the organisation's API keys */
  listApiKeys: {
    path: undefined;
    query: {
      /** How many at most. */
      limit?: number | undefined;
      /** next_cursor of the page before. */
      cursor?: string | undefined;
    };
    body: undefined;
    answer: ApiKeyPage;
  };
  /** Create an API key */
  createApiKey: {
    path: undefined;
    query: undefined;
    body: CreateApiKey;
    answer: ApiKeyWithSecret;
  };
  /** Replace an API key by a new one */
  rotateApiKey: {
    path: { id: string };
    query: undefined;
    body: RotateApiKey;
    answer: ApiKeyWithSecret;
  };
  /** Revoke an API key everywhere */
  revokeApiKey: {
    path: { id: string };
    query: undefined;
    body: undefined;
    answer: undefined;
  };
  /** Take a key away from this organisation */
  detachApiKey: {
    path: { id: string };
    query: undefined;
    body: undefined;
    answer: undefined;
  };
  /** List the numbers the organisation holds */
  listNumbers: {
    path: undefined;
    query: {
      /** How many at most. */
      limit?: number | undefined;
      /** next_cursor of the page before. */
      cursor?: string | undefined;
      /** Part of the digits or of the label. One or two characters are taken as what a number or, if they are no digits, a label begins with. */
      q?: string | undefined;
      country?: string | undefined;
      type?: string | undefined;
      status?: "active" | "suspended" | "releasing" | "quarantined" | "released" | undefined;
      tag?: string | undefined;
      mode?: "sip_uri" | "connection" | "unrouted" | "forward" | "webhook" | undefined;
      sync?: "in_sync" | "pending" | "failed" | "drifted" | "unknown" | undefined;
      sort?: "acquired_at" | "-acquired_at" | "e164" | "-e164" | undefined;
    };
    body: undefined;
    answer: NumberPage;
  };
  /** Take the numbers out as a table */
  exportNumbers: {
    path: undefined;
    query: {
      /** Part of the digits or of the label. One or two characters are taken as what a number or, if they are no digits, a label begins with. */
      q?: string | undefined;
      country?: string | undefined;
      type?: string | undefined;
      status?: "active" | "suspended" | "releasing" | "quarantined" | "released" | undefined;
      tag?: string | undefined;
      mode?: "sip_uri" | "connection" | "unrouted" | "forward" | "webhook" | undefined;
      sync?: "in_sync" | "pending" | "failed" | "drifted" | "unknown" | undefined;
      sort?: "acquired_at" | "-acquired_at" | "e164" | "-e164" | undefined;
    };
    body: undefined;
    answer: ReadableStream<Uint8Array>;
  };
  /** Read a number */
  getNumber: {
    path: { id: string };
    query: undefined;
    body: undefined;
    answer: PhoneNumber;
  };
  /** Label, tag or lock a number */
  changeNumber: {
    path: { id: string };
    query: undefined;
    body: ChangeNumber;
    answer: PhoneNumber;
  };
  /** See which numbers have calls now */
  readLive: {
    path: undefined;
    query: {
      /** Ids of numbers, 1 to 200 as sent: separated by commas, or the parameter repeated. */
      ids: string[];
    };
    body: undefined;
    answer: LiveNumbers;
  };
  /** Follow numbers as their calls come and go */
  followLive: {
    path: undefined;
    query: {
      /** Ids of numbers, 1 to 200 as sent: separated by commas, or the parameter repeated. */
      ids: string[];
    };
    body: undefined;
    answer: ReadableStream<Uint8Array>;
  };
  /** Read the usage of a number */
  getNumberUsage: {
    path: { id: string };
    query: {
      /** Where the window begins, UTC, ending in Z; cut to milliseconds. */
      from: string;
      /** Where it ends: what begins at this moment is not in it. */
      to: string;
      granularity?: "hour" | "day" | undefined;
    };
    body: undefined;
    answer: NumberUsage;
  };
  /** Read the usage of all numbers together */
  getOrganisationUsage: {
    path: undefined;
    query: {
      /** Where the window begins, UTC, ending in Z; cut to milliseconds. */
      from: string;
      /** Where it ends: what begins at this moment is not in it. */
      to: string;
      granularity?: "hour" | "day" | undefined;
    };
    body: undefined;
    answer: OrganisationUsage;
  };
  /** List the numbers with most calls */
  getTopNumbers: {
    path: undefined;
    query: {
      /** Where the window begins, UTC, ending in Z; cut to milliseconds. */
      from: string;
      /** Where it ends: what begins at this moment is not in it. */
      to: string;
      by?: "calls" | "answered" | "talk_seconds" | undefined;
      /** How many at most. */
      limit?: number | undefined;
    };
    body: undefined;
    answer: TopNumbers;
  };
  /** List the calls of a number, newest first */
  listCalls: {
    path: { id: string };
    query: {
      /** Calls that began at this moment or later. */
      from?: string | undefined;
      /** Calls that began before this moment. */
      to?: string | undefined;
      /** How many at most. */
      limit?: number | undefined;
      /** next_cursor of the page before. */
      cursor?: string | undefined;
    };
    body: undefined;
    answer: CallPage;
  };
  /** Take the calls of a number out as a table */
  exportCalls: {
    path: { id: string };
    query: {
      /** Calls that began at this moment or later. */
      from?: string | undefined;
      /** Calls that began before this moment. */
      to?: string | undefined;
    };
    body: undefined;
    answer: ReadableStream<Uint8Array>;
  };
  /** Read where a number's calls should go, and where they go */
  getRouting: {
    path: { id: string };
    query: undefined;
    body: undefined;
    answer: Routing;
  };
  /** Set where a number's calls should go */
  setRouting: {
    path: { id: string };
    query: undefined;
    body: SetRouting;
    answer: Routing;
  };
  /** Desire again what an earlier revision says */
  rollBackRouting: {
    path: { id: string };
    query: undefined;
    body: RollBackRouting;
    answer: Routing;
  };
  /** List everything that was ever desired, newest first */
  listRoutingRevisions: {
    path: { id: string };
    query: {
      /** How many at most. */
      limit?: number | undefined;
      /** next_cursor of the page before. */
      cursor?: string | undefined;
    };
    body: undefined;
    answer: RoutingRevisionPage;
  };
  /** Compare two revisions */
  diffRouting: {
    path: { id: string };
    query: {
      from: number;
      to: number;
    };
    body: undefined;
    answer: RoutingDiff;
  };
  /** Read the secret that questions to routing webhooks are signed with */
  getRoutingWebhookSecret: {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: RoutingWebhookSecret;
  };
  /** Get a new secret for routing webhooks */
  rotateRoutingWebhookSecret: {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: RoutingWebhookSecret;
  };
  /** List connections */
  listConnections: {
    path: undefined;
    query: {
      /** How many at most. */
      limit?: number | undefined;
      /** next_cursor of the page before. */
      cursor?: string | undefined;
    };
    body: undefined;
    answer: ConnectionPage;
  };
  /** Create a connection */
  createConnection: {
    path: undefined;
    query: undefined;
    body: CreateConnection;
    answer: Connection;
  };
  /** Read a connection */
  getConnection: {
    path: { id: string };
    query: undefined;
    body: undefined;
    answer: Connection;
  };
  /** Change a connection */
  changeConnection: {
    path: { id: string };
    query: undefined;
    body: ChangeConnection;
    answer: Connection;
  };
  /** Delete a connection that no number uses */
  deleteConnection: {
    path: { id: string };
    query: undefined;
    body: undefined;
    answer: undefined;
  };
  /** List bulk changes, newest first */
  listBulkChanges: {
    path: undefined;
    query: {
      /** How many at most. */
      limit?: number | undefined;
      /** next_cursor of the page before. */
      cursor?: string | undefined;
    };
    body: undefined;
    answer: BulkChangePage;
  };
  /** Plan the same change to many numbers */
  planBulkChange: {
    path: undefined;
    query: undefined;
    body: PlanBulkChange;
    answer: BulkChange;
  };
  /** Read a bulk change and how far it is */
  getBulkChange: {
    path: { id: string };
    query: undefined;
    body: undefined;
    answer: BulkChange;
  };
  /** List the numbers of a bulk change and what became of each */
  listBulkChangeItems: {
    path: { id: string };
    query: {
      /** How many at most. */
      limit?: number | undefined;
      /** next_cursor of the page before. */
      cursor?: string | undefined;
      outcome?: "planned" | "set" | "unchanged" | "stale" | "failed" | undefined;
    };
    body: undefined;
    answer: BulkChangeItemPage;
  };
  /** Apply a bulk change as it was planned */
  applyBulkChange: {
    path: { id: string };
    query: undefined;
    body: undefined;
    answer: BulkChange;
  };
  /** Search numbers that can be had */
  searchInventory: {
    path: undefined;
    query: {
      /** ISO 3166-1 alpha-2. */
      country?: string | undefined;
      /** Such as local or mobile. */
      type?: string | undefined;
      /** Digits that stand one after the other in the number. */
      contains?: string | undefined;
      /** How many at most. */
      limit?: number | undefined;
      /** next_cursor of the page before. */
      cursor?: string | undefined;
    };
    body: undefined;
    answer: InventoryPage;
  };
  /** List reservations, newest first */
  listReservations: {
    path: undefined;
    query: {
      /** How many at most. */
      limit?: number | undefined;
      /** next_cursor of the page before. */
      cursor?: string | undefined;
    };
    body: undefined;
    answer: ReservationPage;
  };
  /** Reserve numbers for 30 minutes */
  createReservation: {
    path: undefined;
    query: undefined;
    body: CreateReservation;
    answer: Reservation;
  };
  /** Read a reservation */
  getReservation: {
    path: { id: string };
    query: undefined;
    body: undefined;
    answer: Reservation;
  };
  /** Cancel a reservation */
  cancelReservation: {
    path: { id: string };
    query: undefined;
    body: undefined;
    answer: undefined;
  };
  /** List orders, newest first */
  listOrders: {
    path: undefined;
    query: {
      /** How many at most. */
      limit?: number | undefined;
      /** next_cursor of the page before. */
      cursor?: string | undefined;
    };
    body: undefined;
    answer: OrderPage;
  };
  /** Order numbers */
  placeOrder: {
    path: undefined;
    query: undefined;
    body: PlaceOrder;
    answer: Order;
  };
  /** Read an order and what became of each number */
  getOrder: {
    path: { id: string };
    query: undefined;
    body: undefined;
    answer: Order;
  };
  /** Release a number */
  releaseNumber: {
    path: { id: string };
    query: undefined;
    body: undefined;
    answer: Release;
  };
  /** Take a released number back while it rests */
  restoreNumber: {
    path: { id: string };
    query: undefined;
    body: undefined;
    answer: Release;
  };
  /** Read a job and how far it is */
  getJob: {
    path: { job_id: string };
    query: undefined;
    body: undefined;
    answer: Job;
  };
  /** List jobs, newest first */
  listJobs: {
    path: undefined;
    query: {
      /** How many at most. */
      limit?: number | undefined;
      /** next_cursor of the page before. */
      cursor?: string | undefined;
    };
    body: undefined;
    answer: JobPage;
  };
  /** List where events are sent */
  listWebhookEndpoints: {
    path: undefined;
    query: {
      /** How many at most. */
      limit?: number | undefined;
      /** next_cursor of the page before. */
      cursor?: string | undefined;
    };
    body: undefined;
    answer: WebhookEndpointPage;
  };
  /** Have events sent to an address */
  createWebhookEndpoint: {
    path: undefined;
    query: undefined;
    body: CreateWebhookEndpoint;
    answer: WebhookEndpointWithSecret;
  };
  /** Read where events are sent and how that goes */
  getWebhookEndpoint: {
    path: { id: string };
    query: undefined;
    body: undefined;
    answer: WebhookEndpoint;
  };
  /** Change where or which events are sent, or stop and start it */
  changeWebhookEndpoint: {
    path: { id: string };
    query: undefined;
    body: ChangeWebhookEndpoint;
    answer: WebhookEndpoint;
  };
  /** Send no more events there */
  deleteWebhookEndpoint: {
    path: { id: string };
    query: undefined;
    body: undefined;
    answer: undefined;
  };
  /** Get a new secret */
  rotateWebhookSecret: {
    path: { id: string };
    query: undefined;
    body: undefined;
    answer: WebhookEndpointWithSecret;
  };
  /** List what was sent, newest first */
  listWebhookDeliveries: {
    path: { id: string };
    query: {
      /** How many at most. */
      limit?: number | undefined;
      /** next_cursor of the page before. */
      cursor?: string | undefined;
      status?: "pending" | "delivered" | "failed" | undefined;
    };
    body: undefined;
    answer: WebhookDeliveryPage;
  };
  /** Send events again */
  replayWebhookDeliveries: {
    path: { id: string };
    query: undefined;
    body: ReplayDeliveries;
    answer: ReplayedDeliveries;
  };
  /** List what happened, oldest first */
  listEvents: {
    path: undefined;
    query: {
      after?: string | undefined;
      order?: "oldest" | "newest" | undefined;
      /** How many at most. */
      limit?: number | undefined;
    };
    body: undefined;
    answer: EventPage;
  };
  /** List who did what, newest first */
  listAudit: {
    path: undefined;
    query: {
      /** How many at most. */
      limit?: number | undefined;
      /** next_cursor of the page before. */
      cursor?: string | undefined;
    };
    body: undefined;
    answer: AuditPage;
  };
}

/** Method, path, and what may be done when no answer came: see Repetition in retry.rules.ts. */
export const OPERATIONS = {
  getMe: ["GET", "/v1/me", "read"],
  changePassword: ["PUT", "/v1/me/password", "once"],
  requestPasswordReset: ["POST", "/v1/password-resets", "once"],
  completePasswordReset: ["POST", "/v1/password-resets/complete", "once"],
  changeEmail: ["PUT", "/v1/me/email", "once"],
  completeEmailChange: ["POST", "/v1/email-changes/complete", "once"],
  getAuthenticator: ["GET", "/v1/me/authenticator", "read"],
  enrolAuthenticator: ["POST", "/v1/me/authenticator", "once"],
  removeAuthenticator: ["DELETE", "/v1/me/authenticator", "deletion"],
  confirmAuthenticator: ["POST", "/v1/me/authenticator/confirm", "once"],
  renewRecoveryCodes: ["POST", "/v1/me/recovery-codes", "once"],
  listPasskeys: ["GET", "/v1/me/passkeys", "read"],
  addPasskey: ["POST", "/v1/me/passkeys", "once"],
  beginPasskey: ["POST", "/v1/me/passkeys/challenges", "once"],
  renamePasskey: ["PATCH", "/v1/me/passkeys/{id}", "once"],
  removePasskey: ["DELETE", "/v1/me/passkeys/{id}", "deletion"],
  askForPasskey: ["POST", "/v1/sessions/passkey-challenges", "once"],
  listSessions: ["GET", "/v1/sessions", "read"],
  signIn: ["POST", "/v1/sessions", "once"],
  signInWithCode: ["POST", "/v1/sessions/code", "once"],
  signInWithPasskey: ["POST", "/v1/sessions/passkey", "once"],
  beginProviderSignIn: ["POST", "/v1/sessions/provider-challenges", "once"],
  signInWithProvider: ["POST", "/v1/sessions/provider", "once"],
  reauthenticate: ["POST", "/v1/sessions/current/reauthentication", "once"],
  reauthenticateWithCode: ["POST", "/v1/sessions/current/reauthentication/code", "once"],
  reauthenticateWithPasskey: ["POST", "/v1/sessions/current/reauthentication/passkey", "once"],
  signOut: ["DELETE", "/v1/sessions/current", "deletion"],
  endSession: ["DELETE", "/v1/sessions/{id}", "deletion"],
  authoriseTool: ["POST", "/v1/authorisation-codes", "once"],
  redeemCode: ["POST", "/v1/authorisation-codes/redeem", "once"],
  beginDeviceSignIn: ["POST", "/v1/device-sign-ins", "once"],
  redeemDevice: ["POST", "/v1/device-sign-ins/redeem", "once"],
  lookUpDevice: ["POST", "/v1/device-sign-ins/look-up", "once"],
  approveDevice: ["POST", "/v1/device-sign-ins/approve", "once"],
  denyDevice: ["POST", "/v1/device-sign-ins/deny", "once"],
  listMembers: ["GET", "/v1/members", "read"],
  leaveOrganisation: ["DELETE", "/v1/members/me", "once"],
  changeRole: ["PATCH", "/v1/members/{id}", "once"],
  removeMember: ["DELETE", "/v1/members/{id}", "once"],
  listInvitations: ["GET", "/v1/invitations", "read"],
  inviteMember: ["POST", "/v1/invitations", "keyed"],
  acceptInvitation: ["POST", "/v1/invitations/accept", "once"],
  getInvitation: ["GET", "/v1/invitations/{id}", "read"],
  withdrawInvitation: ["DELETE", "/v1/invitations/{id}", "deletion"],
  listIdentityProviders: ["GET", "/v1/identity-providers", "read"],
  createIdentityProvider: ["POST", "/v1/identity-providers", "once"],
  getIdentityProvider: ["GET", "/v1/identity-providers/{id}", "read"],
  changeIdentityProvider: ["PATCH", "/v1/identity-providers/{id}", "once"],
  deleteIdentityProvider: ["DELETE", "/v1/identity-providers/{id}", "deletion"],
  proveDomain: ["POST", "/v1/identity-providers/{id}/domain-proofs", "once"],
  getSignInPolicy: ["GET", "/v1/sign-in-policy", "read"],
  changeSignInPolicy: ["PATCH", "/v1/sign-in-policy", "once"],
  listApiKeys: ["GET", "/v1/api-keys", "read"],
  createApiKey: ["POST", "/v1/api-keys", "once"],
  rotateApiKey: ["POST", "/v1/api-keys/{id}/rotate", "once"],
  revokeApiKey: ["DELETE", "/v1/api-keys/{id}", "deletion"],
  detachApiKey: ["POST", "/v1/api-keys/{id}/detach", "keyed"],
  listNumbers: ["GET", "/v1/numbers", "read"],
  exportNumbers: ["GET", "/v1/numbers/export", "read"],
  getNumber: ["GET", "/v1/numbers/{id}", "read"],
  changeNumber: ["PATCH", "/v1/numbers/{id}", "keyed"],
  readLive: ["GET", "/v1/numbers/live", "read"],
  followLive: ["GET", "/v1/numbers/live/stream", "read"],
  getNumberUsage: ["GET", "/v1/numbers/{id}/usage", "read"],
  getOrganisationUsage: ["GET", "/v1/usage", "read"],
  getTopNumbers: ["GET", "/v1/usage/numbers", "read"],
  listCalls: ["GET", "/v1/numbers/{id}/calls", "read"],
  exportCalls: ["GET", "/v1/numbers/{id}/calls/export", "read"],
  getRouting: ["GET", "/v1/numbers/{id}/routing", "read"],
  setRouting: ["PUT", "/v1/numbers/{id}/routing", "keyed"],
  rollBackRouting: ["POST", "/v1/numbers/{id}/routing/rollback", "keyed"],
  listRoutingRevisions: ["GET", "/v1/numbers/{id}/routing/revisions", "read"],
  diffRouting: ["GET", "/v1/numbers/{id}/routing/diff", "read"],
  getRoutingWebhookSecret: ["GET", "/v1/routing-webhook-secret", "read"],
  rotateRoutingWebhookSecret: ["POST", "/v1/routing-webhook-secret/rotate", "once"],
  listConnections: ["GET", "/v1/connections", "read"],
  createConnection: ["POST", "/v1/connections", "keyed"],
  getConnection: ["GET", "/v1/connections/{id}", "read"],
  changeConnection: ["PATCH", "/v1/connections/{id}", "once"],
  deleteConnection: ["DELETE", "/v1/connections/{id}", "deletion"],
  listBulkChanges: ["GET", "/v1/numbers/bulk", "read"],
  planBulkChange: ["POST", "/v1/numbers/bulk", "keyed"],
  getBulkChange: ["GET", "/v1/numbers/bulk/{id}", "read"],
  listBulkChangeItems: ["GET", "/v1/numbers/bulk/{id}/items", "read"],
  applyBulkChange: ["POST", "/v1/numbers/bulk/{id}/apply", "keyed"],
  searchInventory: ["GET", "/v1/numbers/inventory", "read"],
  listReservations: ["GET", "/v1/numbers/reservations", "read"],
  createReservation: ["POST", "/v1/numbers/reservations", "once"],
  getReservation: ["GET", "/v1/numbers/reservations/{id}", "read"],
  cancelReservation: ["DELETE", "/v1/numbers/reservations/{id}", "deletion"],
  listOrders: ["GET", "/v1/numbers/orders", "read"],
  placeOrder: ["POST", "/v1/numbers/orders", "keyed"],
  getOrder: ["GET", "/v1/numbers/orders/{id}", "read"],
  releaseNumber: ["POST", "/v1/numbers/{id}/release", "keyed"],
  restoreNumber: ["POST", "/v1/numbers/{id}/restore", "keyed"],
  getJob: ["GET", "/v1/jobs/{job_id}", "read"],
  listJobs: ["GET", "/v1/jobs", "read"],
  listWebhookEndpoints: ["GET", "/v1/webhook-endpoints", "read"],
  createWebhookEndpoint: ["POST", "/v1/webhook-endpoints", "once"],
  getWebhookEndpoint: ["GET", "/v1/webhook-endpoints/{id}", "read"],
  changeWebhookEndpoint: ["PATCH", "/v1/webhook-endpoints/{id}", "keyed"],
  deleteWebhookEndpoint: ["DELETE", "/v1/webhook-endpoints/{id}", "keyed"],
  rotateWebhookSecret: ["POST", "/v1/webhook-endpoints/{id}/rotate", "once"],
  listWebhookDeliveries: ["GET", "/v1/webhook-endpoints/{id}/deliveries", "read"],
  replayWebhookDeliveries: ["POST", "/v1/webhook-endpoints/{id}/replay", "keyed"],
  listEvents: ["GET", "/v1/events", "read"],
  listAudit: ["GET", "/v1/audit", "read"],
} as const;

