import { tokenOfInvitation } from "../../src/people/invitations/invitations.ts";
import { makeLink, tokenOfLink } from "../../src/people/one-time-links/one-time-links.ts";
import type { App } from "../../src/app.ts";
import type { Operation } from "../../src/platform/http/operation.ts";
import { newId } from "../../src/platform/ids.ts";
import { seedSession } from "../../src/seed.ts";
import { bearer } from "../service.ts";
import { makeSwitch } from "./switch-callers.ts";
import { CALL_FIXTURES } from "./call-requests.ts";
import type { Fixture, Fixtures } from "./fixture.ts";
import { SIGN_IN_FIXTURES } from "./sign-in-requests.ts";
import { SWITCH_FIXTURES, switchOf } from "./switch-requests.ts";
import { OPERATED_FIXTURES } from "./operated-requests.ts";
import { ORDER_FIXTURES } from "./order-requests.ts";
import { USER_FIXTURES } from "./user-requests.ts";
import { VIEW_FIXTURES } from "./view-requests.ts";
import {
  connectionOf,
  findingOf,
  soldFindingOf,
  freeNumber,
  identityProviderOf,
  idsOf,
  jobOf,
  newConnection,
  newIdentityProvider,
  newWebhookEndpoint,
  numberOf,
  provedDomain,
  provedDomainOf,
  reconciliationOf,
  reservationOf,
  restingOf,
  webhookEndpointOf,
} from "./made-things.ts";
import { type Holder, type Neighbours, tenantOf } from "./neighbours.ts";

const WINDOW = "from=2026-11-01T00:00Z&to=2026-12-01T00:00Z";
const NEW_PASSWORD = "a sentence that nobody has said";

/** One row per operation; an operation without one fails the isolation matrix. */
export const FIXTURES: Fixtures = {
  ...SIGN_IN_FIXTURES,
  ...VIEW_FIXTURES,
  ...ORDER_FIXTURES,
  getMe: {},
  changePassword: { body: () => ({ new_password: NEW_PASSWORD }) },
  changeEmail: { body: ({ freshEmail }) => ({ new_email: freshEmail() }) },
  completeEmailChange: {
    body: async (neighbours) => ({ token: await mailedLink(neighbours, "change_email") }),
  },
  requestPasswordReset: { body: (_, { person }) => ({ email: person.email }) },
  completePasswordReset: {
    body: async (neighbours) => ({
      token: await mailedLink(neighbours, "reset_password"),
      new_password: NEW_PASSWORD,
    }),
  },
  listSessions: {},
  signOut: {},
  endSession: { params: async (neighbours, of) => ({ id: await sessionOf(neighbours, of) }) },

  listMembers: { query: "limit=2" },
  leaveOrganisation: {},
  changeRole: { params: memberOf, body: () => ({ role: "developer" }) },
  removeMember: { params: memberOf },
  inviteMember: { body: ({ freshEmail }) => ({ email: freshEmail(), role: "member" }) },
  listInvitations: { query: "limit=2" },
  acceptInvitation: {
    body: async (neighbours) => ({
      token: tokenOfInvitation(
        neighbours.service.app,
        await invitationOf(neighbours, neighbours.home.organisationId),
      ),
      account: { name: "New Person", password: NEW_PASSWORD },
    }),
  },
  getInvitation: {
    params: async (neighbours, { organisationId }) => ({
      id: await invitationOf(neighbours, organisationId),
    }),
  },
  withdrawInvitation: {
    params: async (neighbours, { organisationId }) => ({
      id: await invitationOf(neighbours, organisationId),
    }),
  },
  listIdentityProviders: { query: "limit=2" },
  createIdentityProvider: { body: newIdentityProvider },
  getIdentityProvider: { params: identityProviderOf },
  changeIdentityProvider: { params: identityProviderOf, body: () => ({ name: "Fixture" }) },
  deleteIdentityProvider: { params: identityProviderOf },
  proveDomain: { params: provedDomainOf, body: (...of) => ({ domain: provedDomain(...of) }) },
  createApiKey: { body: () => ({ name: "Fixture", scopes: ["numbers"] }) },
  listApiKeys: { query: "limit=2" },
  rotateApiKey: { params: keyOf, isOfOneSide: true, body: () => ({ overlap_hours: 0 }) },
  revokeApiKey: { params: keyOf, isOfOneSide: true },
  confirmApiKey: { params: keyOf, isOfOneSide: true },
  detachApiKey: { params: keyOf, isOfOneSide: true },

  getRouting: { params: numberOf, isOfOneSide: true },
  setRouting: {
    params: numberOf,
    isOfOneSide: true,
    headers: () => ({ "idempotency-key": newId() }),
    body: () => ({ mode: "sip_uri", sip_uri: "sip:calls@pbx.example.com" }),
  },
  rollBackRouting: { params: numberOf, isOfOneSide: true, body: () => ({ generation: 1 }) },
  listRoutingRevisions: { params: numberOf, isOfOneSide: true, query: "limit=2" },
  diffRouting: { params: numberOf, isOfOneSide: true, query: "from=1&to=1" },

  getRoutingWebhookSecret: {},
  rotateRoutingWebhookSecret: {},

  listConnections: { query: "limit=2" },
  createConnection: { body: newConnection },
  getConnection: { params: connectionOf, isOfOneSide: true },
  changeConnection: { params: connectionOf, isOfOneSide: true, body: newConnection },
  deleteConnection: { params: connectionOf, isOfOneSide: true },
  searchInventory: { query: "limit=2" },
  createReservation: { body: freeNumber },
  releaseNumber: {
    params: numberOf,
    isOfOneSide: true,
    headers: () => ({ "idempotency-key": newId() }),
  },
  restoreNumber: { params: restingOf, isOfOneSide: true },
  createWebhookEndpoint: { body: newWebhookEndpoint },
  listWebhookEndpoints: { query: "limit=2" },
  getWebhookEndpoint: { params: webhookEndpointOf, isOfOneSide: true },
  changeWebhookEndpoint: {
    params: webhookEndpointOf,
    isOfOneSide: true,
    body: () => ({ description: "Fixture" }),
  },
  deleteWebhookEndpoint: { params: webhookEndpointOf, isOfOneSide: true },
  rotateWebhookSecret: { params: webhookEndpointOf, isOfOneSide: true },
  listWebhookDeliveries: { params: webhookEndpointOf, isOfOneSide: true, query: "limit=2" },
  replayWebhookDeliveries: { params: webhookEndpointOf, isOfOneSide: true, body: () => ({}) },
  getPool: {},
  listPoolNumbers: { query: "limit=2" },
  importPool: { body: () => ({ entries: [{ number: "+4930902000", to: "+4930902001" }] }) },
  listReconciliations: { query: "limit=2" },
  reconcile: { body: () => ({ carrier: "pool" }) },
  listFindings: { params: reconciliationOf, query: "limit=2" },
  repairFinding: { params: findingOf },
  adoptFinding: { params: soldFindingOf, body: (_, of) => ({ organisation_id: of.organisationId }) },
  getJob: { params: jobOf, isOfMembers: true },
  listJobs: { query: "limit=2" },
  listReservations: { query: "limit=2" },
  getReservation: { params: reservationOf, isOfOneSide: true },
  cancelReservation: { params: reservationOf, isOfOneSide: true },

  listNumbers: { query: "limit=2" },
  exportNumbers: {},
  readLive: { query: idsOf },
  followLive: { query: idsOf, isEndless: true },
  getNumber: { params: numberOf, isOfOneSide: true },
  changeNumber: { params: numberOf, isOfOneSide: true, body: () => ({ label: "Fixture" }) },
  getNumberUsage: { params: numberOf, isOfOneSide: true, query: WINDOW },
  getOrganisationUsage: { query: WINDOW },
  getTopNumbers: { query: WINDOW },
  ...CALL_FIXTURES,
  planBulkChange: {
    body: async (neighbours, of) => ({
      select: { ids: [(await numberOf(neighbours, of)).id] },
      change: { routing: { mode: "sip_uri", sip_uri: "sip:calls@pbx.example.com" } },
    }),
  },
  listBulkChanges: { query: "limit=2" },
  getBulkChange: { params: bulkChangeOf, isOfOneSide: true },
  listBulkChangeItems: { params: bulkChangeOf, isOfOneSide: true, query: "limit=2" },
  applyBulkChange: { params: bulkChangeOf, isOfOneSide: true },

  listEvents: { query: "limit=2" },
  listAudit: { query: "limit=2" },
  listCommittedAudit: { query: "limit=2" },

  listSwitchGroups: { query: "limit=2" },
  createSwitchGroup: { body: ({ freshEmail }) => ({ name: freshEmail(), shards: 1 }) },
  getSwitchGroup: { params: async ({ service }) => ({ id: (await makeSwitch(service)).groupId }) },
  listSwitches: { query: "limit=2" },
  createSwitch: { body: ({ freshEmail }) => ({ name: freshEmail() }) },
  rotateSwitchCredential: { params: switchOf },
  changeSwitch: { params: switchOf, body: () => ({ state: "draining" }) },
  ...SWITCH_FIXTURES,
  ...USER_FIXTURES,
  ...OPERATED_FIXTURES,
};

/** Operations without a fixture, and fixtures without an operation. */
export function fixtureFaults(operations: readonly Operation<App>[], fixtures: Fixtures): string[] {
  const ids = new Set(operations.map(({ id }) => id));
  return [
    ...operations.flatMap((operation) => faultsOfRow(operation, fixtures[operation.id])),
    ...Object.keys(fixtures)
      .filter((id) => !ids.has(id))
      .map((id) => `${id}: a fixture, but no operation`),
  ];
}

function faultsOfRow(
  { id, path, body, idempotency }: Operation<App>,
  fixture: Fixture | undefined,
): string[] {
  if (!fixture) return [`${id}: no fixture`];
  const faults: string[] = [];
  if (path.includes("{") && !fixture.params) faults.push(`${id}: no fixture for what the path names`);
  if (body && !fixture.body) faults.push(`${id}: no fixture for the body`);
  if (idempotency === "required" && !fixture.headers)
    faults.push(`${id}: no fixture for the Idempotency-Key`);
  return faults;
}

export interface PreparedRequest {
  method: string;
  path: string;
  params: Record<string, string>;
  query: string;
  headers: Record<string, string>;
  body: unknown;
  isEndless?: true;
}

export async function prepareRequest(
  neighbours: Neighbours,
  { method, path }: Operation<App>,
  fixture: Fixture,
  of: Holder,
): Promise<PreparedRequest> {
  const params = (await fixture.params?.(neighbours, of)) ?? {};
  const body = await fixture.body?.(neighbours, of);
  return {
    method,
    path,
    params,
    query: typeof fixture.query === "function" ? await fixture.query(neighbours, of) : (fixture.query ?? ""),
    headers: fixture.headers?.(body, neighbours) ?? {},
    body,
    ...(fixture.isEndless && { isEndless: true }),
  };
}

export function addressOf({ path, params, query }: PreparedRequest): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name]!);
  return query ? `${filled}?${query}` : filled;
}

async function memberOf({ service }: Neighbours, { organisationId }: Holder): Promise<{ id: string }> {
  return { id: (await service.person({ [organisationId]: "member" })).userId };
}

async function keyOf(
  neighbours: Neighbours,
  { organisationId, environment }: Holder,
): Promise<{ id: string }> {
  const { owner } = tenantOf(neighbours, organisationId);
  return { id: (await neighbours.service.key(owner, organisationId, ["numbers"], environment)).id };
}

async function bulkChangeOf(neighbours: Neighbours, of: Holder): Promise<{ id: string }> {
  const { owner } = tenantOf(neighbours, of.organisationId);
  const { body } = await neighbours.service.send("POST", "/v1/numbers/bulk", {
    headers: { ...bearer(owner.token), "x-service-environment": of.environment },
    body: {
      select: { ids: [(await numberOf(neighbours, of)).id] },
      change: { routing: { mode: "unrouted" } },
    },
  });
  return { id: body.id };
}

async function invitationOf(neighbours: Neighbours, organisationId: string): Promise<string> {
  const { owner } = tenantOf(neighbours, organisationId);
  const invited = { email: neighbours.freshEmail(), role: "member" };
  const { body } = await neighbours.service.send("POST", "/v1/invitations", {
    headers: bearer(owner.token),
    body: invited,
  });
  return body.id;
}

async function sessionOf({ service }: Neighbours, { person }: Holder): Promise<string> {
  await seedSession(service.app, person, "browser");
  const newest = "select id from sessions where user_id = $1 order by id desc limit 1";
  const [session] = await service.database.admin<{ id: string }>(newest, [person.userId]);
  return session!.id;
}

async function mailedLink(
  neighbours: Neighbours,
  purpose: "reset_password" | "change_email",
): Promise<string> {
  const { service, freshEmail } = neighbours;
  const { userId } = await service.person();
  const link = { userId, purpose, ...(purpose === "change_email" && { newEmail: freshEmail() }) };
  const id = await service.app.db.forCaller({ userId }, (tx) => makeLink(tx, service.clock.now(), link));
  return tokenOfLink(service.app, purpose, id);
}
