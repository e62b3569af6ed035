import { type ChildProcessByStdio, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { Readable } from "node:stream";
import { ROOT } from "./bundle-program.ts";
import { FIRST_MINUTE, makePath, readFirstMinute } from "./first-minute-page.ts";
import { packPackages } from "./npm-packages.ts";

/**
 * Runs the tutorial's first commands in an empty folder with Node, npm and an empty npm cache, and writes their output
 * and the time they took into the tutorial.
 */
const folder = mkdtempSync(join(tmpdir(), "dialplane-first-minute-"));
chmodSync(folder, 0o755);
const project = join(folder, "numbers");
mkdirSync(project);
const path = makePath(join(folder, "bin"));
const { install, demo, change } = readFirstMinute();
const lines: string[] = [];
for (const file of await packPackages(join(folder, "packages"))) cpSync(file, join(project, basename(file)));

const started = performance.now();
say(`$ ${install.command}`, run(install.command));
const running = start(demo.command);
const greeting = await untilGreeted(running);
say(`\n$ ${demo.command}`, greeting, `# ready after ${seconds()} s\n`);

const exports = [...greeting.matchAll(/^ *(export DIALPLANE_.+)$/gm)].map(([, line]) => line!);
const answer = run([...exports, change.command].join("\n"));
if (!answer.includes("in_sync")) throw new Error(answer);
say(
  `$ ${change.command}`,
  answer,
  `# applied ${seconds()} s after the first command, with everything fetched from npm`,
);

process.kill(-running.pid!, "SIGINT");
await once(running, "exit");
rmSync(folder, { recursive: true, force: true });
writeTutorial(lines.join("\n"));
console.log(lines.join("\n"));

/** Leaves out the paths of this machine, its npm settings and the demo's key. */
function say(...texts: string[]): void {
  lines.push(
    ...texts.map((text) =>
      text
        .trimEnd()
        .replaceAll(`${folder}/`, "~/")
        .replaceAll(/^npm warn Unknown user config .*\n/gm, "")
        .replaceAll(/^Port 8080 is in use.*\n/gm, "")
        .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, "http://127.0.0.1:8080")
        .replace(/(svc_live_)\w+/, "$1…"),
    ),
  );
}

function seconds(): string {
  return ((performance.now() - started) / 1_000).toFixed(1);
}

function run(script: string): string {
  return execFileSync("/usr/bin/env", inShell(script), { cwd: project, encoding: "utf8" });
}

/** The machine's npm settings stay, which name the registry. Its npm cache is not used. */
function inShell(script: string): string[] {
  const settings = [`PATH=${path}`, `npm_config_cache=${join(folder, "npm")}`, "NO_COLOR=1"];
  return ["-u", "FORCE_COLOR", ...settings, "npm_config_fund=false", "sh", "-c", `exec 2>&1\n${script}`];
}

function start(command: string): ChildProcessByStdio<null, Readable, null> {
  return spawn("/usr/bin/env", inShell(command), {
    cwd: project,
    detached: true,
    stdio: ["ignore", "pipe", "ignore"],
  });
}

async function untilGreeted(child: ChildProcessByStdio<null, Readable, null>): Promise<string> {
  let text = "";
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    text += String(chunk);
    if (/Ctrl-C.*\n/.test(text)) return text;
  }
  throw new Error(text);
}

function writeTutorial(transcript: string): void {
  const file = join(ROOT, "docs/tutorial.md");
  writeFileSync(
    file,
    readFileSync(file, "utf8").replace(FIRST_MINUTE, () => transcript),
  );
}
