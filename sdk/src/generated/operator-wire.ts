// Generated from openapi.operator.json by npm run generate; changes made here are lost.

/** A value of an enumeration that may grow: expect ones you do not know yet. */
export type Open<Known extends string> = Known | (string & Record<never, never>);

export interface AdoptFinding {
  /** ID of the organisation that receives the number. */
  organisation_id: string;
}

export interface AdoptRestoreFinding {
  /** Organisation that receives the item. Default: the organisation of the finding. */
  organisation_id?: string | undefined;
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

export interface Carrier {
  /** ID of the carrier. */
  id: string;
  /** Name of the carrier. */
  name: string;
  /** Kind of the carrier. Possible values: `pool`, `telnyx`, `didww`, `http`. New values may be added. */
  kind: Open<"pool" | "telnyx" | "didww" | "http">;
  /** URL of the carrier's API. `null` for the public one of the company. */
  url: string | null;
  /** The stored credentials, which are never shown. `null` if there are none. */
  credentials: CarrierCredentials | null;
  /** ISO 3166-1 codes of the countries it is used for. Empty: all. */
  countries: string[];
  /** Number types it is used for. Empty: all. */
  number_types: Open<"local" | "national" | "mobile" | "toll_free" | "shared_cost" | "premium" | "voip" | "personal" | "uan" | "pager" | "other">[];
  /** Optional parts of the carrier protocol that the carrier supports. Read when you send its URL or credentials. Empty for other kinds. */
  features: Open<"inventory" | "restore" | "delivery" | "requirements">[];
  /** Rank among carriers for the same numbers: the lowest value is used first. */
  preference: number;
  /** Whether clients can search and reserve its numbers. */
  inventory: boolean;
  /** Trunks of the carrier that receive the calls of each switch group's numbers. Numbers of other groups are not delivered. */
  deliveries: CarrierDelivery[];
  /** Whether reconciliation repairs numbers that the carrier delivers to another trunk. Otherwise an operator repairs each finding. */
  repairs_delivery: boolean;
  /** `open`: it takes new orders. `draining`: it takes no new orders, and releases continue. `closed`: it is never called. Possible values: `open`, `draining`, `closed`. New values may be added. */
  state: Open<"open" | "draining" | "closed">;
  /** Time when the carrier was created. */
  created_at: string;
  /** Time of the last change. */
  updated_at: string;
}

export interface CarrierCredentials {
  /** Time when the credentials were set. */
  set_at: string;
  /** Last 4 characters of the first credential. `null` if it is too short to show them. */
  ends_with: string | null;
}

export interface CarrierDelivery {
  /** ID of the switch group. */
  switch_group_id: string;
  /** ID of the trunk at the carrier. */
  trunk: string;
}

export interface CarrierPage {
  /** Results of this page. */
  data: Carrier[];
  /** Cursor of the next page. `null` on the last page. */
  next_cursor: string | null;
}

export interface CarrierTrunk {
  /** ID of the trunk at the carrier. */
  id: string;
  /** Name of the trunk at the carrier. */
  name: string;
}

export interface CarrierTrunks {
  /** Trunks of the account that can receive calls. */
  data: CarrierTrunk[];
}

export interface ChangeCarrier {
  /** New URL of the carrier's API. `null` for the public one of the company. Send the credentials too: they are not sent to another address. */
  url?: string | null | undefined;
  /** Credentials at the carrier. They are never shown again. `telnyx` and `didww` need `api_key`, `http` needs `secret`, and `pool` needs none. */
  credentials?: Record<string, string> | undefined;
  /** ISO 3166-1 codes of the countries it is used for. Empty: all. */
  countries?: string[] | undefined;
  /** Number types it is used for. Empty: all. */
  number_types?: ("local" | "national" | "mobile" | "toll_free" | "shared_cost" | "premium" | "voip" | "personal" | "uan" | "pager" | "other")[] | undefined;
  /** Rank among carriers for the same numbers: the lowest value is used first. */
  preference?: number | undefined;
  /** Whether clients can search and reserve its numbers. */
  inventory?: boolean | undefined;
  /** Trunks of the carrier that receive the calls of each switch group's numbers. Numbers of other groups are not delivered. */
  deliveries?: SetCarrierDelivery[] | undefined;
  /** Whether reconciliation repairs numbers that the carrier delivers to another trunk. Otherwise an operator repairs each finding. */
  repairs_delivery?: boolean | undefined;
  /** New state. `open`: it takes new orders. `draining`: it takes no new orders, and releases continue. `closed`: it is never called. */
  state?: "open" | "draining" | "closed" | undefined;
}

export interface ChangeSwitch {
  /** New state of the switch. */
  state?: "active" | "draining" | "retired" | undefined;
  /** Seconds without a report after which the switch is unreachable and its numbers are `unknown`. */
  unreachable_after_seconds?: number | undefined;
}

export interface CreateCarrier {
  /** Name of the carrier. It is stored with each of its numbers and cannot be changed. The carrier of kind `pool` has the name `pool`. */
  name: string;
  /** Kind of the carrier. `pool`: the operator's own numbers. `telnyx` and `didww`: an account at that company. `http`: a server with the carrier protocol. */
  kind: "pool" | "telnyx" | "didww" | "http";
  /** URL of the carrier's API (default: the public one of the company). https in production. Required for `http`. */
  url?: string | undefined;
  /** Credentials at the carrier. They are never shown again. `telnyx` and `didww` need `api_key`, `http` needs `secret`, and `pool` needs none. */
  credentials?: Record<string, string> | undefined;
  /** ISO 3166-1 codes of the countries it is used for. Empty: all. */
  countries?: string[] | undefined;
  /** Number types it is used for. Empty: all. */
  number_types?: ("local" | "national" | "mobile" | "toll_free" | "shared_cost" | "premium" | "voip" | "personal" | "uan" | "pager" | "other")[] | undefined;
  /** Rank among carriers for the same numbers: the lowest value is used first (default: 100). */
  preference?: number | undefined;
  /** Whether clients can search and reserve its numbers (default: true). */
  inventory?: boolean | undefined;
}

export interface CreateOrganisation {
  /** Name of the organisation. */
  name: string;
  /** Email address of the first owner, who receives an invitation. */
  owner_email?: string | undefined;
}

export interface CreateSwitch {
  /** Name of the switch. */
  name: string;
  /** ID of the switch group. Defaults to the default group of the live environment. */
  group_id?: string | undefined;
  /** Seconds without a report after which the switch is unreachable and its numbers are `unknown` (default: 30). */
  unreachable_after_seconds?: number | undefined;
}

export interface CreateSwitchGroup {
  /** Name of the group. */
  name: string;
  /** Environment of the group. The test environment has only simulated switches. */
  environment?: "live" | undefined;
  /** Number of shards into which the group's numbers are divided (default: 64). It cannot be changed later. */
  shards?: number | undefined;
}

export interface DisableUser {
  /** Reason, recorded in the audit log. */
  reason?: string | undefined;
}

export interface Epoch {
  /** ID of the epoch. */
  id: string;
  /** `first`: the installation was created. `rollback`: the database lost changes that switches already had. `operator`: an operator started the epoch. New values may be added. */
  cause: Open<"first" | "rollback" | "operator">;
  /** Time when the epoch started. */
  began_at: string;
  /** Time of the newest change that survived a rollback. Later changes are lost. `null` if unknown. */
  newest_row_at: string | null;
  /** Evidence of a rollback: the version that is missing from the database's history, and the switch that reported it. */
  evidence: Record<string, unknown>;
  /** Whether switches keep their state until the rollback is resolved. */
  is_held: boolean;
  /** Time when an operator resolved the rollback. `null` until then. */
  resolved_at: string | null;
  /** Operator who resolved the rollback. `null` until then. */
  resolved_by: string | null;
}

export interface EpochPage {
  /** Results of this page. */
  data: Epoch[];
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

export interface Finding {
  /** ID of the finding. */
  id: string;
  /** `not_at_carrier`: an organisation holds the number, but the carrier does not list it. `not_here`: the carrier lists the number, but no organisation holds it. `delivered_elsewhere`: the carrier sends the number's calls to another trunk. New values may be added. */
  kind: Open<"not_at_carrier" | "not_here" | "delivered_elsewhere">;
  /** Phone number in E.164 format. */
  e164: string;
  /** ID of the organisation that holds the number. `null` if there is none. */
  organisation_id: string | null;
  /** ID of the number. `null` if no organisation holds it. */
  number_id: string | null;
  /** Trunk that receives the calls of a number that is `delivered_elsewhere`. `null` if there is none, and for other kinds. */
  found_trunk: string | null;
  /** Trunk that should receive the calls of a number that is `delivered_elsewhere`. `null` for other kinds. */
  expected_trunk: string | null;
  /** Time when the finding was repaired. `null` if it is open. */
  repaired_at: string | null;
}

export interface FindingPage {
  /** Results of this page. */
  data: Finding[];
  /** Cursor of the next page. `null` on the last page. */
  next_cursor: string | null;
}

export interface FinishRestore {
  /** Finish even if a switch or a carrier could not be compared. Changes that only they know are lost. Default: `false`. */
  without_unreachable?: boolean | undefined;
}

export interface Forwarding {
  /** ID of the organisation. */
  organisation_id: string;
  /** Maximum number of concurrent forwarded calls. `null` for no limit, 0 for none. */
  calls_at_once: number | null;
  /** Maximum number of forwarded calls per UTC day. `null` for no limit, 0 for none. */
  calls_per_day: number | null;
  /** Maximum number of minutes of forwarded calls per UTC day. Calls end when they are used up. `null` for no limit, 0 for none. */
  minutes_per_day: number | null;
  /** Caller ID of forwarded calls. `pass`: the original caller. `called`: the number that was called. `fixed`: `caller_number`. Possible values: `pass`, `called`, `fixed`. New values may be added. */
  caller: Open<"pass" | "called" | "fixed">;
  /** Phone number in E.164 format. `null` unless `caller` is `fixed`. */
  caller_number: string | null;
  /** Whether forwarded calls keep the `Identity` header (STIR/SHAKEN). Possible values: `keep`, `drop`. New values may be added. */
  identity: Open<"keep" | "drop">;
  /** Time of the last change. `null` if nothing was ever set. */
  updated_at: string | null;
  /** Use by all switches. */
  used: ForwardingUse;
  /** Live switches. Each enforces a part of the limits without asking the service. */
  switches: ForwardingSwitch[];
}

export interface ForwardingGatewayValue {
  /** Name of the trunk. */
  trunk: string;
  /** Rank of the gateway: the lowest value is tried first. */
  priority: number;
  /** Share of the calls among gateways with the same priority. */
  weight: number;
  /** Whether the switch sends OPTIONS, and skips a gateway that does not respond. */
  ping: boolean;
}

export interface ForwardingSwitch {
  /** ID of the switch. */
  id: string;
  /** Name of the switch. */
  name: string;
  /** Whether the switch has confirmed its part of the current limits. Possible values: `applied`, `pending`. New values may be added. */
  status: Open<"applied" | "pending">;
  /** Its part of `calls_at_once`. */
  calls_at_once: number | null;
  /** Its part of `calls_per_day`. */
  calls: number | null;
  /** Its part of `minutes_per_day`, in seconds. */
  seconds: number | null;
  /** Use by this switch. */
  used: ForwardingSwitchUse;
  /** Time when the switch last reported a change. `null` if it never did. */
  reported_at: string | null;
}

export interface ForwardingSwitchUse {
  /** Forwarded calls in progress. */
  calls_at_once: number;
  /** Forwarded calls that started today (UTC). */
  calls: number;
  /** Seconds of forwarded calls that ended today (UTC). */
  seconds: number;
}

export interface ForwardingUse {
  /** Forwarded calls in progress. */
  calls_at_once: number;
  /** Forwarded calls that started today (UTC). */
  calls: number;
  /** Seconds of forwarded calls that ended today (UTC). */
  seconds: number;
}

export interface ForwardingValue {
  /** Trunks that take forwarded calls. */
  gateways: ForwardingGatewayValue[];
  /** Prefixes of numbers that calls may be forwarded to. */
  prefixes: string[];
  /** Maximum number of forwarded calls per minute of a number. */
  calls_per_minute: number;
  /** Maximum number of concurrent forwarded calls of a number. */
  calls_at_once: number;
}

export interface GroupOfSwitch {
  /** ID of the group. */
  id: string;
  /** Name of the group. */
  name: string;
}

export interface HeldNumber {
  /** ID of the number. */
  id: string;
  /** Phone number in E.164 format. */
  e164: string;
  /** Status of the number. Possible values: `active`, `suspended`, `releasing`. New values may be added. */
  status: Open<"active" | "suspended" | "releasing">;
  /** Reason for the suspension. `null` if there is none. */
  status_reason: string | null;
  /** Time when the organisation received the number. */
  acquired_at: string;
  /** Organisation that holds the number. */
  organisation: {
    /** ID of the organisation. */
    id: string;
    /** Name of the organisation. */
    name: string;
  };
}

export interface HeldNumberPage {
  /** Results of this page. */
  data: HeldNumber[];
  /** Cursor of the next page. `null` on the last page. */
  next_cursor: string | null;
}

export interface ImportPool {
  /** Numbers and ranges, 10,000 numbers at most in total. Further entries are listed in `faults`. Send them in another request. */
  entries: PoolEntry[];
  /** ISO 3166-1 alpha-2 country code of numbers without a leading plus. */
  country?: string | undefined;
  /** ID of the switch group that serves the numbers. Defaults to the default group of the live environment. */
  group_id?: string | undefined;
  /** If true, the API validates the entries and imports nothing (default: false). */
  dry_run?: boolean | undefined;
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

export interface LostRevocation {
  /** ID of the audit entry. */
  id: string;
  /** Action of the entry. */
  action: string;
  /** Outcome of the action. */
  outcome: string;
  /** Resource that the action affected. `null` if there is none. */
  subject: string | null;
  /** Details of the action. */
  detail: Record<string, unknown>;
}

export interface NetworksNotConfirmedProblem {
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
  /** Networks that the change opens. Confirm exactly these in `confirmed_networks`. */
  networks: string[];
}

export interface NewTrunk {
  /** Name of the trunk: small letters, digits and hyphens. */
  name: string;
  /** `in`: it sends calls. `out`: it takes forwarded calls, and can send requests only within them. `both`: it does both. */
  direction: "in" | "out" | "both";
  /** IPv4 networks from which its requests come. Required unless `direction` is `out`. */
  sources?: string[] | undefined;
  /** Transport towards its gateway. A `tls` trunk must also send over TLS, and a `tcp` trunk over TCP or TLS. */
  transport: "udp" | "tcp" | "tls";
  /** Whether the trunk is behind NAT: responses then go to the source port of its requests. */
  nat?: boolean | undefined;
  /** Format of called numbers and callers. */
  number_format?: NewTrunkNumberFormat | undefined;
  /** Whether the switch passes on its `P-Asserted-Identity` and `Remote-Party-ID`. */
  trusts_identity?: boolean | undefined;
  /** Maximum number of concurrent calls. 0 for no limit. */
  max_calls?: number | undefined;
  /** IDs of the switches of the group that have it. Empty: all switches, including later ones. */
  switches?: string[] | undefined;
  /** Destination of its forwarded calls. Required unless `direction` is `in`. */
  gateway?: NewTrunkGateway | null | undefined;
}

export interface NewTrunkGateway {
  /** IPv4 address of the gateway. */
  host: string;
  /** Port of the gateway (default: 5060). */
  port?: number | undefined;
  /** User name at the gateway. `null` if it requires none. */
  username?: string | null | undefined;
  /** Password at the gateway, which is never shown again. Omit it to keep the current one. Required for a new `username`, `host` or `port`. */
  password?: string | undefined;
  /** Whether the gateway gets the `P-Asserted-Identity` of callers who withhold their number. */
  in_trust_domain?: boolean | undefined;
  /** Whether every forwarded call gets a `History-Info` header. */
  history_info?: boolean | undefined;
}

export interface NewTrunkNumberFormat {
  /** Prefix of international numbers. */
  international_prefix?: string | undefined;
  /** Prefix of national numbers. */
  national_prefix?: string | undefined;
  /** Country code of national numbers, without `+`. */
  country_code?: string | undefined;
  /** Prefix that the carrier adds to each number. */
  technical_prefix?: string | undefined;
}

export interface OperatorCall {
  /** ID of the call. */
  id: string;
  /** ID of the called number. `null` if the call matched no number. */
  number_id: string | null;
  /** Called number in E.164 format. `null` if the call matched no number. */
  e164: string | null;
  /** Time when the call arrived at the switch. */
  started_at: string;
  /** Time when the call was answered. `null` if it was not. */
  answered_at: string | null;
  /** Time when the call ended. `null` if unknown. */
  ended_at: string | null;
  /** Result of the call. `not_served`: the service could not accept it. Possible values: `answered`, `busy`, `no_answer`, `cancelled`, `rejected`, `failed`, `not_served`. New values may be added. */
  result: Open<"answered" | "busy" | "no_answer" | "cancelled" | "rejected" | "failed" | "not_served">;
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
  /** ID of the organisation that held the number. `null` if the call matched no number. */
  organisation_id: string | null;
  /** Environment of the call. Possible values: `live`, `test`. New values may be added. */
  environment: Open<"live" | "test">;
  /** Called number in the INVITE. `null` after the retention period of `caller`. */
  called: string | null;
  /** Trunk that sent the call. `null` if unknown. */
  trunk: string | null;
  /** Trunk that received a forwarded call. `null` if there was none. */
  gateway: string | null;
}

export interface OperatorCallDetail {
  /** ID of the call. */
  id: string;
  /** ID of the called number. `null` if the call matched no number. */
  number_id: string | null;
  /** Called number in E.164 format. `null` if the call matched no number. */
  e164: string | null;
  /** Time when the call arrived at the switch. */
  started_at: string;
  /** Time when the call was answered. `null` if it was not. */
  answered_at: string | null;
  /** Time when the call ended. `null` if unknown. */
  ended_at: string | null;
  /** Result of the call. `not_served`: the service could not accept it. Possible values: `answered`, `busy`, `no_answer`, `cancelled`, `rejected`, `failed`, `not_served`. New values may be added. */
  result: Open<"answered" | "busy" | "no_answer" | "cancelled" | "rejected" | "failed" | "not_served">;
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
  /** ID of the organisation that held the number. `null` if the call matched no number. */
  organisation_id: string | null;
  /** Environment of the call. Possible values: `live`, `test`. New values may be added. */
  environment: Open<"live" | "test">;
  /** Trunk that sent the call. `null` if unknown. */
  trunk: string | null;
  /** Trunk that received a forwarded call. `null` if there was none. */
  gateway: string | null;
  /** Number that a trusted trunk asserted, also if the caller withholds it. `null` if there was none, and after the retention period of `caller`. */
  asserted_caller: string | null;
}

export interface OperatorCallPage {
  /** Results of this page. */
  data: OperatorCall[];
  /** Cursor of the next page. `null` on the last page. */
  next_cursor: string | null;
}

export interface OperatorNotificationRule {
  /** Kind of the problem. */
  kind: "switch_silent" | "backlog";
  /** Email addresses that get a message when such a problem begins and when it ends. They must belong to operators. */
  emails: string[];
}

export interface OperatorNotifications {
  /** One rule for each kind of problem. */
  rules: OperatorNotificationRule[];
}

export interface OperatorOverview {
  /** Time of the response. */
  as_of: string;
  /** Open problems: rollbacks first, then silent switches, alarms, exceptions, trunks, carriers and organisations. The longest first in each kind. */
  problems: OperatorProblem[];
  /** Count of open problems, which can be more than the list has. */
  problems_total: number;
  /** Switches of the installation. */
  switches: OperatorOverviewSwitches;
  /** Active calls on the switches that report. `null` if there are switches and none reports. */
  active_calls: number | null;
}

export interface OperatorOverviewSwitches {
  /** Switches that are not retired. */
  total: number;
  /** Switches that report. */
  reporting: number;
  /** Changes that reporting switches have not read back yet. */
  lag: number;
  /** Items without the expected value on the switches that report. */
  exceptions: number;
}

export interface OperatorProblem {
  /** `rollback`: the database lost changes that switches already had. `rollback_held`: the same, and switches keep their state until you resolve it. `restore_open`: the database is being restored, and much work waits until you finish the restore. `switch_silent`: a switch has stopped reporting. `switch_clock_wrong`, `switch_disk_full`: an alarm of a switch. `switch_exceptions`: items of a switch do not have the expected value. `switch_trunks`: a switch does not hold its trunks, because it could not set them, they drifted, or it has not applied them for a minute. `reconciliation_failed`: the last reconciliation with a carrier failed. `carrier_mismatch`: it left findings. `organisation_pending`: numbers of an organisation are still being suspended or resumed. Possible values: `rollback`, `rollback_held`, `restore_open`, `switch_silent`, `switch_clock_wrong`, `switch_disk_full`, `switch_exceptions`, `switch_trunks`, `reconciliation_failed`, `carrier_mismatch`, `organisation_pending`. New values may be added. */
  kind: Open<"rollback" | "rollback_held" | "restore_open" | "switch_silent" | "switch_clock_wrong" | "switch_disk_full" | "switch_exceptions" | "switch_trunks" | "reconciliation_failed" | "carrier_mismatch" | "organisation_pending">;
  /** Start of the problem. `null` if unknown. */
  since: string | null;
  /** Affected resource. */
  subject: OperatorProblemSubject;
  /** Count of exceptions, trunks, findings or pending changes. 1 for other kinds. */
  count: number;
  /** Cause. `null` if there is none. */
  error: string | null;
}

export interface OperatorProblemSubject {
  /** Type of the resource. Possible values: `epoch`, `switch`, `reconciliation`, `organisation`. New values may be added. */
  type: Open<"epoch" | "switch" | "reconciliation" | "organisation">;
  /** ID of the resource. */
  id: string;
  /** Name of the switch, carrier or organisation. `null` for an epoch. */
  label: string | null;
}

export interface Organisation {
  /** ID of the organisation. */
  id: string;
  /** Name of the organisation. */
  name: string;
  /** Time when the organisation was created. */
  created_at: string;
  /** Time when an operator suspended the organisation. `null` if it is not suspended. Its requests are rejected until an operator resumes it. */
  suspended_at: string | null;
  /** Reason for the suspension. `null` if there is none. */
  suspension_reason: string | null;
  /** Whether its live numbers are suspended with it. */
  numbers_suspended: boolean;
  /** Whether numbers are still being suspended or resumed. */
  numbers_pending: boolean;
}

export interface OrganisationOfException {
  /** ID of the organisation. */
  id: string;
  /** Name of the organisation. */
  name: string;
}

export interface OrganisationPage {
  /** Results of this page. */
  data: Organisation[];
  /** Cursor of the next page. `null` on the last page. */
  next_cursor: string | null;
}

export interface Pool {
  /** Count of all numbers. */
  total: number;
  /** Count of numbers that can be ordered. */
  free: number;
  /** Count of numbers that an organisation holds or that are in quarantine. */
  held: number;
  /** Counts by country and type. */
  kinds: PoolKind[];
}

export interface PoolEntry {
  /** Phone number, in E.164 format or in the national format of `country`. */
  number: string;
  /** Last number of a range that starts with `number`. */
  to?: string | undefined;
  /** Number type, used if the numbering plan does not define it. One of local, national, mobile, toll_free, shared_cost, premium, voip, personal, uan, pager, other. */
  type?: string | undefined;
}

export interface PoolFault {
  /** Index of the entry, starting at 0. */
  entry: number;
  /** Reason why the entry is invalid. */
  detail: string;
}

export interface PoolImport {
  /** Whether this was a dry run. */
  dry_run: boolean;
  /** Count of imported numbers. */
  added: number;
  /** Count of numbers that are already in the pool or listed twice. */
  skipped: number;
  /** Invalid entries. All other entries are imported. */
  faults: PoolFault[];
}

export interface PoolKind {
  /** ISO 3166-1 alpha-2 country code. `null` for numbers without a country, such as +800. */
  country: string | null;
  /** Number type. Possible values: `local`, `national`, `mobile`, `toll_free`, `shared_cost`, `premium`, `voip`, `personal`, `uan`, `pager`, `other`. New values may be added. */
  type: Open<"local" | "national" | "mobile" | "toll_free" | "shared_cost" | "premium" | "voip" | "personal" | "uan" | "pager" | "other">;
  /** Count of all numbers. */
  total: number;
  /** Count of numbers that can be ordered. */
  free: number;
  /** Count of numbers that an organisation holds or that are in quarantine. */
  held: number;
}

export interface PoolNumber {
  /** Phone number in E.164 format. */
  e164: string;
  /** ISO 3166-1 alpha-2 country code. `null` for numbers without a country, such as +800. */
  country: string | null;
  /** Number type. Possible values: `local`, `national`, `mobile`, `toll_free`, `shared_cost`, `premium`, `voip`, `personal`, `uan`, `pager`, `other`. New values may be added. */
  type: Open<"local" | "national" | "mobile" | "toll_free" | "shared_cost" | "premium" | "voip" | "personal" | "uan" | "pager" | "other">;
  /** `free`: can be ordered. `held`: an organisation holds it, or it is in quarantine. New values may be added. */
  status: Open<"free" | "held">;
  /** ID of the switch group that serves the number. */
  group_id: string;
  /** Time when the number was imported. */
  added_at: string;
}

export interface PoolNumberPage {
  /** Results of this page. */
  data: PoolNumber[];
  /** Cursor of the next page. `null` on the last page. */
  next_cursor: string | null;
}

export interface ProbeCaller {
  /** ID of the switch group. */
  switch_group_id: string;
  /** Trunk with a gateway, through which switches of the group call the carrier. `null` if none is set. */
  trunk: string | null;
  /** Caller of the probes, by which switches recognise them. Use a number that makes no other calls. `null` if none is set. */
  caller: string | null;
  /** Time of the last change. `null` if nothing is set. */
  updated_at: string | null;
}

export interface ProbePolicy {
  /** ID of the organisation. */
  organisation_id: string;
  /** Maximum number of probes per UTC day. 0 for none. */
  probes_per_day: number;
  /** Probes placed today (UTC). */
  used_today: number;
  /** Time of the last change. `null` if nothing was ever set. */
  updated_at: string | null;
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

export interface Reconcile {
  /** Name of the carrier. */
  carrier: string;
}

export interface Reconciliation {
  /** ID of the reconciliation. */
  id: string;
  /** Name of the carrier. */
  carrier: string;
  /** Status of the reconciliation. Possible values: `running`, `finished`, `failed`. New values may be added. */
  status: Open<"running" | "finished" | "failed">;
  /** Count of the carrier's numbers in this installation, including orders in progress. `null` until finished. */
  held: number | null;
  /** Count of numbers that the carrier lists for this installation. `null` until finished. */
  owned: number | null;
  /** Count of mismatches that are not repaired. */
  open_findings: number;
  /** Reason for a failure. `null` if there is none. */
  error: string | null;
  /** Time when the reconciliation started. */
  started_at: string;
  /** Time when the reconciliation finished. `null` until then. */
  finished_at: string | null;
}

export interface ReconciliationPage {
  /** Results of this page. */
  data: Reconciliation[];
  /** Cursor of the next page. `null` on the last page. */
  next_cursor: string | null;
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

export interface ReplaceTrunks {
  /** Revision that you read. If it is not the current one, the request returns 409 `trunks_changed`. */
  revision: number;
  /** All trunks of the group. */
  trunks: NewTrunk[];
  /** Gateways for forwarded calls. `null` if the group forwards none. */
  forwarding: SetTrunkForwarding | null;
  /** Networks that this change opens, and no others. Otherwise the request returns 422 `networks_not_confirmed` with the list. */
  confirmed_networks?: string[] | undefined;
}

export interface ReplayRevocations {
  /** Organisation of the export. Omit it for the operator's export. */
  organisation_id?: string | undefined;
  /** Entries of an audit export, in its order, with these fields. */
  entries: LostRevocation[];
}

export interface ReplayedRevocation {
  /** ID of the audit entry. */
  id: string;
  /** Action of the entry. */
  action: string;
  /** Resource that the action affected. `null` if there is none. */
  subject: string | null;
  /** `replayed`: the revocation is in effect again. `no_effect`: it was, or the resource does not exist. `review`: an operator or owner has to repeat it. New values may be added. */
  outcome: Open<"replayed" | "no_effect" | "review">;
}

export interface ReplayedRevocations {
  /** Revocations that the database does not have. */
  entries: ReplayedRevocation[];
}

export interface Restore {
  /** ID of the restore. */
  id: string;
  /** `operator`: begun by an operator. `rollback`: the service noticed that the database lost changes. New values may be added. */
  cause: Open<"operator" | "rollback">;
  /** Time to which the database was restored. `null` if unknown. */
  restored_to: string | null;
  /** Time when the restore began. */
  began_at: string;
  /** Operator who began the restore. */
  began_by: string;
  /** Time of the last comparison with switches and carriers. `null` before the first. */
  compared_at: string | null;
  /** Time when the restore was finished. `null` while it is open. */
  ended_at: string | null;
  /** Operator who finished the restore. `null` while it is open. */
  ended_by: string | null;
  /** Switches of the live environment that are not retired. */
  switches: RestoreSwitch[];
  /** Carriers whose numbers were compared. */
  carriers: RestoreCarrier[];
  /** Counts of findings by kind and state. */
  findings: RestoreFindingCount[];
}

export interface RestoreCarrier {
  /** Name of the carrier. */
  name: string;
  /** State of its last reconciliation since the restore began. New values may be added. */
  state: Open<"running" | "finished" | "failed">;
  /** Why it failed. `null` if it did not. */
  error: string | null;
}

export interface RestoreFinding {
  /** ID of the finding. */
  id: string;
  /** `newer_on_switch`: the switches have a later route or connection. `only_on_switch`: the database does not have the item. `only_here`: the switches do not have it. `not_at_carrier`: the carrier does not have a held number. `not_here`: the carrier has a number that no organisation holds. New values may be added. */
  kind: Open<"newer_on_switch" | "only_on_switch" | "only_here" | "not_at_carrier" | "not_here">;
  /** Type of the item. New values may be added. */
  item: Open<"route" | "connection">;
  /** ID of the number or connection. `null` for `not_here`. */
  item_id: string | null;
  /** Phone number in E.164 format. `null` for connections. */
  e164: string | null;
  /** Organisation of the item. `null` if unknown. */
  organisation_id: string | null;
  /** Value in the database. `null` if it does not have the item. */
  here: Record<string, unknown> | null;
  /** Value on the switches. `null` if they do not have the item. */
  there: Record<string, unknown> | null;
  /** Switches with this difference. */
  switches: string[];
  /** Carrier that has the number, or that is missing it. `null` if none was compared. */
  carrier: string | null;
  /** `open`: decide. `adopted`: the database took the value of switches or carrier. `dropped`: the database keeps its value. `outdated`: the item was changed here since the restore began. New values may be added. */
  state: Open<"open" | "adopted" | "dropped" | "outdated">;
  /** Time of the decision. `null` while the finding is open. */
  decided_at: string | null;
  /** Operator who decided. `null` while the finding is open. */
  decided_by: string | null;
}

export interface RestoreFindingCount {
  /** `newer_on_switch`: the switches have a later route or connection. `only_on_switch`: the database does not have the item. `only_here`: the switches do not have it. `not_at_carrier`: the carrier does not have a held number. `not_here`: the carrier has a number that no organisation holds. New values may be added. */
  kind: Open<"newer_on_switch" | "only_on_switch" | "only_here" | "not_at_carrier" | "not_here">;
  /** State of the findings. New values may be added. */
  state: Open<"open" | "adopted" | "dropped" | "outdated">;
  /** Count of findings. */
  count: number;
}

export interface RestoreFindingPage {
  /** Results of this page. */
  data: RestoreFinding[];
  /** Cursor of the next page. `null` on the last page. */
  next_cursor: string | null;
}

export interface RestorePage {
  /** Results of this page. */
  data: Restore[];
  /** Cursor of the next page. `null` on the last page. */
  next_cursor: string | null;
}

export interface RestoreSwitch {
  /** Name of the switch. */
  name: string;
  /** `missing`: the agent has not connected since the restore began. `announced`: the agent is uploading its state. `compared`: done. New values may be added. */
  state: Open<"missing" | "announced" | "compared">;
  /** Count of routes and connections of the switch. `null` if unknown. */
  items: number | null;
}

export interface RestoreTrunks {
  /** Revision to restore, with its passwords. */
  to: number;
  /** Revision that you read. If it is not the current one, the request returns 409 `trunks_changed`. */
  revision: number;
  /** Networks that this change opens, and no others. Otherwise the request returns 422 `networks_not_confirmed` with the list. */
  confirmed_networks?: string[] | undefined;
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

export interface RevisedTrunk {
  /** Name of the trunk: small letters, digits and hyphens. */
  name: string;
  /** `in`: it sends calls. `out`: it takes forwarded calls, and can send requests only within them. `both`: it does both. Possible values: `in`, `out`, `both`. New values may be added. */
  direction: Open<"in" | "out" | "both">;
  /** IPv4 networks from which its requests come. Required unless `direction` is `out`. */
  sources: string[];
  /** Transport towards its gateway. A `tls` trunk must also send over TLS, and a `tcp` trunk over TCP or TLS. Possible values: `udp`, `tcp`, `tls`. New values may be added. */
  transport: Open<"udp" | "tcp" | "tls">;
  /** Whether the trunk is behind NAT: responses then go to the source port of its requests. */
  nat: boolean;
  /** Format of called numbers and callers. */
  number_format: TrunkNumberFormat;
  /** Whether the switch passes on its `P-Asserted-Identity` and `Remote-Party-ID`. */
  trusts_identity: boolean;
  /** Maximum number of concurrent calls. 0 for no limit. */
  max_calls: number;
  /** IDs of the switches of the group that have it. Empty: all switches, including later ones. */
  switches: string[];
  /** Destination of its forwarded calls. `null` if there is none. */
  gateway: TrunkGateway | null;
}

export interface RevisedTrunkForwarding {
  /** Trunks that take forwarded calls. */
  gateways: TrunkForwardingGateway[];
  /** Prefixes of numbers that calls may be forwarded to. */
  prefixes: string[];
  /** Maximum number of forwarded calls per minute of each number (default: 60). */
  calls_per_minute: number;
  /** Maximum number of forwarded calls in progress of each number (default: 10). */
  calls_at_once: number;
}

export interface SavedState {
  /** ID of the saved state. */
  id: string;
  /** ID of the switch. */
  switch_id: string;
  /** ID of the epoch that ended. */
  epoch: string;
  /** Time when the agent saved the state. */
  saved_at: string;
  /** Count of routes and connections in the state. */
  items: number;
  /** `on_switch`: only the agent has it. `requested`: the agent uploads it within a minute of connecting. `uploaded`: you can list its items. */
  status: Open<"on_switch" | "requested" | "uploaded">;
  /** Time when an operator requested the state. `null` if none did. */
  requested_at: string | null;
  /** Time when the upload finished. `null` until then. */
  uploaded_at: string | null;
}

export interface SavedStateItem {
  /** Type of the item. */
  kind: "route" | "connection";
  /** ID of the number or connection. */
  id: string;
  /** Number of the shard. */
  shard: number;
  /** Version of the item in its shard. */
  version: number;
  /** Generation of the routing or connection. */
  generation: number;
  /** Desired value at the switch: a route with its number, or a connection with its targets. */
  value: Record<string, unknown>;
}

export interface SavedStateItemPage {
  /** Results of this page. */
  data: SavedStateItem[];
  /** Cursor of the next page. `null` on the last page. */
  next_cursor: string | null;
}

export interface SavedStatePage {
  /** Results of this page. */
  data: SavedState[];
  /** Cursor of the next page. `null` on the last page. */
  next_cursor: string | null;
}

export interface SetCarrierDelivery {
  /** ID of the switch group. */
  switch_group_id: string;
  /** ID of the trunk at the carrier, from the list of its trunks. */
  trunk: string;
}

export interface SetForwarding {
  /** Maximum number of concurrent forwarded calls. `null` for no limit, 0 for none. */
  calls_at_once?: number | null | undefined;
  /** Maximum number of forwarded calls per UTC day. `null` for no limit, 0 for none. */
  calls_per_day?: number | null | undefined;
  /** Maximum number of minutes of forwarded calls per UTC day. Calls end when they are used up. `null` for no limit, 0 for none. */
  minutes_per_day?: number | null | undefined;
  /** Caller ID of forwarded calls. `pass`: the original caller. `called`: the number that was called. `fixed`: `caller_number`. Default: `pass`. */
  caller?: "pass" | "called" | "fixed" | undefined;
  /** Phone number in E.164 format. Required if `caller` is `fixed`. */
  caller_number?: string | null | undefined;
  /** Whether forwarded calls keep the `Identity` header (STIR/SHAKEN). Default: `keep` if `caller` is `pass`. Otherwise it must be `drop`, because another caller ID invalidates the header. */
  identity?: "keep" | "drop" | undefined;
}

export interface SetForwardingGateway {
  /** Name of a trunk with direction `out` or `both`. */
  trunk: string;
  /** Rank of the gateway: the lowest value is tried first (default: 1). */
  priority?: number | undefined;
  /** Share of the calls among gateways with the same priority (default: 1). */
  weight?: number | undefined;
  /** Whether the switch sends OPTIONS, and skips the gateway after two missed replies (default: true). */
  ping?: boolean | undefined;
}

export interface SetOperatorNotificationRule {
  /** Kind of the problem. Each can occur once. */
  kind: "switch_silent" | "backlog";
  /** Email addresses that get a message when such a problem begins and when it ends. They must belong to operators. */
  emails: string[];
}

export interface SetOperatorNotifications {
  /** All rules. Kinds that are absent send no notifications. */
  rules: SetOperatorNotificationRule[];
}

export interface SetProbeCaller {
  /** Trunk with a gateway, through which switches of the group call the carrier. */
  trunk: string;
  /** Caller of the probes, by which switches recognise them. Use a number that makes no other calls. */
  caller: string;
}

export interface SetProbePolicy {
  /** Maximum number of probes per UTC day. 0 for none. */
  probes_per_day: number;
}

export interface SetTrunk {
  /** Revision that you read. If it is not the current one, the request returns 409 `trunks_changed`. */
  revision?: number | undefined;
  /** All settings of the trunk. Omitted ones get their defaults. */
  trunk: TrunkSettings;
  /** Networks that this change opens, and no others. Otherwise the request returns 422 `networks_not_confirmed` with the list. */
  confirmed_networks?: string[] | undefined;
}

export interface SetTrunkForwarding {
  /** Trunks that take forwarded calls. */
  gateways: SetForwardingGateway[];
  /** Prefixes of numbers that calls may be forwarded to. */
  prefixes: string[];
  /** Maximum number of forwarded calls per minute of each number (default: 60). */
  calls_per_minute?: number | undefined;
  /** Maximum number of forwarded calls in progress of each number (default: 10). */
  calls_at_once?: number | undefined;
}

export interface SubjectRef {
  /** Type of the resource, such as `number`, `user` or `connection`. New types may be added. */
  type: string;
  /** ID of the resource, the same as `subject`. */
  id: string;
  /** Phone number, name or URL of the resource. `null` if it is unknown or the resource is deleted. */
  label: string | null;
}

export interface SuspendNumber {
  /** Reason for the suspension. Shown to the holder as `status_reason`. */
  reason?: string | undefined;
}

export interface SuspendOrganisation {
  /** Reason for the suspension. Shown to operators and recorded in the audit log. */
  reason?: string | undefined;
  /** If true, the organisation's live numbers are suspended too and their calls are rejected (default: false). */
  suspend_numbers?: boolean | undefined;
}

export interface SuspendedKeys {
  /** Count of API keys that now wait for an owner. */
  count: number;
}

export interface Switch {
  /** ID of the switch. */
  id: string;
  /** Name of the switch. */
  name: string;
  /** Group of the switch. */
  group: GroupOfSwitch;
  /** State that the operator set, or `unreachable` if the switch has stopped reporting. Possible values: `active`, `draining`, `unreachable`, `retired`. New values may be added. */
  state: Open<"active" | "draining" | "unreachable" | "retired">;
  /** Whether the switch has read back its whole state in this epoch. Changes wait only for switches that have. */
  is_synced: boolean;
  /** Time of the last report. `null` if there was none. */
  last_seen_at: string | null;
  /** Seconds without a report after which the switch is unreachable and its numbers are `unknown`. */
  unreachable_after_seconds: number;
  /** Count of changes that the switch has not read back yet. */
  lag: number;
  /** Count of items that do not have the expected value. */
  exceptions: number;
  /** Active alarms. `clock_wrong`: the clock is off by more than a second. `disk_full`: the disk has no space for call records. `unreachable_for_a_day`: no report for a day, so repair or retire the switch. */
  alarms: Open<"clock_wrong" | "disk_full" | "unreachable_for_a_day">[];
  /** Version of the agent. `null` until it has reported. */
  agent_version: string | null;
  /** ID of the switch's current start. It changes with every restart. `null` until it has reported. */
  boot: string | null;
  /** Time when the switch was registered. */
  created_at: string;
}

export interface SwitchException {
  /** Type of the item. Possible values: `number`, `connection`. New values may be added. */
  kind: Open<"number" | "connection">;
  /** ID of the number or connection. */
  id: string;
  /** Phone number in E.164 format, or name of the connection. `null` if the connection was deleted. */
  label: string | null;
  /** Organisation that the item belongs to. */
  organisation: OrganisationOfException;
  /** Environment of the item. Possible values: `live`, `test`. New values may be added. */
  environment: Open<"live" | "test">;
  /** `pending`: not applied yet. `failed`: the switch rejected it. `drifted`: the switch held another value at its last report. `repaired`: it drifted within ten minutes, and the last report matches. Possible values: `pending`, `failed`, `drifted`, `repaired`. New values may be added. */
  state: Open<"pending" | "failed" | "drifted" | "repaired">;
  /** Start of the deviation. For drift, the first time it was found. */
  since: string;
  /** Value that the switch held, with its `generation`: a destination, or the targets of a connection. `null` if it held none. */
  found: Record<string, unknown> | null;
  /** Value that the switch should hold, with its `generation`. `null` if it should hold none. */
  expected: Record<string, unknown> | null;
  /** Error of the switch. `null` if there is none. */
  error: string | null;
  /** Times the drift was found since it started. `null` without drift. */
  times_found: number | null;
  /** Time when the switch was last read with another value. */
  last_at: string;
}

export interface SwitchExceptionPage {
  /** Results of this page. */
  data: SwitchException[];
  /** Cursor of the next page. `null` on the last page. */
  next_cursor: string | null;
}

export interface SwitchGroup {
  /** ID of the group. */
  id: string;
  /** Name of the group. */
  name: string;
  /** Environment of the group. Possible values: `live`, `test`. New values may be added. */
  environment: Open<"live" | "test">;
  /** Whether new numbers are assigned to the group by default. */
  is_default: boolean;
  /** Number of shards. */
  shards: number;
  /** Time when the group was created. */
  created_at: string;
}

export interface SwitchGroupPage {
  /** Results of this page. */
  data: SwitchGroup[];
  /** Cursor of the next page. `null` on the last page. */
  next_cursor: string | null;
}

export interface SwitchPage {
  /** Results of this page. */
  data: Switch[];
  /** Cursor of the next page. `null` on the last page. */
  next_cursor: string | null;
}

export interface SwitchWithCredential {
  /** ID of the switch. */
  id: string;
  /** Name of the switch. */
  name: string;
  /** Group of the switch. */
  group: GroupOfSwitch;
  /** State that the operator set, or `unreachable` if the switch has stopped reporting. Possible values: `active`, `draining`, `unreachable`, `retired`. New values may be added. */
  state: Open<"active" | "draining" | "unreachable" | "retired">;
  /** Whether the switch has read back its whole state in this epoch. Changes wait only for switches that have. */
  is_synced: boolean;
  /** Time of the last report. `null` if there was none. */
  last_seen_at: string | null;
  /** Seconds without a report after which the switch is unreachable and its numbers are `unknown`. */
  unreachable_after_seconds: number;
  /** Count of changes that the switch has not read back yet. */
  lag: number;
  /** Count of items that do not have the expected value. */
  exceptions: number;
  /** Active alarms. `clock_wrong`: the clock is off by more than a second. `disk_full`: the disk has no space for call records. `unreachable_for_a_day`: no report for a day, so repair or retire the switch. */
  alarms: Open<"clock_wrong" | "disk_full" | "unreachable_for_a_day">[];
  /** Version of the agent. `null` until it has reported. */
  agent_version: string | null;
  /** ID of the switch's current start. It changes with every restart. `null` until it has reported. */
  boot: string | null;
  /** Time when the switch was registered. */
  created_at: string;
  /** Credential of the switch's agent. It is shown only in this response. */
  credential: string;
}

export interface Trunk {
  /** Name of the trunk: small letters, digits and hyphens. */
  name: string;
  /** `in`: it sends calls. `out`: it takes forwarded calls, and can send requests only within them. `both`: it does both. Possible values: `in`, `out`, `both`. New values may be added. */
  direction: Open<"in" | "out" | "both">;
  /** IPv4 networks from which its requests come. Required unless `direction` is `out`. */
  sources: string[];
  /** Transport towards its gateway. A `tls` trunk must also send over TLS, and a `tcp` trunk over TCP or TLS. Possible values: `udp`, `tcp`, `tls`. New values may be added. */
  transport: Open<"udp" | "tcp" | "tls">;
  /** Whether the trunk is behind NAT: responses then go to the source port of its requests. */
  nat: boolean;
  /** Format of called numbers and callers. */
  number_format: TrunkNumberFormat;
  /** Whether the switch passes on its `P-Asserted-Identity` and `Remote-Party-ID`. */
  trusts_identity: boolean;
  /** Maximum number of concurrent calls. 0 for no limit. */
  max_calls: number;
  /** IDs of the switches of the group that have it. Empty: all switches, including later ones. */
  switches: string[];
  /** Destination of its forwarded calls. `null` if there is none. */
  gateway: TrunkGateway | null;
  /** `applied`: read back with the desired value. `pending`: not yet. `failed`: the switch could not set it. `drifted`: it was applied, and has another value now. `unknown`: the switch does not report. Possible values: `applied`, `pending`, `failed`, `drifted`, `unknown`. New values may be added. */
  status: Open<"applied" | "pending" | "failed" | "drifted" | "unknown">;
  /** The same on each switch. */
  states: TrunkState[];
}

export interface TrunkForwarding {
  /** Trunks that take forwarded calls. */
  gateways: TrunkForwardingGateway[];
  /** Prefixes of numbers that calls may be forwarded to. */
  prefixes: string[];
  /** Maximum number of forwarded calls per minute of each number (default: 60). */
  calls_per_minute: number;
  /** Maximum number of forwarded calls in progress of each number (default: 10). */
  calls_at_once: number;
  /** `applied`: read back with the desired value. `pending`: not yet. `failed`: the switch could not set it. `drifted`: it was applied, and has another value now. `unknown`: the switch does not report. Possible values: `applied`, `pending`, `failed`, `drifted`, `unknown`. New values may be added. */
  status: Open<"applied" | "pending" | "failed" | "drifted" | "unknown">;
  /** The same on each switch. */
  states: TrunkForwardingState[];
}

export interface TrunkForwardingGateway {
  /** Name of the trunk. */
  trunk: string;
  /** Rank of the gateway: the lowest value is tried first. */
  priority: number;
  /** Share of the calls among gateways with the same priority. */
  weight: number;
  /** Whether the switch sends OPTIONS, and skips the gateway after two missed replies. */
  ping: boolean;
}

export interface TrunkForwardingState {
  /** ID of the switch. */
  switch_id: string;
  /** Name of the switch. */
  name: string;
  /** `applied`: read back with the desired value. `pending`: not yet. `failed`: the switch could not set it. `drifted`: it was applied, and has another value now. `unknown`: the switch does not report. Possible values: `applied`, `pending`, `failed`, `drifted`, `unknown`. New values may be added. */
  status: Open<"applied" | "pending" | "failed" | "drifted" | "unknown">;
  /** Value that the switch returned. `null` if it holds none. */
  found: ForwardingValue | null;
  /** Value that the switch should hold. `null` if it should hold none. */
  expected: ForwardingValue | null;
  /** Reason why it could not be set. `null` if it could. */
  error: string | null;
  /** Time of the last report. `null` if there was none. */
  observed_at: string | null;
}

export interface TrunkGateway {
  /** IPv4 address of the gateway. */
  host: string;
  /** Port of the gateway. */
  port: number;
  /** User name at the gateway. `null` if it requires none. */
  username: string | null;
  /** Time when the password was set. `null` if there is none. */
  password_set_at: string | null;
  /** Whether the gateway gets the `P-Asserted-Identity` of callers who withhold their number. */
  in_trust_domain: boolean;
  /** Whether every forwarded call gets a `History-Info` header. */
  history_info: boolean;
}

export interface TrunkGatewayValue {
  /** Address of the gateway. */
  host: string;
  /** Port of the gateway. */
  port: number;
  /** User name at the gateway. `null` if there is none. */
  username: string | null;
  /** ID of the password, which changes with the password. `null` if there is none. */
  password_id: string | null;
  /** Whether the gateway gets the identity of callers who withhold their number. */
  in_trust_domain: boolean;
  /** Whether forwarded calls get a `History-Info` header. */
  history_info: boolean;
}

export interface TrunkList {
  /** ID of the switch group. */
  switch_group_id: string;
  /** Revision of the list. 0 if it is not managed. */
  revision: number;
  /** Whether the service has a list for this group. Otherwise its switches use their own files. */
  is_managed: boolean;
  /** `applied`: read back with the desired value. `pending`: not yet. `failed`: the switch could not set it. `drifted`: it was applied, and has another value now. `unknown`: the switch does not report. `null` if the list is not managed. Possible values: `applied`, `pending`, `failed`, `drifted`, `unknown`. New values may be added. */
  status: Open<"applied" | "pending" | "failed" | "drifted" | "unknown"> | null;
  /** Trunks of the group. */
  trunks: Trunk[];
  /** Gateways for forwarded calls. `null` if the group forwards none. */
  forwarding: TrunkForwarding | null;
  /** Switches of the group that are not retired. */
  switches: TrunkSwitch[];
  /** Time of the last change. `null` if the list is not managed. */
  updated_at: string | null;
}

export interface TrunkNumberFormat {
  /** Prefix of international numbers. */
  international_prefix: string;
  /** Prefix of national numbers. */
  national_prefix: string;
  /** Country code of national numbers. */
  country_code: string;
  /** Prefix that the carrier adds to each number. */
  technical_prefix: string;
}

export interface TrunkRevision {
  /** Revision of the list. 0 if it is not managed. */
  revision: number;
  /** Trunks of the group, without passwords. */
  trunks: RevisedTrunk[];
  /** Gateways for forwarded calls. `null` if the group forwarded none. */
  forwarding: RevisedTrunkForwarding | null;
  /** Networks that this revision opened. */
  opened_networks: string[];
  /** Earlier revision that was restored. `null` for a new list. */
  restored_from: number | null;
  /** Operator who made the change. */
  actor: TrunkRevisionAuthor;
  /** Time of the change. */
  created_at: string;
}

export interface TrunkRevisionAuthor {
  /** ID of the operator. `null` if unknown. */
  id: string | null;
  /** Name of the operator. `null` if unknown. */
  name: string | null;
}

export interface TrunkRevisionPage {
  /** Results of this page. */
  data: TrunkRevision[];
  /** Cursor of the next page. `null` on the last page. */
  next_cursor: string | null;
}

export interface TrunkSettings {
  /** `in`: it sends calls. `out`: it takes forwarded calls, and can send requests only within them. `both`: it does both. */
  direction: "in" | "out" | "both";
  /** IPv4 networks from which its requests come. Required unless `direction` is `out`. */
  sources?: string[] | undefined;
  /** Transport towards its gateway. A `tls` trunk must also send over TLS, and a `tcp` trunk over TCP or TLS. */
  transport: "udp" | "tcp" | "tls";
  /** Whether the trunk is behind NAT: responses then go to the source port of its requests. */
  nat?: boolean | undefined;
  /** Format of called numbers and callers. */
  number_format?: NewTrunkNumberFormat | undefined;
  /** Whether the switch passes on its `P-Asserted-Identity` and `Remote-Party-ID`. */
  trusts_identity?: boolean | undefined;
  /** Maximum number of concurrent calls. 0 for no limit. */
  max_calls?: number | undefined;
  /** IDs of the switches of the group that have it. Empty: all switches, including later ones. */
  switches?: string[] | undefined;
  /** Destination of its forwarded calls. Required unless `direction` is `in`. */
  gateway?: NewTrunkGateway | null | undefined;
}

export interface TrunkState {
  /** ID of the switch. */
  switch_id: string;
  /** Name of the switch. */
  name: string;
  /** `applied`: read back with the desired value. `pending`: not yet. `failed`: the switch could not set it. `drifted`: it was applied, and has another value now. `unknown`: the switch does not report. Possible values: `applied`, `pending`, `failed`, `drifted`, `unknown`. New values may be added. */
  status: Open<"applied" | "pending" | "failed" | "drifted" | "unknown">;
  /** Value that the switch returned. `null` if it holds none. */
  found: TrunkValue | null;
  /** Value that the switch should hold. `null` if it should hold none. */
  expected: TrunkValue | null;
  /** Reason why it could not be set. `null` if it could. */
  error: string | null;
  /** Time of the last report. `null` if there was none. */
  observed_at: string | null;
}

export interface TrunkSwitch {
  /** ID of the switch. */
  id: string;
  /** Name of the switch. */
  name: string;
  /** Source of its trunks. `file`: its own `switch.json`. `null` if it has not reported. Possible values: `service`, `file`. New values may be added. */
  source: Open<"service" | "file"> | null;
  /** `applied`: read back with the desired value. `pending`: not yet. `failed`: the switch could not set it. `drifted`: it was applied, and has another value now. `unknown`: the switch does not report. `null` if the list is not managed. Possible values: `applied`, `pending`, `failed`, `drifted`, `unknown`. New values may be added. */
  status: Open<"applied" | "pending" | "failed" | "drifted" | "unknown"> | null;
  /** Time of the last report. `null` if there was none. */
  observed_at: string | null;
  /** Trunks in its file. Empty if `source` is not `file`. */
  file_trunks: TrunkValue[];
  /** Trunks that it holds and that are not in its list. */
  unexpected_trunks: TrunkValue[];
  /** Forwarding that it holds and that is not in its list. `null` if there is none. */
  unexpected_forwarding: ForwardingValue | null;
}

export interface TrunkValue {
  /** Name of the trunk. */
  name: string;
  /** `in`: it sends calls. `out`: it takes forwarded calls. `both`: it does both. */
  direction: "in" | "out" | "both";
  /** Networks from which its requests come. */
  sources: string[];
  /** Least strict transport of the trunk. */
  transport: "udp" | "tcp" | "tls";
  /** Whether responses go to the source port of its requests. */
  nat: boolean;
  /** Format of called numbers and callers. */
  number_format: TrunkNumberFormat;
  /** Whether the switch passes on its asserted identity. */
  trusts_identity: boolean;
  /** Maximum number of concurrent calls. 0 for no limit. */
  max_calls: number;
  /** Destination of its forwarded calls. `null` if there is none. */
  gateway: TrunkGatewayValue | null;
}

export interface TrunksChangedProblem {
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
  /** Current revision of the trunks. */
  revision: number;
}

export interface User {
  /** ID of the user. */
  id: string;
  /** Email address of the user. */
  email: string;
  /** Name of the user. */
  name: string;
  /** Whether the user is an operator of the installation. */
  is_operator: boolean;
  /** Time when the account was created. */
  created_at: string;
  /** Time when an operator disabled the account. `null` if it is enabled. The user cannot sign in until it is enabled. */
  disabled_at: string | null;
  /** Whether sign-in requires a code from an authenticator app. */
  has_authenticator: boolean;
  /** Number of active sessions. */
  session_count: number;
  /** Number of active API keys that the user created. They belong to organisations and remain valid. */
  api_key_count: number;
  /** Organisations the user belongs to. */
  organisations: ({
    /** ID of the organisation. */
    id: string;
    /** Name of the organisation. */
    name: string;
    /** Role in the organisation. Possible values: `owner`, `admin`, `developer`, `member`. New values may be added. */
    role: Open<"owner" | "admin" | "developer" | "member">;
  })[];
}

export interface UserPage {
  /** Results of this page. */
  data: User[];
  /** Cursor of the next page. `null` on the last page. */
  next_cursor: string | null;
}

/** What each operation takes and answers. */
export interface Operations {
  /** Get forwarding limits */
  getForwarding: {
    path: { id: string };
    query: undefined;
    body: undefined;
    answer: Forwarding;
  };
  /** Set forwarding limits */
  setForwarding: {
    path: { id: string };
    query: undefined;
    body: SetForwarding;
    answer: Forwarding;
  };
  /** Get the probe limit */
  getProbePolicy: {
    path: { id: string };
    query: undefined;
    body: undefined;
    answer: ProbePolicy;
  };
  /** Set the probe limit */
  setProbePolicy: {
    path: { id: string };
    query: undefined;
    body: SetProbePolicy;
    answer: ProbePolicy;
  };
  /** Get the caller of probes */
  getProbeCaller: {
    path: { id: string };
    query: undefined;
    body: undefined;
    answer: ProbeCaller;
  };
  /** Set the caller of probes */
  setProbeCaller: {
    path: { id: string };
    query: undefined;
    body: SetProbeCaller;
    answer: ProbeCaller;
  };
  /** Get trunks */
  getTrunks: {
    path: { id: string };
    query: undefined;
    body: undefined;
    answer: TrunkList;
  };
  /** Replace all trunks */
  replaceTrunks: {
    path: { id: string };
    query: undefined;
    body: ReplaceTrunks;
    answer: TrunkList;
  };
  /** Set a trunk */
  setTrunk: {
    path: { id: string; name: string };
    query: undefined;
    body: SetTrunk;
    answer: TrunkList;
  };
  /** Delete a trunk */
  deleteTrunk: {
    path: { id: string; name: string };
    query: {
      /** Revision that you read. If it is not the current one, the request returns 409 `trunks_changed`. */
      revision?: number | undefined;
    };
    body: undefined;
    answer: TrunkList;
  };
  /** List trunk revisions */
  listTrunkRevisions: {
    path: { id: string };
    query: {
      /** Maximum number of results. */
      limit?: number | undefined;
      /** `next_cursor` of the previous page. */
      cursor?: string | undefined;
    };
    body: undefined;
    answer: TrunkRevisionPage;
  };
  /** Restore trunks */
  restoreTrunks: {
    path: { id: string };
    query: undefined;
    body: RestoreTrunks;
    answer: TrunkList;
  };
  /** Get the overview of the installation */
  getOperatorOverview: {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: OperatorOverview;
  };
  /** List calls of all organisations */
  searchAllCalls: {
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
      result?: "answered" | "busy" | "no_answer" | "cancelled" | "rejected" | "failed" | "not_served" | undefined;
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
      /** Only calls to this number, in E.164 format. For calls that matched no number, the called number in the INVITE. */
      called?: string | undefined;
      /** Only calls to numbers of this organisation. */
      organisation_id?: string | undefined;
      /** If true, only calls that matched no number. */
      unmatched?: boolean | undefined;
      /** Environment of the calls (default: `live`). */
      environment?: "live" | "test" | undefined;
      /** Maximum number of results. */
      limit?: number | undefined;
      /** `next_cursor` of the previous page. */
      cursor?: string | undefined;
    };
    body: undefined;
    answer: OperatorCallPage;
  };
  /** Get a call of any organisation */
  getCallOfAll: {
    path: { id: string };
    query: undefined;
    body: undefined;
    answer: OperatorCallDetail;
  };
  /** Get notification rules */
  getOperatorNotifications: {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: OperatorNotifications;
  };
  /** Set notification rules */
  setOperatorNotifications: {
    path: undefined;
    query: undefined;
    body: SetOperatorNotifications;
    answer: OperatorNotifications;
  };
  /** List audit entries without organisation */
  listInstallationAudit: {
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
  /** List installation audit in commit order */
  listCommittedInstallationAudit: {
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
  /** List organisations */
  listOrganisations: {
    path: undefined;
    query: {
      /** Maximum number of results. */
      limit?: number | undefined;
      /** `next_cursor` of the previous page. */
      cursor?: string | undefined;
    };
    body: undefined;
    answer: OrganisationPage;
  };
  /** Create an organisation */
  createOrganisation: {
    path: undefined;
    query: undefined;
    body: CreateOrganisation;
    answer: Organisation;
  };
  /** Get an organisation */
  getOrganisation: {
    path: { id: string };
    query: undefined;
    body: undefined;
    answer: Organisation;
  };
  /** Suspend an organisation */
  suspendOrganisation: {
    path: { id: string };
    query: undefined;
    body: SuspendOrganisation;
    answer: Organisation;
  };
  /** Resume an organisation */
  resumeOrganisation: {
    path: { id: string };
    query: undefined;
    body: undefined;
    answer: Organisation;
  };
  /** List users */
  listUsers: {
    path: undefined;
    query: {
      /** Maximum number of results. */
      limit?: number | undefined;
      /** `next_cursor` of the previous page. */
      cursor?: string | undefined;
      /** Email address of the user to find. */
      email?: string | undefined;
    };
    body: undefined;
    answer: UserPage;
  };
  /** Get a user */
  getUser: {
    path: { id: string };
    query: undefined;
    body: undefined;
    answer: User;
  };
  /** Disable a user */
  disableUser: {
    path: { id: string };
    query: undefined;
    body: DisableUser;
    answer: User;
  };
  /** Enable a user */
  enableUser: {
    path: { id: string };
    query: undefined;
    body: undefined;
    answer: User;
  };
  /** End a user's sessions */
  endUserSessions: {
    path: { id: string };
    query: undefined;
    body: undefined;
    answer: User;
  };
  /** Remove a user's authenticator app */
  removeUserAuthenticator: {
    path: { id: string };
    query: undefined;
    body: undefined;
    answer: User;
  };
  /** List held numbers */
  listHeldNumbers: {
    path: undefined;
    query: {
      /** Maximum number of results. */
      limit?: number | undefined;
      /** `next_cursor` of the previous page. */
      cursor?: string | undefined;
      /** Exact phone number in E.164 format, with the plus. */
      e164?: string | undefined;
      /** ID of the organisation that holds the numbers. */
      organisation_id?: string | undefined;
      /** Only numbers with this status. */
      status?: "active" | "suspended" | "releasing" | undefined;
    };
    body: undefined;
    answer: HeldNumberPage;
  };
  /** Get a held number */
  getHeldNumber: {
    path: { id: string };
    query: undefined;
    body: undefined;
    answer: HeldNumber;
  };
  /** Suspend a number */
  suspendNumber: {
    path: { id: string };
    query: undefined;
    body: SuspendNumber;
    answer: HeldNumber;
  };
  /** Resume a number */
  resumeNumber: {
    path: { id: string };
    query: undefined;
    body: undefined;
    answer: HeldNumber;
  };
  /** Get pool counts */
  getPool: {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: Pool;
  };
  /** List pool numbers */
  listPoolNumbers: {
    path: undefined;
    query: {
      /** Maximum number of results. */
      limit?: number | undefined;
      /** `next_cursor` of the previous page. */
      cursor?: string | undefined;
      /** ISO 3166-1 alpha-2 country code. */
      country?: string | undefined;
      /** Only numbers with this status. */
      status?: "free" | "held" | undefined;
      /** Leading digits of the numbers, with the plus. */
      prefix?: string | undefined;
    };
    body: undefined;
    answer: PoolNumberPage;
  };
  /** Import numbers into the pool */
  importPool: {
    path: undefined;
    query: undefined;
    body: ImportPool;
    answer: PoolImport;
  };
  /** List carriers */
  listCarriers: {
    path: undefined;
    query: {
      /** Maximum number of results. */
      limit?: number | undefined;
      /** `next_cursor` of the previous page. */
      cursor?: string | undefined;
    };
    body: undefined;
    answer: CarrierPage;
  };
  /** Connect a carrier */
  createCarrier: {
    path: undefined;
    query: undefined;
    body: CreateCarrier;
    answer: Carrier;
  };
  /** Get a carrier */
  getCarrier: {
    path: { id: string };
    query: undefined;
    body: undefined;
    answer: Carrier;
  };
  /** Update a carrier */
  changeCarrier: {
    path: { id: string };
    query: undefined;
    body: ChangeCarrier;
    answer: Carrier;
  };
  /** List trunks of a carrier */
  listCarrierTrunks: {
    path: { id: string };
    query: undefined;
    body: undefined;
    answer: CarrierTrunks;
  };
  /** List reconciliations */
  listReconciliations: {
    path: undefined;
    query: {
      /** Maximum number of results. */
      limit?: number | undefined;
      /** `next_cursor` of the previous page. */
      cursor?: string | undefined;
    };
    body: undefined;
    answer: ReconciliationPage;
  };
  /** Start a reconciliation */
  reconcile: {
    path: undefined;
    query: undefined;
    body: Reconcile;
    answer: Reconciliation;
  };
  /** List findings */
  listFindings: {
    path: { id: string };
    query: {
      /** Maximum number of results. */
      limit?: number | undefined;
      /** `next_cursor` of the previous page. */
      cursor?: string | undefined;
    };
    body: undefined;
    answer: FindingPage;
  };
  /** Assign an unheld number */
  adoptFinding: {
    path: { id: string };
    query: undefined;
    body: AdoptFinding;
    answer: Finding;
  };
  /** Repair a finding */
  repairFinding: {
    path: { id: string };
    query: undefined;
    body: undefined;
    answer: Finding;
  };
  /** List switch groups */
  listSwitchGroups: {
    path: undefined;
    query: {
      /** Maximum number of results. */
      limit?: number | undefined;
      /** `next_cursor` of the previous page. */
      cursor?: string | undefined;
    };
    body: undefined;
    answer: SwitchGroupPage;
  };
  /** Create a switch group */
  createSwitchGroup: {
    path: undefined;
    query: undefined;
    body: CreateSwitchGroup;
    answer: SwitchGroup;
  };
  /** Get a switch group */
  getSwitchGroup: {
    path: { id: string };
    query: undefined;
    body: undefined;
    answer: SwitchGroup;
  };
  /** List switches */
  listSwitches: {
    path: undefined;
    query: {
      /** Maximum number of results. */
      limit?: number | undefined;
      /** `next_cursor` of the previous page. */
      cursor?: string | undefined;
    };
    body: undefined;
    answer: SwitchPage;
  };
  /** Register a switch */
  createSwitch: {
    path: undefined;
    query: undefined;
    body: CreateSwitch;
    answer: SwitchWithCredential;
  };
  /** Get a switch */
  getSwitch: {
    path: { id: string };
    query: undefined;
    body: undefined;
    answer: Switch;
  };
  /** Update a switch */
  changeSwitch: {
    path: { id: string };
    query: undefined;
    body: ChangeSwitch;
    answer: Switch;
  };
  /** List exceptions of a switch */
  listSwitchExceptions: {
    path: { id: string };
    query: {
      /** Maximum number of results. */
      limit?: number | undefined;
      /** `next_cursor` of the previous page. */
      cursor?: string | undefined;
    };
    body: undefined;
    answer: SwitchExceptionPage;
  };
  /** Rotate a switch credential */
  rotateSwitchCredential: {
    path: { id: string };
    query: undefined;
    body: undefined;
    answer: SwitchWithCredential;
  };
  /** List epochs */
  listEpochs: {
    path: undefined;
    query: {
      /** Maximum number of results. */
      limit?: number | undefined;
      /** `next_cursor` of the previous page. */
      cursor?: string | undefined;
    };
    body: undefined;
    answer: EpochPage;
  };
  /** Resolve a rollback */
  resolveEpoch: {
    path: { id: string };
    query: undefined;
    body: undefined;
    answer: Epoch;
  };
  /** List restores */
  listRestores: {
    path: undefined;
    query: {
      /** Maximum number of results. */
      limit?: number | undefined;
      /** `next_cursor` of the previous page. */
      cursor?: string | undefined;
    };
    body: undefined;
    answer: RestorePage;
  };
  /** Get a restore */
  getRestore: {
    path: { id: string };
    query: undefined;
    body: undefined;
    answer: Restore;
  };
  /** List findings of a restore */
  listRestoreFindings: {
    path: { id: string };
    query: {
      /** Maximum number of results. */
      limit?: number | undefined;
      /** `next_cursor` of the previous page. */
      cursor?: string | undefined;
      /** Only findings of this kind. */
      kind?: "newer_on_switch" | "only_on_switch" | "only_here" | "not_at_carrier" | "not_here" | undefined;
      /** Only findings in this state. */
      state?: "open" | "adopted" | "dropped" | "outdated" | undefined;
    };
    body: undefined;
    answer: RestoreFindingPage;
  };
  /** Compare with switches and carriers */
  compareRestore: {
    path: { id: string };
    query: undefined;
    body: undefined;
    answer: Restore;
  };
  /** Adopt a finding */
  adoptRestoreFinding: {
    path: { id: string };
    query: undefined;
    body: AdoptRestoreFinding;
    answer: RestoreFinding;
  };
  /** Drop a finding */
  dropRestoreFinding: {
    path: { id: string };
    query: undefined;
    body: undefined;
    answer: RestoreFinding;
  };
  /** Replay revocations */
  replayRevocations: {
    path: { id: string };
    query: undefined;
    body: ReplayRevocations;
    answer: ReplayedRevocations;
  };
  /** Suspend all API keys */
  suspendApiKeys: {
    path: { id: string };
    query: undefined;
    body: undefined;
    answer: SuspendedKeys;
  };
  /** Finish a restore */
  finishRestore: {
    path: { id: string };
    query: undefined;
    body: FinishRestore;
    answer: Restore;
  };
  /** List saved states */
  listSavedStates: {
    path: undefined;
    query: {
      /** Maximum number of results. */
      limit?: number | undefined;
      /** `next_cursor` of the previous page. */
      cursor?: string | undefined;
      /** Only states of this switch. */
      switch_id?: string | undefined;
    };
    body: undefined;
    answer: SavedStatePage;
  };
  /** Request a saved state */
  requestSavedState: {
    path: { id: string };
    query: undefined;
    body: undefined;
    answer: SavedState;
  };
  /** List items of a saved state */
  listSavedStateItems: {
    path: { id: string };
    query: {
      /** Maximum number of results. */
      limit?: number | undefined;
      /** `next_cursor` of the previous page. */
      cursor?: string | undefined;
      /** Only the route of this phone number in E.164 format. */
      number?: string | undefined;
    };
    body: undefined;
    answer: SavedStateItemPage;
  };
}

/** Method, path, and what may be done when no answer came: see Repetition in retry.rules.ts. */
export const OPERATIONS = {
  getForwarding: ["GET", "/operator/v1/organisations/{id}/forwarding", "read"],
  setForwarding: ["PUT", "/operator/v1/organisations/{id}/forwarding", "once"],
  getProbePolicy: ["GET", "/operator/v1/organisations/{id}/probes", "read"],
  setProbePolicy: ["PUT", "/operator/v1/organisations/{id}/probes", "once"],
  getProbeCaller: ["GET", "/operator/v1/switch-groups/{id}/probe-caller", "read"],
  setProbeCaller: ["PUT", "/operator/v1/switch-groups/{id}/probe-caller", "once"],
  getTrunks: ["GET", "/operator/v1/switch-groups/{id}/trunks", "read"],
  replaceTrunks: ["PUT", "/operator/v1/switch-groups/{id}/trunks", "once"],
  setTrunk: ["PUT", "/operator/v1/switch-groups/{id}/trunks/{name}", "once"],
  deleteTrunk: ["DELETE", "/operator/v1/switch-groups/{id}/trunks/{name}", "once"],
  listTrunkRevisions: ["GET", "/operator/v1/switch-groups/{id}/trunk-revisions", "read"],
  restoreTrunks: ["POST", "/operator/v1/switch-groups/{id}/trunk-revisions/restore", "once"],
  getOperatorOverview: ["GET", "/operator/v1/overview", "read"],
  searchAllCalls: ["GET", "/operator/v1/calls", "read"],
  getCallOfAll: ["GET", "/operator/v1/calls/{id}", "read"],
  getOperatorNotifications: ["GET", "/operator/v1/notifications", "read"],
  setOperatorNotifications: ["PUT", "/operator/v1/notifications", "once"],
  listInstallationAudit: ["GET", "/operator/v1/audit", "read"],
  listCommittedInstallationAudit: ["GET", "/operator/v1/audit/committed", "read"],
  listOrganisations: ["GET", "/operator/v1/organisations", "read"],
  createOrganisation: ["POST", "/operator/v1/organisations", "once"],
  getOrganisation: ["GET", "/operator/v1/organisations/{id}", "read"],
  suspendOrganisation: ["POST", "/operator/v1/organisations/{id}/suspend", "once"],
  resumeOrganisation: ["POST", "/operator/v1/organisations/{id}/resume", "once"],
  listUsers: ["GET", "/operator/v1/users", "read"],
  getUser: ["GET", "/operator/v1/users/{id}", "read"],
  disableUser: ["POST", "/operator/v1/users/{id}/disable", "once"],
  enableUser: ["POST", "/operator/v1/users/{id}/enable", "once"],
  endUserSessions: ["POST", "/operator/v1/users/{id}/end-sessions", "once"],
  removeUserAuthenticator: ["POST", "/operator/v1/users/{id}/remove-authenticator", "once"],
  listHeldNumbers: ["GET", "/operator/v1/numbers", "read"],
  getHeldNumber: ["GET", "/operator/v1/numbers/{id}", "read"],
  suspendNumber: ["POST", "/operator/v1/numbers/{id}/suspend", "once"],
  resumeNumber: ["POST", "/operator/v1/numbers/{id}/resume", "once"],
  getPool: ["GET", "/operator/v1/pool", "read"],
  listPoolNumbers: ["GET", "/operator/v1/pool/numbers", "read"],
  importPool: ["POST", "/operator/v1/pool/imports", "once"],
  listCarriers: ["GET", "/operator/v1/carriers", "read"],
  createCarrier: ["POST", "/operator/v1/carriers", "once"],
  getCarrier: ["GET", "/operator/v1/carriers/{id}", "read"],
  changeCarrier: ["PATCH", "/operator/v1/carriers/{id}", "once"],
  listCarrierTrunks: ["GET", "/operator/v1/carriers/{id}/trunks", "read"],
  listReconciliations: ["GET", "/operator/v1/reconciliations", "read"],
  reconcile: ["POST", "/operator/v1/reconciliations", "once"],
  listFindings: ["GET", "/operator/v1/reconciliations/{id}/findings", "read"],
  adoptFinding: ["POST", "/operator/v1/findings/{id}/adopt", "once"],
  repairFinding: ["POST", "/operator/v1/findings/{id}/repair", "once"],
  listSwitchGroups: ["GET", "/operator/v1/switch-groups", "read"],
  createSwitchGroup: ["POST", "/operator/v1/switch-groups", "once"],
  getSwitchGroup: ["GET", "/operator/v1/switch-groups/{id}", "read"],
  listSwitches: ["GET", "/operator/v1/switches", "read"],
  createSwitch: ["POST", "/operator/v1/switches", "once"],
  getSwitch: ["GET", "/operator/v1/switches/{id}", "read"],
  changeSwitch: ["PATCH", "/operator/v1/switches/{id}", "once"],
  listSwitchExceptions: ["GET", "/operator/v1/switches/{id}/exceptions", "read"],
  rotateSwitchCredential: ["POST", "/operator/v1/switches/{id}/rotate", "once"],
  listEpochs: ["GET", "/operator/v1/epochs", "read"],
  resolveEpoch: ["POST", "/operator/v1/epochs/{id}/resolve", "once"],
  listRestores: ["GET", "/operator/v1/restores", "read"],
  getRestore: ["GET", "/operator/v1/restores/{id}", "read"],
  listRestoreFindings: ["GET", "/operator/v1/restores/{id}/findings", "read"],
  compareRestore: ["POST", "/operator/v1/restores/{id}/compare", "once"],
  adoptRestoreFinding: ["POST", "/operator/v1/restore-findings/{id}/adopt", "once"],
  dropRestoreFinding: ["POST", "/operator/v1/restore-findings/{id}/drop", "once"],
  replayRevocations: ["POST", "/operator/v1/restores/{id}/revocations", "once"],
  suspendApiKeys: ["POST", "/operator/v1/restores/{id}/suspend-keys", "once"],
  finishRestore: ["POST", "/operator/v1/restores/{id}/finish", "once"],
  listSavedStates: ["GET", "/operator/v1/saved-states", "read"],
  requestSavedState: ["POST", "/operator/v1/saved-states/{id}/request", "once"],
  listSavedStateItems: ["GET", "/operator/v1/saved-states/{id}/items", "read"],
} as const;

