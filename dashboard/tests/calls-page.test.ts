import { readFile } from "node:fs/promises";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { seedNumbers } from "../../server/src/seed.ts";
import { LiveSwitch } from "../../server/testing/live-switch.ts";
import { type Person, type Service, startService } from "../../server/testing/service.ts";
import { CALLER, reportCallStory, type CallStory } from "./call-story.ts";
import { keyboardOf } from "./keyboard.ts";
import { openBrowser, visit } from "./visit.ts";

let service: Service;
let browser: Browser;
let organisation: string;
let owner: Person;
let numbers: { id: string; e164: string }[];
let story: CallStory;

beforeAll(async () => {
  service = await startService({ worker: true });
  browser = await openBrowser();
  organisation = await service.organisation("Northwind");
  owner = await service.person({ [organisation]: "owner" });
  numbers = await seedNumbers(service.app, organisation, "live", 2);
  const { own } = await LiveSwitch.add(service);
  story = await reportCallStory(service, { organisation, owner, credential: own.credential, numbers });
});
afterAll(async () => {
  await browser?.close();
  await service?.[Symbol.asyncDispose]();
});

const rows = (page: Page) => page.getByRole("table", { name: "Calls, newest first" }).locator("tbody tr");
const open = (page: Page, path = "calls") => page.goto(`/o/${organisation}/live/${path}`);

test("lists calls by page, and saves them as CSV", async () => {
  await using visitor = await visit(browser, service, { as: owner });
  const { page, faults } = visitor;
  await open(page);
  await expect.poll(() => rows(page).count()).toBe(50);
  await page.getByRole("button", { name: "Show older calls" }).click();
  await expect.poll(() => rows(page).count()).toBe(story.count);
  await page.getByRole("button", { name: "Show older calls" }).waitFor({ state: "detached" });
  const first = await rows(page).first().textContent();
  expect(first).toContain("Head office");
  expect(first).toContain("step 2");
  expect(first).toContain("Front desk");
  const saving = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save as CSV" }).click();
  const text = await readFile(await (await saving).path(), "utf8");
  expect(text.trimEnd().split("\r\n")).toHaveLength(story.count + 1);
  expect(faults).toEqual([]);
});

test("keeps filters in the address, through a reload and the history", async () => {
  await using visitor = await visit(browser, service, { as: owner });
  const { page, faults } = visitor;
  await open(page);
  await page.getByLabel("Result", { exact: true }).selectOption("busy");
  await expect.poll(() => rows(page).count()).toBe(1);
  await page.getByLabel("Code", { exact: true }).selectOption("486");
  await page.getByLabel("Time", { exact: true }).selectOption("day");
  await page.getByLabel("Number", { exact: true }).fill(numbers[1]!.e164.slice(0, -1));
  await page.locator(`datalist option[value="${numbers[1]!.e164}"]`).waitFor({ state: "attached" });
  await page.getByLabel("Number", { exact: true }).fill(numbers[1]!.e164);
  const chosen = page.getByRole("button", { name: `Number: ${numbers[1]!.e164}` });
  await chosen.waitFor();
  expect(new URL(page.url()).search).toBe(`?result=busy&code=486&time=day&number=${numbers[1]!.id}`);

  await page.reload();
  await chosen.waitFor();
  await expect.poll(() => rows(page).count()).toBe(1);
  expect(await page.getByLabel("Result", { exact: true }).inputValue()).toBe("busy");
  await page.goBack();
  await chosen.waitFor({ state: "detached" });
  expect(new URL(page.url()).search).toBe("?result=busy&code=486&time=day");

  await page.getByRole("button", { name: "Clear filters" }).click();
  await expect.poll(() => rows(page).count()).toBe(50);
  await page.getByLabel("Destination", { exact: true }).selectOption({ label: "Destination: Head office" });
  await expect.poll(() => rows(page).count()).toBe(1);
  await page.getByRole("button", { name: "Clear filters" }).click();
  await page.getByLabel("Talk time", { exact: true }).selectOption("300");
  await expect.poll(() => rows(page).count()).toBe(1);
  expect(faults).toEqual([]);
});

test("marks misrouted calls in the list, and filters them", async () => {
  await using visitor = await visit(browser, service, { as: owner });
  const { page, faults } = visitor;
  await open(page);
  const marked = rows(page).filter({ hasText: "Answered, misrouted" });
  await expect.poll(() => marked.count()).toBe(1);
  expect(await marked.textContent()).toContain("sip:old@pbx.example.com");
  await page.getByLabel("Result", { exact: true }).selectOption("misrouted");
  await expect.poll(() => rows(page).count()).toBe(1);
  await page.reload();
  expect(await page.getByLabel("Result", { exact: true }).inputValue()).toBe("misrouted");
  await expect.poll(() => marked.count()).toBe(1);
  expect(new URL(page.url()).search).toBe("?misrouted=true");
  await marked.getByRole("link").click();
  await page.getByRole("region", { name: "Misrouted" }).waitFor();
  expect(faults).toEqual([]);
});

test("counts the calls of a window, and no calls under other filters", async () => {
  await using visitor = await visit(browser, service, { as: owner });
  const { page, faults } = visitor;
  await open(page, "calls?time=week");
  const totals = page.getByLabel("Totals");
  await expect.poll(() => totals.locator("dd").first().textContent()).toBe(String(story.count));
  await page.getByLabel("Result", { exact: true }).selectOption("failed");
  await totals.waitFor({ state: "detached" });
  await expect.poll(() => rows(page).count()).toBe(1);
  expect(faults).toEqual([]);
});

test("finds calls by caller and Call-ID, and says how it understood the search", async () => {
  await using visitor = await visit(browser, service, { as: owner });
  const { page, faults } = visitor;
  await open(page);
  const field = page.getByRole("searchbox", { name: "Caller, number or Call-ID" });
  await field.fill("0044 20 7946");
  await expect.poll(() => rows(page).count()).toBe(1);
  expect(await rows(page).first().textContent()).toContain(CALLER);
  await field.fill(story.failover.callId);
  await expect.poll(() => new URL(page.url()).searchParams.get("q")).toBe(story.failover.callId);
  await expect.poll(() => rows(page).allTextContents()).toEqual([expect.stringContaining("Head office")]);

  await field.fill("030 1234");
  await page.getByText("No calls match “030 1234”").waitFor();
  await page.getByText("callers and numbers that start with +0301234").waitFor();
  await page.getByText("Write numbers with their country code").waitFor();
  await field.fill("unknown@sip.example.com");
  await page.getByText("Searched for this Call-ID").waitFor();
  await field.fill("+4");
  await page.getByText("Enter at least 3 characters.").waitFor();
  await expect.poll(() => rows(page).count()).toBe(50);
  expect(faults).toEqual([]);
});

test("shows the steps of a call that failed over, its ladder and its IDs", async () => {
  await using visitor = await visit(browser, service, { as: owner });
  const { page, faults } = visitor;
  await open(page);
  await rows(page).first().getByRole("link").click();
  await page.getByText("Answered by Head office after 7.1 s, talked 2 min 31 s.").waitFor();
  expect(new URL(page.url()).pathname).toContain(`/calls/${story.failover.id}`);
  await page.getByText("Answered on step 2").waitFor();
  await page.getByRole("img", { name: "Setup 0.34 s, Ringing 6.8 s, Talking 2 min 31 s" }).waitFor();
  const steps = page.getByRole("region", { name: "Steps" }).getByRole("listitem");
  const texts = await steps.allTextContents();
  expect(texts[2]).toContain("sbc1.example.com was unreachable: 503 Service Unavailable");
  expect(texts[2]).toContain("192.0.2.70:5060 UDP, step 1, result after 208 ms");
  expect(texts[2]).toContain("4 ms");
  expect(texts[3]).toContain("sbc2.example.com answered: 200 OK");
  expect(texts[3]).toContain("rang after 125 ms");
  expect(texts[4]).toContain("Caller hung up");
  expect(texts[4]).toContain("Q.850 cause 16");

  const messages = page.getByRole("table", { name: "Messages of the call" }).locator("tbody tr");
  const sent = (await messages.allTextContents()).map((text) =>
    text.replaceAll(/switch [0-9a-f]{8}/g, "switch"),
  );
  expect(sent).toContain("212 mssbc1.example.comswitch503 Service Unavailable");
  expect(sent.at(-1)).toBe("158,104 msswitchsbc2.example.comBYE");
  await page.getByText(/^No SIP trace. Tracing is off for switch/).waitFor();

  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByRole("button", { name: "Copy SIP Call-ID" }).click();
  expect(await page.evaluate("navigator.clipboard.readText()")).toBe(story.failover.callId);
  await page.getByRole("link", { name: numbers[0]!.e164 }).click();
  await page.getByRole("heading", { name: numbers[0]!.e164 }).waitFor();
  expect(faults).toEqual([]);
});

test("names found and expected destination of a misrouted call", async () => {
  await using visitor = await visit(browser, service, { as: owner });
  const { page, faults } = visitor;
  await open(page, `calls/${story.misrouted.id}`);
  const warning = page.getByRole("region", { name: "Misrouted" });
  await warning.getByText("The call reached another target than revision").waitFor();
  expect(await warning.locator("dd").allTextContents()).toEqual([
    "sip:old@pbx.example.com",
    "sip:desk@pbx.example.com",
  ]);
  await open(page, `calls/${story.failed.id}`);
  await page.getByText("Failed: all targets of the connection are down.").waitFor();
  expect(await warning.count()).toBe(0);
  await open(page, `calls/${"0".repeat(32)}`);
  await page.getByRole("heading", { name: "Call not found" }).waitFor();
  expect(faults).toEqual([]);
});

test("opens a call from the page of its number", async () => {
  await using visitor = await visit(browser, service, { as: owner });
  const { page, faults } = visitor;
  await open(page, `numbers/${numbers[1]!.id}`);
  const list = page.getByRole("region", { name: "Calls", exact: true });
  await list.getByRole("link", { name: /^\d+:/ }).first().waitFor();
  await list.getByRole("link", { name: "Open in Calls" }).click();
  await page.getByRole("button", { name: `Number: ${numbers[1]!.e164}` }).waitFor();
  await page.goBack();
  await list.getByRole("link", { name: /^\d+:/ }).first().click();
  await page.getByRole("region", { name: "SIP ladder" }).first().waitFor();
  expect(faults).toEqual([]);
});

test("shows only calls in progress to members", async () => {
  const member = await service.person({ [organisation]: "member" });
  await using visitor = await visit(browser, service, { as: member });
  const { page, faults } = visitor;
  await open(page);
  await page.getByText("Members of Northwind see calls in progress only.").waitFor();
  await page.getByRole("region", { name: "Active calls by number" }).waitFor();
  expect(new URL(page.url()).pathname).toBe(`/o/${organisation}/live/calls/active`);
  const tabs = page.getByRole("navigation", { name: "Calls" }).getByRole("link");
  expect(await tabs.allTextContents()).toEqual([expect.stringMatching(/^In progress/)]);
  await open(page, `calls/${story.failed.id}`);
  await page.getByRole("heading", { name: "No access to calls" }).waitFor();
  expect(faults).toEqual([]);
});

test("finds and opens a call by keyboard", async () => {
  await using visitor = await visit(browser, service, { as: owner });
  const { page, faults } = visitor;
  const keys = keyboardOf(page);
  await open(page);
  await expect.poll(() => rows(page).count()).toBe(50);
  await keys.press("g", "o");
  await page.getByRole("heading", { name: "Calls today" }).waitFor();
  await keys.press("g", "l");
  await expect.poll(() => rows(page).count()).toBe(50);
  await keys.press("/");
  await keys.isAt("Caller, number or Call-ID");
  await keys.type(CALLER);
  await expect.poll(() => rows(page).count()).toBe(1);
  await keys.tabTo(new RegExp(`from \\${CALLER} to`));
  await keys.press("Enter");
  await page.getByRole("heading", { level: 1, name: CALLER }).waitFor();
  expect(faults).toEqual([]);
});
