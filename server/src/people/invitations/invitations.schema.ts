import { type Static, Type } from "typebox";
import { ROLES } from "../../platform/http/access.ts";
import {
  closedEnum,
  DateTime,
  Email,
  Id,
  Name,
  nullable,
  openEnum,
  pageShape,
  shape,
} from "../../platform/http/shapes.ts";
import { LinkToken } from "../one-time-links/one-time-links.ts";
import { MAX_PASSWORD_LENGTH } from "../users/users.ts";

export const InviteMember = shape("InviteMember", { email: Email, role: closedEnum(ROLES) });
export type InviteMember = Static<typeof InviteMember>;

export const Invitation = shape("Invitation", {
  id: Id,
  email: Type.String({ maxLength: 254 }),
  role: openEnum(ROLES),
  invited_by: nullable(Id),
  created_at: DateTime,
  expires_at: DateTime,
});
export type Invitation = Static<typeof Invitation>;

export const InvitationPage = pageShape("InvitationPage", Invitation);

export const AcceptInvitation = shape("AcceptInvitation", {
  token: LinkToken,
  account: Type.Optional(
    shape("NewAccount", {
      name: Name,
      password: Type.String({ minLength: 1, maxLength: MAX_PASSWORD_LENGTH, format: "password" }),
    }),
  ),
});
export type AcceptInvitation = Static<typeof AcceptInvitation>;

export const AcceptedInvitation = shape("AcceptedInvitation", {
  organisation: shape("AcceptedOrganisation", { id: Id, name: Type.String({ maxLength: 200 }) }),
  role: openEnum(ROLES),
});
