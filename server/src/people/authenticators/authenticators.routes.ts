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
  summary: "Read whether signing in asks for a code",
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
    "Answers the secret for the app. Nothing asks for codes until the first one is confirmed; asking again starts over.",
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
  summary: "Confirm the app with its first code",
  description:
    "From then on signing in asks for a code. Answers ten recovery codes, each good once; ends every other session of yours.",
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
  description: "Signing in no longer asks for a code. Ends every other session of yours.",
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
  summary: "Make new recovery codes",
  description: "The ones before stop working.",
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
