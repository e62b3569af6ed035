/** Calls as JSON, from rows `c` of call_records, with their parties `p`, switch `s` and number `h`. */
export const CALL_FIELDS = `'id', replace(c.id::text, '-', ''), 'number_id', c.holding_id, 'e164', h.e164,
  'started_at', wire_time(c.started_at), 'answered_at', wire_time(c.answered_at), 'ended_at', wire_time(c.ended_at),
  'result', c.result, 'ending', c.ending, 'ended_by', c.ended_by, 'setup_ms', c.setup_ms, 'ring_ms', c.ring_ms,
  'talk_seconds', talk_seconds(c.answered_at, c.ended_at), 'mode', c.mode, 'generation', c.generation,
  'connection_id', c.connection_id, 'code', c.code, 'reason', c.why, 'q850', c.q850, 'switch', s.name,
  'caller', p.caller, 'caller_raw', p.caller_raw, 'target', p.target, 'attempts', coalesce(p.attempts, '[]'),
  'sip_call_id', p.sip_call_id`;

export const SHOWN_CALL = `json_build_object(${CALL_FIELDS})::text`;

/** Looked up per call: parties are in the partition of their day. */
export const PARTIES_AND_NAMES = `
  left join switches s on s.id = c.switch_id
  left join lateral (
    select h.e164 from holdings h
    where h.organisation_id = c.organisation_id and h.environment = c.environment and h.id = c.holding_id limit 1) h on true
  left join lateral (
    select p.caller, p.caller_raw, p.called, p.target, p.attempts, p.sip_call_id from call_parties p
    where p.organisation_id is not distinct from c.organisation_id and p.environment = c.environment
      and p.switch_id = c.switch_id and p.id = c.id and p.started_at = c.started_at limit 1) p on true`;

/** Position in a list, newest first. */
export const positionIn = (row: string): string =>
  `to_char(${row}.started_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || '/' || ${row}.switch_id || '/' || ${row}.id`;

export interface CallPosition {
  startedAt: string;
  switchId: string;
  id: string;
}
