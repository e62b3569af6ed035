import type { Database, OrganisationScope } from "../../platform/db/database.ts";

/** Position of the next page: the last entry, and the generation below which revisions have not been listed. */
export interface TimelinePosition {
  at: string;
  rank: number;
  key: string;
  below?: string | undefined;
}

export interface TimelineRow {
  kind: string;
  at: Date;
  /** Position in the list, in microseconds. Revisions keep the order of their generations. */
  position: string;
  rank: number;
  key: string;
  generation: string | null;
  body: Record<string, unknown>;
}

const START: TimelinePosition = { at: "infinity", rank: 0, key: "", below: "9223372036854775807" };

/**
 * Sources of the timeline, newest first, each from one index and no longer than the page. $1 organisation,
 * $2 environment, $3 number, $4 kind, $5 to $7 last entry, $8 generation, $9 rows, $10 now. One revision more than a
 * page has, for the value before the last one.
 */
const SETS = `select 'set' as kind, r.set_at as at, least(min(r.set_at) over (order by r.generation desc), $5) as place,
    1 as rank, lpad(r.generation::text, 19, '0') as key, r.generation,
    jsonb_build_object('actor', jsonb_build_object('kind', r.set_by_kind, 'id', r.set_by_id, 'name', r.set_by_name),
      'reason', r.reason, 'desired', r.desired,
      'before', lead(r.desired) over (order by r.generation desc)) as body
  from (
    select * from routing_revisions where organisation_id = $1 and environment = $2 and holding_id = $3
      and generation < $8 order by generation desc limit $9 + 1
  ) r`;

const APPLIED = `select 'applied', a.at, a.at, 2, a.switch_id || lpad(a.version::text, 19, '0'), a.generation,
    jsonb_build_object('switch', w.name, 'took_ms', trunc(extract(epoch from a.at - a.published_at) * 1000),
      'found', case when a.mode is not null then jsonb_build_object('generation', a.generation)
        || case when r.desired ->> 'mode' = a.mode then r.desired else jsonb_build_object('mode', a.mode) end end)
  from (
    select * from applied_routes where organisation_id = $1 and environment = $2 and holding_id = $3 and at <= $5
      and (at, 2, (switch_id || lpad(version::text, 19, '0')) collate "C") < ($5, $6, $7)
    order by at desc, switch_id desc, version desc limit $9
  ) a
  join switches w on w.id = a.switch_id
  left join routing_revisions r on r.holding_id = a.holding_id and r.generation = a.generation`;

const FAILED = `select 'failed', f.first_at, f.first_at, 3, f.id::text, f.generation,
    jsonb_build_object('switch', w.name, 'until', wire_time(f.ended_at), 'error', f.error,
      'expected', shown_destination(r.desired, f.generation))
  from (
    select * from failed_routes where organisation_id = $1 and environment = $2 and holding_id = $3 and first_at <= $5
      and (first_at, 3, id::text collate "C") < ($5, $6, $7)
    order by first_at desc, id desc limit $9
  ) f
  join switches w on w.id = f.switch_id
  left join routing_revisions r on r.holding_id = f.holding_id and r.generation = f.generation`;

const DRIFTED = `select 'drifted', d.first_at, d.first_at, 4, d.id::text, null::bigint,
    jsonb_build_object('switch', w.name, 'error', d.error, 'count', d.count,
      'until', case when d.wrong_since is null then wire_time(coalesce(d.repaired_at, d.last_at)) end,
      'wrong_ms', d.wrong_ms + coalesce(greatest(0, trunc(extract(epoch from $10 - d.wrong_since) * 1000)), 0),
      'found', shown_destination(d.found - 'is_resting', d.found_generation),
      'expected', shown_destination(d.expected - 'is_resting', d.expected_generation))
  from (
    select * from drift_episodes where organisation_id = $1 and environment = $2 and item_id = $3 and first_at <= $5
      and (first_at, 4, id::text collate "C") < ($5, $6, $7)
    order by first_at desc, id desc limit $9
  ) d
  join switches w on w.id = d.switch_id`;

const STATES = `select 'state', s.at, s.at, 5, s.id::text, null::bigint,
    jsonb_build_object('state', split_part(s.action, '.', 2), 'actor',
      jsonb_build_object('kind', s.actor_kind, 'id', s.actor_id, 'name', s.actor_name),
      'reason', left(coalesce(s.detail ->> 'reason', s.detail -> 'error' ->> 'detail'), 500))
  from (
    select * from audit_entries where organisation_id = $1 and environment = $2 and subject = $3::uuid::text
      and action in ('number.added', 'number.suspended', 'number.resumed', 'number.releasing', 'number.release_failed',
        'number.quarantined', 'number.released', 'number.restoring', 'number.restore_failed', 'number.restored')
      and at <= $5 and (at, 5, id::text collate "C") < ($5, $6, $7)
    order by at desc, id desc limit $9
  ) s`;

const TIMELINE = `select kind, at, rank, key, generation, body,
    to_char(place at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as position
  from (
    select * from (${SETS}) s where $4::text is null or $4 = 'set'
    union all select * from (${APPLIED}) s where $4 is null or $4 = 'applied'
    union all select * from (${FAILED}) s where $4 is null or $4 = 'failed'
    union all select * from (${DRIFTED}) s where $4 is null or $4 = 'drifted'
    union all select * from (${STATES}) s where $4 is null or $4 = 'state'
  ) t order by place desc, rank desc, key collate "C" desc limit $9`;

export interface TimelineStatement {
  numberId: string;
  kind: string | undefined;
  after: TimelinePosition | undefined;
  limit: number;
  now: Date;
}

export function timelineStatement(
  scope: OrganisationScope,
  { numberId, kind, after = START, limit, now }: TimelineStatement,
): { text: string; values: unknown[] } {
  const { at, rank, key, below = START.below } = after;
  return {
    text: TIMELINE,
    values: [
      scope.organisationId,
      scope.environment,
      numberId,
      kind ?? null,
      at,
      rank,
      key,
      below,
      limit + 1,
      now,
    ],
  };
}

/** Newest first. One row more than the limit, if there is one. */
export async function listTimelineRows(
  db: Database,
  scope: OrganisationScope,
  wanted: TimelineStatement,
): Promise<TimelineRow[]> {
  const { text, values } = timelineStatement(scope, wanted);
  return db.forOrganisation.readPlanned<TimelineRow>(scope, text, values);
}
