import type { Database, SwitchScope, Tx } from "../../platform/db/database.ts";
import type { SwitchReport } from "./switches.reports.schema.ts";

export interface Deviation {
  kind: "route" | "connection";
  id: string;
  /** drifted: an episode of drift begins; flapping: it has happened for the third time. */
  state: "failed" | "drifted" | "flapping";
  error: string;
  /** Of drift: what the switch held, and what it should hold. Null for nothing. */
  found?: Record<string, unknown> | null;
  expected?: Record<string, unknown> | null;
  organisationId: string;
  environment: "live" | "test";
}

export type ReportOutcome =
  | "recorded"
  | "epoch_ended"
  | "feed_held"
  | "shard_not_found"
  | "history_diverged"
  | "switch_retired";

interface RecordedReport {
  outcome: ReportOutcome;
  deviations: Deviation[];
  /** Shards to confirm, each with the number of its versions. */
  unconfirmed: [shard: number, versions: number][];
  /** The first shard found to be of another history. */
  diverged: number | null;
}

/** The shards come in ascending order. */
export async function insertReport(
  tx: Tx,
  { epoch, boot, agent_version, is_complete, shards }: SwitchReport,
  at: Date,
): Promise<RecordedReport> {
  const [row] = await tx.query<{ [Field in keyof RecordedReport]: RecordedReport[Field] | null }>(
    "select outcome, deviations, unconfirmed, diverged from record_report($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
    [
      epoch,
      boot,
      agent_version,
      is_complete,
      shards.map(({ shard }) => shard),
      shards.map(({ version }) => version),
      shards.map(({ observed_at: observedAt }) => observedAt),
      shards.map(({ position }) => position ?? null),
      shards.map(({ version_token: token }) => token ?? null),
      JSON.stringify(shards.map(({ shard, exceptions }) => ({ shard, exceptions }))),
      at,
    ],
  );
  const { outcome, deviations, unconfirmed, diverged } = row!;
  return { outcome: outcome!, deviations: deviations ?? [], unconfirmed: unconfirmed ?? [], diverged };
}

/** An agent that reports no features has none: it may have been downgraded. */
export async function setAbilities(
  tx: Tx,
  switchId: string,
  { sockets, features = [] }: Pick<SwitchReport, "sockets" | "features">,
): Promise<void> {
  await tx.query(
    `update switches set sockets = coalesce($2, sockets), features = $3
     where id = $1 and (sockets, features) is distinct from (coalesce($2, sockets), $3::text[])`,
    [switchId, sockets ?? null, features],
  );
}

/** Sockets of all switches that are not retired. */
export async function listSockets(db: Database): Promise<string[]> {
  const rows = await db.forSystem("feed", (tx) =>
    tx.query<{ socket: string }>(
      "select distinct unnest(sockets) as socket from switches where state <> 'retired'",
    ),
  );
  return rows.map(({ socket }) => socket);
}

/** Uses a separate transaction. */
export async function confirmShards(
  db: Database,
  who: SwitchScope,
  shards: readonly number[],
  at: Date,
): Promise<void> {
  await db.forSwitch(who, (tx) => tx.query("select confirm_shards($1, $2)", [shards, at]));
}

/** Uses a separate transaction. Returns whether there is more to record. */
export async function recordAppliedRoutes(
  db: Database,
  who: SwitchScope,
  shards: readonly number[],
  limit: { most: number; at: Date },
): Promise<boolean> {
  const [row] = await db.forSwitch(who, (tx) =>
    tx.query<{ is_more: boolean }>("select record_applied_routes($1, $2, $3) as is_more", [
      shards,
      limit.most,
      limit.at,
    ]),
  );
  return row!.is_more;
}

/** A connection that has just lost its last target on a switch, or has one again. */
export interface Reachability {
  id: string;
  isReachable: boolean;
  organisationId: string;
  environment: "live" | "test";
}

export async function insertHealth(
  tx: Tx,
  connections: NonNullable<SwitchReport["health"]>["connections"],
  at: Date,
): Promise<Reachability[]> {
  await tx.query("update switches set targets_read_at = now() where id = current_switch_id()");
  if (connections.length === 0) return [];
  const [row] = await tx.query<{ reached: Reachability[] | null }>(
    "select record_health($1, $2) as reached",
    [JSON.stringify(connections), at],
  );
  return row!.reached ?? [];
}
