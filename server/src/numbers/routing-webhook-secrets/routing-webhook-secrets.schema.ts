import { type Static, Type } from "typebox";
import { DateTime, Id, nullable, shape } from "../../platform/http/shapes.ts";

const Secret = Type.String({
  maxLength: 100,
  examples: ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"],
  description: "For any library of Standard Webhooks.",
});

export const RoutingWebhookSecret = shape("RoutingWebhookSecret", {
  secret: Secret,
  version: Type.Integer({ minimum: 1, maximum: 2_147_483_647, format: "int32" }),
  previous_until: nullable(
    Type.String({
      ...DateTime,
      description: "Until when the secret before this one signs too; null where none does any more.",
    }),
  ),
});
export type RoutingWebhookSecret = Static<typeof RoutingWebhookSecret>;

export const SignersQuestion = shape("SignersQuestion", {
  number_ids: Type.Array(Id, { maxItems: 1_000, description: "Numbers whose calls are asked about." }),
});

export const Signers = shape("Signers", {
  signers: Type.Array(
    shape("Signer", {
      organisation_id: Id,
      number_ids: Type.Array(Id, { maxItems: 1_000, description: "Those of the question that are its own." }),
      secrets: Type.Array(
        shape("SignerSecret", {
          secret: Secret,
          until: nullable(DateTime),
        }),
        { maxItems: 10, description: "Each of them signs, until its time is over; the newest first." },
      ),
    }),
    { maxItems: 1_000 },
  ),
});
export type Signers = Static<typeof Signers>;
