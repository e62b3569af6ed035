import { type App, operation } from "../../app.ts";
import type { Answer } from "../../platform/http/operation.ts";
import { pageOf } from "../../platform/http/page.ts";
import { ById } from "../../platform/http/shapes.ts";
import { waitForJob } from "../jobs/jobs.ts";
import { endOfWaiting, shownStatus, waitsSince } from "./orders.requirements.rules.ts";
import { SubmitRequirements } from "./orders.requirements.schema.ts";
import { statusOf } from "./orders.rules.ts";
import { submitRequirements } from "./orders.submissions.ts";
import {
  type OrderItem,
  OrderPage,
  OrderRecord,
  OrdersQuery,
  type OrderSummary,
  PlaceOrder,
} from "./orders.schema.ts";
import {
  findOrder,
  foreseeOrder,
  getOrder,
  type ItemRow,
  listOrders,
  type Order,
  type OrderRow,
  placeOrder,
} from "./orders.ts";

const PATH = "/v1/numbers/orders";
const READERS = { callers: "organisation", sessions: { roles: "any" }, keys: "none" } as const;

const placeOrderOperation = operation({
  id: "placeOrder",
  method: "POST",
  path: PATH,
  tag: "Orders",
  summary: "Order numbers",
  description:
    "Responds when the order is stored. `Location` is the URL of its job, and `Prefer: wait` waits for it. Numbers that are taken, in quarantine or out of stock fail with `number_not_available`. With `all_or_nothing`, the service returns bought numbers to the carrier if one is not available. An idempotency key of an order never expires: a late repeat is rejected with the `order_id`.",
  access: { callers: "organisation", sessions: { roles: ["owner", "admin"] }, keys: "none" },
  idempotency: "required",
  http: { waitsFor: "the order has finished or begins to need your action", lateRepeatNames: "order_id" },
  body: PlaceOrder,
  answers: { 202: OrderRecord },
  errors: [
    "reservation_not_active",
    "destination_not_allowed",
    "connection_unknown",
    "carrier_inventory_not_connected",
    "no_carrier",
  ],
  prepare: (app, { body }) => foreseeOrder(app, body),
  async change(tx, { actor, body, key }, app) {
    return accepted(app, await placeOrder(tx, app, actor, { body, key: key! }));
  },
  async settle(app, { actor, caller }, until, first) {
    const { id, job_id } = JSON.parse(first) as OrderRecord;
    await waitForJob(app, caller, job_id, until);
    return accepted(app, await getOrder(app, actor, id));
  },
});

const submitRequirementsOperation = operation({
  id: "submitRequirements",
  method: "POST",
  path: `${PATH}/{id}/requirements`,
  tag: "Requirements",
  summary: "Submit evidence for an order",
  description:
    "Stores addresses, documents or end-user data for requirements that are `missing` or `rejected`, all of them or none. The job of the order submits them to the carrier and continues when the carrier has accepted them.",
  access: { callers: "organisation", sessions: { roles: ["owner", "admin"] }, keys: "none" },
  idempotency: "optional",
  params: ById,
  notFound: "order_not_found",
  body: SubmitRequirements,
  answers: { 202: OrderRecord },
  errors: ["requirement_not_open", "evidence_not_suitable"],
  isVisible: async (tx, { params }) => (await findOrder(tx, params.id)) !== undefined,
  async change(tx, { actor, params, body }, app) {
    return accepted(app, await submitRequirements(tx, app, actor, { id: params.id, ...body }));
  },
});

function accepted(app: Pick<App, "config">, order: Order): Answer {
  const { config } = app;
  return {
    status: 202,
    body: shownOrder(app, order, true),
    headers: { location: `${config.baseUrl}/v1/jobs/${order.job_id}` },
  };
}

const getOrderOperation = operation({
  id: "getOrder",
  method: "GET",
  path: `${PATH}/{id}`,
  tag: "Orders",
  summary: "Get an order",
  description: "`routing` is `null` if your role cannot read routing.",
  access: READERS,
  idempotency: "none",
  params: ById,
  notFound: "order_not_found",
  answers: { 200: OrderRecord },
  async run(app, { actor, params }) {
    const order = await getOrder(app, actor, params.id);
    return { status: 200, body: shownOrder(app, order, actor.role !== "member") };
  },
});

const listOrdersOperation = operation({
  id: "listOrders",
  method: "GET",
  path: PATH,
  tag: "Orders",
  summary: "List orders",
  description: "Newest first, without items. All filters must match.",
  access: READERS,
  idempotency: "none",
  query: OrdersQuery,
  answers: { 200: OrderPage },
  async run(app, { actor, query }) {
    const { limit: _limit, cursor: _cursor, ...filters } = query;
    return pageOf(app, { path: PATH, of: actor, filters }, query, {
      rows: (page) => listOrders(app, actor, filters, page),
      item: (row) => shownSummary(row, actor.role !== "member"),
      position: (row) => row.id,
    });
  },
});

function shownOrder({ config }: Pick<App, "config">, order: Order, showsRouting: boolean): OrderRecord {
  return {
    ...shownSummary(order, showsRouting),
    items: order.items.map((item) => ({
      ...shownItem(item, showsRouting),
      ...shownRequirements(item, config.requirementDays),
    })),
  };
}

function shownRequirements(
  item: ItemRow,
  days: number,
): Pick<OrderItem, "requirements" | "action_required_until"> {
  const since = waitsSince(item);
  return {
    requirements: item.requirements.map((row) => ({
      id: row.requirement_id,
      type: row.type,
      description: row.description,
      country: row.country,
      document_kinds: row.document_kinds,
      status: shownStatus(row.status),
      rejected_reason: row.rejected_reason,
      address_id: row.address_id,
      document_id: row.document_id,
      updated_at: row.updated_at,
    })),
    action_required_until: since ? endOfWaiting(since, days).toISOString() : null,
  };
}

function shownSummary(row: OrderRow, showsRouting: boolean): OrderSummary {
  return {
    id: row.id,
    job_id: row.job_id,
    status: row.status,
    quantity: row.quantity,
    criteria: row.criteria,
    reservation_id: row.reservation_id,
    all_or_nothing: row.all_or_nothing,
    routing: showsRouting ? (row.routing as OrderSummary["routing"]) : null,
    label: row.label,
    tags: row.tags,
    external_ref: row.external_ref,
    metadata: row.metadata,
    created_by: {
      kind: row.created_by_kind as "session",
      id: row.created_by_id,
      name: row.created_by_name,
    },
    created_at: row.created_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
  };
}

function shownItem(
  item: ItemRow,
  showsRouting: boolean,
): Omit<OrderItem, "requirements" | "action_required_until"> {
  const { e164, step, number_id, error_code, error_detail } = item;
  const hasEnded = step !== "returning" && error_code !== null;
  // All that can be wrong with a number that was got is its routing.
  const isHidden = step === "active" && !showsRouting;
  return {
    e164,
    status: statusOf(item),
    number_id,
    error: hasEnded && !isHidden ? { code: error_code, detail: error_detail! } : null,
  };
}

export const ordersOperations = [
  placeOrderOperation,
  listOrdersOperation,
  getOrderOperation,
  submitRequirementsOperation,
];
