import { spawn } from "node:child_process";
import { once } from "node:events";
import { programPath } from "../../sdk/src/testing/program-path.ts";
import type { Settings } from "../src/config.ts";

const MAIN = programPath("server/src/main.ts");

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs the server with these arguments, these settings and no others, until it ends. */
export async function runCommand(
  args: readonly string[],
  settings: Settings,
  program = MAIN,
): Promise<Ended> {
  const child = spawn(process.execPath, [program, ...args], {
    env: {
      PATH: process.env["PATH"],
      NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
      ...settings,
    },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: 120_000,
  });
  const ended: Ended = { code: null, stdout: "", stderr: "" };
  child.stdout.on("data", (chunk: Buffer) => (ended.stdout += chunk));
  child.stderr.on("data", (chunk: Buffer) => (ended.stderr += chunk));
  [ended.code] = (await once(child, "close")) as [number | null];
  return ended;
}
