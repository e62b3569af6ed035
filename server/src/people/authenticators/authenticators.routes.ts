import { operation } from "../../app.ts";
import {
  Authenticator,
  AuthenticatorEnrolment,
  ConfirmAuthenticator,
  RecoveryCodes,
} from "./authenticators.schema.ts";
import {
  confirmAuthenticator,
  enrolAuthenticator,
  readAuthenticator,
  removeAuthenticator,
  renewRecoveryCodes,
} from "./authenticators.ts";

const OWN = { callers: "authenticated", sessions: { roles: "any" }, keys: "none" } as const;
const OWN_RECENT = { ...OWN, sessions: { roles: "any", browser: true, recent: true } } as const;

const getAuthenticatorOperation = operation({
  id: "getAuthenticator",
  method: "GET",
  path: "/v1/me/authenticator",
  tag: "Account",
  summary: "Get authenticator app status",
  description: "Shows whether sign-in requires a code from an authenticator app.",
  access: OWN,
  idempotency: "none",
  answers: { 200: Authenticator },
  async run(app, { caller }) {
    const { confirmedAt, recoveryCodesLeft } = await readAuthenticator(app, caller);
    return {
      status: 200,
      body: { confirmed_at: confirmedAt?.toISOString() ?? null, recovery_codes_left: recoveryCodesLeft },
    };
  },
});

const enrolAuthenticatorOperation = operation({
  id: "enrolAuthenticator",
  method: "POST",
  path: "/v1/me/authenticator",
  tag: "Account",
  summary: "Set up an authenticator app",
  description:
    "Returns the secret for the app. Sign-in requires no code until you confirm the app. Calling this again starts over with a new secret.",
  access: OWN_RECENT,
  idempotency: "none",
  answers: { 201: AuthenticatorEnrolment },
  http: { hasSecret: true },
  errors: ["authenticator_exists"],
  async run(app, { caller }) {
    const { secret, uri, expiresAt } = await enrolAuthenticator(app, caller);
    return { status: 201, body: { secret, otpauth_uri: uri, expires_at: expiresAt.toISOString() } };
  },
});

const confirmAuthenticatorOperation = operation({
  id: "confirmAuthenticator",
  method: "POST",
  path: "/v1/me/authenticator/confirm",
  tag: "Account",
  summary: "Confirm the authenticator app",
  description:
    "Send the first code from the app. Sign-in then requires a code. Returns ten recovery codes, which work once each. Ends all your other sessions.",
  access: OWN_RECENT,
  idempotency: "none",
  body: ConfirmAuthenticator,
  answers: { 200: RecoveryCodes },
  http: { hasSecret: true },
  errors: ["code_not_valid"],
  async run(app, { caller, body, origin }) {
    return {
      status: 200,
      body: { recovery_codes: await confirmAuthenticator(app, caller, body.code, origin) },
    };
  },
});

const removeAuthenticatorOperation = operation({
  id: "removeAuthenticator",
  method: "DELETE",
  path: "/v1/me/authenticator",
  tag: "Account",
  summary: "Remove the authenticator app",
  description: "Sign-in no longer requires a code. Ends all your other sessions.",
  access: OWN_RECENT,
  idempotency: "none",
  answers: { 204: null },
  errors: ["authenticator_not_found"],
  async run(app, { caller, origin }) {
    await removeAuthenticator(app, caller, origin);
    return { status: 204 };
  },
});

const renewRecoveryCodesOperation = operation({
  id: "renewRecoveryCodes",
  method: "POST",
  path: "/v1/me/recovery-codes",
  tag: "Account",
  summary: "Renew recovery codes",
  description: "Returns new recovery codes. The old ones stop working.",
  access: OWN_RECENT,
  idempotency: "none",
  answers: { 201: RecoveryCodes },
  http: { hasSecret: true },
  errors: ["authenticator_not_found"],
  async run(app, { caller, origin }) {
    return { status: 201, body: { recovery_codes: await renewRecoveryCodes(app, caller, origin) } };
  },
});

export const authenticatorsOperations = [
  getAuthenticatorOperation,
  enrolAuthenticatorOperation,
  confirmAuthenticatorOperation,
  removeAuthenticatorOperation,
  renewRecoveryCodesOperation,
];
