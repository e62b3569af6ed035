interface ManyCalls {
  /** Existing organisations; the calls are distributed among them in turn. */
  organisationIds: readonly string[];
  switchIds: readonly string[];
  count: number;
  /** Days over which the calls are spread, until now. */
  days: number;
}

const CHUNK = 200_000;

/**
 * Inserts calls for benchmarks and query plans, as a superuser, without triggers. They are numbered from the newest.
 * One in 1,000 came from "+33100000001" and used a connection, one in 500 failed with 503, one in 10,000 lasted an hour.
 * A number has 100 calls, and no call is to a number that exists.
 */
export async function seedManyCalls(
  query: (sql: string) => Promise<unknown>,
  { organisationIds, switchIds, count, days }: ManyCalls,
): Promise<void> {
  await query(
    `select make_call_partitions(array(select current_date - n from generate_series(-1, ${days + 1}) n))`,
  );
  const array = (ids: readonly string[]): string => `array[${ids.map((id) => `'${id}'`).join(",")}]::uuid[]`;
  const of = `select ${array(organisationIds)} as organisations, ${array(switchIds)} as switches`;
  for (let done = 0; done < count; done += CHUNK)
    await query(`begin; set local session_replication_role = replica;
      create temporary table seeded on commit drop as ${seeded(of, { first: done + 1, last: Math.min(done + CHUNK, count), seconds: (days * 86_400) / count, numbers: Math.ceil(count / 100) })};
      ${INSERTS} commit`);
}

const seeded = (
  of: string,
  { first, last, seconds, numbers }: { first: number; last: number; seconds: number; numbers: number },
): string => `
  select n, md5('call ' || n)::uuid as id, switches[1 + n / 7 % cardinality(switches)] as switch_id,
    now() - n * interval '${seconds} seconds' as started_at, organisations[1 + n % cardinality(organisations)] as organisation_id,
    md5('number ' || n % ${numbers})::uuid as holding_id,
    case when n % 500 = 3 then 'failed' when n % 5 = 1 then 'no_answer' else 'answered' end as result,
    case when n % 500 = 3 then 503 when n % 5 = 1 then 480 else 200 end as code,
    case when n % 10000 = 2 then 3600 else 30 + n % 300 end as seconds,
    case when n % 1000 = 9 then md5('connection')::uuid end as connection_id,
    case when n % 1000 = 9 then '+33100000001' else '+4420' || lpad((n::bigint * 7368787 % 100000000)::text, 8, '0') end as caller,
    '+4930' || lpad((n % ${numbers})::text, 8, '0') as called
  from generate_series(${first}, ${last}) n, (${of}) given`;

const INSERTS = `
  insert into call_records (id, switch_id, started_at, organisation_id, environment, holding_id, answered_at, ended_at, ending, result,
      mode, generation, code, received_at, connection_id)
    select id, switch_id, started_at, organisation_id, 'live', holding_id, case when result = 'answered' then started_at end,
      started_at + case when result = 'answered' then seconds else 5 end * interval '1 second',
      case when result = 'answered' then 'hung_up' else 'refused' end, result, 'sip_uri', 1, code, started_at, connection_id
    from seeded;
  insert into call_parties (id, switch_id, started_at, organisation_id, environment, holding_id, caller, caller_raw, called, target, sip_call_id)
    select id, switch_id, started_at, organisation_id, 'live', holding_id, caller, caller, called, 'sip:desk@pbx.example.com',
      n || '@sip.example.com' from seeded;
  insert into call_buckets as b (organisation_id, environment, began_at, switch_id, calls, answered, seconds)
    select organisation_id, 'live', date_bin('10 minutes', started_at, '2000-01-01Z'), switch_id, count(*),
      count(*) filter (where result = 'answered'), sum(seconds) from seeded group by 1, 3, 4
    on conflict (organisation_id, environment, began_at, switch_id) do update set calls = b.calls + excluded.calls,
      answered = b.answered + excluded.answered, seconds = b.seconds + excluded.seconds;
  insert into call_ids (digest, day)
    select distinct hashtextextended(n || '@sip.example.com', 0), (started_at at time zone 'UTC')::date from seeded
    on conflict do nothing;`;
