import type { Operations } from "@dialplane/sdk";
import type { Operations as OperatorOperations } from "@dialplane/sdk/operator";

/** Credentials that the operation accepts: an API key too, a signed-in tool, or only this page. */
export type Callers = "key" | "session" | "browser";

interface Recipe {
  /** Its method in the SDK. */
  sdk: string;
  callers: Callers;
}

const key = (sdk: string) => ({ sdk, callers: "key" as const });
const session = (sdk: string) => ({ sdk, callers: "session" as const });
const browser = (sdk: string) => ({ sdk, callers: "browser" as const });

/** All operations of an organisation's pages. A test compares them with the contract. */
export const RECIPES = {
  getOverview: key("overview.get"),
  getOwnOrganisation: key("organisation.get"),
  changeOwnOrganisation: session("organisation.change"),
  listNumbers: key("numbers.list"),
  exportNumbers: key("numbers.export"),
  getNumber: key("numbers.get"),
  changeNumber: key("numbers.change"),
  releaseNumber: session("numbers.release"),
  restoreNumber: session("numbers.restore"),
  listTimeline: key("numbers.timeline"),
  getRouting: key("routing.get"),
  setRouting: key("routing.set"),
  rollBackRouting: key("routing.rollBack"),
  listRoutingRevisions: key("routing.listRevisions"),
  getNumberUsage: key("usage.ofNumber"),
  getOrganisationUsage: key("usage.ofOrganisation"),
  getTopNumbers: key("usage.topNumbers"),
  listCalls: key("calls.list"),
  searchCalls: key("calls.search"),
  exportFoundCalls: key("calls.exportFound"),
  getCall: key("calls.get"),
  readLive: session("live.read"),
  planBulkChange: key("bulkChanges.plan"),
  applyBulkChange: key("bulkChanges.apply"),
  getBulkChange: key("bulkChanges.get"),
  listBulkChanges: key("bulkChanges.list"),
  listBulkChangeItems: key("bulkChanges.listItems"),
  searchInventory: key("inventory.search"),
  createReservation: session("reservations.create"),
  getReservation: session("reservations.get"),
  cancelReservation: session("reservations.cancel"),
  placeOrder: session("orders.place"),
  getOrder: session("orders.get"),
  createProbe: session("probes.place"),
  listProbes: session("probes.list"),
  submitRequirements: session("orders.submitRequirements"),
  listAddresses: session("addresses.list"),
  createAddress: session("addresses.create"),
  deleteAddress: session("addresses.delete"),
  listDocuments: session("documents.list"),
  createDocument: session("documents.create"),
  downloadDocument: session("documents.download"),
  deleteDocument: session("documents.delete"),
  getJob: key("jobs.get"),
  listJobs: session("jobs.list"),
  listConnections: key("connections.list"),
  createConnection: session("connections.create"),
  changeConnection: session("connections.change"),
  deleteConnection: session("connections.delete"),
  listEvents: key("events.list"),
  listWebhookEndpoints: session("webhookEndpoints.list"),
  getWebhookEndpoint: session("webhookEndpoints.get"),
  createWebhookEndpoint: session("webhookEndpoints.create"),
  changeWebhookEndpoint: session("webhookEndpoints.change"),
  deleteWebhookEndpoint: session("webhookEndpoints.delete"),
  rotateWebhookSecret: session("webhookEndpoints.rotateSecret"),
  listWebhookDeliveries: session("webhookEndpoints.listDeliveries"),
  replayWebhookDeliveries: session("webhookEndpoints.replayDeliveries"),
  listApiKeys: session("apiKeys.list"),
  createApiKey: browser("apiKeys.create"),
  rotateApiKey: browser("apiKeys.rotate"),
  confirmApiKey: session("apiKeys.confirm"),
  revokeApiKey: session("apiKeys.revoke"),
  listMembers: session("members.list"),
  changeRole: session("members.changeRole"),
  removeMember: session("members.remove"),
  listInvitations: session("invitations.list"),
  inviteMember: session("invitations.invite"),
  withdrawInvitation: session("invitations.withdraw"),
  listAudit: key("audit.list"),
  getSignInPolicy: session("signInPolicy.get"),
  changeSignInPolicy: session("signInPolicy.change"),
  listIdentityProviders: session("identityProviders.list"),
  createIdentityProvider: browser("identityProviders.create"),
  changeIdentityProvider: browser("identityProviders.change"),
  deleteIdentityProvider: browser("identityProviders.delete"),
  proveDomain: browser("identityProviders.proveDomain"),
} satisfies Partial<Record<keyof Operations, Recipe>>;

/** Operations of the operator pages. They need an operator's session and no organisation. */
export const OPERATOR_RECIPES = {
  getForwarding: session("organisations.forwarding"),
  setForwarding: session("organisations.setForwarding"),
} satisfies Partial<Record<keyof OperatorOperations, Recipe>>;

export type OwnOperation = keyof typeof RECIPES;
export type OperatorOperation = keyof typeof OPERATOR_RECIPES;
export type ShownOperation = OwnOperation | OperatorOperation;

export function isOperators(operation: ShownOperation): operation is OperatorOperation {
  return Object.hasOwn(OPERATOR_RECIPES, operation);
}

export function recipeOf(operation: ShownOperation): Recipe {
  return isOperators(operation) ? OPERATOR_RECIPES[operation] : RECIPES[operation];
}
