import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import type { Config } from "../config.ts";
import { securityHeaders } from "../platform/http/security-headers.ts";
import { errorPage, escapeHtml, htmlPage } from "./contract.error-page.ts";
import { CONTRACT, OPERATOR_CONTRACT, REPOSITORY, SWITCH_CONTRACT } from "./contract.generated.ts";

/** The contract and its reference. They need no credential. */
export function registerPages(http: FastifyInstance, config: Pick<Config, "baseUrl">): void {
  const stylesheet = new URL("contract.pages.css", import.meta.url);
  for (const [url, file] of CONTRACTS)
    servePage(http, url, {
      policy: "api",
      type: "application/json",
      load: () => readFileSync(join(REPOSITORY, file), "utf8"),
    });
  servePage(http, "/docs", {
    policy: "docs",
    type: "text/html",
    load: () => referencePage(config.baseUrl),
  });
  servePage(http, "/docs/errors", { policy: "page", type: "text/html", load: errorPage });
  servePage(http, "/docs/pages.css", {
    policy: "page",
    type: "text/css",
    load: () => readFileSync(stylesheet, "utf8"),
  });
  serveScalar(http);
}

const CONTRACTS = [
  ["/openapi.json", CONTRACT],
  ["/operator/openapi.json", OPERATOR_CONTRACT],
  ["/switch/openapi.json", SWITCH_CONTRACT],
] as const;

interface Page {
  policy: Parameters<typeof securityHeaders>[0];
  type: string;
  load(): string;
}

/** Loaded at the first request and kept: reading and hashing 1.7 MB would delay the start of every process. */
function servePage(http: FastifyInstance, url: string, { policy, type, load }: Page): void {
  let loaded: { text: string; etag: string } | undefined;
  const page = (): { text: string; etag: string } => {
    const text = load();
    return { text, etag: etagOf(text) };
  };
  http.get(url, (request, reply) => {
    const { text, etag } = (loaded ??= page());
    reply.headers({ ...securityHeaders(policy), "cache-control": "no-cache", etag });
    return isFresh(request, etag) ? reply.code(304).send() : reply.type(`${type}; charset=utf-8`).send(text);
  });
}

/** Four megabytes that most processes never serve: read, packed and kept when first asked for. */
function serveScalar(http: FastifyInstance): void {
  let loading: Promise<Script> | undefined;
  http.get("/docs/scalar.js", async (request, reply) => {
    loading ??= loadScalar();
    const { plain, packed, etag } = await loading.catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    reply.headers({
      ...securityHeaders("docs"),
      "cache-control": "public, max-age=86400",
      vary: "accept-encoding",
      etag,
    });
    if (isFresh(request, etag)) return reply.code(304).send();
    return sendScript(request, reply.type("text/javascript; charset=utf-8"), { plain, packed });
  });
}

interface Script {
  plain: Buffer;
  packed: Buffer;
  etag: string;
}

function sendScript(
  request: FastifyRequest,
  reply: FastifyReply,
  { plain, packed }: Omit<Script, "etag">,
): FastifyReply {
  const canUnpack = /\bgzip\b/.test(String(request.headers["accept-encoding"] ?? ""));
  return canUnpack ? reply.header("content-encoding", "gzip").send(packed) : reply.send(plain);
}

/** Zod, inside it, tries whether it may compile code. Our policy says no, and the attempt alone is a violation. */
const NO_EVAL = "globalThis.__zod_globalConfig = { jitless: true };";

/** The package hands its script out in no other way than by serving it. */
async function loadScalar(): Promise<Script> {
  const { default: scalar } = await import("@scalar/fastify-api-reference");
  const source = Fastify();
  await source.register(scalar, { routePrefix: "/scalar", configuration: { url: "/openapi.json" } });
  const { statusCode, body } = await source.inject("/scalar/js/scalar.js");
  await source.close();
  if (statusCode !== 200) throw new Error(`Scalar's script could not be had: ${statusCode}.`);
  const plain = Buffer.from(`${NO_EVAL}\n${body}`);
  return { plain, packed: await promisify(gzip)(plain), etag: etagOf(plain) };
}

/** Loads only from our origin, sends no telemetry, and targets this installation. */
function referencePage(baseUrl: string): string {
  const configuration = {
    servers: [{ url: baseUrl, description: "This installation" }],
    authentication: { preferredSecurityScheme: "apiKey" },
    defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
    orderSchemaPropertiesBy: "preserve",
    metaData: { title: "Dialplane API" },
    documentDownloadType: "direct",
    withDefaultFonts: false,
    telemetry: false,
    persistAuth: false,
    hideClientButton: true,
    showDeveloperTools: "never",
    agent: { disabled: true },
    mcp: { disabled: true },
  };
  return htmlPage({
    title: "Dialplane API",
    head: `<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(ICON)}">`,
    body: `
<noscript><p>This page needs JavaScript. Without it: <a href="/openapi.json">the contract</a>, <a href="/docs/errors">the errors</a>.</p></noscript>
<script id="api-reference" data-url="/openapi.json" data-configuration="${escapeHtml(JSON.stringify(configuration))}"></script>
<script src="/docs/scalar.js"></script>`,
  });
}

/** The keys of a phone, one of them pressed. */
const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="3.5" fill="#0b68cb"/><g fill="#fff"><circle cx="4.5" cy="4.5" r="1.3"/><circle cx="8" cy="4.5" r="1.3"/><circle cx="11.5" cy="4.5" r="1.3"/><circle cx="4.5" cy="8" r="1.3"/><circle cx="8" cy="8" r="1.3" fill="#ffc53d"/><circle cx="11.5" cy="8" r="1.3"/><circle cx="4.5" cy="11.5" r="1.3"/><circle cx="8" cy="11.5" r="1.3"/><circle cx="11.5" cy="11.5" r="1.3"/></g></svg>`;

function etagOf(content: string | Buffer): string {
  return `"${createHash("sha256").update(content).digest("base64url").slice(0, 22)}"`;
}

function isFresh(request: FastifyRequest, etag: string): boolean {
  return String(request.headers["if-none-match"] ?? "").includes(etag);
}
