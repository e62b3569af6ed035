import { type Static, Type } from "typebox";
import { DateTime, described, Id, nullable, shape } from "../../platform/http/shapes.ts";

const Secret = Type.String({
  maxLength: 100,
  examples: ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"],
  description: "Signing secret for any Standard Webhooks library.",
});

export const RoutingWebhookSecret = shape("RoutingWebhookSecret", {
  secret: Secret,
  version: Type.Integer({
    minimum: 1,
    maximum: 2_147_483_647,
    format: "int32",
    description: "Version of the secret. Increases by 1 with each rotation.",
  }),
  previous_until: nullable(
    Type.String({
      ...DateTime,
      description:
        "Time until which requests are also signed with the previous secret. `null` if they are not.",
    }),
  ),
});
export type RoutingWebhookSecret = Static<typeof RoutingWebhookSecret>;

export const SignersQuestion = shape("SignersQuestion", {
  number_ids: Type.Array(Id, { maxItems: 1_000, description: "IDs of the numbers." }),
});

export const Signers = shape("Signers", {
  signers: Type.Array(
    shape("Signer", {
      organisation_id: described(Id, "ID of the organisation."),
      number_ids: Type.Array(Id, {
        maxItems: 1_000,
        description: "Requested numbers that the organisation holds.",
      }),
      secrets: Type.Array(
        shape("SignerSecret", {
          secret: Secret,
          until: described(
            nullable(DateTime),
            "Time when the secret expires. `null` for the current secret.",
          ),
        }),
        {
          maxItems: 10,
          description: "Signing secrets, newest first. Sign with each of them until it expires.",
        },
      ),
    }),
    { maxItems: 1_000, description: "Organisations and their signing secrets." },
  ),
});
export type Signers = Static<typeof Signers>;
