import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Person, type Service, startService } from "../../server/testing/service.ts";
import { makeSwitch } from "../../server/testing/walls/switch-callers.ts";
import { PlayedTrunkSwitch } from "../../server/src/switching/trunks/testing/trunk-desk.ts";
import { openBrowser, visit } from "./visit.ts";

const NETWORK = "198.51.100.0/24";

let service: Service;
let browser: Browser;
let operator: Person;
let switches: PlayedTrunkSwitch[];

beforeAll(async () => {
  service = await startService();
  browser = await openBrowser();
  operator = await service.person();
  await service.database.admin("update users set is_operator = true where id = $1", [operator.userId]);
  const made = [await makeSwitch(service), await makeSwitch(service)];
  for (const [at, { id }] of made.entries())
    await service.database.admin(
      "update switches set name = $2, unreachable_after_seconds = 3600 where id = $1",
      [id, `edge-${at + 1}`],
    );
  switches = made.map((one) => new PlayedTrunkSwitch(service, one));
});
afterAll(async () => {
  await browser?.close();
  await service?.[Symbol.asyncDispose]();
});

const apply = () => Promise.all(switches.map((one) => one.apply()));

test("adds a trunk, confirms its network, and shows each switch", async () => {
  await using visitor = await visit(browser, service, { as: operator });
  const { page, faults } = visitor;
  await page.goto("/operator/trunks");
  await page.getByText("The switches of this group use the trunks in their files").waitFor();
  await page.getByRole("button", { name: "Add trunk" }).click();
  await page.getByLabel("Name", { exact: true }).fill("acme");
  await page.getByLabel("Direction").selectOption("both");
  await page.getByLabel("Sources").fill(NETWORK);
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await page.getByText("A trunk that takes calls needs a gateway.").first().waitFor();
  await page.getByLabel("Address").fill("198.51.100.9");
  await page.getByLabel("User name").fill("us");
  await page.getByLabel("Password").fill("nuthatch-4711");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  const opening = page.getByRole("dialog", { name: "Open 1 network?" });
  await opening.getByText(NETWORK).waitFor();
  await opening.getByRole("button", { name: "Open", exact: true }).click();
  await page.getByText("acme saved").waitFor();
  const row = page.getByRole("row").filter({ hasText: "acme" });
  await row.getByText("Applying").first().waitFor();

  await apply();
  await row.getByText("Applied").waitFor();
  expect(Object.values(switches[0]!.passwords)).toEqual(["nuthatch-4711"]);
  const [one] = switches;
  const [held] = one!.holds.trunks;
  one!.holds = {
    ...one!.holds,
    trunks: [{ ...held!, found: { ...held!.found!, max_calls: 7, sources: ["203.0.113.0/28"] } }],
  };
  await one!.report();
  await page.getByText("found 7, expected 0").waitFor();
  await page.getByText(`found 203.0.113.0/28, expected ${NETWORK}`).waitFor();
  await row.getByText("Drifted").waitFor();
  expect(faults).toEqual([]);
});

test("sets the caller of probes, through one of the trunks with a gateway", async () => {
  await using visitor = await visit(browser, service, { as: operator });
  const { page, faults } = visitor;
  await page.goto("/operator/trunks");
  await page.getByText("Probes through a carrier are off for this group.").waitFor();
  await page.getByRole("button", { name: "Change caller" }).click();
  const dialog = page.getByRole("dialog", { name: /^Caller of probes in/ });
  await dialog.getByLabel("Trunk").selectOption("acme");
  await dialog.getByLabel("Caller").fill("030 1234");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByText("Enter a number with + and country code.").waitFor();
  await dialog.getByLabel("Caller").fill("+49 30 10009999");
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByText("+493010009999, through the trunk acme").waitFor();
  expect(faults).toEqual([]);
});

test("edits a trunk and its forwarding, restores an earlier list, and deletes a trunk", async () => {
  await using visitor = await visit(browser, service, { as: operator });
  const { page, faults } = visitor;
  await page.goto("/operator/trunks");
  const row = page.getByRole("row").filter({ hasText: "acme" });
  await page.getByRole("button", { name: "Edit acme" }).click();
  await page.getByLabel("Maximum concurrent calls").fill("50");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await row.getByRole("cell", { name: "50", exact: true }).waitFor();

  await page.getByRole("button", { name: "Edit forwarding" }).click();
  await page.getByLabel("Forward calls through trunks of this group").check();
  await page.getByLabel("Allowed prefixes").fill("+49, +44");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Choose 1 to 5 trunks.").waitFor();
  await page.getByLabel("Use acme").check();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("acme · +49, +44").waitFor();
  await apply();
  await page.getByText("Applied").nth(3).waitFor();

  await page.getByRole("button", { name: "Restore 1" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Restore", exact: true }).click();
  await page.getByText("Restored from revision 1").waitFor();
  await page.getByText("This group forwards no calls.").waitFor();
  await page.getByRole("button", { name: "Delete acme" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByText("No trunks yet").waitFor();
  expect(faults).toEqual([]);
});
