import type { App } from "../../app.ts";
import type { OrganisationTx } from "../../platform/db/database.ts";
import { checkTargetUrl } from "../../platform/egress.ts";
import type { Actor } from "../../platform/http/access.ts";
import type { Page } from "../../platform/http/page.ts";
import { newId } from "../../platform/ids.ts";
import { ApiError, notFound } from "../../platform/api-error.ts";
import { afterRotation } from "../../platform/signing-secrets.ts";
import { authorOf } from "../audit/audit.ts";
import { type Change, isEventSelector, lockChanges, recordChange } from "../events/events.ts";
import {
  deleteDeliveriesBefore,
  type DeliveryRow,
  listDeliveriesBefore,
  replayDeliveries,
} from "./webhook-endpoints.deliveries.store.ts";
import type {
  ChangeWebhookEndpoint,
  CreateWebhookEndpoint,
  ReplayDeliveries,
} from "./webhook-endpoints.schema.ts";
import { secretOf } from "./webhook-endpoints.signature.ts";
import {
  countEndpoints,
  deleteEndpoint,
  type EndpointRow,
  findEndpoint,
  insertEndpoint,
  listEndpointsAfter,
  lockEndpoint,
  lockEndpointToDelete,
  setEndpoint,
} from "./webhook-endpoints.store.ts";

export type { DeliveryRow, EndpointRow };

type Needs = Pick<App, "clock" | "config" | "secrets">;

const MOST_ENDPOINTS = 50;

export async function createWebhookEndpoint(
  tx: OrganisationTx,
  app: Needs,
  actor: Actor,
  { url, description = null, event_types = [] }: CreateWebhookEndpoint,
): Promise<{ row: EndpointRow; secret: string }> {
  rejectUrl(app, url);
  rejectUnknownTypes(event_types);
  // Counted behind it, or two at once would both be the last.
  await lockChanges(tx, [tx.organisationId]);
  if ((await countEndpoints(tx)) >= MOST_ENDPOINTS)
    throw new ApiError(
      "webhook_endpoint_limit_reached",
      `There are already ${MOST_ENDPOINTS} endpoints. Delete one first.`,
    );
  const id = newId();
  const created_at = app.clock.now();
  const { rootId } = app.secrets.current("webhook-endpoint");
  await insertEndpoint(tx, { id, url, description, event_types, secret_roots: [rootId], created_at });
  await record(tx, app, actor, { type: "webhook_endpoint.created", id, data: { url, event_types } });
  return { row: (await findEndpoint(tx, id))!, secret: secretOf(app.secrets, { id, version: 1, rootId }) };
}

/** Deliveries created while it was disabled are sent once it is active again. */
export async function changeWebhookEndpoint(
  tx: OrganisationTx,
  app: Needs,
  actor: Actor,
  { id, ...wanted }: ChangeWebhookEndpoint & { id: string },
): Promise<EndpointRow> {
  if (wanted.url !== undefined) rejectUrl(app, wanted.url);
  if (wanted.event_types) rejectUnknownTypes(wanted.event_types);
  const row = await locked(tx, id);
  const isRevived = wanted.status === "active" && row.status === "disabled";
  const isElsewhere = wanted.url !== undefined && wanted.url !== row.url;
  const changed = {
    ...row,
    ...wanted,
    ...(wanted.status !== undefined && { disabled_reason: null }),
    ...((isRevived || isElsewhere) && { failing_since: null }),
  };
  await setEndpoint(tx, changed);
  await record(tx, app, actor, {
    type: "webhook_endpoint.changed",
    id,
    data: wanted,
    before: Object.fromEntries(Object.keys(wanted).map((name) => [name, row[name as keyof typeof wanted]])),
    after: wanted,
  });
  return changed;
}

export async function rotateWebhookSecret(
  tx: OrganisationTx,
  app: Needs,
  actor: Actor,
  id: string,
): Promise<{ row: EndpointRow; secret: string }> {
  const row = await locked(tx, id);
  const { rootId } = app.secrets.current("webhook-endpoint");
  const changed = { ...row, ...afterRotation(row, rootId, app.clock.now()) };
  await setEndpoint(tx, changed);
  await record(tx, app, actor, { type: "webhook_endpoint.secret_rotated", id });
  const secret = secretOf(app.secrets, { id, version: changed.secret_version, rootId });
  return { row: changed, secret };
}

export async function deleteWebhookEndpoint(
  tx: OrganisationTx,
  app: Needs,
  actor: Actor,
  id: string,
): Promise<void> {
  if (!(await lockEndpointToDelete(tx, id))) noSuchEndpoint();
  const { url, description, event_types, status } = (await findEndpoint(tx, id)) ?? noSuchEndpoint();
  await deleteEndpoint(tx, id);
  const before = { url, description, event_types, status };
  await record(tx, app, actor, { type: "webhook_endpoint.deleted", id, before });
}

export async function getWebhookEndpoint(
  { db }: Pick<App, "db">,
  actor: Actor,
  id: string,
): Promise<EndpointRow> {
  return (await db.forOrganisation(actor, (tx) => findEndpoint(tx, id))) ?? noSuchEndpoint();
}

export async function hasWebhookEndpoint(tx: OrganisationTx, id: string): Promise<boolean> {
  return (await findEndpoint(tx, id)) !== undefined;
}

export async function listWebhookEndpoints(
  { db }: Pick<App, "db">,
  actor: Actor,
  page: Page,
): Promise<EndpointRow[]> {
  return db.forOrganisation(actor, (tx) => listEndpointsAfter(tx, page.after, page.limit));
}

export async function listDeliveries(
  { db }: Pick<App, "db">,
  actor: Actor,
  { id, status }: { id: string; status?: string | undefined },
  page: Page,
): Promise<DeliveryRow[]> {
  return db.forOrganisation(actor, async (tx) => {
    void ((await findEndpoint(tx, id)) ?? noSuchEndpoint());
    return listDeliveriesBefore(tx, id, { status, before: page.after, limit: page.limit });
  });
}

export async function replay(
  tx: OrganisationTx,
  app: Needs,
  actor: Actor,
  { id, delivery_id, status, from, to }: ReplayDeliveries & { id: string },
): Promise<number> {
  await locked(tx, id);
  const wanted = {
    ...(delivery_id && { id: delivery_id }),
    ...(status && { status }),
    ...(from !== undefined && { from: momentOf(from, "from") }),
    ...(to !== undefined && { to: momentOf(to, "to") }),
  };
  const count = await replayDeliveries(tx, id, wanted, app.clock.now());
  await record(tx, app, actor, { type: "webhook_endpoint.replayed", id, data: { replayed: count } });
  return count;
}

const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i;

function momentOf(text: string, member: "from" | "to"): Date {
  const at = new Date(text);
  if (RFC_3339.test(text) && !Number.isNaN(at.getTime())) return at;
  const detail = `${member} is not a valid date and time.`;
  throw new ApiError("invalid_request", detail, {
    errors: [{ pointer: `#/${member}`, code: "malformed", detail }],
  });
}

const KEPT_MS = 30 * 86_400_000;

/** Deletes deliveries that ended a month ago. */
export async function sweepDeliveries({ db, clock }: Pick<App, "db" | "clock">): Promise<void> {
  await deleteDeliveriesBefore(db, new Date(clock.now().getTime() - KEPT_MS));
}

function rejectUrl({ config }: Needs, url: string): void {
  const fault = checkTargetUrl(config.egress, url);
  if (fault !== undefined)
    throw new ApiError("destination_not_allowed", fault, {
      errors: [{ pointer: "#/url", code: "not_allowed", detail: fault }],
    });
}

async function locked(tx: OrganisationTx, id: string): Promise<EndpointRow> {
  return (await lockEndpoint(tx, id)) ?? noSuchEndpoint();
}

function rejectUnknownTypes(types: readonly string[]): void {
  const errors = types.flatMap((type, at) =>
    isEventSelector(type)
      ? []
      : {
          pointer: `#/event_types/${at}`,
          code: "not_allowed",
          detail: `No events have the type ${type}. Use a type that the webhook documentation lists, or a noun followed by .*, such as order.*.`,
        },
  );
  if (errors.length > 0)
    throw new ApiError("invalid_request", errors.map(({ detail }) => detail).join(" "), { errors });
}

async function record(
  tx: OrganisationTx,
  { clock }: Needs,
  actor: Actor,
  { type, id, ...change }: Pick<Change, "type" | "data" | "before" | "after"> & { id: string },
): Promise<void> {
  await recordChange(tx, authorOf(actor.caller, actor.origin), clock.now(), {
    type,
    organisationId: tx.organisationId,
    environment: tx.environment,
    subject: id,
    ...change,
  });
}

function noSuchEndpoint(): never {
  throw notFound("webhook_endpoint_not_found");
}
