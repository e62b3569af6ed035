import type { CallOptions } from "./transport.ts";
import type { Body, Query, WireApi, WriteOptions } from "./wire-api.ts";

/** Endpoints that receive events. Verify deliveries with `verifyWebhook`. */
export function webhookEndpointsClient(api: WireApi) {
  return {
    list: (query?: Query<"listWebhookEndpoints">, options?: CallOptions) =>
      api.list("listWebhookEndpoints", { query }, options),
    get: (id: string, options?: CallOptions) => api.call("getWebhookEndpoint", { path: { id } }, options),
    /** The answer has the secret, which is never shown again. */
    create: (body: Body<"createWebhookEndpoint">, options?: CallOptions) =>
      api.call("createWebhookEndpoint", { body }, options),
    change: (id: string, body: Body<"changeWebhookEndpoint">, options?: WriteOptions) =>
      api.call("changeWebhookEndpoint", { path: { id }, body }, options),
    delete: (id: string, options?: WriteOptions) =>
      api.call("deleteWebhookEndpoint", { path: { id } }, options),
    rotateSecret: (id: string, options?: CallOptions) =>
      api.call("rotateWebhookSecret", { path: { id } }, options),
    listDeliveries: (id: string, query?: Query<"listWebhookDeliveries">, options?: CallOptions) =>
      api.list("listWebhookDeliveries", { path: { id }, query }, options),
    replayDeliveries: (id: string, body: Body<"replayWebhookDeliveries">, options?: WriteOptions) =>
      api.call("replayWebhookDeliveries", { path: { id }, body }, options),
  };
}
