import { readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import Fastify, { type FastifyInstance } from "fastify";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ERRORS } from "../platform/error-catalogue.ts";
import { securityHeaders } from "../platform/http/security-headers.ts";
import { openBrowser } from "../../../sdk/src/testing/open-browser.ts";
import { REPOSITORY } from "./contract.generated.ts";
import { registerPages } from "./contract.pages.ts";

let http: FastifyInstance;
let origin: string;

beforeAll(async () => {
  http = Fastify();
  registerPages(http, { baseUrl: "https://numbers.example" });
  http.get("/planted", (_, reply) =>
    reply
      .headers({ ...securityHeaders("docs"), "content-security-policy": "script-src 'self'" })
      .type("text/html")
      .send("<!doctype html><script>1</script><img src=https://elsewhere.example/x.png>"),
  );
  await http.listen({ host: "127.0.0.1", port: 0 });
  origin = `http://127.0.0.1:${(http.server.address() as AddressInfo).port}`;
});
afterAll(() => http.close());

test.each([
  ["/openapi.json", "openapi.json"],
  ["/operator/openapi.json", "openapi.operator.json"],
  ["/switch/openapi.json", "openapi.switch.json"],
])("%s is the committed file", async (url, file) => {
  const answer = await http.inject(url);
  expect(answer.headers["content-type"]).toBe("application/json; charset=utf-8");
  expect(answer.headers["cache-control"]).toBe("no-cache");
  expect(answer.body).toBe(readFileSync(join(REPOSITORY, file), "utf8"));
});

test.each(["/openapi.json", "/docs", "/docs/errors", "/docs/pages.css", "/docs/scalar.js"])(
  "%s is fenced in, and not sent twice to whoever has it",
  async (url) => {
    const first = await http.inject(url);
    expect(first.statusCode).toBe(200);
    expect(first.headers["content-security-policy"]).toContain("default-src 'none'");
    expect(first.headers["x-content-type-options"]).toBe("nosniff");
    const again = await http.inject({ url, headers: { "if-none-match": String(first.headers["etag"]) } });
    expect([again.statusCode, again.body]).toEqual([304, ""]);
  },
);

test("the script is packed for those who can unpack it", async () => {
  const plain = await http.inject("/docs/scalar.js");
  const packed = await http.inject({ url: "/docs/scalar.js", headers: { "accept-encoding": "gzip, br" } });
  expect(packed.headers["content-encoding"]).toBe("gzip");
  expect(gunzipSync(packed.rawPayload).equals(plain.rawPayload)).toBe(true);
});

test("the address in every problem's type leads to its code", async () => {
  const { body } = await http.inject("/docs/errors");
  for (const code of Object.keys(ERRORS)) expect(body).toContain(`<article id="${code}">`);
});

describe("in a browser", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  test("the reference shows an operation, asks nobody else and breaks no policy", async () => {
    await using visit = await open(browser, "/docs");
    const { page, faults } = visit;
    await page.getByText("API keys", { exact: true }).first().click();
    await page.getByText("Create an API key").first().click();
    const operation = page.getByRole("heading", { name: "Create an API key" });
    await operation.first().waitFor();
    expect(await operation.first().isVisible()).toBe(true);
    // Requests tried from the page go to this installation, not to the example in the contract.
    expect(await page.getByText("https://numbers.example").count()).toBeGreaterThan(0);
    expect(faults).toEqual([]);
  });

  test("a problem's type opens the page at its code, which stands out", async () => {
    await using visit = await open(browser, "/docs/errors#last_owner");
    const { page, faults } = visit;
    const article = page.locator("#last_owner");
    expect(await article.isVisible()).toBe(true);
    expect(Math.abs((await article.boundingBox())!.y)).toBeLessThan(100);
    const backgroundOf = (code: string): Promise<string> =>
      page.evaluate(`getComputedStyle(document.getElementById("${code}")).backgroundColor`);
    expect(await backgroundOf("last_owner")).not.toBe(await backgroundOf("already_member"));
    expect(faults).toEqual([]);
  });

  test("the tests above would notice", async () => {
    await using visit = await open(browser, "/planted");
    expect(visit.faults).toContainEqual(expect.stringMatching(/^console: policy: script-src/));
    expect(visit.faults).toContainEqual("foreign: https://elsewhere.example/x.png");
  });

  interface Visit extends AsyncDisposable {
    page: Page;
    /** Console errors, requests that leave this origin, and violations of the policy. */
    faults: string[];
  }

  async function open(from: Browser, path: string): Promise<Visit> {
    const page = await from.newPage();
    const faults: string[] = [];
    page.on("pageerror", (error) => faults.push(`thrown: ${error.message}`));
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning")
        faults.push(`console: ${message.text()}`);
    });
    page.on("request", (request) => {
      const url = request.url();
      if (!url.startsWith(`${origin}/`) && !/^(data|blob):/.test(url)) faults.push(`foreign: ${url}`);
    });
    await page.addInitScript(
      'addEventListener("securitypolicyviolation", (event) => console.error("policy: " + event.violatedDirective + " " + event.blockedURI));',
    );
    await page.goto(origin + path, { waitUntil: "networkidle" });
    return { page, faults, [Symbol.asyncDispose]: () => page.close() };
  }
});
