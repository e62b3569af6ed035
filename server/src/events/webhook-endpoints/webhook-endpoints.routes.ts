import { operation } from "../../app.ts";
import { pageOf } from "../../platform/http/page.ts";
import { ById } from "../../platform/http/shapes.ts";
import {
  ChangeWebhookEndpoint,
  CreateWebhookEndpoint,
  ReplayDeliveries,
  ReplayedDeliveries,
  WebhookDeliveriesQuery,
  type WebhookDelivery,
  WebhookDeliveryPage,
  WebhookEndpoint,
  WebhookEndpointPage,
  WebhookEndpointsQuery,
  WebhookEndpointWithSecret,
} from "./webhook-endpoints.schema.ts";
import {
  changeWebhookEndpoint,
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  type DeliveryRow,
  type EndpointRow,
  getWebhookEndpoint,
  hasWebhookEndpoint,
  listDeliveries,
  listWebhookEndpoints,
  replay,
  rotateWebhookSecret,
} from "./webhook-endpoints.ts";

const PATH = "/v1/webhook-endpoints";
const OF_PEOPLE = {
  tag: "Webhooks",
  access: { callers: "organisation", sessions: { roles: ["owner", "admin", "developer"] }, keys: "none" },
} as const;
const OF_ENDPOINT = { ...OF_PEOPLE, params: ById, notFound: "webhook_endpoint_not_found" } as const;

const createWebhookEndpointOperation = operation({
  ...OF_PEOPLE,
  id: "createWebhookEndpoint",
  method: "POST",
  path: PATH,
  summary: "Create a webhook endpoint",
  description:
    "Delivers new events at least once, signed after Standard Webhooks, with the event ID as `webhook-id`. Your server must return 2xx within ten seconds. Otherwise the service retries for four days. A 410 response disables the endpoint.",
  idempotency: "none",
  http: { hasSecret: true },
  body: CreateWebhookEndpoint,
  answers: { 201: WebhookEndpointWithSecret },
  errors: ["destination_not_allowed", "webhook_endpoint_limit_reached"],
  async run(app, { actor, body }) {
    const made = await app.db.forOrganisation(actor, (tx) => createWebhookEndpoint(tx, app, actor, body));
    return { status: 201, body: withSecret(made) };
  },
});

const listWebhookEndpointsOperation = operation({
  ...OF_PEOPLE,
  id: "listWebhookEndpoints",
  method: "GET",
  path: PATH,
  summary: "List webhook endpoints",
  description: "Lists the endpoints of the organisation in this environment.",
  idempotency: "none",
  query: WebhookEndpointsQuery,
  answers: { 200: WebhookEndpointPage },
  async run(app, { actor, query }) {
    return pageOf(app, { path: PATH, of: actor }, query, {
      rows: (page) => listWebhookEndpoints(app, actor, page),
      item: endpointOf,
      position: (row) => row.id,
    });
  },
});

const getWebhookEndpointOperation = operation({
  ...OF_ENDPOINT,
  id: "getWebhookEndpoint",
  method: "GET",
  path: `${PATH}/{id}`,
  summary: "Get a webhook endpoint",
  description: "Includes its delivery status.",
  idempotency: "none",
  answers: { 200: WebhookEndpoint },
  async run(app, { actor, params }) {
    return { status: 200, body: endpointOf(await getWebhookEndpoint(app, actor, params.id)) };
  },
});

const changeWebhookEndpointOperation = operation({
  ...OF_ENDPOINT,
  id: "changeWebhookEndpoint",
  method: "PATCH",
  path: `${PATH}/{id}`,
  summary: "Update a webhook endpoint",
  description:
    "Absent fields keep their value. Events that occur while the endpoint is disabled are delivered when it is active again.",
  idempotency: "optional",
  body: ChangeWebhookEndpoint,
  answers: { 200: WebhookEndpoint },
  errors: ["destination_not_allowed"],
  isVisible: (tx, { params }) => hasWebhookEndpoint(tx, params.id),
  async change(tx, { actor, params, body }, app) {
    const row = await changeWebhookEndpoint(tx, app, actor, { id: params.id, ...body });
    return { status: 200, body: endpointOf(row) };
  },
});

const deleteWebhookEndpointOperation = operation({
  ...OF_ENDPOINT,
  id: "deleteWebhookEndpoint",
  method: "DELETE",
  path: `${PATH}/{id}`,
  summary: "Delete a webhook endpoint",
  description: "Stops deliveries to the endpoint.",
  idempotency: "optional",
  answers: { 204: null },
  isVisible: (tx, { params }) => hasWebhookEndpoint(tx, params.id),
  async change(tx, { actor, params }, app) {
    await deleteWebhookEndpoint(tx, app, actor, params.id);
    return { status: 204 };
  },
});

const rotateWebhookSecretOperation = operation({
  ...OF_ENDPOINT,
  id: "rotateWebhookSecret",
  method: "POST",
  path: `${PATH}/{id}/rotate`,
  summary: "Rotate a webhook secret",
  description: "For a day, deliveries carry signatures of both secrets, the new one first.",
  idempotency: "none",
  http: { hasSecret: true },
  answers: { 200: WebhookEndpointWithSecret },
  async run(app, { actor, params }) {
    const made = await app.db.forOrganisation(actor, (tx) => rotateWebhookSecret(tx, app, actor, params.id));
    return { status: 200, body: withSecret(made) };
  },
});

const listWebhookDeliveriesOperation = operation({
  ...OF_ENDPOINT,
  id: "listWebhookDeliveries",
  method: "GET",
  path: `${PATH}/{id}/deliveries`,
  summary: "List deliveries",
  description: "Newest first.",
  idempotency: "none",
  query: WebhookDeliveriesQuery,
  answers: { 200: WebhookDeliveryPage },
  async run(app, { actor, params, query }) {
    const { status, ...page } = query;
    const filters = { ...(status && { status }) };
    return pageOf(app, { path: `${PATH}/${params.id}/deliveries`, of: actor, filters }, page, {
      rows: (wanted) => listDeliveries(app, actor, { id: params.id, status }, wanted),
      item: deliveryOf,
      position: (row) => row.sequence,
    });
  },
});

const replayWebhookDeliveriesOperation = operation({
  ...OF_ENDPOINT,
  id: "replayWebhookDeliveries",
  method: "POST",
  path: `${PATH}/{id}/replay`,
  summary: "Replay deliveries",
  description:
    "Sends one delivery again, or all that match a status and creation time. IDs stay the same, so your server can detect duplicates.",
  idempotency: "optional",
  body: ReplayDeliveries,
  answers: { 200: ReplayedDeliveries },
  isVisible: (tx, { params }) => hasWebhookEndpoint(tx, params.id),
  async change(tx, { actor, params, body }, app) {
    return { status: 200, body: { replayed: await replay(tx, app, actor, { id: params.id, ...body }) } };
  },
});

function withSecret({
  row,
  secret,
}: {
  row: EndpointRow;
  secret: string;
}): WebhookEndpoint & { secret: string } {
  return { ...endpointOf(row), secret };
}

function endpointOf(row: EndpointRow): WebhookEndpoint {
  return {
    id: row.id,
    url: row.url,
    description: row.description,
    event_types: row.event_types,
    status: row.status,
    disabled_reason: row.disabled_reason,
    failing_since: row.failing_since?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  };
}

function deliveryOf(row: DeliveryRow): WebhookDelivery {
  return {
    id: row.id,
    event_id: row.event_id,
    event_type: row.event_type,
    status: row.status,
    attempts: row.attempts,
    next_attempt_at: row.next_attempt_at?.toISOString() ?? null,
    answered: row.answered,
    error: row.error,
    attempted_at: row.attempted_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  };
}

export const webhookEndpointsOperations = [
  createWebhookEndpointOperation,
  listWebhookEndpointsOperation,
  getWebhookEndpointOperation,
  changeWebhookEndpointOperation,
  deleteWebhookEndpointOperation,
  rotateWebhookSecretOperation,
  listWebhookDeliveriesOperation,
  replayWebhookDeliveriesOperation,
];
