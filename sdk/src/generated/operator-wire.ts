// Generated from openapi.operator.json by npm run generate; changes made here are lost.

/** A value of an enumeration that may grow: expect ones you do not know yet. */
export type Open<Known extends string> = Known | (string & Record<never, never>);

export interface AdoptFinding {
  /** The organisation that gets the number. */
  organisation_id: string;
}

export interface ChangeSwitch {
  state?: "active" | "draining" | "retired" | undefined;
  /** Silent for longer, it is unreachable and its numbers are unknown. 30 when left out at first. */
  unreachable_after_seconds?: number | undefined;
}

export interface CreateOrganisation {
  name: string;
  owner_email?: string | undefined;
}

export interface CreateSwitch {
  name: string;
  /** The default group of the live side when left out. */
  group_id?: string | undefined;
  /** Silent for longer, it is unreachable and its numbers are unknown. 30 when left out at first. */
  unreachable_after_seconds?: number | undefined;
}

export interface CreateSwitchGroup {
  name: string;
  /** The test side has its simulated switches and takes no others. */
  environment?: "live" | undefined;
  /** Into how many parts its numbers are divided; cannot be changed later. 64 when left out. */
  shards?: number | undefined;
}

export interface DisableUser {
  /** Recorded in the audit log. */
  reason?: string | undefined;
}

export interface Epoch {
  id: string;
  /** One of first, rollback, operator; more may come. */
  cause: Open<"first" | "rollback" | "operator">;
  began_at: string;
  /** For a rollback, the time of the newest change that the database still had: what was changed later is lost. `null` if unknown. */
  newest_row_at: string | null;
  /** For a rollback, the version that is not part of the history of this database, and the switch that presented it. */
  evidence: Record<string, unknown>;
  /** Whether switches are left as they are until the rollback is resolved. */
  is_held: boolean;
  /** `null` while an operator has to look at a rollback. */
  resolved_at: string | null;
  resolved_by: string | null;
}

export interface EpochPage {
  data: Epoch[];
  /** Present while there is more. */
  next_cursor: string | null;
}

export interface Finding {
  id: string;
  /** One of not_at_carrier, not_here; more may come. */
  kind: Open<"not_at_carrier" | "not_here">;
  e164: string;
  organisation_id: string | null;
  number_id: string | null;
  repaired_at: string | null;
}

export interface FindingPage {
  data: Finding[];
  /** Present while there is more. */
  next_cursor: string | null;
}

export interface GroupOfSwitch {
  id: string;
  name: string;
}

export interface HeldNumber {
  id: string;
  e164: string;
  /** One of active, suspended, releasing; more may come. */
  status: Open<"active" | "suspended" | "releasing">;
  /** Shown to the holder as `status_reason`. */
  status_reason: string | null;
  acquired_at: string;
  /** The holder. */
  organisation: {
    id: string;
    name: string;
  };
}

export interface HeldNumberPage {
  data: HeldNumber[];
  /** Present while there is more. */
  next_cursor: string | null;
}

export interface ImportPool {
  /** Numbers and ranges, 10,000 numbers in all; what is beyond that is a fault and waits for another request. */
  entries: PoolEntry[];
  /** Whose numbers are those that do not begin with a plus. */
  country?: string | undefined;
  /** Of the switches that will serve them; the live side's default when left out. */
  group_id?: string | undefined;
  /** Tells what would happen, and changes nothing. */
  dry_run?: boolean | undefined;
}

export interface Organisation {
  id: string;
  name: string;
  created_at: string;
  /** When an operator suspended it. Requests in it are rejected until an operator resumes it. */
  suspended_at: string | null;
  /** Shown to operators and recorded in the audit log. */
  suspension_reason: string | null;
  /** Whether its live numbers are suspended with it. */
  numbers_suspended: boolean;
  /** Whether numbers are still being suspended or resumed. */
  numbers_pending: boolean;
}

export interface OrganisationPage {
  data: Organisation[];
  /** Present while there is more. */
  next_cursor: string | null;
}

export interface Pool {
  total: number;
  /** Can be ordered. */
  free: number;
  /** An organisation's, or resting after one released it. */
  held: number;
  kinds: PoolKind[];
}

export interface PoolEntry {
  number: string;
  /** The last number of a range that begins with `number`. */
  to?: string | undefined;
  /** Where the numbering plan does not know better: local, national, mobile, toll_free, shared_cost, premium, voip, personal, uan, pager, other. */
  type?: string | undefined;
}

export interface PoolFault {
  /** Which of the entries, counted from 0. */
  entry: number;
  detail: string;
}

export interface PoolImport {
  dry_run: boolean;
  added: number;
  /** In the pool already, held or not, or named twice. */
  skipped: number;
  /** Entries that are not possible; the others are imported. */
  faults: PoolFault[];
}

export interface PoolKind {
  /** Null where a number belongs to none, such as +800. */
  country: string | null;
  /** One of local, national, mobile, toll_free, shared_cost, premium, voip, personal, uan, pager, other; more may come. */
  type: Open<"local" | "national" | "mobile" | "toll_free" | "shared_cost" | "premium" | "voip" | "personal" | "uan" | "pager" | "other">;
  total: number;
  /** Can be ordered. */
  free: number;
  /** An organisation's, or resting after one released it. */
  held: number;
}

export interface PoolNumber {
  e164: string;
  country: string | null;
  /** One of local, national, mobile, toll_free, shared_cost, premium, voip, personal, uan, pager, other; more may come. */
  type: Open<"local" | "national" | "mobile" | "toll_free" | "shared_cost" | "premium" | "voip" | "personal" | "uan" | "pager" | "other">;
  /** One of free, held; more may come. */
  status: Open<"free" | "held">;
  group_id: string;
  added_at: string;
}

export interface PoolNumberPage {
  data: PoolNumber[];
  /** Present while there is more. */
  next_cursor: string | null;
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

export interface Reconcile {
  carrier: string;
}

export interface Reconciliation {
  id: string;
  carrier: string;
  /** One of running, finished, failed; more may come. */
  status: Open<"running" | "finished" | "failed">;
  /** Numbers that we hold from it, or that are on their way. */
  held: number | null;
  /** Numbers that it says we have. */
  owned: number | null;
  open_findings: number;
  error: string | null;
  started_at: string;
  finished_at: string | null;
}

export interface ReconciliationPage {
  data: Reconciliation[];
  /** Present while there is more. */
  next_cursor: string | null;
}

export interface SavedState {
  id: string;
  switch_id: string;
  /** The epoch that ended. */
  epoch: string;
  saved_at: string;
  /** How many routes and connections the state has. */
  items: number;
  /** `on_switch`: only the agent has it. `requested`: the agent uploads it within a minute, once it reaches the service. `uploaded`: you can list its items. */
  status: Open<"on_switch" | "requested" | "uploaded">;
  requested_at: string | null;
  uploaded_at: string | null;
}

export interface SavedStateItem {
  kind: "route" | "connection";
  id: string;
  shard: number;
  version: number;
  generation: number;
  /** What the switch was told to hold: a route with its number, or a connection with its targets. */
  value: Record<string, unknown>;
}

export interface SavedStateItemPage {
  data: SavedStateItem[];
  /** Present while there is more. */
  next_cursor: string | null;
}

export interface SavedStatePage {
  data: SavedState[];
  /** Present while there is more. */
  next_cursor: string | null;
}

export interface SuspendNumber {
  /** Shown to the holder as `status_reason`. */
  reason?: string | undefined;
}

export interface SuspendOrganisation {
  /** Shown to operators and recorded in the audit log. */
  reason?: string | undefined;
  /** Also suspend its live numbers, so that their calls are rejected. If left out, calls continue. */
  suspend_numbers?: boolean | undefined;
}

export interface Switch {
  id: string;
  name: string;
  group: GroupOfSwitch;
  /** One of active, draining, unreachable, retired; more may come. */
  state: Open<"active" | "draining" | "unreachable" | "retired">;
  /** Whether it has read back everything once, so that it counts. */
  is_synced: boolean;
  last_seen_at: string | null;
  /** Silent for longer, it is unreachable and its numbers are unknown. 30 when left out at first. */
  unreachable_after_seconds: number;
  /** How many changes it has not read back yet. */
  lag: number;
  /** How many items are not as they should be. */
  exceptions: number;
  /** What is wrong: its clock is off by more than a second, its disk has no room for records, or it has not reported for a day. Bring such a switch back or retire it. */
  alarms: Open<"clock_wrong" | "disk_full" | "unreachable_for_a_day">[];
  agent_version: string | null;
  /** Another one after every restart. */
  boot: string | null;
  created_at: string;
}

export interface SwitchGroup {
  id: string;
  name: string;
  /** One of live, test; more may come. */
  environment: Open<"live" | "test">;
  /** Whether new numbers belong to it. */
  is_default: boolean;
  shards: number;
  created_at: string;
}

export interface SwitchGroupPage {
  data: SwitchGroup[];
  /** Present while there is more. */
  next_cursor: string | null;
}

export interface SwitchPage {
  data: Switch[];
  /** Present while there is more. */
  next_cursor: string | null;
}

export interface SwitchWithCredential {
  id: string;
  name: string;
  group: GroupOfSwitch;
  /** One of active, draining, unreachable, retired; more may come. */
  state: Open<"active" | "draining" | "unreachable" | "retired">;
  /** Whether it has read back everything once, so that it counts. */
  is_synced: boolean;
  last_seen_at: string | null;
  /** Silent for longer, it is unreachable and its numbers are unknown. 30 when left out at first. */
  unreachable_after_seconds: number;
  /** How many changes it has not read back yet. */
  lag: number;
  /** How many items are not as they should be. */
  exceptions: number;
  /** What is wrong: its clock is off by more than a second, its disk has no room for records, or it has not reported for a day. Bring such a switch back or retire it. */
  alarms: Open<"clock_wrong" | "disk_full" | "unreachable_for_a_day">[];
  agent_version: string | null;
  /** Another one after every restart. */
  boot: string | null;
  created_at: string;
  /** For the agent beside the switch. Shown here and never again. */
  credential: string;
}

export interface User {
  id: string;
  email: string;
  name: string;
  /** Whether this person runs the installation. */
  is_operator: boolean;
  created_at: string;
  /** When an operator disabled the account. The person cannot sign in until it is enabled. */
  disabled_at: string | null;
  /** Whether signing in asks for a code of an authenticator app. */
  has_authenticator: boolean;
  /** Sessions that have not ended. */
  session_count: number;
  /** Active API keys that this person created. They belong to organisations and keep working. */
  api_key_count: number;
  organisations: ({
    id: string;
    name: string;
    /** One of owner, admin, developer, member; more may come. */
    role: Open<"owner" | "admin" | "developer" | "member">;
  })[];
}

export interface UserPage {
  data: User[];
  /** Present while there is more. */
  next_cursor: string | null;
}

/** What each operation takes and answers. */
export interface Operations {
  /** List all organisations */
  listOrganisations: {
    path: undefined;
    query: {
      /** How many at most. */
      limit?: number | undefined;
      /** next_cursor of the page before. */
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
  /** Read an organisation */
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
      /** How many at most. */
      limit?: number | undefined;
      /** next_cursor of the page before. */
      cursor?: string | undefined;
      email?: string | undefined;
    };
    body: undefined;
    answer: UserPage;
  };
  /** Read a user */
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
  /** List live numbers that organisations hold */
  listHeldNumbers: {
    path: undefined;
    query: {
      /** How many at most. */
      limit?: number | undefined;
      /** next_cursor of the page before. */
      cursor?: string | undefined;
      /** The whole number, with the plus. */
      e164?: string | undefined;
      /** The holder. */
      organisation_id?: string | undefined;
      status?: "active" | "suspended" | "releasing" | undefined;
    };
    body: undefined;
    answer: HeldNumberPage;
  };
  /** Read a live number that an organisation holds */
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
  /** Count the numbers of the pool */
  getPool: {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: Pool;
  };
  /** List the numbers of the pool */
  listPoolNumbers: {
    path: undefined;
    query: {
      /** How many at most. */
      limit?: number | undefined;
      /** next_cursor of the page before. */
      cursor?: string | undefined;
      country?: string | undefined;
      status?: "free" | "held" | undefined;
      /** How the numbers begin, with the plus. */
      prefix?: string | undefined;
    };
    body: undefined;
    answer: PoolNumberPage;
  };
  /** Load numbers that nobody holds, to be ordered */
  importPool: {
    path: undefined;
    query: undefined;
    body: ImportPool;
    answer: PoolImport;
  };
  /** List reconciliations, newest first */
  listReconciliations: {
    path: undefined;
    query: {
      /** How many at most. */
      limit?: number | undefined;
      /** next_cursor of the page before. */
      cursor?: string | undefined;
    };
    body: undefined;
    answer: ReconciliationPage;
  };
  /** Compare what we hold with what a carrier says we have */
  reconcile: {
    path: undefined;
    query: undefined;
    body: Reconcile;
    answer: Reconciliation;
  };
  /** List where we and the carrier differ */
  listFindings: {
    path: { id: string };
    query: {
      /** How many at most. */
      limit?: number | undefined;
      /** next_cursor of the page before. */
      cursor?: string | undefined;
    };
    body: undefined;
    answer: FindingPage;
  };
  /** Adopt a number that nobody holds */
  adoptFinding: {
    path: { id: string };
    query: undefined;
    body: AdoptFinding;
    answer: Finding;
  };
  /** Act on a finding */
  repairFinding: {
    path: { id: string };
    query: undefined;
    body: undefined;
    answer: Finding;
  };
  /** List the groups of switches */
  listSwitchGroups: {
    path: undefined;
    query: {
      /** How many at most. */
      limit?: number | undefined;
      /** next_cursor of the page before. */
      cursor?: string | undefined;
    };
    body: undefined;
    answer: SwitchGroupPage;
  };
  /** Create a group of switches */
  createSwitchGroup: {
    path: undefined;
    query: undefined;
    body: CreateSwitchGroup;
    answer: SwitchGroup;
  };
  /** Read a group of switches */
  getSwitchGroup: {
    path: { id: string };
    query: undefined;
    body: undefined;
    answer: SwitchGroup;
  };
  /** List the switches */
  listSwitches: {
    path: undefined;
    query: {
      /** How many at most. */
      limit?: number | undefined;
      /** next_cursor of the page before. */
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
  /** Replace a switch's credential */
  rotateSwitchCredential: {
    path: { id: string };
    query: undefined;
    body: undefined;
    answer: SwitchWithCredential;
  };
  /** Drain, retire or bring back a switch, or say how long it may be silent */
  changeSwitch: {
    path: { id: string };
    query: undefined;
    body: ChangeSwitch;
    answer: Switch;
  };
  /** List epochs of the feed */
  listEpochs: {
    path: undefined;
    query: {
      /** How many at most. */
      limit?: number | undefined;
      /** next_cursor of the page before. */
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
  /** List saved states of switches */
  listSavedStates: {
    path: undefined;
    query: {
      /** How many at most. */
      limit?: number | undefined;
      /** next_cursor of the page before. */
      cursor?: string | undefined;
      /** Only those of this switch. */
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
  /** List routes and connections of a saved state */
  listSavedStateItems: {
    path: { id: string };
    query: {
      /** How many at most. */
      limit?: number | undefined;
      /** next_cursor of the page before. */
      cursor?: string | undefined;
      /** Only the route of this number, in E.164 format. */
      number?: string | undefined;
    };
    body: undefined;
    answer: SavedStateItemPage;
  };
}

/** Method, path, and what may be done when no answer came: see Repetition in retry.rules.ts. */
export const OPERATIONS = {
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
  rotateSwitchCredential: ["POST", "/operator/v1/switches/{id}/rotate", "once"],
  changeSwitch: ["PATCH", "/operator/v1/switches/{id}", "once"],
  listEpochs: ["GET", "/operator/v1/epochs", "read"],
  resolveEpoch: ["POST", "/operator/v1/epochs/{id}/resolve", "once"],
  listSavedStates: ["GET", "/operator/v1/saved-states", "read"],
  requestSavedState: ["POST", "/operator/v1/saved-states/{id}/request", "once"],
  listSavedStateItems: ["GET", "/operator/v1/saved-states/{id}/items", "read"],
} as const;

