import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { seedNumbers } from "../../server/src/seed.ts";
import { type Person, type Service, startService } from "../../server/testing/service.ts";
import { openBrowser, visit } from "./visit.ts";

let service: Service;
let browser: Browser;
let organisation: string;
let number: string;
let owner: Person;

beforeAll(async () => {
  service = await startService({ settings: { FORWARD_PREFIXES: "+49" } });
  browser = await openBrowser();
  organisation = await service.organisation("Northwind");
  owner = await service.person({ [organisation]: "owner" });
  number = (await seedNumbers(service.app, organisation, "live", 1))[0]!.id;
});
afterAll(async () => {
  await browser?.close();
  await service?.[Symbol.asyncDispose]();
});

/** A form, with the button that opens it if it is in a dialog. */
interface Form {
  path: string;
  opens?: string;
  submits: string;
}

const ROUTING: Form = { path: "numbers/:number", opens: "Change routing", submits: "Change routing" };
const CONNECTION: Form = { path: "connections", opens: "Add connection", submits: "Save" };
const KEY: Form = { path: "api-keys", opens: "Create API key", submits: "Create" };
const ORDER: Form = { path: "order", submits: "Place order" };
const LIST: Form = { path: "order?by=list", submits: "Place order" };

/** Some radio buttons have the name of the field that they show. */
const fieldOf = (form: Locator, label: string): Locator =>
  form.getByLabel(label, { exact: true }).and(form.locator(":not([type=radio])"));

type Fill = (form: Locator) => Promise<void>;
const type =
  (label: string, text: string): Fill =>
  (form) =>
    fieldOf(form, label).fill(text);
const mode =
  (name: string, ...more: Fill[]): Fill =>
  async (form) => {
    await form.getByText(name, { exact: true }).first().click();
    for (const fill of more) await fill(form);
  };
const target =
  (host: string, ...more: Fill[]): Fill =>
  async (form) => {
    await form.getByLabel("Name").fill("Head office");
    await form.getByLabel("Host 1").fill(host);
    for (const fill of more) await fill(form);
  };

/** Wrong input, the field that it concerns, and the text that says what is allowed. */
const CASES: readonly [says: string, form: Form, fill: Fill, field: string, message: RegExp][] = [
  ["no scheme", ROUTING, mode("SIP URI", type("SIP URI", "pbx.example.com")), "SIP URI", /such as sip:/],
  ["a private address", ROUTING, mode("SIP URI", type("SIP URI", "sip:a@10.0.0.1")), "SIP URI", /public/],
  ["no country code", ROUTING, mode("Forward", type("Phone number", "030 12")), "Phone number", /\+49/],
  [
    "a barred prefix",
    ROUTING,
    mode("Forward", type("Phone number", "+1 212 555 0100")),
    "Phone number",
    /not allow/,
  ],
  ["no TLS", ROUTING, mode("Webhook", type("Webhook URL", "http://a.example")), "Webhook URL", /https:/],
  ["no connection", ROUTING, mode("Connection"), "Connection", /Choose a connection/],
  ["no name", CONNECTION, type("Host 1", "192.0.2.1"), "Name", /Enter a name/],
  ["no host", CONNECTION, type("Name", "Head office"), "Host 1", /^Enter a host name/],
  ["a private host", CONNECTION, target("10.0.0.1"), "Host 1", /public/],
  ["a port too high", CONNECTION, target("8.8.8.8", type("Port", "99999")), "Port", /1 to 65535/],
  ["a port in words", CONNECTION, target("8.8.8.8", type("Port", "sip")), "Port", /1 to 65535/],
  [
    "a priority in words",
    CONNECTION,
    target("8.8.8.8", type("Priority", "first")),
    "Priority",
    /whole number/,
  ],
  [
    "a weight too high",
    CONNECTION,
    target("8.8.8.8", type("Weight", "999999")),
    "Weight",
    /^Must be at most 100\.$/,
  ],
  [
    "a limit in words",
    CONNECTION,
    target("8.8.8.8", type("Maximum concurrent calls", "many")),
    "Maximum concurrent calls",
    /no limit/,
  ],
  [
    "a network in words",
    CONNECTION,
    target("8.8.8.8", type("Other networks", "office")),
    "Other networks",
    /^Has an invalid format \(example: 203\.0\.113\.0\/28\)/,
  ],
  ["a key without name", KEY, type("Name", " "), "Name", /Enter a name/],
  [
    "a key for no network",
    KEY,
    async (form) => {
      await form.getByLabel("Name").fill("Billing");
      await form.getByLabel("Allowed networks").fill("999.1.1.1");
    },
    "Allowed networks",
    /^Must be a network such as/,
  ],
  [
    "no address",
    { path: "members", opens: "Invite member", submits: "Send invitation" },
    type("Email address", "ada"),
    "Email address",
    /such as ada@example.com/,
  ],
  [
    "no web address",
    { path: "webhooks", opens: "Add endpoint", submits: "Add" },
    type("URL", "hooks.example.com"),
    "URL",
    /https:\/\//,
  ],
  ["no country", ORDER, type("Quantity", "1"), "Country", /Choose a country/],
  ["letters as digits", ORDER, type("Prefix", "abc"), "Prefix", /^Enter digits only/],
  ["no quantity", ORDER, type("Quantity", "0"), "Quantity", /^Enter 1 to 100\.$/],
  ["too short a number", LIST, type("Numbers", "+12"), "Numbers", /such as \+442/],
];

test.each(CASES)("marks %s and says what is allowed", async (...[, form, fill, field, message]) => {
  await using visitor = await visit(browser, service, { as: owner });
  const { page, faults } = visitor;
  await page.goto(`/o/${organisation}/live/${form.path.replace(":number", number)}`);
  if (form.opens) await page.getByRole("button", { name: form.opens }).first().click();
  const inside = form.opens ? page.getByRole("dialog").first() : page.getByRole("main");
  await fill(inside);
  await inside.getByRole("button", { name: form.submits, exact: true }).click();
  await marked(page, inside, field, message);
  expect(faults).toEqual([]);
});

async function marked(page: Page, form: Locator, field: string, message: RegExp): Promise<void> {
  const input = fieldOf(form, field);
  await expect.poll(() => input.getAttribute("aria-invalid")).toBe("true");
  const id = await input.getAttribute("aria-describedby");
  expect(await page.locator(`[id="${id}"]`).textContent()).toMatch(message);
}
