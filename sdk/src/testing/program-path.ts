import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = new URL("../../../", import.meta.url);

/**
 * Path of a program for tests to start: its bundle, if this run has one (tools/packing/src/bundle-for-tests.ts),
 * otherwise its source. `source` is seen from the root of the repository.
 */
export function programPath(source: string): string {
  const bundles = process.env["DIALPLANE_BUNDLES"];
  return bundles ? join(bundles, source.replace(/\.ts$/, ".js")) : fileURLToPath(new URL(source, ROOT));
}
