import { type Static, Type } from "typebox";
import { ROLES } from "../../platform/http/access.ts";
import {
  DateTime,
  described,
  Email,
  Id,
  nullable,
  openEnum,
  PageQuery,
  pageShape,
  shape,
} from "../../platform/http/shapes.ts";

export const User = shape("User", {
  id: described(Id, "ID of the user."),
  email: Type.String({ maxLength: 254, description: "Email address of the user." }),
  name: Type.String({ maxLength: 200, description: "Name of the user." }),
  is_operator: Type.Boolean({ description: "Whether the user is an operator of the installation." }),
  created_at: described(DateTime, "Time when the account was created."),
  disabled_at: nullable({
    ...DateTime,
    description:
      "Time when an operator disabled the account. `null` if it is enabled. The user cannot sign in until it is enabled.",
  }),
  has_authenticator: Type.Boolean({
    description: "Whether sign-in requires a code from an authenticator app.",
  }),
  session_count: Type.Integer({
    format: "int32",
    minimum: 0,
    maximum: 1_000_000,
    description: "Number of active sessions.",
  }),
  api_key_count: Type.Integer({
    format: "int32",
    minimum: 0,
    maximum: 1_000_000,
    description:
      "Number of active API keys that the user created. They belong to organisations and remain valid.",
  }),
  organisations: Type.Array(
    Type.Object(
      {
        id: described(Id, "ID of the organisation."),
        name: Type.String({ maxLength: 200, description: "Name of the organisation." }),
        role: openEnum(ROLES, "Role in the organisation."),
      },
      { additionalProperties: false },
    ),
    { maxItems: 1_000, description: "Organisations the user belongs to." },
  ),
});
export type User = Static<typeof User>;

export const UserPage = pageShape("UserPage", User);

export const UsersQuery = Type.Object(
  { ...PageQuery, email: Type.Optional(described(Email, "Email address of the user to find.")) },
  { additionalProperties: false },
);

export const DisableUser = shape("DisableUser", {
  reason: Type.Optional(
    Type.String({ minLength: 1, maxLength: 500, description: "Reason, recorded in the audit log." }),
  ),
});
