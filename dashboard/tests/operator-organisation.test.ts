import {
  httpControlPlane,
  httpForwardingService,
  type SimulatedSwitch,
  simulatedSwitch,
  startAgent,
  startForwardingSync,
} from "@dialplane/switch-agent";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bearer, type Person, type Service, startService, until } from "../../server/testing/service.ts";
import { makeSwitch } from "../../server/testing/walls/switch-callers.ts";
import { keyboardOf } from "./keyboard.ts";
import { openBrowser, visit } from "./visit.ts";

let service: Service;
let browser: Browser;
let operator: Person;
/** With the loops of a real agent. Only the switch is simulated. */
let driver: SimulatedSwitch;
const stack = new AsyncDisposableStack();

beforeAll(async () => {
  service = stack.use(await startService());
  browser = stack.adopt(await openBrowser(), (one) => one.close());
  operator = await service.person();
  await service.database.admin("update users set is_operator = true where id = $1", [operator.userId]);
  driver = simulatedSwitch();
  const { credential } = await makeSwitch(service);
  const address = { url: service.url, credential };
  const agent = startAgent({
    control: httpControlPlane(address),
    driver,
    storePath: ":memory:",
    log: service.app.log,
  });
  stack.defer(() => agent.stop());
  const limits = startForwardingSync({
    driver: driver.forwarding,
    service: httpForwardingService(address),
    log: service.app.log,
    timing: { everyMs: 200 },
  });
  stack.defer(() => limits.stop());
  const hasReported = async (): Promise<boolean> => {
    const sql = "select from switches where 'forwarding' = any (features)";
    return (await service.database.admin(sql)).length > 0;
  };
  await until(hasReported);
});
afterAll(() => stack.disposeAsync());

const limitsOf = async (id: string): Promise<Record<string, unknown>> => {
  const path = `/operator/v1/organisations/${id}/forwarding`;
  return (await service.send("GET", path, { headers: bearer(operator.token) })).body;
};

test("sets limits by keyboard, and shows the use that the switch reports", async () => {
  const id = await service.organisation("Northwind");
  await using visitor = await visit(browser, service, { as: operator });
  const { page, faults } = visitor;
  const keys = keyboardOf(page);
  await page.goto("/operator/organisations");
  await page.getByRole("link", { name: "Northwind" }).waitFor();
  await keys.tabTo("Northwind");
  await keys.press("Enter");
  await page.getByText("No limits set").waitFor();
  await keys.tabTo("Set limits");
  await keys.press("Enter");
  await keys.isInDialog("Forwarding limits of Northwind");
  await keys.isAt("No limit: Concurrent calls");
  await keys.press("Space");
  await keys.isAt("No limit: Concurrent calls");
  await keys.tabTo("Concurrent calls");
  await keys.type("2");
  await keys.tabTo("No limit: Minutes per day");
  await keys.press("Space");
  await keys.tabTo("Minutes per day");
  await keys.type("10");
  const changes = page.getByRole("region", { name: "Changes" });
  await expect
    .poll(() => changes.innerText())
    .toMatch(/Concurrent calls\s+No limit\s+2\s+Minutes per day\s+No limit\s+10/);
  await keys.press("Enter");
  await page.getByText("Forwarding limits saved").waitFor();
  await keys.isAt("Change limits");
  const table = page.getByRole("region", { name: "Parts of the switches" });
  await table.getByText("Applied").waitFor();
  await table.getByText("0 of 2").waitFor();
  expect(await limitsOf(id)).toMatchObject({ calls_at_once: 2, calls_per_day: null, minutes_per_day: 10 });

  const { forwarding } = driver;
  for (const expected of [undefined, undefined, "organisation_full"])
    expect(forwarding.begin(id, Date.now())).toBe(expected);
  await page.getByText("Limit reached").waitFor();
  forwarding.end(id, Date.now(), 150);
  await page.getByText("50 % used").waitFor();
  await page.getByText("25 % used").waitFor();
  await table.getByText("2.5 of 10").waitFor();
  expect(faults).toEqual([]);
});

test("shows faults at their fields, and the changes before they are saved", async () => {
  const id = await service.organisation("Eastwind");
  await using visitor = await visit(browser, service, { as: operator });
  const { page, faults } = visitor;
  await page.goto(`/operator/organisations/${id}`);
  await page.getByRole("button", { name: "Set limits" }).click();
  const dialog = page.getByRole("dialog");
  const save = dialog.getByRole("button", { name: "Save" });
  expect(await save.isDisabled()).toBe(true);
  await dialog.getByLabel("No limit: Calls per day").uncheck();
  const calls = dialog.getByLabel("Calls per day", { exact: true });
  await calls.fill("1.5");
  await dialog.getByText("Fixed number").click();
  await dialog.getByLabel("Phone number").fill("030 901820");
  await save.click();
  await dialog.getByText("Enter a whole number from 0 to 10,000,000").waitFor();
  await dialog.getByText("Enter a number with country code").waitFor();
  expect(await calls.getAttribute("aria-invalid")).toBe("true");
  await dialog.getByLabel("No limit: Calls per day").check();
  expect([await calls.inputValue(), await calls.isDisabled()]).toEqual(["", true]);
  await dialog.getByLabel("No limit: Calls per day").uncheck();
  expect(await calls.inputValue()).toBe("1.5");
  await calls.fill("0");
  await dialog.getByText("The organisation cannot forward any call.").waitFor();
  await dialog.getByLabel("Phone number").fill("+49 (30) 901820");
  const keep = dialog.getByLabel("Keep the Identity header");
  expect([await keep.isDisabled(), await keep.isChecked()]).toEqual([true, false]);
  await dialog.getByText("Another caller ID invalidates the header").waitFor();
  await dialog.getByRole("button", { name: "Show code" }).click();
  await page.getByText(`dialplane operator forwarding set ${id} --calls-at-once none`).waitFor();
  await page.keyboard.press("Escape");
  await save.click();
  await page.getByText("No calls allowed").waitFor();
  await page.getByText("+4930901820").waitFor();
  await page.getByText("Dropped").waitFor();
  expect(await limitsOf(id)).toMatchObject({
    calls_per_day: 0,
    caller_number: "+4930901820",
    identity: "drop",
  });

  await page.getByRole("button", { name: "Change limits" }).click();
  await dialog.getByText("Original caller", { exact: true }).first().click();
  expect([await keep.isDisabled(), await keep.isChecked()]).toEqual([false, true]);
  await dialog.getByLabel("No limit: Calls per day").check();
  const changes = dialog.getByRole("region", { name: "Changes" });
  expect((await changes.innerText()).split(/\s*\n\s*/)).toEqual([
    "Calls per day",
    "0",
    "No limit",
    "Caller ID",
    "+4930901820",
    "Original caller",
    "Identity header",
    "Dropped",
    "Kept",
  ]);
  await save.click();
  // The dialog names the new value too.
  await changes.waitFor({ state: "hidden" });
  await page.getByText("Kept").waitFor();
  expect(await limitsOf(id)).toMatchObject({ calls_per_day: null, caller: "pass", identity: "keep" });
  expect(faults).toEqual([]);
});

test("includes the change of another operator, and shows why limits cannot be set", async () => {
  const id = await service.organisation("Westwind");
  const path = `/operator/v1/organisations/${id}/forwarding`;
  const headers = bearer(operator.token);
  await service.send("PUT", path, { headers, body: { calls_at_once: 5 } });
  await using visitor = await visit(browser, service, { as: operator });
  const { page, faults } = visitor;
  await page.goto(`/operator/organisations/${id}`);
  await page.getByRole("button", { name: "Change limits" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Concurrent calls", { exact: true }).fill("7");
  await service.send("PUT", path, { headers, body: { calls_at_once: 6, calls_per_day: 9 } });
  const changes = dialog.getByRole("region", { name: "Changes" });
  await expect.poll(() => changes.innerText()).toMatch(/6\s+7\s+Calls per day\s+9\s+No limit/);

  await makeSwitch(service);
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByRole("alert").getByText("These switches cannot limit forwarded calls").waitFor();
  expect(faults).toEqual([]);
});

test("suspends and resumes on the page of an organisation", async () => {
  const id = await service.organisation("Southwind");
  await using visitor = await visit(browser, service, { as: operator });
  const { page, faults } = visitor;
  await page.goto(`/operator/organisations/${id}`);
  await page.getByRole("heading", { name: "Southwind" }).waitFor();
  for (const [action, status] of [
    ["Suspend", "Suspended"],
    ["Resume", "Active"],
  ] as const) {
    await page.getByRole("button", { name: action, exact: true }).click();
    await page.getByRole("dialog").getByRole("button", { name: action, exact: true }).click();
    await page.getByText(status, { exact: true }).waitFor();
  }
  expect(faults).toEqual([]);
});
