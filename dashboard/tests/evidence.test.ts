import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Person, type Service, startService } from "../../server/testing/service.ts";
import { violationsOf } from "./axe-violations.ts";
import { openBrowser, visit } from "./visit.ts";

let service: Service;
let browser: Browser;
let organisation: string;
let owner: Person;

beforeAll(async () => {
  service = await startService({ worker: true });
  browser = await openBrowser();
  organisation = await service.organisation("Northwind");
  owner = await service.person({ [organisation]: "owner" });
});
afterAll(async () => {
  await browser?.close();
  await service?.[Symbol.asyncDispose]();
});

const PASSPORT = {
  name: "passport.pdf",
  mimeType: "application/pdf",
  buffer: Buffer.from("%PDF-1.7\npassport"),
};

test("takes an order from missing evidence over a rejection to completion", async () => {
  await using visitor = await visit(browser, service, { as: owner });
  const { page, faults } = visitor;
  await page.goto(`/o/${organisation}/test/order?by=list`);
  await page.getByLabel("Numbers").fill("+1 629 555 0150");
  await page.getByRole("button", { name: "Place order" }).click();

  await page.getByText("The carrier needs evidence. Submit it below, and the job continues.").waitFor();
  await page.getByText("Needs evidence", { exact: true }).waitFor();
  const evidence = page.getByRole("region", { name: "Evidence" });
  await expect.poll(() => evidence.getByText("Missing").count()).toBe(2);
  const whole = { isMenu: false, isRepainted: false, isPart: false };
  expect(await violationsOf(visitor, whole)).toEqual([]);

  // The carrier rejects this city.
  await page.getByRole("button", { name: "Submit: Address of the end user" }).click();
  const dialog = page.getByRole("dialog", { name: "Submit evidence" });
  await dialog.getByRole("button", { name: "Submit", exact: true }).click();
  await dialog.getByText("Required.").first().waitFor();
  expect(await violationsOf(visitor, { ...whole, isPart: true })).toEqual([]);
  await dialog.getByLabel("Person or company").fill("Northwind Telecom Inc.");
  await dialog.getByLabel("Street and house number").fill("1 Main Street");
  await dialog.getByLabel("City").fill("Rejected");
  await dialog.getByLabel("Postal code").fill("37201");
  await expect.poll(() => dialog.getByLabel("Country").inputValue()).toBe("US");
  await dialog.getByRole("button", { name: "Submit", exact: true }).click();
  await page.getByText("The address does not exist: its city is Rejected.").waitFor();

  await page.getByRole("button", { name: "Submit: Proof of identity" }).click();
  await dialog.getByLabel("File").setInputFiles(PASSPORT);
  await dialog.getByRole("button", { name: "Submit", exact: true }).click();
  await dialog.waitFor({ state: "detached" });

  await page.getByRole("button", { name: "Submit: Address of the end user" }).click();
  await dialog.getByLabel("Person or company").fill("Northwind Telecom Inc.");
  await dialog.getByLabel("Street and house number").fill("1 Main Street");
  await dialog.getByLabel("City").fill("Nashville");
  await dialog.getByLabel("Postal code").fill("37201");
  await page.keyboard.press("Enter");
  await page.getByText("All numbers succeeded.").waitFor();
  await expect.poll(() => evidence.getByText("Accepted").count()).toBe(2);
  expect(faults).toEqual([]);
});

test("stores, downloads and deletes addresses and documents, reached from the settings", async () => {
  await using visitor = await visit(browser, service, { as: owner });
  const { page, faults } = visitor;
  await page.goto(`/o/${organisation}/live/settings`);
  await page.getByRole("link", { name: "Open Addresses and documents" }).click();
  await page.getByText("No addresses yet").waitFor();
  await page.getByRole("button", { name: "Add address" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Person or company").fill("Northwind Telecom GmbH");
  await dialog.getByLabel("Street and house number").fill("Torstraße 12");
  await dialog.getByLabel("City").fill("Berlin");
  await dialog.getByLabel("Postal code").fill("10119");
  await dialog.getByLabel("Country").selectOption("DE");
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByText("Torstraße 12, 10119 Berlin, DE").waitFor();

  await page.getByRole("button", { name: "Add document" }).click();
  await dialog.getByLabel("File").setInputFiles({ ...PASSPORT, buffer: Buffer.from("<html>") });
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByText("The file is not a PDF, PNG or JPEG.").waitFor();
  await dialog.getByLabel("File").setInputFiles(PASSPORT);
  await dialog.getByRole("button", { name: "Save" }).click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download passport.pdf" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe("passport.pdf");

  await page.getByRole("button", { name: "Delete passport.pdf" }).click();
  await dialog.getByRole("button", { name: "Delete document" }).click();
  await page.getByText("No documents yet").waitFor();
  expect(faults).toEqual([]);
});

test("shows other members what is missing, without a form", async () => {
  const developer = await service.person({ [organisation]: "developer" });
  const placed = await service.send("POST", "/v1/numbers/orders", {
    headers: {
      authorization: `Bearer ${owner.token}`,
      "x-service-environment": "test",
      "idempotency-key": "another",
    },
    body: { numbers: ["+16285550150"] },
  });
  await using visitor = await visit(browser, service, { as: developer });
  await visitor.page.goto(`/o/${organisation}/test/jobs/${placed.body.job_id}`);
  await visitor.page.getByText("Owners and admins can submit evidence.").waitFor();
  expect(await visitor.page.getByRole("button", { name: /^Submit/ }).count()).toBe(0);
  expect(visitor.faults).toEqual([]);
});
