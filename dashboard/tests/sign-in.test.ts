import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Service, startService, until } from "../../server/testing/service.ts";
import { focused, openBrowser, SEED_PASSWORD, visit } from "./visit.ts";

const NEW_PASSWORD = "seven quiet lanterns by the quay";

let service: Service;
let browser: Browser;
beforeAll(async () => {
  service = await startService({ worker: true });
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await service?.[Symbol.asyncDispose]();
});

test("signs in by keyboard and opens the requested page", async () => {
  const organisation = await service.organisation("Northwind");
  const person = await service.person({ [organisation]: "owner" });
  await using visitor = await visit(browser, service);
  const { page, faults } = visitor;

  await page.goto(`/o/${organisation}/live/numbers?mode=forward`);
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  await expect.poll(() => focused(page)).toBe("Email address");
  await page.keyboard.type(person.email);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  expect(await focused(page)).toBe("Password");
  await page.keyboard.type(SEED_PASSWORD);
  await page.keyboard.press("Enter");

  await page.getByRole("heading", { name: "Numbers", exact: true }).waitFor();
  expect(page.url()).toBe(`${service.url}/o/${organisation}/live/numbers?mode=forward`);
  expect(faults).toEqual([]);
});

test("rejects a wrong password with its request ID and keeps the email", async () => {
  const person = await service.person({ [await service.organisation()]: "owner" });
  await using visitor = await visit(browser, service);
  const { page } = visitor;

  await page.goto("/sign-in");
  await page.getByLabel("Email address").fill(person.email);
  await page.getByLabel("Password", { exact: true }).fill("something else");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();

  const alert = page.getByRole("alert");
  await alert.getByText(/Request [0-9a-f-]{36}/).waitFor();
  expect(await page.getByLabel("Email address").inputValue()).toBe(person.email);
  await expect.poll(() => focused(page)).toBe("Password");
});

test("CS-09 never redirects to another origin after sign-in", async () => {
  const person = await service.person({ [await service.organisation("Home")]: "owner" });
  for (const next of [
    "https://attacker.example/",
    "//attacker.example",
    "/\\attacker.example",
    "javascript:alert(1)",
  ]) {
    await using visitor = await visit(browser, service);
    const { page, faults } = visitor;
    await page.goto(`/sign-in?next=${encodeURIComponent(next)}`);
    await page.getByLabel("Email address").fill(person.email);
    await page.getByLabel("Password", { exact: true }).fill(SEED_PASSWORD);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("region", { name: "Overview" }).waitFor();
    expect(new URL(page.url()).origin, next).toBe(service.url);
    expect(faults, next).toEqual([]);
  }
});

test("resets a password by email link and removes the token from the URL", async () => {
  const person = await service.person({ [await service.organisation()]: "owner" });
  await using visitor = await visit(browser, service);
  const { page, faults } = visitor;

  await page.goto("/sign-in");
  await page.getByRole("link", { name: "Forgot password?" }).click();
  await page.getByLabel("Email address").fill(person.email);
  await page.getByRole("button", { name: "Send link" }).click();
  await page.getByRole("heading", { name: "Check your email" }).waitFor();

  await page.goto(await mailedLink(person.email, "reset-password"));
  await page.getByLabel("New password").fill(NEW_PASSWORD);
  expect(new URL(page.url()).hash).toBe("");
  await page.getByRole("button", { name: "Set password" }).click();
  await page.getByText("Password set").waitFor();
  await page.getByLabel("Email address").fill(person.email);
  await page.getByLabel("Password", { exact: true }).fill(NEW_PASSWORD);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("region", { name: "Overview" }).waitFor();
  expect(faults).toEqual([]);
});

test("creates an account from an invitation by keyboard", async () => {
  const organisation = await service.organisation("Lumen Clinics");
  const owner = await service.person({ [organisation]: "owner" });
  await invite(owner.token, "new@lumen.example");
  await using visitor = await visit(browser, service);
  const { page, faults } = visitor;

  await page.goto(await mailedLink("new@lumen.example", "invitation"));
  await expect.poll(() => focused(page)).toBe("Your name");
  await page.keyboard.type("Nova Nguyen");
  await page.keyboard.press("Tab");
  await page.keyboard.type(NEW_PASSWORD);
  await page.keyboard.press("Enter");
  await page.getByText("You joined Lumen Clinics").waitFor();
  await page.getByLabel("Email address").fill("new@lumen.example");
  await page.getByLabel("Password", { exact: true }).fill(NEW_PASSWORD);
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Organisation: Lumen Clinics" }).waitFor();
  expect(faults).toEqual([]);
});

test("joins an organisation with an existing account after sign-in", async () => {
  const organisation = await service.organisation("Second Home");
  const owner = await service.person({ [organisation]: "owner" });
  const guest = await service.person({ [await service.organisation("First Home")]: "member" });
  await invite(owner.token, guest.email);
  await using visitor = await visit(browser, service);
  const { page, faults } = visitor;

  await page.goto(await mailedLink(guest.email, "invitation"));
  await page.getByRole("link", { name: "I already have an account" }).click();
  await page.getByLabel("Email address").fill(guest.email);
  await page.getByLabel("Password", { exact: true }).fill(SEED_PASSWORD);
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Join organisation" }).click();
  await page.getByRole("button", { name: "Organisation: Second Home" }).waitFor();
  expect(faults).toEqual([]);
});

async function invite(token: string, email: string): Promise<void> {
  const answer = await service.send("POST", "/v1/invitations", {
    headers: { authorization: `Bearer ${token}` },
    body: { email, role: "developer" },
  });
  expect(answer.status).toBe(201);
}

/** Path and token of the link in the newest such mail to this address. */
function mailedLink(to: string, page: string): Promise<string> {
  return until(() => {
    const mail = service.mails().findLast((one) => one.includes(to) && one.includes(`/${page}#`));
    const decoded = mail?.replaceAll("=\r\n", "").replaceAll("=\n", "").replaceAll("=3D", "=");
    return decoded && new RegExp(`/${page}#\\S+`).exec(decoded)?.[0];
  }, 60_000);
}
