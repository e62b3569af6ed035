// Generated from openapi.json by npm run generate; changes made here are lost.

/** A value of an enumeration that may grow: expect ones you do not know yet. */
export type Open<Known extends string> = Known | (string & Record<never, never>);

/** A shape with one of these lists of fields. */
type Needing<Shape, Fields extends (keyof Shape)[]> = Fields extends unknown
  ? Shape & { [Name in Fields[number]]-?: Exclude<Shape[Name], undefined> }
  : never;

export interface AcceptInvitation {
  /** Token from the emailed link. */
  token: string;
  /** Account to create. Omit it if you are signed in. */
  account?: NewAccount | undefined;
}

export interface AcceptedInvitation {
  /** Organisation that you have joined. */
  organisation: AcceptedOrganisation;
  /** Your role in the organisation. Possible values: `owner`, `admin`, `developer`, `member`. New values may be added. */
  role: Open<"owner" | "admin" | "developer" | "member">;
}

export interface AcceptedOrganisation {
  /** ID of the organisation. */
  id: string;
  /** Name of the organisation. */
  name: string;
}

export interface AddPasskey {
  /** Name of the passkey. */
  name: string;
  /** Credential that the browser created. */
  credential: PasskeyAttestation;
}

export interface Address {
  /** ID of the address. */
  id: string;
  /** Person or company at the address. */
  name: string;
  /** Street and house number. */
  street: string;
  /** City. */
  city: string;
  /** Postal code: letters, digits, spaces and hyphens. */
  postal_code: string;
  /** ISO 3166-1 alpha-2 country code. */
  country: string;
  /** State, province or region. `null` if none was given. */
  region: string | null;
  /** Time when the address was created. */
  created_at: string;
}

export interface AddressCreatedData {
  /** Country of the address. */
  country: string;
}

export interface AddressDeletedData {
  /** Country of the address. */
  country: string;
}

export interface AddressPage {
  /** Results of this page. */
  data: Address[];
  /** Cursor of the next page. `null` on the last page. */
  next_cursor: string | null;
}

export interface ApiKey {
  /** ID of the key. */
  id: string;
  /** Name of the key. */
  name: string;
  /** Environment the key belongs to. Possible values: `live`, `test`. New values may be added. */
  environment: Open<"live" | "test">;
  /** Last four characters of the key. */
  hint: string;
  /** Scopes of the key. */
  scopes: Open<"numbers" | "numbers_write" | "full" | "audit">[];
  /** Status of the key. `suspended`: the database was restored from a backup, and an owner has to confirm the key. New values may be added. Possible values: `active`, `expired`, `revoked`, `suspended`. New values may be added. */
  status: Open<"active" | "expired" | "revoked" | "suspended">;
  /** Networks from which the key can be used. Empty allows all addresses. */
  allowed_networks: string[];
  /** Whether the key also belongs to other organisations. */
  is_shared: boolean;
  /** ID of the user who created the key. */
  created_by: string;
  /** Time when the key was created. */
  created_at: string;
  /** Time when the key expires. `null` if it does not expire. */
  expires_at: string | null;
  /** Time when the key was revoked. `null` if it was not. */
  revoked_at: string | null;
  /** ID of the key that this one replaced in a rotation. `null` if there is none. */
  replaces_id: string | null;
  /** Time of the last request with the key. `null` if it was never used. */
  last_used_at: string | null;
}

export interface ApiKeyConfirmedData {

}

export interface ApiKeyCreatedData {
  /** Name of the key. */
  name: string;
  /** Scopes of the key. */
  scopes: string[];
}

export interface ApiKeyDetachedData {

}

export interface ApiKeyPage {
  /** Results of this page. */
  data: ApiKey[];
  /** Cursor of the next page. `null` on the last page. */
  next_cursor: string | null;
}

export interface ApiKeyRevokedData {

}

export interface ApiKeyRotatedData {
  /** Name of the key. */
  name: string;
  /** Scopes of the key. */
  scopes: string[];
  /** ID of the replaced key. */
  replaces_id: string;
}

export interface ApiKeyWithSecret {
  /** ID of the key. */
  id: string;
  /** Name of the key. */
  name: string;
  /** Environment the key belongs to. Possible values: `live`, `test`. New values may be added. */
  environment: Open<"live" | "test">;
  /** Last four characters of the key. */
  hint: string;
  /** Scopes of the key. */
  scopes: Open<"numbers" | "numbers_write" | "full" | "audit">[];
  /** Status of the key. `suspended`: the database was restored from a backup, and an owner has to confirm the key. New values may be added. Possible values: `active`, `expired`, `revoked`, `suspended`. New values may be added. */
  status: Open<"active" | "expired" | "revoked" | "suspended">;
  /** Networks from which the key can be used. Empty allows all addresses. */
  allowed_networks: string[];
  /** Whether the key also belongs to other organisations. */
  is_shared: boolean;
  /** ID of the user who created the key. */
  created_by: string;
  /** Time when the key was created. */
  created_at: string;
  /** Time when the key expires. `null` if it does not expire. */
  expires_at: string | null;
  /** Time when the key was revoked. `null` if it was not. */
  revoked_at: string | null;
  /** ID of the key that this one replaced in a rotation. `null` if there is none. */
  replaces_id: string | null;
  /** Time of the last request with the key. `null` if it was never used. */
  last_used_at: string | null;
  /** The API key. It is shown only in this response. */
  secret: string;
}

export interface AppliedRouting {
  /** Routing mode. Possible values: `sip_uri`, `connection`, `unrouted`, `forward`, `webhook`. New values may be added. */
  mode: Open<"sip_uri" | "connection" | "unrouted" | "forward" | "webhook">;
  /** SIP URI. Only in mode `sip_uri`. */
  sip_uri?: string | undefined;
  /** ID of the connection. Only in mode `connection`. */
  connection_id?: string | undefined;
  /** Phone number in E.164 format. Only in mode `forward`. */
  forward_to?: string | undefined;
  /** URL of your server. Only in mode `webhook`. */
  webhook_url?: string | undefined;
  /** Seconds to ring. Absent if the limit of the switch applies. */
  ring_seconds?: number | undefined;
  /** Second destination, if the first one fails. In mode `webhook`, the destination if your server does not respond. */
  fallback?: Fallback | undefined;
  /** Revision number. Increases by 1 with each change of the desired routing. */
  generation: number;
  /** Time when the switch read the value back. */
  observed_at: string;
}

export interface AuditActor {
  /** `session`: a user. `api_key`: an API key. `operator`: an operator of the installation. `system`: the service. `nobody`: a caller without a valid credential. New values may be added. */
  kind: Open<"session" | "api_key" | "operator" | "system" | "nobody">;
  /** ID of the user or API key. `null` if there is none. */
  id: string | null;
  /** Name of the user or API key. `null` if there is none. */
  name: string | null;
}

export interface AuditEntry {
  /** ID of the entry. */
  id: string;
  /** Action, as `noun.past_participle`. */
  action: string;
  /** `done`: the action was performed. `refused`: the request was denied. New values may be added. */
  outcome: Open<"done" | "refused">;
  /** Resource that the action affects, usually its ID. `null` if there is none. */
  subject: string | null;
  /** Resource that is affected, with its type and name. `null` if there is none. */
  subject_ref: SubjectRef | null;
  /** Caller who performed the action. */
  actor: AuditActor;
  /** Details of the action. Its fields depend on `action`. */
  detail: Record<string, unknown>;
  /** Changed settings before the action, without secrets. `null` if there were none or they are unknown. */
  before: Record<string, unknown> | null;
  /** Changed settings after the action, without secrets. `null` if there are none or they are unknown. */
  after: Record<string, unknown> | null;
  /** ID of the request. `null` if there is none. */
  request_id: string | null;
  /** IP address of the caller. `null` if unknown. */
  address: string | null;
  /** Time of the action. */
  at: string;
}

export interface AuditPage {
  /** Results of this page. */
  data: AuditEntry[];
  /** Cursor of the next page. `null` on the last page. */
  next_cursor: string | null;
}

export interface Authenticator {
  /** Time when the authenticator app was confirmed. `null` if there is none. */
  confirmed_at: string | null;
  /** Number of unused recovery codes. */
  recovery_codes_left: number;
}

export interface AuthenticatorEnrolment {
  /** TOTP secret in base32, for manual entry into an app. */
  secret: string;
  /** `otpauth:` URI with the same secret, to show as a QR code. */
  otpauth_uri: string;
  /** Time by which you must confirm the app. */
  expires_at: string;
}

export interface AuthoriseTool {
  /** Name that the tool gives itself. */
  client_name: string;
  /** Loopback URL of the tool: 127.0.0.1 or [::1] with any port and a plain path. */
  redirect_uri: string;
  /** SHA-256 of the code verifier in base64url (RFC 7636). */
  code_challenge: string;
  /** PKCE method. Only `S256` is supported. */
  code_challenge_method: "S256";
  /** Opaque value of the tool. It is returned in `redirect_to`. */
  state: string;
}

export interface BeginDeviceSignIn {
  /** Name of the tool, as shown to the user. */
  client_name: string;
}

export interface BeginProviderSignIn {
  /** Email address of the user. Its domain determines the identity provider. */
  email: string;
}

export interface BulkChange {
  /** ID of the bulk change. */
  id: string;
  /** `planned`: not applied yet. `applying`: in progress. `finished`: all numbers have an outcome. `expired`: the plan was not applied in time. New values may be added. */
  status: Open<"planned" | "applying" | "finished" | "expired">;
  /** The change to each number. */
  change: BulkChangeDetail;
  /** Reason for the change. `null` if none was given. */
  reason: string | null;
  /** Counts of numbers by outcome. */
  progress: BulkChangeProgress;
  /** Requested IDs that match no number. */
  missing: string[];
  /** Caller who planned the change. */
  created_by: BulkChangeAuthor;
  /** Time when the change was planned. */
  created_at: string;
  /** Time by which the plan must be applied. */
  expires_at: string;
  /** Time when the change was applied. `null` if it was not. */
  started_at: string | null;
  /** Time when the last number was processed. `null` until then. */
  finished_at: string | null;
}

export interface BulkChangeAuthor {
  /** Type of the caller. Possible values: `session`, `api_key`. New values may be added. */
  kind: Open<"session" | "api_key">;
  /** ID of the user or API key. `null` if unknown. */
  id: string | null;
  /** Name of the user or API key. `null` if unknown. */
  name: string | null;
}

export interface BulkChangeDetail {
  /** New desired routing. Only for routing changes. */
  routing?: RevisedRouting | undefined;
  /** Tags to add and remove. Only for tag changes. */
  tags?: TagChange | undefined;
  /** Whether the numbers are protected from release. Only for lock changes. */
  release_lock?: boolean | undefined;
}

export interface BulkChangeFinishedData {
  /** Selected numbers. */
  total: number;
  /** Numbers that changed. */
  set: number;
  /** Numbers that had the value already. */
  unchanged: number;
  /** Numbers that another change updated after planning. They were left unchanged. */
  stale: number;
  /** Numbers that could not be changed. */
  failed: number;
}

export interface BulkChangeItem {
  /** ID of the number. */
  number_id: string;
  /** Phone number in E.164 format. */
  e164: string;
  /** Values of the number at the time of the plan. */
  from: BulkChangeOrigin;
  /** `planned`: not processed yet. `set`: changed. `unchanged`: the number already had the value. `stale`: skipped, because it changed after the plan. `failed`: see `error`. New values may be added. */
  outcome: Open<"planned" | "set" | "unchanged" | "stale" | "failed">;
  /** Reason for a failure. `null` if the item has not failed. */
  error: BulkChangeItemError | null;
}

export interface BulkChangeItemError {
  /** Error code, as in the error catalogue. */
  code: string;
  /** Explanation of the error. */
  detail: string;
}

export interface BulkChangeItemPage {
  /** Results of this page. */
  data: BulkChangeItem[];
  /** Cursor of the next page. `null` on the last page. */
  next_cursor: string | null;
}

export interface BulkChangeOrigin {
  /** Routing mode. Possible values: `sip_uri`, `connection`, `unrouted`, `forward`, `webhook`. New values may be added. */
  mode: Open<"sip_uri" | "connection" | "unrouted" | "forward" | "webhook">;
  /** Generation of the desired routing. */
  generation: number;
  /** Desired routing. `null` if it is not known. */
  desired: RevisedRouting | null;
  /** Tags of the number. */
  tags: string[];
  /** Whether the number was protected from release. */
  release_lock: boolean;
}

export interface BulkChangePage {
  /** Results of this page. */
  data: BulkChange[];
  /** Cursor of the next page. `null` on the last page. */
  next_cursor: string | null;
}

export interface BulkChangePlannedData {
  /** Field that the change sets. Possible values: `routing`, `tags`, `release_lock`. New values may be added. */
  change: Open<"routing" | "tags" | "release_lock">;
  /** Selected numbers. */
  total: number;
}

export interface BulkChangeProgress {
  /** Number of numbers in the plan. */
  total: number;
  /** Numbers that were changed. */
  set: number;
  /** Numbers that already had the requested value. */
  unchanged: number;
  /** Numbers that were skipped because they changed after the plan. */
  stale: number;
  /** Numbers that could not be changed. */
  failed: number;
}

export interface BulkChangeStartedData {
  /** Selected numbers. */
  total: number;
}

export interface BulkSelection {
  /** IDs of the numbers. */
  ids?: string[] | undefined;
  /** Filters that select the numbers, as in the number list. */
  filter?: NumberFilter | undefined;
}

export interface Call {
  /** ID of the call. */
  id: string;
  /** ID of the called number. */
  number_id: string;
  /** Called number in E.164 format. */
  e164: string;
  /** Time when the call arrived at the switch. */
  started_at: string;
  /** Time when the call was answered. `null` if it was not. */
  answered_at: string | null;
  /** Time when the call ended. `null` if unknown. */
  ended_at: string | null;
  /** Result of the call. Possible values: `answered`, `busy`, `no_answer`, `cancelled`, `rejected`, `failed`. New values may be added. */
  result: Open<"answered" | "busy" | "no_answer" | "cancelled" | "rejected" | "failed">;
  /** `refused`: the call was not answered. `hung_up`: it was answered and ended. `unknown`: it was answered and its end is unknown. New values may be added. */
  ending: Open<"refused" | "hung_up" | "unknown">;
  /** Party that ended the call: `caller`, `callee` or `switch`. `null` if unknown. */
  ended_by: string | null;
  /** Milliseconds from the INVITE until the call rings, or until it is answered without ringing. `null` if neither happened. */
  setup_ms: number | null;
  /** Milliseconds from the first ringing until the call is answered or ends. `null` if it never rang. */
  ring_ms: number | null;
  /** Talk time in seconds, rounded up. 0 if the call was not answered. */
  talk_seconds: number;
  /** Routing mode that handled the call. `null` if there was none. */
  mode: string | null;
  /** Generation of the routing that handled the call. `null` if there was none. */
  generation: number | null;
  /** Position in the routing of the last destination that the call tried. Greater than 1 after a failover. `null` if it tried none, and for calls from before this field. */
  step: number | null;
  /** ID of the connection that the switch used. `null` if it used none, and for calls from before this field. */
  connection_id: string | null;
  /** Final SIP status code. `null` if unknown. */
  code: number | null;
  /** Reason for which the switch rejected or ended the call. `null` if it did neither. Possible values: `unrouted`, `no_address`, `no_target`, `not_sent`, `no_answer`, `target_failed`, `redirected`, `connection_full`, `webhook_refused`, `prefix_barred`, `forward_loop`, `forward_rate`, `forwards_at_once`, `organisation_full`, `organisation_calls`, `organisation_minutes`, `no_gateway`, `gateway_full`, `gateway_barred`, `max_length`, `never_acknowledged`, `late_answer`, `unknown_number`, `not_a_number`, `unknown_source`, `too_many_hops`, `trunk_full`, `cannot_tell`, `draining`. New values may be added. */
  reason: Open<"unrouted" | "no_address" | "no_target" | "not_sent" | "no_answer" | "target_failed" | "redirected" | "connection_full" | "webhook_refused" | "prefix_barred" | "forward_loop" | "forward_rate" | "forwards_at_once" | "organisation_full" | "organisation_calls" | "organisation_minutes" | "no_gateway" | "gateway_full" | "gateway_barred" | "max_length" | "never_acknowledged" | "late_answer" | "unknown_number" | "not_a_number" | "unknown_source" | "too_many_hops" | "trunk_full" | "cannot_tell" | "draining"> | null;
  /** ITU-T Q.850 cause of the other party. `null` if it sent none. */
  q850: number | null;
  /** Name of the switch that handled the call. `null` if unknown. */
  switch: string | null;
  /** Caller's number in E.164 format. `null` if it was withheld or not sent, and after the retention period. */
  caller: string | null;
  /** Caller's number as the carrier sent it. `null` after the retention period of `caller`. */
  caller_raw: string | null;
  /** Target that received the call. `null` if there was none, and after the retention period of `caller`. */
  target: string | null;
  /** Targets that the switch tried, in order. Empty after the retention period of `caller`. */
  attempts: CallAttempt[];
  /** Call-ID of the carrier's INVITE. `null` after the retention period of `caller`. */
  sip_call_id: string | null;
  /** Whether the call reached another target than the desired routing of its generation names. `null` if unknown: without a target, in mode `webhook`, for a connection that has changed since the call, and after the retention period of `caller`. */
  misrouted: boolean | null;
}

export interface CallAttempt {
  /** Position of the destination in the routing, starting at 1. Greater than 1 only after a failover. */
  step: number;
  /** Mode of the destination. Possible values: `sip_uri`, `connection`, `forward`. New values may be added. */
  mode: Open<"sip_uri" | "connection" | "forward">;
  /** Host name or address, as in the routing or connection. `null` for a gateway. */
  host: string | null;
  /** IP address and port to which the switch sent the call. */
  address: string;
  /** SIP transport. Possible values: `udp`, `tcp`, `tls`. New values may be added. */
  transport: Open<"udp" | "tcp" | "tls">;
  /** Result of the attempt. Possible values: `answered`, `unreachable`, `no_answer`, `busy`, `refused`, `cancelled`, `unknown`. New values may be added. */
  outcome: Open<"answered" | "unreachable" | "no_answer" | "busy" | "refused" | "cancelled" | "unknown">;
  /** SIP status code of the target's final response. `null` if there was none. */
  code: number | null;
  /** Time when the switch sent the call to the target. */
  started_at: string;
  /** Time when the target started to ring. `null` if it did not. */
  ringing_at: string | null;
  /** Time when the target answered or the attempt ended. `null` if unknown. */
  ended_at: string | null;
}

export interface CallBucket {
  /** Start of the ten minutes. */
  from: string;
  /** Calls that started in them. `null` in the future. */
  calls: number | null;
  /** Answered calls. `null` in the future. */
  answered: number | null;
  /** Usual count of calls. `null` with less than two weeks of calls. */
  usual: UsualRange | null;
}

export interface CallDetail {
  /** ID of the call. */
  id: string;
  /** ID of the called number. */
  number_id: string;
  /** Called number in E.164 format. */
  e164: string;
  /** Time when the call arrived at the switch. */
  started_at: string;
  /** Time when the call was answered. `null` if it was not. */
  answered_at: string | null;
  /** Time when the call ended. `null` if unknown. */
  ended_at: string | null;
  /** Result of the call. Possible values: `answered`, `busy`, `no_answer`, `cancelled`, `rejected`, `failed`. New values may be added. */
  result: Open<"answered" | "busy" | "no_answer" | "cancelled" | "rejected" | "failed">;
  /** `refused`: the call was not answered. `hung_up`: it was answered and ended. `unknown`: it was answered and its end is unknown. New values may be added. */
  ending: Open<"refused" | "hung_up" | "unknown">;
  /** Party that ended the call: `caller`, `callee` or `switch`. `null` if unknown. */
  ended_by: string | null;
  /** Milliseconds from the INVITE until the call rings, or until it is answered without ringing. `null` if neither happened. */
  setup_ms: number | null;
  /** Milliseconds from the first ringing until the call is answered or ends. `null` if it never rang. */
  ring_ms: number | null;
  /** Talk time in seconds, rounded up. 0 if the call was not answered. */
  talk_seconds: number;
  /** Routing mode that handled the call. `null` if there was none. */
  mode: string | null;
  /** Generation of the routing that handled the call. `null` if there was none. */
  generation: number | null;
  /** Position in the routing of the last destination that the call tried. Greater than 1 after a failover. `null` if it tried none, and for calls from before this field. */
  step: number | null;
  /** ID of the connection that the switch used. `null` if it used none, and for calls from before this field. */
  connection_id: string | null;
  /** Final SIP status code. `null` if unknown. */
  code: number | null;
  /** Reason for which the switch rejected or ended the call. `null` if it did neither. Possible values: `unrouted`, `no_address`, `no_target`, `not_sent`, `no_answer`, `target_failed`, `redirected`, `connection_full`, `webhook_refused`, `prefix_barred`, `forward_loop`, `forward_rate`, `forwards_at_once`, `organisation_full`, `organisation_calls`, `organisation_minutes`, `no_gateway`, `gateway_full`, `gateway_barred`, `max_length`, `never_acknowledged`, `late_answer`, `unknown_number`, `not_a_number`, `unknown_source`, `too_many_hops`, `trunk_full`, `cannot_tell`, `draining`. New values may be added. */
  reason: Open<"unrouted" | "no_address" | "no_target" | "not_sent" | "no_answer" | "target_failed" | "redirected" | "connection_full" | "webhook_refused" | "prefix_barred" | "forward_loop" | "forward_rate" | "forwards_at_once" | "organisation_full" | "organisation_calls" | "organisation_minutes" | "no_gateway" | "gateway_full" | "gateway_barred" | "max_length" | "never_acknowledged" | "late_answer" | "unknown_number" | "not_a_number" | "unknown_source" | "too_many_hops" | "trunk_full" | "cannot_tell" | "draining"> | null;
  /** ITU-T Q.850 cause of the other party. `null` if it sent none. */
  q850: number | null;
  /** Name of the switch that handled the call. `null` if unknown. */
  switch: string | null;
  /** Caller's number in E.164 format. `null` if it was withheld or not sent, and after the retention period. */
  caller: string | null;
  /** Caller's number as the carrier sent it. `null` after the retention period of `caller`. */
  caller_raw: string | null;
  /** Target that received the call. `null` if there was none, and after the retention period of `caller`. */
  target: string | null;
  /** Targets that the switch tried, in order. Empty after the retention period of `caller`. */
  attempts: CallAttempt[];
  /** Call-ID of the carrier's INVITE. `null` after the retention period of `caller`. */
  sip_call_id: string | null;
  /** Whether the call reached another target than the desired routing of its generation names. `null` if unknown: without a target, in mode `webhook`, for a connection that has changed since the call, and after the retention period of `caller`. */
  misrouted: boolean | null;
  /** Called number in the INVITE. `null` after the retention period of `caller`. */
  called: string | null;
  /** Time when the service received the record of the call. */
  received_at: string;
  /** Desired routing of the call's generation. `null` if unknown. */
  destination: RevisedRouting | null;
}

export interface CallPage {
  /** Results of this page. */
  data: Call[];
  /** Cursor of the next page. `null` on the last page. */
  next_cursor: string | null;
}

export interface Caller {
  /** Type of the credential. Possible values: `session`, `api_key`. New values may be added. */
  kind: Open<"session" | "api_key">;
  /** ID of the user or of the API key. */
  id: string;
  /** Name of the user or of the API key. */
  name: string;
  /** Email address. Sessions only. */
  email?: string | undefined;
  /** Scopes. API keys only. */
  scopes?: Open<"numbers" | "numbers_write" | "full" | "audit">[] | undefined;
  /** Environment of the request. Possible values: `live`, `test`. New values may be added. */
  environment: Open<"live" | "test">;
  /** Last four characters of the key. API keys only. */
  key_hint?: string | undefined;
  /** Time when the session or key expires. `null` if the key does not expire. */
  expires_at?: string | null | undefined;
}

export interface ChangeConnection {
  /** Name of the connection. */
  name?: string | undefined;
  /** Targets of the connection. */
  targets?: SetConnectionTarget[] | undefined;
  /** Maximum number of concurrent calls. `null` for no limit. */
  max_calls?: number | null | undefined;
  /** Seconds to ring a target before failing over. `null` uses the switch default. */
  ring_seconds?: number | null | undefined;
  /** Further public addresses and networks (/24 to /32) of your cluster. Switches accept in-dialog requests such as BYE from them, as from the targets. */
  sources?: string[] | undefined;
  /** Keys to set. `null` removes a key, and keys that you do not send remain. Up to 20 pairs: keys have letters, digits and `_.-`, at most 40 characters. Values have 1 to 500 characters. */
  metadata?: Record<string, string | null> | undefined;
}

export interface ChangeEmail {
  /** New email address. */
  new_email: string;
}

export interface ChangeIdentityProvider {
  /** New name of the identity provider. */
  name?: string | undefined;
  /** OAuth client secret. It is stored encrypted and never shown. */
  client_secret?: string | undefined;
  /** Email domains whose users can sign in through this provider. Each domain takes effect when it is verified. */
  domains?: string[] | undefined;
}

export interface ChangeNumber {
  /** New label. `null` removes it. */
  label?: string | null | undefined;
  /** New tags. They replace all current tags. */
  tags?: string[] | undefined;
  /** Keys to set. `null` removes a key, and keys that you do not send remain. Up to 20 pairs: keys have letters, digits and `_.-`, at most 40 characters. Values have 1 to 500 characters. */
  metadata?: Record<string, string | null> | undefined;
  /** Whether the number is protected from release. Owners and admins only. */
  release_lock?: boolean | undefined;
}

export interface ChangeOwnOrganisation {
  /** ISO 3166-1 alpha-2 code of the country in which searches read numbers without a country code, such as `030 1000`. `null` searches for the digits without a leading zero. */
  default_country: string | null;
}

export interface ChangePassword {
  /** New password. The API rejects weak and common passwords. */
  new_password: string;
}

export interface ChangeRole {
  /** New role of the member. */
  role: "owner" | "admin" | "developer" | "member";
  /** Policy for API keys that the member created but could not create in the new role. `end`: they end at once. `grace`: they end in 24 hours. `keep`: they remain valid (default). Keys of several organisations are detached from this one instead of ended. */
  keys?: "end" | "grace" | "keep" | undefined;
}

export interface ChangeSignInPolicy {
  /** Whether members must sign in with an authenticator app or a passkey. */
  require_second_factor?: boolean | undefined;
  /** Whether members must sign in through an identity provider of the organisation. */
  require_single_sign_on?: boolean | undefined;
  /** Maximum age of a session in hours. `null` applies only the service limit of 30 days. */
  max_session_age_hours?: number | null | undefined;
}

export interface ChangeView {
  /** Name of the view, unique among the views of its owner on the same page. */
  name?: string | undefined;
  /** Query string of the page: filters, sorting and columns, without the question mark. */
  query?: string | undefined;
  /** Whether the view belongs to the organisation, so that all members see it. Otherwise it is yours alone. */
  is_shared?: boolean | undefined;
}

export interface ChangeWebhookEndpoint {
  /** URL that receives the events. It must use https on port 443 and a public name or address. */
  url?: string | undefined;
  /** New description. `null` removes it. */
  description?: string | null | undefined;
  /** Event types to deliver. `order.*` matches all types that start with `order.`. An empty list matches all types, including future ones. */
  event_types?: string[] | undefined;
  /** `disabled` stops deliveries. `active` starts them again. */
  status?: "active" | "disabled" | undefined;
}

export interface ChangedMember {
  /** ID of the user. */
  user_id: string;
  /** Name of the user. */
  name: string;
  /** Email address of the user. */
  email: string;
  /** Role in the organisation. Possible values: `owner`, `admin`, `developer`, `member`. New values may be added. */
  role: Open<"owner" | "admin" | "developer" | "member">;
  /** Time when the user joined the organisation. */
  joined_at: string;
  /** Active API keys that the member created but could not create in the new role. */
  keys: LeftBehindKey[];
}

export interface CompleteEmailChange {
  /** Token from the emailed link. */
  token: string;
}

export interface CompletePasswordReset {
  /** Token from the emailed link. */
  token: string;
  /** New password. The API rejects weak and common passwords. */
  new_password: string;
}

export interface ConfirmAuthenticator {
  /** Six-digit code from the authenticator app, or a recovery code where the operation accepts one. */
  code: string;
}

export interface Connection {
  /** ID of the connection. */
  id: string;
  /** Name of the connection. */
  name: string;
  /** Targets of the connection. */
  targets: ConnectionTarget[];
  /** Maximum number of concurrent calls. `null` for no limit. */
  max_calls: number | null;
  /** Seconds to ring a target before failing over. `null` uses the switch default. */
  ring_seconds: number | null;
  /** Further public addresses and networks (/24 to /32) of your cluster. Switches accept in-dialog requests such as BYE from them, as from the targets. */
  sources: string[];
  /** Your own data. Up to 20 pairs: keys have letters, digits and `_.-`, at most 40 characters. Values have 1 to 500 characters. */
  metadata: Record<string, string>;
  /** Revision number. Increases by 1 with each change, except of metadata, which switches do not have. Also the `ETag`. */
  generation: number;
  /** Count of numbers whose routing or fallback uses the connection, up to 1,000. */
  in_use_by: number;
  /** Time when the connection was created. */
  created_at: string;
  /** Time of the last change. */
  updated_at: string;
}

export interface ConnectionChangedData {
  /** Name of the connection. */
  name: string;
  /** Revision number of the connection. */
  generation: number;
}

export interface ConnectionCreatedData {
  /** Name of the connection. */
  name: string;
  /** Revision number of the connection. */
  generation: number;
}

export interface ConnectionDeletedData {
  /** Name of the connection. */
  name: string;
  /** Revision number of the connection. */
  generation: number;
}

export interface ConnectionDriftEndedData {
  /** Name of the switch. */
  switch: string;
  /** Error that the switch reported. */
  error: string;
  /** Value that the switch held. `null` if it held none. */
  found: Record<string, unknown> | null;
  /** Value that the switch should hold. `null` if it should hold none. */
  expected: Record<string, unknown> | null;
  /** Whether the switch held a different value each time. `found` and `expected` are the latest. */
  is_various: boolean;
  /** Number of times the drift was found. */
  count: number;
  /** Time when the drift was first found. */
  first_at: string;
  /** Time when the drift was last found. */
  last_at: string;
  /** Total time in milliseconds during which the switch held a wrong value. */
  wrong_ms: number;
}

export interface ConnectionDriftedData {
  /** Name of the switch. */
  switch: string;
  /** Error that the switch reported. */
  error: string;
  /** Value that the switch held. `null` if it held none. */
  found: Record<string, unknown> | null;
  /** Value that the switch should hold. `null` if it should hold none. */
  expected: Record<string, unknown> | null;
}

export interface ConnectionFailedData {
  /** Name of the switch. */
  switch: string;
  /** Error that the switch reported. */
  error: string;
}

export interface ConnectionFlappingData {
  /** Name of the switch. */
  switch: string;
  /** Error that the switch reported. */
  error: string;
  /** Value that the switch held. `null` if it held none. */
  found: Record<string, unknown> | null;
  /** Value that the switch should hold. `null` if it should hold none. */
  expected: Record<string, unknown> | null;
}

export interface ConnectionPage {
  /** Results of this page. */
  data: Connection[];
  /** Cursor of the next page. `null` on the last page. */
  next_cursor: string | null;
}

export interface ConnectionReachableData {
  /** Name of the switch. */
  switch: string;
}

export interface ConnectionTarget {
  /** Host name or IP address. */
  host: string;
  /** Port. */
  port: number;
  /** SIP transport. Possible values: `udp`, `tcp`, `tls`. New values may be added. */
  transport: Open<"udp" | "tcp" | "tls">;
  /** Priority of the target. Lower values are tried first. */
  priority: number;
  /** Relative share of calls among targets with the same priority. */
  weight: number;
  /** Health of the target. */
  health: TargetHealth;
}

export interface ConnectionUnreachableData {
  /** Name of the switch. */
  switch: string;
}

export interface CreateAddress {
  /** Person or company at the address. */
  name: string;
  /** Street and house number. */
  street: string;
  /** City. */
  city: string;
  /** Postal code: letters, digits, spaces and hyphens. */
  postal_code: string;
  /** ISO 3166-1 alpha-2 country code. */
  country: string;
  /** State, province or region. */
  region?: string | undefined;
}

export interface CreateApiKey {
  /** Name of the key. */
  name: string;
  /** Scopes of the key. */
  scopes: ("numbers" | "numbers_write" | "full" | "audit")[];
  /** Lifetime in days (default: 90). `null` creates a key that does not expire. */
  expires_in_days?: number | null | undefined;
  /** Organisations the key belongs to. Defaults to the current organisation. */
  organisation_ids?: string[] | undefined;
  /** Networks from which the key can be used. Empty or absent allows all addresses. */
  allowed_networks?: string[] | undefined;
}

export interface CreateConnection {
  /** Name of the connection. */
  name: string;
  /** Targets of the connection. */
  targets: SetConnectionTarget[];
  /** Maximum number of concurrent calls. `null` for no limit. */
  max_calls?: number | null | undefined;
  /** Seconds to ring a target before failing over. `null` uses the switch default. */
  ring_seconds?: number | null | undefined;
  /** Further public addresses and networks (/24 to /32) of your cluster. Switches accept in-dialog requests such as BYE from them, as from the targets. */
  sources?: string[] | undefined;
  /** Your own data. Up to 20 pairs: keys have letters, digits and `_.-`, at most 40 characters. Values have 1 to 500 characters. */
  metadata?: Record<string, string> | undefined;
}

export interface CreateDocument {
  /** Kind of the document. A requirement lists the kinds that the carrier accepts. Usual kinds: `identity`, `proof_of_address`, `business_registration`, `tax_registration`, `letter_of_authorisation`, `other`. */
  kind: string;
  /** Name of the file, without a folder. */
  file_name: string;
  /** Content of the file in Base64, with padding and without line breaks: a PDF, PNG or JPEG of at most 5 MiB. */
  content: string;
}

export interface CreateIdentityProvider {
  /** Name of the identity provider. */
  name: string;
  /** Issuer URL exactly as the provider publishes it in `.well-known/openid-configuration`. It must use https on port 443 and a public name or address. */
  issuer: string;
  /** OAuth client ID registered at the provider. */
  client_id: string;
  /** OAuth client secret. It is stored encrypted and never shown. */
  client_secret: string;
  /** Email domains whose users can sign in through this provider. Each domain takes effect when it is verified. */
  domains: string[];
}

export interface CreateProbe {
  /** `switch`: each switch of the number tests its own route. `carrier`: a switch calls the number through the carrier, which costs as much as any call. Default: `switch`. */
  via?: "switch" | "carrier" | undefined;
}

export interface CreateProbeSchedule {
  /** Tag of the numbers. */
  tag: string;
  /** Hours between the starts of two rounds. */
  every_hours: number;
  /** `switch`: each switch of the number tests its own route. `carrier`: a switch calls the number through the carrier, which costs as much as any call. Default: `switch`. */
  via?: "switch" | "carrier" | undefined;
}

export interface CreateReservation {
  /** Phone numbers to reserve. */
  numbers: string[];
}

export interface CreateView {
  /** Page of the dashboard that the view belongs to. */
  page: "numbers" | "calls" | "audit" | "events" | "jobs";
  /** Name of the view, unique among the views of its owner on the same page. */
  name: string;
  /** Query string of the page: filters, sorting and columns, without the question mark. */
  query: string;
  /** Whether the view belongs to the organisation, so that all members see it. Otherwise it is yours alone. */
  is_shared?: boolean | undefined;
}

export interface CreateWebhookEndpoint {
  /** URL that receives the events. It must use https on port 443 and a public name or address. */
  url: string;
  /** Description of the endpoint. `null` for none. */
  description?: string | null | undefined;
  /** Event types to deliver. `order.*` matches all types that start with `order.`. An empty list matches all types, including future ones. */
  event_types?: string[] | undefined;
}

export interface DesiredRouting {
  /** Routing mode. Possible values: `sip_uri`, `connection`, `unrouted`, `forward`, `webhook`. New values may be added. */
  mode: Open<"sip_uri" | "connection" | "unrouted" | "forward" | "webhook">;
  /** SIP URI. Only in mode `sip_uri`. */
  sip_uri?: string | undefined;
  /** ID of the connection. Only in mode `connection`. */
  connection_id?: string | undefined;
  /** Phone number in E.164 format. Only in mode `forward`. */
  forward_to?: string | undefined;
  /** URL of your server. Only in mode `webhook`. */
  webhook_url?: string | undefined;
  /** Seconds to ring. Absent if the limit of the switch applies. */
  ring_seconds?: number | undefined;
  /** Second destination, if the first one fails. In mode `webhook`, the destination if your server does not respond. */
  fallback?: Fallback | undefined;
  /** Revision number. Increases by 1 with each change of the desired routing. */
  generation: number;
  /** Time of the last change. */
  set_at: string;
  /** Caller who made the last change. */
  set_by: RoutingAuthor;
  /** Reason for the change. `null` if none was given. */
  reason: string | null;
}

export interface DeviceSignIn {
  /** Secret that the tool redeems for a session. */
  device_code: string;
  /** Code that the user types in the browser. */
  user_code: string;
  /** URL of the page on which the user types `user_code`. */
  verification_uri: string;
  /** Seconds to wait between two attempts to redeem `device_code`. */
  interval_seconds: number;
  /** Time when both codes expire. */
  expires_at: string;
}

export interface Document {
  /** ID of the document. */
  id: string;
  /** Kind of the document. A requirement lists the kinds that the carrier accepts. Usual kinds: `identity`, `proof_of_address`, `business_registration`, `tax_registration`, `letter_of_authorisation`, `other`. */
  kind: string;
  /** Name of the file, without a folder. */
  file_name: string;
  /** Type of the file, which the service reads from its first bytes. Possible values: `application/pdf`, `image/png`, `image/jpeg`. New values may be added. */
  media_type: Open<"application/pdf" | "image/png" | "image/jpeg">;
  /** Size of the file in bytes. */
  size: number;
  /** Time when the document was created. */
  created_at: string;
}

export interface DocumentContent {
  /** ID of the document. */
  id: string;
  /** Kind of the document. A requirement lists the kinds that the carrier accepts. Usual kinds: `identity`, `proof_of_address`, `business_registration`, `tax_registration`, `letter_of_authorisation`, `other`. */
  kind: string;
  /** Name of the file, without a folder. */
  file_name: string;
  /** Type of the file, which the service reads from its first bytes. Possible values: `application/pdf`, `image/png`, `image/jpeg`. New values may be added. */
  media_type: Open<"application/pdf" | "image/png" | "image/jpeg">;
  /** Size of the file in bytes. */
  size: number;
  /** Time when the document was created. */
  created_at: string;
  /** Content of the file in Base64, with padding and without line breaks. */
  content: string;
}

export interface DocumentCreatedData {
  /** Kind of the document. */
  kind: string;
  /** Type of the file. */
  media_type: string;
  /** Size of the file in bytes. */
  size: number;
}

export interface DocumentDeletedData {
  /** Kind of the document. */
  kind: string;
  /** Type of the file. */
  media_type: string;
  /** Size of the file in bytes. */
  size: number;
}

export interface DocumentPage {
  /** Results of this page. */
  data: Document[];
  /** Cursor of the next page. `null` on the last page. */
  next_cursor: string | null;
}

export interface Drift {
  /** Name of the switch. */
  switch: string;
  /** Value that the switch held. `null` if it held none. */
  found: DriftedDestination | null;
  /** Value that the switch should hold. `null` if it should hold none. */
  expected: DriftedDestination | null;
  /** Whether the switch held a different value each time. `found` and `expected` are then the latest. */
  is_various: boolean;
  /** Number of times the drift was found. */
  count: number;
  /** Time when the drift was first found. */
  first_at: string;
  /** Time when the drift was last found. */
  last_at: string;
}

export interface DriftedDestination {
  /** Routing mode. Possible values: `sip_uri`, `connection`, `unrouted`, `forward`, `webhook`. New values may be added. */
  mode: Open<"sip_uri" | "connection" | "unrouted" | "forward" | "webhook">;
  /** SIP URI. Only in mode `sip_uri`. */
  sip_uri?: string | undefined;
  /** ID of the connection. Only in mode `connection`. */
  connection_id?: string | undefined;
  /** Phone number in E.164 format. Only in mode `forward`. */
  forward_to?: string | undefined;
  /** URL of your server. Only in mode `webhook`. */
  webhook_url?: string | undefined;
  /** Seconds to ring. Absent if the limit of the switch applies. */
  ring_seconds?: number | undefined;
  /** Second destination, if the first one fails. In mode `webhook`, the destination if your server does not respond. */
  fallback?: Fallback | undefined;
  /** Revision number. Increases by 1 with each change of the desired routing. */
  generation: number;
}

export interface EndUser {
  /** Person who uses the number, or contact of the company. */
  name: string;
  /** Company that uses the number. */
  company?: string | undefined;
  /** Registration or tax number of the company. */
  registration_number?: string | undefined;
  /** Email address of the contact. */
  email?: string | undefined;
  /** Phone number of the contact. */
  phone?: string | undefined;
  /** Country of the person or company. */
  country?: string | undefined;
  /** Date of birth of the person. */
  birth_date?: string | undefined;
  /** Country of birth of the person. */
  birth_country?: string | undefined;
  /** Number of an identity document of the person. */
  id_number?: string | undefined;
  /** Tax number of the person. */
  tax_id?: string | undefined;
  /** VAT number of the company. */
  vat_id?: string | undefined;
}

export interface DialplaneEvent {
  /** ID of the event. */
  id: string;
  /** Position among the organisation's events. It only increases. Events of the other environment leave gaps. */
  sequence: number;
  /** Event type, as `noun.past_participle`. New types may be added. */
  type: string;
  /** ID of the affected resource. `null` if there is none. */
  subject: string | null;
  /** Details of the event. Its fields depend on `type`. */
  data: Record<string, unknown>;
  /** Time of the event. */
  created_at: string;
  /** Resource that is affected, with its type and name. `null` if there is none. */
  subject_ref: SubjectRef | null;
}

export interface EventError {
  /** Error code. */
  code: string;
  /** Reason that the carrier gave. */
  detail: string;
}

export interface EventPage {
  /** Results of this page. */
  data: DialplaneEvent[];
  /** Cursor of the next page. `null` on the last page. */
  next_cursor: string | null;
}

export interface Fallback {
  /** Fallback mode. Possible values: `sip_uri`, `connection`, `unrouted`, `forward`, `webhook`. New values may be added. */
  mode: Open<"sip_uri" | "connection" | "unrouted" | "forward" | "webhook">;
  /** SIP URI. Only in mode `sip_uri`. */
  sip_uri?: string | undefined;
  /** ID of the connection. Only in mode `connection`. */
  connection_id?: string | undefined;
  /** Phone number in E.164 format. Only in mode `forward`. */
  forward_to?: string | undefined;
  /** URL of your server. Only in mode `webhook`. */
  webhook_url?: string | undefined;
  /** Seconds to ring. Absent if the limit of the switch applies. */
  ring_seconds?: number | undefined;
  /** Failures of the previous destination after which this one takes the call. Absent after mode `webhook` if it takes only calls that your server does not decide. */
  on?: Open<"unreachable" | "no_answer" | "busy" | "refused">[] | undefined;
  /** Third destination, if the second one fails. */
  fallback?: LastFallback | undefined;
}

export interface GenerationMismatchProblem {
  /** URL of the documentation of this code. */
  type: string;
  /** Short summary, the same for all errors with this code. */
  title: string;
  /** HTTP status code of the response. */
  status: number;
  /** Explanation of the error in this request. */
  detail: string;
  /** URI of this occurrence of the error. */
  instance: string;
  /** Stable error code. Branch on this. New codes may be added. */
  code: string;
  /** ID of the request, as in `Request-Id`. Quote it when you report a problem. */
  request_id: string;
  /** Whether the same request can succeed later. */
  retryable: boolean;
  /** Invalid parts of the request, one entry each. */
  errors?: ProblemPart[] | undefined;
  /** Current generation of the resource. */
  generation: number;
}

export interface IdempotencyKeyReusedProblem {
  /** URL of the documentation of this code. */
  type: string;
  /** Short summary, the same for all errors with this code. */
  title: string;
  /** HTTP status code of the response. */
  status: number;
  /** Explanation of the error in this request. */
  detail: string;
  /** URI of this occurrence of the error. */
  instance: string;
  /** Stable error code. Branch on this. New codes may be added. */
  code: string;
  /** ID of the request, as in `Request-Id`. Quote it when you report a problem. */
  request_id: string;
  /** Whether the same request can succeed later. */
  retryable: boolean;
  /** Invalid parts of the request, one entry each. */
  errors?: ProblemPart[] | undefined;
  /** ID of the order that was placed with this key. Absent if the key was not used for an order. */
  order_id?: string | undefined;
}

export interface IdentityProvider {
  /** ID of the identity provider. */
  id: string;
  /** Name of the identity provider. */
  name: string;
  /** Issuer URL of the provider. */
  issuer: string;
  /** OAuth client ID registered at the provider. */
  client_id: string;
  /** Redirect URI to register at the provider. */
  redirect_uri: string;
  /** Email domains of the provider and their verification status. */
  domains: IdentityProviderDomain[];
  /** Number of users who have signed in through the provider. */
  people: number;
  /** Time when the provider was added. */
  created_at: string;
}

export interface IdentityProviderChangedData {
  /** New name, if it changed. */
  name?: string | undefined;
  /** Email domains of the identity provider. */
  domains?: string[] | undefined;
  /** `true` if the client secret changed. */
  has_new_secret?: boolean | undefined;
}

export interface IdentityProviderCreatedData {
  /** Issuer URL. */
  issuer: string;
  /** Client ID at the provider. */
  client_id: string;
  /** Email domains of the identity provider. */
  domains: string[];
}

export interface IdentityProviderDeletedData {

}

export interface IdentityProviderDomain {
  /** Domain name. */
  domain: string;
  /** Verification status. `claimed`: not verified yet. `proved`: the domain is verified. `lapsed`: its TXT record has been missing for three days. Users of the domain can sign in only with `proved`. */
  status: Open<"claimed" | "proved" | "lapsed">;
  /** DNS name of the TXT record. */
  record_name: string;
  /** Value of the TXT record. */
  record_value: string;
  /** Time when the domain was last verified. `null` if never. */
  proved_at: string | null;
  /** Time of the last successful lookup of the TXT record, about once a day. `null` if there was none. */
  checked_at: string | null;
  /** Time when the TXT record was first found missing. `null` if it is present. Verification lapses after three days. */
  missing_since: string | null;
  /** Time when verification lapsed. `null` if it has not, or if the domain is verified again. */
  lapsed_at: string | null;
}

export interface IdentityProviderDomainLapsedData {
  /** Domain name. */
  domain: string;
}

export interface IdentityProviderDomainMissingData {
  /** Domain name. */
  domain: string;
}

export interface IdentityProviderDomainProvedData {
  /** Domain name. */
  domain: string;
}

export interface IdentityProviderPage {
  /** Results of this page. */
  data: IdentityProvider[];
  /** Cursor of the next page. `null` on the last page. */
  next_cursor: string | null;
}

export interface InventoryCarrier {
  /** Whether an inventory is connected. If false, `data` is empty. */
  connected: boolean;
}

export interface InventoryNumber {
  /** Phone number in E.164 format. */
  e164: string;
  /** ISO 3166-1 alpha-2 country code. `null` for numbers without a country, such as +800. */
  country: string | null;
  /** Number type. Possible values: `local`, `national`, `mobile`, `toll_free`. New values may be added. */
  type: Open<"local" | "national" | "mobile" | "toll_free">;
  /** Services that the number supports. */
  capabilities: Open<"voice">[];
}

export interface InventoryPage {
  /** Available numbers. */
  data: InventoryNumber[];
  /** Cursor of the next page. `null` on the last page. */
  next_cursor: string | null;
  /** Status of the inventory. */
  carrier: InventoryCarrier;
}

export interface Invitation {
  /** ID of the invitation. */
  id: string;
  /** Email address of the recipient. */
  email: string;
  /** Role of the new member. Possible values: `owner`, `admin`, `developer`, `member`. New values may be added. */
  role: Open<"owner" | "admin" | "developer" | "member">;
  /** ID of the user who sent the invitation. `null` if an operator sent it. */
  invited_by: string | null;
  /** Time when the invitation was sent. */
  created_at: string;
  /** Time when the invitation expires. */
  expires_at: string;
}

export interface InvitationCreatedData {
  /** Role in the organisation. Possible values: `owner`, `admin`, `developer`, `member`. New values may be added. */
  role: Open<"owner" | "admin" | "developer" | "member">;
}

export interface InvitationPage {
  /** Results of this page. */
  data: Invitation[];
  /** Cursor of the next page. `null` on the last page. */
  next_cursor: string | null;
}

export interface InvitationWithdrawnData {
  /** Role in the organisation. Possible values: `owner`, `admin`, `developer`, `member`. New values may be added. */
  role: Open<"owner" | "admin" | "developer" | "member">;
}

export interface InviteMember {
  /** Email address of the recipient. */
  email: string;
  /** Role of the new member. It cannot be above your own. */
  role: "owner" | "admin" | "developer" | "member";
}

export interface Job {
  /** ID of the job. */
  id: string;
  /** Type of the job. Possible values: `number_order`, `number_release`, `number_restore`. New values may be added. */
  type: Open<"number_order" | "number_release" | "number_restore">;
  /** Status of the job. Possible values: `queued`, `running`, `waiting`, `succeeded`, `partially_succeeded`, `failed`. New values may be added. */
  status: Open<"queued" | "running" | "waiting" | "succeeded" | "partially_succeeded" | "failed">;
  /** Why the job is waiting. `null` if it is not. */
  reason: string | null;
  /** Counts of numbers in the job. */
  progress: JobProgress;
  /** Resource that the job works on. */
  subject: JobSubject;
  /** Reason for the failure, as a problem document. `null` if the job has not failed. */
  error: Record<string, unknown> | null;
  /** Number of times a worker has claimed the job. */
  attempts: number;
  /** Time when the job was created. */
  created_at: string;
  /** Time when a worker first claimed the job. `null` until then. */
  started_at: string | null;
  /** Time when the job finished. `null` until then. */
  finished_at: string | null;
}

export interface JobPage {
  /** Results of this page. */
  data: Job[];
  /** Cursor of the next page. `null` on the last page. */
  next_cursor: string | null;
}

export interface JobProgress {
  /** Total count of numbers. */
  total: number;
  /** Numbers that have succeeded. */
  succeeded: number;
  /** Numbers that have failed. */
  failed: number;
}

export interface JobSubject {
  /** ID of the order. Only for orders. */
  order_id?: string | undefined;
  /** ID of the number. Only for releases and restores. */
  number_id?: string | undefined;
}

export interface LastFallback {
  /** Fallback mode. Possible values: `sip_uri`, `connection`, `unrouted`, `forward`, `webhook`. New values may be added. */
  mode: Open<"sip_uri" | "connection" | "unrouted" | "forward" | "webhook">;
  /** SIP URI. Only in mode `sip_uri`. */
  sip_uri?: string | undefined;
  /** ID of the connection. Only in mode `connection`. */
  connection_id?: string | undefined;
  /** Phone number in E.164 format. Only in mode `forward`. */
  forward_to?: string | undefined;
  /** URL of your server. Only in mode `webhook`. */
  webhook_url?: string | undefined;
  /** Seconds to ring. Absent if the limit of the switch applies. */
  ring_seconds?: number | undefined;
  /** Failures of the previous destination after which this one takes the call. Absent after mode `webhook` if it takes only calls that your server does not decide. */
  on?: Open<"unreachable" | "no_answer" | "busy" | "refused">[] | undefined;
}

export interface LeftBehindKey {
  /** ID of the key. */
  id: string;
  /** Name of the key. */
  name: string;
  /** Last four characters of the key. */
  hint: string;
  /** `kept`: the key remains valid. `ended`: it was revoked. `expires`: it ends at `expires_at`. `detached`: it was removed from this organisation only. New values may be added. */
  outcome: Open<"kept" | "ended" | "expires" | "detached">;
  /** Time when the key expires. `null` if it does not expire. */
  expires_at: string | null;
}

export interface LiveNumber {
  /** ID of the number. */
  number_id: string;
  /** Count of active calls. */
  active_calls: number;
  /** Count of calls that started within the last minute. */
  calls_last_minute: number;
  /** Start of the newest call. `null` if there is none. */
  last_call_at: string | null;
  /** Applied routing mode. `null` if unknown, and for the role `member`. Possible values: `sip_uri`, `connection`, `unrouted`, `forward`, `webhook`. New values may be added. */
  applied_mode: Open<"sip_uri" | "connection" | "unrouted" | "forward" | "webhook"> | null;
  /** Whether every switch that serves this number is reporting. */
  switch_online: boolean;
  /** Time of the oldest of the switches' last reports. `null` if a switch has not reported. */
  observed_at: string | null;
}

export interface LiveNumbers {
  /** Time of the response. */
  as_of: string;
  /** Numbers in the order of the request. */
  data: LiveNumber[];
  /** Requested IDs that match no number in this organisation and environment. */
  missing: string[];
}

export interface Me {
  /** Credential that sent the request. */
  caller: Caller;
  /** Organisations the caller belongs to. */
  memberships: Membership[];
}

export interface Member {
  /** ID of the user. */
  user_id: string;
  /** Name of the user. */
  name: string;
  /** Email address of the user. */
  email: string;
  /** Role in the organisation. Possible values: `owner`, `admin`, `developer`, `member`. New values may be added. */
  role: Open<"owner" | "admin" | "developer" | "member">;
  /** Time when the user joined the organisation. */
  joined_at: string;
}

export interface MemberBreakGlassUsedData {
  /** Sign-in method. Possible values: `password`, `passkey`, `provider`. New values may be added. */
  method: Open<"password" | "passkey" | "provider">;
}

export interface MemberIdentityLinkedData {
  /** ID of the identity provider. */
  identity_provider_id: string;
}

export interface MemberJoinedData {
  /** Role in the organisation. Possible values: `owner`, `admin`, `developer`, `member`. New values may be added. */
  role: Open<"owner" | "admin" | "developer" | "member">;
}

export interface MemberKeyOutcome {
  /** ID of the API key. */
  id: string;
  /** Outcome for the key. Possible values: `kept`, `expires`, `ended`, `detached`. New values may be added. */
  outcome: Open<"kept" | "expires" | "ended" | "detached">;
}

export interface MemberPage {
  /** Results of this page. */
  data: Member[];
  /** Cursor of the next page. `null` on the last page. */
  next_cursor: string | null;
}

export interface MemberRemovedData {
  /** Role in the organisation. Possible values: `owner`, `admin`, `developer`, `member`. New values may be added. */
  role: Open<"owner" | "admin" | "developer" | "member">;
  /** API keys that the member created, with the outcome for each. */
  keys: MemberKeyOutcome[];
}

export interface MemberRoleChangedData {
  /** Previous role. */
  from: Open<"owner" | "admin" | "developer" | "member">;
  /** New role. */
  to: Open<"owner" | "admin" | "developer" | "member">;
  /** API keys that the member created, with the outcome for each. */
  keys?: MemberKeyOutcome[] | undefined;
}

export interface Membership {
  /** The organisation. */
  organisation: MembershipOrganisation;
  /** Role in the organisation. `null` for an API key. Possible values: `owner`, `admin`, `developer`, `member`. New values may be added. */
  role: Open<"owner" | "admin" | "developer" | "member"> | null;
  /** Rule of the sign-in policy that your session does not meet. Requests in the organisation are rejected until it is met. `null` if there is none. Always `null` for API keys. */
  unmet_policy: Open<"second_factor" | "single_sign_on" | "session_age"> | null;
}

export interface MembershipOrganisation {
  /** ID of the organisation. */
  id: string;
  /** Name of the organisation. */
  name: string;
}

export interface NewAccount {
  /** Name of the new user. */
  name: string;
  /** Password of the new user. */
  password: string;
}

export interface NotificationRule {
  /** Kind of the problem. */
  kind: "number_failing" | "number_flapping" | "connection_unreachable" | "webhook_endpoint_disabled" | "order_failed" | "order_action_required";
  /** Whether to create the events `problem.began` and `problem.ended`, for your webhook endpoints. */
  webhook: boolean;
  /** Email addresses that get a message when such a problem begins and when it ends. They must belong to members. */
  emails: string[];
}

export interface Notifications {
  /** One rule for each kind of problem. */
  rules: NotificationRule[];
}

export interface NotificationsChangedData {
  /** Kinds of problems with a notification. */
  problem_kinds: string[];
}

export interface PhoneNumber {
  /** ID of the number in your organisation. */
  id: string;
  /** Phone number in E.164 format. */
  e164: string;
  /** ISO 3166-1 alpha-2 country code. `null` for numbers without a country, such as +800. */
  country: string | null;
  /** Number type. Possible values: `local`, `national`, `mobile`, `toll_free`, `shared_cost`, `premium`, `voip`, `personal`, `uan`, `pager`, `other`. New values may be added. */
  type: Open<"local" | "national" | "mobile" | "toll_free" | "shared_cost" | "premium" | "voip" | "personal" | "uan" | "pager" | "other">;
  /** Services that the number supports. */
  capabilities: Open<"voice">[];
  /** Status of the number. Possible values: `active`, `suspended`, `releasing`, `quarantined`, `released`. New values may be added. */
  status: Open<"active" | "suspended" | "releasing" | "quarantined" | "released">;
  /** Reason for a suspension, such as `not_at_carrier`. `null` if there is none. */
  status_reason: string | null;
  /** Label of the number. `null` if there is none. */
  label: string | null;
  /** Tags of the number. */
  tags: string[];
  /** Your own data. Up to 20 pairs: keys have letters, digits and `_.-`, at most 40 characters. Values have 1 to 500 characters. */
  metadata: Record<string, string>;
  /** Origin of the number. Possible values: `order`, `import`. New values may be added. */
  source: Open<"order" | "import">;
  /** ID of the order. `null` if the number was imported. */
  order_id: string | null;
  /** Summary of the routing. `null` if your role cannot read routing. */
  routing: NumberRouting | null;
  /** Whether the number is protected from release. */
  release_lock: boolean;
  /** Time when your organisation received the number. */
  acquired_at: string;
  /** Time of the release. `null` if the number was not released. */
  released_at: string | null;
  /** Time until which the number can be restored from quarantine. `null` if it cannot be restored. */
  restore_until: string | null;
  /** Start of the newest finished call, accurate to a minute. `null` if there is none. `GET /v1/numbers/live` shows active calls. */
  last_call_at: string | null;
  /** Count of finished calls that started in the current hour or in the 23 hours before it. */
  calls_24h: number;
  /** Time when the record was created. */
  created_at: string;
  /** Time of the last change. */
  updated_at: string;
}

export interface NumberAddedData {
  /** Phone number in E.164 format. */
  e164: string;
  /** How the organisation received the number. Possible values: `order`, `import`. New values may be added. */
  source: Open<"order" | "import">;
}

export interface NumberChangedData {
  /** New label, if it changed. */
  label?: string | null | undefined;
  /** New tags, if they changed. */
  tags?: string[] | undefined;
  /** New metadata, if it changed. */
  metadata?: Record<string, string> | undefined;
  /** New release lock, if it changed. */
  release_lock?: boolean | undefined;
}

export interface NumberConnection {
  /** ID of the connection. */
  id: string;
  /** Name of the connection. */
  name: string;
}

export interface NumberDestination {
  /** Desired routing mode. Possible values: `sip_uri`, `connection`, `unrouted`, `forward`, `webhook`. New values may be added. */
  mode: Open<"sip_uri" | "connection" | "unrouted" | "forward" | "webhook">;
  /** SIP URI. Only in mode `sip_uri`. */
  sip_uri?: string | undefined;
  /** Connection. Only in mode `connection`. */
  connection?: NumberConnection | undefined;
  /** Phone number in E.164 format. Only in mode `forward`. */
  forward_to?: string | undefined;
  /** URL of your server. Only in mode `webhook`. */
  webhook_url?: string | undefined;
  /** Number of destinations that a call can try in order, with failover up to 3. */
  steps: number;
}

export interface NumberFilter {
  /** Search text: part of the label, of the destination, of the connection's name or of the number, in any form in which people write it, such as `030 1000` or `0049 30 1000`. Numbers without a country code are read as in your organisation's `default_country`. For the role `member`, destinations and connections are not searched. One or two characters match only the beginning of a number, or of a label if they are not digits. */
  q?: string | undefined;
  /** Only numbers of this country (ISO 3166-1 alpha-2). */
  country?: string | undefined;
  /** Only numbers of this type. */
  type?: string | undefined;
  /** Only numbers with this status. Defaults to `active`, `suspended` and `releasing`. */
  status?: "active" | "suspended" | "releasing" | "quarantined" | "released" | undefined;
  /** Only numbers with this tag. */
  tag?: string | undefined;
  /** Only numbers with this desired routing mode. */
  mode?: "sip_uri" | "connection" | "unrouted" | "forward" | "webhook" | undefined;
  /** Only numbers with this routing status. */
  sync?: "in_sync" | "pending" | "failed" | "drifted" | "unknown" | undefined;
  /** Only numbers whose first destination is a connection with this health. */
  health?: "up" | "partial" | "down" | "unknown" | undefined;
  /** Only these phone numbers, in E.164 format (repeatable, at most 200). */
  e164?: string[] | undefined;
  /** Only numbers that use one of these connections, also as fallback (repeatable, at most 20). */
  connection_id?: string[] | undefined;
  /** Only numbers whose calls go to a destination with this text in its SIP URI, URL, host or phone number, also as fallback. Hosts of connections count too. */
  destination?: string | undefined;
  /** Only numbers whose newest call started before this time, or that have no call. */
  last_call_before?: string | undefined;
  /** Only numbers with this value of a metadata key, such as `metadata[site]=berlin`. All keys must match. */
  metadata?: Record<string, string> | undefined;
}

export interface NumberMissingAtCarrierData {
  /** Phone number in E.164 format. */
  e164: string;
  /** Name of the carrier. */
  carrier: string;
}

export interface NumberPage {
  /** Results of this page. */
  data: PhoneNumber[];
  /** Cursor of the next page. `null` on the last page. */
  next_cursor: string | null;
  /** Count of all results: up to 10,000, or 2,000 for a search. Only on the first page. */
  total?: number | undefined;
  /** Whether there can be more results than `total`, because counting stopped. Only on the first page. */
  total_is_minimum?: boolean | undefined;
}

export interface NumberQuarantinedData {
  /** Phone number in E.164 format. */
  e164: string;
  /** Time until which you can restore it. `null` if the carrier cannot restore it. */
  restore_until: string | null;
}

export interface NumberReleaseFailedData {
  /** Phone number in E.164 format. */
  e164: string;
  /** Error of the carrier. */
  error: EventError;
}

export interface NumberReleasedData {
  /** Phone number in E.164 format. */
  e164: string;
}

export interface NumberReleasingData {
  /** Phone number in E.164 format. */
  e164: string;
  /** ID of the job that does the work. */
  job_id: string;
}

export interface NumberRestoreFailedData {
  /** Phone number in E.164 format. */
  e164: string;
}

export interface NumberRestoredData {
  /** Phone number in E.164 format. */
  e164: string;
}

export interface NumberRestoringData {
  /** Phone number in E.164 format. */
  e164: string;
  /** ID of the job that does the work. */
  job_id: string;
}

export interface NumberResumedData {
  /** Phone number in E.164 format. */
  e164: string;
  /** Reason. Absent if none was given. */
  reason?: string | undefined;
}

export interface NumberRouting {
  /** Desired routing mode. Possible values: `sip_uri`, `connection`, `unrouted`, `forward`, `webhook`. New values may be added. */
  mode: Open<"sip_uri" | "connection" | "unrouted" | "forward" | "webhook">;
  /** Generation of the desired routing. */
  generation: number;
  /** Comparison of desired and applied routing. Possible values: `in_sync`, `pending`, `failed`, `drifted`, `unknown`. New values may be added. */
  status: Open<"in_sync" | "pending" | "failed" | "drifted" | "unknown">;
  /** Desired destination of calls. */
  destination: NumberDestination;
  /** Destination that the switches in `switches_behind` hold. `null` if it equals `destination`, if these switches hold different ones, or if it is unknown. */
  applied_destination: NumberDestination | null;
  /** Switches that have not read back the desired routing. Empty if the number is in sync. */
  switches_behind: SwitchBehind[];
  /** Count of switches that route the number. */
  switches: number;
  /** Whether the targets of the connection respond. `down`: none of them on at least one switch. `partial`: some of them. `unknown`: without recent reports of all switches. `null` if the destination is not a connection. Possible values: `up`, `partial`, `down`, `unknown`. New values may be added. */
  health: Open<"up" | "partial" | "down" | "unknown"> | null;
  /** Whether a switch has drifted at least three times between the same values, most recently within 10 minutes. It can be true while the routing is in sync. */
  flapping: boolean;
}

export interface NumberSuspendedData {
  /** Phone number in E.164 format. */
  e164: string;
  /** Reason. Absent if none was given. */
  reason?: string | undefined;
}

export interface NumberUsage {
  /** ID of the number. */
  number_id: string;
  /** Start of the window that was counted. */
  from: string;
  /** End of the window that was counted. */
  to: string;
  /** If false, the window was widened to full hours, or days within it begin at a full hour. For a number, this happens only if older call records have expired. */
  exact: boolean;
  /** Time of the count. */
  as_of: string;
  /** All calls that started before this time are counted. `null` until every switch has reported. */
  complete_through: string | null;
  /** Switches that have stopped reporting and may have uncounted calls. */
  unreachable_switches: string[];
  /** Totals of the window. */
  totals: UsageTotals;
  /** Totals of each hour, day or month. Only with `granularity`. */
  buckets?: UsageBucket[] | undefined;
}

export interface Order {
  /** ID of the order. */
  id: string;
  /** ID of the job that processes the order. */
  job_id: string;
  /** Status of the order. Possible values: `pending`, `processing`, `completed`, `partially_completed`, `failed`. New values may be added. */
  status: Open<"pending" | "processing" | "completed" | "partially_completed" | "failed">;
  /** Count of ordered numbers. */
  quantity: number;
  /** Criteria of the order. `null` if it was placed by numbers or reservation. */
  criteria: OrderedCriteria | null;
  /** ID of the ordered reservation. `null` if there is none. */
  reservation_id: string | null;
  /** Whether the order keeps no numbers unless all of them are available. */
  all_or_nothing: boolean;
  /** Desired routing of the new numbers. `null` if none was given or your role cannot read routing. */
  routing: RevisedRouting | null;
  /** Label of the new numbers. `null` if none was given. */
  label: string | null;
  /** Tags of the new numbers. */
  tags: string[];
  /** Your reference. `null` if none was given. */
  external_ref: string | null;
  /** Your own data. Up to 20 pairs: keys have letters, digits and `_.-`, at most 40 characters. Values have 1 to 500 characters. */
  metadata: Record<string, string>;
  /** User who placed the order. */
  created_by: OrderAuthor;
  /** Time when the order was placed. */
  created_at: string;
  /** Time when the order finished. `null` until then. */
  finished_at: string | null;
  /** Ordered numbers and their status. */
  items: OrderItem[];
}

export interface OrderActionRequiredData {
  /** ID of the job that does the work. */
  job_id: string;
  /** Phone numbers in E.164 format. */
  numbers: string[];
}

export interface OrderAuthor {
  /** Type of the caller. Possible values: `session`. New values may be added. */
  kind: Open<"session">;
  /** ID of the user. `null` if unknown. */
  id: string | null;
  /** Name of the user. `null` if unknown. */
  name: string | null;
}

export interface OrderCompletedData {
  /** Status of the order. Possible values: `completed`, `partially_completed`, `failed`. New values may be added. */
  status: Open<"completed" | "partially_completed" | "failed">;
  /** Numbers that were ordered. */
  succeeded: number;
  /** Numbers that could not be ordered. */
  failed: number;
}

export interface OrderCreatedData {
  /** ID of the job that does the work. */
  job_id: string;
  /** Ordered numbers. */
  quantity: number;
}

export interface OrderCriteria {
  /** ISO 3166-1 alpha-2 country code. */
  country: string;
  /** Number type, such as `local` or `mobile`. */
  type?: string | undefined;
  /** Leading digits of the number, starting with the country code, without the plus. */
  prefix?: string | undefined;
}

export interface OrderFailedData {
  /** Status of the order. Possible values: `completed`, `partially_completed`, `failed`. New values may be added. */
  status: Open<"completed" | "partially_completed" | "failed">;
  /** Numbers that were ordered. */
  succeeded: number;
  /** Numbers that could not be ordered. */
  failed: number;
}

export interface OrderItem {
  /** Phone number in E.164 format. `null` until one is chosen. */
  e164: string | null;
  /** `pending`: not requested from the carrier yet. `submitted`: requested. `action_required`: the carrier needs evidence, see `requirements`. `succeeded`: your organisation holds the number. `failed`: see `error`. `outcome_unknown`: the carrier has not confirmed the request. New values may be added. */
  status: Open<"pending" | "submitted" | "action_required" | "succeeded" | "failed" | "outcome_unknown">;
  /** ID of the new number. `null` until the item has succeeded. */
  number_id: string | null;
  /** Reason for a failure. `null` if the item has not failed. */
  error: OrderItemError | null;
  /** Evidence that the carrier needs before it sells the number. Empty if it needs none. */
  requirements: OrderRequirement[];
  /** Time until which you can submit missing evidence. Afterwards the item fails. `null` if the item does not wait for you. */
  action_required_until: string | null;
}

export interface OrderItemError {
  /** Error code, as in the error catalogue. */
  code: string;
  /** Explanation of the error. */
  detail: string;
}

export interface OrderPage {
  /** Results of this page. */
  data: OrderSummary[];
  /** Cursor of the next page. `null` on the last page. */
  next_cursor: string | null;
}

export interface OrderRequirement {
  /** The carrier's ID of the requirement, as in the order. */
  id: string;
  /** Evidence that the carrier needs. Submit `address_id`, `document_id` or `end_user` for it. Possible values: `address`, `document`, `end_user`. New values may be added. */
  type: Open<"address" | "document" | "end_user">;
  /** Text of the carrier. */
  description: string;
  /** Country that the address must be in. `null` for any country. */
  country: string | null;
  /** Kinds of documents that the carrier accepts. Empty for any kind. */
  document_kinds: string[];
  /** `missing`: submit evidence. `pending`: submitted. `accepted`: the carrier needs nothing more. `rejected`: submit other evidence, see `rejected_reason`. Possible values: `missing`, `pending`, `accepted`, `rejected`. New values may be added. */
  status: Open<"missing" | "pending" | "accepted" | "rejected">;
  /** Text of the carrier about a rejection. `null` if the status is not `rejected`. */
  rejected_reason: string | null;
  /** ID of the submitted address. `null` if there is none. */
  address_id: string | null;
  /** ID of the submitted document. `null` if there is none. */
  document_id: string | null;
  /** Time of the last change of the status. */
  updated_at: string;
}

export interface OrderRequirementsSubmittedData {
  /** ID of the job that does the work. */
  job_id: string;
  /** Requirements that evidence was submitted for. */
  submissions: number;
}

export interface OrderSummary {
  /** ID of the order. */
  id: string;
  /** ID of the job that processes the order. */
  job_id: string;
  /** Status of the order. Possible values: `pending`, `processing`, `completed`, `partially_completed`, `failed`. New values may be added. */
  status: Open<"pending" | "processing" | "completed" | "partially_completed" | "failed">;
  /** Count of ordered numbers. */
  quantity: number;
  /** Criteria of the order. `null` if it was placed by numbers or reservation. */
  criteria: OrderedCriteria | null;
  /** ID of the ordered reservation. `null` if there is none. */
  reservation_id: string | null;
  /** Whether the order keeps no numbers unless all of them are available. */
  all_or_nothing: boolean;
  /** Desired routing of the new numbers. `null` if none was given or your role cannot read routing. */
  routing: RevisedRouting | null;
  /** Label of the new numbers. `null` if none was given. */
  label: string | null;
  /** Tags of the new numbers. */
  tags: string[];
  /** Your reference. `null` if none was given. */
  external_ref: string | null;
  /** Your own data. Up to 20 pairs: keys have letters, digits and `_.-`, at most 40 characters. Values have 1 to 500 characters. */
  metadata: Record<string, string>;
  /** User who placed the order. */
  created_by: OrderAuthor;
  /** Time when the order was placed. */
  created_at: string;
  /** Time when the order finished. `null` until then. */
  finished_at: string | null;
}

export interface OrderedCriteria {
  /** ISO 3166-1 alpha-2 country code. */
  country: string;
  /** Number type, such as `local` or `mobile`. */
  type?: string | undefined;
  /** Leading digits of the number, starting with the country code, without the plus. */
  prefix?: string | undefined;
}

export interface OrganisationChangedData {
  /** New default country. `null` if there is none. */
  default_country: string | null;
}

export interface OrganisationCreatedData {
  /** Name of the organisation. */
  name: string;
}

export interface OrganisationRequiredProblem {
  /** URL of the documentation of this code. */
  type: string;
  /** Short summary, the same for all errors with this code. */
  title: string;
  /** HTTP status code of the response. */
  status: number;
  /** Explanation of the error in this request. */
  detail: string;
  /** URI of this occurrence of the error. */
  instance: string;
  /** Stable error code. Branch on this. New codes may be added. */
  code: string;
  /** ID of the request, as in `Request-Id`. Quote it when you report a problem. */
  request_id: string;
  /** Whether the same request can succeed later. */
  retryable: boolean;
  /** Invalid parts of the request, one entry each. */
  errors?: ProblemPart[] | undefined;
  /** Organisations that you can send in `X-Service-Org`. */
  organisations: ProblemOrganisation[];
}

export interface OrganisationResumedData {

}

export interface OrganisationSecondFactorRequiredProblem {
  /** URL of the documentation of this code. */
  type: string;
  /** Short summary, the same for all errors with this code. */
  title: string;
  /** HTTP status code of the response. */
  status: number;
  /** Explanation of the error in this request. */
  detail: string;
  /** URI of this occurrence of the error. */
  instance: string;
  /** Stable error code. Branch on this. New codes may be added. */
  code: string;
  /** ID of the request, as in `Request-Id`. Quote it when you report a problem. */
  request_id: string;
  /** Whether the same request can succeed later. */
  retryable: boolean;
  /** Invalid parts of the request, one entry each. */
  errors?: ProblemPart[] | undefined;
  /** Organisation whose sign-in policy your session does not meet. */
  organisation: ProblemOrganisation;
}

export interface OrganisationSignInPolicyChangedData {
  /** New value, if it changed: whether members need a second factor. */
  require_second_factor?: boolean | undefined;
  /** New value, if it changed: whether members must use single sign-on. */
  require_single_sign_on?: boolean | undefined;
  /** New maximum age of a session in hours, if it changed. `null` if there is no maximum. */
  max_session_age_hours?: number | null | undefined;
}

export interface OrganisationSuspendedData {
  /** Whether its live numbers are suspended too. */
  numbers_suspended: boolean;
  /** Reason. Absent if none was given. */
  reason?: string | undefined;
}

export interface OrganisationUsage {
  /** Start of the window that was counted. */
  from: string;
  /** End of the window that was counted. */
  to: string;
  /** If false, the window was widened to full hours, or days within it begin at a full hour. For a number, this happens only if older call records have expired. */
  exact: boolean;
  /** Time of the count. */
  as_of: string;
  /** All calls that started before this time are counted. `null` until every switch has reported. */
  complete_through: string | null;
  /** Switches that have stopped reporting and may have uncounted calls. */
  unreachable_switches: string[];
  /** Totals of the window. */
  totals: UsageTotals;
  /** Totals of each hour, day or month. Only with `granularity`. */
  buckets?: UsageBucket[] | undefined;
}

export interface Overview {
  /** Time of the response. */
  as_of: string;
  /** Counts of numbers. The states from `in_sync` to `unreachable` add up to `total`. */
  numbers: OverviewNumbers;
  /** Open problems, longest first. */
  problems: OverviewProblem[];
  /** Switches that serve the organisation's numbers. */
  switches: OverviewSwitch[];
  /** Calls now and today, with their usual range. */
  calls: OverviewCalls;
}

export interface OverviewCalls {
  /** Active calls. Their usual range is a mean of ten minutes. */
  active: OverviewFigure;
  /** Calls that started in the last full ten minutes, such as 09:20 to 09:30, and have ended. */
  last_10_minutes: OverviewFigure;
  /** Calls since midnight (UTC) that have ended. */
  today: OverviewFigure;
  /** Share of today's calls that were answered, from 0 to 1. `null` without calls. */
  answered: OverviewFigure;
  /** Ten minutes each, from midnight to midnight (UTC). */
  buckets: CallBucket[];
}

export interface OverviewFigure {
  /** Value. `null` if unknown. */
  value: number | null;
  /** Usual range at this time: the same weekday and ten minutes of the last four weeks. `null` with less than two weeks of calls. */
  usual: UsualRange | null;
}

export interface OverviewNumbers {
  /** Count of held numbers: active, suspended and being released. */
  total: number;
  /** Numbers that every switch has read back as desired, with a reachable destination. */
  in_sync: number;
  /** Numbers with a change that is not confirmed yet. */
  pending: number;
  /** Numbers whose routing a switch rejected. */
  failed: number;
  /** Numbers for which a switch held another value at its last report. */
  drifted: number;
  /** Numbers of switches that have stopped reporting. */
  unknown: number;
  /** Numbers in sync whose connection has no target that responds. */
  unreachable: number;
  /** Numbers without a destination. They are also counted in one of the states. */
  unrouted: number;
  /** Whether every deviation was counted. If false, more than 2,000 numbers deviate, and `unknown` includes the uncounted ones. */
  is_complete: boolean;
}

export interface OverviewProblem {
  /** Kind of the problem. Possible values: `number_failing`, `number_drifting`, `number_flapping`, `connection_failing`, `connection_drifting`, `connection_unreachable`, `webhook_endpoint_disabled`, `order_failed`, `switch_silent`. New values may be added. */
  kind: Open<"number_failing" | "number_drifting" | "number_flapping" | "connection_failing" | "connection_drifting" | "connection_unreachable" | "webhook_endpoint_disabled" | "order_failed" | "switch_silent">;
  /** Start of the problem. The start of the oldest one if `count` is more than 1. */
  since: string;
  /** Affected resource. `null` if `count` is more than 1. */
  subject: ProblemSubject | null;
  /** Name of the switch. `null` if none or several are involved. */
  switch: string | null;
  /** Value that the switch held. `null` if it held none, and for callers who cannot read routing. */
  found: DriftedDestination | null;
  /** Value that the switch should hold. `null` for other kinds of problem, and for callers who cannot read routing. */
  expected: DriftedDestination | null;
  /** Cause. `null` if there is none or the caller cannot read it. */
  error: string | null;
  /** Times the drift was found. `null` for other kinds. */
  times_found: number | null;
  /** Count of problems in this entry. If a kind has too many, they are one entry. Counting stops at 500. */
  count: number;
  /** Count of numbers that the problem affects. `null` if they were not counted. */
  numbers_affected: number | null;
  /** Failed calls since the start of the problem, within 24 hours at most. Only for one number or connection. `null` if there were 200 calls or more. */
  calls_failed: number | null;
  /** Reserved. Always `null`: use `misrouted` of each call. */
  calls_misrouted: number | null;
}

export interface OverviewSwitch {
  /** Name of the switch. */
  name: string;
  /** `joining`: it has not read back everything yet. `draining`: it is being taken out of service. `silent`: it has stopped reporting. Possible values: `reporting`, `joining`, `draining`, `silent`. New values may be added. */
  state: Open<"reporting" | "joining" | "draining" | "silent">;
  /** Time of the last report. */
  observed_at: string;
  /** Active calls of the organisation's numbers. `null` if the switch is silent. */
  active_calls: number | null;
}

export interface OwnOrganisation {
  /** ID of the organisation. */
  id: string;
  /** Name of the organisation. */
  name: string;
  /** ISO 3166-1 alpha-2 code of the country in which searches read numbers without a country code, such as `030 1000`. `null` searches for the digits without a leading zero. */
  default_country: string | null;
  /** Time when the organisation was created. */
  created_at: string;
}

export interface Passkey {
  /** ID of the passkey. */
  id: string;
  /** Name of the passkey. */
  name: string;
  /** Whether the passkey can be synchronised across your devices. */
  is_synced: boolean;
  /** Time when the passkey was added. */
  created_at: string;
  /** Time when the passkey was last used. `null` if it was never used. */
  last_used_at: string | null;
}

export interface PasskeyAssertion {
  /** Credential ID in base64url. */
  id: string;
  /** Credential ID in base64url, the same as `id`. */
  rawId: string;
  /** Credential type of WebAuthn. */
  type: "public-key";
  /** WebAuthn extension results. */
  clientExtensionResults: Record<string, unknown>;
  /** Authenticator attachment, such as `platform`. `null` or absent if unknown. */
  authenticatorAttachment?: string | null | undefined;
  /** Assertion response of the authenticator. */
  response: PasskeyAssertionResponse;
}

export interface PasskeyAssertionResponse {
  /** Client data in base64url. */
  clientDataJSON: string;
  /** Authenticator data in base64url. */
  authenticatorData: string;
  /** Signature in base64url. */
  signature: string;
  /** User handle in base64url. `null` or absent if the authenticator returned none. */
  userHandle?: string | null | undefined;
  /** Attestation object in base64url. `null` or absent if there is none. */
  attestationObject?: string | null | undefined;
}

export interface PasskeyAttestation {
  /** Credential ID in base64url. */
  id: string;
  /** Credential ID in base64url, the same as `id`. */
  rawId: string;
  /** Credential type of WebAuthn. */
  type: "public-key";
  /** WebAuthn extension results. */
  clientExtensionResults: Record<string, unknown>;
  /** Authenticator attachment, such as `platform`. `null` or absent if unknown. */
  authenticatorAttachment?: string | null | undefined;
  /** Attestation response of the authenticator. */
  response: PasskeyAttestationResponse;
}

export interface PasskeyAttestationResponse {
  /** Client data in base64url. */
  clientDataJSON: string;
  /** Attestation object in base64url. */
  attestationObject: string;
  /** Authenticator data in base64url. */
  authenticatorData?: string | undefined;
  /** Public key in base64url. `null` if the browser cannot export it. */
  publicKey?: string | null | undefined;
  /** COSE algorithm identifier of the public key. */
  publicKeyAlgorithm?: number | undefined;
  /** Transports of the authenticator, such as `internal`. */
  transports?: string[] | undefined;
}

export interface PasskeyChallenge {
  /** Options for `PublicKeyCredential.parseCreationOptionsFromJSON` or `parseRequestOptionsFromJSON` in the browser. */
  options: Record<string, unknown>;
}

export interface PasskeyPage {
  /** Results of this page. */
  data: Passkey[];
  /** Cursor of the next page. `null` on the last page. */
  next_cursor: string | null;
}

export type PlaceOrder = Needing<{
  /** Phone numbers to order. */
  numbers?: string[] | undefined;
  /** ID of the reservation to order. */
  reservation_id?: string | undefined;
  /** Criteria by which the service chooses numbers. */
  criteria?: OrderCriteria | undefined;
  /** Count of numbers to choose by `criteria`. */
  quantity?: number | undefined;
  /** Desired routing of the new numbers. Defaults to `unrouted`. */
  routing?: SetRouting | undefined;
  /** Label of the new numbers. */
  label?: string | undefined;
  /** Tags of the new numbers. */
  tags?: string[] | undefined;
  /** Your reference. */
  external_ref?: string | undefined;
  /** Your own data about the order. */
  metadata?: Record<string, string> | undefined;
  /** If true, the order keeps no numbers unless all of them are available. */
  all_or_nothing?: boolean | undefined;
}, ["numbers"] | ["reservation_id"] | ["criteria","quantity"]>;

export interface PlanBulkChange {
  /** Numbers to change. Send exactly one of `ids`, `filter`. */
  select: BulkSelection;
  /** The change to each number. Send exactly one of `routing`, `tags`, `release_lock`. */
  change: WantedBulkChange;
  /** Reason for the change. Shown in the routing history. */
  reason?: string | undefined;
}

export interface Probe {
  /** ID of the probe. */
  id: string;
  /** ID of the number. */
  number_id: string;
  /** Number in E.164 format. */
  e164: string;
  /** `switch`: each switch of the number tests its own route. `carrier`: a switch calls the number through the carrier, which costs as much as any call. Possible values: `switch`, `carrier`. New values may be added. */
  via: Open<"switch" | "carrier">;
  /** `broken`: `links` shows which link. `failed`: the probe itself could not be completed, and says nothing about the number. Possible values: `running`, `proved`, `broken`, `failed`. New values may be added. */
  status: Open<"running" | "proved" | "broken" | "failed">;
  /** Result in one line. `null` while the probe is running. */
  summary: string | null;
  /** Links of the chain, in the order of a call. Empty while the probe is running. */
  links: ProbeLink[];
  /** Whether a schedule placed the probe. */
  is_scheduled: boolean;
  /** Time when the probe was placed. */
  created_at: string;
  /** Time when the probe ended. `null` while it is running. */
  ended_at: string | null;
}

export interface ProbeBrokenData {
  /** ID of the number. */
  number_id: string;
  /** Number in E.164 format. */
  e164: string;
  /** Way of the probe. Possible values: `switch`, `carrier`. New values may be added. */
  via: Open<"switch" | "carrier">;
  /** Broken link, in one line. */
  summary: string;
}

export interface ProbeCreatedData {
  /** ID of the number. */
  number_id: string;
  /** Number in E.164 format. */
  e164: string;
  /** Way of the probe. Possible values: `switch`, `carrier`. New values may be added. */
  via: Open<"switch" | "carrier">;
}

export interface ProbeLink {
  /** Part of the chain. Possible values: `carrier`, `switch`, `destination`. New values may be added. */
  link: Open<"carrier" | "switch" | "destination">;
  /** Trunk to the carrier, switch, or address of the destination. `null` if unknown. */
  name: string | null;
  /** Switch that tested the link. `null` for the carrier. */
  switch: string | null;
  /** `not_tested`: an earlier link is broken, or nothing can test this one. Possible values: `proved`, `broken`, `not_tested`. New values may be added. */
  status: Open<"proved" | "broken" | "not_tested">;
  /** Result in one sentence. */
  detail: string;
  /** Expected value, if another one was found. */
  expected: string | null;
  /** Found value, if it is not the expected one. */
  found: string | null;
  /** Duration in milliseconds. `null` if there is none. */
  took_ms: number | null;
}

export interface ProbePage {
  /** Results of this page. */
  data: Probe[];
  /** Cursor of the next page. `null` on the last page. */
  next_cursor: string | null;
}

export interface ProbeSchedule {
  /** ID of the schedule. */
  id: string;
  /** Tag of the numbers. */
  tag: string;
  /** `switch`: each switch of the number tests its own route. `carrier`: a switch calls the number through the carrier, which costs as much as any call. Possible values: `switch`, `carrier`. New values may be added. */
  via: Open<"switch" | "carrier">;
  /** Hours between the starts of two rounds. */
  every_hours: number;
  /** Start of the current round, or of the next one if no number is due. */
  round_at: string;
  /** Time when the schedule was created. */
  created_at: string;
  /** Time of the last change. */
  updated_at: string;
}

export interface ProbeScheduleDeletedData {
  /** Tag of the numbers. */
  tag: string;
}

export interface ProbeScheduleList {
  /** Schedules, ordered by tag. */
  data: ProbeSchedule[];
}

export interface ProbeScheduleSetData {
  /** Tag of the numbers. */
  tag: string;
  /** Way of the probe. Possible values: `switch`, `carrier`. New values may be added. */
  via: Open<"switch" | "carrier">;
  /** Hours between rounds. */
  every_hours: number;
}

export interface Problem {
  /** URL of the documentation of this code. */
  type: string;
  /** Short summary, the same for all errors with this code. */
  title: string;
  /** HTTP status code of the response. */
  status: number;
  /** Explanation of the error in this request. */
  detail: string;
  /** URI of this occurrence of the error. */
  instance: string;
  /** Stable error code. Branch on this. New codes may be added. */
  code: string;
  /** ID of the request, as in `Request-Id`. Quote it when you report a problem. */
  request_id: string;
  /** Whether the same request can succeed later. */
  retryable: boolean;
  /** Invalid parts of the request, one entry each. */
  errors?: ProblemPart[] | undefined;
}

export interface ProblemBeganData {
  /** Kind of the problem. Possible values: `number_failing`, `number_flapping`, `connection_unreachable`, `webhook_endpoint_disabled`, `order_failed`. New values may be added. */
  kind: Open<"number_failing" | "number_flapping" | "connection_unreachable" | "webhook_endpoint_disabled" | "order_failed">;
  /** ID of the number, connection, webhook endpoint or order. */
  subject_id: string;
  /** Phone number, name, URL or external reference. `null` if there is none. */
  label: string | null;
  /** Cause. `null` if it is unknown. */
  error: string | null;
  /** Start of the problem. */
  since: string;
  /** Page of the dashboard that shows it. */
  url: string;
}

export interface ProblemEndedData {
  /** Kind of the problem. Possible values: `number_failing`, `number_flapping`, `connection_unreachable`, `webhook_endpoint_disabled`, `order_failed`. New values may be added. */
  kind: Open<"number_failing" | "number_flapping" | "connection_unreachable" | "webhook_endpoint_disabled" | "order_failed">;
  /** ID of the number, connection, webhook endpoint or order. */
  subject_id: string;
  /** Phone number, name, URL or external reference. `null` if there is none. */
  label: string | null;
  /** Cause. `null` if it is unknown. */
  error: string | null;
  /** Start of the problem. */
  since: string;
  /** Page of the dashboard that shows it. */
  url: string;
  /** Time when the end was found. */
  ended_at: string;
}

export interface ProblemIdentityProvider {
  /** ID of the identity provider. */
  id: string;
  /** Name of the identity provider. */
  name: string;
}

export interface ProblemOrganisation {
  /** ID of the organisation. */
  id: string;
  /** Name of the organisation. */
  name: string;
}

export interface ProblemPart {
  /** JSON Pointer to the invalid part of the body. */
  pointer?: string | undefined;
  /** Name of the invalid query parameter. */
  parameter?: string | undefined;
  /** Name of the invalid request header. */
  header?: string | undefined;
  /** Machine-readable reason. */
  code: string;
  /** Explanation for people. */
  detail: string;
}

export interface ProblemSubject {
  /** Type of the resource. Possible values: `number`, `connection`, `webhook_endpoint`, `order`, `switch`. New values may be added. */
  type: Open<"number" | "connection" | "webhook_endpoint" | "order" | "switch">;
  /** ID of the resource. `null` for a switch. */
  id: string | null;
  /** Phone number, name, URL or external reference. `null` if there is none or the caller cannot read it. */
  label: string | null;
}

export interface ProveDomain {
  /** Domain to verify. It must be one of the provider's domains. */
  domain: string;
}

export interface ProviderSignIn {
  /** URL of the identity provider to open in the browser. `null` if no organisation has verified the domain. */
  redirect_to: string | null;
}

export interface RateLimitedProblem {
  /** URL of the documentation of this code. */
  type: string;
  /** Short summary, the same for all errors with this code. */
  title: string;
  /** HTTP status code of the response. */
  status: number;
  /** Explanation of the error in this request. */
  detail: string;
  /** URI of this occurrence of the error. */
  instance: string;
  /** Stable error code. Branch on this. New codes may be added. */
  code: string;
  /** ID of the request, as in `Request-Id`. Quote it when you report a problem. */
  request_id: string;
  /** Whether the same request can succeed later. */
  retryable: boolean;
  /** Invalid parts of the request, one entry each. */
  errors?: ProblemPart[] | undefined;
  /** Name of the exceeded limit, as in `RateLimit-Policy`. */
  policy: string;
}

export interface Reauthenticate {
  /** Password of the user. */
  password: string;
}

export interface ReauthenticateWithCode {
  /** Six-digit code from the authenticator app, or a recovery code where the operation accepts one. */
  code: string;
}

export interface ReauthenticateWithPasskey {
  /** Credential that the browser returned for the challenge. */
  credential: PasskeyAssertion;
}

export interface RecoveryCodes {
  /** Recovery codes. Each works once. They are shown only in this response. */
  recovery_codes: string[];
}

export interface RedeemCode {
  /** Code from the redirect. It works once. */
  code: string;
  /** PKCE code verifier that matches `code_challenge` (RFC 7636). */
  code_verifier: string;
  /** Loopback URL of the tool: 127.0.0.1 or [::1] with any port and a plain path. */
  redirect_uri: string;
}

export interface RedeemDevice {
  /** `device_code` of the sign-in. */
  device_code: string;
}

export interface Release {
  /** ID of the job. */
  job_id: string;
  /** ID of the number. */
  number_id: string;
  /** Status of the number. `restoring` means that the restore is in progress. Possible values: `releasing`, `restoring`, `quarantined`, `released`, `active`, `suspended`. New values may be added. */
  status: Open<"releasing" | "restoring" | "quarantined" | "released" | "active" | "suspended">;
}

export interface ReleaseInProgressProblem {
  /** URL of the documentation of this code. */
  type: string;
  /** Short summary, the same for all errors with this code. */
  title: string;
  /** HTTP status code of the response. */
  status: number;
  /** Explanation of the error in this request. */
  detail: string;
  /** URI of this occurrence of the error. */
  instance: string;
  /** Stable error code. Branch on this. New codes may be added. */
  code: string;
  /** ID of the request, as in `Request-Id`. Quote it when you report a problem. */
  request_id: string;
  /** Whether the same request can succeed later. */
  retryable: boolean;
  /** Invalid parts of the request, one entry each. */
  errors?: ProblemPart[] | undefined;
  /** ID of the job in progress. Poll it at `GET /v1/jobs/{job_id}`. `null` if unknown. */
  job_id: string | null;
}

export interface RemovedMember {
  /** ID of the removed user. */
  user_id: string;
  /** Active API keys of the organisation that the member created. */
  keys: LeftBehindKey[];
}

export interface RenamePasskey {
  /** New name of the passkey. */
  name: string;
}

export interface ReplayDeliveries {
  /** ID of the delivery to replay. Defaults to all that match. */
  delivery_id?: string | undefined;
  /** Only deliveries with this status. */
  status?: "delivered" | "failed" | undefined;
  /** Only deliveries created at this time or later. */
  from?: string | undefined;
  /** Only deliveries created before this time. */
  to?: string | undefined;
}

export interface ReplayedDeliveries {
  /** Count of deliveries to be sent again. */
  replayed: number;
}

export interface RequestPasswordReset {
  /** Email address of the account. */
  email: string;
}

export type RequirementSubmission = Needing<{
  /** The carrier's ID of the requirement, as in the order. */
  requirement_id: string;
  /** Number of the order. Without it, the evidence is for all numbers that still need it. */
  e164?: string | undefined;
  /** ID of an address, for the type `address`. */
  address_id?: string | undefined;
  /** ID of a document, for the type `document`. */
  document_id?: string | undefined;
  /** Data of the end user, for the type `end_user`. */
  end_user?: EndUser | undefined;
}, ["address_id"] | ["document_id"] | ["end_user"]>;

export interface Reservation {
  /** ID of the reservation. */
  id: string;
  /** Status of the reservation. Possible values: `active`, `ordered`, `expired`, `cancelled`. New values may be added. */
  status: Open<"active" | "ordered" | "expired" | "cancelled">;
  /** Reserved phone numbers. */
  numbers: string[];
  /** Time when the reservation expires. */
  expires_at: string;
  /** Time when the reservation was created. */
  created_at: string;
}

export interface ReservationCancelledData {
  /** Phone numbers in E.164 format. */
  numbers: string[];
}

export interface ReservationCreatedData {
  /** Phone numbers in E.164 format. */
  numbers: string[];
  /** Time when the reservation expires. */
  expires_at: string;
}

export interface ReservationOrderedData {
  /** Phone numbers in E.164 format. */
  numbers: string[];
}

export interface ReservationPage {
  /** Results of this page. */
  data: Reservation[];
  /** Cursor of the next page. `null` on the last page. */
  next_cursor: string | null;
}

export interface RestoreInProgressProblem {
  /** URL of the documentation of this code. */
  type: string;
  /** Short summary, the same for all errors with this code. */
  title: string;
  /** HTTP status code of the response. */
  status: number;
  /** Explanation of the error in this request. */
  detail: string;
  /** URI of this occurrence of the error. */
  instance: string;
  /** Stable error code. Branch on this. New codes may be added. */
  code: string;
  /** ID of the request, as in `Request-Id`. Quote it when you report a problem. */
  request_id: string;
  /** Whether the same request can succeed later. */
  retryable: boolean;
  /** Invalid parts of the request, one entry each. */
  errors?: ProblemPart[] | undefined;
  /** ID of the job in progress. Poll it at `GET /v1/jobs/{job_id}`. `null` if unknown. */
  job_id: string | null;
}

export interface RevisedRouting {
  /** Routing mode. Possible values: `sip_uri`, `connection`, `unrouted`, `forward`, `webhook`. New values may be added. */
  mode: Open<"sip_uri" | "connection" | "unrouted" | "forward" | "webhook">;
  /** SIP URI. Only in mode `sip_uri`. */
  sip_uri?: string | undefined;
  /** ID of the connection. Only in mode `connection`. */
  connection_id?: string | undefined;
  /** Phone number in E.164 format. Only in mode `forward`. */
  forward_to?: string | undefined;
  /** URL of your server. Only in mode `webhook`. */
  webhook_url?: string | undefined;
  /** Seconds to ring. Absent if the limit of the switch applies. */
  ring_seconds?: number | undefined;
  /** Second destination, if the first one fails. In mode `webhook`, the destination if your server does not respond. */
  fallback?: Fallback | undefined;
}

export interface RoleNotAllowedProblem {
  /** URL of the documentation of this code. */
  type: string;
  /** Short summary, the same for all errors with this code. */
  title: string;
  /** HTTP status code of the response. */
  status: number;
  /** Explanation of the error in this request. */
  detail: string;
  /** URI of this occurrence of the error. */
  instance: string;
  /** Stable error code. Branch on this. New codes may be added. */
  code: string;
  /** ID of the request, as in `Request-Id`. Quote it when you report a problem. */
  request_id: string;
  /** Whether the same request can succeed later. */
  retryable: boolean;
  /** Invalid parts of the request, one entry each. */
  errors?: ProblemPart[] | undefined;
  /** Roles that allow this request. You need one of them. */
  roles: string[];
}

export interface RollBackRouting {
  /** Generation of the revision to restore. */
  generation: number;
  /** Reason for the change. Shown in the routing history. */
  reason?: string | undefined;
}

export interface RotateApiKey {
  /** Hours for which the old key remains valid (default: 24). */
  overlap_hours?: 0 | 1 | 24 | 168 | undefined;
}

export interface Routing {
  /** ID of the number. */
  number_id: string;
  /** Routing that you set. */
  desired: DesiredRouting;
  /** Routing that the switches have read back. With several switches, the one furthest behind. `null` until a switch has read it back. */
  applied: AppliedRouting | null;
  /** `in_sync`: all switches hold the desired routing. `pending`: a switch has not confirmed it yet. `failed`: a switch rejected it. `drifted`: a switch holds another value. `unknown`: a switch has stopped reporting. New values may be added. */
  status: Open<"in_sync" | "pending" | "failed" | "drifted" | "unknown">;
  /** Time since which the routing has this status. `null` if unknown. */
  since: string | null;
  /** Why calls are not routed as desired, such as `number_suspended`. `null` if they are. */
  effective_reason: string | null;
  /** Applied routing at each switch. */
  switches: SwitchReading[];
  /** Links that a call passes, in order: first the carrier, then the switches. */
  chain: RoutingLink[];
  /** Latest error of a switch. `null` if there is none. */
  last_error: string | null;
  /** Whether a switch has drifted at least three times between the same values, most recently within 10 minutes. It can be true while the routing is in sync. */
  flapping: boolean;
  /** Latest drift, shown for 10 minutes after it was last found. `null` if there is none. */
  drift: Drift | null;
}

export interface RoutingAuthor {
  /** Type of the caller. Possible values: `session`, `api_key`, `operator`, `system`. New values may be added. */
  kind: Open<"session" | "api_key" | "operator" | "system">;
  /** ID of the user or API key. `null` if there is none. */
  id: string | null;
  /** Name of the user or API key. `null` if there is none. */
  name: string | null;
}

export interface RoutingChangedData {
  /** New routing mode. Possible values: `unrouted`, `sip_uri`, `connection`, `forward`, `webhook`. New values may be added. */
  mode: Open<"unrouted" | "sip_uri" | "connection" | "forward" | "webhook">;
  /** Revision number of the desired routing. */
  generation: number;
}

export interface RoutingDiff {
  /** Generation of the first revision. */
  from: number;
  /** Generation of the second revision. */
  to: number;
  /** Fields that differ. */
  changes: RoutingDifference[];
}

export interface RoutingDifference {
  /** Name of the field. */
  field: string;
  /** Value in the first revision. `null` if absent. */
  from: string | null;
  /** Value in the second revision. `null` if absent. */
  to: string | null;
}

export interface RoutingDriftEndedData {
  /** Name of the switch. */
  switch: string;
  /** Error that the switch reported. */
  error: string;
  /** Value that the switch held. `null` if it held none. */
  found: Record<string, unknown> | null;
  /** Value that the switch should hold. `null` if it should hold none. */
  expected: Record<string, unknown> | null;
  /** Whether the switch held a different value each time. `found` and `expected` are the latest. */
  is_various: boolean;
  /** Number of times the drift was found. */
  count: number;
  /** Time when the drift was first found. */
  first_at: string;
  /** Time when the drift was last found. */
  last_at: string;
  /** Total time in milliseconds during which the switch held a wrong value. */
  wrong_ms: number;
}

export interface RoutingDriftedData {
  /** Name of the switch. */
  switch: string;
  /** Error that the switch reported. */
  error: string;
  /** Value that the switch held. `null` if it held none. */
  found: Record<string, unknown> | null;
  /** Value that the switch should hold. `null` if it should hold none. */
  expected: Record<string, unknown> | null;
}

export interface RoutingFailedData {
  /** Name of the switch. */
  switch: string;
  /** Error that the switch reported. */
  error: string;
}

export interface RoutingFlappingData {
  /** Name of the switch. */
  switch: string;
  /** Error that the switch reported. */
  error: string;
  /** Value that the switch held. `null` if it held none. */
  found: Record<string, unknown> | null;
  /** Value that the switch should hold. `null` if it should hold none. */
  expected: Record<string, unknown> | null;
}

export interface RoutingLink {
  /** `carrier`: delivery of the number's calls to a trunk of the operator. `switch`: routing by the switches. New values may be added. */
  link: Open<"carrier" | "switch">;
  /** Desired value. `null` if there is none. */
  desired: RoutingLinkValue | null;
  /** Value that the carrier or the switches reported. `null` if there is none. */
  applied: RoutingLinkValue | null;
  /** Status of the link. The link `switch` has the status of the routing. The link `carrier` is `drifting` if the carrier delivers elsewhere, `unknown` if it has not been queried yet, and `unsupported` if the service does not set its delivery: see `reason`. New values may be added. */
  status: Open<"in_sync" | "pending" | "drifting" | "drifted" | "failed" | "unknown" | "unsupported">;
  /** Why the link is `unsupported`: `no_carrier` for an imported number, `no_delivery` if the carrier has no delivery to trunks, `no_trunk` if the operator has configured no trunk. `null` otherwise. */
  reason: string | null;
  /** Error of the link. `null` if there is none. */
  error: string | null;
  /** Time when the value was read at the carrier or a switch. `null` if it was not read. */
  observed_at: string | null;
}

export interface RoutingLinkValue {
  /** ID of the trunk at the carrier. Only of the link `carrier`. */
  trunk?: string | undefined;
  /** Generation of the routing on the switch. Only of the link `switch`. */
  generation?: number | undefined;
}

export interface RoutingRevision {
  /** Revision number. Increases by 1 with each change of the desired routing. */
  generation: number;
  /** Desired routing of this revision. */
  desired: RevisedRouting;
  /** Time of the change. */
  set_at: string;
  /** Caller who made the change. */
  set_by: RoutingAuthor;
  /** Reason for the change. `null` if none was given. */
  reason: string | null;
}

export interface RoutingRevisionPage {
  /** Results of this page. */
  data: RoutingRevision[];
  /** Cursor of the next page. `null` on the last page. */
  next_cursor: string | null;
}

export interface RoutingWebhookSecret {
  /** Signing secret for any Standard Webhooks library. */
  secret: string;
  /** Version of the secret. Increases by 1 with each rotation. */
  version: number;
  /** Time until which requests are also signed with the previous secret. `null` if they are not. */
  previous_until: string | null;
}

export interface RoutingWebhookSecretRotatedData {
  /** Version of the new secret. */
  version: number;
}

export interface ScopeMissingProblem {
  /** URL of the documentation of this code. */
  type: string;
  /** Short summary, the same for all errors with this code. */
  title: string;
  /** HTTP status code of the response. */
  status: number;
  /** Explanation of the error in this request. */
  detail: string;
  /** URI of this occurrence of the error. */
  instance: string;
  /** Stable error code. Branch on this. New codes may be added. */
  code: string;
  /** ID of the request, as in `Request-Id`. Quote it when you report a problem. */
  request_id: string;
  /** Whether the same request can succeed later. */
  retryable: boolean;
  /** Invalid parts of the request, one entry each. */
  errors?: ProblemPart[] | undefined;
  /** Scopes that allow this request. The API key needs one of them. */
  scopes: string[];
}

export interface SecondFactorNeeded {
  /** Challenge from the response to the first sign-in step. */
  challenge: string;
  /** Accepted second factors. */
  factors: Open<"app" | "recovery_code">[];
  /** Time when the challenge expires. */
  expires_at: string;
}

export interface Session {
  /** ID of the session. */
  id: string;
  /** Client that signed in. Possible values: `browser`, `tool`. New values may be added. */
  kind: Open<"browser" | "tool">;
  /** Whether this is the session of the request. */
  is_current: boolean;
  /** Time of the sign-in. */
  created_at: string;
  /** Time of the last request, accurate to five minutes. */
  last_seen_at: string;
  /** Time when the session expires. */
  expires_at: string;
  /** IP address of the sign-in. `null` if unknown. */
  address: string | null;
  /** `User-Agent` of the sign-in. `null` if the client sent none. */
  user_agent: string | null;
}

export interface SessionPage {
  /** Results of this page. */
  data: Session[];
  /** Cursor of the next page. `null` on the last page. */
  next_cursor: string | null;
}

export interface SessionTooOldProblem {
  /** URL of the documentation of this code. */
  type: string;
  /** Short summary, the same for all errors with this code. */
  title: string;
  /** HTTP status code of the response. */
  status: number;
  /** Explanation of the error in this request. */
  detail: string;
  /** URI of this occurrence of the error. */
  instance: string;
  /** Stable error code. Branch on this. New codes may be added. */
  code: string;
  /** ID of the request, as in `Request-Id`. Quote it when you report a problem. */
  request_id: string;
  /** Whether the same request can succeed later. */
  retryable: boolean;
  /** Invalid parts of the request, one entry each. */
  errors?: ProblemPart[] | undefined;
  /** Organisation whose sign-in policy your session does not meet. */
  organisation: ProblemOrganisation;
}

export interface SetConnectionFallback {
  /** Fallback mode. */
  mode: "connection";
  /** ID of the connection. */
  connection_id: string;
  /** Seconds to ring before the call fails over with `no_answer`. Defaults to 30 before a fallback for `no_answer`, otherwise 120. */
  ring_seconds?: number | undefined;
  /** Failures of the previous destination after which this one takes the call. Defaults to `unreachable` and `no_answer`. After mode `webhook`, this destination also takes calls that your server does not decide, and `on` defaults to none. */
  on?: ("unreachable" | "no_answer" | "busy" | "refused")[] | undefined;
  /** Third destination, if this one fails. */
  fallback?: SetLastFallback | undefined;
}

export interface SetConnectionLastFallback {
  /** Fallback mode. */
  mode: "connection";
  /** ID of the connection. */
  connection_id: string;
  /** Seconds to ring before the call fails over with `no_answer`. Defaults to 30 before a fallback for `no_answer`, otherwise 120. */
  ring_seconds?: number | undefined;
  /** Failures of the previous destination after which this one takes the call. Defaults to `unreachable` and `no_answer`. After mode `webhook`, this destination also takes calls that your server does not decide, and `on` defaults to none. */
  on?: ("unreachable" | "no_answer" | "busy" | "refused")[] | undefined;
}

export interface SetConnectionRouting {
  /** Routing mode: calls are sent to a connection. */
  mode: "connection";
  /** ID of the connection. */
  connection_id: string;
  /** Seconds to ring before the call fails over with `no_answer`. Defaults to 30 before a fallback for `no_answer`, otherwise 120. */
  ring_seconds?: number | undefined;
  /** Second destination, if this one fails. */
  fallback?: SetFallback | undefined;
  /** Reason for the change. Shown in the routing history. */
  reason?: string | undefined;
}

export interface SetConnectionTarget {
  /** Public host name or IP address. IPv6 addresses have no brackets. */
  host: string;
  /** Port (default: 5060, or 5061 for `tls`). */
  port?: number | undefined;
  /** SIP transport. */
  transport?: "udp" | "tcp" | "tls" | undefined;
  /** Priority of the target. Lower values are tried first. */
  priority?: number | undefined;
  /** Relative share of calls among targets with the same priority. */
  weight?: number | undefined;
  /** Ignored, so that you can send targets as you received them. */
  health?: {
    /** Ignored. */
    state: string;
    /** Ignored. */
    switches: unknown[];
  } | undefined;
}

export type SetFallback = SetSipUriFallback | SetConnectionFallback | SetForwardFallback | SetWebhookFallback | SetUnroutedFallback;

export interface SetForwardFallback {
  /** Fallback mode. */
  mode: "forward";
  /** Phone number in E.164 format to which calls are forwarded. */
  forward_to: string;
  /** Seconds to ring before the call fails over with `no_answer`. Defaults to 30 before a fallback for `no_answer`, otherwise 120. */
  ring_seconds?: number | undefined;
  /** Failures of the previous destination after which this one takes the call. Defaults to `unreachable` and `no_answer`. After mode `webhook`, this destination also takes calls that your server does not decide, and `on` defaults to none. */
  on?: ("unreachable" | "no_answer" | "busy" | "refused")[] | undefined;
  /** Third destination, if this one fails. */
  fallback?: SetLastFallback | undefined;
}

export interface SetForwardLastFallback {
  /** Fallback mode. */
  mode: "forward";
  /** Phone number in E.164 format to which calls are forwarded. */
  forward_to: string;
  /** Seconds to ring before the call fails over with `no_answer`. Defaults to 30 before a fallback for `no_answer`, otherwise 120. */
  ring_seconds?: number | undefined;
  /** Failures of the previous destination after which this one takes the call. Defaults to `unreachable` and `no_answer`. After mode `webhook`, this destination also takes calls that your server does not decide, and `on` defaults to none. */
  on?: ("unreachable" | "no_answer" | "busy" | "refused")[] | undefined;
}

export interface SetForwardRouting {
  /** Routing mode: calls are forwarded to a phone number. */
  mode: "forward";
  /** Phone number in E.164 format to which calls are forwarded. */
  forward_to: string;
  /** Seconds to ring before the call fails over with `no_answer`. Defaults to 30 before a fallback for `no_answer`, otherwise 120. */
  ring_seconds?: number | undefined;
  /** Second destination, if this one fails. */
  fallback?: SetFallback | undefined;
  /** Reason for the change. Shown in the routing history. */
  reason?: string | undefined;
}

export type SetLastFallback = SetSipUriLastFallback | SetConnectionLastFallback | SetForwardLastFallback | SetWebhookLastFallback;

export interface SetNotificationRule {
  /** Kind of the problem. Each can occur once. */
  kind: "number_failing" | "number_flapping" | "connection_unreachable" | "webhook_endpoint_disabled" | "order_failed" | "order_action_required";
  /** Whether to create the events `problem.began` and `problem.ended`, for your webhook endpoints. */
  webhook?: boolean | undefined;
  /** Email addresses that get a message when such a problem begins and when it ends. They must belong to members. */
  emails?: string[] | undefined;
}

export interface SetNotifications {
  /** All rules. Kinds that are absent send no notifications. */
  rules: SetNotificationRule[];
}

export type SetRouting = SetSipUriRouting | SetConnectionRouting | SetUnrouted | SetForwardRouting | SetWebhookRouting;

export interface SetSipUriFallback {
  /** Fallback mode. */
  mode: "sip_uri";
  /** SIP URI to which calls are sent. */
  sip_uri: string;
  /** Seconds to ring before the call fails over with `no_answer`. Defaults to 30 before a fallback for `no_answer`, otherwise 120. */
  ring_seconds?: number | undefined;
  /** Failures of the previous destination after which this one takes the call. Defaults to `unreachable` and `no_answer`. After mode `webhook`, this destination also takes calls that your server does not decide, and `on` defaults to none. */
  on?: ("unreachable" | "no_answer" | "busy" | "refused")[] | undefined;
  /** Third destination, if this one fails. */
  fallback?: SetLastFallback | undefined;
}

export interface SetSipUriLastFallback {
  /** Fallback mode. */
  mode: "sip_uri";
  /** SIP URI to which calls are sent. */
  sip_uri: string;
  /** Seconds to ring before the call fails over with `no_answer`. Defaults to 30 before a fallback for `no_answer`, otherwise 120. */
  ring_seconds?: number | undefined;
  /** Failures of the previous destination after which this one takes the call. Defaults to `unreachable` and `no_answer`. After mode `webhook`, this destination also takes calls that your server does not decide, and `on` defaults to none. */
  on?: ("unreachable" | "no_answer" | "busy" | "refused")[] | undefined;
}

export interface SetSipUriRouting {
  /** Routing mode: calls are sent to a SIP URI. */
  mode: "sip_uri";
  /** SIP URI to which calls are sent. */
  sip_uri: string;
  /** Seconds to ring before the call fails over with `no_answer`. Defaults to 30 before a fallback for `no_answer`, otherwise 120. */
  ring_seconds?: number | undefined;
  /** Second destination, if this one fails. */
  fallback?: SetFallback | undefined;
  /** Reason for the change. Shown in the routing history. */
  reason?: string | undefined;
}

export interface SetUnrouted {
  /** Routing mode: calls are rejected. */
  mode: "unrouted";
  /** Reason for the change. Shown in the routing history. */
  reason?: string | undefined;
}

export interface SetUnroutedFallback {
  /** Fallback mode: calls are rejected. Only directly after mode `webhook`. */
  mode: "unrouted";
}

export interface SetWebhookFallback {
  /** Fallback mode. */
  mode: "webhook";
  /** URL of your server, which the switch queries for each call. */
  webhook_url: string;
  /** Seconds to ring before the call fails over with `no_answer`. Defaults to 30 before a fallback for `no_answer`, otherwise 120. */
  ring_seconds?: number | undefined;
  /** Failures of the previous destination after which this one takes the call. Defaults to `unreachable` and `no_answer`. After mode `webhook`, this destination also takes calls that your server does not decide, and `on` defaults to none. */
  on?: ("unreachable" | "no_answer" | "busy" | "refused")[] | undefined;
  /** Third destination, if this one fails. */
  fallback?: SetLastFallback | undefined;
}

export interface SetWebhookLastFallback {
  /** Fallback mode. */
  mode: "webhook";
  /** URL of your server, which the switch queries for each call. */
  webhook_url: string;
  /** Seconds to ring before the call fails over with `no_answer`. Defaults to 30 before a fallback for `no_answer`, otherwise 120. */
  ring_seconds?: number | undefined;
  /** Failures of the previous destination after which this one takes the call. Defaults to `unreachable` and `no_answer`. After mode `webhook`, this destination also takes calls that your server does not decide, and `on` defaults to none. */
  on?: ("unreachable" | "no_answer" | "busy" | "refused")[] | undefined;
}

export interface SetWebhookRouting {
  /** Routing mode: your server decides for each call. */
  mode: "webhook";
  /** URL of your server, which the switch queries for each call. */
  webhook_url: string;
  /** Seconds to ring before the call fails over with `no_answer`. Defaults to 30 before a fallback for `no_answer`, otherwise 120. */
  ring_seconds?: number | undefined;
  /** Routing if your server does not respond. Defaults to `unrouted`. */
  fallback?: SetFallback | undefined;
  /** Reason for the change. Shown in the routing history. */
  reason?: string | undefined;
}

export interface SignIn {
  /** Email address of the user. */
  email: string;
  /** Password of the user. */
  password: string;
}

export interface SignInPolicy {
  /** Whether members must sign in with an authenticator app or a passkey. */
  require_second_factor: boolean;
  /** Whether members must sign in through an identity provider of the organisation. Owners can use two personal factors instead. The other owners then receive an email and the audit log records it. */
  require_single_sign_on: boolean;
  /** Maximum age of a session in hours. `null` applies only the service limit of 30 days. */
  max_session_age_hours: number | null;
}

export interface SignInWithCode {
  /** Challenge from the response to the first sign-in step. */
  challenge: string;
  /** Six-digit code from the authenticator app, or a recovery code where the operation accepts one. */
  code: string;
}

export interface SignInWithPasskey {
  /** Credential that the browser returned for the challenge. */
  credential: PasskeyAssertion;
}

export interface SignInWithProvider {
  /** `state` from the provider's redirect. */
  state: string;
  /** `code` from the provider's redirect. */
  code: string;
  /** `iss` from the provider's redirect (RFC 9207). Omit it if the provider sent none. */
  iss?: string | undefined;
}

export interface SignedIn {
  /** User who signed in. */
  user: SignedInUser;
  /** Whether you must add an authenticator app or a passkey. Your organisations or your operator role require it, and requests there are rejected without it. */
  enrolment_required: boolean;
}

export interface SignedInUser {
  /** ID of the user. */
  id: string;
  /** Name of the user. */
  name: string;
  /** Email address of the user. */
  email: string;
}

export interface SingleSignOnRequiredProblem {
  /** URL of the documentation of this code. */
  type: string;
  /** Short summary, the same for all errors with this code. */
  title: string;
  /** HTTP status code of the response. */
  status: number;
  /** Explanation of the error in this request. */
  detail: string;
  /** URI of this occurrence of the error. */
  instance: string;
  /** Stable error code. Branch on this. New codes may be added. */
  code: string;
  /** ID of the request, as in `Request-Id`. Quote it when you report a problem. */
  request_id: string;
  /** Whether the same request can succeed later. */
  retryable: boolean;
  /** Invalid parts of the request, one entry each. */
  errors?: ProblemPart[] | undefined;
  /** Organisation whose sign-in policy your session does not meet. */
  organisation: ProblemOrganisation;
  /** Identity providers of the organisation that have a verified domain. */
  identity_providers: ProblemIdentityProvider[];
}

export interface SubjectRef {
  /** Type of the resource, such as `number`, `user` or `connection`. New types may be added. */
  type: string;
  /** ID of the resource, the same as `subject`. */
  id: string;
  /** Phone number, name or URL of the resource. `null` if it is unknown or the resource is deleted. */
  label: string | null;
}

export interface SubmitRequirements {
  /** Evidence for requirements of the order. */
  submissions: RequirementSubmission[];
}

export interface SwitchBehind {
  /** Name of the switch. */
  switch: string;
  /** Comparison of desired and applied routing on this switch. Possible values: `pending`, `failed`, `drifted`, `unknown`. New values may be added. */
  state: Open<"pending" | "failed" | "drifted" | "unknown">;
}

export interface SwitchReading {
  /** Name of the switch. */
  switch: string;
  /** Routing that the switch has read back. `null` if there is none. */
  applied: AppliedRouting | null;
  /** Time of the switch's last report about the routing. `null` if there was none. */
  observed_at: string | null;
  /** Error of the switch. `null` if there is none. */
  error: string | null;
  /** Routing that the switch should hold. It differs from `desired` while the number is not active. `null` if it should hold none. */
  expected: DriftedDestination | null;
  /** Time when the switch first confirmed this generation. `null` if it has not, or if it was added later. */
  applied_at: string | null;
  /** Milliseconds from `desired.set_at` to `applied_at`. `null` if `applied_at` is. */
  took_ms: number | null;
}

export interface TagChange {
  /** Tags to add. */
  add: string[];
  /** Tags to remove. */
  remove: string[];
}

export interface TargetAddress {
  /** IP address and port. */
  address: string;
  /** State of this address. */
  state: Open<"up" | "down" | "unknown">;
}

export interface TargetHealth {
  /** Combined state. `down`: the target does not respond to at least one switch. `unknown`: at least one switch cannot tell, or there are no reports. `up`: it responds to all switches. */
  state: Open<"up" | "down" | "unknown">;
  /** State of the target at each switch. */
  switches: TargetReading[];
}

export interface TargetReading {
  /** Name of the switch. */
  switch: string;
  /** `up`: the target responds to SIP OPTIONS. `down`: it does not, or its name does not resolve. `unknown`: no check yet, or the switch has stopped reporting. */
  state: Open<"up" | "down" | "unknown">;
  /** Addresses that the host name resolves to at this switch, each checked separately. */
  addresses: TargetAddress[];
  /** Time since which the target has this state. `null` if unknown. */
  since: string | null;
  /** Time of the switch's last health report. `null` if there was none. */
  checked_at: string | null;
}

export interface TimelineEntry {
  /** `set`: the desired routing changed. `applied`: a switch confirmed a routing. `failed`: a switch rejected it. `drifted`: a switch held another value. `state`: the number itself changed. New values may be added. */
  kind: Open<"set" | "applied" | "failed" | "drifted" | "state">;
  /** Time of the entry. For `failed` and `drifted`, the time of the first report. */
  at: string;
  /** Time when a failure ended or a drift was last repaired. `null` if it is not over, and for other kinds. */
  until: string | null;
  /** Name of the switch. `null` for `set` and `state`. */
  switch: string | null;
  /** Generation of the desired routing that the entry is about. `null` for `drifted` and `state`. */
  revision: number | null;
  /** Change of the number, such as `suspended`. Only for `state`. New values may be added. */
  state: Open<"added" | "suspended" | "resumed" | "releasing" | "release_failed" | "quarantined" | "released" | "restoring" | "restore_failed" | "restored"> | null;
  /** Caller who made the change. `null` if a switch reported the entry. */
  actor: RoutingAuthor | null;
  /** Reason for the change. `null` if none was given. */
  reason: string | null;
  /** Fields that the revision changed. Empty for kinds other than `set`. */
  changes: RoutingDifference[];
  /** Value that the switch held or, for `applied`, confirmed. `null` if it held none, and for other kinds. */
  found: DriftedDestination | null;
  /** Value that the switch should have held. Only for `failed` and `drifted`. `null` if none. */
  expected: DriftedDestination | null;
  /** Error of the switch. Only for `failed` and `drifted`. */
  error: string | null;
  /** Number of times the drift was found. Only for `drifted`. */
  count: number | null;
  /** Milliseconds from the change to its confirmation by the switch. Only for `applied`. */
  took_ms: number | null;
  /** Milliseconds for which the switch held another value, over all findings. Only for `drifted`. */
  wrong_ms: number | null;
}

export interface TimelinePage {
  /** Results of this page. */
  data: TimelineEntry[];
  /** Cursor of the next page. `null` on the last page. */
  next_cursor: string | null;
}

export interface ToolLetIn {
  /** URL to open in the browser: `redirect_uri` with the code and `state`. */
  redirect_to: string;
}

export interface ToolSession {
  /** Session token for `Authorization: Bearer`. It is shown only in this response. */
  token: string;
  /** Time when the session expires. */
  expires_at: string;
  /** User who approved the tool. */
  user: SignedInUser;
}

export interface TopNumber {
  /** ID of the number. */
  number_id: string;
  /** Phone number in E.164 format. */
  e164: string;
  /** Label of the number. `null` if there is none. */
  label: string | null;
  /** Count of all calls. Each has one of the six results. */
  calls: number;
  /** Count of answered calls. */
  answered: number;
  /** Count of calls to a busy target. */
  busy: number;
  /** Count of calls that were not answered in time. */
  no_answer: number;
  /** Count of calls that the caller cancelled. */
  cancelled: number;
  /** Count of calls that the target or the switch rejected. */
  rejected: number;
  /** Count of calls that failed for technical reasons. */
  failed: number;
  /** Talk time in seconds, rounded up for each call. */
  talk_seconds: number;
  /** Talk time in seconds of forwarded calls. Included in `talk_seconds`. */
  forwarded_seconds: number;
}

export interface TopNumbers {
  /** Start of the window that was counted. */
  from: string;
  /** End of the window that was counted. */
  to: string;
  /** If false, the window was widened to full days. */
  exact: boolean;
  /** Time of the count. */
  as_of: string;
  /** Busiest numbers, in descending order of `by`. */
  data: TopNumber[];
}

export interface TypedUserCode {
  /** Code that the tool shows. */
  user_code: string;
}

export interface UsageBucket {
  /** Start of the bucket, inclusive. */
  from: string;
  /** End of the bucket, exclusive. */
  to: string;
  /** Count of all calls. Each has one of the six results. */
  calls: number;
  /** Count of answered calls. */
  answered: number;
  /** Count of calls to a busy target. */
  busy: number;
  /** Count of calls that were not answered in time. */
  no_answer: number;
  /** Count of calls that the caller cancelled. */
  cancelled: number;
  /** Count of calls that the target or the switch rejected. */
  rejected: number;
  /** Count of calls that failed for technical reasons. */
  failed: number;
  /** Talk time in seconds, rounded up for each call. */
  talk_seconds: number;
  /** Talk time in seconds of forwarded calls. Included in `talk_seconds`. */
  forwarded_seconds: number;
}

export interface UsageTotals {
  /** Count of all calls. Each has one of the six results. */
  calls: number;
  /** Count of answered calls. */
  answered: number;
  /** Count of calls to a busy target. */
  busy: number;
  /** Count of calls that were not answered in time. */
  no_answer: number;
  /** Count of calls that the caller cancelled. */
  cancelled: number;
  /** Count of calls that the target or the switch rejected. */
  rejected: number;
  /** Count of calls that failed for technical reasons. */
  failed: number;
  /** Talk time in seconds, rounded up for each call. */
  talk_seconds: number;
  /** Talk time in seconds of forwarded calls. Included in `talk_seconds`. */
  forwarded_seconds: number;
}

export interface UsualRange {
  /** 10th percentile. */
  low: number;
  /** 90th percentile. */
  high: number;
}

export interface View {
  /** ID of the view. */
  id: string;
  /** Page of the dashboard that the view belongs to. Possible values: `numbers`, `calls`, `audit`, `events`, `jobs`. New values may be added. */
  page: Open<"numbers" | "calls" | "audit" | "events" | "jobs">;
  /** Name of the view, unique among the views of its owner on the same page. */
  name: string;
  /** Query string of the page: filters, sorting and columns, without the question mark. */
  query: string;
  /** Whether the view belongs to the organisation, so that all members see it. Otherwise it is yours alone. */
  is_shared: boolean;
  /** Time when the view was created. */
  created_at: string;
  /** Time of the last change. */
  updated_at: string;
}

export interface ViewPage {
  /** Results of this page. */
  data: View[];
  /** Cursor of the next page. `null` on the last page. */
  next_cursor: string | null;
}

export interface WaitingDevice {
  /** Name that the tool gives itself. It is not verified. */
  client_name: string;
  /** IP address from which the tool sent its request. `null` if unknown. */
  address: string | null;
  /** `User-Agent` of the tool. `null` if it sent none. */
  user_agent: string | null;
  /** Time of the tool's request. */
  created_at: string;
  /** Time when the code expires. */
  expires_at: string;
}

export interface WantedBulkChange {
  /** New desired routing of the numbers. */
  routing?: SetRouting | undefined;
  /** Tags to add and remove. */
  tags?: WantedTagChange | undefined;
  /** Whether the numbers are protected from release. */
  release_lock?: boolean | undefined;
}

export interface WantedTagChange {
  /** Tags to add. */
  add?: string[] | undefined;
  /** Tags to remove. */
  remove?: string[] | undefined;
}

export interface WebhookDelivery {
  /** ID of the delivery. */
  id: string;
  /** ID of the event. Also sent as `webhook-id`. */
  event_id: string;
  /** Type of the event. */
  event_type: string;
  /** `pending`: not delivered yet. `delivered`: your server returned 2xx. `failed`: no retries are left. New values may be added. */
  status: Open<"pending" | "delivered" | "failed">;
  /** Number of attempts. */
  attempts: number;
  /** Time of the next attempt. `null` if there is none. */
  next_attempt_at: string | null;
  /** HTTP status code of the last response. `null` if there was none. */
  answered: number | null;
  /** Error of the last attempt. `null` if there was none. */
  error: string | null;
  /** Time of the last attempt. `null` if there was none. */
  attempted_at: string | null;
  /** Time when the delivery was created. */
  created_at: string;
}

export interface WebhookDeliveryPage {
  /** Results of this page. */
  data: WebhookDelivery[];
  /** Cursor of the next page. `null` on the last page. */
  next_cursor: string | null;
}

export interface WebhookEndpoint {
  /** ID of the endpoint. */
  id: string;
  /** URL that receives the events. It must use https on port 443 and a public name or address. */
  url: string;
  /** Description of the endpoint. `null` if there is none. */
  description: string | null;
  /** Event types to deliver. `order.*` matches all types that start with `order.`. An empty list matches all types, including future ones. */
  event_types: string[];
  /** Status of the endpoint. Possible values: `active`, `disabled`. New values may be added. */
  status: Open<"active" | "disabled">;
  /** Why the service disabled the endpoint. `gone`: it returned 410. `unreachable`: it accepted no delivery for five days. `null` if there is no reason. */
  disabled_reason: string | null;
  /** Time of the first failed attempt since the last success. `null` if deliveries succeed. */
  failing_since: string | null;
  /** Time when the endpoint was created. */
  created_at: string;
}

export interface WebhookEndpointChangedData {
  /** New URL, if it was set. */
  url?: string | undefined;
  /** New description, if it was set. */
  description?: string | null | undefined;
  /** New event types, if they were set. */
  event_types?: string[] | undefined;
  /** New status, if it was set. Possible values: `active`, `disabled`. New values may be added. */
  status?: Open<"active" | "disabled"> | undefined;
}

export interface WebhookEndpointCreatedData {
  /** URL of the endpoint. */
  url: string;
  /** Event types it receives. Empty means all. */
  event_types: string[];
}

export interface WebhookEndpointDeletedData {

}

export interface WebhookEndpointDisabledData {
  /** `unreachable`: no success for days. `gone`: it returned 410. Possible values: `unreachable`, `gone`. New values may be added. */
  reason: Open<"unreachable" | "gone">;
}

export interface WebhookEndpointPage {
  /** Results of this page. */
  data: WebhookEndpoint[];
  /** Cursor of the next page. `null` on the last page. */
  next_cursor: string | null;
}

export interface WebhookEndpointReplayedData {
  /** Queued deliveries. */
  replayed: number;
}

export interface WebhookEndpointSecretRotatedData {

}

export interface WebhookEndpointWithSecret {
  /** ID of the endpoint. */
  id: string;
  /** URL that receives the events. It must use https on port 443 and a public name or address. */
  url: string;
  /** Description of the endpoint. `null` if there is none. */
  description: string | null;
  /** Event types to deliver. `order.*` matches all types that start with `order.`. An empty list matches all types, including future ones. */
  event_types: string[];
  /** Status of the endpoint. Possible values: `active`, `disabled`. New values may be added. */
  status: Open<"active" | "disabled">;
  /** Why the service disabled the endpoint. `gone`: it returned 410. `unreachable`: it accepted no delivery for five days. `null` if there is no reason. */
  disabled_reason: string | null;
  /** Time of the first failed attempt since the last success. `null` if deliveries succeed. */
  failing_since: string | null;
  /** Time when the endpoint was created. */
  created_at: string;
  /** Signing secret for any Standard Webhooks library. It is shown only in this response. */
  secret: string;
}

export interface WebhookEvent {
  /** ID of the event. */
  id: string;
  /** Position among the organisation's events. It only increases. Events of the other environment leave gaps. */
  sequence: number;
  /** Event type, as `noun.past_participle`. New types may be added. */
  type: string;
  /** ID of the affected resource. `null` if there is none. */
  subject: string | null;
  /** Details of the event. Its fields depend on `type`. */
  data: Record<string, unknown>;
  /** Time of the event. */
  created_at: string;
  /** ID of the organisation. */
  organisation_id: string;
  /** Environment of the endpoint. Possible values: `live`, `test`. New values may be added. */
  environment: Open<"live" | "test">;
}

/** Data of an event by its type. */
export interface EventData {
  "address.created": AddressCreatedData;
  "address.deleted": AddressDeletedData;
  "api_key.created": ApiKeyCreatedData;
  "api_key.confirmed": ApiKeyConfirmedData;
  "api_key.detached": ApiKeyDetachedData;
  "api_key.revoked": ApiKeyRevokedData;
  "api_key.rotated": ApiKeyRotatedData;
  "bulk_change.finished": BulkChangeFinishedData;
  "bulk_change.planned": BulkChangePlannedData;
  "bulk_change.started": BulkChangeStartedData;
  "connection.changed": ConnectionChangedData;
  "connection.created": ConnectionCreatedData;
  "connection.deleted": ConnectionDeletedData;
  "connection.drift_ended": ConnectionDriftEndedData;
  "connection.drifted": ConnectionDriftedData;
  "connection.failed": ConnectionFailedData;
  "connection.flapping": ConnectionFlappingData;
  "connection.reachable": ConnectionReachableData;
  "connection.unreachable": ConnectionUnreachableData;
  "document.created": DocumentCreatedData;
  "document.deleted": DocumentDeletedData;
  "identity_provider.changed": IdentityProviderChangedData;
  "identity_provider.created": IdentityProviderCreatedData;
  "identity_provider.deleted": IdentityProviderDeletedData;
  "identity_provider.domain_lapsed": IdentityProviderDomainLapsedData;
  "identity_provider.domain_missing": IdentityProviderDomainMissingData;
  "identity_provider.domain_proved": IdentityProviderDomainProvedData;
  "invitation.created": InvitationCreatedData;
  "invitation.withdrawn": InvitationWithdrawnData;
  "member.break_glass_used": MemberBreakGlassUsedData;
  "member.identity_linked": MemberIdentityLinkedData;
  "member.joined": MemberJoinedData;
  "member.removed": MemberRemovedData;
  "member.role_changed": MemberRoleChangedData;
  "notifications.changed": NotificationsChangedData;
  "number.added": NumberAddedData;
  "number.changed": NumberChangedData;
  "number.missing_at_carrier": NumberMissingAtCarrierData;
  "number.quarantined": NumberQuarantinedData;
  "number.release_failed": NumberReleaseFailedData;
  "number.released": NumberReleasedData;
  "number.releasing": NumberReleasingData;
  "number.restore_failed": NumberRestoreFailedData;
  "number.restored": NumberRestoredData;
  "number.restoring": NumberRestoringData;
  "number.resumed": NumberResumedData;
  "number.suspended": NumberSuspendedData;
  "order.action_required": OrderActionRequiredData;
  "order.completed": OrderCompletedData;
  "order.created": OrderCreatedData;
  "order.failed": OrderFailedData;
  "order.requirements_submitted": OrderRequirementsSubmittedData;
  "organisation.changed": OrganisationChangedData;
  "organisation.created": OrganisationCreatedData;
  "organisation.resumed": OrganisationResumedData;
  "organisation.sign_in_policy_changed": OrganisationSignInPolicyChangedData;
  "organisation.suspended": OrganisationSuspendedData;
  "problem.began": ProblemBeganData;
  "problem.ended": ProblemEndedData;
  "probe.broken": ProbeBrokenData;
  "probe.created": ProbeCreatedData;
  "probe_schedule.deleted": ProbeScheduleDeletedData;
  "probe_schedule.set": ProbeScheduleSetData;
  "reservation.cancelled": ReservationCancelledData;
  "reservation.created": ReservationCreatedData;
  "reservation.ordered": ReservationOrderedData;
  "routing.changed": RoutingChangedData;
  "routing.drift_ended": RoutingDriftEndedData;
  "routing.drifted": RoutingDriftedData;
  "routing.failed": RoutingFailedData;
  "routing.flapping": RoutingFlappingData;
  "routing_webhook_secret.rotated": RoutingWebhookSecretRotatedData;
  "webhook_endpoint.changed": WebhookEndpointChangedData;
  "webhook_endpoint.created": WebhookEndpointCreatedData;
  "webhook_endpoint.deleted": WebhookEndpointDeletedData;
  "webhook_endpoint.disabled": WebhookEndpointDisabledData;
  "webhook_endpoint.replayed": WebhookEndpointReplayedData;
  "webhook_endpoint.secret_rotated": WebhookEndpointSecretRotatedData;
}

/** What each operation takes and answers. */
export interface Operations {
  /** Get the caller */
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
  /** Request a password reset */
  requestPasswordReset: {
    path: undefined;
    query: undefined;
    body: RequestPasswordReset;
    answer: undefined;
  };
  /** Complete a password reset */
  completePasswordReset: {
    path: undefined;
    query: undefined;
    body: CompletePasswordReset;
    answer: undefined;
  };
  /** Change your email address */
  changeEmail: {
    path: undefined;
    query: undefined;
    body: ChangeEmail;
    answer: undefined;
  };
  /** Complete an email change */
  completeEmailChange: {
    path: undefined;
    query: undefined;
    body: CompleteEmailChange;
    answer: undefined;
  };
  /** Get authenticator app status */
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
  /** Confirm the authenticator app */
  confirmAuthenticator: {
    path: undefined;
    query: undefined;
    body: ConfirmAuthenticator;
    answer: RecoveryCodes;
  };
  /** Renew recovery codes */
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
  /** Add a passkey */
  addPasskey: {
    path: undefined;
    query: undefined;
    body: AddPasskey;
    answer: Passkey;
  };
  /** Create a passkey challenge */
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
  /** Create a passkey sign-in challenge */
  askForPasskey: {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: PasskeyChallenge;
  };
  /** List your sessions */
  listSessions: {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: SessionPage;
  };
  /** Sign in with a password */
  signIn: {
    path: undefined;
    query: undefined;
    body: SignIn;
    answer: SignedIn;
  };
  /** Complete sign-in with a code */
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
  /** Start single sign-on */
  beginProviderSignIn: {
    path: undefined;
    query: undefined;
    body: BeginProviderSignIn;
    answer: ProviderSignIn;
  };
  /** Complete single sign-on */
  signInWithProvider: {
    path: undefined;
    query: undefined;
    body: SignInWithProvider;
    answer: SignedIn;
  };
  /** Reauthenticate with a password */
  reauthenticate: {
    path: undefined;
    query: undefined;
    body: Reauthenticate;
    answer: undefined;
  };
  /** Reauthenticate with a code */
  reauthenticateWithCode: {
    path: undefined;
    query: undefined;
    body: ReauthenticateWithCode;
    answer: undefined;
  };
  /** Reauthenticate with a passkey */
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
  /** End a session */
  endSession: {
    path: { id: string };
    query: undefined;
    body: undefined;
    answer: undefined;
  };
  /** Authorise a tool */
  authoriseTool: {
    path: undefined;
    query: undefined;
    body: AuthoriseTool;
    answer: ToolLetIn;
  };
  /** Redeem an authorisation code */
  redeemCode: {
    path: undefined;
    query: undefined;
    body: RedeemCode;
    answer: ToolSession;
  };
  /** Start a device sign-in */
  beginDeviceSignIn: {
    path: undefined;
    query: undefined;
    body: BeginDeviceSignIn;
    answer: DeviceSignIn;
  };
  /** Redeem a device code */
  redeemDevice: {
    path: undefined;
    query: undefined;
    body: RedeemDevice;
    answer: ToolSession;
  };
  /** Look up a device code */
  lookUpDevice: {
    path: undefined;
    query: undefined;
    body: TypedUserCode;
    answer: WaitingDevice;
  };
  /** Approve a device sign-in */
  approveDevice: {
    path: undefined;
    query: undefined;
    body: TypedUserCode;
    answer: undefined;
  };
  /** Deny a device sign-in */
  denyDevice: {
    path: undefined;
    query: undefined;
    body: TypedUserCode;
    answer: undefined;
  };
  /** List members */
  listMembers: {
    path: undefined;
    query: {
      /** Maximum number of results. */
      limit?: number | undefined;
      /** `next_cursor` of the previous page. */
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
      /** Policy for API keys that the member created. `end`: they end at once. `grace`: they end in 24 hours (default). `keep`: they remain valid. Keys of several organisations are always detached from this one. */
      keys?: "end" | "grace" | "keep" | undefined;
      /** IDs of keys that remain valid regardless of `keys`. */
      keep_key?: string[] | undefined;
    };
    body: undefined;
    answer: RemovedMember;
  };
  /** List open invitations */
  listInvitations: {
    path: undefined;
    query: {
      /** Maximum number of results. */
      limit?: number | undefined;
      /** `next_cursor` of the previous page. */
      cursor?: string | undefined;
    };
    body: undefined;
    answer: InvitationPage;
  };
  /** Invite a member */
  inviteMember: {
    path: undefined;
    query: undefined;
    body: InviteMember;
    answer: Invitation;
  };
  /** Accept an invitation */
  acceptInvitation: {
    path: undefined;
    query: undefined;
    body: AcceptInvitation;
    answer: AcceptedInvitation;
  };
  /** Get an open invitation */
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
  /** List identity providers */
  listIdentityProviders: {
    path: undefined;
    query: {
      /** Maximum number of results. */
      limit?: number | undefined;
      /** `next_cursor` of the previous page. */
      cursor?: string | undefined;
    };
    body: undefined;
    answer: IdentityProviderPage;
  };
  /** Create an identity provider */
  createIdentityProvider: {
    path: undefined;
    query: undefined;
    body: CreateIdentityProvider;
    answer: IdentityProvider;
  };
  /** Get an identity provider */
  getIdentityProvider: {
    path: { id: string };
    query: undefined;
    body: undefined;
    answer: IdentityProvider;
  };
  /** Update an identity provider */
  changeIdentityProvider: {
    path: { id: string };
    query: undefined;
    body: ChangeIdentityProvider;
    answer: IdentityProvider;
  };
  /** Delete an identity provider */
  deleteIdentityProvider: {
    path: { id: string };
    query: undefined;
    body: undefined;
    answer: undefined;
  };
  /** Verify a domain */
  proveDomain: {
    path: { id: string };
    query: undefined;
    body: ProveDomain;
    answer: IdentityProvider;
  };
  /** Get your organisation */
  getOwnOrganisation: {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: OwnOrganisation;
  };
  /** Update your organisation */
  changeOwnOrganisation: {
    path: undefined;
    query: undefined;
    body: ChangeOwnOrganisation;
    answer: OwnOrganisation;
  };
  /** Get the sign-in policy */
  getSignInPolicy: {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: SignInPolicy;
  };
  /** Update the sign-in policy */
  changeSignInPolicy: {
    path: undefined;
    query: undefined;
    body: ChangeSignInPolicy;
    answer: SignInPolicy;
  };
  /** List API keys */
  listApiKeys: {
    path: undefined;
    query: {
      /** Maximum number of results. */
      limit?: number | undefined;
      /** `next_cursor` of the previous page. */
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
  /** Rotate an API key */
  rotateApiKey: {
    path: { id: string };
    query: undefined;
    body: RotateApiKey;
    answer: ApiKeyWithSecret;
  };
  /** Revoke an API key */
  revokeApiKey: {
    path: { id: string };
    query: undefined;
    body: undefined;
    answer: undefined;
  };
  /** Detach a key from the organisation */
  detachApiKey: {
    path: { id: string };
    query: undefined;
    body: undefined;
    answer: undefined;
  };
  /** Confirm an API key */
  confirmApiKey: {
    path: { id: string };
    query: undefined;
    body: undefined;
    answer: ApiKey;
  };
  /** List views */
  listViews: {
    path: undefined;
    query: {
      /** Maximum number of results. */
      limit?: number | undefined;
      /** `next_cursor` of the previous page. */
      cursor?: string | undefined;
      /** Only views of this page. */
      page?: "numbers" | "calls" | "audit" | "events" | "jobs" | undefined;
    };
    body: undefined;
    answer: ViewPage;
  };
  /** Create a view */
  createView: {
    path: undefined;
    query: undefined;
    body: CreateView;
    answer: View;
  };
  /** Update a view */
  changeView: {
    path: { id: string };
    query: undefined;
    body: ChangeView;
    answer: View;
  };
  /** Delete a view */
  deleteView: {
    path: { id: string };
    query: undefined;
    body: undefined;
    answer: undefined;
  };
  /** List numbers */
  listNumbers: {
    path: undefined;
    query: {
      /** Maximum number of results. */
      limit?: number | undefined;
      /** `next_cursor` of the previous page. */
      cursor?: string | undefined;
      /** Search text: part of the label, of the destination, of the connection's name or of the number, in any form in which people write it, such as `030 1000` or `0049 30 1000`. Numbers without a country code are read as in your organisation's `default_country`. For the role `member`, destinations and connections are not searched. One or two characters match only the beginning of a number, or of a label if they are not digits. */
      q?: string | undefined;
      /** Only numbers of this country (ISO 3166-1 alpha-2). */
      country?: string | undefined;
      /** Only numbers of this type. */
      type?: string | undefined;
      /** Only numbers with this status. Defaults to `active`, `suspended` and `releasing`. */
      status?: "active" | "suspended" | "releasing" | "quarantined" | "released" | undefined;
      /** Only numbers with this tag. */
      tag?: string | undefined;
      /** Only numbers with this desired routing mode. */
      mode?: "sip_uri" | "connection" | "unrouted" | "forward" | "webhook" | undefined;
      /** Only numbers with this routing status. */
      sync?: "in_sync" | "pending" | "failed" | "drifted" | "unknown" | undefined;
      /** Only numbers whose first destination is a connection with this health. */
      health?: "up" | "partial" | "down" | "unknown" | undefined;
      /** Only these phone numbers, in E.164 format (repeatable, at most 200). */
      e164?: string[] | undefined;
      /** Only numbers that use one of these connections, also as fallback (repeatable, at most 20). */
      connection_id?: string[] | undefined;
      /** Only numbers whose calls go to a destination with this text in its SIP URI, URL, host or phone number, also as fallback. Hosts of connections count too. */
      destination?: string | undefined;
      /** Only numbers whose newest call started before this time, or that have no call. */
      last_call_before?: string | undefined;
      /** Only numbers with this value of a metadata key, such as `metadata[site]=berlin`. All keys must match. */
      metadata?: Record<string, string> | undefined;
      /** Sort order (default: `acquired_at`). A minus sorts in descending order. */
      sort?: "acquired_at" | "-acquired_at" | "e164" | "-e164" | undefined;
    };
    body: undefined;
    answer: NumberPage;
  };
  /** Export numbers as CSV */
  exportNumbers: {
    path: undefined;
    query: {
      /** Search text: part of the label, of the destination, of the connection's name or of the number, in any form in which people write it, such as `030 1000` or `0049 30 1000`. Numbers without a country code are read as in your organisation's `default_country`. For the role `member`, destinations and connections are not searched. One or two characters match only the beginning of a number, or of a label if they are not digits. */
      q?: string | undefined;
      /** Only numbers of this country (ISO 3166-1 alpha-2). */
      country?: string | undefined;
      /** Only numbers of this type. */
      type?: string | undefined;
      /** Only numbers with this status. Defaults to `active`, `suspended` and `releasing`. */
      status?: "active" | "suspended" | "releasing" | "quarantined" | "released" | undefined;
      /** Only numbers with this tag. */
      tag?: string | undefined;
      /** Only numbers with this desired routing mode. */
      mode?: "sip_uri" | "connection" | "unrouted" | "forward" | "webhook" | undefined;
      /** Only numbers with this routing status. */
      sync?: "in_sync" | "pending" | "failed" | "drifted" | "unknown" | undefined;
      /** Only numbers whose first destination is a connection with this health. */
      health?: "up" | "partial" | "down" | "unknown" | undefined;
      /** Only these phone numbers, in E.164 format (repeatable, at most 200). */
      e164?: string[] | undefined;
      /** Only numbers that use one of these connections, also as fallback (repeatable, at most 20). */
      connection_id?: string[] | undefined;
      /** Only numbers whose calls go to a destination with this text in its SIP URI, URL, host or phone number, also as fallback. Hosts of connections count too. */
      destination?: string | undefined;
      /** Only numbers whose newest call started before this time, or that have no call. */
      last_call_before?: string | undefined;
      /** Only numbers with this value of a metadata key, such as `metadata[site]=berlin`. All keys must match. */
      metadata?: Record<string, string> | undefined;
      /** Sort order (default: `acquired_at`). A minus sorts in descending order. */
      sort?: "acquired_at" | "-acquired_at" | "e164" | "-e164" | undefined;
    };
    body: undefined;
    answer: ReadableStream<Uint8Array>;
  };
  /** Get a number */
  getNumber: {
    path: { id: string };
    query: undefined;
    body: undefined;
    answer: PhoneNumber;
  };
  /** Update a number */
  changeNumber: {
    path: { id: string };
    query: undefined;
    body: ChangeNumber;
    answer: PhoneNumber;
  };
  /** Get live call counts */
  readLive: {
    path: undefined;
    query: {
      /** Ids of numbers, 1 to 200 as sent: separated by commas, or the parameter repeated. */
      ids: string[];
    };
    body: undefined;
    answer: LiveNumbers;
  };
  /** Stream live call counts */
  followLive: {
    path: undefined;
    query: {
      /** Ids of numbers, 1 to 200 as sent: separated by commas, or the parameter repeated. */
      ids: string[];
    };
    body: undefined;
    answer: ReadableStream<Uint8Array>;
  };
  /** List probes of a number */
  listProbes: {
    path: { id: string };
    query: {
      /** Maximum number of results. */
      limit?: number | undefined;
      /** `next_cursor` of the previous page. */
      cursor?: string | undefined;
    };
    body: undefined;
    answer: ProbePage;
  };
  /** Probe a number */
  createProbe: {
    path: { id: string };
    query: undefined;
    body: CreateProbe;
    answer: Probe;
  };
  /** Get a probe */
  getProbe: {
    path: { id: string };
    query: undefined;
    body: undefined;
    answer: Probe;
  };
  /** List probe schedules */
  listProbeSchedules: {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: ProbeScheduleList;
  };
  /** Create a probe schedule */
  createProbeSchedule: {
    path: undefined;
    query: undefined;
    body: CreateProbeSchedule;
    answer: ProbeSchedule;
  };
  /** Delete a probe schedule */
  deleteProbeSchedule: {
    path: { id: string };
    query: undefined;
    body: undefined;
    answer: undefined;
  };
  /** Get the overview */
  getOverview: {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: Overview;
  };
  /** Get usage of a number */
  getNumberUsage: {
    path: { id: string };
    query: {
      /** Start of the window, inclusive: UTC time that ends in `Z`, truncated to milliseconds. */
      from: string;
      /** End of the window, exclusive: UTC time that ends in `Z`, truncated to milliseconds. */
      to: string;
      /** Size of the buckets. Without it, the response has only totals. Hours are those of UTC, days and months those of `time_zone`. */
      granularity?: "hour" | "day" | "month" | undefined;
      /** Time zone of days and months: a name of the IANA time zone database (default: `UTC`). On a day on which the clocks change, the bucket has 23 or 25 hours. */
      time_zone?: string | undefined;
    };
    body: undefined;
    answer: NumberUsage;
  };
  /** Get usage of the organisation */
  getOrganisationUsage: {
    path: undefined;
    query: {
      /** Start of the window, inclusive: UTC time that ends in `Z`, truncated to milliseconds. */
      from: string;
      /** End of the window, exclusive: UTC time that ends in `Z`, truncated to milliseconds. */
      to: string;
      /** Size of the buckets. Without it, the response has only totals. Hours are those of UTC, days and months those of `time_zone`. */
      granularity?: "hour" | "day" | "month" | undefined;
      /** Time zone of days and months: a name of the IANA time zone database (default: `UTC`). On a day on which the clocks change, the bucket has 23 or 25 hours. */
      time_zone?: string | undefined;
    };
    body: undefined;
    answer: OrganisationUsage;
  };
  /** List the busiest numbers */
  getTopNumbers: {
    path: undefined;
    query: {
      /** Start of the window, inclusive: UTC time that ends in `Z`, truncated to milliseconds. */
      from: string;
      /** End of the window, exclusive: UTC time that ends in `Z`, truncated to milliseconds. */
      to: string;
      /** Field to sort by (default: `calls`). */
      by?: "calls" | "answered" | "talk_seconds" | undefined;
      /** Maximum number of results. */
      limit?: number | undefined;
    };
    body: undefined;
    answer: TopNumbers;
  };
  /** List calls of a number */
  listCalls: {
    path: { id: string };
    query: {
      /** Start of the window, inclusive. Only calls that started at this time or later. */
      from?: string | undefined;
      /** End of the window, exclusive. Only calls that started before this time. */
      to?: string | undefined;
      /** Maximum number of results. */
      limit?: number | undefined;
      /** `next_cursor` of the previous page. */
      cursor?: string | undefined;
    };
    body: undefined;
    answer: CallPage;
  };
  /** Export calls as CSV */
  exportCalls: {
    path: { id: string };
    query: {
      /** Start of the window, inclusive. Only calls that started at this time or later. */
      from?: string | undefined;
      /** End of the window, exclusive. Only calls that started before this time. */
      to?: string | undefined;
    };
    body: undefined;
    answer: ReadableStream<Uint8Array>;
  };
  /** List calls of all numbers */
  searchCalls: {
    path: undefined;
    query: {
      /** Start of the window, inclusive. Only calls that started at this time or later. */
      from?: string | undefined;
      /** End of the window, exclusive. Only calls that started before this time. */
      to?: string | undefined;
      /** Start of the caller's or the called number, with at least 2 digits, or a whole SIP Call-ID. */
      q?: string | undefined;
      /** Only calls to this number. */
      number_id?: string | undefined;
      /** Only calls from this number, in E.164 format. */
      caller?: string | undefined;
      /** Only calls with this result. */
      result?: "answered" | "busy" | "no_answer" | "cancelled" | "rejected" | "failed" | undefined;
      /** Only calls with this final SIP status code. */
      code?: number | undefined;
      /** Only calls for which the switch used this connection. */
      connection_id?: string | undefined;
      /** Only calls that the switch with this name handled. */
      switch?: string | undefined;
      /** Only calls with this Call-ID of the carrier's INVITE. */
      sip_call_id?: string | undefined;
      /** Only calls with at least this talk time in seconds. */
      min_seconds?: number | undefined;
      /** Only calls that reached another target than their routing names, or if false, only calls that did not. Calls for which it is unknown match neither. */
      misrouted?: boolean | undefined;
      /** Maximum number of results. */
      limit?: number | undefined;
      /** `next_cursor` of the previous page. */
      cursor?: string | undefined;
    };
    body: undefined;
    answer: CallPage;
  };
  /** Export calls of all numbers */
  exportFoundCalls: {
    path: undefined;
    query: {
      /** Start of the window, inclusive. Only calls that started at this time or later. */
      from?: string | undefined;
      /** End of the window, exclusive. Only calls that started before this time. */
      to?: string | undefined;
      /** Start of the caller's or the called number, with at least 2 digits, or a whole SIP Call-ID. */
      q?: string | undefined;
      /** Only calls to this number. */
      number_id?: string | undefined;
      /** Only calls from this number, in E.164 format. */
      caller?: string | undefined;
      /** Only calls with this result. */
      result?: "answered" | "busy" | "no_answer" | "cancelled" | "rejected" | "failed" | undefined;
      /** Only calls with this final SIP status code. */
      code?: number | undefined;
      /** Only calls for which the switch used this connection. */
      connection_id?: string | undefined;
      /** Only calls that the switch with this name handled. */
      switch?: string | undefined;
      /** Only calls with this Call-ID of the carrier's INVITE. */
      sip_call_id?: string | undefined;
      /** Only calls with at least this talk time in seconds. */
      min_seconds?: number | undefined;
      /** Only calls that reached another target than their routing names, or if false, only calls that did not. Calls for which it is unknown match neither. */
      misrouted?: boolean | undefined;
    };
    body: undefined;
    answer: ReadableStream<Uint8Array>;
  };
  /** Get a call */
  getCall: {
    path: { id: string };
    query: undefined;
    body: undefined;
    answer: CallDetail;
  };
  /** Get routing */
  getRouting: {
    path: { id: string };
    query: undefined;
    body: undefined;
    answer: Routing;
  };
  /** Set desired routing */
  setRouting: {
    path: { id: string };
    query: undefined;
    body: SetRouting;
    answer: Routing;
  };
  /** Roll back to a revision */
  rollBackRouting: {
    path: { id: string };
    query: undefined;
    body: RollBackRouting;
    answer: Routing;
  };
  /** List routing revisions */
  listRoutingRevisions: {
    path: { id: string };
    query: {
      /** Maximum number of results. */
      limit?: number | undefined;
      /** `next_cursor` of the previous page. */
      cursor?: string | undefined;
    };
    body: undefined;
    answer: RoutingRevisionPage;
  };
  /** Compare two revisions */
  diffRouting: {
    path: { id: string };
    query: {
      /** Generation of the first revision. */
      from: number;
      /** Generation of the second revision. */
      to: number;
    };
    body: undefined;
    answer: RoutingDiff;
  };
  /** List the timeline of a number */
  listTimeline: {
    path: { id: string };
    query: {
      /** Maximum number of results. */
      limit?: number | undefined;
      /** `next_cursor` of the previous page. */
      cursor?: string | undefined;
      /** Only entries of this kind. */
      kind?: "set" | "applied" | "failed" | "drifted" | "state" | undefined;
    };
    body: undefined;
    answer: TimelinePage;
  };
  /** Get the routing webhook secret */
  getRoutingWebhookSecret: {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: RoutingWebhookSecret;
  };
  /** Rotate the routing webhook secret */
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
      /** Maximum number of results. */
      limit?: number | undefined;
      /** `next_cursor` of the previous page. */
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
  /** Get a connection */
  getConnection: {
    path: { id: string };
    query: undefined;
    body: undefined;
    answer: Connection;
  };
  /** Update a connection */
  changeConnection: {
    path: { id: string };
    query: undefined;
    body: ChangeConnection;
    answer: Connection;
  };
  /** Delete a connection */
  deleteConnection: {
    path: { id: string };
    query: undefined;
    body: undefined;
    answer: undefined;
  };
  /** List bulk changes */
  listBulkChanges: {
    path: undefined;
    query: {
      /** Maximum number of results. */
      limit?: number | undefined;
      /** `next_cursor` of the previous page. */
      cursor?: string | undefined;
    };
    body: undefined;
    answer: BulkChangePage;
  };
  /** Plan a bulk change */
  planBulkChange: {
    path: undefined;
    query: undefined;
    body: PlanBulkChange;
    answer: BulkChange;
  };
  /** Get a bulk change */
  getBulkChange: {
    path: { id: string };
    query: undefined;
    body: undefined;
    answer: BulkChange;
  };
  /** List items of a bulk change */
  listBulkChangeItems: {
    path: { id: string };
    query: {
      /** Maximum number of results. */
      limit?: number | undefined;
      /** `next_cursor` of the previous page. */
      cursor?: string | undefined;
      /** Only items with this outcome. */
      outcome?: "planned" | "set" | "unchanged" | "stale" | "failed" | undefined;
    };
    body: undefined;
    answer: BulkChangeItemPage;
  };
  /** Apply a bulk change */
  applyBulkChange: {
    path: { id: string };
    query: undefined;
    body: undefined;
    answer: BulkChange;
  };
  /** Search available numbers */
  searchInventory: {
    path: undefined;
    query: {
      /** ISO 3166-1 alpha-2 country code. */
      country?: string | undefined;
      /** Number type, such as `local` or `mobile`. */
      type?: string | undefined;
      /** Consecutive digits that the number contains. */
      contains?: string | undefined;
      /** Maximum number of results. */
      limit?: number | undefined;
      /** `next_cursor` of the previous page. */
      cursor?: string | undefined;
    };
    body: undefined;
    answer: InventoryPage;
  };
  /** List reservations */
  listReservations: {
    path: undefined;
    query: {
      /** Maximum number of results. */
      limit?: number | undefined;
      /** `next_cursor` of the previous page. */
      cursor?: string | undefined;
    };
    body: undefined;
    answer: ReservationPage;
  };
  /** Reserve numbers */
  createReservation: {
    path: undefined;
    query: undefined;
    body: CreateReservation;
    answer: Reservation;
  };
  /** Get a reservation */
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
  /** List orders */
  listOrders: {
    path: undefined;
    query: {
      /** Only orders with this status. */
      status?: "pending" | "processing" | "completed" | "partially_completed" | "failed" | undefined;
      /** Only orders with this reference. */
      external_ref?: string | undefined;
      /** Maximum number of results. */
      limit?: number | undefined;
      /** `next_cursor` of the previous page. */
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
  /** Get an order */
  getOrder: {
    path: { id: string };
    query: undefined;
    body: undefined;
    answer: Order;
  };
  /** Submit evidence for an order */
  submitRequirements: {
    path: { id: string };
    query: undefined;
    body: SubmitRequirements;
    answer: Order;
  };
  /** List addresses */
  listAddresses: {
    path: undefined;
    query: {
      /** Maximum number of results. */
      limit?: number | undefined;
      /** `next_cursor` of the previous page. */
      cursor?: string | undefined;
    };
    body: undefined;
    answer: AddressPage;
  };
  /** Create an address */
  createAddress: {
    path: undefined;
    query: undefined;
    body: CreateAddress;
    answer: Address;
  };
  /** Get an address */
  getAddress: {
    path: { id: string };
    query: undefined;
    body: undefined;
    answer: Address;
  };
  /** Delete an address */
  deleteAddress: {
    path: { id: string };
    query: undefined;
    body: undefined;
    answer: undefined;
  };
  /** List documents */
  listDocuments: {
    path: undefined;
    query: {
      /** Maximum number of results. */
      limit?: number | undefined;
      /** `next_cursor` of the previous page. */
      cursor?: string | undefined;
    };
    body: undefined;
    answer: DocumentPage;
  };
  /** Create a document */
  createDocument: {
    path: undefined;
    query: undefined;
    body: CreateDocument;
    answer: Document;
  };
  /** Get a document */
  getDocument: {
    path: { id: string };
    query: undefined;
    body: undefined;
    answer: Document;
  };
  /** Delete a document */
  deleteDocument: {
    path: { id: string };
    query: undefined;
    body: undefined;
    answer: undefined;
  };
  /** Download a document */
  downloadDocument: {
    path: { id: string };
    query: undefined;
    body: undefined;
    answer: DocumentContent;
  };
  /** Release a number */
  releaseNumber: {
    path: { id: string };
    query: undefined;
    body: undefined;
    answer: Release;
  };
  /** Restore a quarantined number */
  restoreNumber: {
    path: { id: string };
    query: undefined;
    body: undefined;
    answer: Release;
  };
  /** Get a job */
  getJob: {
    path: { job_id: string };
    query: undefined;
    body: undefined;
    answer: Job;
  };
  /** List jobs */
  listJobs: {
    path: undefined;
    query: {
      /** Only jobs with this status. */
      status?: "queued" | "running" | "waiting" | "succeeded" | "partially_succeeded" | "failed" | undefined;
      /** Only jobs of this type. */
      type?: "number_order" | "number_release" | "number_restore" | undefined;
      /** Maximum number of results. */
      limit?: number | undefined;
      /** `next_cursor` of the previous page. */
      cursor?: string | undefined;
    };
    body: undefined;
    answer: JobPage;
  };
  /** List webhook endpoints */
  listWebhookEndpoints: {
    path: undefined;
    query: {
      /** Maximum number of results. */
      limit?: number | undefined;
      /** `next_cursor` of the previous page. */
      cursor?: string | undefined;
    };
    body: undefined;
    answer: WebhookEndpointPage;
  };
  /** Create a webhook endpoint */
  createWebhookEndpoint: {
    path: undefined;
    query: undefined;
    body: CreateWebhookEndpoint;
    answer: WebhookEndpointWithSecret;
  };
  /** Get a webhook endpoint */
  getWebhookEndpoint: {
    path: { id: string };
    query: undefined;
    body: undefined;
    answer: WebhookEndpoint;
  };
  /** Update a webhook endpoint */
  changeWebhookEndpoint: {
    path: { id: string };
    query: undefined;
    body: ChangeWebhookEndpoint;
    answer: WebhookEndpoint;
  };
  /** Delete a webhook endpoint */
  deleteWebhookEndpoint: {
    path: { id: string };
    query: undefined;
    body: undefined;
    answer: undefined;
  };
  /** Rotate a webhook secret */
  rotateWebhookSecret: {
    path: { id: string };
    query: undefined;
    body: undefined;
    answer: WebhookEndpointWithSecret;
  };
  /** List deliveries */
  listWebhookDeliveries: {
    path: { id: string };
    query: {
      /** Maximum number of results. */
      limit?: number | undefined;
      /** `next_cursor` of the previous page. */
      cursor?: string | undefined;
      /** Only deliveries with this status. */
      status?: "pending" | "delivered" | "failed" | undefined;
    };
    body: undefined;
    answer: WebhookDeliveryPage;
  };
  /** Replay deliveries */
  replayWebhookDeliveries: {
    path: { id: string };
    query: undefined;
    body: ReplayDeliveries;
    answer: ReplayedDeliveries;
  };
  /** List events */
  listEvents: {
    path: undefined;
    query: {
      /** ID of the last event you have. The list continues after it. */
      after?: string | undefined;
      /** Sort order (default: `oldest` first). */
      order?: "oldest" | "newest" | undefined;
      /** Only events of these types, or of all types of a noun, such as `order.*` (repeatable, at most 20). */
      type?: string[] | undefined;
      /** Only events about this resource. */
      subject_id?: string | undefined;
      /** Start of the window, inclusive. Only events at this time or later. */
      from?: string | undefined;
      /** End of the window, exclusive. Only events before this time. */
      to?: string | undefined;
      /** Maximum number of results. */
      limit?: number | undefined;
    };
    body: undefined;
    answer: EventPage;
  };
  /** Get notification rules */
  getNotifications: {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: Notifications;
  };
  /** Set notification rules */
  setNotifications: {
    path: undefined;
    query: undefined;
    body: SetNotifications;
    answer: Notifications;
  };
  /** List audit entries */
  listAudit: {
    path: undefined;
    query: {
      /** Only entries of this user or API key. */
      actor_id?: string | undefined;
      /** Only entries with this action. */
      action?: string | undefined;
      /** Only entries about this resource. */
      subject_id?: string | undefined;
      /** Only entries with this outcome. */
      outcome?: "done" | "refused" | undefined;
      /** Start of the window, inclusive. Only entries at this time or later. */
      from?: string | undefined;
      /** End of the window, exclusive. Only entries before this time. */
      to?: string | undefined;
      /** Text in the action, subject, name of the actor, details, request ID or address, in any case. */
      q?: string | undefined;
      /** Whether entries of the service itself are included. */
      include_system?: boolean | undefined;
      /** Maximum number of results. */
      limit?: number | undefined;
      /** `next_cursor` of the previous page. */
      cursor?: string | undefined;
    };
    body: undefined;
    answer: AuditPage;
  };
  /** List audit entries in commit order */
  listCommittedAudit: {
    path: undefined;
    query: {
      /** ID of the last entry you have. The list continues after it (default: the oldest entry). */
      after?: string | undefined;
      /** Maximum number of results. */
      limit?: number | undefined;
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
  getOwnOrganisation: ["GET", "/v1/organisation", "read"],
  changeOwnOrganisation: ["PATCH", "/v1/organisation", "once"],
  getSignInPolicy: ["GET", "/v1/sign-in-policy", "read"],
  changeSignInPolicy: ["PATCH", "/v1/sign-in-policy", "once"],
  listApiKeys: ["GET", "/v1/api-keys", "read"],
  createApiKey: ["POST", "/v1/api-keys", "once"],
  rotateApiKey: ["POST", "/v1/api-keys/{id}/rotate", "once"],
  revokeApiKey: ["DELETE", "/v1/api-keys/{id}", "deletion"],
  detachApiKey: ["POST", "/v1/api-keys/{id}/detach", "keyed"],
  confirmApiKey: ["POST", "/v1/api-keys/{id}/confirm", "keyed"],
  listViews: ["GET", "/v1/views", "read"],
  createView: ["POST", "/v1/views", "keyed"],
  changeView: ["PATCH", "/v1/views/{id}", "once"],
  deleteView: ["DELETE", "/v1/views/{id}", "deletion"],
  listNumbers: ["GET", "/v1/numbers", "read"],
  exportNumbers: ["GET", "/v1/numbers/export", "read"],
  getNumber: ["GET", "/v1/numbers/{id}", "read"],
  changeNumber: ["PATCH", "/v1/numbers/{id}", "keyed"],
  readLive: ["GET", "/v1/numbers/live", "read"],
  followLive: ["GET", "/v1/numbers/live/stream", "read"],
  listProbes: ["GET", "/v1/numbers/{id}/probes", "read"],
  createProbe: ["POST", "/v1/numbers/{id}/probes", "keyed"],
  getProbe: ["GET", "/v1/probes/{id}", "read"],
  listProbeSchedules: ["GET", "/v1/probe-schedules", "read"],
  createProbeSchedule: ["POST", "/v1/probe-schedules", "keyed"],
  deleteProbeSchedule: ["DELETE", "/v1/probe-schedules/{id}", "deletion"],
  getOverview: ["GET", "/v1/overview", "read"],
  getNumberUsage: ["GET", "/v1/numbers/{id}/usage", "read"],
  getOrganisationUsage: ["GET", "/v1/usage", "read"],
  getTopNumbers: ["GET", "/v1/usage/numbers", "read"],
  listCalls: ["GET", "/v1/numbers/{id}/calls", "read"],
  exportCalls: ["GET", "/v1/numbers/{id}/calls/export", "read"],
  searchCalls: ["GET", "/v1/calls", "read"],
  exportFoundCalls: ["GET", "/v1/calls/export", "read"],
  getCall: ["GET", "/v1/calls/{id}", "read"],
  getRouting: ["GET", "/v1/numbers/{id}/routing", "read"],
  setRouting: ["PUT", "/v1/numbers/{id}/routing", "keyed"],
  rollBackRouting: ["POST", "/v1/numbers/{id}/routing/rollback", "keyed"],
  listRoutingRevisions: ["GET", "/v1/numbers/{id}/routing/revisions", "read"],
  diffRouting: ["GET", "/v1/numbers/{id}/routing/diff", "read"],
  listTimeline: ["GET", "/v1/numbers/{id}/timeline", "read"],
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
  submitRequirements: ["POST", "/v1/numbers/orders/{id}/requirements", "keyed"],
  listAddresses: ["GET", "/v1/addresses", "read"],
  createAddress: ["POST", "/v1/addresses", "keyed"],
  getAddress: ["GET", "/v1/addresses/{id}", "read"],
  deleteAddress: ["DELETE", "/v1/addresses/{id}", "deletion"],
  listDocuments: ["GET", "/v1/documents", "read"],
  createDocument: ["POST", "/v1/documents", "keyed"],
  getDocument: ["GET", "/v1/documents/{id}", "read"],
  deleteDocument: ["DELETE", "/v1/documents/{id}", "deletion"],
  downloadDocument: ["POST", "/v1/documents/{id}/download", "once"],
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
  getNotifications: ["GET", "/v1/notifications", "read"],
  setNotifications: ["PUT", "/v1/notifications", "keyed"],
  listAudit: ["GET", "/v1/audit", "read"],
  listCommittedAudit: ["GET", "/v1/audit/committed", "read"],
} as const;

