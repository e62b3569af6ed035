import { randomUUID } from "node:crypto";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { seedNumbers } from "../../server/src/seed.ts";
import { systemAuthor } from "../../server/src/events/audit/audit.ts";
import { createSwitch } from "../../server/src/switching/switches/switches.ts";
import { callRecord, momentOf } from "../../server/testing/call-record.ts";
import { bearer, type Person, type Service, startService, until } from "../../server/testing/service.ts";
import { exceptionOf, sendReport, shardReport } from "../../server/testing/switch-reports.ts";
import { openBrowser, visit } from "./visit.ts";

const OLD = "sip:old@pbx.northwind.example";
const NEW = "sip:reserve@sbc.northwind.example";
const HOSTS = ["sbc1.example.com", "sbc2.example.com"];

let service: Service;
let browser: Browser;
let organisation: string;
let owner: Person;
let numbers: { id: string; e164: string }[];
let credentials: Record<"fra-1" | "fra-2", string>;

beforeAll(async () => {
  service = await startService();
  browser = await openBrowser();
  organisation = await service.organisation("Northwind");
  owner = await service.person({ [organisation]: "owner" });
  await until(() => service.app.feed.epoch());
  credentials = { "fra-1": await addSwitch("fra-1"), "fra-2": await addSwitch("fra-2") };
  numbers = await seedNumbers(
    service.app,
    organisation,
    "live",
    [0, 1, 2, 3, 4].map((at) => `+49301000000${at}`),
  );
  const [changing, rejected, lost] = numbers as [Number, Number, Number];
  const connection = await addConnection("Hamburg office");
  await route(changing, { mode: "sip_uri", sip_uri: OLD });
  await route(rejected, { mode: "sip_uri", sip_uri: OLD });
  await route(lost, { mode: "connection", connection_id: connection });
  for (const credential of Object.values(credentials)) await report(credential);
  await route(changing, { mode: "connection", connection_id: await addConnection("Contact centre") });
  await route(rejected, { mode: "sip_uri", sip_uri: NEW });
  await report(credentials["fra-1"], { health: { connections: [lostTargets(connection)] } });
  await report(credentials["fra-2"], {}, [changing.id], [rejected.id]);
  await reportCalls(lost.id, 3);
});
afterAll(async () => {
  await browser?.close();
  await service?.[Symbol.asyncDispose]();
});

type Number = (typeof numbers)[number];

async function addSwitch(name: string): Promise<string> {
  return (await createSwitch(service.app, systemAuthor("test"), { name })).credential;
}

async function send(method: string, path: string, body: object) {
  const headers = { ...bearer(owner.token), ...(method === "PUT" && { "idempotency-key": randomUUID() }) };
  const sent = await service.send(method, path, { headers, body });
  expect(sent.status, sent.text).toBeLessThan(300);
  return sent.body;
}

async function addConnection(name: string): Promise<string> {
  return (await send("POST", "/v1/connections", { name, targets: HOSTS.map((host) => ({ host })) })).id;
}

async function route({ id }: Number, routing: object): Promise<void> {
  await send("PUT", `/v1/numbers/${id}/routing`, routing);
}

/** Everything is read back, except for numbers that still have their old route, and those that the switch rejects. */
async function report(
  credential: string,
  rest: Parameters<typeof sendReport>[2] = {},
  pending: readonly string[] = [],
  failed: readonly string[] = [],
): Promise<void> {
  const heads = await service.database.admin<{ id: number; head: string }>(
    "select s.id, s.head from feed_shards s join switch_groups g on g.id = s.group_id where g.environment = 'live' and g.is_default",
  );
  const routes = await service.database.admin<{ id: string; shard: number; version: string; e164: string }>(
    "select holding_id as id, shard, version, e164 from routings where holding_id = any ($1)",
    [[...pending, ...failed]],
  );
  const exceptions = routes.map(({ id, shard, version, e164 }) => ({
    shard,
    exception: exceptionOf(id, Number(version), {
      state: failed.includes(id) ? "failed" : "pending",
      applied: { generation: 2, value: { e164, mode: "sip_uri", sip_uri: OLD } },
    }),
  }));
  const shards = heads.map(({ id, head }) =>
    shardReport(
      id,
      Number(head),
      exceptions.filter(({ shard }) => shard === id).map(({ exception }) => exception),
    ),
  );
  const { status, text } = await sendReport(service, credential, { shards, ...rest });
  expect(status, text).toBe(204);
}

function lostTargets(id: string) {
  const targets = HOSTS.map((host) => ({
    host,
    port: 5060,
    transport: "udp" as const,
    state: "down" as const,
    addresses: [{ address: "203.0.113.9:5060", state: "down" as const }],
  }));
  return { id, targets };
}

async function reportCalls(id: string, count: number): Promise<void> {
  const at = Date.now() - 60_000;
  const records = Array.from({ length: count }, (_, nth) =>
    callRecord({
      number_id: id,
      started_at: momentOf(at + nth),
      answered_at: null,
      ended_at: momentOf(at + 9),
      ending: "refused",
      code: 486,
    }),
  );
  const { status } = await service.send("POST", "/switch/v1/call-records", {
    headers: bearer(credentials["fra-1"]),
    body: { records },
  });
  expect(status).toBe(200);
}

const rowOf = (page: Page, { e164 }: Number) =>
  page.getByRole("row").filter({ has: page.getByRole("link", { name: e164 }) });
const cellsOf = (page: Page, number: Number): Promise<string[]> =>
  rowOf(page, number).getByRole("cell").allTextContents();

test("shows the old and the new destination, and how far the change is", async () => {
  await using visitor = await visit(browser, service, { as: owner });
  const { page, faults } = visitor;
  await page.goto(`/o/${organisation}/live/numbers?sort=e164`);
  const [changing, rejected, lost, plain] = numbers as [Number, Number, Number, Number];
  await rowOf(page, changing).waitFor();
  expect(await rowOf(page, changing).locator("s").last().textContent()).toBe(OLD);
  const text = (await cellsOf(page, changing)).join(" ");
  expect(text).toContain(`${OLD}toContact centre`);
  expect(text).toContain("Applying 1 of 2");

  expect((await cellsOf(page, rejected)).join(" ")).toMatch(/Failed, fra-2/);
  expect(await rowOf(page, rejected).locator("s").last().textContent()).toBe(OLD);
  expect((await cellsOf(page, lost)).join(" ")).toContain("Unreachable");
  expect((await cellsOf(page, plain)).join(" ")).toContain("In sync");
  expect(await rowOf(page, plain).locator("s").count()).toBe(0);
  expect(await page.getByRole("columnheader", { name: "Calls, 24 h" }).count()).toBe(1);
  expect(await cellsOf(page, lost)).toContain("3");
  expect(await cellsOf(page, plain)).toContain("0");
  expect(faults).toEqual([]);
});

test("filters by health, in the address and by a view", async () => {
  await using visitor = await visit(browser, service, { as: owner });
  const { page, faults } = visitor;
  const [, , lost] = numbers as [Number, Number, Number];
  await page.goto(`/o/${organisation}/live/numbers?sort=e164`);
  await rowOf(page, lost).waitFor();
  await page.getByLabel("Health", { exact: true }).selectOption("down");
  await expect.poll(() => page.getByRole("table").getAttribute("aria-rowcount")).toBe("2");
  await rowOf(page, lost).waitFor();
  expect(new URL(page.url()).searchParams.get("health")).toBe("down");
  await page.getByLabel("Health", { exact: true }).selectOption("up");
  await page.getByText("No matching numbers").waitFor();
  await page.getByRole("button", { name: "Unreachable", exact: true }).click();
  await rowOf(page, lost).waitFor();
  expect(new URL(page.url()).search).toBe("?health=down");
  expect(faults).toEqual([]);
});

test("shows the change and the calls on a narrow screen", async () => {
  await using visitor = await visit(browser, service, { as: owner });
  const { page, faults } = visitor;
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/o/${organisation}/live/numbers?sort=e164`);
  const [changing, , lost] = numbers as [Number, Number, Number];
  await rowOf(page, changing).waitFor();
  await rowOf(page, changing).getByText("Applying 1 of 2").waitFor();
  await rowOf(page, lost).getByText("3 in 24 h").waitFor();
  const width = await page.evaluate("document.documentElement.scrollWidth");
  expect(width).toBeLessThanOrEqual(390);
  expect(faults).toEqual([]);
});
