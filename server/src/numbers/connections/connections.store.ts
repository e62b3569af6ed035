import type { OrganisationTx } from "../../platform/db/database.ts";
import type { Settings, Target } from "./connections.rules.ts";
import type { TargetState } from "./connections.schema.ts";

/** Report on a target by one switch that has its connection. */
export interface ReadingRow {
  switch: string;
  /** Null if the switch has not reported this target. */
  state: TargetState | null;
  addresses: { address: string; state: TargetState }[] | null;
  since: string | null;
  checked_at: string | null;
  is_fresh: boolean;
}

export interface ConnectionRow extends Settings {
  /** Without readings if no switch has the connection. */
  targets: (Target & { readings?: ReadingRow[] | null })[];
  id: string;
  generation: number;
  in_use_by: number;
  created_at: Date;
  updated_at: Date;
}

/** Counting further would make a list as dear as the numbers behind it. */
const COUNTED = 1000;

const CONNECTION = `c.id, c.name, c.max_calls, c.ring_seconds, c.sources, c.metadata, c.generation::float8 as generation, c.created_at, c.updated_at,
  (select json_agg(json_build_object('host', t.host, 'port', t.port, 'transport', t.transport, 'priority', t.priority, 'weight', t.weight,
      'readings', (
        select json_agg(json_build_object('switch', s.name, 'state', h.state, 'addresses', h.addresses, 'since', h.since,
          'checked_at', s.targets_read_at,
          'is_fresh', coalesce(s.targets_read_at >= now() - make_interval(secs => s.unreachable_after_seconds), false)) order by s.name, s.id)
        from connection_placements p join switches s on s.group_id = p.group_id and s.state <> 'retired'
        left join target_health h on h.organisation_id = c.organisation_id and h.environment = c.environment and h.connection_id = c.id
          and h.switch_id = s.id and h.host = t.host and h.port = t.port and h.transport = t.transport
        where p.organisation_id = c.organisation_id and p.environment = c.environment and p.connection_id = c.id))
      order by t.position)
    from connection_targets t
    where t.organisation_id = c.organisation_id and t.environment = c.environment and t.connection_id = c.id) as targets,
  (select count(*)::int from (
    select from routings r where r.organisation_id = c.organisation_id and r.environment = c.environment and r.connection_id = c.id
    union all
    select from routings r where r.organisation_id = c.organisation_id and r.environment = c.environment and r.fallback_connection_id = c.id
    union all
    select from routings r where r.organisation_id = c.organisation_id and r.environment = c.environment and r.last_connection_id = c.id
    limit ${COUNTED}) used) as in_use_by`;

export async function listConnectionsAfter(
  tx: OrganisationTx,
  after: string | undefined,
  limit: number,
): Promise<ConnectionRow[]> {
  return tx.query<ConnectionRow>(
    `select ${CONNECTION} from connections c
     where c.organisation_id = $1 and c.environment = $2 and ($3::uuid is null or c.id > $3) order by c.id limit $4`,
    [tx.organisationId, tx.environment, after ?? null, limit + 1],
  );
}

export async function findConnection(tx: OrganisationTx, id: string): Promise<ConnectionRow | undefined> {
  const [row] = await tx.query<ConnectionRow>(
    `select ${CONNECTION} from connections c where c.organisation_id = $1 and c.environment = $2 and c.id = $3`,
    [tx.organisationId, tx.environment, id],
  );
  return row;
}

/**
 * Serialises changes of a connection. The lock does not block routings that name it: they lock its key at the end of
 * their transaction, and a stronger lock could deadlock.
 */
export async function lockConnection(tx: OrganisationTx, id: string): Promise<boolean> {
  const found = await tx.query(
    "select from connections where organisation_id = $1 and environment = $2 and id = $3 for no key update",
    [tx.organisationId, tx.environment, id],
  );
  return found.length === 1;
}

export async function insertConnection(
  tx: OrganisationTx,
  id: string,
  settings: Settings,
  at: Date,
): Promise<void> {
  await tx.query(
    `insert into connections (id, organisation_id, environment, name, max_calls, ring_seconds, sources, created_at, updated_at, metadata)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $8, $9)`,
    [
      id,
      tx.organisationId,
      tx.environment,
      settings.name,
      settings.max_calls,
      settings.ring_seconds,
      settings.sources,
      at,
      settings.metadata,
    ],
  );
  await insertTargets(tx, id, settings.targets);
}

/** The next generation of it. */
export async function setConnection(
  tx: OrganisationTx,
  id: string,
  settings: Settings,
  at: Date,
): Promise<void> {
  const where = [tx.organisationId, tx.environment, id];
  await tx.query(
    `update connections set name = $4, max_calls = $5, ring_seconds = $6, sources = $7, generation = generation + 1, updated_at = $8, metadata = $9
     where organisation_id = $1 and environment = $2 and id = $3`,
    [
      ...where,
      settings.name,
      settings.max_calls,
      settings.ring_seconds,
      settings.sources,
      at,
      settings.metadata,
    ],
  );
  await tx.query(
    "delete from connection_targets where organisation_id = $1 and environment = $2 and connection_id = $3",
    where,
  );
  await insertTargets(tx, id, settings.targets);
}

/** Above every generation that a switch has seen. */
export async function setGeneration(tx: OrganisationTx, id: string, generation: number): Promise<void> {
  await tx.query(
    "update connections set generation = $4 where organisation_id = $1 and environment = $2 and id = $3",
    [tx.organisationId, tx.environment, id, generation],
  );
}

/** Changes what switches do not have. */
export async function setMetadata(
  tx: OrganisationTx,
  id: string,
  { metadata }: Settings,
  at: Date,
): Promise<void> {
  await tx.query(
    `update connections set metadata = $4, updated_at = $5
     where organisation_id = $1 and environment = $2 and id = $3`,
    [tx.organisationId, tx.environment, id, metadata, at],
  );
}

/** Publishes the connection to the switches that have it. It locks their shards until the commit, so call it last. */
export async function publishConnection(tx: OrganisationTx, id: string, at: Date): Promise<void> {
  await tx.query("select publish_connection($1, $2)", [id, at]);
}

/** Publishes the deletion to the switches. It locks their shards until the commit. */
export async function withdrawConnection(tx: OrganisationTx, id: string, at: Date): Promise<void> {
  await tx.query("select withdraw_connection($1, $2)", [id, at]);
}

/** A routing that names the connection prevents this, by the foreign keys of routings. */
export async function deleteConnectionRow(tx: OrganisationTx, id: string): Promise<void> {
  const where = [tx.organisationId, tx.environment, id];
  await tx.query(
    "delete from target_health where organisation_id = $1 and environment = $2 and connection_id = $3",
    where,
  );
  await tx.query(
    "delete from connections where organisation_id = $1 and environment = $2 and id = $3",
    where,
  );
}

async function insertTargets(tx: OrganisationTx, id: string, targets: readonly Target[]): Promise<void> {
  await tx.query(
    `insert into connection_targets (organisation_id, environment, connection_id, position, host, port, transport, priority, weight)
     select $1, $2, $3, t.position, t.target ->> 'host', (t.target ->> 'port')::int, t.target ->> 'transport',
       (t.target ->> 'priority')::smallint, (t.target ->> 'weight')::smallint
     from jsonb_array_elements($4::jsonb) with ordinality t(target, position)`,
    [tx.organisationId, tx.environment, id, JSON.stringify(targets)],
  );
}
