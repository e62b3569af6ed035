import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { seedMembership, seedNumbers } from "../../server/src/seed.ts";
import { type KilledService, saysSilent, startKilledService } from "./killed-service.ts";

let killed: KilledService;

beforeAll(async () => {
  killed = await startKilledService({ FORWARD_PREFIXES: "+49", EGRESS_ALLOW: "192.0.2.0/24" });
});
afterAll(() => killed?.[Symbol.asyncDispose]());

test("an import goes on by itself, and each line is done once", async () => {
  await using visitor = await killed.enter();
  const { page } = visitor;
  await page.goto(`/o/${killed.organisation}/test/import`);
  await page
    .getByLabel("Or the table itself")
    .fill("number,label,tags\n+12025550100,Desk,storm\n+12025550101,Fax,storm");
  await killed.away(page, async () => {
    await page.getByRole("button", { name: "Show what would change" }).click();
    await saysSilent(page);
    expect(await page.getByLabel("Or the table itself").inputValue()).toContain("Fax");
  });
  await page.getByText("2 of 2 lines change something").waitFor();
  const before = await killed.countOf("/v1/numbers/bulk");
  await killed.away(page, async () => {
    await page.getByRole("button", { name: "Change 2 numbers" }).click();
    await saysSilent(page);
  });
  await page.getByText("It is done.").waitFor();
  await expect.poll(() => page.getByText("Changed", { exact: true }).count()).toBe(2);
  expect(await killed.countOf("/v1/numbers/bulk")).toBe(before);
});

test("a label that is saved meanwhile is there afterwards, as typed", async () => {
  await using visitor = await killed.enter();
  const { page } = visitor;
  await page.goto(`/o/${killed.organisation}/test/numbers`);
  await page.getByRole("link", { name: "+12025550102" }).click();
  await page.getByRole("button", { name: "Edit" }).click();
  await page.getByLabel("Label").fill("Typed in a storm");
  await killed.away(page, async () => {
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await saysSilent(page);
    expect(await page.getByLabel("Label").inputValue()).toBe("Typed in a storm");
  });
  await pressUntil(
    page,
    "Save",
    async () => (await page.getByText("Typed in a storm", { exact: true }).count()) > 0,
  );
});

test("a connection that is added meanwhile is added once", async () => {
  await using visitor = await killed.enter();
  const { page } = visitor;
  await page.goto(`/o/${killed.organisation}/test/connections`);
  await page.getByRole("button", { name: "Add a connection" }).click();
  await page.getByLabel("Name").fill("Storm exchange");
  await page.getByLabel("Host 1").fill("192.0.2.7");
  await killed.away(page, async () => {
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await saysSilent(page);
    expect(await page.getByLabel("Host 1").inputValue()).toBe("192.0.2.7");
  });
  await pressUntil(
    page,
    "Save",
    async () => (await page.getByRole("heading", { name: "Storm exchange", exact: true }).count()) > 0,
  );
  expect(await killed.countOf("/v1/connections")).toBe(1);
});

test("what is shown once, a secret, is never lost to an answer that got lost: what was typed stays until it is there", async () => {
  await using visitor = await killed.enter();
  const { page } = visitor;
  await page.goto(`/o/${killed.organisation}/test/api-keys`);
  await page.getByRole("button", { name: "Create a key" }).click();
  await page.getByLabel("Name").fill("Storm key");
  await killed.away(page, async () => {
    await page.getByRole("button", { name: "Create", exact: true }).click();
    await saysSilent(page);
    expect(await page.getByLabel("Name").inputValue()).toBe("Storm key");
  });
  await pressUntil(page, "Create", async () => (await page.getByText(/^svc_test_/).count()) > 0);
  expect(await killed.countOf("/v1/api-keys")).toBe(1);
});

test("an endpoint and an invitation are made once", async () => {
  await using visitor = await killed.enter();
  const { page } = visitor;
  await page.goto(`/o/${killed.organisation}/test/webhooks`);
  await page.getByRole("button", { name: "Add an endpoint" }).click();
  await page.getByLabel("Address").fill("https://192.0.2.7/hooks");
  await killed.away(page, async () => {
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await saysSilent(page);
    expect(await page.getByLabel("Address").inputValue()).toBe("https://192.0.2.7/hooks");
  });
  await pressUntil(page, "Add", async () => (await page.getByText(/^whsec_/).count()) > 0);
  expect(await killed.countOf("/v1/webhook-endpoints")).toBe(1);

  await page.goto(`/o/${killed.organisation}/test/members`);
  await page.getByRole("button", { name: "Invite somebody" }).click();
  await page.getByLabel("E-mail address").fill("storm@example.com");
  await killed.away(page, async () => {
    await page.getByRole("button", { name: "Invite", exact: true }).click();
    await saysSilent(page);
  });
  await pressUntil(
    page,
    "Invite",
    async () => (await page.getByRole("region", { name: "Open invitations" }).count()) > 0,
  );
  expect(await killed.countOf("/v1/invitations")).toBe(1);
});

test("a part of the page that is fetched when it is wanted is waited for, and what was typed beside it stays", async () => {
  await using visitor = await killed.enter();
  const { page } = visitor;
  await page.goto(`/o/${killed.organisation}/test/numbers`);
  await page.getByRole("link", { name: "+12025550103" }).click();
  await page.getByRole("button", { name: "Change routing" }).click();
  const dialog = page.getByRole("dialog", { name: "Change routing" });
  await dialog.getByLabel("Reason").fill("A storm");
  await killed.away(page, async () => {
    await dialog.getByRole("button", { name: "As code" }).click();
    await saysSilent(page);
  });
  await page.getByRole("region", { name: "CLI" }).waitFor();
  await page.keyboard.press("Escape");
  expect(await dialog.getByLabel("Reason").inputValue()).toBe("A storm");
});

test("pages that only look come back by themselves", async () => {
  await using visitor = await killed.enter();
  const { page } = visitor;
  await page.goto(`/o/${killed.organisation}/test/live`);
  await page.getByText("calls now at").waitFor();
  await killed.away(page, () => page.getByText("Line lost, trying again").waitFor());
  await page.getByText("Line lost, trying again").waitFor({ state: "detached" });
  for (const [label, shows] of [
    ["Usage", "When calls come"],
    ["Jobs", "Orders, releases and changes"],
    ["Events", "What happened, newest first"],
    ["Audit log", "Who did what"],
  ] as const) {
    await killed.away(page, async () => {
      await page.getByRole("link", { name: label, exact: true }).click();
    });
    await page.getByText(shows).first().waitFor();
    await page.getByText("The service does not answer").waitFor({ state: "detached" });
  }
});

test("an organisation that is chosen meanwhile is shown when the service is back, and nothing of the other under its name", async () => {
  const other = await killed.service.organisation("Lumen");
  const { app } = killed.service;
  await seedMembership(app, other, killed.owner.userId, "owner");
  await seedNumbers(app, other, "live", ["+4930123456"]);
  await seedNumbers(app, killed.organisation, "live", ["+4930123457"]);
  await using visitor = await killed.enter();
  const { page } = visitor;
  await page.goto(`/o/${killed.organisation}/live/numbers`);
  await page.getByRole("link", { name: "+4930123457" }).waitFor();
  await killed.away(page, async () => {
    await page.getByRole("button", { name: "Organisation: Northwind" }).click();
    await page.getByRole("menuitemradio", { name: "Lumen" }).click();
    await page.getByRole("button", { name: "Organisation: Lumen" }).waitFor();
    await saysSilent(page);
    expect(await page.getByText("+4930123457").count()).toBe(0);
  });
  await page.getByRole("link", { name: "+4930123456" }).waitFor();
  await page.getByText("The service does not answer").waitFor({ state: "detached" });
  expect(await page.getByText("+4930123457").count()).toBe(0);
});

test("a way back in the history that is taken meanwhile is taken once", async () => {
  await using visitor = await killed.enter();
  const { page } = visitor;
  await page.goto(`/o/${killed.organisation}/test/numbers`);
  await page.getByRole("link", { name: "+12025550104" }).click();
  await page.getByRole("button", { name: "Change routing" }).click();
  await page.getByRole("dialog").getByText("Forward", { exact: true }).click();
  await page.getByLabel("Telephone number").fill("+49305550166");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Go back to this" }).click();
  const dialog = page.getByRole("dialog", { name: "Go back to revision 1" });
  await killed.away(page, async () => {
    await dialog.getByRole("button", { name: "Go back" }).click();
    await saysSilent(page);
    expect(await dialog.getByRole("deletion").first().textContent()).toContain("Forward");
  });
  await dialog.waitFor({ state: "detached" });
  await expect
    .poll(() => page.getByRole("region", { name: "Applied" }).textContent())
    .not.toContain("+49305550166");
  const history = page.getByRole("region", { name: "History" }).getByRole("listitem");
  await expect.poll(() => history.count()).toBe(3);
});

test("a release that is under way is followed to its end, and taken back meanwhile", async () => {
  await using visitor = await killed.enter();
  const { page } = visitor;
  await page.goto(`/o/${killed.organisation}/test/numbers`);
  await page.getByRole("link", { name: "+12025550101" }).click(); // each change takes three seconds there
  await page.getByRole("button", { name: "Release…" }).click();
  await page.getByLabel(/last 4 digits/).fill("0101");
  await page.getByRole("dialog").getByRole("button", { name: "Release" }).click();
  await page.getByText("Being released").waitFor();
  await killed.away(page, () => saysSilent(page));
  await page.getByText("Released, and resting").waitFor();
  await killed.away(page, async () => {
    await page.getByRole("button", { name: "Take it back" }).click();
    await saysSilent(page);
  });
  await page.getByRole("button", { name: "Release…" }).waitFor();
  await page.getByText("Released, and resting").waitFor({ state: "detached" });
});

test("an import that is cut off in the middle goes on where it was", async () => {
  await using visitor = await killed.enter();
  const { page } = visitor;
  await page.goto(`/o/${killed.organisation}/test/import`);
  const table = "number,label,tags\n+12025550100,Cut,cut\n+12025550101,Off,\n+12025550102,Here,here";
  await page.getByLabel("Or the table itself").fill(table);
  await page.getByRole("button", { name: "Show what would change" }).click();
  await page.getByText("3 of 3 lines change something").waitFor();
  const before = await killed.countOf("/v1/numbers/bulk");
  await page.getByRole("button", { name: "Change 3 numbers" }).click();
  await killed.away(page, () => saysSilent(page));
  await page.getByText("It is done.").waitFor();
  await expect.poll(() => page.getByText("Changed", { exact: true }).count()).toBe(3);
  expect(await killed.countOf("/v1/numbers/bulk")).toBe(before);
});

test("what was chosen on the live board and of the usage stays, and is answered when the service is back", async () => {
  await using visitor = await killed.enter();
  const { page } = visitor;
  await page.goto(`/o/${killed.organisation}/test/live`);
  await page.getByText("calls now at").waitFor();
  await killed.away(page, async () => {
    await page.getByText("Line lost, trying again").waitFor();
    await page.getByRole("searchbox").fill("5550103");
    await saysSilent(page);
  });
  await page.getByText("calls now at 1 number").waitFor();
  expect(await page.getByRole("searchbox").inputValue()).toBe("5550103");
  await page.getByText("Line lost, trying again").waitFor({ state: "detached" });

  await page.goto(`/o/${killed.organisation}/test/usage`);
  const usage = page.getByRole("region", { name: "Calls over time" });
  await usage.getByText("Table", { exact: true }).click();
  await usage.getByRole("table", { name: "Calls, 24 h" }).waitFor();
  await killed.away(page, async () => {
    await usage.getByText("7 d", { exact: true }).click();
    await saysSilent(page);
    await usage.getByRole("table").waitFor();
  });
  await usage.getByRole("table", { name: "Calls, 7 d" }).waitFor();
  await page.getByText("The service does not answer").waitFor({ state: "detached" });
  expect(await usage.getByRole("radio", { name: "7 d" }).isChecked()).toBe(true);
});

/** An unsafe call is not retried automatically: the page shows the failure, and the user presses again. */
async function pressUntil(page: Page, button: string, isDone: () => Promise<boolean>): Promise<void> {
  await expect
    .poll(
      async () => {
        if (await isDone()) return true;
        const again = page.getByRole("dialog").getByRole("button", { name: button, exact: true });
        if ((await page.getByRole("alert").count()) > 0 && (await again.isEnabled())) await again.click();
        return isDone();
      },
      { timeout: 60_000 },
    )
    .toBe(true);
}
