import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Settings } from "../src/config.ts";

const MAIN = fileURLToPath(new URL("../src/main.ts", import.meta.url));

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs `node server/src/main.ts …` with these settings and no others, until it ends. */
export async function runCommand(args: readonly string[], settings: Settings): Promise<Ended> {
  const child = spawn(process.execPath, [MAIN, ...args], {
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
