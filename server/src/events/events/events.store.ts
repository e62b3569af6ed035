import type { OrganisationTx, Tx } from "../../platform/db/database.ts";

export interface EventRow {
  id: string;
  sequence: string;
  type: string;
  subject: string | null;
  data: Record<string, unknown>;
  created_at: Date;
}

/**
 * Assigns the next sequence numbers of each organisation, in the given order. It locks their rows until the commit,
 * so call it last. For several organisations, lock their heads first.
 */
export async function insertEvents(
  tx: Tx,
  events: readonly (Omit<EventRow, "sequence"> & { organisation_id: string; environment: string | null })[],
): Promise<void> {
  const inserted = await tx.query(
    `with given as (
       select * from json_to_recordset($1) as r(place integer, organisation_id uuid, id uuid, environment text, type text,
         subject text, data jsonb, created_at timestamptz)
     ), next as (
       update event_heads h set head = h.head + g.count
       from (select organisation_id, count(*) as count from given group by organisation_id) g
       where h.organisation_id = g.organisation_id returning h.organisation_id, h.head - g.count as before
     )
     insert into events (organisation_id, sequence, id, environment, type, subject, data, created_at)
     select g.organisation_id, n.before + row_number() over (partition by g.organisation_id order by g.place), g.id, g.environment,
       g.type, g.subject, g.data, g.created_at
     from given g join next n on n.organisation_id = g.organisation_id returning sequence`,
    [JSON.stringify(events.map((event, place) => ({ ...event, place })))],
  );
  if (inserted.length < events.length) throw new Error("An organisation has no event counter.");
}

/** In one order, so that two who lock several never wait for each other. */
export async function lockEventHeads(tx: Tx, organisationIds: readonly string[]): Promise<void> {
  await tx.query(
    "select head from event_heads where organisation_id = any($1::uuid[]) order by organisation_id for update",
    [organisationIds],
  );
}

export async function insertEventHead(tx: Tx, organisationId: string): Promise<void> {
  await tx.query("insert into event_heads (organisation_id) values ($1)", [organisationId]);
}

/** Sequence of an event in its organisation. */
export async function findEventSequence(tx: OrganisationTx, id: string): Promise<string | undefined> {
  const [row] = await tx.query<{ sequence: string }>(
    "select sequence from events where organisation_id = $1 and (environment is null or environment = $2) and id = $3",
    [tx.organisationId, tx.environment, id],
  );
  return row?.sequence;
}

export async function listEventsAfter(tx: OrganisationTx, after: string, limit: number): Promise<EventRow[]> {
  return tx.query<EventRow>(
    `select id, sequence, type, subject, data, created_at from events
     where organisation_id = $1 and (environment is null or environment = $2) and sequence > $3
     order by sequence limit $4`,
    [tx.organisationId, tx.environment, after, limit + 1],
  );
}

/** Newest first. */
export async function listEventsBefore(
  tx: OrganisationTx,
  before: string,
  limit: number,
): Promise<EventRow[]> {
  return tx.query<EventRow>(
    `select id, sequence, type, subject, data, created_at from events
     where organisation_id = $1 and (environment is null or environment = $2) and sequence < $3
     order by sequence desc limit $4`,
    [tx.organisationId, tx.environment, before, limit + 1],
  );
}
