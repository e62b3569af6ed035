import { join } from "node:path";
import type { Page } from "playwright-core";
import { SEED_PASSWORD } from "../../../server/src/seed.ts";
import { startDemo } from "../../../sdk/src/testing/demo-service.ts";
import { openBrowser } from "../../../sdk/src/testing/open-browser.ts";

/** Renews the pictures of README and docs from the demo: `npm run pictures`. */
const FOLDER = join(import.meta.dirname, "../../../docs/pictures");
const EMAIL = "owner@northwind.example";
/** The demo's first number drifts within this time, and its switch repairs it. */
const DRIFT_MS = 60_000;

interface Picture {
  name: string;
  path(first: string): string;
  /** Seen when the page is complete. */
  shows: string | RegExp;
  prepare?(page: Page): Promise<void>;
}

const PICTURES: readonly Picture[] = [
  { name: "overview", path: () => "overview", shows: /keeps drifting on/ },
  { name: "numbers", path: () => "numbers", shows: "Flapping" },
  { name: "number", path: (first) => `numbers/${first}`, shows: /^Flapping on/ },
  { name: "calls", path: () => "calls", shows: "Went to" },
  {
    name: "call",
    path: () => "calls",
    shows: "Went to",
    prepare: async (page) => {
      await page.getByRole("row").filter({ hasText: "Answered" }).getByRole("link").first().click();
      await page.getByText("Call-ID").first().waitFor();
    },
  },
  {
    name: "change-of-routing",
    path: (first) => `numbers/${first}`,
    shows: /^Flapping on/,
    prepare: async (page) => {
      await page.getByRole("button", { name: "Change routing" }).click();
      await page.getByRole("dialog").getByText("Forward", { exact: true }).click();
      await page.getByLabel("Phone number").fill("+49 30 901820");
    },
  },
  { name: "usage", path: () => "usage", shows: /Complete through|may still be added/ },
  { name: "audit", path: () => "audit", shows: /changed the routing of/ },
  {
    name: "as-code",
    path: () => "numbers?sync=failed",
    shows: /^Failed/,
    prepare: async (page) => {
      await page.getByRole("button", { name: "Show code" }).click();
      await page.getByRole("region", { name: "curl" }).waitFor();
    },
  },
];

await using demo = await startDemo("--calls", "1500", "--history", "30");
const browser = await openBrowser();
try {
  const context = await browser.newContext({
    baseURL: demo.base_url,
    viewport: { width: 1440, height: 900 },
    colorScheme: "light",
    locale: "en-GB",
    timezoneId: "Europe/Berlin",
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  await signIn(page);
  const [organisation] = demo.organisations;
  for (const { name, path, shows, prepare } of PICTURES) {
    await page.goto(`/o/${organisation!.id}/live/${path(organisation!.numbers[0]!.id)}`);
    await page.getByText(shows).first().waitFor({ timeout: DRIFT_MS });
    // Pages that follow a stream are never idle.
    await page.waitForLoadState("networkidle", { timeout: 5_000 }).catch(() => undefined);
    await prepare?.(page);
    await page.screenshot({ path: join(FOLDER, `${name}.png`) });
    console.log(`docs/pictures/${name}.png`);
  }
} finally {
  await browser.close();
}

async function signIn(page: Page): Promise<void> {
  await page.goto("/sign-in");
  await page.getByLabel("Email address").fill(EMAIL);
  await page.getByLabel("Password", { exact: true }).fill(SEED_PASSWORD);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("region", { name: "Overview" }).waitFor();
}
