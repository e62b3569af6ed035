import type { App } from "./app.ts";
import { auditOperations } from "./events/audit/audit.routes.ts";
import { eventsOperations } from "./events/events/events.routes.ts";
import { notificationsOperations } from "./events/notifications/notifications.routes.ts";
import { webhookEndpointsOperations } from "./events/webhook-endpoints/webhook-endpoints.routes.ts";
import { addressesOperations } from "./numbers/addresses/addresses.routes.ts";
import { bulkChangesOperations } from "./numbers/bulk-changes/bulk-changes.routes.ts";
import { connectionsOperations } from "./numbers/connections/connections.routes.ts";
import { documentsOperations } from "./numbers/documents/documents.routes.ts";
import { inventoryOperations } from "./numbers/inventory/inventory.routes.ts";
import { jobsOperations } from "./numbers/jobs/jobs.routes.ts";
import { numbersPoolOperations } from "./numbers/numbers/numbers.pool.routes.ts";
import { numbersOperations } from "./numbers/numbers/numbers.routes.ts";
import { numbersSuspensionOperations } from "./numbers/numbers/numbers.suspension.routes.ts";
import { ordersOperations } from "./numbers/orders/orders.routes.ts";
import { connectedCarriersOperations } from "./numbers/connected-carriers/connected-carriers.routes.ts";
import { reconciliationsOperations } from "./numbers/reconciliations/reconciliations.routes.ts";
import { releasesOperations } from "./numbers/releases/releases.routes.ts";
import { reservationsOperations } from "./numbers/reservations/reservations.routes.ts";
import { routingWebhookSecretsOperations } from "./numbers/routing-webhook-secrets/routing-webhook-secrets.routes.ts";
import { routingOperations } from "./numbers/routing/routing.routes.ts";
import { timelineOperations } from "./numbers/timeline/timeline.routes.ts";
import { apiKeysOperations } from "./people/api-keys/api-keys.routes.ts";
import { authenticatorsOperations } from "./people/authenticators/authenticators.routes.ts";
import { authorisationCodesOperations } from "./people/authorisation-codes/authorisation-codes.routes.ts";
import { deviceSignInsOperations } from "./people/device-sign-ins/device-sign-ins.routes.ts";
import { emailAddressesOperations } from "./people/email-addresses/email-addresses.routes.ts";
import { identityProvidersOperations } from "./people/identity-providers/identity-providers.routes.ts";
import { invitationsOperations } from "./people/invitations/invitations.routes.ts";
import { meOperations } from "./people/me/me.routes.ts";
import { membersOperations } from "./people/members/members.routes.ts";
import { organisationsPolicyOperations } from "./people/organisations/organisations.policy.routes.ts";
import { organisationsSettingsOperations } from "./people/organisations/organisations.settings.routes.ts";
import { organisationsOperations } from "./people/organisations/organisations.routes.ts";
import { passkeysOperations } from "./people/passkeys/passkeys.routes.ts";
import { passwordsOperations } from "./people/passwords/passwords.routes.ts";
import { sessionsOperations } from "./people/sessions/sessions.routes.ts";
import { signInsOperations } from "./people/sign-ins/sign-ins.routes.ts";
import { usersOperations } from "./people/users/users.routes.ts";
import { viewsOperations } from "./people/views/views.routes.ts";
import { callsOperatorOperations } from "./switching/calls/calls.operator.routes.ts";
import { callsRecordsOperations } from "./switching/calls/calls.records.routes.ts";
import { callsOperations } from "./switching/calls/calls.routes.ts";
import { callsSearchOperations } from "./switching/calls/calls.search.routes.ts";
import { callsStandingsOperations } from "./switching/calls/calls.standings.routes.ts";
import { epochsOperations } from "./switching/epochs/epochs.routes.ts";
import { feedOperations } from "./switching/feed/feed.routes.ts";
import { liveOperations } from "./switching/live/live.routes.ts";
import { forwardingOperations } from "./switching/forwarding/forwarding.routes.ts";
import { operatorOverviewOperations } from "./switching/operator-overview/operator-overview.routes.ts";
import { overviewOperations } from "./switching/overview/overview.routes.ts";
import { restoresOperations } from "./switching/restores/restores.routes.ts";
import { savedStatesOperations } from "./switching/saved-states/saved-states.routes.ts";
import { switchesReportsOperations } from "./switching/switches/switches.reports.routes.ts";
import { switchesOperations } from "./switching/switches/switches.routes.ts";
import { probesOperations } from "./switching/probes/probes.routes.ts";
import { probesOperatorOperations } from "./switching/probes/probes.operator.routes.ts";
import { trunksOperations } from "./switching/trunks/trunks.routes.ts";
import { usageOperations } from "./switching/usage/usage.routes.ts";
import type { Operation } from "./platform/http/operation.ts";

/** The table of routes: what is served, what the contract describes and what the tests walk through. */
export const OPERATIONS: readonly Operation<App>[] = [
  ...meOperations,
  ...passwordsOperations,
  ...emailAddressesOperations,
  ...authenticatorsOperations,
  ...passkeysOperations,
  ...signInsOperations,
  ...sessionsOperations,
  ...authorisationCodesOperations,
  ...deviceSignInsOperations,
  ...membersOperations,
  ...invitationsOperations,
  ...identityProvidersOperations,
  ...organisationsSettingsOperations,
  ...organisationsPolicyOperations,
  ...apiKeysOperations,
  ...viewsOperations,
  ...numbersOperations,
  ...liveOperations,
  ...forwardingOperations,
  ...probesOperations,
  ...probesOperatorOperations,
  ...trunksOperations,
  ...overviewOperations,
  ...operatorOverviewOperations,
  ...usageOperations,
  ...callsOperations,
  ...callsSearchOperations,
  ...callsOperatorOperations,
  ...routingOperations,
  ...timelineOperations,
  ...routingWebhookSecretsOperations,
  ...connectionsOperations,
  ...bulkChangesOperations,
  ...inventoryOperations,
  ...reservationsOperations,
  ...ordersOperations,
  ...addressesOperations,
  ...documentsOperations,
  ...releasesOperations,
  ...jobsOperations,
  ...webhookEndpointsOperations,
  ...eventsOperations,
  ...notificationsOperations,
  ...auditOperations,
  ...organisationsOperations,
  ...usersOperations,
  ...numbersSuspensionOperations,
  ...numbersPoolOperations,
  ...connectedCarriersOperations,
  ...reconciliationsOperations,
  ...switchesOperations,
  ...epochsOperations,
  ...restoresOperations,
  ...savedStatesOperations,
  ...feedOperations,
  ...switchesReportsOperations,
  ...callsRecordsOperations,
  ...callsStandingsOperations,
];
