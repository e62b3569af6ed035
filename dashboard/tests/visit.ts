import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import type { Person, Service } from "../../server/testing/service.ts";

export { openBrowser } from "../../sdk/src/testing/open-browser.ts";
export { SEED_PASSWORD } from "../../server/src/seed.ts";

export interface Visit extends AsyncDisposable {
  page: Page;
  /** Violations of the policy, thrown errors, requests that leave this origin, and what the console complains of. */
  faults: string[];
}

/** Generous: machines that test are busy. */
const PATIENCE_MS = 60_000;

/** A separate browser context without any state. */
export async function visit(
  browser: Browser,
  service: Service,
  options: BrowserContextOptions & { as?: Person } = {},
): Promise<Visit> {
  const { as: person, ...rest } = options;
  const context = await browser.newContext({ baseURL: service.url, locale: "en-GB", ...rest });
  if (person) await context.addCookies([cookieOf(service, person.cookie)]);
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(`thrown: ${error.message}`));
  page.on("console", (message) => {
    if (isComplaint(message.type(), message.text())) faults.push(`console: ${message.text()}`);
  });
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(`${service.url}/`) && !/^(data|blob):/.test(url)) faults.push(`foreign: ${url}`);
  });
  await page.addInitScript(
    'addEventListener("securitypolicyviolation", (event) => console.error("policy: " + event.violatedDirective + " " + event.blockedURI));',
  );
  return { page, faults, [Symbol.asyncDispose]: () => context.close() };
}

/** The page shows rejected requests itself, so the browser's log entry is not a fault. */
function isComplaint(type: string, text: string): boolean {
  return (type === "error" || type === "warning") && !text.startsWith("Failed to load resource");
}

function cookieOf(service: Service, value: string) {
  return {
    name: "__Host-svc_session",
    value,
    // The browser trusts this machine with a secure cookie over http, but takes it from a test for https only.
    url: service.url.replace("http:", "https:"),
    secure: true,
    httpOnly: true,
    sameSite: "Lax" as const,
  };
}

/** Ends the session behind the page's back. */
export async function loseSession(page: Page): Promise<void> {
  await page.context().clearCookies();
}

/** Accessible name of the focused element. */
export function focused(page: Page): Promise<string> {
  return page.evaluate(
    "(document.activeElement.getAttribute('aria-label') ?? document.activeElement.labels?.[0]?.textContent ?? document.activeElement.textContent).trim()",
  );
}
