import { type Static, Type } from "typebox";
import { ROLES, SCOPES, UNMET_POLICIES } from "../../platform/http/access.ts";
import { DateTime, Id, nullable, openEnum, shape } from "../../platform/http/shapes.ts";

export const Me = shape("Me", {
  caller: shape("Caller", {
    kind: openEnum(["session", "api_key"]),
    id: Id,
    name: Type.String({ maxLength: 200 }),
    email: Type.Optional(Type.String({ maxLength: 254, description: "Of a person." })),
    scopes: Type.Optional(Type.Array(openEnum(SCOPES), { maxItems: 10, description: "Of a key." })),
    environment: openEnum(["live", "test"]),
    key_hint: Type.Optional(
      Type.String({ maxLength: 4, description: "The last four characters of the key." }),
    ),
    expires_at: Type.Optional(nullable(DateTime)),
  }),
  memberships: Type.Array(
    shape("Membership", {
      organisation: shape("MembershipOrganisation", { id: Id, name: Type.String({ maxLength: 200 }) }),
      role: nullable(openEnum(ROLES)),
      unmet_policy: nullable({
        ...openEnum(UNMET_POLICIES),
        description:
          "The rule of the organisation's sign-in policy that your session does not meet. While it is set, requests in the organisation are rejected. Always null for an API key.",
      }),
    }),
    { maxItems: 10_000 },
  ),
});
export type Me = Static<typeof Me>;
