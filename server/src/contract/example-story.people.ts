import type { Json, JsonObject } from "./contract.schemas.ts";
import { EVENT_ID, STORY_EVENTS } from "./example-story.events.ts";
import { AT, E164, EXAMPLE_HOST, ID } from "./example-story.ids.ts";
import { ADA, ADDRESS, ISSUER, NORTHWIND, PASSWORD, TOKEN } from "./example-story.sign-in.ts";

const grace = {
  user_id: ID.grace,
  name: "Grace Hopper",
  email: "grace@northwind.example",
  role: "developer",
  joined_at: "2026-03-02T09:00:00.000Z",
};
const members = [
  { user_id: ID.ada, name: ADA.name, email: ADA.email, role: "owner", joined_at: AT.founded },
  grace,
];
const leftBehind = {
  id: ID.key,
  name: "Billing sync",
  hint: "x7Qa",
  outcome: "kept",
  expires_at: "2026-11-30T12:00:00.000Z",
};

const key = {
  id: ID.key,
  name: "Billing sync",
  environment: "live",
  hint: "x7Qa",
  scopes: ["numbers"],
  status: "active",
  allowed_networks: ["203.0.113.0/24"],
  is_shared: false,
  created_by: ID.grace,
  created_at: "2026-09-01T12:00:00.000Z",
  expires_at: "2026-11-30T12:00:00.000Z",
  revoked_at: null,
  replaces_id: null,
  last_used_at: "2026-11-15T09:55:00.000Z",
};

const domain = {
  domain: "northwind.example",
  status: "claimed",
  record_name: "_dialplane-challenge.northwind.example",
  record_value: "dialplane-domain-proof=3q2mVt0b8Yk1",
  proved_at: null,
  checked_at: null,
  missing_since: null,
  lapsed_at: null,
};
const provider = {
  id: ID.identityProvider,
  name: "Northwind SSO",
  issuer: ISSUER,
  client_id: "dialplane",
  redirect_uri: `https://${EXAMPLE_HOST}/sign-in/provider`,
  domains: [{ ...domain, status: "proved", proved_at: "2026-04-01T10:30:00.000Z", checked_at: AT.dayBegan }],
  people: 1,
  created_at: "2026-04-01T10:00:00.000Z",
};

const endpoint = {
  id: ID.endpoint,
  url: "https://hooks.northwind.example/dialplane",
  description: "Operations channel",
  event_types: ["order.completed", "routing.*"],
  status: "active",
  disabled_reason: null,
  failing_since: null,
  created_at: "2026-11-03T08:00:00.000Z",
};
const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

const SALES = { type: "number", id: ID.sales, label: E164.sales };
const auditEntries = [
  {
    id: ID.auditedMove,
    action: "routing.changed",
    outcome: "done",
    subject: ID.sales,
    subject_ref: SALES,
    actor: { kind: "session", id: ID.ada, name: ADA.name },
    detail: { mode: "connection", generation: 3 },
    before: { mode: "sip_uri", sip_uri: "sip:sales@old-office.northwind.example" },
    after: { mode: "connection", connection_id: ID.berlin },
    request_id: ID.moveRequest,
    address: ADDRESS,
    at: AT.moved,
  },
  {
    id: ID.auditedRejection,
    action: "request.refused",
    outcome: "refused",
    subject: null,
    subject_ref: null,
    actor: { kind: "api_key", id: ID.key, name: "Billing sync" },
    detail: { code: "scope_missing" },
    before: null,
    after: null,
    request_id: ID.rejectedRequest,
    address: "203.0.113.20",
    at: "2026-11-15T09:29:10.000Z",
  },
];

/** By title of the schema. */
export const PEOPLE_EXAMPLES: Record<string, Json> = {
  MemberPage: { data: members, next_cursor: null },
  ChangeRole: { role: "admin", keys: "keep" },
  ChangedMember: { ...grace, role: "admin", keys: [] },
  RemovedMember: { user_id: ID.grace, keys: [leftBehind] },
  InviteMember: { email: "katherine@northwind.example", role: "member" },
  Invitation: {
    id: ID.invitation,
    email: "katherine@northwind.example",
    role: "member",
    invited_by: ID.ada,
    created_at: AT.invited,
    expires_at: "2026-11-19T08:05:00.000Z",
  },
  AcceptInvitation: { token: TOKEN, account: { name: "Katherine Johnson", password: PASSWORD } },
  AcceptedInvitation: { organisation: NORTHWIND, role: "member" },
  IdentityProvider: provider,
  CreateIdentityProvider: {
    name: provider.name,
    issuer: provider.issuer,
    client_id: provider.client_id,
    client_secret: "secret-from-the-provider",
    domains: [domain.domain],
  },
  ChangeIdentityProvider: { name: "Northwind SSO", domains: [domain.domain] },
  ProveDomain: { domain: domain.domain },
  OwnOrganisation: { ...NORTHWIND, default_country: "DE", created_at: AT.founded },
  ChangeOwnOrganisation: { default_country: "DE" },
  SignInPolicy: { require_second_factor: true, require_single_sign_on: false, max_session_age_hours: 12 },
  ChangeSignInPolicy: { require_second_factor: true, max_session_age_hours: 12 },
  CreateApiKey: {
    name: key.name,
    scopes: key.scopes,
    expires_in_days: 90,
    allowed_networks: key.allowed_networks,
  },
  ApiKey: key,
  ApiKeyWithSecret: { ...key, last_used_at: null, secret: "svc_live_…x7Qa" },
  RotateApiKey: { overlap_hours: 24 },
  CreateWebhookEndpoint: {
    url: endpoint.url,
    description: endpoint.description,
    event_types: endpoint.event_types,
  },
  ChangeWebhookEndpoint: { event_types: ["order.*", "routing.*"] },
  WebhookEndpoint: endpoint,
  WebhookEndpointWithSecret: { ...endpoint, secret },
  WebhookDelivery: {
    id: ID.delivery,
    event_id: EVENT_ID["routing.changed"],
    event_type: "routing.changed",
    status: "delivered",
    attempts: 1,
    next_attempt_at: null,
    answered: 200,
    error: null,
    attempted_at: "2026-11-15T09:30:01.000Z",
    created_at: AT.applied,
  },
  ReplayDeliveries: { status: "failed", from: AT.dayBegan, to: AT.dayEnds },
  ReplayedDeliveries: { replayed: 3 },
  EventPage: {
    data: [
      {
        ...STORY_EVENTS["connection.created"]!,
        subject_ref: { type: "connection", id: ID.berlin, label: "Berlin office" },
      },
      { ...STORY_EVENTS["routing.changed"]!, subject_ref: SALES },
    ],
    next_cursor: null,
  },
  AuditPage: { data: auditEntries, next_cursor: null },
};

const nextKey = {
  ...key,
  id: ID.nextKey,
  hint: "m4Tz",
  created_at: "2026-11-15T09:50:00.000Z",
  expires_at: "2027-02-13T09:50:00.000Z",
  replaces_id: ID.key,
  last_used_at: null,
  secret: "svc_live_…m4Tz",
};

/** Successful responses that differ from the example of their schema, by operation. */
export const PEOPLE_ANSWERS: Record<string, Json> = {
  createIdentityProvider: { ...provider, domains: [domain], people: 0 },
  leaveOrganisation: { user_id: ID.grace, keys: [leftBehind] },
  rotateApiKey: nextKey,
  changeWebhookEndpoint: { ...endpoint, event_types: ["order.*", "routing.*"] },
};

/** Parameters by operation. */
export const PEOPLE_PARAMETERS: Record<string, JsonObject> = {
  removeMember: { keys: "grace", keep_key: [ID.key] },
  listEvents: {
    after: EVENT_ID["connection.created"],
    order: "oldest",
    type: ["routing.*"],
    subject_id: ID.sales,
    from: AT.dayBegan,
    to: AT.dayEnds,
  },
  listCommittedAudit: { after: ID.auditedRejection },
  listAudit: {
    actor_id: ID.ada,
    action: "routing.changed",
    subject_id: ID.sales,
    outcome: "done",
    from: AT.dayBegan,
    to: AT.dayEnds,
    q: "ada",
    include_system: false,
  },
  listWebhookDeliveries: { status: "failed" },
};
