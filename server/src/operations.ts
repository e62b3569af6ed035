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
  changeEmailOperation,
  completeEmailChangeOperation,
} from "./features/email-addresses/email-addresses.routes.ts";
import { listEventsOperation } from "./features/events/events.routes.ts";
import {
  acceptInvitationOperation,
  getInvitationOperation,
  inviteMemberOperation,
  listInvitationsOperation,
  withdrawInvitationOperation,
} from "./features/invitations/invitations.routes.ts";
import { getMeOperation } from "./features/me/me.routes.ts";
import {
  changeRoleOperation,
  leaveOrganisationOperation,
  listMembersOperation,
  removeMemberOperation,
} from "./features/members/members.routes.ts";
import {
  createOrganisationOperation,
  getOrganisationOperation,
  listOrganisationsOperation,
} from "./features/organisations/organisations.routes.ts";
import {
  changePasswordOperation,
  completePasswordResetOperation,
  requestPasswordResetOperation,
} from "./features/passwords/passwords.routes.ts";
import {
  endSessionOperation,
  listSessionsOperation,
  reauthenticateOperation,
  signInOperation,
  signOutOperation,
} from "./features/sessions/sessions.routes.ts";
import type { Operation } from "./platform/http/operation.ts";

/** The table of routes: what is served, what the contract describes and what the tests walk through. */
export const OPERATIONS: readonly Operation<App>[] = [
  getMeOperation,
  changePasswordOperation,
  changeEmailOperation,
  completeEmailChangeOperation,
  requestPasswordResetOperation,
  completePasswordResetOperation,
  signInOperation,
  listSessionsOperation,
  signOutOperation,
  reauthenticateOperation,
  endSessionOperation,
  listMembersOperation,
  leaveOrganisationOperation,
  changeRoleOperation,
  removeMemberOperation,
  inviteMemberOperation,
  listInvitationsOperation,
  acceptInvitationOperation,
  getInvitationOperation,
  withdrawInvitationOperation,
  createApiKeyOperation,
  listApiKeysOperation,
  rotateApiKeyOperation,
  revokeApiKeyOperation,
  detachApiKeyOperation,
  listEventsOperation,
  listAuditOperation,
  createOrganisationOperation,
  listOrganisationsOperation,
  getOrganisationOperation,
];
