import { gzipSync } from "node:zlib";
import axe from "axe-core";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { seedNumbers } from "../../server/src/seed.ts";
import {
  browser as browserHeaders,
  type Person,
  type Service,
  startService,
} from "../../server/src/testing/service.ts";
import { openBrowser, type Visit, visit } from "./visit.ts";

const MAX_NUMBERS_PAGE_KB = 250;

let service: Service;
let browser: Browser;
let organisation: string;
let person: Person;
let number: string;

beforeAll(async () => {
  service = await startService();
  browser = await openBrowser();
  organisation = await service.organisation("Northwind");
  person = await service.person({ [organisation]: "owner" });
  const [first] = await seedNumbers(service.app, organisation, "live", 40);
  number = first!.id;
  await addProvider();
});
afterAll(async () => {
  await browser?.close();
  await service?.[Symbol.asyncDispose]();
});

async function addProvider(): Promise<void> {
  const { status } = await service.send("POST", "/v1/identity-providers", {
    headers: browserHeaders(person.cookie),
    body: {
      name: "Northwind Entra",
      issuer:
        "https://login.northwind-traders-of-the-long-name.example.com/0198c5f2-7c1e-7a33-9d3f-3f6a1c0f9b11/v2.0",
      client_id: "0198c5f2-7c1e-7a33-9d3f-3f6a1c0f9b11",
      client_secret: "x",
      domains: ["northwind.example.com"],
    },
  });
  expect(status).toBe(201);
}

interface Scene {
  path: () => string;
  /** Seen when the page is there. */
  shows: string;
  isSignedIn?: boolean;
  /** What is opened over it first. */
  opens?: (visitor: Visit) => Promise<void>;
  /** An open menu belongs to its button, not to a part of the page: axe's advice on landmarks does not fit it. */
  isMenu?: boolean;
}

const SCENES: Record<string, Scene> = {
  "sign-in": { path: () => "/sign-in", shows: "No account?" },
  "sign-in with a company": {
    path: () => "/sign-in",
    shows: "No account?",
    opens: async ({ page }) => {
      await page.getByRole("button", { name: "Sign in with your company" }).click();
      await page.getByLabel("E-mail address at work").waitFor();
    },
  },
  "back from a company": {
    path: () => "/sign-in/provider?error=access_denied",
    shows: "did not say who you are",
  },
  "reset password": { path: () => "/reset-password", shows: "We mail you a link" },
  "new password": { path: () => "/reset-password#token", shows: "Set a new password" },
  invitation: { path: () => "/invitation#token", shows: "Make an account" },
  "empty invitation": { path: () => "/invitation", shows: "has no invitation" },
  "e-mail change": { path: () => "/change-email#token", shows: "Confirm your new address" },
  device: { path: () => "/device", shows: "Type the code", isSignedIn: true },
  "a tool's wish": {
    path: () => "/authorise?client_name=numbers&redirect_uri=http://127.0.0.1:1/&code_challenge=x&state=y",
    shows: "Keep it out",
    isSignedIn: true,
  },
  security: { path: () => "/account/security", shows: "This one", isSignedIn: true },
  "single sign-on": {
    path: () => `/o/${organisation}/live/identity-providers`,
    shows: "Not proved yet",
    isSignedIn: true,
  },
  "a new provider": {
    path: () => `/o/${organisation}/live/identity-providers`,
    shows: "Not proved yet",
    isSignedIn: true,
    opens: async ({ page }) => {
      await page.getByRole("button", { name: "Add a provider" }).click();
      await page.getByLabel("Issuer").waitFor();
    },
  },
  nowhere: { path: () => "/nowhere", shows: "There is nothing at this address" },
  numbers: { path: () => `/o/${organisation}/live/numbers`, shows: "Held since", isSignedIn: true },
  number: {
    path: () => `/o/${organisation}/live/numbers/${number}`,
    shows: "History",
    isSignedIn: true,
  },
  "no such number": {
    path: () => `/o/${organisation}/live/numbers/${organisation}`,
    shows: "There is no such number here",
    isSignedIn: true,
  },
  "change of routing": {
    path: () => `/o/${organisation}/live/numbers/${number}`,
    shows: "History",
    isSignedIn: true,
    opens: async ({ page }) => {
      await page.getByRole("button", { name: "Change routing" }).click();
      await page.getByRole("dialog").getByText("Forward", { exact: true }).click();
      await page.getByLabel("Telephone number").fill("+49305550100");
    },
  },
  "no match": {
    path: () => `/o/${organisation}/live/numbers?tag=none`,
    shows: "No number matches",
    isSignedIn: true,
  },
  "test side": {
    path: () => `/o/${organisation}/test/numbers`,
    shows: "holds no test numbers yet",
    isSignedIn: true,
    opens: ({ page }) => page.getByText("Test side:").waitFor(),
  },
  palette: {
    path: () => `/o/${organisation}/live/numbers`,
    shows: "Held since",
    isSignedIn: true,
    opens: async ({ page }) => {
      await page.keyboard.press("Control+k");
      await page.getByPlaceholder(/A page/).waitFor();
    },
  },
  "account menu": {
    isMenu: true,
    path: () => `/o/${organisation}/live/numbers`,
    shows: "Held since",
    isSignedIn: true,
    opens: async ({ page }) => {
      await page.getByRole("button", { name: /Your account/ }).click();
      await page.getByRole("menuitem", { name: "Sign out" }).waitFor();
    },
  },
  shortcuts: {
    path: () => `/o/${organisation}/live/numbers`,
    shows: "Held since",
    isSignedIn: true,
    opens: async ({ page }) => {
      await page.keyboard.press("?");
      await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    },
  },
};

test.each(Object.entries(SCENES))(
  "%s has no accessibility violation in either theme, breaks no policy and fits 360 px",
  async (_, { path, shows, isSignedIn, opens, isMenu = false }) => {
    for (const colorScheme of ["light", "dark"] as const) {
      await using visitor = await visit(browser, service, {
        colorScheme,
        reducedMotion: "reduce",
        ...(isSignedIn && { as: person }),
      });
      const { page, faults } = visitor;
      await page.goto(path());
      await page.getByText(shows).first().waitFor();
      await opens?.(visitor);
      expect(await violationsOf(visitor, isMenu), colorScheme).toEqual([]);
      await page.setViewportSize({ width: 360, height: 740 });
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360);
      expect(faults).toEqual([]);
    }
  },
);

test("CS-06 script that gets into a page does not run, and the tests above would notice it", async () => {
  await using visitor = await visit(browser, service, { as: person });
  const { page, faults } = visitor;
  await page.goto(`/o/${organisation}/live/numbers`);
  await page.getByText("Held since").waitFor();
  await page.evaluate(
    `const script = document.createElement("script");
     try { script.textContent = "window.hasRun = true"; } catch {}
     document.body.append(script);
     try { document.body.insertAdjacentHTML("beforeend", "<img src=x onerror='window.hasRun = true'>"); } catch {}
     const link = document.createElement("a"); link.href = "javascript:window.hasRun = true"; document.body.append(link); link.click();`,
  );
  await expect.poll(() => faults.filter((fault) => fault.includes("policy:")).length).toBeGreaterThan(0);
  expect(await page.evaluate("window.hasRun")).toBeUndefined();
});

test(`the numbers page loads at most ${MAX_NUMBERS_PAGE_KB} kB of script, packed`, async () => {
  await using visitor = await visit(browser, service, { as: person });
  const { page } = visitor;
  const scripts = new Set<string>(); // each once, however often the browser asks its cache
  page.on("request", (request) => void (request.resourceType() === "script" && scripts.add(request.url())));
  await page.goto(`/o/${organisation}/live/numbers`);
  await page.getByText("Held since").waitFor();
  await expect.poll(() => [...scripts].some((url) => url.includes("CommandPalette"))).toBe(true); // comes last
  const bodies = await Promise.all([...scripts].map(async (url) => (await fetch(url)).arrayBuffer()));
  const bytes = bodies.reduce((sum, body) => sum + gzipSync(body).length, 0);
  expect(bodies.every((body) => isBuiltWithout(Buffer.from(body), "googlebot"))).toBe(true);
  console.log(`numbers page: ${(bytes / 1000).toFixed(1)} kB of script, packed`);
  expect(bytes).toBeGreaterThan(50_000);
  expect(bytes).toBeLessThanOrEqual(MAX_NUMBERS_PAGE_KB * 1000);
});

/** isbot's licence is not one of those we ship; it is for rendering on servers. */
function isBuiltWithout(script: Buffer, text: string): boolean {
  return !script.toString().includes(text);
}

interface Violation {
  id: string;
  nodes: { target: string[]; failureSummary: string }[];
}

/** axe is put in by the browser's debugger, which the policy does not bind. */
async function violationsOf({ page }: Visit, isMenu: boolean): Promise<string[]> {
  await page.evaluate(axe.source);
  const rules = JSON.stringify({ rules: { region: { enabled: !isMenu } } });
  const violations = await page.evaluate<Violation[]>(
    `axe.run(${rules}).then((result) => result.violations)`,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(" ")}: ${failureSummary}`),
  );
}
