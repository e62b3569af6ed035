/**
 * Whether a call `c` with the parties `p` reached another target than its routing names. Hosts of the connection count
 * only if it has not changed since the call. `own` names the organisation.
 */
export const misroutedOf = (own: (alias: string) => string): string => `case when p.target is not null then (
    select is_misrouted(p.target, p.attempts, r.desired, case when c.connection_id is not null then (
      select array_agg(t.host) from connections k
      join connection_targets t on ${own("t")} and t.connection_id = k.id
      where ${own("k")} and k.id = c.connection_id and k.updated_at <= c.started_at) end)
    from routing_revisions r where ${own("r")} and r.holding_id = c.holding_id and r.generation = c.generation) end`;

/** Rows of the organisation of a call `c`. */
export const OF_CALL = (alias: string): string =>
  `${alias}.organisation_id = c.organisation_id and ${alias}.environment = c.environment`;

/** Calls as JSON, from rows `c` of call_records, with their parties `p`, switch `s` and number `h`. */
const CALL_FIELDS = `'id', replace(c.id::text, '-', ''), 'number_id', c.holding_id, 'e164', h.e164,
  'started_at', wire_time(c.started_at), 'answered_at', wire_time(c.answered_at), 'ended_at', wire_time(c.ended_at),
  'result', c.result, 'ending', c.ending, 'ended_by', c.ended_by, 'setup_ms', c.setup_ms, 'ring_ms', c.ring_ms,
  'talk_seconds', talk_seconds(c.answered_at, c.ended_at), 'mode', c.mode, 'generation', c.generation,
  'step', c.step, 'connection_id', c.connection_id, 'code', c.code, 'reason', c.why, 'q850', c.q850, 'switch', s.name,
  'caller', p.caller, 'caller_raw', p.caller_raw, 'target', p.target, 'attempts', coalesce(p.attempts, '[]'),
  'sip_call_id', p.sip_call_id, 'misrouted', ${misroutedOf(OF_CALL)}`;

export const SHOWN_CALL = `json_build_object(${CALL_FIELDS})::text`;

/** The operator sees the organisation of a call, and how it came in and went out. */
const OPERATOR_CALL_FIELDS = `${CALL_FIELDS}, 'organisation_id', c.organisation_id, 'environment', c.environment,
  'called', p.called, 'trunk', c.trunk, 'gateway', c.gateway`;

export const SHOWN_OPERATOR_CALL = `json_build_object(${OPERATOR_CALL_FIELDS})::text`;

/** Looked up per call: parties are in the partition of their day. */
const partiesAndNames = (columns: string): string => `
  left join switches s on s.id = c.switch_id
  left join lateral (
    select h.e164 from holdings h
    where h.organisation_id = c.organisation_id and h.environment = c.environment and h.id = c.holding_id limit 1) h on true
  left join lateral (
    select ${columns} from call_parties p
    where p.organisation_id is not distinct from c.organisation_id and p.environment = c.environment
      and p.switch_id = c.switch_id and p.id = c.id and p.started_at = c.started_at limit 1) p on true`;
const PARTY = "p.caller, p.caller_raw, p.called, p.target, p.attempts, p.sip_call_id";
export const PARTIES_AND_NAMES = partiesAndNames(PARTY);

/** Everything known about a call `c`. Route and connection are those of its organisation, which `own` names. */
export const callDetail = (
  own: (alias: string) => string,
  { isOperator }: { isOperator: boolean },
): { columns: string; joins: string } => ({
  columns: `json_build_object(${isOperator ? `${OPERATOR_CALL_FIELDS}, 'asserted_caller', p.asserted_caller` : `${CALL_FIELDS}, 'called', p.called`},
      'received_at', wire_time(c.received_at), 'destination', r.desired) as call`,
  joins: `left join routing_revisions r on ${own("r")} and r.holding_id = c.holding_id and r.generation = c.generation
  ${isOperator ? partiesAndNames(`${PARTY}, p.asserted_caller`) : PARTIES_AND_NAMES}`,
});

/** Position in a list, newest first. */
export const positionIn = (row: string): string =>
  `to_char(${row}.started_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || '/' || ${row}.switch_id || '/' || ${row}.id`;

export interface CallPosition {
  startedAt: string;
  switchId: string;
  id: string;
}
