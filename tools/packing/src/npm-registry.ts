import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { ROOT } from "./bundle-program.ts";

export interface NpmRegistry extends AsyncDisposable {
  url: string;
}

const TARBALL = "/-/package.tgz";

/**
 * Serves the packages in node_modules, in their installed versions. With it, npm installs with an empty cache
 * and without a network. It lacks our own packages, so those must come from the tarballs.
 */
export async function startRegistry(): Promise<NpmRegistry> {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? "").slice(1);
    const name = path.endsWith(TARBALL) ? path.slice(0, -TARBALL.length) : path;
    const manifest = join(ROOT, "node_modules", name, "package.json");
    if (name.startsWith("@dialplane/") || !existsSync(manifest))
      return void response.writeHead(404).end("{}");
    tarballOf(name).then(
      (tarball) =>
        response.end(path === name ? describe(manifest, tarball, `${url}/${name}${TARBALL}`) : tarball),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** The same bytes every time, because npm compares checksums. Not compressed, because that takes seconds. */
async function tarballOf(name: string): Promise<Buffer> {
  const folder = join(ROOT, "node_modules", name);
  const how = ["--sort=name", "--exclude=./node_modules", "--transform=s,^\\.,package,"];
  const { stdout } = await promisify(execFile)("tar", ["--create", ...how, "--directory", folder, "."], {
    encoding: "buffer",
    maxBuffer: 500_000_000,
  });
  return stdout;
}

function describe(manifestFile: string, tarball: Buffer, url: string): string {
  const manifest = JSON.parse(readFileSync(manifestFile, "utf8")) as { name: string; version: string };
  const integrity = `sha512-${createHash("sha512").update(tarball).digest("base64")}`;
  return JSON.stringify({
    name: manifest.name,
    "dist-tags": { latest: manifest.version },
    versions: { [manifest.version]: { ...manifest, dist: { tarball: url, integrity } } },
  });
}
