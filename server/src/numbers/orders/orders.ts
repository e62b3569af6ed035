import type { App } from "../../app.ts";
import type { OrderingCarrier } from "../carriers/carrier.ts";
import type { OrganisationTx } from "../../platform/db/database.ts";
import type { Actor } from "../../platform/http/access.ts";
import type { Page } from "../../platform/http/page.ts";
import { newId } from "../../platform/ids.ts";
import { spend } from "../../platform/limits/limits.ts";
import { ApiError, notFound } from "../../platform/api-error.ts";
import { authorOf } from "../../events/audit/audit.ts";
import { recordChange } from "../../events/events/events.ts";
import { startJob } from "../jobs/jobs.ts";
import { tidyTags } from "../numbers/numbers.ts";
import { orderReservation } from "../reservations/reservations.ts";
import { destinationFault, destinationOf, rejectDestination } from "../routing/routing.ts";
import { chooseCarrier } from "./orders.carrier.ts";
import type { PlaceOrder } from "./orders.schema.ts";
import {
  findOrder,
  findOrderIdOfKey,
  insertOrder,
  type ItemRow,
  listOrdersBefore,
  type Order,
  type OrderFilters,
  type OrderRow,
} from "./orders.store.ts";

export type { ItemRow, Order, OrderRow };
export { findOrder };

type Needs = Pick<App, "db" | "clock" | "config" | "jobs" | "names" | "carriers">;

/** Looks up the names in an order's routing, so that placing it finds them known. */
export async function foreseeOrder(
  app: Pick<App, "config" | "names">,
  { routing }: PlaceOrder,
): Promise<void> {
  if (routing) await destinationFault(app, destinationOf(routing));
}

/** Stores the order. A separate job buys the numbers. */
export async function placeOrder(
  tx: OrganisationTx,
  app: Needs,
  actor: Actor,
  { body, key }: { body: PlaceOrder; key: string },
): Promise<Order> {
  rejectMixture(body);
  await rejectOldKey(tx, key);
  const carrier = await chooseCarrier(tx, app, body);
  const routing = body.routing ? destinationOf(body.routing) : null;
  if (routing) await rejectDestination(tx, app, routing, "#/routing");
  const author = authorOf(actor.caller, actor.origin);
  const now = app.clock.now();
  const e164s = await numbersOf(tx, app, actor, { body, carrier });
  const quantity = e164s?.length ?? body.quantity!;
  await spendLimits(app, actor, quantity);

  const id = newId();
  const requestId = actor.origin.requestId;
  const wanted = { type: "number_order", total: quantity, orderId: id, requestId, at: now } as const;
  const order = {
    id,
    job_id: await startJob(tx, app, wanted),
    carrier: carrier.name,
    criteria: body.criteria ?? null,
    reservation_id: body.reservation_id?.toLowerCase() ?? null,
    quantity,
    all_or_nothing: body.all_or_nothing ?? false,
    routing,
    routing_reason: body.routing?.reason ?? null,
    label: body.label?.trim() ?? null,
    tags: tidyTags(body.tags ?? []),
    external_ref: body.external_ref ?? null,
    metadata: body.metadata ?? {},
    created_by_kind: author.actor_kind,
    created_by_id: author.actor_id,
    created_by_name: author.actor_name,
    created_at: now,
  };
  await insertOrder(tx, order, { key, e164s });
  await recordChange(tx, author, now, {
    type: "order.created",
    organisationId: tx.organisationId,
    environment: tx.environment,
    subject: id,
    data: { job_id: order.job_id, quantity },
  });
  return (await findOrder(tx, id))!;
}

export async function getOrder({ db }: Pick<App, "db">, actor: Actor, id: string): Promise<Order> {
  const order = await db.forOrganisation(actor, (tx) => findOrder(tx, id));
  if (!order) throw notFound("order_not_found");
  return order;
}

export async function listOrders(
  { db }: Pick<App, "db">,
  actor: Actor,
  filters: OrderFilters,
  page: Page,
): Promise<OrderRow[]> {
  return listOrdersBefore(db, actor, { ...filters, before: page.after, limit: page.limit });
}

/** The stored response of the key has expired, but the order of a key is kept forever. */
async function rejectOldKey(tx: OrganisationTx, key: string): Promise<void> {
  const orderId = await findOrderIdOfKey(tx, key);
  if (!orderId) return;
  throw new ApiError(
    "idempotency_key_reused",
    "This Idempotency-Key was used for an earlier order. Send a new key.",
    {
      members: { order_id: orderId },
    },
  );
}

const EXACTLY_ONE = "Send exactly one of numbers, reservation_id, or criteria with quantity.";

/** Criteria without their quantity, or a quantity without criteria, get past the schema if the request also lists numbers or a reservation. */
function rejectMixture(body: PlaceOrder): void {
  const [, ...others] = (["numbers", "reservation_id", "criteria"] as const).filter(
    (way) => body[way] !== undefined,
  );
  if (others.length > 0)
    throw new ApiError("invalid_request", EXACTLY_ONE, {
      errors: others.map((way) => ({ pointer: `#/${way}`, code: "not_allowed", detail: EXACTLY_ONE })),
    });
  if (body.quantity !== undefined && !body.criteria)
    throw new ApiError("invalid_request", "quantity is allowed only with criteria.", {
      errors: [{ pointer: "#/quantity", code: "unknown", detail: "quantity is allowed only with criteria." }],
    });
}

/** Undefined if they are still to be chosen. */
async function numbersOf(
  tx: OrganisationTx,
  app: Needs,
  actor: Actor,
  { body, carrier }: { body: PlaceOrder; carrier: OrderingCarrier },
): Promise<string[] | null> {
  if (body.numbers) return body.numbers;
  if (!body.reservation_id) return null;
  const of = { id: body.reservation_id.toLowerCase(), carrier: carrier.name };
  return (await orderReservation(tx, app, actor, of)).numbers;
}

async function spendLimits(
  app: Needs,
  { organisationId, environment, origin }: Actor,
  quantity: number,
): Promise<void> {
  const { ordersPerSecond, orderedNumbersPerDay } = app.config.limits;
  const subject = `${organisationId} ${environment}`;
  await spend(app, origin, { name: "orders", perWindow: ordersPerSecond, windowSeconds: 1, subject });
  const daily = { name: "ordered_numbers", perWindow: orderedNumbersPerDay, windowSeconds: 86_400 };
  await spend(app, origin, { ...daily, subject, uses: quantity });
}
