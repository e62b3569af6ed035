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

/** Of the events that came since endpoints were last looked at; says how many were read. */
export async function makeOutDeliveries(tx: Tx, most: number, at: Date): Promise<number> {
  const [row] = await tx.query<{ read: number }>("select make_out_deliveries($1, $2) as read", [most, at]);
  return row!.read;
}

/** Everything needed to send one. */
export interface DueDelivery {
  id: string;
  attempts: number;
  endpoint_id: string;
  url: string;
  secret_version: number;
  previous_secret_until: Date | null;
  failing_since: Date | null;
  organisation_id: string;
  environment: Environment;
  event_id: string;
  type: string;
  subject: string | null;
  data: Record<string, unknown>;
  event_at: Date;
}

/** Takes what is due; should nobody say what became of it until then, somebody else takes it. */
export async function takeDeliveries(
  tx: Tx,
  { now, until }: { now: Date; until: Date },
  { limit, except }: { limit: number; except: readonly string[] },
): Promise<DueDelivery[]> {
  return tx.query<DueDelivery>(
    `with due as (
       select d.id from webhook_deliveries d join webhook_endpoints e on e.id = d.endpoint_id
       where d.status = 'pending' and d.next_attempt_at <= $1 and e.status = 'active' and d.endpoint_id <> all ($4::uuid[])
       order by d.next_attempt_at, d.sequence limit $3 for update of d skip locked
     ), taken as (
       update webhook_deliveries d set attempts = attempts + 1, next_attempt_at = $2, attempted_at = $1
       from due where d.id = due.id returning d.*
     )
     select t.id, t.attempts, t.endpoint_id, e.url, e.secret_version, e.previous_secret_until, e.failing_since,
       t.organisation_id, t.environment, v.id as event_id, v.type, v.subject, v.data, v.created_at as event_at
     from taken t join webhook_endpoints e on e.id = t.endpoint_id
     join events v on v.organisation_id = t.organisation_id and v.sequence = t.sequence
     order by t.sequence`,
    [now, until, limit, except],
  );
}

/** Not where somebody else has taken it meanwhile. */
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

/** Sends again from the beginning, with the same id: one delivery, or what was made out in a while. Says how many. */
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
