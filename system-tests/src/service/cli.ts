import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { programPath } from "../../../sdk/src/testing/program-path.ts";
import type { Environment } from "./program.ts";

const CLI = programPath("cli/src/dialplane.ts");

/** JSON output of the CLI, with an API key. */
export async function askCli<Answer>(
  argv: string[],
  { url, key }: { url: string; key: string },
  more: Environment = {},
): Promise<Answer> {
  const home = mkdtempSync(join(tmpdir(), "dialplane-cli-"));
  const env = { HOME: home, DIALPLANE_URL: url, DIALPLANE_API_KEY: key, ...more };
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [CLI, ...argv, "--json"], { env });
    return JSON.parse(stdout) as Answer;
  } finally {
    rmSync(home, { recursive: true });
  }
}
