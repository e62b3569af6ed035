import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from "node:zlib";
import Fastify, { type FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startService } from "../../../testing/service.ts";
import { openStaticSite } from "./static-site.ts";

const DOCUMENT = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
const SCRIPT = "console.log('built');".repeat(50);
const PACKED = brotliCompressSync("console.log('of the build');");

let directory: string;
let http: FastifyInstance;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "dialplane-site-"));
  mkdirSync(join(directory, "assets"));
  writeFileSync(join(directory, "index.html"), "<!doctype html><title>Pages</title>");
  writeFileSync(join(directory, "theme.js"), "1");
  writeFileSync(join(directory, "assets", "main-Ab12Cd34.js"), SCRIPT);
  writeFileSync(join(directory, "assets", "packed-Ab12Cd34.js"), SCRIPT);
  writeFileSync(join(directory, "assets", "packed-Ab12Cd34.js.br"), PACKED);
  writeFileSync(join(directory, "assets", "inter-Ab12Cd34.woff2"), SCRIPT);
  http = serve(directory);
});
afterAll(async () => {
  await http.close();
  rmSync(directory, { recursive: true });
});

test("every address of a page gets the one document, under the strictest policy", async () => {
  for (const url of ["/", "/sign-in", "/o/0198/live/numbers?sync=drifted"]) {
    const answer = await http.inject({ url, headers: DOCUMENT });
    expect([answer.statusCode, answer.body], url).toEqual([200, "<!doctype html><title>Pages</title>"]);
    expect(answer.headers, url).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-cache",
      "content-security-policy": expect.stringMatching(
        /^default-src 'none'; script-src 'self'; style-src 'self'; .*require-trusted-types-for 'script'/,
      ),
    });
  }
});

test("what belongs to programs never gets a page, and neither does who asks for none", async () => {
  for (const url of ["/v1", "/v1/nowhere", "/operator/v1/x", "/switch/x", "/assets/gone.js", "/missing.png"])
    expect((await http.inject({ url, headers: DOCUMENT })).statusCode, url).toBe(404);
  expect((await http.inject({ url: "/sign-in" })).statusCode).toBe(404);
  expect((await http.inject({ url: "/sign-in", method: "POST", headers: DOCUMENT })).statusCode).toBe(404);
});

test("CF-07 nothing outside of what was built can be read", async () => {
  for (const url of [
    "/../package.json",
    "/assets/../../package.json",
    "/assets/%2e%2e/index.html",
    "/index.html",
  ])
    expect((await http.inject({ url })).statusCode, url).toBe(404);
});

test("caches a file with a hash in its name forever, compressed if supported, and sends it once", async () => {
  const url = "/assets/main-Ab12Cd34.js";
  const plain = await http.inject({ url });
  const gzipped = await http.inject({ url, headers: { "accept-encoding": "gzip" } });
  const packed = await http.inject({ url, headers: { "accept-encoding": "gzip, br" } });
  const etag = String(plain.headers.etag);
  const again = await http.inject({ url, headers: { "if-none-match": etag } });

  expect(plain.headers).toMatchObject({
    "content-type": "text/javascript; charset=utf-8",
    "cache-control": "public, max-age=31536000, immutable",
    "x-content-type-options": "nosniff",
  });
  expect(gunzipSync(gzipped.rawPayload).toString()).toBe(SCRIPT);
  expect(packed.headers["content-encoding"]).toBe("br");
  expect(brotliDecompressSync(packed.rawPayload).toString()).toBe(SCRIPT);
  expect([again.statusCode, again.body]).toEqual([304, ""]);
  expect((await http.inject({ url: "/theme.js" })).headers["cache-control"]).toBe("no-cache");
});

test("sends the compressed file of the build, if there is one", async () => {
  const url = "/assets/packed-Ab12Cd34.js";
  const packed = await http.inject({ url, headers: { "accept-encoding": "br" } });
  expect(packed.headers["content-encoding"]).toBe("br");
  expect(packed.rawPayload.equals(PACKED)).toBe(true);
  expect((await http.inject({ url: `${url}.br`, headers: DOCUMENT })).statusCode).toBe(404);
});

test("serves a font uncompressed, because it is compressed already", async () => {
  const url = "/assets/inter-Ab12Cd34.woff2";
  const font = await http.inject({ url, headers: { "accept-encoding": "gzip" } });
  expect(font.headers["content-type"]).toBe("font/woff2");
  expect(font.headers["content-encoding"]).toBeUndefined();
  expect(font.body).toBe(SCRIPT);
});

test("where nothing was built, the page says what to run", async () => {
  await using unbuilt = serve(join(directory, "nothing"));
  const answer = await unbuilt.inject({ url: "/", headers: DOCUMENT });
  expect(answer.statusCode).toBe(503);
  expect(answer.body).toContain("npm run build");
});

test("returns 405 for a path of the API under another method", async () => {
  await using service = await startService();
  const answer = await service.send("GET", "/v1/password-resets", { headers: DOCUMENT });
  expect(answer).toMatchObject({ status: 405, headers: { allow: "POST" } });
  const page = await service.send("GET", "/o/x/live/numbers", { headers: DOCUMENT });
  expect(page.headers["content-security-policy"]).toContain("require-trusted-types-for 'script'");
});

function serve(from: string): FastifyInstance {
  const site = openStaticSite({
    directory: from,
    reserved: ["/v1", "/operator", "/switch", "/assets"],
    buildCommand: "npm run build",
  });
  const server = Fastify();
  server.setNotFoundHandler((request, reply) =>
    site.takes(request) ? site.answer(request, reply) : reply.code(404).send(),
  );
  return server;
}
