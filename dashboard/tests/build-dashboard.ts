import { execFile } from "node:child_process";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

/**
 * Tests see the pages as they are now, never those of an earlier build, and as they are served: in a process of its
 * own, because inside the test runner React would be built for development.
 */
export default async function setup(): Promise<void> {
  await promisify(execFile)(join(dirname(import.meta.dirname), "build-if-changed"));
}
