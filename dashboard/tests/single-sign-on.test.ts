import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freePort } from "../../server/src/platform/db/private-cluster.ts";
import { giveAuthenticator } from "../../server/testing/authenticator-app.ts";
import { type CompanyProvider, openCompanyProvider } from "../../server/testing/company-provider.ts";
import { companyOf, publishProof } from "../../server/testing/provider-sign-ins.ts";
import { type Service, startService } from "../../server/testing/service.ts";
import { openBrowser, visit } from "./visit.ts";

let service: Service;
let company: CompanyProvider;
let browser: Browser;
beforeAll(async () => {
  // Providers redirect to the configured base URL. Another host name would be another site.
  const port = await freePort();
  const baseUrl = `http://localhost:${port}`;
  service = await startService({
    settings: { BASE_URL: baseUrl, PORT: String(port), EGRESS_ALLOW: "127.0.0.0/8:1024-65535+http" },
  });
  service.url = baseUrl;
  company = await openCompanyProvider({ redirectUri: `${baseUrl}/sign-in/provider`, hasPage: true });
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await company?.[Symbol.asyncDispose]();
  await service?.[Symbol.asyncDispose]();
});

async function colleague() {
  const { organisation, domain } = await companyOf(service, company);
  const { userId } = await service.person({ [organisation]: "member" });
  const email = `ada@${domain}`;
  await service.database.admin("update users set email = $2 where id = $1", [userId, email]);
  company.people.set(userId, { email, email_verified: true });
  return { organisation, userId, email };
}

test("signs in through an identity provider by keyboard and opens the requested page", async () => {
  const { organisation, email } = await colleague();
  await using visitor = await visit(browser, service);
  const { page, faults } = visitor;

  await page.goto(`/o/${organisation}/live/numbers?mode=forward`);
  await page.getByRole("button", { name: "Single sign-on" }).press("Enter");
  await page.getByLabel("Work email address").waitFor();
  await page.keyboard.type(email);
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Yes, it is me" }).click();

  await page.getByRole("heading", { name: "Numbers", exact: true }).waitFor();
  expect(page.url()).toBe(`${service.url}/o/${organisation}/live/numbers?mode=forward`);
  expect(faults.filter((fault) => !fault.startsWith(`foreign: ${company.issuer}/`))).toEqual([]);
});

test("rejects an unknown email domain and prompts for an authenticator code", async () => {
  const { userId, email } = await colleague();
  const app = await giveAuthenticator(service, userId);
  await using visitor = await visit(browser, service);
  const { page } = visitor;

  await page.goto("/sign-in");
  await page.getByRole("button", { name: "Single sign-on" }).click();
  await page.getByLabel("Work email address").fill("ada@nowhere.example");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByText("No identity provider for this email domain").waitFor();
  await page.getByLabel("Work email address").fill(email);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("button", { name: "Yes, it is me" }).click();
  await page.getByLabel("Code").fill(app.code());
  await page.getByRole("button", { name: "Sign in", exact: true }).click();

  await page.getByRole("region", { name: "Overview" }).waitFor();
});

test("explains a denied sign-in and links to the start", async () => {
  const { domain } = await companyOf(service, company);
  const email = `mallory@${domain}`;
  company.people.set(email, { email, email_verified: true });
  await using visitor = await visit(browser, service);
  const { page } = visitor;

  await page.goto("/sign-in");
  await page.getByRole("button", { name: "Single sign-on" }).click();
  await page.getByLabel("Work email address").fill(email);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("button", { name: "Yes, it is me" }).click();

  await page.getByText("ask an owner to invite you").waitFor();
  await page.getByRole("link", { name: "Start over" }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
});

test("adds, verifies, changes and removes an identity provider", async () => {
  const organisation = await service.organisation("Northwind");
  const owner = await service.person({ [organisation]: "owner" });
  await using visitor = await visit(browser, service, { as: owner });
  const { page, faults } = visitor;
  const domain = "northwind.example.com";

  await page.goto(`/o/${organisation}/live/numbers`);
  await page.getByRole("button", { name: /Organisation:/ }).click();
  await page.getByRole("menuitem", { name: "Single sign-on" }).click();
  await page.getByRole("button", { name: "Add provider" }).click();
  await page.getByLabel("Name").fill("Northwind Entra");
  await page.getByLabel("Issuer").fill(company.issuer);
  await page.getByLabel("Client ID").fill(company.clientId);
  await page.getByLabel("Client secret").fill(company.clientSecret);
  await page.getByLabel("Email domains").fill(` ${domain.toUpperCase()}, `);
  await page.getByRole("dialog").getByRole("button", { name: "Add", exact: true }).click();

  await page.getByRole("button", { name: "Check DNS record" }).click();
  await page.getByText("There is no TXT record at").waitFor();
  const [provider] = await service.database.admin<{ id: string }>(
    "select id from identity_providers where organisation_id = $1",
    [organisation],
  );
  await publishProof(service, owner, provider!.id);
  await page.getByRole("button", { name: "Check DNS record" }).click();
  await page.getByText(/^verified /).waitFor();

  await page.getByRole("button", { name: "Change Northwind Entra" }).click();
  await page.getByLabel("Name").fill("Northwind Keycloak");
  await page.getByLabel("New client secret").fill("another");
  await page.getByLabel("Email domains").fill(`${domain}, south.example.com`);
  await page
    .getByRole("dialog", { name: /^Change/ })
    .getByRole("button", { name: "Save" })
    .click();
  await page.getByRole("dialog", { name: /^Change/ }).waitFor({ state: "detached" });
  await page.getByText("south.example.com", { exact: true }).waitFor();
  await page.getByText(/^verified /).waitFor();

  await page.getByRole("button", { name: "Remove Northwind Keycloak" }).click();
  await page
    .getByRole("dialog", { name: /^Remove/ })
    .getByRole("button", { name: "Remove", exact: true })
    .click();
  await page.getByText("No identity providers yet").waitFor();
  expect(faults).toEqual([]);
});
