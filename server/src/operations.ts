import { ACCOUNT_OPERATIONS } from "./account-operations.ts";
import type { App } from "./app.ts";
import {
  createApiKeyOperation,
  detachApiKeyOperation,
  listApiKeysOperation,
  revokeApiKeyOperation,
  rotateApiKeyOperation,
} from "./people/api-keys/api-keys.routes.ts";
import { listAuditOperation } from "./events/audit/audit.routes.ts";
import {
  applyBulkChangeOperation,
  getBulkChangeOperation,
  listBulkChangeItemsOperation,
  listBulkChangesOperation,
  planBulkChangeOperation,
} from "./numbers/bulk-changes/bulk-changes.routes.ts";
import { recordCallsOperation } from "./switching/calls/calls.records.routes.ts";
import { exportCallsOperation, listCallsOperation } from "./switching/calls/calls.routes.ts";
import {
  getNumberUsageOperation,
  getOrganisationUsageOperation,
  getTopNumbersOperation,
} from "./switching/usage/usage.routes.ts";
import { reportCallStandingOperation } from "./switching/calls/calls.standings.routes.ts";
import {
  changeConnectionOperation,
  createConnectionOperation,
  deleteConnectionOperation,
  getConnectionOperation,
  listConnectionsOperation,
} from "./numbers/connections/connections.routes.ts";
import { listEventsOperation } from "./events/events/events.routes.ts";
import { listEpochsOperation, resolveEpochOperation } from "./switching/epochs/epochs.routes.ts";
import { openStreamOperation } from "./switching/feed/feed.routes.ts";
import { getJobOperation, listJobsOperation } from "./numbers/jobs/jobs.routes.ts";
import {
  announceSavedStatesOperation,
  listSavedStateItemsOperation,
  listSavedStatesOperation,
  requestSavedStateOperation,
  uploadSavedStateOperation,
} from "./switching/saved-states/saved-states.routes.ts";
import { searchInventoryOperation } from "./numbers/inventory/inventory.routes.ts";
import {
  acceptInvitationOperation,
  getInvitationOperation,
  inviteMemberOperation,
  listInvitationsOperation,
  withdrawInvitationOperation,
} from "./people/invitations/invitations.routes.ts";
import {
  changeIdentityProviderOperation,
  createIdentityProviderOperation,
  deleteIdentityProviderOperation,
  getIdentityProviderOperation,
  listIdentityProvidersOperation,
  proveDomainOperation,
} from "./people/identity-providers/identity-providers.routes.ts";
import {
  followLiveOperation,
  readLiveOperation,
  reportLiveCallsOperation,
} from "./switching/live/live.routes.ts";
import {
  changeRoleOperation,
  leaveOrganisationOperation,
  listMembersOperation,
  removeMemberOperation,
} from "./people/members/members.routes.ts";
import {
  getPoolOperation,
  importPoolOperation,
  listPoolNumbersOperation,
} from "./numbers/numbers/numbers.pool.routes.ts";
import {
  changeNumberOperation,
  exportNumbersOperation,
  getNumberOperation,
  listNumbersOperation,
} from "./numbers/numbers/numbers.routes.ts";
import {
  listHeldNumbersOperation,
  getHeldNumberOperation,
  resumeNumberOperation,
  suspendNumberOperation,
} from "./numbers/numbers/numbers.suspension.routes.ts";
import {
  getOrderOperation,
  listOrdersOperation,
  placeOrderOperation,
} from "./numbers/orders/orders.routes.ts";
import {
  changeSignInPolicyOperation,
  getSignInPolicyOperation,
} from "./people/organisations/organisations.policy.routes.ts";
import {
  createOrganisationOperation,
  getOrganisationOperation,
  listOrganisationsOperation,
  resumeOrganisationOperation,
  suspendOrganisationOperation,
} from "./people/organisations/organisations.routes.ts";
import { releaseNumberOperation, restoreNumberOperation } from "./numbers/releases/releases.routes.ts";
import {
  listFindingsOperation,
  listReconciliationsOperation,
  reconcileOperation,
  adoptFindingOperation,
  repairFindingOperation,
} from "./numbers/reconciliations/reconciliations.routes.ts";
import {
  cancelReservationOperation,
  createReservationOperation,
  getReservationOperation,
  listReservationsOperation,
} from "./numbers/reservations/reservations.routes.ts";
import {
  diffRoutingOperation,
  getRoutingOperation,
  listRevisionsOperation,
  rollBackRoutingOperation,
  setRoutingOperation,
} from "./numbers/routing/routing.routes.ts";
import {
  getRoutingWebhookSecretOperation,
  listSigningSecretsOperation,
  rotateRoutingWebhookSecretOperation,
} from "./numbers/routing-webhook-secrets/routing-webhook-secrets.routes.ts";
import { recordReportOperation } from "./switching/switches/switches.reports.routes.ts";
import {
  changeSwitchOperation,
  createSwitchGroupOperation,
  createSwitchOperation,
  getSwitchGroupOperation,
  listSwitchesOperation,
  listSwitchGroupsOperation,
  rotateSwitchCredentialOperation,
} from "./switching/switches/switches.routes.ts";
import {
  disableUserOperation,
  enableUserOperation,
  endUserSessionsOperation,
  getUserOperation,
  listUsersOperation,
  removeUserAuthenticatorOperation,
} from "./people/users/users.routes.ts";
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
} from "./events/webhook-endpoints/webhook-endpoints.routes.ts";

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
