import { type Static, Type } from "typebox";
import { ROLES } from "../../platform/http/access.ts";
import {
  DateTime,
  Email,
  Id,
  nullable,
  openEnum,
  PageQuery,
  pageShape,
  shape,
} from "../../platform/http/shapes.ts";

export const User = shape("User", {
  id: Id,
  email: Type.String({ maxLength: 254 }),
  name: Type.String({ maxLength: 200 }),
  is_operator: Type.Boolean({ description: "Whether this person runs the installation." }),
  created_at: DateTime,
  disabled_at: nullable({
    ...DateTime,
    description: "When an operator disabled the account. The person cannot sign in until it is enabled.",
  }),
  has_authenticator: Type.Boolean({
    description: "Whether signing in asks for a code of an authenticator app.",
  }),
  session_count: Type.Integer({
    format: "int32",
    minimum: 0,
    maximum: 1_000_000,
    description: "Sessions that have not ended.",
  }),
  api_key_count: Type.Integer({
    format: "int32",
    minimum: 0,
    maximum: 1_000_000,
    description: "Active API keys that this person created. They belong to organisations and keep working.",
  }),
  organisations: Type.Array(
    Type.Object(
      { id: Id, name: Type.String({ maxLength: 200 }), role: openEnum(ROLES) },
      { additionalProperties: false },
    ),
    { maxItems: 1_000 },
  ),
});
export type User = Static<typeof User>;

export const UserPage = pageShape("UserPage", User);

export const UsersQuery = Type.Object(
  { ...PageQuery, email: Type.Optional(Email) },
  { additionalProperties: false },
);

export const DisableUser = shape("DisableUser", {
  reason: Type.Optional(
    Type.String({ minLength: 1, maxLength: 500, description: "Recorded in the audit log." }),
  ),
});
