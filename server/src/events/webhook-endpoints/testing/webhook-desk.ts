import { expect } from "vitest";
import type { App } from "../../../app.ts";
import { systemAuthor } from "../../audit/audit.ts";
import { type Change, recordChanges } from "../../events/events.ts";
import { startWebhooks } from "../webhook-endpoints.deliver.ts";
import type { Sent } from "../../../../testing/send.ts";
import { bearer, type Person, type Service, startService } from "../../../../testing/service.ts";
import type { WebhookReceiver } from "../../../../testing/webhook-receiver.ts";

/** The type of the events that happen here at will. */
export const HAPPENED = "number.changed";

export interface WebhookHome {
  organisationId: string;
  owner: Person;
  call(method: string, path: string, body?: unknown): Promise<Sent>;
}

export interface WebhookDesk extends AsyncDisposable {
  service: Service;
  /** A separate organisation, so that its counts are its own. */
  home(): Promise<WebhookHome>;
  /** Subscribes a receiver, by default only to events of `happen`. Returns the endpoint's ID. */
  listen(home: WebhookHome, receiver: WebhookReceiver, more?: object): Promise<string>;
  happen(home: WebhookHome, times?: number): Promise<void>;
  /** Newest first. */
  deliveries(home: WebhookHome, id: string, query?: string): Promise<Sent["body"][]>;
  endpoint(home: WebhookHome, id: string): Promise<Sent["body"]>;
}

/** A service that delivers to receivers on this machine. */
export async function openWebhookDesk(overrides: Partial<App> = {}): Promise<WebhookDesk> {
  const settings = { EGRESS_ALLOW: "127.0.0.0/8:1024-65535+http" };
  const service = await startService({ settings, overrides });
  const webhooks = startWebhooks(service.app);
  return {
    service,
    async home() {
      const organisationId = await service.organisation();
      const owner = await service.person({ [organisationId]: "owner" });
      const call: WebhookHome["call"] = (method, path, body) =>
        service.send(method, path, { headers: bearer(owner.token), body });
      return { organisationId, owner, call };
    },
    async listen(home, receiver, more = { event_types: [HAPPENED] }) {
      const wanted = { url: receiver.url, ...more };
      const { status, body } = await home.call("POST", "/v1/webhook-endpoints", wanted);
      expect(status).toBe(201);
      receiver.secret = body.secret;
      return body.id;
    },
    async happen({ organisationId }, times = 1) {
      const changes = Array.from({ length: times }, (_, at): Change => ({
        type: HAPPENED,
        organisationId,
        environment: "live" as const,
        subject: String(at),
      }));
      await service.app.db.forSystem("operator", (tx) =>
        recordChanges(tx, systemAuthor("test"), service.clock.now(), changes),
      );
    },
    deliveries: async (home, id, query = "") =>
      (await home.call("GET", `/v1/webhook-endpoints/${id}/deliveries${query}`)).body.data,
    endpoint: async (home, id) => (await home.call("GET", `/v1/webhook-endpoints/${id}`)).body,
    async [Symbol.asyncDispose]() {
      await webhooks.close();
      await service[Symbol.asyncDispose]();
    },
  };
}
