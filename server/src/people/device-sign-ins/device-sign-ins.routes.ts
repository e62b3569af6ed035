import { operation } from "../../app.ts";
import { shownToolSession, ToolSession } from "../sessions/sessions.ts";
import { INTERVAL_SECONDS } from "./device-sign-ins.rules.ts";
import {
  BeginDeviceSignIn,
  DeviceSignIn,
  RedeemDevice,
  TypedUserCode,
  WaitingDevice,
} from "./device-sign-ins.schema.ts";
import { beginDeviceSignIn, decideDevice, lookUpDevice, redeemDevice } from "./device-sign-ins.ts";

const IN_BROWSER = {
  callers: "authenticated",
  sessions: { roles: "any", browser: true },
  keys: "none",
} as const;
const RECENT = { ...IN_BROWSER, sessions: { roles: "any", browser: true, recent: true } } as const;

const beginDeviceSignInOperation = operation({
  id: "beginDeviceSignIn",
  method: "POST",
  path: "/v1/device-sign-ins",
  tag: "Tools",
  summary: "Start a device sign-in",
  description:
    "For tools without a browser, after RFC 8628. Show `user_code` and `verification_uri` to the user. Then redeem `device_code` every `interval_seconds` until the user has decided, for at most ten minutes.",
  access: { callers: "anyone" },
  idempotency: "none",
  body: BeginDeviceSignIn,
  answers: { 201: DeviceSignIn },
  http: { hasSecret: true },
  async run(app, { body, origin }) {
    const { deviceCode, userCode, expiresAt } = await beginDeviceSignIn(app, body.client_name, origin);
    return {
      status: 201,
      body: {
        device_code: deviceCode,
        user_code: userCode,
        verification_uri: `${app.config.baseUrl}/device`,
        interval_seconds: INTERVAL_SECONDS,
        expires_at: expiresAt.toISOString(),
      },
    };
  },
});

const redeemDeviceOperation = operation({
  id: "redeemDevice",
  method: "POST",
  path: "/v1/device-sign-ins/redeem",
  tag: "Tools",
  summary: "Redeem a device code",
  description: "Returns a session for the tool after a user has approved it.",
  access: { callers: "anyone" },
  idempotency: "none",
  body: RedeemDevice,
  answers: { 201: ToolSession },
  http: { hasSecret: true },
  errors: ["authorization_pending", "slow_down", "access_denied", "expired_token", "invalid_grant"],
  async run(app, { body, origin }) {
    return { status: 201, body: shownToolSession(await redeemDevice(app, body.device_code, origin)) };
  },
});

const lookUpDeviceOperation = operation({
  id: "lookUpDevice",
  method: "POST",
  path: "/v1/device-sign-ins/look-up",
  tag: "Tools",
  summary: "Look up a device code",
  description:
    "Shows the tool that waits for approval. Only you can approve it afterwards. Ten wrong codes a minute are allowed.",
  access: IN_BROWSER,
  idempotency: "none",
  body: TypedUserCode,
  answers: { 200: WaitingDevice },
  errors: ["user_code_not_valid"],
  async run(app, { caller, body, origin }) {
    const row = await lookUpDevice(app, caller, body.user_code, origin);
    return {
      status: 200,
      body: {
        client_name: row.client_name,
        address: row.address,
        user_agent: row.user_agent,
        created_at: row.created_at.toISOString(),
        expires_at: row.expires_at.toISOString(),
      },
    };
  },
});

const approveDeviceOperation = operation({
  id: "approveDevice",
  method: "POST",
  path: "/v1/device-sign-ins/approve",
  tag: "Tools",
  summary: "Approve a device sign-in",
  description: "Look up the code first: the user must see the tool and its address.",
  access: RECENT,
  idempotency: "none",
  body: TypedUserCode,
  answers: { 204: null },
  errors: ["user_code_not_valid"],
  async run(app, { caller, body, origin }) {
    await decideDevice(app, caller, { userCode: body.user_code, status: "approved" }, origin);
    return { status: 204 };
  },
});

const denyDeviceOperation = operation({
  id: "denyDevice",
  method: "POST",
  path: "/v1/device-sign-ins/deny",
  tag: "Tools",
  summary: "Deny a device sign-in",
  description: "The tool receives an error when it redeems its code.",
  access: IN_BROWSER,
  idempotency: "none",
  body: TypedUserCode,
  answers: { 204: null },
  errors: ["user_code_not_valid"],
  async run(app, { caller, body, origin }) {
    await decideDevice(app, caller, { userCode: body.user_code, status: "denied" }, origin);
    return { status: 204 };
  },
});

export const deviceSignInsOperations = [
  beginDeviceSignInOperation,
  redeemDeviceOperation,
  lookUpDeviceOperation,
  approveDeviceOperation,
  denyDeviceOperation,
];
