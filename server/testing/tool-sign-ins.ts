import { hash, randomBytes } from "node:crypto";
import type { Sent } from "./send.ts";
import { browser, type Service } from "./service.ts";

const REDIRECT_URI = "http://127.0.0.1:49152/callback";

/** A tool's request to the consent page, and its verifier. */
export function toolRequest(changes: object = {}) {
  const verifier = randomBytes(32).toString("base64url");
  const body = {
    client_name: "dialplane on laptop",
    redirect_uri: REDIRECT_URI,
    code_challenge: hash("sha256", verifier, "base64url"),
    code_challenge_method: "S256",
    state: randomBytes(16).toString("base64url"),
    ...changes,
  };
  return { verifier, body };
}

/** As the consent page does it when the person agrees. */
export function agree(service: Service, cookie: string, body: object): Promise<Sent> {
  return service.send("POST", "/v1/authorisation-codes", { headers: browser(cookie), body });
}

/** Parameters that an authorised tool redeems. */
export async function agreedTool(
  service: Service,
  cookie?: string,
): Promise<{ code: string; code_verifier: string; redirect_uri: string }> {
  const { verifier, body } = toolRequest();
  const agreed = await agree(service, cookie ?? (await service.person()).cookie, body);
  const code = new URL(agreed.body.redirect_to).searchParams.get("code")!;
  return { code, code_verifier: verifier, redirect_uri: REDIRECT_URI };
}

export async function beginDevice(
  service: Service,
  headers: Record<string, string> = {},
): Promise<{ device_code: string; user_code: string }> {
  const body = { client_name: "dialplane on server" };
  return (await service.send("POST", "/v1/device-sign-ins", { headers, body })).body;
}

export function pollDevice(service: Service, deviceCode: string): Promise<Sent> {
  return service.send("POST", "/v1/device-sign-ins/redeem", { body: { device_code: deviceCode } });
}

export function lookUpDevice(service: Service, cookie: string, userCode: string): Promise<Sent> {
  return service.send("POST", "/v1/device-sign-ins/look-up", {
    headers: browser(cookie),
    body: { user_code: userCode },
  });
}

/** As the device page does it: look, then decide. */
export async function decideDevice(
  service: Service,
  cookie: string,
  decision: "approve" | "deny",
  userCode: string,
): Promise<Sent> {
  await lookUpDevice(service, cookie, userCode);
  return service.send("POST", `/v1/device-sign-ins/${decision}`, {
    headers: browser(cookie),
    body: { user_code: userCode },
  });
}
