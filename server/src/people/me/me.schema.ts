import { type Static, Type } from "typebox";
import { ROLES, SCOPES, UNMET_POLICIES } from "../../platform/http/access.ts";
import { DateTime, described, Id, nullable, openEnum, shape } from "../../platform/http/shapes.ts";

export const Me = shape("Me", {
  caller: described(
    shape("Caller", {
      kind: openEnum(["session", "api_key"], "Type of the credential."),
      id: described(Id, "ID of the user or of the API key."),
      name: Type.String({ maxLength: 200, description: "Name of the user or of the API key." }),
      email: Type.Optional(Type.String({ maxLength: 254, description: "Email address. Sessions only." })),
      scopes: Type.Optional(
        Type.Array(openEnum(SCOPES), { maxItems: 10, description: "Scopes. API keys only." }),
      ),
      environment: openEnum(["live", "test"], "Environment of the request."),
      key_hint: Type.Optional(
        Type.String({ maxLength: 4, description: "Last four characters of the key. API keys only." }),
      ),
      expires_at: Type.Optional(
        described(
          nullable(DateTime),
          "Time when the session or key expires. `null` if the key does not expire.",
        ),
      ),
    }),
    "Credential that sent the request.",
  ),
  memberships: Type.Array(
    shape("Membership", {
      organisation: described(
        shape("MembershipOrganisation", {
          id: described(Id, "ID of the organisation."),
          name: Type.String({ maxLength: 200, description: "Name of the organisation." }),
        }),
        "The organisation.",
      ),
      role: nullable(openEnum(ROLES, "Role in the organisation. `null` for an API key.")),
      unmet_policy: nullable({
        ...openEnum(UNMET_POLICIES),
        description:
          "Rule of the sign-in policy that your session does not meet. Requests in the organisation are rejected until it is met. `null` if there is none. Always `null` for API keys.",
      }),
    }),
    { maxItems: 10_000, description: "Organisations the caller belongs to." },
  ),
});
export type Me = Static<typeof Me>;
