import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { runInNewContext } from "node:vm";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { COMMANDS } from "../../cli/src/commands.ts";
import { findCommand, parseCommandLine } from "../../cli/src/command-line.ts";
import { createClient, type Settings } from "@dialplane/sdk";
import { createOperatorClient } from "@dialplane/sdk/operator";
import { type Person, type Service, startService } from "../../server/testing/service.ts";
import { apiWords, asCli, cliWords } from "../src/as-code/code-as-cli.ts";
import { asCurl, rowOf } from "../src/as-code/code-as-curl.ts";
import { asSdk, sdkCall } from "../src/as-code/code-as-sdk.ts";
import { OPERATOR_RECIPES, RECIPES, recipeOf, type ShownOperation } from "../src/as-code/code-recipes.ts";
import type { AnyCall, ShownCall } from "../src/as-code/shown-call.ts";
import { openBrowser, visit } from "./visit.ts";

const run = promisify(execFile);
const ID = "0198c5f2-7c1e-7a33-9d3f-3f6a1c0f9b11";
const NUMBER = "+12025550100";

let service: Service;
let browser: Browser;
let organisation: string;
let owner: Person;
let key: string;

beforeAll(async () => {
  service = await startService({ worker: true, settings: { EGRESS_ALLOW: "192.0.2.0/24" } });
  browser = await openBrowser();
  organisation = await service.organisation("Northwind");
  owner = await service.person({ [organisation]: "owner" });
  key = (await service.key(owner, organisation, ["full"], "test")).secret;
});
afterAll(async () => {
  await browser?.close();
  await service?.[Symbol.asyncDispose]();
});

test("shows curl commands that run unchanged and take effect once", async () => {
  await using visitor = await visit(browser, service, { as: owner });
  const { page, faults } = visitor;
  await page.goto(`/o/${organisation}/test/numbers?q=5550100`);
  await page.getByRole("link", { name: NUMBER }).waitFor();
  await page.getByRole("button", { name: "Show code" }).click();
  const { data } = await runCurl(page);
  expect(data).toMatchObject([{ e164: NUMBER }]);
  await page.getByRole("dialog", { name: "Code samples" }).getByText("Export numbers").click();
  await page.getByText("/v1/numbers/export?q=5550100").first().waitFor();
  await page.keyboard.press("Escape");

  await page.getByRole("link", { name: NUMBER }).click();
  await page.getByRole("button", { name: "Change routing" }).click();
  const dialog = page.getByRole("dialog", { name: "Change routing" });
  await dialog.getByText("SIP URI", { exact: true }).click();
  await dialog.getByRole("textbox", { name: "SIP URI" }).fill("sip:o'brien@192.0.2.7");
  await dialog.getByRole("button", { name: "Show code" }).click();
  const first = await runCurl(page);
  expect(first).toMatchObject({ desired: { mode: "sip_uri", sip_uri: "sip:o'brien@192.0.2.7" } });
  const second = await runCurl(page);
  expect(second["desired"]).toEqual(first["desired"]);

  await page.keyboard.press("Escape");
  await page.getByRole("dialog", { name: "Code samples" }).waitFor({ state: "detached" });
  expect(await dialog.getByRole("textbox", { name: "SIP URI" }).inputValue()).toBe("sip:o'brien@192.0.2.7");
  expect(faults).toEqual([]);
});

async function runCurl(page: Page): Promise<Record<string, unknown>> {
  const text = await page.getByRole("region", { name: "curl" }).locator("pre").textContent();
  const { stdout } = await run("bash", ["-c", `set -u; ${text} --silent --show-error`], {
    env: { PATH: "/usr/local/bin:/usr/bin:/bin", DIALPLANE_API_KEY: key },
  });
  return JSON.parse(stdout) as Record<string, unknown>;
}

/** Sample calls, as varied as the pages make them. Other operations get only their path parameters. */
const SAMPLES: ShownCall[] = [
  { operation: "listNumbers", query: { q: "030", tag: "it's", sort: "e164", sync: "failed", limit: 50 } },
  { operation: "exportNumbers", query: { country: "DE" } },
  { operation: "changeNumber", path: { id: ID }, body: { label: "Front desk" } },
  { operation: "changeNumber", path: { id: ID }, body: { label: null } },
  { operation: "changeNumber", path: { id: ID }, body: { release_lock: true } },
  { operation: "changeNumber", path: { id: ID }, body: { label: "a", tags: ["b"] } },
  { operation: "setRouting", path: { id: ID }, body: { mode: "sip_uri", sip_uri: "sip:a@b.example" } },
  {
    operation: "setRouting",
    path: { id: ID },
    body: { mode: "unrouted", reason: "moved" },
    ifGeneration: 3,
  },
  { operation: "setRouting", path: { id: ID }, body: { mode: "forward", forward_to: "+4930555" } },
  { operation: "setRouting", path: { id: ID }, body: { mode: "connection", connection_id: ID } },
  {
    operation: "setRouting",
    path: { id: ID },
    body: {
      mode: "webhook",
      webhook_url: "https://a.example",
      fallback: { mode: "sip_uri", sip_uri: "sip:a@b.example" },
    },
  },
  {
    operation: "setRouting",
    path: { id: ID },
    body: { mode: "webhook", webhook_url: "https://a.example", fallback: { mode: "unrouted" } },
  },
  {
    operation: "setRouting",
    path: { id: ID },
    body: {
      mode: "connection",
      connection_id: ID,
      ring_seconds: 20,
      fallback: {
        mode: "sip_uri",
        sip_uri: "sip:a@b.example",
        on: ["busy", "refused"],
        ring_seconds: 15,
        fallback: { mode: "forward", forward_to: "+4930555" },
      },
    },
  },
  { operation: "listProbes", path: { id: ID }, query: { limit: 1 } },
  { operation: "createProbe", path: { id: ID }, body: { via: "carrier" } },
  { operation: "rollBackRouting", path: { id: ID }, body: { generation: 2 }, ifGeneration: 3 },
  { operation: "getNumberUsage", path: { id: ID }, query: usageQuery() },
  { operation: "getOrganisationUsage", query: usageQuery() },
  {
    operation: "getOrganisationUsage",
    query: { ...usageQuery(), granularity: "month", time_zone: "Europe/Berlin" },
  },
  { operation: "getTopNumbers", query: { from: usageQuery().from, to: usageQuery().to, by: "answered" } },
  { operation: "readLive", query: { ids: [ID, ID] } },
  {
    operation: "searchCalls",
    query: {
      from: usageQuery().from,
      q: "+4420794",
      result: "no_answer",
      code: 408,
      number_id: ID,
      connection_id: ID,
      switch: "fra-1",
      min_seconds: 60,
      misrouted: true,
      limit: 50,
    },
  },
  { operation: "exportFoundCalls", query: { to: usageQuery().to, sip_call_id: "1-2@sip.example.com" } },
  {
    operation: "planBulkChange",
    body: { select: { ids: [ID] }, change: { tags: { add: ["a"], remove: ["b"] } }, reason: "tidy" },
  },
  { operation: "planBulkChange", body: { select: { filter: {} }, change: { release_lock: true } } },
  {
    operation: "planBulkChange",
    body: { select: { filter: { tag: "berlin" } }, change: { routing: { mode: "unrouted" } } },
  },
  { operation: "planBulkChange", body: { select: { ids: [ID] }, change: { release_lock: false } } },
  { operation: "listBulkChangeItems", path: { id: ID }, query: { outcome: "failed" } },
  { operation: "searchInventory", query: { country: "US", contains: "555" } },
  {
    operation: "placeOrder",
    body: { criteria: { country: "US", prefix: "1646" }, quantity: 3, label: "New York", tags: ["east"] },
  },
  {
    operation: "placeOrder",
    body: {
      numbers: ["+12125550150"],
      routing: { mode: "connection", connection_id: ID },
      all_or_nothing: true,
    },
  },
  { operation: "placeOrder", body: { reservation_id: ID } },
  { operation: "setForwarding", path: { id: ID }, body: { calls_at_once: 0, minutes_per_day: null } },
  {
    operation: "setForwarding",
    path: { id: ID },
    body: { caller: "fixed", caller_number: "+493010000001", identity: "drop" },
  },
];

function usageQuery() {
  return { from: "2026-11-01T00:00:00.000Z", to: "2026-11-02T00:00:00.000Z", granularity: "hour" as const };
}

/** Every operation that a program may call, each at least once. */
function everyCall(): AnyCall[] {
  const sampled = SAMPLES as AnyCall[];
  const all = [...Object.keys(RECIPES), ...Object.keys(OPERATOR_RECIPES)] as ShownOperation[];
  const rest = all
    .filter((operation) => recipeOf(operation).callers !== "browser")
    .filter((operation) => !sampled.some((sample) => sample.operation === operation));
  return [
    ...sampled,
    ...rest.map((operation) => {
      const [method, template] = rowOf(operation);
      const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, part]) => part!);
      const hasBody = method === "PATCH" || /^(create|invite|replay)/.test(operation);
      return {
        operation,
        path: Object.fromEntries(names.map((part) => [part, ID])),
        ...(hasBody && { body: { name: "x" } }),
      };
    }),
  ];
}

test.each(everyCall().map((call) => [sdkCall(call), call] as const))(
  "sends the request of the SDK call %s",
  async (text, call) => {
    const sent: { method: string; url: URL; body: unknown; ifMatch: string | null }[] = [];
    const settings: Settings = {
      baseUrl: "https://service.example",
      maxRetries: 0,
      fetch: async (url, init) => {
        const request = new Request(url, init);
        const body = await request.text();
        sent.push({
          method: request.method,
          url: new URL(request.url),
          body: body ? (JSON.parse(body) as unknown) : undefined,
          ifMatch: request.headers.get("if-match"),
        });
        return Response.json({ data: [], next_cursor: null });
      },
    };
    const clients = { dialplane: createClient(settings), operator: createOperatorClient(settings) };
    await (runInNewContext(text, clients) as Promise<unknown>);
    const [method, template] = rowOf(call.operation);
    const path = template.replace(/\{(\w+)\}/g, (_, name: string) => call.path![name]!);
    expect(sent).toMatchObject([{ method, url: { pathname: path }, body: call.body }]);
    expect(sent[0]!.ifMatch).toBe(call.ifGeneration === undefined ? null : `"${call.ifGeneration}"`);
  },
);

test("shows only commands and options that the CLI accepts", () => {
  const shown = everyCall().map((call) => cliWords(call) ?? apiWords(call));
  for (const words of shown) {
    const found = findCommand(words, COMMANDS);
    if (!("command" in found)) throw new Error(`no command: ${words.join(" ")}`);
    expect(words.join(" ").startsWith(found.command.name), words.join(" ")).toBe(true);
    expect(() => parseCommandLine(found.command, found.rest), words.join(" ")).not.toThrow();
  }
  expect(shown.filter(([first]) => first === "api").length).toBeLessThan(shown.length / 2);
});

test("shows the callers that the contract allows", () => {
  interface Access {
    sessions: { transports: string[] };
    keys: object | null;
  }
  const contract = JSON.parse(readFileSync(join(import.meta.dirname, "../../openapi.json"), "utf8")) as {
    paths: Record<string, Record<string, { operationId: string; "x-access": Access }>>;
  };
  const operations = Object.values(contract.paths).flatMap((methods) => Object.values(methods));
  for (const [name, { callers }] of Object.entries(RECIPES)) {
    const access = operations.find(({ operationId }) => operationId === name)!["x-access"];
    const isForTools = access.sessions.transports.includes("bearer");
    expect(callers, name).toBe(access.keys ? "key" : isForTools ? "session" : "browser");
  }
});

test("shows code for every request of an organisation's pages", () => {
  const pages = pagesIn((path) => !/^(as-code|session|account|shell|operator|views)\//.test(path));
  expect(operationsIn(pages)).toEqual(Object.keys(RECIPES).toSorted());
  const methods = new Set<string>(Object.values(RECIPES).map(({ sdk }) => sdk));
  const used = new Set([...pages.matchAll(/\bclient\.(\w+\.\w+)\(/g)].map(([, method]) => method!));
  // The stream is shown as one look at it, calls taken out as their list, waiting as reading.
  const sameAsOthers = ["live.follow", "calls.export", "bulkChanges.wait"];
  expect([...used].filter((method) => !methods.has(method) && !sameAsOthers.includes(method))).toEqual([]);
  expect(used.size).toBeGreaterThan(30);
});

test("shows code of operator pages for an operator's session, outside any organisation", () => {
  const pages = pagesIn((path) => path.startsWith("operator/"));
  expect(operationsIn(pages)).toEqual(Object.keys(OPERATOR_RECIPES).toSorted());
  expect(Object.values(OPERATOR_RECIPES).map(({ callers }) => callers)).toEqual(["session", "session"]);
  const call: ShownCall = { operation: "setForwarding", path: { id: ID }, body: { calls_at_once: 5 } };
  const place = { origin: "https://service.example" };
  expect(asCurl(call, place, "key")).not.toMatch(/X-Service|Idempotency-Key/);
  expect(asSdk(call, place)).toContain('createOperatorClient({\n  baseUrl: "https://service.example"');
  expect(asCli(call, place).text).toBe(
    `dialplane operator forwarding set ${ID} --calls-at-once 5 --calls-per-day none --minutes-per-day none --caller pass`,
  );
});

function pagesIn(hasPath: (path: string) => boolean): string {
  const folder = join(import.meta.dirname, "../src");
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => /\.tsx?$/.test(path) && hasPath(path))
    .map((path) => readFileSync(join(folder, path), "utf8"))
    .join("\n");
}

function operationsIn(pages: string): string[] {
  return [
    ...new Set([...pages.matchAll(/operation: "(\w+)"/g)].map(([, operation]) => operation!)),
  ].toSorted();
}
