import { openApp } from "@dialplane/server/start";
import type { Config } from "@dialplane/server/config";
import { seedKey, seedMembership, seedOrganisation, seedPerson } from "@dialplane/server/seed";
import { numberIdSql } from "./number-ids.ts";
import { psql } from "./psql.ts";

/** A client with a key, and its numbers first, first + step, first + 2 · step and so on. */
export interface Holder {
  organisationId: string;
  key: string;
  numbers: { first: number; count: number; step: number };
}

export interface BenchNumbers {
  count: number;
  organisations: number;
  /** Has half of all numbers. */
  large: Holder;
  /** Share a quarter: enough of them that changes do not queue for one organisation's next event. */
  medium: Holder[];
}

const MEDIUM = 64;
/** Share the last quarter. */
const MOST_SMALL = 10_000;

/** All numbers live, active and routed, and one switch that holds every one of them. */
export async function populateNumbers(
  config: Config,
  wanted: number,
  signal: AbortSignal,
): Promise<BenchNumbers> {
  // Every holder in the middle has as many as the others.
  const quarter = Math.ceil(wanted / 4 / MEDIUM) * MEDIUM;
  const small = Math.min(MOST_SMALL, Math.ceil(quarter / 10));
  const holders = await seedHolders(config);
  const [large, ...medium] = holders;
  const filling = { quarter, small, holders: holders.map(({ organisationId }) => organisationId) };
  await psql(config.database.ownerUrl, fillStatements(filling), signal);
  await checkInSync(config.database.ownerUrl, signal);
  return {
    count: quarter * 4,
    organisations: holders.length + small,
    large: { ...large!, numbers: { first: 0, count: quarter * 2, step: 1 } },
    medium: medium.map((holder, at) => ({
      ...holder,
      numbers: { first: quarter * 2 + at, count: quarter / MEDIUM, step: MEDIUM },
    })),
  };
}

async function seedHolders(config: Config): Promise<Pick<Holder, "organisationId" | "key">[]> {
  const app = await openApp(config);
  try {
    const owner = await seedPerson(app, { name: "Holder", email: "holder@example.com" });
    const holders = [];
    for (let at = 0; at <= MEDIUM; at++) {
      const organisationId = await seedOrganisation(app, `Holder ${at}`);
      await seedMembership(app, organisationId, owner.userId, "owner");
      const key = await seedKey(app, owner, {
        organisationIds: [organisationId],
        environment: "live",
        scopes: ["full"],
        name: "Benchmark",
      });
      holders.push({ organisationId, key: key.secret });
    }
    return holders;
  } finally {
    await app.close();
  }
}

interface Filling {
  quarter: number;
  small: number;
  holders: readonly string[];
}

const FILLED = ["numbers", "holdings", "routings", "routing_revisions", "feed_items"];

/** Runs as the superuser, table by table. Inserts the rows that the service would write, without history. */
function fillStatements(filling: Filling): string[] {
  return [
    "set synchronous_commit = off",
    "set maintenance_work_mem = '512MB'",
    // Nothing refers to what is not there; to look it up a million times takes longer than all the rest.
    "set session_replication_role = replica",
    ...dropIndexes(),
    ...planNumbers(filling),
    ...insertNumbers(),
    ...insertRoutings(),
    "do $$ declare one record; begin for one in select definition from dropped loop execute one.definition; end loop; end $$",
    "set session_replication_role = default",
    ...synchroniseSwitch(),
    "vacuum analyze",
    "checkpoint",
  ];
}

/** A full table is indexed faster than an index is filled row by row; the definitions come back as they were. */
function dropIndexes(): string[] {
  const tables = FILLED.map((table) => `'${table}'::regclass`).join(", ");
  return [
    `create temp table dropped as
     select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
     from pg_index i
     where i.indrelid in (${tables}) and not exists (select from pg_constraint c where c.conindid = i.indexrelid)`,
    "do $$ declare one record; begin for one in select name from dropped loop execute 'drop index ' || one.name; end loop; end $$",
  ];
}

function planNumbers({ quarter, small, holders }: Filling): string[] {
  const ids = holders.map((id) => `'${id}'::uuid`).join(", ");
  return [
    `create temp table holder as select id, place - 1 as place from unnest(array[${ids}]) with ordinality given(id, place)`,
    `with made as (
       insert into organisations (id, name, created_at)
       select gen_random_uuid(), 'Holder ' || n, now() from generate_series(${holders.length}, ${holders.length + small - 1}) n
       returning id, name
     ) insert into holder select id, split_part(name, ' ', 2)::bigint from made`,
    "insert into event_heads (organisation_id) select id from holder on conflict do nothing",
    `create temp table live_group as
     select g.id, min(s.id) as first_shard, count(*) as shards
     from switch_groups g join feed_shards s on s.group_id = g.id where g.is_default and g.environment = 'live' group by g.id`,
    `create temp table planned as
     select n, ${numberIdSql("n")} as id, '+49' || (3000000000 + n) as e164, h.id as organisation_id, g.id as group_id,
       (g.first_shard + n % g.shards)::integer as shard, n / g.shards + 1 as version
     from generate_series(0, ${quarter * 4 - 1}) n cross join live_group g
     join holder h on h.place = case
       when n < ${quarter * 2} then 0
       when n < ${quarter * 3} then 1 + n % ${MEDIUM}
       else ${holders.length} + n % ${small} end`,
  ];
}

function insertNumbers(): string[] {
  return [
    `insert into numbers (id, environment, e164, country, type, group_id, shard, created_at)
     select id, 'live', e164, 'DE', 'local', group_id, shard, now() from planned order by n`,
    `insert into holdings (id, organisation_id, environment, number_id, e164, country, type, capabilities, status, source,
       acquired_at, created_at, updated_at)
     select id, organisation_id, 'live', id, e164, 'DE', 'local', '{voice}', 'active', 'import', now(), now(), now()
     from planned order by n`,
  ];
}

function insertRoutings(): string[] {
  return [
    `insert into routings (holding_id, organisation_id, environment, e164, mode, sip_uri, set_at, set_by_kind, set_by_name,
       group_id, shard, version)
     select id, organisation_id, 'live', e164, 'sip_uri', 'sip:' || n || '@example.com', now(), 'system', 'benchmark',
       group_id, shard, version
     from planned order by n`,
    `insert into routing_revisions (organisation_id, environment, holding_id, generation, desired, set_at, set_by_kind, set_by_name)
     select organisation_id, environment, holding_id, generation, routing_shape(r), set_at, set_by_kind, set_by_name
     from routings r where environment = 'live'`,
    `insert into feed_items (shard, version, kind, item_id, organisation_id, environment, generation, value, created_at, confirmed_at)
     select shard, version, 'route', holding_id, organisation_id, environment, generation, effective_route(r, 'active'), set_at, set_at
     from routings r where environment = 'live'`,
    `update feed_shards s set head = i.version, token = i.token
     from (select distinct on (shard) shard, version, token from feed_items order by shard, version desc) i where i.shard = s.id`,
  ];
}

/** Sets a last report in the future, so that the switch stays fresh during the measurement. */
function synchroniseSwitch(): string[] {
  return [
    `insert into switches (id, group_id, name, credential_mac, synced_epoch, proved_in, last_seen_at, created_at)
     select gen_random_uuid(), g.id, 'benchmark', sha256('benchmark'), e.epoch, database_instance(), now() + interval '1 day', now()
     from live_group g, feed_epoch e`,
    `insert into applied_watermarks (switch_id, shard, epoch, version, observed_at, instance)
     select w.id, s.id, w.synced_epoch, s.head, now(), database_instance()
     from live_group g join switches w on w.group_id = g.id join feed_shards s on s.group_id = g.id`,
    `update feed_confirmations c set version = s.head
     from feed_shards s join live_group g on g.id = s.group_id where s.id = c.shard`,
  ];
}

/** A pending number takes other branches than one in sync, so its figures would be of something else. */
export async function checkInSync(databaseUrl: string, signal?: AbortSignal): Promise<void> {
  const others = await psql(
    databaseUrl,
    [
      `select count(*) || ' ' || status from routing_states
       where environment = 'live' and status <> 'in_sync' group by status order by status`,
    ],
    signal,
  );
  if (others !== "")
    throw new Error(
      `All live numbers must be in sync before measuring, but ${others.trim().replaceAll("\n", ", ")}.`,
    );
}
