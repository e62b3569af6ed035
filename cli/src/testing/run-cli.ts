import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { programPath } from "../../../sdk/src/testing/program-path.ts";
import { runDialplane } from "../run-dialplane.ts";

export const PROGRAM = programPath("cli/src/dialplane.ts");

export interface Ended {
  exitCode: number;
  stdout: string;
  stderr: string;
  /** Both, as they came. */
  transcript: string;
}

export type CliEnvironment = Record<string, string>;

/** A separate home directory, without the machine's settings. */
export function cliHome(): { env: CliEnvironment; credentials: string; remove(): void } {
  const home = mkdtempSync(join(tmpdir(), "dialplane-cli-"));
  return {
    env: { HOME: home, PATH: "/usr/bin:/bin", LANG: "C.UTF-8" },
    credentials: join(home, ".config/dialplane/credentials.json"),
    remove: () => rmSync(home, { recursive: true, force: true }),
  };
}

/** The program inside this process, with its own streams: what it prints, and how it ends. */
export async function runCli(
  argv: string[],
  env: CliEnvironment,
  signal: AbortSignal = new AbortController().signal,
): Promise<Ended> {
  const all: string[] = [];
  const [stdout, stderr] = [gather(all), gather(all)];
  const exitCode = await runDialplane({
    argv,
    env,
    signal,
    stdin: Readable.from([]),
    stdout: stdout.stream,
    stderr: stderr.stream,
  });
  return { exitCode, stdout: stdout.text(), stderr: stderr.text(), transcript: all.join("") };
}

function gather(all: string[]): { stream: Writable; text(): string } {
  const chunks: string[] = [];
  const stream = new Writable({
    write(chunk, _, done) {
      chunks.push(String(chunk));
      all.push(String(chunk));
      done();
    },
  });
  return { stream, text: () => chunks.join("") };
}

export interface CliProcess {
  child: ChildProcessByStdio<null, Readable, Readable>;
  /** Output, growing while the program runs. */
  stdout(): string;
  stderr(): string;
  ended: Promise<number | null>;
}

/** The program as a separate process. */
export function spawnCli(argv: string[], env: CliEnvironment): CliProcess {
  const child = spawn(process.execPath, [PROGRAM, ...argv], { env, stdio: ["ignore", "pipe", "pipe"] });
  const printed = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk) => (printed.stdout += String(chunk)));
  child.stderr.on("data", (chunk) => (printed.stderr += String(chunk)));
  return {
    child,
    stdout: () => printed.stdout,
    stderr: () => printed.stderr,
    ended: once(child, "close").then(([code]) => code as number | null),
  };
}

/** Ids and times differ from run to run, and so does the port. */
export function masked(text: string): string {
  return text
    .replace(/[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}/g, "<id>")
    .replace(/[0-9a-f]{8}-[0-9a-f-]*…/g, "<id>…")
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<time>")
    .replace(/\d{4}-\d\d-\d\d \d\d:\d\dZ/g, "<time>")
    .replace(/http:\/\/127\.0\.0\.1:\d+/g, "<service>")
    .replace(/\d+\.\d s/g, "<seconds>")
    .replace(/("(?:complete_through|observed_at|applied_at)":) (?:null|"<time>")/g, '$1 "<time or null>"')
    .replace(/("took_ms":) (?:null|\d+)/g, '$1 "<ms or null>"')
    .replace(/within \d+ ms/g, "within <time>")
    .replace(/("sequence":) ?\d+/g, '$1"<count>"')
    .replace(/Node [\d.]+/g, "Node <version>")
    .replace(/"agent_version": "[^"]+"/g, '"agent_version": "<version>"')
    .replace(/"(lag|exceptions|attempts)": \d+/g, '"$1": "<count>"')
    .replace(/"boot": "[^"]+"/g, '"boot": "<boot>"')
    .replace(/svc_\w+_[\w-]+|whsec_[\w+/=]+/g, "<secret>")
    .replace(/"key_hint": "\w+"/g, '"key_hint": "<hint>"')
    .replace(/"hint": "\w+"/g, '"hint": "<hint>"');
}
