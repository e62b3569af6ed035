import { randomUUID } from "node:crypto";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { seedNumbers } from "../../server/src/seed.ts";
import { callRecord, momentOf } from "../../server/testing/call-record.ts";
import { LiveSwitch } from "../../server/testing/live-switch.ts";
import { bearer, type Person, type Service, startService, until } from "../../server/testing/service.ts";
import { sendReport } from "../../server/testing/switch-reports.ts";
import { receiveWebhooks, type WebhookReceiver } from "../../server/testing/webhook-receiver.ts";
import { openBrowser, SEED_PASSWORD, visit } from "./visit.ts";

let service: Service;
let browser: Browser;
let receiver: WebhookReceiver;
let organisation: string;
let owner: Person;
let numbers: { id: string; e164: string }[];
let wire: LiveSwitch;

beforeAll(async () => {
  const settings = { EGRESS_ALLOW: "127.0.0.0/8:1024-65535+http" };
  service = await startService({ worker: true, settings });
  receiver = await receiveWebhooks();
  browser = await openBrowser();
  organisation = await service.organisation("Northwind");
  owner = await service.person({ [organisation]: "owner" });
  numbers = await seedNumbers(service.app, organisation, "live", 3);
  wire = await LiveSwitch.add(service);
});
afterAll(async () => {
  await browser?.close();
  await receiver?.[Symbol.asyncDispose]();
  await service?.[Symbol.asyncDispose]();
});

test("creates, rotates and revokes a key and shows each secret once", async () => {
  await using visitor = await visit(browser, service, { as: owner });
  const { page, faults } = visitor;
  await page.goto(`/o/${organisation}/live/api-keys`);
  await page.getByText("No API keys yet").waitFor();
  await page.getByRole("button", { name: "Create API key" }).focus();
  await page.keyboard.press("Enter");
  await page.getByLabel("Name").fill("Billing");
  await page.getByLabel("Change numbers", { exact: true }).check();
  await page.keyboard.press("Enter");
  const secret = (await page.getByRole("dialog").locator("code").textContent())!;
  expect(secret).toMatch(/^svc_live_/);
  expect((await service.send("GET", "/v1/me", { headers: bearer(secret) })).status).toBe(200);
  await page.getByRole("button", { name: "Done" }).click();
  await page.reload();
  await page.getByText("numbers, numbers_write").waitFor();
  expect(await page.content()).not.toContain(secret);

  await page.getByRole("button", { name: "Rotate Billing" }).click();
  await page.getByLabel("Keep old key for").selectOption("1 hour");
  await page.getByRole("button", { name: "Rotate", exact: true }).click();
  const second = (await page.getByRole("dialog").locator("code").textContent())!;
  for (const key of [secret, second])
    expect((await service.send("GET", "/v1/me", { headers: bearer(key) })).status).toBe(200);
  await page.getByRole("button", { name: "Done" }).click();

  await page.getByRole("button", { name: "Revoke Billing" }).first().click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
  await page.getByText("Revoked", { exact: true }).waitFor();
  expect(faults).toEqual([]);
});

test("prompts for the password before creating a key, then continues", async () => {
  const late = await service.person({ [organisation]: "owner" });
  await service.database.admin(
    "update sessions set reauthenticated_at = reauthenticated_at - interval '1 hour' where user_id = $1",
    [late.userId],
  );
  await using visitor = await visit(browser, service, { as: late });
  const { page, faults } = visitor;
  await page.goto(`/o/${organisation}/live/api-keys`);
  await page.getByRole("button", { name: "Create API key" }).click();
  await page.getByLabel("Name").fill("Late");
  await page.getByRole("button", { name: "Create", exact: true }).click();
  await page.getByLabel("Password").fill(SEED_PASSWORD);
  await page.keyboard.press("Enter");
  await page.getByText("Copy it now").waitFor();
  expect(faults).toEqual([]);
});

test("invites, withdraws, changes a role and removes a member", async () => {
  const colleague = await service.person({ [organisation]: "member" });
  await using visitor = await visit(browser, service, { as: owner });
  const { page, faults } = visitor;
  await page.goto(`/o/${organisation}/live/members`);
  await page.getByRole("button", { name: "Invite member" }).click();
  await page.getByLabel("Email address").fill("new@example.com");
  await page.getByLabel("Role", { exact: true }).selectOption("developer");
  await page.getByText("Routing, API keys, events and webhooks.").waitFor();
  await page.getByRole("button", { name: "Send invitation", exact: true }).click();
  await page.getByText("as developer").waitFor();
  await page.getByRole("button", { name: "Withdraw invitation of new@example.com" }).click();
  await page.getByText("as developer").waitFor({ state: "detached" });

  await page.getByLabel(`Role of ${colleague.name}`).selectOption("admin");
  await page.getByText(`${colleague.name} is now admin`).waitFor();
  await page.getByRole("button", { name: `Remove ${colleague.name}` }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await page.getByText(colleague.email).waitFor({ state: "detached" });
  expect(faults).toEqual([]);
});

test("adds, changes and deletes a connection with its targets", async () => {
  await using visitor = await visit(browser, service, { as: owner });
  const { page, faults } = visitor;
  await page.goto(`/o/${organisation}/live/connections`);
  await page.getByText("No connections yet").waitFor();
  await page.getByRole("button", { name: "Add connection" }).first().click();
  await page.getByLabel("Name").fill("Main exchange");
  await page.getByLabel("Host 1").fill("127.0.0.1");
  await page.getByLabel("Port", { exact: true }).fill("5060");
  await page.getByRole("button", { name: "Add target" }).click();
  await page.getByLabel("Host 2").fill("127.0.0.2");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("heading", { name: "Main exchange", exact: true }).waitFor();
  const targets = page.getByRole("list", { name: /Targets of/ }).getByRole("listitem");
  await expect.poll(() => targets.count()).toBe(2);

  await page.getByRole("button", { name: "Change Main exchange" }).click();
  await page.getByLabel("Maximum concurrent calls").fill("30");
  await page.getByLabel("Other networks").fill("127.0.0.32/28, 127.0.0.64/28");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("30 concurrent calls").waitFor();
  await page.getByText("127.0.0.32/28, 127.0.0.64/28").waitFor();
  await page.getByRole("button", { name: "Delete Main exchange" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByText("No connections yet").waitFor();
  expect(faults).toEqual([]);
});

test("shows the health of each target and warns if all are unreachable", async () => {
  const branch = await service.organisation("Southwind");
  const head = await service.person({ [branch]: "owner" });
  const [{ id: numberId } = { id: "" }] = await seedNumbers(service.app, branch, "live", 1);
  // It speaks only now and then.
  await service.database.admin("update switches set unreachable_after_seconds = 86400 where id = $1", [
    wire.own.id,
  ]);
  const ask = (method: string, path: string, body: object) =>
    service.send(method, path, {
      headers: { ...bearer(head.token), "idempotency-key": randomUUID() },
      body,
    });
  const hosts = ["127.0.0.1", "127.0.0.2"];
  const targets = hosts.map((host) => ({ host }));
  const { id } = (await ask("POST", "/v1/connections", { name: "Branch", targets })).body as { id: string };
  const routing = { mode: "connection", connection_id: id };
  expect((await ask("PUT", `/v1/numbers/${numberId}/routing`, routing)).status).toBe(200);
  await until(() => service.app.feed.epoch());
  const tell = async (...states: ("up" | "down")[]): Promise<void> => {
    const readings = states.map((state, at) => {
      const addresses = [{ address: `${hosts[at]}:5060`, state }];
      return { host: hosts[at]!, port: 5060, transport: "udp" as const, state, addresses };
    });
    const health = { connections: [{ id, targets: readings }] };
    const { credential } = wire.own;
    expect((await sendReport(service, credential, { is_complete: false, health })).status).toBe(204);
  };
  await tell("up", "down");

  await using visitor = await visit(browser, service, { as: head });
  const { page, faults } = visitor;
  await page.goto(`/o/${branch}/live/connections`);
  const healthOf = (host: string): Promise<string | null> =>
    page.getByRole("group", { name: `Health of ${host}:5060` }).textContent();
  await expect.poll(() => healthOf("127.0.0.1")).toMatch(/^Up.*checked/);
  await expect.poll(() => healthOf("127.0.0.2")).toMatch(/^Down.*changed/);
  expect(await page.getByText("All targets are unreachable").count()).toBe(0);
  // Updates without a reload.
  await tell("down", "down");
  await page.getByText(/All targets are unreachable from .* Calls that arrive there are rejected/).waitFor();
  await expect.poll(() => healthOf("127.0.0.1")).toMatch(/^Down/);
  expect(faults).toEqual([]);
});

test("delivers events to an endpoint, lists deliveries and replays them", async () => {
  await using visitor = await visit(browser, service, { as: owner });
  const { page, faults } = visitor;
  await page.goto(`/o/${organisation}/live/webhooks`);
  await page.getByRole("button", { name: "Add endpoint" }).first().click();
  await page.getByLabel("URL").fill(receiver.url);
  await page.getByRole("button", { name: "Show event types of Number" }).click();
  await page.getByRole("checkbox", { name: "number.changed" }).check();
  await page.getByRole("button", { name: "Add", exact: true }).click();
  receiver.secret = (await page.getByRole("dialog").locator("code").textContent())!;
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByRole("link", { name: receiver.url }).click();
  await page.getByText("No deliveries yet").waitFor();

  await labelled("Reception");
  await page.getByText("Delivered", { exact: true }).last().waitFor();
  await page.getByRole("button", { name: "Replay number.changed" }).click();
  await page.getByText("1 delivery replayed").waitFor();
  await expect.poll(() => receiver.received.length).toBe(2);

  await page.getByRole("button", { name: "Stop" }).click();
  await page.getByText("Stopped").waitFor();
  await page.getByRole("button", { name: "Remove" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await page.getByText("No webhooks yet").waitFor();
  expect(faults).toEqual([]);
});

test("lists events newest first, and audit entries with their actor", async () => {
  await using visitor = await visit(browser, service, { as: owner });
  const { page, faults } = visitor;
  await labelled("Sales");
  await page.goto(`/o/${organisation}/live/events`);
  const newest = page.getByRole("listitem").first();
  await newest.getByText("number.changed").click();
  await newest.getByText('"Sales"').waitFor();

  await page.goto(`/o/${organisation}/live/audit`);
  const entry = page.getByRole("listitem").filter({ hasText: `You changed number ${numbers[0]!.e164}` });
  await entry.getByRole("insertion").getByText("Sales").first().waitFor();
  await entry.getByRole("link").first().click();
  const details = page.getByRole("complementary", { name: "Details" });
  await details.getByText(owner.name).waitFor();
  await details.getByText("number.changed").waitFor();
  await page.reload();
  await details.getByRole("button", { name: "Copy request ID" }).waitFor();
  await details.getByRole("button", { name: "Close details" }).click();
  await details.waitFor({ state: "detached" });

  await page.getByRole("searchbox").fill("no such entry");
  await page.getByText("No matching entries").waitFor();
  await page.getByRole("button", { name: "Clear filters" }).click();
  await entry.first().waitFor();
  expect(faults).toEqual([]);
});

test("shows the usage trend, the busiest numbers and the busy hours", async () => {
  const at = Date.now() - 3_600_000;
  const records = [0, 1, 2].map((nth) =>
    callRecord({
      number_id: numbers[nth === 2 ? 1 : 0]!.id,
      started_at: momentOf(at + nth),
      answered_at: momentOf(at + 1_000),
      ended_at: momentOf(at + 61_000),
    }),
  );
  const sent = await service.send("POST", "/switch/v1/call-records", {
    headers: bearer(wire.own.credential),
    body: { records },
  });
  expect(sent.status).toBe(200);
  await using visitor = await visit(browser, service, { as: owner });
  const { page, faults } = visitor;
  await page.goto(`/o/${organisation}/live/usage`);
  await page.getByText("2 calls, 100 % answered").waitFor();
  await page.getByRole("region", { name: "Calls over time" }).locator("svg[data-chart=usage]").waitFor();
  const cells = page.getByRole("table", { name: /by weekday and hour/ }).getByRole("cell", { name: "3" });
  await expect.poll(() => cells.count()).toBe(1);
  expect(faults).toEqual([]);
});

test("counts usage by the days of the user's time zone", async () => {
  await using visitor = await visit(browser, service, { as: owner, timezoneId: "Australia/Darwin" });
  const { page, faults } = visitor;
  const asked: URL[] = [];
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (url.pathname === "/v1/usage" && url.searchParams.has("time_zone")) asked.push(url);
  });
  await page.goto(`/o/${organisation}/live/usage`);
  const usage = page.getByRole("region", { name: "Calls over time" });
  await usage.getByText("7 d", { exact: true }).click();
  await expect.poll(() => asked.at(-1)?.searchParams.get("time_zone")).toBe("Australia/Darwin");
  expect(asked.at(-1)!.searchParams.get("from")).toMatch(/T14:30:00\.000Z$/);
  await usage.getByText("Time zone: Australia/Darwin.").waitFor();
  await usage.getByText("Table", { exact: true }).click();
  const days = usage.getByRole("table", { name: "Calls, 7 d" }).locator("tbody tr");
  await expect.poll(() => days.count()).toBe(7);
  await usage.getByText("12 months", { exact: true }).click();
  await expect.poll(() => usage.getByRole("table").locator("tbody tr").count()).toBe(12);
  expect(asked.at(-1)!.searchParams.get("granularity")).toBe("month");
  expect(faults).toEqual([]);
});

test("follows active calls until they are paused, under their former address too", async () => {
  await using visitor = await visit(browser, service, { as: owner });
  const { page, faults } = visitor;
  await page.goto(`/o/${organisation}/live/live`);
  await page.getByText(/as of/).waitFor();
  expect(new URL(page.url()).pathname).toBe(`/o/${organisation}/live/calls/active`);
  await wire.tell({ [numbers[2]!.id]: 4 });
  const board = page.getByRole("region", { name: "Active calls by number" });
  await board.getByText("4 active calls on 3 numbers").waitFor();
  expect(await board.getByRole("listitem").first().textContent()).toContain(numbers[2]!.e164);
  await board.getByRole("img", { name: /now 4, maximum 4$/ }).waitFor();

  await page.getByRole("button", { name: "Pause" }).click();
  await page.getByText("Paused").waitFor();
  await wire.tell({ [numbers[2]!.id]: 0 });
  await page.getByRole("button", { name: "Resume" }).click();
  await board.getByText("0 active calls on 3 numbers").waitFor();
  await board.getByRole("img", { name: /now 0, maximum 4$/ }).waitFor();
  expect(faults).toEqual([]);
});

test("shows only allowed pages to members", async () => {
  const member = await service.person({ [organisation]: "member" });
  await using visitor = await visit(browser, service, { as: member });
  await visitor.page.goto(`/o/${organisation}/live/usage`);
  const links = visitor.page.getByRole("navigation", { name: "Pages" }).getByRole("link");
  await links.first().waitFor();
  const names = (await links.allTextContents()).map((text) => /^[A-Z][a-z]+/.exec(text)?.[0]);
  expect(names).toEqual(["Overview", "Numbers", "Calls", "Usage", "Jobs"]);
  expect(visitor.faults).toEqual([]);
});

async function labelled(label: string): Promise<void> {
  const { status } = await service.send("PATCH", `/v1/numbers/${numbers[0]!.id}`, {
    headers: bearer(owner.token),
    body: { label },
  });
  expect(status).toBe(200);
}
