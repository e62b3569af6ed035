import type { App } from "../../app.ts";
import type { Origin, SessionCaller } from "../../platform/http/access.ts";
import { newId } from "../../platform/ids.ts";
import { networkOf, refund, spend } from "../../platform/limits/limits.ts";
import { oneTimeToken, rowOfToken } from "../../platform/one-time-tokens.ts";
import { ApiError } from "../../platform/api-error.ts";
import { type DerivedKey, macOf } from "../../platform/secrets.ts";
import { authorOf, recordAct } from "../../events/audit/audit.ts";
import { enterTool, type ToolEntered, whileSignedIn } from "../sessions/sessions.ts";
import { INTERVAL_SECONDS, LIFETIME_MS, type PollOutcome, pollOutcome } from "./device-sign-ins.rules.ts";
import {
  claimDeviceSignIn,
  deleteDeviceSignIn,
  deleteDeviceSignInsBefore,
  type DeviceSignInRow,
  insertDeviceSignIn,
  lockDeviceSignIn,
  setDeviceSignInPolled,
  setDeviceSignInStatus,
} from "./device-sign-ins.store.ts";

import { newUserCode, plainUserCode } from "./device-sign-ins.user-codes.ts";

export type { DeviceSignInRow };
type Needs = Pick<App, "db" | "clock" | "config" | "secrets" | "jobs">;

const PURPOSE = "device_code";

/** Returns both codes. They are not readable later. */
export async function beginDeviceSignIn(
  app: Needs,
  clientName: string,
  origin: Origin,
): Promise<{ deviceCode: string; userCode: string; expiresAt: Date }> {
  const perWindow = app.config.limits.signInsPerMinute;
  const subject = networkOf(origin.address);
  await spend(app, origin, { name: "device_address", perWindow, windowSeconds: 60, subject });
  const now = app.clock.now();
  const id = newId();
  const userCode = newUserCode();
  const expiresAt = new Date(now.getTime() + LIFETIME_MS);
  await app.db.forCaller("unknown", (tx) =>
    insertDeviceSignIn(tx, {
      id,
      user_code_mac: macOfUserCode(app.secrets.current("device-user-code"), userCode),
      status: "pending",
      user_id: null,
      client_name: clientName,
      address: origin.address,
      user_agent: origin.userAgent,
      interval_seconds: INTERVAL_SECONDS,
      polled_at: null,
      created_at: now,
      expires_at: expiresAt,
    }),
  );
  return { deviceCode: oneTimeToken(app.secrets, PURPOSE, id), userCode, expiresAt };
}

/** Shows the tool behind a code to the user who is to authorise it. This claims the code for the user. */
export async function lookUpDevice(
  app: Needs,
  caller: SessionCaller,
  userCode: string,
  origin: Origin,
): Promise<DeviceSignInRow> {
  const perWindow = app.config.limits.signInsPerMinute;
  const limits = [
    { name: "sign_in_address", subject: networkOf(origin.address) },
    { name: "sign_in_user_code", subject: caller.userId },
  ];
  for (const limit of limits) await spend(app, origin, { ...limit, perWindow, windowSeconds: 60 });
  const typed = { userCodeMacs: macsOfUserCode(app, userCode), userId: caller.userId, sessionId: caller.id };
  const found = await whileSignedIn(
    app.db.forCaller({ userId: caller.userId }, (tx) => claimDeviceSignIn(tx, typed, app.clock.now())),
  );
  if (!found) throw noSuchCode();
  for (const limit of limits) await refund(app, origin, limit);
  return found;
}

/** Only what one has looked up oneself can be decided. */
export async function decideDevice(
  app: Needs,
  caller: SessionCaller,
  { userCode, status }: { userCode: string; status: "approved" | "denied" },
  origin: Origin,
): Promise<void> {
  const now = app.clock.now();
  const typed = { userCodeMacs: macsOfUserCode(app, userCode), userId: caller.userId, sessionId: caller.id };
  const deciding = app.db.forCaller({ userId: caller.userId }, async (tx) => {
    const decided = await setDeviceSignInStatus(tx, typed, status, now);
    if (!decided) throw noSuchCode();
    await recordAct(tx, authorOf(caller, origin), now, {
      action: status === "approved" ? "tool.let_in" : "tool.kept_out",
      subject: decided.id,
      detail: { client_name: decided.client_name, address: decided.address },
    });
  });
  await whileSignedIn(deciding);
}

/** Polled by the tool until the user has decided. */
export async function redeemDevice(app: Needs, deviceCode: string, origin: Origin): Promise<ToolEntered> {
  const id = rowOfToken(app.secrets, PURPOSE, deviceCode);
  const polled = id ? await pollDevice(app, id, origin) : undefined;
  if (polled?.entered) return polled.entered;
  throw errorOf(polled?.outcome, polled?.intervalSeconds ?? INTERVAL_SECONDS);
}

/** Keeps expired rows for a while, so that their tools get the right error. */
export async function sweepDeviceSignIns({ db, clock }: Pick<App, "db" | "clock">): Promise<void> {
  await deleteDeviceSignInsBefore(db, new Date(clock.now().getTime() - LIFETIME_MS));
}

interface Polled {
  outcome: PollOutcome;
  intervalSeconds: number;
  entered: ToolEntered | undefined;
}

async function pollDevice(app: Needs, id: string, origin: Origin): Promise<Polled | undefined> {
  const now = app.clock.now();
  return app.db.forCaller("unknown", async (tx) => {
    const row = await lockDeviceSignIn(tx, id);
    if (!row) return undefined;
    const outcome = pollOutcome(row, now);
    const intervalSeconds = Math.min(
      3600,
      row.interval_seconds + (outcome === "too_early" ? INTERVAL_SECONDS : 0),
    );
    if (outcome === "pending" || outcome === "too_early")
      await setDeviceSignInPolled(tx, id, now, intervalSeconds);
    if (outcome !== "approved") return { outcome, intervalSeconds, entered: undefined };
    await deleteDeviceSignIn(tx, id);
    const tool = {
      userId: row.user_id!,
      clientName: row.client_name,
      authorisedBy: row.session_id!,
      origin,
    };
    return { outcome, intervalSeconds, entered: await enterTool(tx, app, tool) };
  });
}

function errorOf(outcome: PollOutcome | undefined, intervalSeconds: number): ApiError {
  const wait = { retryAfterSeconds: intervalSeconds };
  switch (outcome) {
    case "pending":
      return new ApiError(
        "authorization_pending",
        "The user has not authorised or denied the tool yet.",
        wait,
      );
    case "too_early":
      return new ApiError("slow_down", `Polled too often. Retry in ${intervalSeconds} seconds.`, wait);
    case "denied":
      return new ApiError("access_denied", "The user has denied access.");
    case "expired":
      return new ApiError("expired_token", "The user did not authorise the tool within ten minutes.");
    default:
      return new ApiError("invalid_grant", "The device code is unknown or already used.");
  }
}

function macOfUserCode({ key }: DerivedKey, userCode: string): Buffer {
  return macOf(key, plainUserCode(userCode));
}

/** With every root key that it can have been created with. */
function macsOfUserCode({ secrets }: Pick<App, "secrets">, userCode: string): Buffer[] {
  return secrets.all("device-user-code").map((key) => macOfUserCode(key, userCode));
}

function noSuchCode(): ApiError {
  return new ApiError("user_code_not_valid", "No sign-in with this code is waiting.");
}
