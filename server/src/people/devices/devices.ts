import { randomBytes } from "node:crypto";
import type { App } from "../../app.ts";
import { type DerivedKey, isSameMac, macOf } from "../../platform/secrets.ts";
import { normalEmail } from "../users/users.ts";

type Needs = Pick<App, "secrets" | "clock">;

/** How long a browser stays known after a sign-in. */
export const DEVICE_MS = 180 * 86_400_000;

/**
 * Proves at a later sign-in that this browser has signed in to this account before, and gives no other right. Failed
 * sign-ins of a known browser have their own limit, so that a stranger cannot use up the owner's. Nothing is stored.
 */
export function newDeviceToken(app: Needs, email: string): string {
  const nonce = randomBytes(16).toString("base64url");
  const signedIn = app.clock.now().getTime().toString(36);
  const mac = macOfDevice(app.secrets.current("device/v1"), { nonce, signedIn, email });
  return `${nonce}.${signedIn}.${mac.toString("base64url")}`;
}

/** The name of a browser that has signed in to this account; undefined for any other. */
export function knownDevice(app: Needs, token: string | undefined, email: string): string | undefined {
  const [nonce = "", signedIn = "", mac = "", ...more] = (token ?? "").split(".");
  if (more.length > 0 || !/^[\w-]{22}$/.test(nonce) || !/^[0-9a-z]{1,11}$/.test(signedIn)) return undefined;
  const given = Buffer.from(mac, "base64url");
  const isOurs = (key: DerivedKey): boolean => isSameMac(macOfDevice(key, { nonce, signedIn, email }), given);
  if (!app.secrets.all("device/v1").some(isOurs)) return undefined;
  return app.clock.now().getTime() - parseInt(signedIn, 36) < DEVICE_MS ? nonce : undefined;
}

function macOfDevice(
  { key }: DerivedKey,
  { nonce, signedIn, email }: { nonce: string; signedIn: string; email: string },
): Buffer {
  return macOf(key, `${nonce}.${signedIn}.${normalEmail(email)}`);
}
