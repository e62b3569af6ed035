import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { systemAuthor } from "../../server/src/events/audit/audit.ts";
import { newId } from "../../server/src/platform/ids.ts";
import { seedNumbers } from "../../server/src/seed.ts";
import { createSwitch } from "../../server/src/switching/switches/switches.ts";
import { callRecord, momentOf } from "../../server/testing/call-record.ts";
import { PlayedSwitch } from "../../server/testing/played-switch.ts";
import { bearer, type Person, type Service, startService, until } from "../../server/testing/service.ts";
import { openBrowser, visit } from "./visit.ts";

/** Another program writes to the switch repeatedly. The agent finds and repairs it each time. */
const DRIFTS = 300;
const EXPECTED = "sip:reception@8.8.8.8";
/** `PlayedSwitch.drift` puts it there. */
const FOUND = "sip:drifted@pbx.example.com";
const MOST_CLICKS = 6;

let service: Service;
let browser: Browser;
let organisation: string;
let owner: Person;
let number: { id: string; e164: string };

beforeAll(async () => {
  service = await startService({ worker: true });
  browser = await openBrowser();
  organisation = await service.organisation("Northwind");
  owner = await service.person({ [organisation]: "owner" });
  await until(() => service.app.feed.epoch());
  const { row, credential } = await createSwitch(service.app, systemAuthor("test"), { name: "fra-1" });
  const played = new PlayedSwitch(service, { id: row.id, name: "fra-1", groupId: row.group_id, credential });
  [number] = (await seedNumbers(service.app, organisation, "live", 1)) as [typeof number];
  await route("sip:old@8.8.8.8");
  await played.readBack();
  await route(EXPECTED);
  await played.readBack();
  for (let nth = 0; nth < DRIFTS; nth++) {
    played.drift(number.id);
    await played.report();
    played.repair();
    await played.report();
  }
  await reportCalls(credential);
}, 180_000);
afterAll(async () => {
  await browser?.close();
  await service?.[Symbol.asyncDispose]();
});

test(`leads from the overview to the proof in at most ${MOST_CLICKS} clicks, without JSON`, async () => {
  await using visitor = await visit(browser, service, { as: owner });
  const { page, faults } = visitor;
  let clicks = 0;

  await page.goto("/");
  await page.getByRole("heading", { name: /^1 problem/ }).waitFor();
  const problem = page.getByRole("region", { name: "Problems" }).getByRole("listitem");
  await problem.getByText(`${number.e164} keeps drifting on fra-1`).waitFor();
  await problem.getByText(FOUND).waitFor();
  await problem.getByRole("link", { name: "Open number" }).click();
  clicks++;

  const reading = page.getByRole("region", { name: "Applied" }).getByRole("listitem");
  await reading.getByText("fra-1").waitFor();
  await reading.getByText(FOUND).waitFor();
  await reading.getByText(EXPECTED).waitFor();
  await page.getByText("Flapping on fra-1").waitFor();
  const drift = page
    .getByRole("list", { name: "Timeline of the number" })
    .getByRole("listitem")
    .filter({ hasText: "drifted and was repaired" });
  await drift.getByText(`${DRIFTS} times`).waitFor();
  expect(await drift.count()).toBe(1);
  await drift.getByText(FOUND).waitFor();
  await page.getByText("set revision 3").waitFor();

  const calls = page.getByRole("region", { name: "Calls", exact: true });
  await calls.getByRole("row").filter({ hasText: FOUND }).getByRole("link").click();
  clicks++;
  await page.getByText("Misrouted").first().waitFor();
  await page.getByText(FOUND).first().waitFor();
  await page.getByText(EXPECTED).first().waitFor();
  expect(await page.locator("pre").count()).toBe(0);
  expect(clicks).toBeLessThanOrEqual(MOST_CLICKS);
  expect(faults).toEqual([]);
});

test(`shows ${DRIFTS} drifts as at most 3 audit entries`, async () => {
  await using visitor = await visit(browser, service, { as: owner });
  const { page, faults } = visitor;
  await page.goto(`/o/${organisation}/live/audit?who=all&q=drifted`);
  await page
    .getByText(/drift of/)
    .first()
    .waitFor();
  const entries = await page.getByRole("listitem").filter({ hasText: number.e164 }).count();
  expect(entries).toBeGreaterThan(0);
  expect(entries).toBeLessThanOrEqual(3);
  expect(faults).toEqual([]);
});

test("never shows a drifting number as plainly in sync", async () => {
  await using visitor = await visit(browser, service, { as: owner });
  const { page, faults } = visitor;
  await page.goto(`/o/${organisation}/live/numbers`);
  const row = page.getByRole("row").filter({ hasText: number.e164 });
  await row.getByText("Flapping").waitFor();
  expect(await row.getByText("In sync").count()).toBe(0);
  await page.goto(`/o/${organisation}/live/numbers/${number.id}`);
  await page.getByText("Flapping on fra-1").waitFor();
  expect(await page.getByText("In sync").count()).toBe(0);
  expect(faults).toEqual([]);
});

async function route(uri: string): Promise<void> {
  const { status, text } = await service.send("PUT", `/v1/numbers/${number.id}/routing`, {
    headers: { ...bearer(owner.token), "idempotency-key": newId() },
    body: { mode: "sip_uri", sip_uri: uri },
  });
  expect(status, text).toBe(200);
}

/** One call that went where it should, and a later one that did not. */
async function reportCalls(credential: string): Promise<void> {
  const records = [EXPECTED, FOUND].map((target, nth) => {
    const at = Date.now() - (2 - nth) * 60_000;
    return callRecord({
      number_id: number.id,
      generation: 3,
      called: number.e164,
      target,
      started_at: momentOf(at),
      answered_at: momentOf(at + 1_000),
      ended_at: momentOf(at + 31_000),
    });
  });
  const { status, text } = await service.send("POST", "/switch/v1/call-records", {
    headers: bearer(credential),
    body: { records },
  });
  expect(status, text).toBe(200);
}
