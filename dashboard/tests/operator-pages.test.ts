import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { callRecord, momentOf } from "../../server/testing/call-record.ts";
import { bearer, type Person, type Service, startService } from "../../server/testing/service.ts";
import { standing } from "../../server/testing/walls/switch-requests.ts";
import { makeSwitch } from "../../server/testing/walls/switch-callers.ts";
import { startDidwwServer } from "../../server/src/numbers/carriers/testing/didww-server/didww-server.ts";
import { startTelnyxServer } from "../../server/src/numbers/carriers/testing/telnyx-server/telnyx-server.ts";
import { holdNumber } from "../../server/testing/stock.ts";
import { seedExceptions } from "./switch-exceptions.ts";
import { openBrowser, SEED_PASSWORD, visit } from "./visit.ts";

const QUARTER_HOUR_MS = 15 * 60_000;

let service: Service;
let browser: Browser;
let organisation: string;
let operator: Person;

beforeAll(async () => {
  service = await startService();
  browser = await openBrowser();
  organisation = await service.organisation("Northwind");
  operator = await service.person();
  await service.database.admin("update users set is_operator = true where id = $1", [operator.userId]);
});
afterAll(async () => {
  await browser?.close();
  await service?.[Symbol.asyncDispose]();
});

test("creates an organisation by keyboard and prompts for the password after 15 minutes", async () => {
  await using visitor = await visit(browser, service, { as: operator });
  const { page, faults } = visitor;
  await page.goto("/");
  await page.getByRole("link", { name: "Open operator pages" }).click();
  await page.getByText("No switches yet.").waitFor();
  await page.getByRole("navigation", { name: "Operator pages" }).getByText("Organisations").click();
  await page.getByText("Northwind").waitFor();
  await page.getByRole("button", { name: "Create organisation" }).focus();
  await page.keyboard.press("Enter");
  await page.getByLabel("Name").waitFor();
  await page.keyboard.type("Southwind");
  service.clock.advance(QUARTER_HOUR_MS);
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "Confirm your identity" }).waitFor();
  await page.getByLabel("Password").fill(SEED_PASSWORD);
  await page.keyboard.press("Enter");
  await page.getByText("Southwind created").waitFor();
  await page.getByRole("listitem").filter({ hasText: "Southwind" }).waitFor();
  expect(faults).toEqual([]);
});

test("signs out from the operator pages and from the security page", async () => {
  for (const path of ["/operator/organisations", "/account/security"]) {
    await using visitor = await visit(browser, service, { as: await freshOperator() });
    const { page, faults } = visitor;
    await page.goto(path);
    await page.getByRole("button", { name: /^Your account:|^Sign out$/ }).click();
    if (path.startsWith("/operator")) await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    expect(faults).toEqual([]);
  }
});

test("adds, drains and retires a switch and shows the reports of its agent", async () => {
  const fresh = await freshOperator();
  await using visitor = await visit(browser, service, { as: fresh });
  const { page, faults } = visitor;
  await page.goto("/operator/switches");
  await page.getByRole("button", { name: "Add switch" }).click();
  await page.getByLabel("Name").fill("edge-1");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  const credential = (await page.getByText(/^svc_switch_/).textContent())!;
  await page.getByRole("button", { name: "Done" }).click();
  const card = page.getByRole("listitem").filter({ hasText: "edge-1" });
  await card.getByText("never").waitFor();

  const reported = await service.send("PUT", "/switch/v1/call-standing", {
    headers: bearer(credential),
    body: standing({ is_disk_full: true }),
  });
  expect(reported.status, reported.text).toBeLessThan(300);
  await service.database.admin(
    "update switches set last_seen_at = now() + interval '1 day', agent_version = '9.8.7' where name = 'edge-1'",
  );
  await card.getByText("9.8.7").waitFor();
  await card.getByText("Disk full").waitFor();
  await page.getByRole("button", { name: "Drain edge-1" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Drain", exact: true }).click();
  await card.getByText("Draining").waitFor();
  await page.getByRole("button", { name: "Retire edge-1" }).click();
  await page
    .getByRole("dialog", { name: "Retire edge-1?" })
    .getByRole("button", { name: "Retire", exact: true })
    .click();
  await card.getByText("Retired").waitFor();
  expect(faults).toEqual([]);
});

test("shows the exceptions of a switch with found and expected value, from the home page", async () => {
  const { id } = await holdNumber(service.app, organisation, "live");
  for (let count = 1; count < 3; count += 1) await holdNumber(service.app, organisation, "live");
  await using visitor = await visit(browser, service, { as: await freshOperator() });
  const { page, faults } = visitor;
  await service.send("POST", "/operator/v1/switches", {
    headers: bearer((await freshOperator()).token),
    body: { name: "fra-1" },
  });
  await service.database.admin(
    "update switches set last_seen_at = now() + interval '1 day', agent_version = '0.4.0', boot = '4d1f9c0e' where name = 'fra-1'",
  );
  await page.goto("/operator/switches");
  await page.getByRole("link", { name: "fra-1" }).click();
  await page.getByRole("heading", { name: "fra-1" }).waitFor();
  await page.getByText("No exceptions").waitFor();

  await seedExceptions(service, "fra-1", organisation);
  await page.getByRole("link", { name: "Home" }).click();
  await page.getByText("2 items of fra-1 differ").waitFor();
  await page.getByRole("link", { name: "Show exceptions" }).click();
  await page.getByText("2 exceptions").waitFor();
  const row = page.getByRole("row").filter({ hasText: "Drifted" });
  await row.getByText("sip:somebody@else.example").waitFor();
  await row.getByText("sip:reception@pbx.northwind.example").waitFor();
  await row.getByRole("cell", { name: "14" }).waitFor();
  await page.getByRole("row").filter({ hasText: "Repaired" }).waitFor();
  const failed = page.getByRole("row").filter({ hasText: "Out of memory." });
  expect(await failed.getByText("Failed").count()).toBe(1);
  const agent = page.getByRole("region", { name: "Agent" });
  await agent.getByText("0.4.0").waitFor();
  await agent.getByText("4d1f9c0e").waitFor();
  await page.getByText("No active alarms").waitFor();

  await service.database.admin("delete from applied_exceptions; delete from drift_episodes");
  await page.getByText("No exceptions").waitFor();
  await page.getByRole("button", { name: "Retire fra-1" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Retire", exact: true }).click();
  await page.getByText("Retired", { exact: true }).waitFor();
  expect(await page.getByRole("button", { name: "Drain fra-1" }).count()).toBe(0);
  await page.goto(`/operator/switches/${id}`);
  await page.getByRole("heading", { name: "Switch not found" }).waitFor();
  expect(faults).toEqual([]);
});

test("reconciles with a carrier and repairs a mismatch", async () => {
  const fresh = await freshOperator();
  const { id, e164 } = await holdNumber(service.app, organisation, "live");
  await service.database.admin("update holdings set carrier = 'pool' where id = $1", [id]);
  await using visitor = await visit(browser, service, { as: fresh });
  const { page, faults } = visitor;
  await page.goto("/operator/carriers");
  await page.getByRole("button", { name: "Reconcile" }).click();
  await page.getByText("1 mismatch").waitFor();
  await page.getByRole("link", { name: "pool", exact: true }).first().click();
  await page.getByRole("button", { name: `Suspend number: ${e164}` }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Suspend number" }).click();
  await page.getByText("Repaired", { exact: true }).waitFor();
  const [held] = await service.database.admin<{ status: string }>(
    "select status from holdings where id = $1",
    [id],
  );
  expect(held!.status).toBe("suspended");
  expect(faults).toEqual([]);
});

test("connects a carrier, edits it, drains it and closes it", async () => {
  await using visitor = await visit(browser, service, { as: await freshOperator() });
  const { page, faults } = visitor;
  await page.goto("/operator/carriers");
  await page.getByText("No carriers connected here").waitFor();
  await page.getByRole("button", { name: "Connect a carrier" }).click();
  await page.getByLabel("Name").fill("telnyx-us");
  const countries = page.getByRole("combobox", { name: "Countries" });
  for (const code of ["US", "DE", "CA"]) await countries.selectOption(code);
  await page.getByRole("button", { name: "Remove Germany" }).click();
  await page.getByRole("button", { name: "Connect", exact: true }).click();
  await page.getByText("Enter the API key.").waitFor();
  await page.getByLabel("API key").fill("KEY0198C5F27C1E7A33");
  await page.getByRole("button", { name: "Connect", exact: true }).click();
  await page.getByText("CA, US").waitFor();

  await page.getByRole("button", { name: "Edit telnyx-us" }).click();
  await page.getByText("The stored key ends with 7A33. Leave empty to keep it.").waitFor();
  await page.getByLabel("Preference").fill("7");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Preference 7", { exact: true }).waitFor();
  await using telnyx = await startTelnyxServer();
  const trunk = telnyx.connection("fra-1");
  const { token } = await freshOperator();
  const [carrier] = await service.database.admin<{ id: string }>("select id from carriers");
  const moved = await service.send("PATCH", `/operator/v1/carriers/${carrier!.id}`, {
    headers: bearer(token),
    body: { url: telnyx.url, credentials: { api_key: telnyx.apiKey } },
  });
  expect(moved.status).toBe(200);
  await page.getByRole("button", { name: "Trunks telnyx-us" }).click();
  await page.getByLabel("default").selectOption(trunk);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByRole("dialog", { name: "Trunks of telnyx-us" }).waitFor({ state: "detached" });
  const chosen = await service.database.admin("select trunk from carrier_trunks");
  expect(chosen).toEqual([{ trunk }]);

  await page.getByRole("button", { name: "Drain telnyx-us" }).click();
  const asked = (title: string) => page.getByRole("dialog", { name: title });
  await asked("Drain telnyx-us?").getByRole("button", { name: "Drain carrier" }).click();
  await page.getByText("Draining", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Close telnyx-us" }).click();
  await asked("Close telnyx-us?").getByRole("button", { name: "Close carrier" }).click();
  await page.getByText("Closed", { exact: true }).waitFor();
  await service.database.admin("delete from carrier_trunks; delete from carriers");
  await service.app.carriers.refresh();
  expect(faults).toEqual([]);
});

test("connects an account at DIDWW, and chooses one of its trunks", async () => {
  await using didww = await startDidwwServer();
  const trunk = didww.trunk("lon-1");
  await using visitor = await visit(browser, service, { as: await freshOperator() });
  const { page, faults } = visitor;
  await page.goto("/operator/carriers");
  await page.getByRole("button", { name: "Connect a carrier" }).click();
  await page.getByLabel("Kind").selectOption("DIDWW");
  await page.getByLabel("Name").fill("didww-gb");
  await page.getByLabel("API key").fill(didww.apiKey);
  await page.getByLabel("URL").fill(didww.url);
  await page.getByRole("combobox", { name: "Countries" }).selectOption("GB");
  await page.getByRole("button", { name: "Connect", exact: true }).click();
  await page.getByRole("button", { name: "Trunks didww-gb" }).click();
  await page.getByLabel("default").selectOption(trunk);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByRole("dialog", { name: "Trunks of didww-gb" }).waitFor({ state: "detached" });
  expect(
    await service.database.admin(
      "select kind, trunk from carrier_trunks join carriers on carriers.id = carrier_id",
    ),
  ).toEqual([{ kind: "didww", trunk }]);
  await service.database.admin("delete from carrier_trunks; delete from carriers");
  await service.app.carriers.refresh();
  expect(faults).toEqual([]);
});

test("previews and imports a pool file and lists its invalid lines", async () => {
  await holdNumber(service.app, organisation, "live");
  await using visitor = await visit(browser, service, { as: await freshOperator() });
  const { page, faults } = visitor;
  await page.goto("/operator/pool");
  await page.getByText(/^0 of \d+ available/).waitFor();
  const buffer = Buffer.from("number,to\n030 903000,030 903009\nhello,\n");
  await page.getByLabel("CSV file").setInputFiles({ name: "pool.csv", mimeType: "text/csv", buffer });
  await page.getByLabel("Country").selectOption("DE");
  await page.getByRole("button", { name: "Preview import" }).click();
  await page.getByText(/10 numbers to add, 0 already in the pool, 1 line is invalid/).waitFor();
  await page.getByText(/^Line 3: /).waitFor();
  await page.getByText(/^0 of \d+ available/).waitFor();
  await page.getByRole("button", { name: "Import 10 numbers" }).click();
  await page.getByText("10 numbers added").waitFor();
  await page.getByText(/^10 of \d+ available/).waitFor();
  const [loaded] = await service.database.admin<{ count: number }>(
    "select count(*)::int from numbers where environment = 'live' and e164 like '+493090300_' and is_free",
  );
  expect([loaded!.count, faults]).toEqual([10, []]);
});

test("finds, disables and enables an account and ends its sessions", async () => {
  const person = await service.person({ [organisation]: "admin" });
  await using visitor = await visit(browser, service, { as: await freshOperator() });
  const { page, faults } = visitor;
  await page.goto("/operator/users");
  await page.getByLabel("Email address").fill(person.email);
  await page.keyboard.press("Enter");
  await page.getByText("Northwind (admin) · 2 sessions · 0 API keys").waitFor();
  await page.getByRole("button", { name: `Disable: ${person.email}` }).click();
  await page.getByRole("dialog").getByLabel("Reason").fill("Laptop stolen");
  await page.getByRole("dialog").getByRole("button", { name: "Disable", exact: true }).click();
  await page.getByText("Disabled", { exact: true }).waitFor();
  await page.getByText("0 sessions").waitFor();
  expect((await service.send("GET", "/v1/me", { headers: bearer(person.token) })).status).toBe(401);
  await page.getByRole("button", { name: `Enable: ${person.email}` }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Enable", exact: true }).click();
  await page.getByText("Enabled", { exact: true }).waitFor();
  expect(faults).toEqual([]);
});

test("suspends and resumes an organisation", async () => {
  const id = await service.organisation("Eastwind");
  const { token } = await service.person({ [id]: "owner" });
  const status = async (): Promise<number> =>
    (await service.send("GET", "/v1/numbers", { headers: bearer(token) })).status;
  await using visitor = await visit(browser, service, { as: await freshOperator() });
  const { page, faults } = visitor;
  await page.goto("/operator/organisations");
  await page.getByRole("button", { name: "Suspend Eastwind" }).click();
  const dialog = page.getByRole("dialog", { name: "Suspend Eastwind?" });
  await dialog.getByLabel("Reason").fill("Key leaked");
  await dialog.getByRole("button", { name: "Suspend", exact: true }).click();
  const row = page.getByRole("listitem").filter({ hasText: "Eastwind" });
  await row.getByText("Key leaked").waitFor();
  await row.getByText("Suspended", { exact: true }).waitFor();
  expect(await status()).toBe(403);
  await page.getByRole("button", { name: "Resume Eastwind" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Resume", exact: true }).click();
  await row.getByText("Active").waitFor();
  expect([await status(), faults]).toEqual([200, []]);
});

test("finds the holder of a number, and suspends and resumes its calls", async () => {
  const { id, e164 } = await holdNumber(service.app, organisation, "live");
  await using visitor = await visit(browser, service, { as: await freshOperator() });
  const { page, faults } = visitor;
  const statusOf = async (): Promise<string> => {
    const sql = "select status from holdings where id = $1";
    return (await service.database.admin<{ status: string }>(sql, [id]))[0]!.status;
  };
  await page.goto("/operator/pool");
  await page.getByLabel("Number", { exact: true }).fill("+49 30 999 999 99");
  await page.keyboard.press("Enter");
  await page.getByText("No organisation holds this number.").waitFor();
  await page.getByLabel("Number", { exact: true }).fill(e164);
  await page.keyboard.press("Enter");
  await page.getByText("Northwind").waitFor();
  await page.getByRole("button", { name: "Suspend", exact: true }).click();
  await page.getByRole("dialog").getByLabel("Reason").fill("fraud_suspected");
  await page.getByRole("dialog").getByRole("button", { name: "Suspend", exact: true }).click();
  await page.getByText("Suspended: fraud_suspected").waitFor();
  expect(await statusOf()).toBe("suspended");
  await page.getByRole("button", { name: "Resume", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Resume", exact: true }).click();
  await page.getByText("Active", { exact: true }).waitFor();
  expect([await statusOf(), faults]).toEqual(["active", []]);
});

test("finds calls of all organisations, and those that matched no number", async () => {
  const { id, e164 } = await holdNumber(service.app, organisation, "live");
  const { credential } = await makeSwitch(service);
  const at = Date.now() - 60_000;
  const served = callRecord({ number_id: id, caller: "+442079460001", started_at: momentOf(at) });
  const unmatched = callRecord({ called: "+4930999", caller: "+33100000001", started_at: momentOf(at) });
  const reported = await service.send("POST", "/switch/v1/call-records", {
    headers: bearer(credential),
    body: { records: [served, unmatched] },
  });
  expect(reported.status, reported.text).toBeLessThan(300);
  await using visitor = await visit(browser, service, { as: await freshOperator() });
  const { page, faults } = visitor;
  await page.goto("/operator/calls");
  await page.getByRole("row").filter({ hasText: "Northwind" }).waitFor();
  await page.getByLabel("Number", { exact: true }).selectOption({ label: "Number: matched none" });
  await page.getByRole("row").filter({ hasText: "Northwind" }).waitFor({ state: "detached" });
  await page.getByRole("link", { name: /to \+4930999$/ }).click();
  await page.getByRole("region", { name: "Steps" }).waitFor();
  await page.getByText("No number").waitFor();
  await page.goto("/operator/calls?q=%2B442079460001");
  await page.getByRole("link", { name: new RegExp(`to \\${e164}$`) }).click();
  await page.getByRole("link", { name: "Open organisation" }).click();
  await page.getByRole("heading", { name: "Northwind" }).waitFor();
  expect(faults).toEqual([]);
});

test("reads the audit log of the installation in sentences, with details", async () => {
  const fresh = await freshOperator();
  await service.send("POST", "/operator/v1/switch-groups", {
    headers: bearer(fresh.token),
    body: { name: "vienna" },
  });
  await using visitor = await visit(browser, service, { as: fresh });
  const { page, faults } = visitor;
  await page.goto("/operator/audit");
  const entry = page.getByRole("link", { name: /created switch group/ }).first();
  await entry.click();
  const details = page.getByRole("complementary", { name: "Details" });
  await details.getByText("switch_group.created").waitFor();
  await page.getByRole("searchbox").fill("vienna");
  await page.waitForURL(/q=vienna/);
  await entry.waitFor();
  expect(faults).toEqual([]);
});

test("goes to pages and switches with the command palette", async () => {
  const fresh = await freshOperator();
  await service.send("POST", "/operator/v1/switches", {
    headers: bearer(fresh.token),
    body: { name: "palette-1" },
  });
  await using visitor = await visit(browser, service, { as: fresh });
  const { page, faults } = visitor;
  await page.goto("/operator");
  await page.getByRole("link", { name: "palette-1" }).waitFor();
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Find a page, switch or organisation" }).fill("palette");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "palette-1" }).waitFor();
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Find a page, switch or organisation" }).fill("audit");
  await page.keyboard.press("Enter");
  await page.waitForURL(/operator\/audit/);
  expect(faults).toEqual([]);
});

test("denies the operator pages to other users", async () => {
  const owner = await service.person({ [organisation]: "owner" });
  await using visitor = await visit(browser, service, { as: owner });
  const { page } = visitor;
  const pages = [
    "",
    "calls",
    `calls/${organisation}`,
    "audit",
    "organisations",
    `organisations/${organisation}`,
    "users",
    "switches",
    `switches/${organisation}`,
    "carriers",
    "pool",
  ];
  for (const path of pages) {
    await page.goto(`/operator/${path}`);
    await page.getByRole("heading", { name: "Operator access required" }).waitFor();
    expect(await page.getByText("Northwind").count()).toBe(0);
  }
});

test("asks an operator without a second factor to add one", async () => {
  await using strict = await startService({ settings: { OPERATOR_SECOND_FACTOR: "required" } });
  const person = await strict.person();
  await strict.database.admin("update users set is_operator = true where id = $1", [person.userId]);
  await using visitor = await visit(browser, strict, { as: person });
  const { page } = visitor;
  await page.goto("/operator/users");
  await page.getByRole("heading", { name: "Operators need a second factor" }).waitFor();
  await page.getByRole("link", { name: "Add second factor" }).click();
  await page.getByRole("button", { name: "Set up authenticator app" }).waitFor();
});

/** One who has just signed in. */
async function freshOperator(): Promise<Person> {
  const person = await service.person();
  await service.database.admin("update users set is_operator = true where id = $1", [person.userId]);
  return person;
}
