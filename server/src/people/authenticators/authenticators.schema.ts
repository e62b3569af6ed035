import { Type } from "typebox";
import { DateTime, described, nullable, shape } from "../../platform/http/shapes.ts";

/** As a field of the requests that take a code. */
export const Code = Type.String({
  minLength: 6,
  maxLength: 20,
  examples: ["287082"],
  description:
    "Six-digit code from the authenticator app, or a recovery code where the operation accepts one.",
});

export const Authenticator = shape("Authenticator", {
  confirmed_at: described(
    nullable(DateTime),
    "Time when the authenticator app was confirmed. `null` if there is none.",
  ),
  recovery_codes_left: Type.Integer({
    minimum: 0,
    maximum: 100,
    format: "int32",
    description: "Number of unused recovery codes.",
  }),
});

export const AuthenticatorEnrolment = shape("AuthenticatorEnrolment", {
  secret: Type.String({ maxLength: 64, description: "TOTP secret in base32, for manual entry into an app." }),
  otpauth_uri: Type.String({
    maxLength: 1000,
    description: "`otpauth:` URI with the same secret, to show as a QR code.",
  }),
  expires_at: described(DateTime, "Time by which you must confirm the app."),
});

export const ConfirmAuthenticator = shape("ConfirmAuthenticator", { code: Code });

export const RecoveryCodes = shape("RecoveryCodes", {
  recovery_codes: Type.Array(Type.String({ maxLength: 20, examples: ["7ZK3Q-0M8TD"] }), {
    maxItems: 20,
    description: "Recovery codes. Each works once. They are shown only in this response.",
  }),
});
