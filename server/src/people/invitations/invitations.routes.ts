import { Type } from "typebox";
import { operation } from "../../app.ts";
import { pageOf } from "../../platform/http/page.ts";
import { ById, PageQuery } from "../../platform/http/shapes.ts";
import {
  AcceptedInvitation,
  AcceptInvitation,
  Invitation,
  InvitationPage,
  InviteMember,
} from "./invitations.schema.ts";
import {
  acceptInvitation,
  getInvitation,
  inviteMember,
  type InvitationRow,
  listInvitations,
  withdrawInvitation,
} from "./invitations.ts";

const MANAGERS = { callers: "organisation", sessions: { roles: ["owner", "admin"] }, keys: "none" } as const;

const inviteMemberOperation = operation({
  id: "inviteMember",
  method: "POST",
  path: "/v1/invitations",
  tag: "Members",
  summary: "Invite a member",
  description:
    "Sends an email with a link that works once within seven days, only for the recipient's address.",
  access: MANAGERS,
  idempotency: "optional",
  body: InviteMember,
  answers: { 201: Invitation },
  errors: ["role_too_high", "already_member", "already_invited"],
  async change(tx, { actor, body }, app) {
    const invitation = await inviteMember(tx, app, actor, body);
    return {
      status: 201,
      body: shownInvitation(invitation),
      headers: { location: `${app.config.baseUrl}/v1/invitations/${invitation.id}` },
    };
  },
});

const listInvitationsOperation = operation({
  id: "listInvitations",
  method: "GET",
  path: "/v1/invitations",
  tag: "Members",
  summary: "List open invitations",
  description: "Lists invitations that are neither accepted, withdrawn nor expired.",
  access: MANAGERS,
  idempotency: "none",
  query: Type.Object(PageQuery, { additionalProperties: false }),
  answers: { 200: InvitationPage },
  async run(app, { actor, query }) {
    return pageOf(app, { path: "/v1/invitations", of: actor }, query, {
      rows: (page) => listInvitations(app, actor, page),
      item: shownInvitation,
      position: (row) => row.id,
    });
  },
});

const getInvitationOperation = operation({
  id: "getInvitation",
  method: "GET",
  path: "/v1/invitations/{id}",
  tag: "Members",
  summary: "Get an open invitation",
  description: "Returns 404 if the invitation is no longer open.",
  access: MANAGERS,
  idempotency: "none",
  params: ById,
  notFound: "invitation_not_found",
  answers: { 200: Invitation },
  async run(app, { actor, params }) {
    return { status: 200, body: shownInvitation(await getInvitation(app, actor, params.id)) };
  },
});

const withdrawInvitationOperation = operation({
  id: "withdrawInvitation",
  method: "DELETE",
  path: "/v1/invitations/{id}",
  tag: "Members",
  summary: "Withdraw an invitation",
  description: "The link in the email stops working.",
  access: MANAGERS,
  idempotency: "none",
  params: ById,
  notFound: "invitation_not_found",
  answers: { 204: null },
  async change(tx, { actor, params }, app) {
    await withdrawInvitation(tx, app, actor, params.id);
    return { status: 204 };
  },
});

const acceptInvitationOperation = operation({
  id: "acceptInvitation",
  method: "POST",
  path: "/v1/invitations/accept",
  tag: "Members",
  summary: "Accept an invitation",
  description: "If you have an account, sign in first. Otherwise send `account` and sign in afterwards.",
  access: { callers: "anyone", session: "optional" },
  idempotency: "none",
  body: AcceptInvitation,
  answers: { 200: AcceptedInvitation },
  errors: ["invitation_not_found", "account_exists", "already_member", "password_too_weak"],
  async run(app, { caller, body, origin }) {
    const { organisationId, organisationName, role } = await acceptInvitation(app, caller, body, origin);
    return { status: 200, body: { organisation: { id: organisationId, name: organisationName }, role } };
  },
});

function shownInvitation(row: InvitationRow): Invitation {
  return {
    id: row.id,
    email: row.email,
    role: row.role,
    invited_by: row.invited_by,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
  };
}

export const invitationsOperations = [
  inviteMemberOperation,
  listInvitationsOperation,
  acceptInvitationOperation,
  getInvitationOperation,
  withdrawInvitationOperation,
];
