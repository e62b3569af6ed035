import { ACCOUNT_OPERATIONS } from "./account-operations.ts";
import type { App } from "./app.ts";
import {
  createApiKeyOperation,
  detachApiKeyOperation,
  listApiKeysOperation,
  revokeApiKeyOperation,
  rotateApiKeyOperation,
} from "./features/api-keys/api-keys.routes.ts";
import { listAuditOperation } from "./features/audit/audit.routes.ts";
import {
  applyBulkChangeOperation,
  getBulkChangeOperation,
  listBulkChangeItemsOperation,
  listBulkChangesOperation,
  planBulkChangeOperation,
} from "./features/bulk-changes/bulk-changes.routes.ts";
import { recordCallsOperation } from "./features/call-records/call-records.routes.ts";
import { exportCallsOperation, listCallsOperation } from "./features/calls/calls.routes.ts";
import {
  getNumberUsageOperation,
  getOrganisationUsageOperation,
  getTopNumbersOperation,
} from "./features/usage/usage.routes.ts";
import { reportCallStandingOperation } from "./features/call-standings/call-standings.routes.ts";
import {
  changeConnectionOperation,
  createConnectionOperation,
  deleteConnectionOperation,
  getConnectionOperation,
  listConnectionsOperation,
} from "./features/connections/connections.routes.ts";
import { listEventsOperation } from "./features/events/events.routes.ts";
import { listEpochsOperation, resolveEpochOperation } from "./features/epochs/epochs.routes.ts";
import { openStreamOperation } from "./features/feed/feed.routes.ts";
import { getJobOperation, listJobsOperation } from "./features/jobs/jobs.routes.ts";
import {
  announceSavedStatesOperation,
  listSavedStateItemsOperation,
  listSavedStatesOperation,
  requestSavedStateOperation,
  uploadSavedStateOperation,
} from "./features/saved-states/saved-states.routes.ts";
import { searchInventoryOperation } from "./features/inventory/inventory.routes.ts";
import {
  acceptInvitationOperation,
  getInvitationOperation,
  inviteMemberOperation,
  listInvitationsOperation,
  withdrawInvitationOperation,
} from "./features/invitations/invitations.routes.ts";
import {
  changeIdentityProviderOperation,
  createIdentityProviderOperation,
  deleteIdentityProviderOperation,
  getIdentityProviderOperation,
  listIdentityProvidersOperation,
  proveDomainOperation,
} from "./features/identity-providers/identity-providers.routes.ts";
import {
  followLiveOperation,
  readLiveOperation,
  reportLiveCallsOperation,
} from "./features/live/live.routes.ts";
import {
  changeRoleOperation,
  leaveOrganisationOperation,
  listMembersOperation,
  removeMemberOperation,
} from "./features/members/members.routes.ts";
import {
  getPoolOperation,
  importPoolOperation,
  listPoolNumbersOperation,
} from "./features/numbers/numbers.pool.routes.ts";
import {
  changeNumberOperation,
  exportNumbersOperation,
  getNumberOperation,
  listNumbersOperation,
} from "./features/numbers/numbers.routes.ts";
import {
  listHeldNumbersOperation,
  getHeldNumberOperation,
  resumeNumberOperation,
  suspendNumberOperation,
} from "./features/numbers/numbers.suspension.routes.ts";
import {
  getOrderOperation,
  listOrdersOperation,
  placeOrderOperation,
} from "./features/orders/orders.routes.ts";
import {
  changeSignInPolicyOperation,
  getSignInPolicyOperation,
} from "./features/organisations/organisations.policy.routes.ts";
import {
  createOrganisationOperation,
  getOrganisationOperation,
  listOrganisationsOperation,
  resumeOrganisationOperation,
  suspendOrganisationOperation,
} from "./features/organisations/organisations.routes.ts";
import { releaseNumberOperation, restoreNumberOperation } from "./features/releases/releases.routes.ts";
import {
  listFindingsOperation,
  listReconciliationsOperation,
  reconcileOperation,
  adoptFindingOperation,
  repairFindingOperation,
} from "./features/reconciliations/reconciliations.routes.ts";
import {
  cancelReservationOperation,
  createReservationOperation,
  getReservationOperation,
  listReservationsOperation,
} from "./features/reservations/reservations.routes.ts";
import {
  diffRoutingOperation,
  getRoutingOperation,
  listRevisionsOperation,
  rollBackRoutingOperation,
  setRoutingOperation,
} from "./features/routing/routing.routes.ts";
import {
  getRoutingWebhookSecretOperation,
  listSigningSecretsOperation,
  rotateRoutingWebhookSecretOperation,
} from "./features/routing-webhook-secrets/routing-webhook-secrets.routes.ts";
import { recordReportOperation } from "./features/switches/switches.reports.routes.ts";
import {
  changeSwitchOperation,
  createSwitchGroupOperation,
  createSwitchOperation,
  getSwitchGroupOperation,
  listSwitchesOperation,
  listSwitchGroupsOperation,
  rotateSwitchCredentialOperation,
} from "./features/switches/switches.routes.ts";
import {
  disableUserOperation,
  enableUserOperation,
  endUserSessionsOperation,
  getUserOperation,
  listUsersOperation,
  removeUserAuthenticatorOperation,
} from "./features/users/users.routes.ts";
import type { Operation } from "./platform/http/operation.ts";
import {
  changeWebhookEndpointOperation,
  createWebhookEndpointOperation,
  deleteWebhookEndpointOperation,
  getWebhookEndpointOperation,
  listWebhookDeliveriesOperation,
  listWebhookEndpointsOperation,
  replayWebhookDeliveriesOperation,
  rotateWebhookSecretOperation,
} from "./features/webhook-endpoints/webhook-endpoints.routes.ts";

/** The table of routes: what is served, what the contract describes and what the tests walk through. */
export const OPERATIONS: readonly Operation<App>[] = [
  ...ACCOUNT_OPERATIONS,
  listMembersOperation,
  leaveOrganisationOperation,
  changeRoleOperation,
  removeMemberOperation,
  inviteMemberOperation,
  listInvitationsOperation,
  acceptInvitationOperation,
  getInvitationOperation,
  withdrawInvitationOperation,
  listIdentityProvidersOperation,
  getSignInPolicyOperation,
  changeSignInPolicyOperation,
  createIdentityProviderOperation,
  getIdentityProviderOperation,
  changeIdentityProviderOperation,
  deleteIdentityProviderOperation,
  proveDomainOperation,
  createApiKeyOperation,
  listApiKeysOperation,
  rotateApiKeyOperation,
  revokeApiKeyOperation,
  detachApiKeyOperation,
  listNumbersOperation,
  exportNumbersOperation,
  readLiveOperation,
  followLiveOperation,
  getNumberOperation,
  changeNumberOperation,
  getNumberUsageOperation,
  listCallsOperation,
  exportCallsOperation,
  getOrganisationUsageOperation,
  getTopNumbersOperation,
  getRoutingOperation,
  setRoutingOperation,
  rollBackRoutingOperation,
  listRevisionsOperation,
  diffRoutingOperation,
  getRoutingWebhookSecretOperation,
  rotateRoutingWebhookSecretOperation,
  listConnectionsOperation,
  createConnectionOperation,
  getConnectionOperation,
  changeConnectionOperation,
  deleteConnectionOperation,
  planBulkChangeOperation,
  listBulkChangesOperation,
  getBulkChangeOperation,
  listBulkChangeItemsOperation,
  applyBulkChangeOperation,
  searchInventoryOperation,
  createReservationOperation,
  listReservationsOperation,
  getReservationOperation,
  cancelReservationOperation,
  placeOrderOperation,
  listOrdersOperation,
  getOrderOperation,
  releaseNumberOperation,
  restoreNumberOperation,
  getJobOperation,
  listJobsOperation,
  createWebhookEndpointOperation,
  listWebhookEndpointsOperation,
  getWebhookEndpointOperation,
  changeWebhookEndpointOperation,
  deleteWebhookEndpointOperation,
  rotateWebhookSecretOperation,
  listWebhookDeliveriesOperation,
  replayWebhookDeliveriesOperation,
  listEventsOperation,
  listAuditOperation,
  createOrganisationOperation,
  listOrganisationsOperation,
  getOrganisationOperation,
  suspendOrganisationOperation,
  resumeOrganisationOperation,
  listUsersOperation,
  getUserOperation,
  disableUserOperation,
  enableUserOperation,
  endUserSessionsOperation,
  removeUserAuthenticatorOperation,
  listHeldNumbersOperation,
  getHeldNumberOperation,
  suspendNumberOperation,
  resumeNumberOperation,
  getPoolOperation,
  listPoolNumbersOperation,
  importPoolOperation,
  listReconciliationsOperation,
  reconcileOperation,
  listFindingsOperation,
  adoptFindingOperation,
  repairFindingOperation,
  listSwitchGroupsOperation,
  createSwitchGroupOperation,
  getSwitchGroupOperation,
  listSwitchesOperation,
  createSwitchOperation,
  rotateSwitchCredentialOperation,
  changeSwitchOperation,
  listEpochsOperation,
  resolveEpochOperation,
  listSavedStatesOperation,
  requestSavedStateOperation,
  listSavedStateItemsOperation,
  openStreamOperation,
  recordReportOperation,
  recordCallsOperation,
  reportLiveCallsOperation,
  listSigningSecretsOperation,
  reportCallStandingOperation,
  announceSavedStatesOperation,
  uploadSavedStateOperation,
];
