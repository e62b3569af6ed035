import { type App, operation } from "../../app.ts";
import { deviceCookie, sessionCookie, signInCookie } from "../../platform/http/credential.ts";
import type { Answer } from "../../platform/http/operation.ts";
import { DEVICE_MS, newDeviceToken } from "../devices/devices.ts";
import { SESSION_MS } from "../sessions/sessions.ts";
import { beginProviderSignIn, signInWithProvider } from "./sign-ins.provider.ts";
import {
  reauthenticate,
  reauthenticateWithCode,
  reauthenticateWithPasskey,
} from "./sign-ins.reauthentication.ts";
import {
  BeginProviderSignIn,
  ProviderSignIn,
  Reauthenticate,
  ReauthenticateWithCode,
  ReauthenticateWithPasskey,
  SecondFactorNeeded,
  SignedIn,
  SignIn,
  SignInWithCode,
  SignInWithPasskey,
  SignInWithProvider,
} from "./sign-ins.schema.ts";
import { type Entered, signIn, type SignInStep, signInWithCode, signInWithPasskey } from "./sign-ins.ts";

type Needs = Pick<App, "config" | "secrets" | "clock">;

const IN_BROWSER = {
  callers: "authenticated",
  sessions: { roles: "any", browser: true },
  keys: "none",
} as const;

const signInOperation = operation({
  id: "signIn",
  method: "POST",
  path: "/v1/sessions",
  tag: "Sessions",
  summary: "Sign in with a password",
  description:
    "For browsers: the session is set as a cookie. Ten failures a minute are allowed per account and per address. A browser that has signed in to the account before has its own limit of ten. If the account has an authenticator app, the API returns 202 with a challenge.",
  access: { callers: "anyone", session: "optional" },
  idempotency: "none",
  body: SignIn,
  answers: { 201: SignedIn, 202: SecondFactorNeeded },
  errors: ["sign_in_failed"],
  async run(app, { body, origin, caller, deviceToken }) {
    return shownStep(app, await signIn(app, body, { origin, before: caller, deviceToken }));
  },
});

const signInWithCodeOperation = operation({
  id: "signInWithCode",
  method: "POST",
  path: "/v1/sessions/code",
  tag: "Sessions",
  summary: "Complete sign-in with a code",
  description:
    "Send a code from the authenticator app or a recovery code. Each code works once. The challenge allows corrections for five minutes.",
  access: { callers: "anyone", session: "optional" },
  idempotency: "none",
  body: SignInWithCode,
  answers: { 201: SignedIn },
  errors: ["sign_in_failed", "challenge_not_valid"],
  async run(app, { body, origin, caller, deviceToken }) {
    return entered(app, await signInWithCode(app, body, { origin, before: caller, deviceToken }));
  },
});

const signInWithPasskeyOperation = operation({
  id: "signInWithPasskey",
  method: "POST",
  path: "/v1/sessions/passkey",
  tag: "Sessions",
  summary: "Sign in with a passkey",
  description:
    "Send the credential that the browser returned for a challenge of `POST /v1/sessions/passkey-challenges`. No further factor is required, because the device has verified the user.",
  access: { callers: "anyone", session: "optional" },
  idempotency: "none",
  body: SignInWithPasskey,
  answers: { 201: SignedIn },
  errors: ["sign_in_failed", "challenge_not_valid"],
  async run(app, { body, origin, caller, deviceToken }) {
    const visit = { origin, before: caller, deviceToken };
    return entered(app, await signInWithPasskey(app, body.credential, visit));
  },
});

const beginProviderSignInOperation = operation({
  id: "beginProviderSignIn",
  method: "POST",
  path: "/v1/sessions/provider-challenges",
  tag: "Sessions",
  summary: "Start single sign-on",
  description:
    "Returns the URL of the identity provider for the email domain, whether or not the account exists. It works once within five minutes, in this browser.",
  access: { callers: "anyone" },
  idempotency: "none",
  http: { hasSecret: true },
  body: BeginProviderSignIn,
  answers: { 201: ProviderSignIn },
  errors: ["identity_provider_unavailable"],
  async run(app, { body, origin }) {
    const departure = await beginProviderSignIn(app, body.email, origin);
    return {
      status: 201,
      body: { redirect_to: departure?.redirectTo ?? null },
      ...(departure && { headers: { "set-cookie": signInCookie(departure.browserToken, 300) } }),
    };
  },
});

const signInWithProviderOperation = operation({
  id: "signInWithProvider",
  method: "POST",
  path: "/v1/sessions/provider",
  tag: "Sessions",
  summary: "Complete single sign-on",
  description:
    "Send the parameters from the provider's redirect. If the account has an authenticator app, the API returns 202 with a challenge.",
  access: { callers: "anyone", session: "optional" },
  idempotency: "none",
  body: SignInWithProvider,
  answers: { 201: SignedIn, 202: SecondFactorNeeded },
  errors: ["sign_in_failed", "challenge_not_valid", "identity_not_accepted", "identity_provider_unavailable"],
  async run(app, { body, origin, caller, signInToken, deviceToken }) {
    const visit = { origin, before: caller, deviceToken };
    return shownStep(app, await signInWithProvider(app, body, signInToken, visit));
  },
});

const reauthenticateOperation = operation({
  id: "reauthenticate",
  method: "POST",
  path: "/v1/sessions/current/reauthentication",
  tag: "Sessions",
  summary: "Reauthenticate with a password",
  description:
    "Required within ten minutes before you create keys or change credentials. The session receives a new token and the old token ends.",
  access: IN_BROWSER,
  idempotency: "none",
  body: Reauthenticate,
  answers: { 204: null },
  errors: ["sign_in_failed"],
  async run(app, { caller, body, origin }) {
    return renewed(await reauthenticate(app, caller, body.password, origin));
  },
});

const reauthenticateWithCodeOperation = operation({
  id: "reauthenticateWithCode",
  method: "POST",
  path: "/v1/sessions/current/reauthentication/code",
  tag: "Sessions",
  summary: "Reauthenticate with a code",
  description:
    "Send a code from the authenticator app or a recovery code. It has the same effect as the password.",
  access: IN_BROWSER,
  idempotency: "none",
  body: ReauthenticateWithCode,
  answers: { 204: null },
  errors: ["sign_in_failed"],
  async run(app, { caller, body, origin }) {
    return renewed(await reauthenticateWithCode(app, caller, body.code, origin));
  },
});

const reauthenticateWithPasskeyOperation = operation({
  id: "reauthenticateWithPasskey",
  method: "POST",
  path: "/v1/sessions/current/reauthentication/passkey",
  tag: "Sessions",
  summary: "Reauthenticate with a passkey",
  description: "It has the same effect as the password.",
  access: IN_BROWSER,
  idempotency: "none",
  body: ReauthenticateWithPasskey,
  answers: { 204: null },
  errors: ["sign_in_failed", "challenge_not_valid"],
  async run(app, { caller, body, origin }) {
    return renewed(await reauthenticateWithPasskey(app, caller, body.credential, origin));
  },
});

function shownStep(app: Needs, step: SignInStep): Answer {
  if ("token" in step) return entered(app, step);
  return {
    status: 202,
    body: {
      challenge: step.challenge,
      factors: ["app", "recovery_code"],
      expires_at: step.expiresAt.toISOString(),
    },
  };
}

function entered(app: Needs, { token, user, isEnrolmentRequired }: Entered): Answer {
  const device = deviceCookie(newDeviceToken(app, user.email), DEVICE_MS / 1000);
  return {
    status: 201,
    body: {
      user: { id: user.id, name: user.name, email: user.email },
      enrolment_required: isEnrolmentRequired,
    },
    cookies: [cookieOf(token), device],
  };
}

function renewed(token: string): Answer {
  return { status: 204, headers: { "set-cookie": cookieOf(token) } };
}

function cookieOf(token: string): string {
  return sessionCookie(token, SESSION_MS / 1000);
}

export const signInsOperations = [
  signInOperation,
  signInWithCodeOperation,
  signInWithPasskeyOperation,
  beginProviderSignInOperation,
  signInWithProviderOperation,
  reauthenticateOperation,
  reauthenticateWithCodeOperation,
  reauthenticateWithPasskeyOperation,
];
