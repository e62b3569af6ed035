import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { extname, join, sep } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";
import { accepts } from "./compression.ts";
import { securityHeaders } from "./security-headers.ts";

/** Pages that live in the browser: built files under their own names, and one document for every address of a page. */
export interface StaticSite {
  /** Whether a request that no route takes is for this site; all others stay what they are, a 404 or 405. */
  takes(request: FastifyRequest): boolean;
  answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>;
}

interface SiteOptions {
  /** Build output. Read once, so a new build needs a restart. */
  directory: string;
  /** Addresses under these belong to programs: they never get a page, whatever they ask for. */
  reserved: readonly string[];
  /** How to make what is missing. */
  buildCommand: string;
}

export function openStaticSite({ directory, reserved, buildCommand }: SiteOptions): StaticSite {
  const files = readSiteFiles(directory);
  const document = files.get(DOCUMENT) ?? missing(buildCommand);
  files.delete(DOCUMENT);
  const fileOf = (request: FastifyRequest): SiteFile | undefined => {
    const path = pathOf(request);
    return files.get(path) ?? (isPage(request, path, reserved) ? document : undefined);
  };
  return {
    takes: (request) => isReading(request) && fileOf(request) !== undefined,
    answer: (request, reply) => sendSiteFile(request, reply, fileOf(request)!, "dashboard"),
  };
}

/** Sends a file, compressed if the client accepts it, or 304 if the client has it. */
export async function sendSiteFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { content, type, status, isHashed, ...file }: SiteFile,
  policy: Parameters<typeof securityHeaders>[0],
): Promise<FastifyReply> {
  const etag = file.etag();
  reply.code(status).headers({
    ...securityHeaders(policy),
    // A name with a hash in it never means anything else.
    "cache-control": isHashed ? "public, max-age=31536000, immutable" : "no-cache",
    vary: "accept-encoding",
    etag,
  });
  if (String(request.headers["if-none-match"] ?? "").includes(etag)) return reply.code(304).send();
  reply.type(type);
  const encoding = ENCODINGS.find((one) => type !== FONT && accepts(one, request));
  return encoding
    ? reply.header("content-encoding", encoding).send(await file.packed(encoding))
    : reply.send(content);
}

/** Brotli first: the dashboard's scripts are an eighth smaller with it. Browsers offer it over HTTPS only. */
const ENCODINGS = ["br", "gzip"] as const;
type Encoding = (typeof ENCODINGS)[number];

const DOCUMENT = "/index.html";

/** Already compressed. */
const FONT = "font/woff2";

const TYPES: Record<string, string> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".md": "text/markdown; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".woff2": FONT,
};

export interface SiteFile {
  content: Buffer;
  etag(): string;
  type: string;
  status: number;
  isHashed: boolean;
  packed(encoding: Encoding): Promise<Buffer>;
}

export function readSiteFiles(directory: string): Map<string, SiteFile> {
  if (!existsSync(directory)) return new Map();
  const names = readdirSync(directory, { recursive: true, encoding: "utf8" });
  return new Map(
    names
      .filter((name) => extname(name) in TYPES)
      .map((name) => {
        const path = `/${name.replaceAll(sep, "/")}`;
        const isHashed = path.startsWith("/assets/");
        const file = join(directory, name);
        return [path, siteFile(readFileSync(file), TYPES[extname(name)]!, { isHashed, file })];
      }),
  );
}

/** For files without a compressed one next to them: half the time of the default, for 2 % more. */
const QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } };

const PACK = {
  br: (content: Buffer, file?: string) =>
    file && existsSync(`${file}.br`) ? readFile(`${file}.br`) : promisify(brotliCompress)(content, QUALITY),
  gzip: (content: Buffer) => promisify(gzip)(content),
};

/** Hashed and packed at the first request for it, and kept. */
export function siteFile(
  content: Buffer,
  type: string,
  { isHashed = false, status = 200, file }: { isHashed?: boolean; status?: number; file?: string } = {},
): SiteFile {
  const packing: { [As in Encoding]?: Promise<Buffer> } = {};
  let hash: string | undefined;
  return {
    content,
    etag: () => (hash ??= `"${createHash("sha256").update(content).digest("base64url").slice(0, 22)}"`),
    type,
    status,
    isHashed,
    packed: (encoding) => (packing[encoding] ??= PACK[encoding](content, file)),
  };
}

function missing(buildCommand: string): SiteFile {
  const text = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Not built</title>
<h1>The pages have not been built</h1><p>The API works. For the pages, run <code>${buildCommand}</code> and start again.</p></html>`;
  return siteFile(Buffer.from(text), TYPES[".html"]!, { status: 503 });
}

/** A browser that goes somewhere says that it wants a document; scripts, tools and images do not. */
function isPage(request: FastifyRequest, path: string, reserved: readonly string[]): boolean {
  const isReserved = reserved.some((prefix) => path === prefix || path.startsWith(`${prefix}/`));
  const wantsDocument = /\btext\/html\b/.test(String(request.headers.accept ?? ""));
  return wantsDocument && !isReserved && !path.split("/").at(-1)!.includes(".");
}

function isReading({ method }: FastifyRequest): boolean {
  return method === "GET" || method === "HEAD";
}

function pathOf({ url }: FastifyRequest): string {
  return url.split("?", 1)[0]!;
}
