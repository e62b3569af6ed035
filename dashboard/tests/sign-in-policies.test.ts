import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freePort } from "../../server/src/platform/db/private-cluster.ts";
import { seedSession } from "../../server/src/seed.ts";
import { appOf } from "../../server/testing/authenticator-app.ts";
import { type CompanyProvider, openCompanyProvider } from "../../server/testing/company-provider.ts";
import { type Service, startService } from "../../server/testing/service.ts";
import { changePolicy, openCompany, strongPerson } from "../../server/testing/sign-in-policies.ts";
import { openBrowser, SEED_PASSWORD, visit } from "./visit.ts";

let service: Service;
let company: CompanyProvider;
let browser: Browser;
beforeAll(async () => {
  const port = await freePort();
  const baseUrl = `http://localhost:${port}`;
  service = await startService({
    settings: {
      BASE_URL: baseUrl,
      PORT: String(port),
      EGRESS_ALLOW: "127.0.0.0/8:1024-65535+http",
      OPERATOR_SECOND_FACTOR: "required",
    },
  });
  service.url = baseUrl;
  company = await openCompanyProvider({ redirectUri: `${baseUrl}/sign-in/provider` });
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await company?.[Symbol.asyncDispose]();
  await service?.[Symbol.asyncDispose]();
});

async function enterPassword(page: Page, email: string): Promise<void> {
  await page.getByLabel("Email address").fill(email);
  await page.getByLabel("Password").fill(SEED_PASSWORD);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

/** From the button to the recovery codes, which are kept. */
async function setUpApp(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Set up authenticator app" }).click();
  const secret = await page.getByRole("dialog").locator("code").innerText();
  const { code } = appOf(`otpauth://totp/x?secret=${secret}`, service.clock.now);
  await page.getByRole("textbox", { name: "Code" }).fill(code());
  await page.getByRole("button", { name: "Turn on" }).click();
  await page.getByRole("heading", { name: "Your recovery codes" }).waitFor();
  // Coming back to the window asks the service again; the codes must stay.
  await page.evaluate("dispatchEvent(new Event('visibilitychange'))");
  await page.getByRole("button", { name: "Done" }).click();
}

test("AU-19 adds a second factor for an operator after sign-in and opens the requested page", async () => {
  const operator = await service.person();
  await service.database.admin("update users set is_operator = true where id = $1", [operator.userId]);
  await using visitor = await visit(browser, service);
  const { page, faults } = visitor;
  await page.goto("/operator/organisations");
  await enterPassword(page, operator.email);
  await page.getByRole("heading", { name: "Your second factor" }).waitFor();
  await page.getByRole("link", { name: "Not now" }).click();
  await page.getByRole("heading", { name: "Operators need a second factor" }).waitFor();
  await page.getByRole("link", { name: "Add second factor" }).click();
  await setUpApp(page);
  await page.getByRole("heading", { name: "Organisations" }).waitFor();
  expect(new URL(page.url()).pathname).toBe("/operator/organisations");
  expect(faults).toEqual([]);
});

test("guides a member through a newly required second factor", async () => {
  const organisation = await service.organisation("Lumen");
  const owner = await strongPerson(service, { [organisation]: "owner" });
  const member = await service.person({ [organisation]: "member" });
  await using visitor = await visit(browser, service, { as: member });
  const { page, faults } = visitor;
  await page.goto(`/o/${organisation}/live/numbers`);
  await page.getByRole("heading", { name: "Numbers", exact: true }).waitFor();
  await changePolicy(service, owner, { require_second_factor: true });
  await page.getByRole("link", { name: "Jobs" }).click();
  await page.getByRole("heading", { name: "Lumen requires a second factor" }).waitFor();
  await page.getByRole("link", { name: "Continue" }).click();
  await setUpApp(page);
  await page.getByRole("heading", { name: "Jobs", exact: true }).waitFor();
  expect(faults).toEqual([]);
});

test("signs a member in through the identity provider and returns to the page", async () => {
  const { organisation, owner, member } = await openCompany(service, company);
  await changePolicy(service, owner, { require_single_sign_on: true });
  await using visitor = await visit(browser, service, { as: member });
  const { page } = visitor;
  await page.goto(`/o/${organisation}/live/jobs`);
  await page.getByRole("heading", { name: "Example Ltd requires single sign-on" }).waitFor();
  expect(await page.getByText("Use second factor instead").count()).toBe(0);
  await page.getByRole("button", { name: "Single sign-on" }).click();
  await page.getByRole("heading", { name: "Jobs", exact: true }).waitFor();
});

test("lets an owner use the second factor instead of single sign-on", async () => {
  const { organisation, owner } = await openCompany(service, company);
  await changePolicy(service, owner, { require_single_sign_on: true });
  const weak = { ...owner, cookie: (await signedInWithPassword(owner.userId)).cookie };
  await using visitor = await visit(browser, service, { as: weak });
  const { page } = visitor;
  await page.goto(`/o/${organisation}/live/jobs`);
  await page.getByRole("link", { name: "Use second factor instead" }).click();
  await page.getByRole("textbox", { name: "Code" }).fill(owner.authenticator.code(1));
  await page.getByRole("button", { name: "Confirm" }).click();
  await page.getByRole("heading", { name: "Jobs", exact: true }).waitFor();
});

test("requires a new sign-in for an expired session and returns to the page", async () => {
  const organisation = await service.organisation("Lumen");
  const owner = await strongPerson(service, { [organisation]: "owner" });
  const member = await service.person({ [organisation]: "member" });
  await changePolicy(service, owner, { max_session_age_hours: 1 });
  await service.database.admin(
    "update sessions set signed_in_at = signed_in_at - interval '2 hours' where user_id = $1",
    [member.userId],
  );
  await using visitor = await visit(browser, service, { as: member });
  const { page } = visitor;
  await page.goto(`/o/${organisation}/live/jobs`);
  await page.getByRole("heading", { name: "Lumen requires a new sign-in" }).waitFor();
  await page.getByRole("link", { name: "Sign in again" }).click();
  await enterPassword(page, member.email);
  await page.getByRole("heading", { name: "Jobs", exact: true }).waitFor();
});

test("changes the policy by keyboard, shows unmet rules and is read-only for admins", async () => {
  const organisation = await service.organisation("Lumen");
  const owner = await service.person({ [organisation]: "owner" });
  const admin = await service.person({ [organisation]: "admin" });
  await using visitor = await visit(browser, service, { as: owner });
  const { page, faults } = visitor;
  await page.goto(`/o/${organisation}/live/numbers`);
  await page.getByRole("button", { name: /Organisation:/ }).press("Enter");
  await page.getByRole("menuitem", { name: "Sign-in policy" }).press("Enter");
  await page.getByLabel("Require a second factor").press("Space");
  await page.getByRole("button", { name: "Save policy" }).press("Enter");
  await page.getByText("Rule not met by your session").waitFor();
  await page.getByRole("link", { name: "Add or confirm a second factor" }).click();
  await setUpApp(page);
  await page.getByLabel("Require a second factor").check();
  await page.getByLabel("Maximum session age").selectOption("12");
  await page.getByRole("button", { name: "Save policy" }).click();
  await page.getByText("Sign-in policy saved").waitFor();
  expect(
    await service.database.admin(
      "select require_second_factor, max_session_age_hours from organisations where id = $1",
      [organisation],
    ),
  ).toEqual([{ require_second_factor: true, max_session_age_hours: 12 }]);
  expect(faults).toEqual([]);

  await service.database.admin("update sessions set has_second_factor = true where user_id = $1", [
    admin.userId,
  ]);
  await using reader = await visit(browser, service, { as: admin });
  await reader.page.goto(`/o/${organisation}/live/sign-in-policy`);
  await reader.page.getByText("Owners can change this.").waitFor();
  expect(await reader.page.getByLabel("Require a second factor").isDisabled()).toBe(true);
});

test("shows a missing DNS record and a lapsed verification", async () => {
  const { organisation, owner } = await openCompany(service, company);
  const set = (columns: string) =>
    service.database.admin(`update identity_provider_domains set ${columns} where organisation_id = $1`, [
      organisation,
    ]);
  await set("missing_since = now(), missing_checks = 1");
  await using visitor = await visit(browser, service, { as: owner });
  const { page } = visitor;
  await page.goto(`/o/${organisation}/live/identity-providers`);
  await page.getByText("The TXT record has been missing since").waitFor();
  await set("proved_at = null, missing_since = null, missing_checks = 0, lapsed_at = now()");
  await page.reload();
  await page.getByText("Not verified since").waitFor();
  await page.getByRole("button", { name: "Check DNS record" }).waitFor();
});

/** Browser session of a user with an app, from before the service stored the sign-in method. */
async function signedInWithPassword(userId: string): Promise<{ cookie: string }> {
  return { cookie: await seedSession(service.app, { userId, name: "Owner", email: "" }, "browser") };
}
