/** How many numbers, for which organisations, and from where in a made-up range. */
export interface ManyNumbers {
  /** Existing organisations; the numbers are dealt out to them in turn. */
  organisationIds: readonly string[];
  count: number;
  /** The first of the range; two calls on one database need ranges that do not meet. */
  from?: number;
}

/**
 * Inserts hundreds of thousands of live numbers for benchmarks and query plans. Runs as a superuser, without
 * foreign keys, triggers, events, audit entries and revisions. Other data is as after an import.
 * One in ten is a mobile number, one in a hundred is French. One in a thousand is tagged "rare" and has a
 * unique label. Every second number, except mobile ones, is tagged "common". One in a hundred is routed to an
 * address. One in a thousand has a site in its metadata. Labels of the second half, by ID, have a word that the first half lacks.
 */
export async function seedManyNumbers(
  query: (sql: string) => Promise<unknown>,
  { organisationIds, count, from = 0 }: ManyNumbers,
): Promise<void> {
  const organisations = organisationIds.map((id) => `'${id}'`).join(",");
  for (let done = 0; done < count; done += CHUNK) {
    const last = Math.min(done + CHUNK, count);
    await query(`begin; set local session_replication_role = replica;
      create temporary table seeded on commit drop as ${seeded(organisations, { first: from + done + 1, last: from + last, half: from + count / 2 })};
      ${INSERTS} commit`);
  }
}

const CHUNK = 100_000;

/** Ids grow with the row, e164 in another order, so that both orders of a list are tried. */
const seeded = (
  organisations: string,
  { first, last, half }: { first: number; last: number; half: number },
): string => `
  with org as (select array[${organisations}]::uuid[] as ids), live as (
    select g.id as group_id, array_agg(s.id order by s.id) as shards
    from switch_groups g join feed_shards s on s.group_id = g.id where g.environment = 'live' and g.is_default group by g.id)
  select n, org.ids[1 + n % cardinality(org.ids)] as organisation_id, live.group_id,
    '+4930' || lpad((n::bigint * 7368787 % 100000000)::text, 8, '0') as e164,
    overlay(lpad(to_hex(n), 12, '0') || '-7000-8000-000000000001' placing '-' from 9 for 0)::uuid as id,
    overlay(lpad(to_hex(n), 12, '0') || '-7000-8000-000000000002' placing '-' from 9 for 0)::uuid as number_id,
    place_among(live.shards, '+4930' || lpad((n::bigint * 7368787 % 100000000)::text, 8, '0')) as shard,
    case when n % 100 = 7 then 'FR' else 'DE' end as country, case when n % 10 = 3 then 'mobile' else 'local' end as type,
    case when n % 1000 = 1 then 'Lighthouse ' || n when n > ${half} then 'Harbour line ' || n else 'Line ' || n end as label,
    case when n % 1000 = 1 then '{rare}'::text[] when n % 2 = 0 then '{common}' else '{}' end as tags,
    case when n % 1000 = 2 then '{"site": "harbour"}' else '{}' end::jsonb as metadata,
    case when n % 100 = 9 then 'sip_uri' else 'unrouted' end as mode, now() as at
  from generate_series(${first}, ${last}) n, org, live`;

const INSERTS = `
  insert into numbers (id, environment, e164, country, type, group_id, shard, is_free, created_at)
    select number_id, 'live', e164, country, type, group_id, shard, false, at from seeded;
  insert into holdings (id, organisation_id, environment, number_id, e164, country, type, capabilities, status, label, tags, metadata, source,
      acquired_at, created_at, updated_at)
    select id, organisation_id, 'live', number_id, e164, country, type, '{voice}', 'active', label, tags, metadata, 'import', at, at, at from seeded;
  insert into holding_tags (organisation_id, environment, tag, holding_id, e164)
    select organisation_id, 'live', unnest(tags), id, e164 from seeded;
  insert into holding_metadata (organisation_id, environment, key, value, holding_id, e164)
    select organisation_id, 'live', pair.key, pair.value, id, e164 from seeded, jsonb_each_text(metadata) pair;
  insert into routings (holding_id, organisation_id, environment, e164, mode, sip_uri, set_at, set_by_kind, group_id, shard, version)
    select s.id, organisation_id, 'live', e164, mode, case when mode = 'sip_uri' then 'sip:desk@pbx.example.com' end, at, 'system',
      s.group_id, s.shard, f.head + row_number() over (partition by s.shard order by s.id)
    from seeded s join feed_shards f on f.id = s.shard;
  insert into routing_destinations (holding_id, organisation_id, environment, destination)
    select r.holding_id, r.organisation_id, 'live', r.sip_uri from seeded s join routings r on r.holding_id = s.id
    where r.mode = 'sip_uri';
  insert into number_counts (organisation_id, environment, group_id, use, numbers)
    select organisation_id, 'live', group_id, number_use(mode, null, '{}'), count(*) from seeded group by 1, 3, 4;
  insert into feed_items (shard, version, kind, item_id, organisation_id, environment, generation, value, created_at)
    select r.shard, r.version, 'route', r.holding_id, r.organisation_id, 'live', 1, effective_route(r, 'active'), s.at
    from seeded s join routings r on r.holding_id = s.id;
  update feed_shards f set head = i.version, token = i.token
    from (select distinct on (r.shard) r.shard, r.version, i.token from seeded s join routings r on r.holding_id = s.id
      join feed_items i on i.shard = r.shard and i.version = r.version order by r.shard, r.version desc) i where f.id = i.shard;`;
