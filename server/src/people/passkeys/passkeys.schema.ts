import { type Static, Type } from "typebox";
import { DateTime, Id, Name, nullable, pageShape, shape } from "../../platform/http/shapes.ts";

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
  id: Bytes(1400),
  rawId: Bytes(1400),
  type: Type.Literal("public-key"),
  clientExtensionResults: Options,
  authenticatorAttachment: Type.Optional(nullable(Type.String({ maxLength: 50 }))),
};

export const Attestation = shape("PasskeyAttestation", {
  ...COMMON,
  response: shape("PasskeyAttestationResponse", {
    clientDataJSON: Bytes(4000),
    attestationObject: Bytes(100_000),
    authenticatorData: Type.Optional(Bytes(100_000)),
    publicKey: Type.Optional(nullable(Bytes(10_000))),
    publicKeyAlgorithm: Type.Optional(Type.Integer({ format: "int32", minimum: -100_000, maximum: 100_000 })),
    transports: Type.Optional(Type.Array(Type.String({ maxLength: 50 }), { maxItems: 10 })),
  }),
});
export type Attestation = Static<typeof Attestation>;

export const Assertion = shape("PasskeyAssertion", {
  ...COMMON,
  response: shape("PasskeyAssertionResponse", {
    clientDataJSON: Bytes(4000),
    authenticatorData: Bytes(10_000),
    signature: Bytes(10_000),
    userHandle: Type.Optional(nullable(Bytes(200))),
    attestationObject: Type.Optional(nullable(Bytes(100_000))),
  }),
});
export type Assertion = Static<typeof Assertion>;

export const PasskeyChallenge = shape("PasskeyChallenge", {
  options: Type.Record(Type.String({ maxLength: 100 }), Type.Unknown(), {
    maxProperties: 50,
    description:
      "For PublicKeyCredential.parseCreationOptionsFromJSON or parseRequestOptionsFromJSON of the browser.",
  }),
});

export const AddPasskey = shape("AddPasskey", { name: Name, credential: Attestation });
export const RenamePasskey = shape("RenamePasskey", { name: Name });

export const Passkey = shape("Passkey", {
  id: Id,
  name: Type.String({ maxLength: 200 }),
  is_synced: Type.Boolean({ description: "Whether it can be on several devices of yours." }),
  created_at: DateTime,
  last_used_at: nullable(DateTime),
});
export type Passkey = Static<typeof Passkey>;
export const PasskeyPage = pageShape("PasskeyPage", Passkey);
