import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

/**
 * Tests see the pages as they are now, never those of an earlier build, and as they are served: in a process of its
 * own, because inside the test runner React would be built for development.
 */
export default async function setup(): Promise<void> {
  const vite = join(dirname(createRequire(import.meta.url).resolve("vite/package.json")), "bin/vite.js");
  const folder = dirname(import.meta.dirname);
  await promisify(execFile)(process.execPath, [vite, "build", folder, "--logLevel", "error"], {
    env: { NODE_ENV: "production" },
  });
}
