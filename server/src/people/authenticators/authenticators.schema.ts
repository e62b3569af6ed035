import { Type } from "typebox";
import { DateTime, nullable, shape } from "../../platform/http/shapes.ts";

/** As a field of the requests that take a code. */
export const Code = Type.String({
  minLength: 6,
  maxLength: 20,
  examples: ["287082"],
  description: "Six digits of the authenticator app, or a recovery code where one can stand in for it.",
});

export const Authenticator = shape("Authenticator", {
  confirmed_at: nullable(DateTime),
  recovery_codes_left: Type.Integer({ minimum: 0, maximum: 100, format: "int32" }),
});

export const AuthenticatorEnrolment = shape("AuthenticatorEnrolment", {
  secret: Type.String({ maxLength: 64, description: "For typing into an app, in base32." }),
  otpauth_uri: Type.String({ maxLength: 1000, description: "The same, to be shown as a QR code." }),
  expires_at: DateTime,
});

export const ConfirmAuthenticator = shape("ConfirmAuthenticator", { code: Code });

export const RecoveryCodes = shape("RecoveryCodes", {
  recovery_codes: Type.Array(Type.String({ maxLength: 20, examples: ["7ZK3Q-0M8TD"] }), { maxItems: 20 }),
});
