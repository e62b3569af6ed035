import type { Json } from "./contract.schemas.ts";
import { AT, EXAMPLE_HOST, ID } from "./example-story.ids.ts";

export const PASSWORD = "three brown owls at noon";
export const TOKEN = "AZqFnZk2c0mT6tq2cJ8eLw8Qx5vB1nK7";
export const ADA = { id: ID.ada, name: "Ada Lovelace", email: "ada@northwind.example" };
export const NORTHWIND = { id: ID.organisation, name: "Northwind Telecom" };
export const ADDRESS = "198.51.100.7";
export const ISSUER = "https://id.northwind.example";
const CHALLENGE = "mC3Vq0mT6tq2cJ8eUe1zYw";
const CREDENTIAL_ID = "kq3mZ8Kf2tYhUw0b";
const CLIENT_DATA = "eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0";
const AUTHENTICATOR_DATA = "SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2M";
const TOOL = "dialplane CLI on ada-laptop";
const BROWSER = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0";

const session = {
  id: ID.session,
  kind: "browser",
  is_current: true,
  created_at: AT.signedIn,
  last_seen_at: AT.now,
  expires_at: "2026-12-15T08:58:12.000Z",
  address: ADDRESS,
  user_agent: BROWSER,
};
const toolSession = {
  ...session,
  id: ID.toolSession,
  kind: "tool",
  is_current: false,
  created_at: "2026-11-14T16:20:00.000Z",
  last_seen_at: "2026-11-14T17:05:00.000Z",
  expires_at: "2026-12-14T16:20:00.000Z",
  user_agent: "dialplane-cli/0.1.0",
};

const passkey = {
  id: ID.passkey,
  name: "Ada's phone",
  is_synced: true,
  created_at: "2026-03-02T09:05:00.000Z",
  last_used_at: AT.signedIn,
};
const credential = {
  id: CREDENTIAL_ID,
  rawId: CREDENTIAL_ID,
  type: "public-key",
  clientExtensionResults: {},
  authenticatorAttachment: "platform",
};
const assertion = {
  ...credential,
  response: {
    clientDataJSON: CLIENT_DATA,
    authenticatorData: AUTHENTICATOR_DATA,
    signature: "MEUCIQDk2s5Wg7xVb1l6nQ0r8fJ3uYtKc9",
    userHandle: "AZjF8nweejOdPz9qHA-bEQ",
  },
};

const RECOVERY_CODES = [
  "7ZK3Q-0M8TD",
  "4HX9C-2RWPN",
  "V6B1J-8YQ5E",
  "N3T7G-5DKZ0",
  "9PWM2-XC4H6",
  "B8R0Y-J1VQ3",
  "K5E6T-7GN9D",
  "2QZ4X-MB8W1",
  "H0C7P-6YR5J",
  "T9V3K-1EGD4",
];

/** By title of the schema. */
export const SIGN_IN_EXAMPLES: Record<string, Json> = {
  Me: {
    caller: { kind: "session", ...ADA, environment: "live", expires_at: session.expires_at },
    memberships: [{ organisation: NORTHWIND, role: "owner", unmet_policy: null }],
  },
  ChangePassword: { new_password: PASSWORD },
  RequestPasswordReset: { email: ADA.email },
  CompletePasswordReset: { token: TOKEN, new_password: PASSWORD },
  ChangeEmail: { new_email: "ada.lovelace@northwind.example" },
  CompleteEmailChange: { token: TOKEN },
  Authenticator: { confirmed_at: "2026-03-02T09:10:00.000Z", recovery_codes_left: RECOVERY_CODES.length },
  AuthenticatorEnrolment: {
    secret: "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP",
    otpauth_uri:
      "otpauth://totp/Dialplane:ada%40northwind.example?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Dialplane&algorithm=SHA1&digits=6&period=30",
    expires_at: "2026-11-15T10:10:00.000Z",
  },
  RecoveryCodes: { recovery_codes: RECOVERY_CODES },
  Passkey: passkey,
  AddPasskey: {
    name: passkey.name,
    credential: {
      ...credential,
      response: {
        clientDataJSON: CLIENT_DATA,
        attestationObject: "o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YVg",
        transports: ["internal", "hybrid"],
      },
    },
  },
  RenamePasskey: { name: "Ada's new phone" },
  PasskeyChallenge: {
    options: { challenge: CHALLENGE, rpId: EXAMPLE_HOST, timeout: 60_000, userVerification: "required" },
  },
  SignIn: { email: ADA.email, password: PASSWORD },
  SignedIn: { user: ADA, enrolment_required: false },
  SecondFactorNeeded: {
    challenge: CHALLENGE,
    factors: ["app", "recovery_code"],
    expires_at: "2026-11-15T09:03:12.000Z",
  },
  SignInWithCode: { challenge: CHALLENGE, code: "287082" },
  SignInWithPasskey: { credential: assertion },
  BeginProviderSignIn: { email: ADA.email },
  ProviderSignIn: {
    redirect_to: "https://id.northwind.example/authorize?client_id=dialplane&response_type=code",
  },
  SignInWithProvider: { state: "Zk2c0mT6tq2cJ8eL", code: "w8Qx5vB1nK7", iss: ISSUER },
  Reauthenticate: { password: PASSWORD },
  ReauthenticateWithPasskey: { credential: assertion },
  SessionPage: { data: [session, toolSession], next_cursor: null },
  AuthoriseTool: {
    client_name: TOOL,
    redirect_uri: "http://127.0.0.1:49152/callback",
    code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
    code_challenge_method: "S256",
    state: "xyzABC123",
  },
  ToolLetIn: { redirect_to: "http://127.0.0.1:49152/callback?code=w8Qx5vB1nK7&state=xyzABC123" },
  RedeemCode: {
    code: "w8Qx5vB1nK7",
    code_verifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
    redirect_uri: "http://127.0.0.1:49152/callback",
  },
  ToolSession: { token: "svc_cli_…", expires_at: toolSession.expires_at, user: ADA },
  BeginDeviceSignIn: { client_name: TOOL },
  DeviceSignIn: {
    device_code: "Qx5vB1nK7wq3mZ8Kf2tYh",
    user_code: "WDJB-MJHT",
    verification_uri: `https://${EXAMPLE_HOST}/device`,
    interval_seconds: 5,
    expires_at: "2026-11-14T16:29:00.000Z",
  },
  RedeemDevice: { device_code: "Qx5vB1nK7wq3mZ8Kf2tYh" },
  WaitingDevice: {
    client_name: TOOL,
    address: ADDRESS,
    user_agent: toolSession.user_agent,
    created_at: "2026-11-14T16:19:00.000Z",
    expires_at: "2026-11-14T16:29:00.000Z",
  },
};

/** Successful responses that differ from the example of their schema, by operation. */
export const SIGN_IN_ANSWERS: Record<string, Json> = {
  addPasskey: { ...passkey, last_used_at: null },
  renamePasskey: { ...passkey, name: "Ada's new phone" },
  beginPasskey: {
    options: {
      challenge: CHALLENGE,
      rp: { name: "Dialplane", id: EXAMPLE_HOST },
      user: { id: "AZjF8nweejOdPz9qHA-bEQ", name: ADA.email, displayName: ADA.name },
      pubKeyCredParams: [{ alg: -8, type: "public-key" }],
      timeout: 60_000,
    },
  },
};
