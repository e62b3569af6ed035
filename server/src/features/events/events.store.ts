import type { OrganisationTx, Tx } from "../../platform/db/database.ts";

export interface EventRow {
  id: string;
  sequence: string;
  type: string;
  subject: string | null;
  data: Record<string, unknown>;
  created_at: Date;
}

/** Takes the organisation's next number; its row stays locked until the commit, so this comes last. */
export async function insertEvent(
  tx: Tx,
  event: Omit<EventRow, "sequence"> & { organisationId: string; environment: string | null },
): Promise<void> {
  const inserted = await tx.query(
    `with next as (update event_heads set head = head + 1 where organisation_id = $1 returning head)
     insert into events (organisation_id, sequence, id, environment, type, subject, data, created_at)
     select $1, head, $2, $3, $4, $5, $6, $7 from next returning sequence`,
    [
      event.organisationId,
      event.id,
      event.environment,
      event.type,
      event.subject,
      event.data,
      event.created_at,
    ],
  );
  if (inserted.length === 0) throw new Error("The organisation has no event counter.");
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

/** Where in the organisation's order an event stands. */
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
