/** What the service and an agent say to each other; the same over HTTP and within one process. */

/** Where a number's calls go, as a switch is told. */
export interface RouteValue {
  e164: string;
  mode: "sip_uri" | "connection" | "unrouted" | "forward" | "webhook";
  sip_uri?: string;
  connection_id?: string;
  forward_to?: string;
  webhook_url?: string;
  fallback?: { mode: "sip_uri" | "connection" | "unrouted"; sip_uri?: string; connection_id?: string };
  /** Given back, and not yet anybody else's: calls are the operator's. */
  is_resting?: boolean;
}

/** A customer's trunk, as a switch is told. */
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
  /** Null: it is gone. */
  value: RouteValue | ConnectionValue | null;
}

export type FeedMessage =
  /** First of all: under which epoch the versions count, and every shard there is. */
  | {
      type: "hello";
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
  /** What the operator decided; comes after hello, and when it changes. A draining switch rejects new calls. */
  | { type: "state"; state: "active" | "draining" }
  /** Everything in a shard at a version; what is not in it is not there. */
  | { type: "snapshot"; shard: number; version: number; version_token?: number; items: FeedItem[] }
  /** What changed in a shard up to a version, in order. */
  | { type: "changes"; shard: number; version: number; version_token?: number; items: FeedItem[] }
  /** From here on, changes come as they happen. */
  | { type: "ready" }
  /** Nothing new; the line is alive. */
  | { type: "ping" };

/** How far an agent has durably stored each shard, and under which epoch. */
export interface Position {
  epoch: string | null;
  versions: Record<number, number>;
  /** The token of each version, which proves the history that it belongs to. */
  tokens?: Record<number, number>;
  /** The switch that was programmed with it. */
  switch_id?: string;
}

/** A deviation from "the switch holds what it was told", found by asking the switch. */
export interface ReportedException {
  kind: ItemKind;
  id: string;
  /** Of the item it should hold. */
  version: number;
  /** pending: not answered yet; failed: rejected or silent; drifted: held something other than it was told. */
  state: "pending" | "failed" | "drifted";
  /** What the switch answered it holds instead; null when it holds nothing. */
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

/** up: it answers; down: it does not, or its name leads nowhere; unknown: it was not asked yet. */
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
  /** Where the switch takes calls, as `address:port`. */
  sockets?: string[];
  /** Read from the switch since the last report: whatever connection is not listed is as it was told before. */
  health?: { connections: ConnectionHealth[] };
}

/** The service as an agent sees it. */
export interface ControlPlane {
  /** Ends by itself when the line is lost, the epoch changes or `signal` says so. */
  follow(position: Position, signal: AbortSignal): AsyncIterable<FeedMessage>;
  /** Resolves once the report is committed. An empty list of shards is a sign of life. */
  report(report: Report): Promise<void>;
}
