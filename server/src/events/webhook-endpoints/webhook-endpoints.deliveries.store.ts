import type { Database, Environment, OrganisationTx, Tx } from "../../platform/db/database.ts";
import { sweepTable } from "../../platform/db/sweep.ts";

export type DeliveryStatus = "pending" | "delivered" | "failed";

export interface DeliveryRow {
  id: string;
  sequence: string;
  event_id: string;
  event_type: string;
  status: DeliveryStatus;
  attempts: number;
  next_attempt_at: Date | null;
  answered: number | null;
  error: string | null;
  attempted_at: Date | null;
  created_at: Date;
}

const COLUMNS =
  "id, sequence, event_id, event_type, status, attempts, next_attempt_at, answered, error, attempted_at, created_at";

/** Creates deliveries for new events of organisations that are behind. Returns how many events it read, `most` at most. */
export async function makeOutDeliveries(tx: Tx, most: number, at: Date): Promise<number> {
  const [row] = await tx.query<{ read: number }>("select make_out_deliveries($1, $2) as read", [most, at]);
  return row!.read;
}

/** Uses a separate transaction, because it blocks writers of events until it commits. */
export async function unmarkCaughtUp(db: Database): Promise<void> {
  await db.forSystem.write("webhooks", "select unmark_caught_up()");
}

/** Everything needed to send one. */
export interface DueDelivery {
  id: string;
  attempts: number;
  endpoint_id: string;
  url: string;
  secret_version: number;
  previous_secrets_until: Date[];
  secret_roots: number[];
  organisation_id: string;
  environment: Environment;
  event_id: string;
  sequence: string;
  type: string;
  subject: string | null;
  data: Record<string, unknown>;
  event_at: Date;
}

/** The deliveries of one process that are in progress, and the room for more. */
export interface Places {
  limits: { all: number; ofOrganisation: number; ofEndpoint: number };
  underWay: readonly Pick<DueDelivery, "endpoint_id" | "organisation_id">[];
  /** Endpoints that get none for now. */
  resting: readonly string[];
  /** If true, only organisations without a delivery in progress, and endpoints that do not fail, get a place. */
  isReserve: boolean;
}

/** Looks at this many endpoints at most, so that one look stays short. */
const MOST_ENDPOINTS = 200;

/**
 * Takes what is due, for as long as `until`; after that another worker may take it. The endpoints stay locked until the
 * transaction ends: a delivery that is created in the meantime waits, and so lowers `next_due_at` after it was raised here.
 */
export async function takeDeliveries(
  tx: Tx,
  times: { now: Date; until: Date },
  places: Places,
): Promise<DueDelivery[]> {
  const endpointIds = await lockDueEndpoints(tx, times.now, places);
  if (endpointIds.length === 0) return [];
  const taken = await takeDeliveriesOf(tx, endpointIds, times, places);
  await tx.query(
    `update webhook_endpoints e set next_due_at = (
       select min(next_attempt_at) from webhook_deliveries d where d.endpoint_id = e.id and d.status = 'pending')
     where e.id = any ($1::uuid[])`,
    [endpointIds],
  );
  return taken;
}

/** Endpoints with something due and a free place. Those without a place are left out, so that they hide no others. */
async function lockDueEndpoints(
  tx: Tx,
  now: Date,
  { limits, underWay, resting, isReserve }: Places,
): Promise<string[]> {
  const counts = countBy(underWay.map(({ organisation_id }) => organisation_id));
  const endpointCounts = countBy(underWay.map(({ endpoint_id }) => endpoint_id));
  const rows = await tx.query<{ id: string }>(
    `select id from webhook_endpoints
     where status = 'active' and next_due_at <= $1 and organisation_id <> all ($2::uuid[]) and id <> all ($3::uuid[])
       and (failing_since is null or not $5 and id <> all ($4::uuid[])) and not (select is_restore from feed_epoch)
     order by next_due_at limit $6 for no key update skip locked`,
    [
      now,
      idsFrom(counts, isReserve ? 1 : limits.ofOrganisation),
      [...idsFrom(endpointCounts, limits.ofEndpoint), ...resting],
      idsFrom(endpointCounts, 1),
      isReserve,
      MOST_ENDPOINTS,
    ],
  );
  return rows.map(({ id }) => id);
}

function countBy(ids: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}

function idsFrom(counts: ReadonlyMap<string, number>, least: number): string[] {
  return [...counts].filter(([, count]) => count >= least).map(([id]) => id);
}

/**
 * No more of each endpoint than there is room for, and one at a time of those that fail. Every organisation's first
 * comes before any organisation's second.
 */
async function takeDeliveriesOf(
  tx: Tx,
  endpointIds: readonly string[],
  { now, until }: { now: Date; until: Date },
  { limits, underWay, isReserve }: Places,
): Promise<DueDelivery[]> {
  return tx.query<DueDelivery>(
    `with busy as (
       select * from json_to_recordset($3) b(endpoint_id uuid, organisation_id uuid)
     ), candidates as (
       select d.id, d.next_attempt_at, (select count(*) from busy b where b.organisation_id = e.organisation_id)
         + row_number() over (partition by e.organisation_id order by d.next_attempt_at, d.sequence) as place
       from webhook_endpoints e
       cross join lateral (
         select d.id, d.next_attempt_at, d.sequence from webhook_deliveries d
         where d.endpoint_id = e.id and d.status = 'pending' and d.next_attempt_at <= $1
         order by d.next_attempt_at, d.sequence
         limit greatest(0, case when e.failing_since is null then $6::integer else 1 end
           - (select count(*) from busy b where b.endpoint_id = e.id))) d
       where e.id = any ($7::uuid[])
     ), due as (
       select d.id from (
         select c.id from candidates c where c.place <= $5 order by c.place, c.next_attempt_at limit $4) c
       join webhook_deliveries d on d.id = c.id
       where d.status = 'pending' and d.next_attempt_at <= $1 for update of d skip locked
     ), taken as (
       update webhook_deliveries d set attempts = attempts + 1, next_attempt_at = $2, attempted_at = $1
       from due where d.id = due.id returning d.*
     )
     select t.id, t.attempts, t.endpoint_id, e.url, e.secret_version, e.previous_secrets_until, e.secret_roots, t.organisation_id,
       t.environment, v.id as event_id, v.sequence, v.type, v.subject, v.data, v.created_at as event_at
     from taken t join webhook_endpoints e on e.id = t.endpoint_id
     join events v on v.organisation_id = t.organisation_id and v.sequence = t.sequence
     order by t.sequence`,
    [
      now,
      until,
      JSON.stringify(underWay.map(({ endpoint_id, organisation_id }) => ({ endpoint_id, organisation_id }))),
      limits.all - underWay.length,
      isReserve ? 1 : limits.ofOrganisation,
      limits.ofEndpoint,
      endpointIds,
    ],
  );
}

/** Has no effect if another worker has claimed the delivery since. */
export async function setDelivery(
  tx: Tx,
  { id, attempts }: Pick<DueDelivery, "id" | "attempts">,
  result: {
    status: DeliveryStatus;
    nextAttemptAt: Date | undefined;
    answered: number | null;
    error: string | null;
  },
): Promise<void> {
  await tx.query(
    `update webhook_deliveries set status = $3, next_attempt_at = $4, answered = $5, error = left($6, 300)
     where id = $1 and attempts = $2 and status = 'pending'`,
    [id, attempts, result.status, result.nextAttemptAt ?? null, result.answered, result.error],
  );
}

export async function listDeliveriesBefore(
  tx: OrganisationTx,
  endpointId: string,
  { status, before, limit }: { status: string | undefined; before: string | undefined; limit: number },
): Promise<DeliveryRow[]> {
  return tx.query<DeliveryRow>(
    `select ${COLUMNS} from webhook_deliveries
     where organisation_id = $1 and environment = $2 and endpoint_id = $3 and ($4::text is null or status = $4)
       and ($5::bigint is null or sequence < $5) order by sequence desc limit $6`,
    [tx.organisationId, tx.environment, endpointId, status ?? null, before ?? null, limit + 1],
  );
}

/** Schedules deliveries again, with the same ID: one, or all that were created within a period. Returns their count. */
export async function replayDeliveries(
  tx: OrganisationTx,
  endpointId: string,
  { id, status, from, to }: { id?: string; status?: string; from?: Date; to?: Date },
  now: Date,
): Promise<number> {
  const replayed = await tx.query(
    `update webhook_deliveries set status = 'pending', attempts = 0, next_attempt_at = $4
     where organisation_id = $1 and environment = $2 and endpoint_id = $3
       and ($5::uuid is null or id = $5) and ($6::text is null or status = $6)
       and ($7::timestamptz is null or created_at >= $7) and ($8::timestamptz is null or created_at < $8)
     returning 1`,
    [
      tx.organisationId,
      tx.environment,
      endpointId,
      now,
      id ?? null,
      status ?? null,
      from ?? null,
      to ?? null,
    ],
  );
  return replayed.length;
}

export async function deleteDeliveriesBefore(db: Database, before: Date): Promise<void> {
  await sweepTable(db, {
    table: "webhook_deliveries",
    where: "status <> 'pending' and created_at < $1",
    values: [before],
  });
}
