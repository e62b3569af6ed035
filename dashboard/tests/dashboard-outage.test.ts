import { afterAll, beforeAll, expect, test } from "vitest";
import { type KilledService, saysSilent, startKilledService } from "./killed-service.ts";

let killed: KilledService;

beforeAll(async () => {
  killed = await startKilledService({ FORWARD_PREFIXES: "+49" });
});
afterAll(() => killed?.[Symbol.asyncDispose]());

test("saves a routing once after an outage and keeps the input", async () => {
  await using visitor = await killed.enter();
  const { page } = visitor;
  await page.goto(`/o/${killed.organisation}/test/numbers`);
  await page.getByRole("link", { name: "+12025550100" }).click();
  await page.getByRole("button", { name: "Change routing" }).click();
  await page.getByRole("dialog").getByText("Forward", { exact: true }).click();
  await page.getByLabel("Phone number").fill("+49305550144");
  await killed.away(page, async () => {
    await page.getByRole("dialog").getByRole("button", { name: "Change routing" }).click();
    await saysSilent(page);
    expect(await page.getByLabel("Phone number").inputValue()).toBe("+49305550144");
  });
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.getByRole("region", { name: "Applied" }).getByText("+49305550144").waitFor();
  await page.getByText(/^reported/).waitFor();
  const history = page.getByRole("list", { name: "Timeline of the number" }).getByText(/set revision/);
  await expect.poll(() => history.count()).toBe(2);
});

test("shows the result of a search typed during an outage", async () => {
  await using visitor = await killed.enter();
  const { page } = visitor;
  await page.goto(`/o/${killed.organisation}/test/numbers`);
  await page.getByRole("link", { name: "+12025550101" }).waitFor();
  await killed.away(page, async () => {
    await page.getByRole("searchbox").fill("5550103");
    await saysSilent(page);
    await expect.poll(() => page.getByRole("link", { name: "+12025550101" }).count()).toBe(1);
  });
  await expect.poll(() => page.getByRole("row").count()).toBe(2);
  await page.getByRole("link", { name: "+12025550103" }).waitFor();
  expect(await page.getByRole("searchbox").inputValue()).toBe("5550103");
  await page.getByText("Can't reach the service").waitFor({ state: "detached" });
});

test("applies a plan once during an outage", async () => {
  await using visitor = await killed.enter();
  const { page } = visitor;
  await page.goto(`/o/${killed.organisation}/test/numbers`);
  await page.getByRole("checkbox", { name: "Select +12025550104" }).check();
  await page.getByRole("button", { name: "Change tags…" }).click();
  await page.getByLabel("Tags to add").fill("kept");
  await page.getByRole("button", { name: "Create plan" }).click();
  await page.getByRole("button", { name: "Apply plan…" }).click();
  await killed.away(page, async () => {
    await page.getByRole("button", { name: "Change 1 number" }).click();
    await saysSilent(page);
  });
  await page.getByText("Finished").waitFor();
  expect(await killed.countOf("/v1/numbers/bulk")).toBe(1);
});

test("places an order once during an outage", async () => {
  await using visitor = await killed.enter();
  const { page } = visitor;
  await page.goto(`/o/${killed.organisation}/test/order?by=list`);
  await page.getByLabel("Numbers").fill("+12125550150");
  await page.getByLabel("Label").fill("Bought in a storm");
  await killed.away(page, async () => {
    await page.getByRole("button", { name: "Place order" }).click();
    await saysSilent(page);
    expect(await page.getByLabel("Label").inputValue()).toBe("Bought in a storm");
  });
  await page.getByText("All numbers succeeded.").waitFor();
  expect(await killed.countOf("/v1/numbers/orders")).toBe(1);
});

test("releases a number confirmed during an outage", async () => {
  await using visitor = await killed.enter();
  const { page } = visitor;
  await page.goto(`/o/${killed.organisation}/test/numbers`);
  await page.getByRole("link", { name: "+12025550105" }).click();
  await page.getByRole("button", { name: "Release…" }).click();
  await page.getByLabel(/last 4 digits/).fill("0105");
  await killed.away(page, async () => {
    await page.getByRole("dialog").getByRole("button", { name: "Release number" }).click();
    await saysSilent(page);
  });
  await page.getByRole("status", { name: "Quarantined" }).waitFor();
  await page.getByRole("dialog").waitFor({ state: "detached" });
});
