import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const PROGRAM = fileURLToPath(new URL("../benchmarks.ts", import.meta.url));

/** Runs one part of the benchmarks. */
export async function bench<Outcome>(part: string, size: readonly string[]): Promise<Outcome> {
  const run = promisify(execFile)(process.execPath, [PROGRAM, "--only", part, "--json", ...size]);
  return JSON.parse((await run).stdout) as Outcome;
}
