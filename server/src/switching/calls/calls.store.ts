import type { Database, OrganisationScope } from "../../platform/db/database.ts";

export interface CallsOf {
  numberId: string;
  from: Date | undefined;
  to: Date | undefined;
  /** Start, switch and id of the last one shown. */
  after: { startedAt: string; switchId: string; id: string } | undefined;
  limit: number;
}

/** A page as the text of a JSON array, newest first; `last` says after which call, where there is more. */
export interface CallPageRow {
  is_known: boolean;
  data: string;
  last: string | null;
}

/**
 * Parties are looked up per call, because each is in the partition of its day. Calls that the service could not
 * accept are not the customer's.
 */
const PAGE = `
  with page as (
    select c.*, row_number() over (order by c.started_at desc, c.switch_id desc, c.id desc) as n from (
      select * from call_records
      where organisation_id = $1 and environment = $2 and holding_id = $3 and result <> 'not_served'
        and started_at >= coalesce($4::timestamptz, '-infinity') and started_at < coalesce($5::timestamptz, 'infinity')
        and started_at <= coalesce($6::timestamptz, 'infinity')
        and ($6::timestamptz is null or (started_at, switch_id, id) < ($6::timestamptz, $7::uuid, $8::uuid))
      order by started_at desc, switch_id desc, id desc limit $9::integer + 1) c
  )
  select exists (select from holdings where organisation_id = $1 and environment = $2 and id = $3) as is_known,
    '[' || coalesce(string_agg(json_build_object('id', replace(c.id::text, '-', ''), 'started_at', wire_time(c.started_at),
      'answered_at', wire_time(c.answered_at), 'ended_at', wire_time(c.ended_at), 'result', c.result, 'ending', c.ending,
      'ended_by', c.ended_by, 'setup_ms', c.setup_ms,
      'ring_ms', c.ring_ms, 'talk_seconds', talk_seconds(c.answered_at, c.ended_at), 'mode', c.mode, 'generation', c.generation, 'code', c.code, 'reason', c.why,
      'q850', c.q850, 'switch', s.name, 'caller', p.caller, 'caller_raw', p.caller_raw, 'target', p.target,
      'attempts', coalesce(p.attempts, '[]'), 'sip_call_id', p.sip_call_id)::text, ',' order by c.n) filter (where c.n <= $9), '') || ']' as data,
    max(to_char(c.started_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || '/' || c.switch_id || '/' || c.id) filter (where c.n = $9 and exists (select from page where n > $9)) as last
  from page c
  left join switches s on s.id = c.switch_id
  left join lateral (
    select p.caller, p.caller_raw, p.target, p.attempts, p.sip_call_id from call_parties p
    where p.organisation_id = $1 and p.environment = $2 and p.switch_id = c.switch_id and p.id = c.id and p.started_at = c.started_at limit 1
  ) p on true`;

export async function findCallPage(
  db: Database,
  scope: OrganisationScope,
  { numberId, from, to, after, limit }: CallsOf,
): Promise<CallPageRow> {
  const [row] = await db.forOrganisation.read<CallPageRow>(scope, PAGE, [
    scope.organisationId,
    scope.environment,
    numberId,
    from ?? null,
    to ?? null,
    after?.startedAt ?? null,
    after?.switchId ?? null,
    after?.id ?? null,
    limit,
  ]);
  return row!;
}
