import { readFile } from "node:fs/promises";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { seedNumbers } from "../../server/src/seed.ts";
import { bearer, type Person, type Service, startService } from "../../server/testing/service.ts";
import { CsvFault, readCsv } from "../src/imports/csv-lines.ts";
import { openBrowser, visit } from "./visit.ts";

let service: Service;
let browser: Browser;
let organisation: string;
let owner: Person;

beforeAll(async () => {
  service = await startService({ worker: true, settings: { EGRESS_ALLOW: "192.0.2.0/24" } });
  browser = await openBrowser();
  organisation = await service.organisation("Northwind");
  owner = await service.person({ [organisation]: "owner" });
  const made = await ask("POST", "/v1/connections", {
    name: "Head office",
    targets: [{ host: "192.0.2.7" }],
  });
  expect(made).toMatchObject({ name: "Head office" });
  const numbers = Array.from({ length: 11 }, (_, at) => `+49301100000${String(at).padStart(2, "0")}`);
  await seedNumbers(service.app, organisation, "live", numbers);
});
afterAll(async () => {
  await browser?.close();
  await service?.[Symbol.asyncDispose]();
});

const TABLE = [
  "number,label,tags,routing,release_lock,country",
  '+49 301 100 000 00,"Desk, front",berlin;vip,head office,true,DE',
  "+4930110000006,Fax,vip,sip:fax@192.0.2.7,,DE",
  "+4930110000007,,,unrouted,false,DE",
  "+4930110000099,Nobody,,,,DE",
  "+4930110000008,,,,perhaps,DE",
  "+4930110000009,Refused,,sip:desk@10.0.0.1,,DE",
].join("\n");

test("previews each line, skips concurrent changes and reports failures", async () => {
  await using visitor = await visit(browser, service, { as: owner });
  const { page, faults } = visitor;
  await page.goto(`/o/${organisation}/live/numbers`);
  await page.getByRole("link", { name: "Import" }).click();
  await page.getByLabel("Or paste a table").fill(TABLE);
  await page.getByRole("button", { name: "Preview changes" }).click();
  await page.getByText("2 of 6 lines change a number, 3 invalid").waitFor();
  expect(await lineOf(page, "+4930110000000")).toMatch(
    /label “” → “Desk, front”; add tags berlin, vip; .* → Connection Head office; lockPlanned$/,
  );
  expect(await lineOf(page, "+4930110000099")).toContain("No such number in this organisation");
  expect(await lineOf(page, "+4930110000008")).toContain("The lock must be true or false, not “perhaps”");
  expect(await lineOf(page, "+4930110000009")).toMatch(/Invalid10\.0\.0\.1/);
  expect(await numberOf("+4930110000000")).toMatchObject({ label: null, tags: [], release_lock: false });

  const fax = await numberOf("+4930110000006");
  await ask("PUT", `/v1/numbers/${fax.id}/routing`, { mode: "sip_uri", sip_uri: "sip:other@192.0.2.7" });
  await page.getByRole("button", { name: "Change 2 numbers" }).click();
  await page.getByText("Import finished").waitFor();
  expect(await lineOf(page, "+4930110000000")).toMatch(/Changed$/);
  expect(await lineOf(page, "+4930110000006")).toContain("Skipped: changed since the plan");
  expect(await numberOf("+4930110000000")).toMatchObject({
    label: "Desk, front",
    tags: ["berlin", "vip"],
    release_lock: true,
    routing: { mode: "connection" },
  });
  expect(await numberOf("+4930110000006")).toMatchObject({ label: "Fax", tags: ["vip"] });
  expect(await ask("GET", `/v1/numbers/${fax.id}/routing`)).toMatchObject({
    desired: { sip_uri: "sip:other@192.0.2.7" },
  });

  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Save failures as CSV" }).click(),
  ]);
  const { names, lines } = readCsv(await readFile(await download.path(), "utf8"));
  expect(names).toEqual(["number", "label", "tags", "routing", "release_lock", "country", "problem"]);
  expect(lines.map(({ cells }) => cells["number"])).toEqual([
    "+4930110000006",
    "+4930110000099",
    "+4930110000008",
    "+4930110000009",
  ]);
  expect(lines[0]!.cells["problem"]).toContain("routing:");
  expect(faults).toEqual([]);
});

test("reads a file by keyboard, explains a malformed one and keeps the input", async () => {
  await using visitor = await visit(browser, service, { as: owner });
  const { page } = visitor;
  await page.goto(`/o/${organisation}/live/import`);
  await page.getByLabel("CSV file").setInputFiles({
    name: "numbers.csv",
    mimeType: "text/csv",
    buffer: Buffer.from("number;label\r\n+4930110000009;Shop\r\n"),
  });
  const table = page.getByLabel("Or paste a table");
  await expect.poll(() => table.inputValue()).toContain("Shop");
  await table.focus();
  await page.keyboard.press("Control+End");
  await page.keyboard.type("+4930110000010");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.getByText("Line 3 has 1 cells, but the first line has 2 columns.").waitFor();
  expect(await table.inputValue()).toContain("+4930110000010");
  await table.focus();
  await page.keyboard.press("Control+End");
  await page.keyboard.type(";Bar");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.getByText("2 of 2 lines change a number").waitFor();
  await page.getByRole("button", { name: "Change 2 numbers" }).focus();
  await page.keyboard.press("Enter");
  await page.getByText("Import finished").waitFor();
  expect(await numberOf("+4930110000010")).toMatchObject({ label: "Bar" });
});

test.each([
  ["", "The table is empty"],
  ["number,number\n1,2", "twice"],
  ['number,label\n+1,"open', "unclosed quote"],
  ['number,label\n+1,"a"b', "misplaced quote"],
])("rejects %j with a reason", (text, why) => {
  expect(() => readCsv(text)).toThrow(CsvFault);
  expect(() => readCsv(text)).toThrow(why);
});

test("reads quotes, line breaks in cells and escaped formulas", () => {
  const { lines } = readCsv('\uFEFFNumber,Label\r\n\'+12,"a ""b""\r\nc"\r\n\r\n3,\'=1\r\n');
  expect(lines).toEqual([
    { line: 2, cells: { number: "+12", label: 'a "b"\r\nc' } },
    { line: 5, cells: { number: "3", label: "=1" } },
  ]);
});

async function lineOf(page: Page, number: string): Promise<string> {
  const line = page.getByRole("region", { name: "Results by line" }).getByRole("listitem");
  return (await line.filter({ hasText: number }).textContent()) ?? "";
}

async function numberOf(e164: string): Promise<{ id: string }> {
  const { data } = (await ask("GET", `/v1/numbers?q=${e164.slice(1)}`)) as { data: { id: string }[] };
  return data[0]!;
}

async function ask(method: string, path: string, body?: object): Promise<unknown> {
  const headers = {
    ...bearer(owner.token),
    "x-service-org": organisation,
    "x-service-environment": "live",
    ...(method === "PUT" && { "idempotency-key": `import ${path}` }),
  };
  const sent = await service.send(method, path, { headers, ...(body && { body }) });
  expect(sent.status, sent.text).toBeLessThan(300);
  return sent.body;
}
