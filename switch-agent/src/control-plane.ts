/** Messages between the service and an agent. They are the same over HTTP and in process. */

/** How a destination can fail, in the order in which values list it. */
export const FAILURE_CAUSES = ["unreachable", "no_answer", "busy", "refused"] as const;
export type FailureCause = (typeof FAILURE_CAUSES)[number];

/** A destination, and the one that takes the call if it fails. A route has at most three. */
export interface RouteStep {
  mode: "sip_uri" | "connection" | "unrouted" | "forward" | "webhook";
  sip_uri?: string;
  connection_id?: string;
  forward_to?: string;
  webhook_url?: string;
  /** Absent for the switch's own limit. */
  ring_seconds?: number;
  /** Failures of the step before that lead here. Absent: what its webhook leaves undecided, and no failure. */
  on?: FailureCause[];
  fallback?: RouteStep;
}

/** Desired route of a number. */
export interface RouteValue extends RouteStep {
  e164: string;
  /** The number is in quarantine: its calls go to the operator. */
  is_resting?: boolean;
}

/** Desired targets of a customer's connection. */
export interface ConnectionValue {
  targets: {
    host: string;
    port: number;
    transport: "udp" | "tcp" | "tls";
    priority: number;
    weight: number;
  }[];
  max_calls?: number;
  ring_seconds?: number;
  /** Networks from which its cluster may speak within a call too. */
  sources?: string[];
}

export type ItemKind = "route" | "connection";

export interface FeedItem {
  kind: ItemKind;
  /** The number's id, or the connection's. */
  id: string;
  /** Place within the shard: later changes have higher ones, in the order of their commits. */
  version: number;
  /** Grows with every change its owner makes. */
  generation: number;
  /** Organisation of the item. Its forwarding limits apply if the route can forward. */
  organisation_id?: string;
  /** Null: it is gone. */
  value: RouteValue | ConnectionValue | null;
}

export type FeedMessage =
  /** First of all: under which epoch the versions count, and every shard there is. */
  | {
      type: "hello";
      /** During a restore of the database: keep items and position, and apply only the changes that follow. */
      mode?: "hold";
      epoch: string;
      /** The instance of the service's database. When it changes, every shard is reported again. */
      instance?: string;
      /** Changes when the database is promoted or restored, even if no route is lost. */
      lineage?: string;
      /** Optional parts of the protocol that the service understands; only those are sent to it. */
      features?: string[];
      switch: { id: string; name: string };
      shards: number[];
    }
  /** Operator's setting. Sent after hello and on each change. A draining switch rejects new calls. */
  | { type: "state"; state: "active" | "draining" }
  /** Everything in a shard at a version; what is not in it is not there. */
  | { type: "snapshot"; shard: number; version: number; version_token?: number; items: FeedItem[] }
  /** Changes of a shard up to a version, in order. */
  | { type: "changes"; shard: number; version: number; version_token?: number; items: FeedItem[] }
  /** Later changes are live. */
  | { type: "ready" }
  /** Nothing new; the line is alive. */
  | { type: "ping" };

/** Version of each shard that the agent has stored durably, and their epoch. */
export interface Position {
  epoch: string | null;
  versions: Record<number, number>;
  /** The token of each version, which proves the history that it belongs to. */
  tokens?: Record<number, number>;
  /** The switch that was programmed with it. */
  switch_id?: string;
  /** Whether the agent understands the mode `hold`. */
  can_hold?: boolean;
}

/** Difference between the desired item and the item read back from the switch. */
export interface ReportedException {
  kind: ItemKind;
  id: string;
  /** Version of the desired item. */
  version: number;
  /**
   * pending: no response yet. failed: rejected, or no response in time. drifted: the switch held another
   * value.
   */
  state: "pending" | "failed" | "drifted";
  /** Value that the switch holds instead. Null if it holds none. */
  applied: { generation: number; value: RouteValue | ConnectionValue } | null;
  error: string;
  observed_at: string;
}

export interface ShardReport {
  shard: number;
  /** Everything up to here was read back from the switch, but for the exceptions. */
  version: number;
  /** The version up to which the shard is stored, and its token. */
  position?: number;
  version_token?: number;
  observed_at: string;
  /** All there are in this shard now; what is not listed is as it should be. */
  exceptions: ReportedException[];
}

/** up: responds. down: does not respond, or its name does not resolve. unknown: not probed yet. */
export type TargetState = "up" | "down" | "unknown";

export interface TargetHealth {
  host: string;
  port: number;
  transport: "udp" | "tcp" | "tls";
  /** Up where at least one of its addresses is; down where all are, or there are none. */
  state: TargetState;
  /** As `address:port`. */
  addresses: { address: string; state: TargetState }[];
}

/** How a connection's targets are, by what the switch finds when it asks them. */
export interface ConnectionHealth {
  id: string;
  /** None: the switch no longer knows the connection. */
  targets: TargetHealth[];
}

export interface Report {
  epoch: string;
  /** Changes whenever the switch restarts. */
  boot: string;
  agent_version: string;
  /** Every shard has been read back at least once since the agent last started from nothing. */
  is_complete: boolean;
  shards: ShardReport[];
  /** Sockets on which the switch receives calls, as `address:port`. */
  sockets?: string[];
  /** Optional abilities of the running switch, such as `failover`. */
  features?: string[];
  /** Health read since the last report. A connection that is not listed has not changed. */
  health?: { connections: ConnectionHealth[] };
}

/** The service as an agent sees it. */
export interface ControlPlane {
  /** Ends if the connection is lost, the epoch changes or `signal` aborts. */
  follow(position: Position, signal: AbortSignal): AsyncIterable<FeedMessage>;
  /** Resolves once the report is committed. An empty list of shards is a sign of life. */
  report(report: Report): Promise<void>;
}
