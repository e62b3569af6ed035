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

