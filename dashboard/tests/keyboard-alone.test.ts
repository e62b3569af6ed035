import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { bearer, type Person, type Service, startService } from "../../server/testing/service.ts";
import { type Keyboard, keyboardOf } from "./keyboard.ts";
import { openBrowser, SEED_PASSWORD, type Visit, visit } from "./visit.ts";

let service: Service;
let browser: Browser;
let organisation: string;
let owner: Person;
/** Signed in by the first test, and used by all others. */
let visitor: Visit;
let keys: Keyboard;

beforeAll(async () => {
  const settings = { FORWARD_PREFIXES: "+49", EGRESS_ALLOW: "192.0.2.0/24" };
  service = await startService({ worker: true, settings });
  browser = await openBrowser();
  organisation = await service.organisation("Northwind");
  owner = await service.person({ [organisation]: "owner", [await service.organisation("Lumen")]: "owner" });
  visitor = await visit(browser, service);
  keys = keyboardOf(visitor.page);
});
afterAll(async () => {
  await browser?.close();
  await service?.[Symbol.asyncDispose]();
});
/** Reports any use of a mouse. */
beforeEach(() =>
  visitor.page.addInitScript("addEventListener('pointerdown', () => console.error('a mouse'))"),
);
afterEach(() => expect(visitor.faults).toEqual([]));

const open = (path: string) => visitor.page.goto(`/o/${organisation}/test/${path}`);
const sees = (text: string | RegExp) => visitor.page.getByText(text).first().waitFor();
const hasNoDialog = () => visitor.page.getByRole("dialog").waitFor({ state: "detached" });

test("signs in and changes organisation and environment", async () => {
  const { page } = visitor;
  await page.goto(`/o/${organisation}/live/numbers`);
  await keys.isAt("Email address");
  await keys.type(owner.email);
  await keys.tabTo("Password");
  await keys.type(SEED_PASSWORD);
  await keys.press("Enter");
  await sees("No live numbers yet");

  await keys.tabTo("Organisation: Northwind");
  await keys.press("Enter");
  await page.getByRole("menuitemradio", { name: "Lumen" }).waitFor();
  await keys.press("l");
  await keys.isAt(/^Lumen/);
  await keys.press("Enter");
  await keys.isAt("Organisation: Lumen");
  await sees("No numbers yet");
  await keys.tabTo("Test");
  await keys.press("Enter");
  await sees("Test environment:");
});

test("opens a number in the palette and restores the focus", async () => {
  await open("numbers");
  await sees("+12025550100");
  await keys.skipToContent();
  await keys.tabTo("Show code");
  await keys.press("Control+k");
  await keys.isInDialog("Command palette");
  await keys.press("Escape");
  await keys.isAt("Show code");
  await keys.press("Control+k");
  await keys.isInDialog("Command palette");
  await keys.type("5550104");
  await visitor.page.getByRole("option", { name: "+12025550104" }).waitFor();
  await keys.press("Enter");
  await visitor.page.getByRole("heading", { name: "+12025550104" }).waitFor();
});

test("filters numbers, selects rows and applies a plan", async () => {
  await open("numbers");
  await sees("+12025550100");
  await keys.press("/");
  await keys.type("555010");
  await visitor.page.waitForURL(/q=/);
  await keys.tabTo("Status");
  await keys.press("ArrowDown"); // the first: active
  await visitor.page.waitForURL(/status=active/);
  await keys.tabTo("Select +12025550100");
  await keys.press("Space", "ArrowDown");
  await keys.isAt("Select +12025550101");
  await keys.press("Space");
  await sees("2 selected");
  await keys.tabTo("Change tags…");
  await keys.press("Enter");
  await keys.isAt("Tags to add");
  await keys.press("Escape");
  await keys.isAt("Change tags…");
  await keys.press("Enter");
  await keys.isAt("Tags to add");
  await keys.type("berlin");
  await keys.press("Enter");
  await sees("Planned, not applied yet");
  await keys.tabTo("Apply plan…");
  await keys.press("Enter");
  await keys.isAt("Change 2 numbers");
  await keys.press("Enter");
  await sees("Finished");
});

test("changes a routing after a concurrent update and rolls it back", async () => {
  const number = await openNumber("+12025550102");
  await keys.skipToContent();
  await keys.tabTo("Change routing");
  await keys.press("Enter");
  await keys.isInDialog("Change routing");
  await keys.press("Escape");
  await keys.isAt("Change routing");
  await keys.press("Enter");
  await keys.isInDialog("Change routing");
  await keys.press("ArrowUp", "ArrowUp"); // from the last mode to the one before the webhook
  await keys.isAt("Forward");
  await keys.press("Tab");
  await keys.isAt("Phone number");
  await keys.type("+49305550100");
  await visitor.page.getByRole("insertion").getByText("+49305550100").waitFor();
  await route(number, "+49305550199");
  await keys.tabTo("Change routing");
  await keys.press("Enter");
  await sees("This routing was changed by another user.");
  await keys.isAt("Compare changes");
  await keys.press("Enter");
  await visitor.page.getByRole("deletion").getByText("+49305550199").waitFor();
  await keys.isInDialog("Change routing");
  await keys.tabTo("Change routing");
  await keys.press("Enter");
  await sees("Applied on 0 of 1 switch"); // it rejects everything
  await keys.isAt("Close");
  await keys.press("Enter");
  await hasNoDialog();
  await keys.isAt("Change routing");

  await keys.tabTo("Go back to revision 2…");
  await keys.press("Enter");
  await keys.isInDialog("Roll back to revision 2");
  await keys.tabTo("Roll back routing");
  await keys.press("Enter");
  await hasNoDialog();
  await visitor.page.getByRole("region", { name: "Desired" }).getByText("+49305550199").waitFor();
});

test("releases a number after its last digits are typed", async () => {
  await openNumber("+12025550105");
  await keys.skipToContent();
  await keys.tabTo("Release…");
  await keys.press("Enter");
  await keys.isAt(/last 4 digits/);
  await keys.type("0105");
  await keys.tabTo("Release number");
  await keys.press("Enter");
  await sees(/Calls to this number have stopped|Calls to this number no longer reach you/);
});

test("orders numbers", async () => {
  await open("order");
  await sees("Quantity");
  await keys.skipToContent();
  await keys.tabTo("By criteria");
  await keys.press("ArrowRight");
  await visitor.page.waitForURL(/by=list/);
  await keys.tabTo("Numbers");
  await keys.type("+12125550150");
  await keys.tabTo("Label");
  await keys.type("Ordered");
  await keys.tabTo("Place order");
  await keys.press("Enter");
  await sees("All numbers succeeded.");
});

test("creates a key and shows its secret until it is closed", async () => {
  await open("api-keys");
  await sees("No API keys yet");
  await keys.skipToContent();
  await keys.tabTo("Create API key");
  await keys.press("Enter");
  await keys.isAt("Name");
  await keys.type("Billing");
  await keys.tabTo("Change numbers");
  await keys.press("Space");
  await keys.tabTo("Create");
  await keys.press("Enter");
  await keys.isAt("Copy key");
  await keys.isInDialog("“Billing” created");
  await keys.tabTo("Done");
  await keys.press("Enter");
  await hasNoDialog();
  await keys.isAt("Create API key");
});

test("adds a connection, an invitation and an endpoint", async () => {
  await open("connections");
  await sees("No connections yet");
  await keys.skipToContent();
  await keys.tabTo("Add connection");
  await keys.press("Enter");
  await keys.isAt("Name");
  await keys.type("Main exchange");
  await keys.tabTo("Host 1");
  await keys.type("192.0.2.7");
  await keys.press("Enter");
  await hasNoDialog();
  await visitor.page.getByRole("heading", { name: "Main exchange" }).waitFor();

  await keys.press("g", "m");
  await sees("(you)");
  await keys.skipToContent();
  await keys.tabTo("Invite member");
  await keys.press("Enter");
  await keys.isAt("Email address");
  await keys.type("new@example.com");
  await keys.tabTo("Role");
  await keys.press("ArrowDown");
  await keys.tabTo("Send invitation");
  await keys.press("Enter");
  await hasNoDialog();
  await keys.isAt("Invite member");

  await keys.press("g", "w");
  await sees("No webhooks yet");
  await keys.skipToContent();
  await keys.tabTo("Add endpoint");
  await keys.press("Enter");
  await keys.isAt("URL");
  await keys.type("https://192.0.2.7/hooks");
  await keys.press("Enter");
  await keys.isAt(/^Copy/);
  await keys.tabTo("Done");
  await keys.press("Enter");
  await hasNoDialog();
  await sees("https://192.0.2.7/hooks");
});

test("imports a table", async () => {
  await open("numbers");
  await sees("+12025550103");
  await keys.skipToContent();
  await keys.tabTo("Import");
  await keys.press("Enter");
  await sees("Or paste a table");
  await keys.tabTo("Or paste a table");
  await keys.type("number,label\n+12025550103,Fax\n");
  await keys.tabTo("Preview changes");
  await keys.press("Enter");
  await sees("1 of 1 lines change a number");
  await keys.tabTo("Change 1 number");
  await keys.press("Enter");
  await sees("Import finished");
});

async function openNumber(e164: string): Promise<string> {
  const { body } = await service.send("GET", `/v1/numbers?q=${e164.slice(1)}`, { headers: asOwner() });
  const { id } = (body as { data: { id: string }[] }).data[0]!;
  await open(`numbers/${id}`);
  await visitor.page.getByRole("region", { name: "Desired" }).waitFor();
  return id;
}

/** Simulates a change by another client. */
async function route(number: string, to: string): Promise<void> {
  const { status } = await service.send("PUT", `/v1/numbers/${number}/routing`, {
    headers: { ...asOwner(), "idempotency-key": to },
    body: { mode: "forward", forward_to: to },
  });
  expect(status).toBe(200);
}

function asOwner(): Record<string, string> {
  return { ...bearer(owner.token), "x-service-org": organisation, "x-service-environment": "test" };
}
