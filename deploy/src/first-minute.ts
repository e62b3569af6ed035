import { execFileSync, type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { ROOT } from "./bundle-program.ts";
import { packPackages } from "./npm-packages.ts";

/**
 * The first minute of a newcomer: an empty folder, Node and npm, nothing of npm's kept from before. What was typed and
 * what was answered goes into the README, with how long it took.
 */
const folder = mkdtempSync(join(tmpdir(), "dialplane-first-minute-"));
chmodSync(folder, 0o755);
const project = join(folder, "numbers");
mkdirSync(project);
const path = makePath();
const lines: string[] = [];

const tarballs = await packPackages(join(folder, "packages"));
for (const file of tarballs) cpSync(file, join(project, basename(file)));
const names = tarballs.map((file) => `./${basename(file)}`);

const started = performance.now();
say(`$ npm install ${names.join(" ")}`, run("npm", ["install", "--no-fund", ...names]));
const demo = start(["npx", "dialplane", "demo", "--directory", "./kept"]);
const greeting = await untilGreeted(demo);
say("\n$ npx dialplane demo --directory ./kept", greeting, `# ready after ${seconds()} s\n`);

const [, url = "", key = "", command = ""] =
  /export (DIALPLANE_URL=\S+)\s+export (DIALPLANE_API_KEY=\S+)\s+(npx .+)/.exec(greeting) ?? [];
const [program = "", ...args] = command.split(" ");
const answer = run("env", [url, key, program, ...args]);
if (!answer.includes("in_sync")) throw new Error(answer);
say(
  `$ ${command}`,
  answer,
  `# applied ${seconds()} s after the first command, with everything fetched from npm`,
);

process.kill(-demo.pid!, "SIGINT");
await once(demo, "exit");
rmSync(folder, { recursive: true, force: true });
writeReadme(lines.join("\n"));
console.log(lines.join("\n"));

/** Without what is this machine's alone: its paths, its npm's settings, the demo's key. */
function say(...texts: string[]): void {
  lines.push(
    ...texts.map((text) =>
      text
        .trimEnd()
        .replaceAll(`${folder}/`, "~/")
        .replaceAll(/^npm warn Unknown user config .*\n/gm, "")
        .replace(/(svc_live_)\w+/, "$1…"),
    ),
  );
}

function seconds(): string {
  return ((performance.now() - started) / 1_000).toFixed(1);
}

/** Node, npm and a shell, and nothing else: above all no PostgreSQL. */
function makePath(): string {
  const bin = join(folder, "bin");
  mkdirSync(bin);
  symlinkSync(process.execPath, join(bin, "node"));
  const npm = execFileSync("sh", ["-c", "readlink -f $(command -v npm)"], { encoding: "utf8" }).trim();
  symlinkSync(npm, join(bin, "npm"));
  symlinkSync(join(dirname(npm), "npx-cli.js"), join(bin, "npx"));
  for (const name of ["sh", "env"]) symlinkSync(`/bin/${name}`, join(bin, name));
  return bin;
}

function run(program: string, args: string[]): string {
  return execFileSync("/usr/bin/env", [...clean(), "sh", "-c", 'exec "$@" 2>&1', "sh", program, ...args], {
    cwd: project,
    encoding: "utf8",
  });
}

/** The machine's npm settings stay, which say where packages come from; what it has fetched before does not count. */
function clean(): string[] {
  return ["-u", "FORCE_COLOR", `PATH=${path}`, `npm_config_cache=${join(folder, "npm")}`, "NO_COLOR=1"];
}

function start(words: string[]): ChildProcessByStdio<null, Readable, Readable> {
  return spawn("/usr/bin/env", [...clean(), ...words], {
    cwd: project,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
}

async function untilGreeted(child: ChildProcessByStdio<null, Readable, Readable>): Promise<string> {
  let text = "";
  let complaints = "";
  child.stderr.on("data", (chunk) => (complaints += String(chunk)));
  for await (const chunk of child.stdout) {
    text += String(chunk);
    if (text.includes("Ctrl-C")) return text;
  }
  throw new Error(complaints);
}

function writeReadme(transcript: string): void {
  const file = join(ROOT, "README.md");
  const text = readFileSync(file, "utf8");
  const place = /(<!-- first-minute -->\n```console\n)[\s\S]*?(\n```)/;
  if (!place.test(text)) throw new Error("README.md has no place for it.");
  writeFileSync(
    file,
    text.replace(place, (_, before: string, after: string) => before + transcript + after),
  );
}
