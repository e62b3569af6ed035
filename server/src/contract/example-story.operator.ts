import type { Json, JsonObject } from "./contract.schemas.ts";
import { AT, E164, ID } from "./example-story.ids.ts";
import { REPORTED, savedItems, savedState } from "./example-story.switches.ts";

const NORTHWIND = { id: ID.organisation, name: "Northwind Telecom" };

const organisation = {
  ...NORTHWIND,
  created_at: AT.founded,
  suspended_at: null,
  suspension_reason: null,
  numbers_suspended: false,
  numbers_pending: false,
};
const user = {
  id: ID.grace,
  email: "grace@northwind.example",
  name: "Grace Hopper",
  is_operator: false,
  created_at: "2026-03-02T09:00:00.000Z",
  disabled_at: null,
  has_authenticator: true,
  session_count: 1,
  api_key_count: 1,
  organisations: [{ ...NORTHWIND, role: "developer" }],
};
const held = {
  id: ID.sales,
  e164: E164.sales,
  status: "active",
  status_reason: null,
  acquired_at: AT.acquired,
  organisation: NORTHWIND,
};
const poolNumber = {
  e164: E164.free,
  country: "DE",
  type: "local",
  status: "free",
  group_id: ID.switchGroup,
  added_at: AT.installed,
};
const carrier = {
  id: ID.carrier,
  name: "telnyx-eu",
  kind: "telnyx",
  url: null,
  credentials: { set_at: AT.installed, ends_with: "9D3F" },
  countries: ["AT", "DE"],
  number_types: ["local", "mobile"],
  features: [],
  preference: 10,
  inventory: true,
  deliveries: [{ switch_group_id: ID.switchGroup, trunk: "1293384261075731499" }],
  repairs_delivery: false,
  state: "open",
  created_at: AT.installed,
  updated_at: AT.installed,
};
const finding = {
  id: ID.finding,
  kind: "not_at_carrier",
  e164: E164.fax,
  organisation_id: ID.organisation,
  number_id: ID.fax,
  found_trunk: null,
  expected_trunk: null,
  repaired_at: null,
};
const agent = {
  id: ID.switch,
  name: "fra-1",
  group: { id: ID.switchGroup, name: "default" },
  state: "active",
  is_synced: true,
  last_seen_at: REPORTED,
  unreachable_after_seconds: 30,
  lag: 0,
  exceptions: 0,
  alarms: [],
  agent_version: "0.1.0",
  boot: "4d1f9c0e",
  created_at: "2025-08-19T09:00:00.000Z",
};
const exception = {
  kind: "number",
  id: ID.sales,
  label: E164.sales,
  organisation: NORTHWIND,
  environment: "live",
  state: "drifted",
  since: "2026-11-15T09:52:10.000Z",
  found: { mode: "sip_uri", sip_uri: "sip:sales@pbx.northwind.example", generation: 2 },
  expected: { mode: "connection", connection_id: ID.berlin, generation: 3 },
  error: "The switch held another value.",
  times_found: 3,
  last_at: REPORTED,
};
const newSwitch = {
  ...agent,
  is_synced: false,
  last_seen_at: null,
  agent_version: null,
  boot: null,
  credential: "svc_switch_…",
};
const epoch = {
  id: ID.epoch,
  cause: "rollback",
  began_at: "2026-10-20T03:14:00.000Z",
  newest_row_at: "2026-10-20T03:10:00.000Z",
  evidence: { switch: "fra-1", shard: 17, version: 42, token: 1934872, head: 40 },
  is_held: true,
  resolved_at: null,
  resolved_by: null,
};
const forwarding = {
  organisation_id: ID.organisation,
  calls_at_once: 10,
  calls_per_day: null,
  minutes_per_day: 1000,
  caller: "called",
  caller_number: null,
  identity: "drop",
  updated_at: "2026-11-10T09:00:00.000Z",
  used: { calls_at_once: 3, calls: 96, seconds: 18_720 },
  switches: [
    {
      id: ID.switch,
      name: "fra-1",
      status: "applied",
      calls_at_once: 10,
      calls: null,
      seconds: 60_000,
      used: { calls_at_once: 3, calls: 96, seconds: 18_720 },
      reported_at: "2026-11-15T09:59:50.000Z",
    },
  ],
};
const requested = { ...savedState, status: "requested", requested_at: "2026-10-20T08:00:00.000Z" };

/** By title of the schema. */
export const OPERATOR_EXAMPLES: Record<string, Json> = {
  Organisation: organisation,
  CreateOrganisation: { name: "Northwind Telecom", owner_email: "ada@northwind.example" },
  SuspendOrganisation: { reason: "API key leaked", suspend_numbers: true },
  SetForwarding: { calls_at_once: 10, minutes_per_day: 1000, caller: "called" },
  Forwarding: forwarding,
  User: user,
  DisableUser: { reason: "Lost laptop" },
  HeldNumber: held,
  SuspendNumber: { reason: "fraud_suspected" },
  Pool: {
    total: 100,
    free: 97,
    held: 3,
    kinds: [
      { country: "DE", type: "local", total: 90, free: 87, held: 3 },
      { country: "DE", type: "mobile", total: 10, free: 10, held: 0 },
    ],
  },
  PoolNumber: poolNumber,
  ImportPool: {
    entries: [{ number: "+493010000001", to: "+493010000090" }],
    country: "DE",
    group_id: ID.switchGroup,
    dry_run: false,
  },
  PoolImport: { dry_run: false, added: 90, skipped: 0, faults: [] },
  Carrier: carrier,
  CreateCarrier: {
    name: "telnyx-eu",
    kind: "telnyx",
    credentials: { api_key: "KEY0198C5F27C1E7A339D3F" },
    countries: ["AT", "DE"],
    number_types: ["local", "mobile"],
    preference: 10,
    inventory: true,
  },
  CarrierTrunks: {
    data: [
      { id: "1293384261075731499", name: "fra-1" },
      { id: "1293384261075731500", name: "vie-1" },
    ],
  },
  ChangeCarrier: { state: "draining" },
  Reconcile: { carrier: "pool" },
  Reconciliation: {
    id: ID.reconciliation,
    carrier: "pool",
    status: "finished",
    held: 3,
    owned: 2,
    open_findings: 1,
    error: null,
    started_at: "2026-11-15T02:00:00.000Z",
    finished_at: "2026-11-15T02:00:04.000Z",
  },
  Finding: finding,
  AdoptFinding: { organisation_id: ID.organisation },
  SwitchGroup: {
    id: ID.switchGroup,
    name: "default",
    environment: "live",
    is_default: true,
    shards: 64,
    created_at: AT.installed,
  },
  CreateSwitchGroup: { name: "vienna", environment: "live", shards: 64 },
  Switch: agent,
  SwitchException: exception,
  CreateSwitch: { name: "fra-1", group_id: ID.switchGroup, unreachable_after_seconds: 30 },
  SwitchWithCredential: newSwitch,
  ChangeSwitch: { state: "draining" },
  Epoch: epoch,
  SavedState: requested,
  SavedStateItemPage: { data: savedItems, next_cursor: null },
};

const disabled = {
  id: ID.auditedMove,
  action: "user.disabled",
  outcome: "done",
  subject: ID.grace,
  subject_ref: { type: "user", id: ID.grace, label: null },
  actor: { kind: "operator", id: ID.ada, name: "Ada Lovelace" },
  detail: { reason: "Lost laptop" },
  before: null,
  after: null,
  request_id: ID.moveRequest,
  address: "203.0.113.20",
  at: "2026-11-17T09:00:00.000Z",
};

/** Successful responses that differ from the example of their schema, by operation. */
export const OPERATOR_ANSWERS: Record<string, Json> = {
  listInstallationAudit: { data: [disabled], next_cursor: null },
  listCommittedInstallationAudit: { data: [disabled], next_cursor: null },
  suspendOrganisation: {
    ...organisation,
    suspended_at: "2026-07-01T09:00:00.000Z",
    suspension_reason: "API key leaked",
    numbers_suspended: true,
    numbers_pending: true,
  },
  disableUser: { ...user, disabled_at: "2026-11-17T09:00:00.000Z", session_count: 0 },
  endUserSessions: { ...user, session_count: 0 },
  removeUserAuthenticator: { ...user, has_authenticator: false, session_count: 0 },
  suspendNumber: { ...held, status: "suspended", status_reason: "fraud_suspected" },
  adoptFinding: {
    id: ID.otherFinding,
    kind: "not_here",
    e164: E164.free,
    organisation_id: ID.organisation,
    number_id: ID.adopted,
    found_trunk: null,
    expected_trunk: null,
    repaired_at: "2026-11-15T08:00:00.000Z",
  },
  repairFinding: { ...finding, repaired_at: "2026-11-15T08:00:00.000Z" },
  createSwitchGroup: {
    id: ID.otherSwitchGroup,
    name: "vienna",
    environment: "live",
    is_default: false,
    shards: 64,
    created_at: AT.now,
  },
  changeCarrier: { ...carrier, state: "draining", updated_at: AT.now },
  changeSwitch: { ...agent, state: "draining" },
  resolveEpoch: {
    ...epoch,
    is_held: false,
    resolved_at: "2026-10-20T08:10:00.000Z",
    resolved_by: "margaret@dialplane.example",
  },
};

/** Parameters by operation. */
export const OPERATOR_PARAMETERS: Record<string, JsonObject> = {
  listUsers: { email: "grace@northwind.example" },
  listInstallationAudit: {
    actor_id: ID.ada,
    action: "user.disabled",
    subject_id: ID.grace,
    outcome: "done",
    from: "2026-11-17T00:00:00.000Z",
    to: "2026-11-18T00:00:00.000Z",
    q: "laptop",
    include_system: false,
  },
  listCommittedInstallationAudit: { after: ID.auditedMove },
  listHeldNumbers: { e164: E164.sales, organisation_id: ID.organisation, status: "active" },
  listPoolNumbers: { country: "DE", status: "free", prefix: "+4930" },
  listSavedStates: { switch_id: ID.switch },
  listSavedStateItems: { number: E164.sales },
  uploadSavedState: { epoch: ID.endedEpoch },
};
