import type { Tx } from "../../platform/db/database.ts";

/** Reported state of a switch, and progress of its live reports. */
export interface SwitchSignal {
  id: string;
  group_id: string;
  is_online: boolean;
  is_synced: boolean;
  /** Whether its last report is less than a minute old, so that its count of the last minute counts. */
  is_recent: boolean;
  observed_at: Date | null;
  session: string | null;
  sequence: string | null;
}

export async function listSwitchSignals(tx: Tx): Promise<SwitchSignal[]> {
  return tx.query<SwitchSignal>(
    `select s.id, s.group_id, t.observed_at, t.session, t.sequence,
       coalesce(s.last_seen_at, s.created_at) >= now() - make_interval(secs => s.unreachable_after_seconds) as is_online,
       s.synced_epoch is not distinct from (select epoch from feed_epoch) as is_synced,
       coalesce(t.observed_at > now() - interval '1 minute', false) as is_recent
     from switches s left join live_reports t on t.switch_id = s.id where s.state <> 'retired' order by s.id`,
  );
}

export interface ShardSignal {
  id: number;
  head: string;
  confirmed: string;
}

export async function listShardSignals(tx: Tx): Promise<ShardSignal[]> {
  return tx.query<ShardSignal>(
    `select s.id, s.head, coalesce(c.version, 0) as confirmed
     from feed_shards s left join feed_confirmations c on c.shard = s.id`,
  );
}

export interface ExceptionSignal {
  item_id: string;
  switch_id: string;
  version: string;
  state: string;
}

/** Undefined if there are too many to compare at every look. */
export async function listExceptionSignals(tx: Tx, most: number): Promise<ExceptionSignal[] | undefined> {
  const rows = await tx.query<ExceptionSignal>(
    "select item_id, switch_id, version, state from applied_exceptions where kind = 'route' limit $1",
    [most + 1],
  );
  return rows.length > most ? undefined : rows;
}

/** Numbers that reports after these changed. */
export async function listReportedNumbers(
  tx: Tx,
  since: readonly { switchId: string; sequence: string }[],
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `select distinct c.holding_id as id from unnest($1::uuid[], $2::bigint[]) as p(switch_id, sequence)
     join live_changes c on c.switch_id = p.switch_id and c.sequence > p.sequence`,
    [since.map(({ switchId }) => switchId), since.map(({ sequence }) => sequence)],
  );
  return rows.map(({ id }) => id);
}

export interface VersionRange {
  shard: number;
  after: string;
  upTo: string;
}

/** Numbers with a version in these ranges. Undefined if there are too many. */
export async function listPublishedNumbers(
  tx: Tx,
  ranges: readonly VersionRange[],
  most: number,
): Promise<string[] | undefined> {
  const rows = await tx.query<{ id: string }>(
    `select i.item_id as id from unnest($1::integer[], $2::bigint[], $3::bigint[]) as p(shard, after, up_to)
     cross join lateral (
       select item_id from feed_items where shard = p.shard and version > p.after and version <= p.up_to and kind = 'route') i
     limit $4`,
    [
      ranges.map(({ shard }) => shard),
      ranges.map(({ after }) => after),
      ranges.map(({ upTo }) => upTo),
      most + 1,
    ],
  );
  return rows.length > most ? undefined : rows.map(({ id }) => id);
}
