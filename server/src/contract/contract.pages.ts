import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import type { Config } from "../config.ts";
import { ApiError } from "../platform/api-error.ts";
import { readSiteFiles, sendSiteFile, siteFile, type SiteFile } from "../platform/http/static-site.ts";
import { CONTRACT, OPERATOR_CONTRACT, REPOSITORY, SWITCH_CONTRACT } from "./contract.generated.ts";

const CONTRACTS = [
  ["/openapi.json", CONTRACT],
  ["/operator/openapi.json", OPERATOR_CONTRACT],
  ["/switch/openapi.json", SWITCH_CONTRACT],
] as const;

/** The documentation site, as `npm run docs` builds it. */
const DOCS_SITE = join(REPOSITORY, "tools/docs-site/dist");

/** The contracts, and the documentation with the reference. They need no credential. */
export function registerPages(
  http: FastifyInstance,
  { baseUrl }: Pick<Config, "baseUrl">,
  directory = DOCS_SITE,
): void {
  for (const [url, file] of CONTRACTS) serveContract(http, url, () => contractOf(file, baseUrl));
  serveDocs(http, directory);
}

/** Loaded at the first request and kept: parsing 1.6 MB would delay the start of every process. */
function serveContract(http: FastifyInstance, url: string, load: () => string): void {
  let file: SiteFile | undefined;
  http.get(url, (request, reply) => {
    file ??= siteFile(Buffer.from(load()), "application/json; charset=utf-8");
    return sendSiteFile(request, reply, file, "api");
  });
}

/** The committed contract, with the address of this installation. */
function contractOf(file: string, baseUrl: string): string {
  const contract = JSON.parse(readFileSync(join(REPOSITORY, file), "utf8")) as { servers: object[] };
  const servers = contract.servers.map((server) => ({
    ...server,
    url: baseUrl,
    description: "This installation. Its test environment has the same address.",
    variables: undefined,
  }));
  return JSON.stringify({ ...contract, servers });
}

/** Pages have addresses without an ending. The links between them are relative, so the home page ends with a slash. */
function serveDocs(http: FastifyInstance, directory: string): void {
  let files: Map<string, SiteFile> | undefined;
  http.get("/docs", (_, reply) => reply.redirect("/docs/", 308));
  http.get<{ Params: { "*": string } }>("/docs/*", (request, reply) => {
    files ??= readSiteFiles(directory);
    const path = `/${request.params["*"]}`;
    const file = files.get(path === "/" ? "/index.html" : path) ?? files.get(`${path}.html`);
    if (!file) throw new ApiError("not_found", noPage(files.size > 0));
    return sendSiteFile(request, reply, file, "docs");
  });
}

function noPage(isBuilt: boolean): string {
  return isBuilt
    ? "The documentation has no page at this address. Start at /docs/."
    : "The documentation is not built. Run `npm run docs` and restart the API.";
}
