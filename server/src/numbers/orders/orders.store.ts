import { binder, scanKey } from "../../platform/db/bounded-scan.ts";
import type {
  Database,
  Environment,
  OrganisationScope,
  OrganisationTx,
  Tx,
} from "../../platform/db/database.ts";
import { REQUIREMENTS_OF_ITEM, type RequirementRow } from "./orders.requirements.store.ts";
import type { OrderStatus, Step } from "./orders.rules.ts";

export interface OrderRow {
  id: string;
  organisation_id: string;
  environment: Environment;
  job_id: string;
  status: OrderStatus;
  carrier: string;
  criteria: { country: string; type?: string; prefix?: string } | null;
  reservation_id: string | null;
  quantity: number;
  all_or_nothing: boolean;
  /** A destination, as routing keeps it. */
  routing: object | null;
  routing_reason: string | null;
  label: string | null;
  tags: string[];
  external_ref: string | null;
  metadata: Record<string, string>;
  created_by_kind: string;
  created_by_id: string | null;
  created_by_name: string | null;
  created_at: Date;
  finished_at: Date | null;
}

export interface ItemRow {
  position: number;
  e164: string | null;
  step: Step;
  round: number;
  reference: string | null;
  return_reference: string | null;
  refusals: number;
  number_id: string | null;
  is_routed: boolean;
  is_delivered: boolean;
  error_code: string | null;
  error_detail: string | null;
  /** Empty if the carrier needs nothing, or has not said what it needs. */
  requirements: RequirementRow[];
}

export type Order = OrderRow & { items: ItemRow[] };

const COLUMNS = `id, organisation_id, environment, job_id, status, carrier, criteria, reservation_id, quantity, all_or_nothing,
  routing, routing_reason, label, tags, external_ref, metadata, created_by_kind, created_by_id, created_by_name, created_at, finished_at`;

const ITEM =
  "position, e164, step, round, reference, return_reference, refusals, number_id, is_routed, is_delivered, error_code, error_detail";

const WITH_ITEMS = `${COLUMNS}, (
  select coalesce(json_agg(to_jsonb(i) order by i.position), '[]') from (
    select ${ITEM}, ${REQUIREMENTS_OF_ITEM} from order_items i
    where i.organisation_id = o.organisation_id and i.environment = o.environment and i.order_id = o.id) i) as items`;

export async function insertOrder(
  tx: OrganisationTx,
  order: Omit<OrderRow, "organisation_id" | "environment" | "status" | "finished_at">,
  { key, e164s }: { key: string; e164s: readonly string[] | null },
): Promise<void> {
  await tx.query(
    `insert into orders (organisation_id, environment, id, job_id, carrier, idempotency_key, criteria, reservation_id, quantity,
       all_or_nothing, routing, routing_reason, label, tags, external_ref, created_by_kind, created_by_id, created_by_name, created_at, metadata)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20)`,
    [
      tx.organisationId,
      tx.environment,
      order.id,
      order.job_id,
      order.carrier,
      key,
      order.criteria,
      order.reservation_id,
      order.quantity,
      order.all_or_nothing,
      order.routing,
      order.routing_reason,
      order.label,
      order.tags,
      order.external_ref,
      order.created_by_kind,
      order.created_by_id,
      order.created_by_name,
      order.created_at,
      order.metadata,
    ],
  );
  await tx.query(
    `insert into order_items (organisation_id, environment, order_id, position, e164, step)
     select $1, $2, $3, n, ($5::text[])[n], case when $5::text[] is null then 'wanted' else 'chosen' end
     from generate_series(1, $4::int) n`,
    [tx.organisationId, tx.environment, order.id, order.quantity, e164s],
  );
}

export async function findOrder(tx: OrganisationTx, id: string): Promise<Order | undefined> {
  const [row] = await tx.query<Order>(
    `select ${WITH_ITEMS} from orders o where organisation_id = $1 and environment = $2 and id = $3`,
    [tx.organisationId, tx.environment, id],
  );
  return row;
}

export async function findOrderIdOfKey(tx: OrganisationTx, key: string): Promise<string | undefined> {
  const [row] = await tx.query<{ id: string }>(
    "select id from orders where organisation_id = $1 and environment = $2 and idempotency_key = $3",
    [tx.organisationId, tx.environment, key],
  );
  return row?.id;
}

export interface OrderFilters {
  status?: OrderStatus;
  external_ref?: string;
}

/** Shared with other orders. A change of the carrier's state waits for all of them. */
export async function shareCarrier(tx: OrganisationTx, name: string): Promise<void> {
  await tx.query("select pg_advisory_xact_lock_shared(hashtextextended('carriers/' || $1, 0))", [name]);
}

/** Undefined if it has no row. */
export async function findCarrierState(tx: OrganisationTx, name: string): Promise<string | undefined> {
  const [row] = await tx.query<{ state: string }>("select state from carriers where name = $1", [name]);
  return row?.state;
}

/** Newest first. Returns one row more than `limit`, if there is one. */
export async function listOrdersBefore(
  db: Database,
  scope: OrganisationScope,
  page: OrderFilters & { before: string | undefined; limit: number },
): Promise<OrderRow[]> {
  const { text, values } = ordersStatement(scope, page);
  return db.forOrganisation.readPlanned<OrderRow>(scope, text, values);
}

/** An index has the filters in front of the ID. Orders with one reference are few. */
export function ordersStatement(
  { organisationId, environment }: OrganisationScope,
  { status, external_ref, before, limit }: OrderFilters & { before: string | undefined; limit: number },
): { text: string; values: unknown[] } {
  const { values, bind } = binder(organisationId, environment);
  const [column, value] = external_ref === undefined ? ["status", status] : ["external_ref", external_ref];
  const key = scanKey("id", value === undefined ? undefined : { column, value: bind(value, "text") });
  const conditions = [
    "organisation_id = $1 and environment = $2",
    ...key.conditions,
    ...(status === undefined || column === "status" ? [] : [`status = ${bind(status, "text")}`]),
    ...(before === undefined ? [] : [key.compare("<", bind(before, "uuid"))]),
  ];
  const text = `select ${COLUMNS} from orders where ${conditions.join(" and ")}
    order by ${key.order(" desc")} limit ${bind(limit + 1, "integer")}`;
  return { text, values };
}

const ORDER_OF_JOB = `select ${WITH_ITEMS} from orders o
  where organisation_id = $1 and environment = $2 and id = $3`;

/** For the worker, which knows only its job. */
export async function findOrderOfJob(
  tx: Pick<Tx, "query">,
  job: { organisation_id: string; environment: string; order_id: string | null },
): Promise<Order | undefined> {
  const [row] = await tx.query<Order>(ORDER_OF_JOB, [job.organisation_id, job.environment, job.order_id]);
  return row;
}

/** The same as one statement without a transaction. */
export async function readOrderOfJob(
  db: Database,
  job: { organisation_id: string; environment: string; order_id: string | null },
): Promise<Order | undefined> {
  const [row] = await db.forSystem.read<Order>("jobs", ORDER_OF_JOB, [
    job.organisation_id,
    job.environment,
    job.order_id,
  ]);
  return row;
}

/** Claims the chosen numbers for one purchase. Returns the positions of those without another claim. */
export async function submitItems(tx: Tx, order: OrderRow, reference: string): Promise<number[]> {
  const rows = await tx.query<{ position: number }>(
    "select position from submit_order_items($1, $2, $3, $4) position",
    [order.organisation_id, order.environment, order.id, reference],
  );
  return rows.map(({ position }) => position);
}

export interface ItemMove {
  from: ItemRow;
  to: ItemRow;
}

/** Compare and set; says how many were still as they were known. */
export async function setItems(tx: Tx, order: OrderRow, moves: readonly ItemMove[]): Promise<number> {
  const rows = moves.map(({ from, to: { requirements: _requirements, ...to } }) => ({
    ...to,
    was: from.step,
  }));
  const set = await tx.query(
    `update order_items i set e164 = n.e164, step = n.step, round = n.round, reference = n.reference,
       return_reference = n.return_reference, refusals = n.refusals, number_id = n.number_id, is_routed = n.is_routed,
       is_delivered = n.is_delivered, error_code = n.error_code,
       error_detail = left(n.error_detail, 1000)
     from jsonb_to_recordset($4) n(position smallint, was text, e164 text, step text, round smallint, reference uuid,
       return_reference uuid, refusals smallint, number_id uuid, is_routed boolean, is_delivered boolean, error_code text, error_detail text)
     where i.organisation_id = $1 and i.environment = $2 and i.order_id = $3 and i.position = n.position and i.step = n.was
     returning 1`,
    [order.organisation_id, order.environment, order.id, JSON.stringify(rows)],
  );
  return set.length;
}

export async function setOrderStatus(
  tx: Tx,
  order: OrderRow,
  status: OrderStatus,
  finishedAt: Date | null,
): Promise<void> {
  await tx.query(
    "update orders set status = $4, finished_at = $5 where organisation_id = $1 and environment = $2 and id = $3",
    [order.organisation_id, order.environment, order.id, status, finishedAt],
  );
}

/** Returns the numbers that an order is buying or has just bought. */
export async function listUnderWay(
  db: Database,
  { organisation_id, environment }: OrderRow,
  e164s: readonly string[],
): Promise<string[]> {
  const rows = await db.forSystem.read<{ e164: string }>(
    "jobs",
    environment === "live"
      ? `select e164 from order_items where environment = 'live' and step in ('submitted', 'unknown', 'bought', 'returning')
           and e164 = any ($1::text[])`
      : `select e164 from order_items where environment = 'test' and step in ('submitted', 'unknown', 'bought', 'returning')
           and e164 = any ($1::text[]) and organisation_id = $2`,
    environment === "live" ? [e164s] : [e164s, organisation_id],
  );
  return rows.map(({ e164 }) => e164);
}
