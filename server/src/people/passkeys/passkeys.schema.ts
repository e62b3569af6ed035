import { type Static, Type } from "typebox";
import { DateTime, described, Id, Name, nullable, pageShape, shape } from "../../platform/http/shapes.ts";

/** Names and nesting of these are WebAuthn's own (Level 3, section 5.1): browsers make and read them as they are. */
const Bytes = (maxLength: number) =>
  Type.String({
    minLength: 1,
    maxLength,
    pattern: "^[A-Za-z0-9_-]+$",
    examples: ["kq3mZ8Kf2tYh"],
    description: "In base64url.",
  });
const Options = Type.Record(Type.String({ maxLength: 100 }), Type.Unknown(), { maxProperties: 50 });
const COMMON = {
  id: described(Bytes(1400), "Credential ID in base64url."),
  rawId: described(Bytes(1400), "Credential ID in base64url, the same as `id`."),
  type: Type.Literal("public-key", { description: "Credential type of WebAuthn." }),
  clientExtensionResults: described(Options, "WebAuthn extension results."),
  authenticatorAttachment: Type.Optional(
    nullable(
      Type.String({
        maxLength: 50,
        description: "Authenticator attachment, such as `platform`. `null` or absent if unknown.",
      }),
    ),
  ),
};

export const Attestation = shape("PasskeyAttestation", {
  ...COMMON,
  response: described(
    shape("PasskeyAttestationResponse", {
      clientDataJSON: described(Bytes(4000), "Client data in base64url."),
      attestationObject: described(Bytes(100_000), "Attestation object in base64url."),
      authenticatorData: Type.Optional(described(Bytes(100_000), "Authenticator data in base64url.")),
      publicKey: Type.Optional(
        described(
          nullable(Bytes(10_000)),
          "Public key in base64url. `null` if the browser cannot export it.",
        ),
      ),
      publicKeyAlgorithm: Type.Optional(
        Type.Integer({
          format: "int32",
          minimum: -100_000,
          maximum: 100_000,
          description: "COSE algorithm identifier of the public key.",
        }),
      ),
      transports: Type.Optional(
        Type.Array(Type.String({ maxLength: 50 }), {
          maxItems: 10,
          description: "Transports of the authenticator, such as `internal`.",
        }),
      ),
    }),
    "Attestation response of the authenticator.",
  ),
});
export type Attestation = Static<typeof Attestation>;

export const Assertion = shape("PasskeyAssertion", {
  ...COMMON,
  response: described(
    shape("PasskeyAssertionResponse", {
      clientDataJSON: described(Bytes(4000), "Client data in base64url."),
      authenticatorData: described(Bytes(10_000), "Authenticator data in base64url."),
      signature: described(Bytes(10_000), "Signature in base64url."),
      userHandle: Type.Optional(
        described(
          nullable(Bytes(200)),
          "User handle in base64url. `null` or absent if the authenticator returned none.",
        ),
      ),
      attestationObject: Type.Optional(
        described(
          nullable(Bytes(100_000)),
          "Attestation object in base64url. `null` or absent if there is none.",
        ),
      ),
    }),
    "Assertion response of the authenticator.",
  ),
});
export type Assertion = Static<typeof Assertion>;

export const PasskeyChallenge = shape("PasskeyChallenge", {
  options: Type.Record(Type.String({ maxLength: 100 }), Type.Unknown(), {
    maxProperties: 50,
    description:
      "Options for `PublicKeyCredential.parseCreationOptionsFromJSON` or `parseRequestOptionsFromJSON` in the browser.",
  }),
});

export const AddPasskey = shape("AddPasskey", {
  name: described(Name, "Name of the passkey."),
  credential: described(Attestation, "Credential that the browser created."),
});
export const RenamePasskey = shape("RenamePasskey", { name: described(Name, "New name of the passkey.") });

export const Passkey = shape("Passkey", {
  id: described(Id, "ID of the passkey."),
  name: Type.String({ maxLength: 200, description: "Name of the passkey." }),
  is_synced: Type.Boolean({ description: "Whether the passkey can be synchronised across your devices." }),
  created_at: described(DateTime, "Time when the passkey was added."),
  last_used_at: described(
    nullable(DateTime),
    "Time when the passkey was last used. `null` if it was never used.",
  ),
});
export type Passkey = Static<typeof Passkey>;
export const PasskeyPage = pageShape("PasskeyPage", Passkey);
