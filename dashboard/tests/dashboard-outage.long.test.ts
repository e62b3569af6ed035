import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { seedMembership, seedNumbers } from "../../server/src/seed.ts";
import { type KilledService, saysSilent, startKilledService } from "./killed-service.ts";

let killed: KilledService;

beforeAll(async () => {
  killed = await startKilledService({ FORWARD_PREFIXES: "+49", EGRESS_ALLOW: "192.0.2.0/24" });
});
afterAll(() => killed?.[Symbol.asyncDispose]());

test("continues an import automatically and applies each line once", async () => {
  await using visitor = await killed.enter();
  const { page } = visitor;
  await page.goto(`/o/${killed.organisation}/test/import`);
  await page
    .getByLabel("Or paste a table")
    .fill("number,label,tags\n+12025550100,Desk,storm\n+12025550101,Fax,storm");
  await killed.away(page, async () => {
    await page.getByRole("button", { name: "Preview changes" }).click();
    await saysSilent(page);
    expect(await page.getByLabel("Or paste a table").inputValue()).toContain("Fax");
  });
  await page.getByText("2 of 2 lines change a number").waitFor();
  const before = await killed.countOf("/v1/numbers/bulk");
  await killed.away(page, async () => {
    await page.getByRole("button", { name: "Change 2 numbers" }).click();
    await saysSilent(page);
  });
  await page.getByText("Import finished").waitFor();
  await expect.poll(() => page.getByText("Changed", { exact: true }).count()).toBe(2);
  expect(await killed.countOf("/v1/numbers/bulk")).toBe(before);
});

test("saves a label during an outage as typed", async () => {
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

test("adds a connection once during an outage", async () => {
  await using visitor = await killed.enter();
  const { page } = visitor;
  await page.goto(`/o/${killed.organisation}/test/connections`);
  await page.getByRole("button", { name: "Add connection" }).click();
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

test("shows the secret of a new key after a lost response, and keeps the input until then", async () => {
  await using visitor = await killed.enter();
  const { page } = visitor;
  await page.goto(`/o/${killed.organisation}/test/api-keys`);
  await page.getByRole("button", { name: "Create API key" }).click();
  await page.getByLabel("Name").fill("Storm key");
  await killed.away(page, async () => {
    await page.getByRole("button", { name: "Create", exact: true }).click();
    await saysSilent(page);
    expect(await page.getByLabel("Name").inputValue()).toBe("Storm key");
  });
  await pressUntil(page, "Create", async () => (await page.getByText(/^svc_test_/).count()) > 0);
  expect(await killed.countOf("/v1/api-keys")).toBe(1);
});

test("creates an endpoint and an invitation once", async () => {
  await using visitor = await killed.enter();
  const { page } = visitor;
  await page.goto(`/o/${killed.organisation}/test/webhooks`);
  await page.getByRole("button", { name: "Add endpoint" }).click();
  await page.getByLabel("URL").fill("https://192.0.2.7/hooks");
  await killed.away(page, async () => {
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await saysSilent(page);
    expect(await page.getByLabel("URL").inputValue()).toBe("https://192.0.2.7/hooks");
  });
  await pressUntil(page, "Add", async () => (await page.getByText(/^whsec_/).count()) > 0);
  expect(await killed.countOf("/v1/webhook-endpoints")).toBe(1);

  await page.goto(`/o/${killed.organisation}/test/members`);
  await page.getByRole("button", { name: "Invite member" }).click();
  await page.getByLabel("Email address").fill("storm@example.com");
  await killed.away(page, async () => {
    await page.getByRole("button", { name: "Send invitation", exact: true }).click();
    await saysSilent(page);
  });
  await pressUntil(
    page,
    "Send invitation",
    async () => (await page.getByRole("region", { name: "Open invitations" }).count()) > 0,
  );
  expect(await killed.countOf("/v1/invitations")).toBe(1);
});

test("waits for a lazily loaded part of the page and keeps the input next to it", async () => {
  await using visitor = await killed.enter();
  const { page } = visitor;
  await page.goto(`/o/${killed.organisation}/test/numbers`);
  await page.getByRole("link", { name: "+12025550103" }).click();
  await page.getByRole("button", { name: "Change routing" }).click();
  const dialog = page.getByRole("dialog", { name: "Change routing" });
  await dialog.getByLabel("Reason").fill("A storm");
  await killed.away(page, async () => {
    await dialog.getByRole("button", { name: "Show code" }).click();
    await saysSilent(page);
  });
  await page.getByRole("region", { name: "CLI" }).waitFor();
  await page.keyboard.press("Escape");
  expect(await dialog.getByLabel("Reason").inputValue()).toBe("A storm");
});

test("reloads read-only pages automatically", async () => {
  await using visitor = await killed.enter();
  const { page } = visitor;
  await page.goto(`/o/${killed.organisation}/test/calls/active`);
  await page.getByText("active calls on").waitFor();
  await killed.away(page, () => page.getByText("Connection lost, retrying").waitFor());
  await page.getByText("Connection lost, retrying").waitFor({ state: "detached" });
  for (const [label, shows] of [
    ["Usage", "Calls by hour"],
    ["Jobs", "Orders, releases and bulk changes"],
    ["Events", "Newest first"],
    ["Audit log", "Changes and rejected requests"],
  ] as const) {
    await killed.away(page, async () => {
      await page.getByRole("link", { name: label, exact: true }).click();
    });
    await page.getByText(shows).first().waitFor();
    await page.getByText("Can't reach the service").waitFor({ state: "detached" });
  }
});

test("shows an organisation chosen during an outage without data of the other", async () => {
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
  await page.getByText("Can't reach the service").waitFor({ state: "detached" });
  expect(await page.getByText("+4930123457").count()).toBe(0);
});

test("rolls back once during an outage", async () => {
  await using visitor = await killed.enter();
  const { page } = visitor;
  await page.goto(`/o/${killed.organisation}/test/numbers`);
  await page.getByRole("link", { name: "+12025550104" }).click();
  await page.getByRole("button", { name: "Change routing" }).click();
  await page.getByRole("dialog").getByText("Forward", { exact: true }).click();
  await page.getByLabel("Phone number").fill("+49305550166");
  await page.getByRole("dialog").getByRole("button", { name: "Change routing" }).click();
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Go back to revision 1…" }).click();
  const dialog = page.getByRole("dialog", { name: "Roll back to revision 1" });
  await killed.away(page, async () => {
    await dialog.getByRole("button", { name: "Roll back routing" }).click();
    await saysSilent(page);
    expect(await dialog.getByRole("deletion").first().textContent()).toContain("Forward");
  });
  await dialog.waitFor({ state: "detached" });
  await expect
    .poll(() => page.getByRole("region", { name: "Applied" }).textContent())
    .not.toContain("+49305550166");
  const history = page.getByRole("list", { name: "Timeline of the number" }).getByText(/set revision/);
  await expect.poll(() => history.count()).toBe(3);
});

test("follows a release to its end and restores the number during an outage", async () => {
  await using visitor = await killed.enter();
  const { page } = visitor;
  await page.goto(`/o/${killed.organisation}/test/numbers`);
  await page.getByRole("link", { name: "+12025550101" }).click(); // each change takes three seconds there
  await page.getByRole("button", { name: "Release…" }).click();
  await page.getByLabel(/last 4 digits/).fill("0101");
  await page.getByRole("dialog").getByRole("button", { name: "Release number" }).click();
  await page.getByRole("status", { name: "Releasing" }).waitFor();
  await killed.away(page, () => saysSilent(page));
  await page.getByRole("status", { name: "Quarantined" }).waitFor();
  await killed.away(page, async () => {
    await page.getByRole("button", { name: "Restore number" }).click();
    await saysSilent(page);
  });
  await page.getByRole("button", { name: "Release…" }).waitFor();
  await page.getByRole("status", { name: "Quarantined" }).waitFor({ state: "detached" });
});

test("continues an interrupted import where it stopped", async () => {
  await using visitor = await killed.enter();
  const { page } = visitor;
  await page.goto(`/o/${killed.organisation}/test/import`);
  const table = "number,label,tags\n+12025550100,Cut,cut\n+12025550101,Off,\n+12025550102,Here,here";
  await page.getByLabel("Or paste a table").fill(table);
  await page.getByRole("button", { name: "Preview changes" }).click();
  await page.getByText("3 of 3 lines change a number").waitFor();
  const before = await killed.countOf("/v1/numbers/bulk");
  await page.getByRole("button", { name: "Change 3 numbers" }).click();
  await killed.away(page, () => saysSilent(page));
  await page.getByText("Import finished").waitFor();
  await expect.poll(() => page.getByText("Changed", { exact: true }).count()).toBe(3);
  expect(await killed.countOf("/v1/numbers/bulk")).toBe(before);
});

test("keeps the choices on the calls in progress and the usage page during an outage", async () => {
  await using visitor = await killed.enter();
  const { page } = visitor;
  await page.goto(`/o/${killed.organisation}/test/calls/active`);
  await page.getByText("active calls on").waitFor();
  await killed.away(page, async () => {
    await page.getByText("Connection lost, retrying").waitFor();
    await page.getByRole("searchbox").fill("5550103");
    await saysSilent(page);
  });
  await page.getByText("active calls on 1 number").waitFor();
  expect(await page.getByRole("searchbox").inputValue()).toBe("5550103");
  await page.getByText("Connection lost, retrying").waitFor({ state: "detached" });

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
  await page.getByText("Can't reach the service").waitFor({ state: "detached" });
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
