import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliDecompressSync } from "node:zlib";
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
  await promisify(execFile)(join(REPOSITORY, "tools/docs-site/build-docs-if-changed"));
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
])("%s is the committed file with the address of this installation", async (url, file) => {
  const response = await http.inject(url);
  expect(response.headers["content-type"]).toBe("application/json; charset=utf-8");
  expect(response.headers["cache-control"]).toBe("no-cache");
  const { servers, ...contract } = response.json<{ servers: { url: string }[] }>();
  expect(servers.map((server) => server.url)).toEqual(["https://numbers.example"]);
  const committed = JSON.parse(readFileSync(join(REPOSITORY, file), "utf8")) as object;
  expect({ ...contract, servers: [] }).toEqual({ ...committed, servers: [] });
});

test.each(["/openapi.json", "/docs/", "/docs/errors", "/docs/site.css", "/docs/reference/numbers"])(
  "%s has a policy, and is sent once to a client that keeps it",
  async (url) => {
    const first = await http.inject(url);
    expect(first.statusCode).toBe(200);
    expect(first.headers["content-security-policy"]).toContain("default-src 'none'");
    expect(first.headers["x-content-type-options"]).toBe("nosniff");
    const again = await http.inject({ url, headers: { "if-none-match": String(first.headers["etag"]) } });
    expect([again.statusCode, again.body]).toEqual([304, ""]);
  },
);

test("compresses the contract", async () => {
  const plain = await http.inject("/openapi.json");
  const packed = await http.inject({ url: "/openapi.json", headers: { "accept-encoding": "gzip, br" } });
  expect(packed.headers["content-encoding"]).toBe("br");
  expect(brotliDecompressSync(packed.rawPayload).equals(plain.rawPayload)).toBe(true);
  expect(packed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 8);
});

test("links the type of every problem to its code", async () => {
  const { body } = await http.inject("/docs/errors");
  for (const code of Object.keys(ERRORS)) expect(body).toContain(`id="${code}"`);
});

test("redirects to the home page, and rejects unknown pages", async () => {
  const home = await http.inject("/docs");
  expect([home.statusCode, home.headers["location"]]).toEqual([308, "/docs/"]);
  for (const url of [
    "/docs/nowhere",
    "/docs/../../package.json",
    "/docs/%2e%2e/package.json",
    "/docs/.dialplane-built",
  ])
    expect((await http.inject(url)).statusCode, url).not.toBe(200);
});

test("says how to build pages that are missing", async () => {
  const unbuilt = Fastify();
  registerPages(unbuilt, { baseUrl: "https://numbers.example" }, join(REPOSITORY, "nowhere"));
  expect((await unbuilt.inject("/docs/")).body).toContain("npm run docs");
  await unbuilt.close();
});

describe("in a browser", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  test("shows an operation of the reference, from our origin and within the policy", async () => {
    await using visit = await open(browser, "/docs/");
    const { page, faults } = visit;
    await page.locator("summary", { hasText: /^Reference$/ }).click();
    await page.getByRole("navigation").getByRole("link", { name: "API keys", exact: true }).first().click();
    const operation = page.getByRole("heading", { name: "Create an API key" });
    await operation.waitFor();
    expect(await operation.isVisible()).toBe(true);
    expect(faults).toEqual([]);
  });

  test("opens the page of errors at the code of a problem", async () => {
    await using visit = await open(browser, "/docs/errors#last_owner");
    const { page, faults } = visit;
    const heading = page.locator("#last_owner");
    expect(await heading.isVisible()).toBe(true);
    expect(Math.abs((await heading.boundingBox())!.y)).toBeLessThan(150);
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
