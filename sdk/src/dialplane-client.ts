import { apiKeysClient } from "./api-keys.client.ts";
import { auditClient } from "./audit.client.ts";
import { bulkChangesClient } from "./bulk-changes.client.ts";
import { callsClient } from "./calls.client.ts";
import { type ClientSettings, completeSettings } from "./client-settings.ts";
import { connectionsClient } from "./connections.client.ts";
import { eventsClient } from "./events.client.ts";
import { OPERATIONS, type Operations } from "./generated/wire.ts";
import { identityProvidersClient } from "./identity-providers.client.ts";
import { inventoryClient } from "./inventory.client.ts";
import { jobsClient } from "./jobs.client.ts";
import { liveClient } from "./live.client.ts";
import { meClient } from "./me.client.ts";
import { invitationsClient, membersClient } from "./members.client.ts";
import { notificationsClient } from "./notifications.client.ts";
import { numbersClient } from "./numbers.client.ts";
import { ordersClient } from "./orders.client.ts";
import { overviewClient } from "./overview.client.ts";
import { probesClient } from "./probes.client.ts";
import { addressesClient, documentsClient } from "./requirements.client.ts";
import { reservationsClient } from "./reservations.client.ts";
import { routingClient } from "./routing.client.ts";
import { sessionsClient } from "./sessions.client.ts";
import { authenticatorClient, passkeysClient } from "./sign-in-methods.client.ts";
import { organisationClient } from "./organisation.client.ts";
import { signInPolicyClient } from "./sign-in-policy.client.ts";
import { toolsClient } from "./tools.client.ts";
import type { Settings } from "./transport.ts";
import { usageClient } from "./usage.client.ts";
import { viewsClient } from "./views.client.ts";
import { webhookEndpointsClient } from "./webhook-endpoints.client.ts";
import { type WireApi, wireApi } from "./wire-api.ts";

export interface Client extends ReturnType<typeof nouns> {
  /** The same caller elsewhere: another organisation, the other environment. */
  with(changes: Partial<Settings>): Client;
}

/** The service, one noun at a time. Nothing is sent before the first call. */
export function createClient(given: ClientSettings = {}): Client {
  const settings = completeSettings(given);
  return {
    ...nouns(wireApi<Operations>(settings, OPERATIONS)),
    with: (changes) => createClient({ ...settings, ...changes }),
  };
}

function nouns(api: WireApi) {
  return {
    addresses: addressesClient(api),
    apiKeys: apiKeysClient(api),
    audit: auditClient(api),
    authenticator: authenticatorClient(api),
    bulkChanges: bulkChangesClient(api),
    calls: callsClient(api),
    connections: connectionsClient(api),
    documents: documentsClient(api),
    events: eventsClient(api),
    identityProviders: identityProvidersClient(api),
    inventory: inventoryClient(api),
    invitations: invitationsClient(api),
    jobs: jobsClient(api),
    live: liveClient(api),
    me: meClient(api),
    members: membersClient(api),
    notifications: notificationsClient(api),
    numbers: numbersClient(api),
    orders: ordersClient(api),
    overview: overviewClient(api),
    passkeys: passkeysClient(api),
    probes: probesClient(api),
    reservations: reservationsClient(api),
    routing: routingClient(api),
    sessions: sessionsClient(api),
    organisation: organisationClient(api),
    signInPolicy: signInPolicyClient(api),
    tools: toolsClient(api),
    usage: usageClient(api),
    views: viewsClient(api),
    webhookEndpoints: webhookEndpointsClient(api),
    /** Any operation of the contract by its name. */
    call: api.call,
    /** Any request by its address. */
    request: api.request,
  };
}
