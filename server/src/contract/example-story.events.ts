import type { EventType } from "../events/events/events.catalogue.ts";
import type { JsonObject } from "./contract.schemas.ts";
import { AT, E164, EXAMPLE_HOST, ID, idAt } from "./example-story.ids.ts";

type Happened = [type: EventType, at: string, subject: string, data: JsonObject];

const BILLING_SYNC = { name: "Billing sync", scopes: ["numbers"] };
const FAX = { e164: E164.fax };
const RESERVED = [E164.sales, E164.support];
const DOMAIN = { domain: "northwind.example" };
const BERLIN = { name: "Berlin office", generation: 1 };
const URL = "https://hooks.northwind.example/dialplane";
const REGISTRATION = { kind: "business_registration", media_type: "application/pdf", size: 482_113 };
const OVERDUE = { reason: "Unpaid invoice" };
const ROUTE_DRIFT = {
  switch: "fra-1",
  error: "The switch held another value.",
  found: { e164: E164.sales, mode: "unrouted" },
  expected: { e164: E164.sales, mode: "connection", connection_id: ID.berlin },
};
const TARGET = { host: "pbx.berlin.northwind.example", port: 5060, transport: "udp", priority: 1, weight: 1 };
const CONNECTION_DRIFT = {
  switch: "fra-1",
  error: "The switch held another value.",
  found: { targets: [TARGET], max_calls: 30 },
  expected: { targets: [TARGET], max_calls: 60 },
};

const PROBE = { number_id: ID.sales, e164: E164.sales, via: "switch" };
const PROBLEM = {
  kind: "number_failing",
  subject_id: ID.sales,
  label: E164.sales,
  error: "Out of memory.",
  since: "2026-11-15T09:30:00.200Z",
  url: `https://${EXAMPLE_HOST}/o/${ID.organisation}/live/numbers/${ID.sales}`,
};

/** One event of each type, in order. */
const HAPPENED: Happened[] = [
  ["organisation.created", AT.founded, ID.organisation, { name: "Northwind Telecom" }],
  ["member.joined", "2026-03-02T09:00:00.000Z", ID.grace, { role: "developer" }],
  ["organisation.changed", "2026-03-02T09:10:00.000Z", ID.organisation, { default_country: "DE" }],
  [
    "identity_provider.created",
    "2026-04-01T10:00:00.000Z",
    ID.identityProvider,
    { issuer: "https://id.northwind.example", client_id: "dialplane", domains: [DOMAIN.domain] },
  ],
  ["identity_provider.domain_proved", "2026-04-01T10:30:00.000Z", ID.identityProvider, DOMAIN],
  ["identity_provider.changed", "2026-04-01T11:00:00.000Z", ID.identityProvider, { name: "Northwind SSO" }],
  [
    "member.identity_linked",
    "2026-04-02T08:00:00.000Z",
    ID.grace,
    { identity_provider_id: ID.identityProvider },
  ],
  [
    "organisation.sign_in_policy_changed",
    "2026-04-02T09:00:00.000Z",
    ID.organisation,
    { require_second_factor: true, max_session_age_hours: 12 },
  ],
  ["member.break_glass_used", "2026-05-04T07:00:00.000Z", ID.ada, { method: "passkey" }],
  ["identity_provider.domain_missing", "2026-06-01T02:00:00.000Z", ID.identityProvider, DOMAIN],
  ["identity_provider.domain_lapsed", "2026-06-04T02:00:00.000Z", ID.identityProvider, DOMAIN],
  [
    "organisation.suspended",
    "2026-07-01T09:00:00.000Z",
    ID.organisation,
    { numbers_suspended: true, ...OVERDUE },
  ],
  ["organisation.resumed", "2026-07-02T09:00:00.000Z", ID.organisation, {}],
  ["api_key.created", "2026-09-01T12:00:00.000Z", ID.key, BILLING_SYNC],
  ["reservation.cancelled", "2026-11-01T15:05:00.000Z", ID.cancelledReservation, { numbers: [E164.free] }],
  ["order.failed", "2026-11-01T16:00:05.000Z", ID.failedOrder, { status: "failed", succeeded: 0, failed: 1 }],
  [
    "reservation.created",
    AT.reserved,
    ID.reservation,
    { numbers: RESERVED, expires_at: "2026-11-02T09:40:00.000Z" },
  ],
  ["reservation.ordered", AT.ordered, ID.reservation, { numbers: RESERVED }],
  ["order.created", AT.ordered, ID.order, { job_id: ID.orderJob, quantity: 2 }],
  ["number.added", AT.acquired, ID.sales, { e164: E164.sales, source: "order" }],
  ["order.completed", AT.acquired, ID.order, { status: "completed", succeeded: 2, failed: 0 }],
  [
    "number.changed",
    "2026-11-02T09:18:00.000Z",
    ID.sales,
    { label: "Sales", tags: ["berlin"], release_lock: true },
  ],
  [
    "webhook_endpoint.created",
    "2026-11-03T08:00:00.000Z",
    ID.endpoint,
    { url: URL, event_types: ["order.completed", "routing.*"] },
  ],
  [
    "notifications.changed",
    "2026-11-03T08:10:00.000Z",
    ID.organisation,
    { problem_kinds: ["number_failing"] },
  ],
  ["number.suspended", "2026-11-04T09:00:00.000Z", ID.support, { e164: E164.support, ...OVERDUE }],
  ["number.resumed", "2026-11-05T09:00:00.000Z", ID.support, { e164: E164.support, ...OVERDUE }],
  ["webhook_endpoint.disabled", "2026-11-08T08:00:00.000Z", ID.endpoint, { reason: "unreachable" }],
  ["webhook_endpoint.changed", "2026-11-08T09:00:00.000Z", ID.endpoint, { status: "active" }],
  ["webhook_endpoint.replayed", "2026-11-08T09:01:00.000Z", ID.endpoint, { replayed: 3 }],
  ["webhook_endpoint.secret_rotated", "2026-11-08T09:05:00.000Z", ID.endpoint, {}],
  [
    "number.release_failed",
    "2026-11-09T10:00:00.000Z",
    ID.fax,
    { ...FAX, error: { code: "carrier_refused", detail: "The carrier rejected the release." } },
  ],
  ["number.releasing", "2026-11-10T10:00:00.000Z", ID.fax, { ...FAX, job_id: ID.releaseJob }],
  [
    "number.quarantined",
    "2026-11-10T10:00:03.000Z",
    ID.fax,
    { ...FAX, restore_until: "2026-12-10T10:00:03.000Z" },
  ],
  ["invitation.created", AT.invited, ID.invitation, { role: "member" }],
  ["address.created", "2026-11-12T08:30:00.000Z", ID.formerAddress, { country: "DE" }],
  ["document.created", "2026-11-12T08:40:00.000Z", ID.formerDocument, REGISTRATION],
  [
    "order.action_required",
    AT.regulated,
    ID.regulatedOrder,
    { job_id: ID.regulatedJob, numbers: [E164.hamburg] },
  ],
  [
    "order.requirements_submitted",
    AT.submitted,
    ID.regulatedOrder,
    { job_id: ID.regulatedJob, submissions: 2 },
  ],
  ["address.deleted", "2026-11-12T10:00:00.000Z", ID.formerAddress, { country: "DE" }],
  ["document.deleted", "2026-11-12T10:00:30.000Z", ID.formerDocument, REGISTRATION],
  ["connection.created", AT.officeAdded, ID.berlin, BERLIN],
  ["connection.failed", "2026-11-13T13:20:01.000Z", ID.berlin, { switch: "fra-1", error: "Out of memory." }],
  ["connection.unreachable", "2026-11-13T18:00:00.000Z", ID.berlin, { switch: "fra-1" }],
  ["connection.reachable", "2026-11-13T18:05:00.000Z", ID.berlin, { switch: "fra-1" }],
  ["number.restore_failed", "2026-11-13T19:00:00.000Z", ID.fax, FAX],
  ["number.restoring", "2026-11-14T10:00:00.000Z", ID.fax, { ...FAX, job_id: ID.restoreJob }],
  ["number.restored", "2026-11-14T10:00:04.000Z", ID.fax, FAX],
  ["number.missing_at_carrier", "2026-11-15T02:00:04.000Z", ID.fax, { ...FAX, carrier: "telnyx" }],
  ["routing_webhook_secret.rotated", "2026-11-15T09:00:00.000Z", ID.organisation, { version: 2 }],
  ["connection.changed", "2026-11-15T09:15:00.000Z", ID.berlin, { ...BERLIN, generation: 2 }],
  ["connection.drifted", "2026-11-15T09:15:30.000Z", ID.berlin, CONNECTION_DRIFT],
  ["connection.flapping", "2026-11-15T09:16:30.000Z", ID.berlin, CONNECTION_DRIFT],
  [
    "connection.drift_ended",
    "2026-11-15T09:26:30.000Z",
    ID.berlin,
    ended(CONNECTION_DRIFT, "2026-11-15T09:1"),
  ],
  ["routing.changed", AT.moved, ID.sales, { mode: "connection", generation: 3 }],
  ["routing.failed", "2026-11-15T09:30:00.200Z", ID.sales, { switch: "fra-1", error: "Out of memory." }],
  ["problem.began", "2026-11-15T09:31:05.000Z", ID.problem, PROBLEM],
  ["bulk_change.planned", "2026-11-15T09:32:00.000Z", ID.bulkChange, { change: "routing", total: 2 }],
  ["bulk_change.started", "2026-11-15T09:33:00.000Z", ID.bulkChange, { total: 2 }],
  [
    "problem.ended",
    "2026-11-15T09:33:00.500Z",
    ID.problem,
    { ...PROBLEM, ended_at: "2026-11-15T09:33:00.500Z" },
  ],
  [
    "bulk_change.finished",
    "2026-11-15T09:33:01.000Z",
    ID.bulkChange,
    { total: 2, set: 1, unchanged: 1, stale: 0, failed: 0 },
  ],
  [
    "probe_schedule.set",
    "2026-11-15T09:44:00.000Z",
    ID.probeSchedule,
    { tag: "berlin", via: "switch", every_hours: 24 },
  ],
  ["probe_schedule.deleted", "2026-11-15T09:44:30.000Z", ID.probeSchedule, { tag: "berlin" }],
  ["probe.created", AT.probed, ID.probe, PROBE],
  [
    "probe.broken",
    "2026-11-15T09:45:01.204Z",
    ID.probe,
    { ...PROBE, summary: "switch fra-1: The switch holds another route than it should." },
  ],
  ["routing.drifted", "2026-11-15T09:45:30.000Z", ID.sales, ROUTE_DRIFT],
  ["routing.flapping", "2026-11-15T09:46:30.000Z", ID.sales, ROUTE_DRIFT],
  ["api_key.rotated", "2026-11-15T09:50:00.000Z", ID.nextKey, { ...BILLING_SYNC, replaces_id: ID.key }],
  ["routing.drift_ended", "2026-11-15T09:56:30.000Z", ID.sales, ended(ROUTE_DRIFT, "2026-11-15T09:4")],
  ["api_key.revoked", "2026-11-16T09:50:00.000Z", ID.key, {}],
  ["api_key.confirmed", "2026-11-16T10:00:00.000Z", ID.nextKey, {}],
  ["api_key.detached", "2026-11-16T10:00:00.000Z", ID.nextKey, {}],
  ["invitation.withdrawn", "2026-11-17T08:00:00.000Z", ID.invitation, { role: "member" }],
  ["member.role_changed", "2026-11-17T09:00:00.000Z", ID.grace, { from: "developer", to: "admin" }],
  [
    "member.removed",
    "2026-11-18T09:00:00.000Z",
    ID.grace,
    { role: "admin", keys: [{ id: ID.nextKey, outcome: "kept" }] },
  ],
  ["connection.deleted", "2026-11-20T09:00:00.000Z", ID.hamburg, { name: "Hamburg office", generation: 4 }],
  ["identity_provider.deleted", "2026-11-21T09:00:00.000Z", ID.identityProvider, {}],
  ["webhook_endpoint.deleted", "2026-11-22T09:00:00.000Z", ID.endpoint, {}],
  ["number.released", "2026-12-24T10:00:00.000Z", ID.fax, FAX],
];

/** Found three times within a minute. */
function ended(drift: JsonObject, minute: string): JsonObject {
  const found = {
    is_various: false,
    count: 3,
    first_at: `${minute}5:30.000Z`,
    last_at: `${minute}6:30.000Z`,
  };
  return { ...drift, ...found, wrong_ms: 2400 };
}

/** Events by type. */
export const STORY_EVENTS: Record<string, JsonObject> = Object.fromEntries(
  HAPPENED.map(([type, at, subject, data], index) => [
    type,
    { id: idAt(at, type), sequence: 261 + index, type, subject, data, created_at: at },
  ]),
);

/** IDs of the events by type. */
export const EVENT_ID = Object.fromEntries(HAPPENED.map(([type, at]) => [type, idAt(at, type)])) as Record<
  EventType,
  string
>;
