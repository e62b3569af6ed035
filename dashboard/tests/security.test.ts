import { createHash, createHmac, randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freePort } from "../../server/src/platform/db/private-cluster.ts";
import { type Service, startService } from "../../server/testing/service.ts";
import { openBrowser, SEED_PASSWORD, visit } from "./visit.ts";

let service: Service;
let browser: Browser;
let organisation: string;
beforeAll(async () => {
  // Passkeys belong to a name, and an address is none; this machine's name is one browsers trust without https.
  const port = String(await freePort());
  service = await startService({ settings: { PORT: port, BASE_URL: `http://localhost:${port}` } });
  service.url = service.url.replace("127.0.0.1", "localhost");
  browser = await openBrowser();
  organisation = await service.organisation("Northwind");
});
afterAll(async () => {
  await browser?.close();
  await service?.[Symbol.asyncDispose]();
});

test("sets up an authenticator app and signs in with its code or a recovery code", async () => {
  const person = await service.person({ [organisation]: "owner" });
  await using visitor = await visit(browser, service, { as: person });
  const { page, faults } = visitor;
  await page.goto("/account/security");
  await page.getByRole("button", { name: "Set up app" }).click();
  await page.getByRole("img", { name: "QR code for the authenticator app" }).waitFor();
  const secret = (await page.getByRole("dialog").locator("code").textContent())!;
  await page.getByLabel("Code", { exact: true }).fill(totp(secret, service.clock.now()));
  await page.keyboard.press("Enter");
  const codes = page.getByRole("dialog", { name: "Your recovery codes" });
  const recoveryCode = (await codes.getByRole("listitem").first().textContent())!;
  await codes.getByRole("button", { name: "Done" }).click();
  await page.getByText("10 recovery codes left").waitFor();

  service.clock.advance(60_000); // a code works once
  await using again = await visit(browser, service);
  await enterPassword(again.page, person.email);
  await again.page.getByLabel("Code", { exact: true }).fill("000000");
  await again.page.keyboard.press("Enter");
  await again.page.getByRole("alert").waitFor();
  await again.page.getByLabel("Code", { exact: true }).fill(totp(secret, service.clock.now()));
  await again.page.keyboard.press("Enter");
  await again.page.getByRole("region", { name: "Overview" }).waitFor();

  await using once = await visit(browser, service);
  await enterPassword(once.page, person.email);
  await once.page.getByLabel("Code", { exact: true }).fill(recoveryCode);
  await once.page.keyboard.press("Enter");
  await once.page.getByRole("region", { name: "Overview" }).waitFor();
  expect([...faults, ...again.faults, ...once.faults]).toEqual([]);
});

test("adds a passkey after confirming the password and signs in with it", async () => {
  const person = await service.person({ [organisation]: "owner" });
  await using visitor = await visit(browser, service, { as: person });
  const { page, faults } = visitor;
  await giveAuthenticator(page);
  service.clock.advance(11 * 60_000); // longer ago than ten minutes
  await page.goto("/account/security");
  await page.getByRole("button", { name: "Add passkey" }).click();
  await page.getByLabel("Name").fill("Work laptop");
  await page.keyboard.press("Enter");
  const confirm = page.getByRole("dialog", { name: "Confirm your identity" });
  await confirm.getByLabel("Password", { exact: true }).fill(SEED_PASSWORD);
  await page.keyboard.press("Enter");
  await page.getByRole("listitem").getByText("Work laptop").waitFor();

  await page.context().clearCookies();
  await page.goto("/sign-in");
  await page.getByRole("button", { name: "Use passkey" }).click();
  await page.getByRole("region", { name: "Overview" }).waitFor();
  expect(faults).toEqual([]);
});

test("authorises a local tool, which gets its session by PKCE", async () => {
  const person = await service.person({ [organisation]: "owner" });
  await using tool = await loopback();
  const verifier = randomBytes(32).toString("base64url");
  const search = new URLSearchParams({
    client_name: "numbers on laptop",
    redirect_uri: tool.url,
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    state: "opaque-state",
  });
  await using visitor = await visit(browser, service, { as: person });
  const { page } = visitor;
  await page.goto(`/authorise?${search.toString()}`);
  await page.getByRole("heading", { name: "Authorise “numbers on laptop”?" }).waitFor();
  await page.getByText("The session lasts up to 30 days").waitFor();
  expect(tool.requests).toEqual([]);
  await page.getByRole("button", { name: "Authorise" }).click();
  await page.getByText("Back to the tool").waitFor();

  const back = new URL(tool.requests[0]!, tool.url).searchParams;
  expect(back.get("state")).toBe("opaque-state");
  const redeemed = await service.send("POST", "/v1/authorisation-codes/redeem", {
    body: { code: back.get("code"), code_verifier: verifier, redirect_uri: tool.url },
  });
  expect(redeemed).toMatchObject({ status: 201, body: { user: { email: person.email } } });
});

test("authorises or denies a tool by its device code", async () => {
  const person = await service.person({ [organisation]: "owner" });
  await using visitor = await visit(browser, service, { as: person });
  const { page, faults } = visitor;
  for (const [decision, outcome, status] of [
    ["Authorise", "“numbers” authorised", 201],
    ["Deny", "Access denied", 400],
  ] as const) {
    const begun = await service.send("POST", "/v1/device-sign-ins", { body: { client_name: "numbers" } });
    const { device_code, user_code } = begun.body as { device_code: string; user_code: string };
    await page.goto("/device");
    await page.getByLabel("Code", { exact: true }).fill("WRONG-CODE");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").waitFor();
    await page.getByLabel("Code", { exact: true }).fill(user_code);
    await page.keyboard.press("Enter");
    await page.getByText("Source address").waitFor();
    await page.getByRole("button", { name: decision }).click();
    await page.getByText(outcome).waitFor();
    service.clock.advance(10_000); // as often as the tool may ask
    expect(
      (await service.send("POST", "/v1/device-sign-ins/redeem", { body: { device_code } })).status,
      decision,
    ).toBe(status);
  }
  expect(faults).toEqual([]);
});

test("ends another session from the list", async () => {
  const person = await service.person({ [organisation]: "owner" });
  await using visitor = await visit(browser, service, { as: person });
  const { page, faults } = visitor;
  await page.goto("/account/security");
  await page.getByText("This session").waitFor();
  await page
    .getByRole("button", { name: /^End session of/ })
    .first()
    .click();
  await expect.poll(() => page.getByRole("button", { name: /^End session of/ }).count()).toBe(0);
  const tool = await service.send("GET", "/v1/me", { headers: { authorization: `Bearer ${person.token}` } });
  expect(tool.status).toBe(401);
  expect(faults).toEqual([]);
});

async function enterPassword(page: Page, email: string): Promise<void> {
  await page.goto("/sign-in");
  await page.getByLabel("Email address").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(SEED_PASSWORD);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByLabel("Code", { exact: true }).waitFor();
}

/** Chromium's own, in place of a fingerprint reader. */
async function giveAuthenticator(page: Page): Promise<void> {
  const debug = await page.context().newCDPSession(page);
  await debug.send("WebAuthn.enable");
  await debug.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

/** Code of an authenticator app (RFC 6238). */
function totp(secret: string, at: Date): string {
  const bits = Array.from(secret.replaceAll(/[\s=]/g, ""))
    .map((letter) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(letter).toString(2).padStart(5, "0"))
    .join("");
  const key = Buffer.from(bits.match(/.{8}/g)!.map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(at.getTime() / 30_000)));
  const mac = createHmac("sha1", key).update(counter).digest();
  const offset = mac.at(-1)! & 15;
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}

/** The tool's loopback server on this machine. */
async function loopback(): Promise<AsyncDisposable & { url: string; requests: string[] }> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    if (request.url?.startsWith("/callback")) requests.push(request.url);
    response.end("Back to the tool");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`;
  return {
    url,
    requests,
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
