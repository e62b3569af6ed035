import { execFile } from "node:child_process";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

/**
 * Builds the current pages as served. Runs in a separate process, because the test runner would build React
 * for development.
 */
export default async function setup(): Promise<void> {
  await promisify(execFile)(join(dirname(import.meta.dirname), "build-if-changed"));
}
