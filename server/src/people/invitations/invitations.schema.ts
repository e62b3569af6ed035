import { type Static, Type } from "typebox";
import { ROLES } from "../../platform/http/access.ts";
import {
  closedEnum,
  DateTime,
  described,
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

export const InviteMember = shape("InviteMember", {
  email: described(Email, "Email address of the recipient."),
  role: described(closedEnum(ROLES), "Role of the new member. It cannot be above your own."),
});
export type InviteMember = Static<typeof InviteMember>;

export const Invitation = shape("Invitation", {
  id: described(Id, "ID of the invitation."),
  email: Type.String({ maxLength: 254, description: "Email address of the recipient." }),
  role: openEnum(ROLES, "Role of the new member."),
  invited_by: described(
    nullable(Id),
    "ID of the user who sent the invitation. `null` if an operator sent it.",
  ),
  created_at: described(DateTime, "Time when the invitation was sent."),
  expires_at: described(DateTime, "Time when the invitation expires."),
});
export type Invitation = Static<typeof Invitation>;

export const InvitationPage = pageShape("InvitationPage", Invitation);

export const AcceptInvitation = shape("AcceptInvitation", {
  token: LinkToken,
  account: Type.Optional(
    described(
      shape("NewAccount", {
        name: described(Name, "Name of the new user."),
        password: Type.String({
          minLength: 1,
          maxLength: MAX_PASSWORD_LENGTH,
          format: "password",
          description: "Password of the new user.",
        }),
      }),
      "Account to create. Omit it if you are signed in.",
    ),
  ),
});
export type AcceptInvitation = Static<typeof AcceptInvitation>;

export const AcceptedInvitation = shape("AcceptedInvitation", {
  organisation: described(
    shape("AcceptedOrganisation", {
      id: described(Id, "ID of the organisation."),
      name: Type.String({ maxLength: 200, description: "Name of the organisation." }),
    }),
    "Organisation that you have joined.",
  ),
  role: openEnum(ROLES, "Your role in the organisation."),
});
