import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makePath, readFirstMinute } from "./first-minute-page.ts";
import { packPackages } from "./npm-packages.ts";
import { type NpmRegistry, startRegistry } from "./npm-registry.ts";

const MINUTE = 60_000;
const page = readFirstMinute();

/** A newcomer's machine: Node and npm with an empty cache, and neither PostgreSQL nor this repository on the path. */
const folder = mkdtempSync(join(tmpdir(), "dialplane-packed-"));
const checkout = join(folder, "checkout");
const project = join(folder, "numbers");
const home = join(folder, "home");
const env: Record<string, string> = { HOME: home, npm_config_cache: join(folder, "npm"), NO_COLOR: "1" };
const installed = (name: string): string => join(project, "node_modules/.bin", name);
const directory = join(project, "kept");
const postmaster = join(directory, "cluster/data/postmaster.pid");
const demos: ChildProcess[] = [];
let registry: NpmRegistry;
let tarballs: string[];

beforeAll(async () => {
  chmodSync(folder, 0o755); // PostgreSQL of root runs under another account
  for (const path of [home, checkout]) mkdirSync(path);
  env["PATH"] = makePath(join(folder, "bin"), ["bash", "mkdir", "cp", "sleep", "jq"]);
  registry = await startRegistry();
  env["npm_config_registry"] = registry.url;
  tarballs = await packPackages(join(checkout, "dist/packages"));
}, 3 * MINUTE);

afterAll(async () => {
  for (const demo of demos.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)) {
    process.kill(-demo.pid!, "SIGTERM");
    await once(demo, "exit");
  }
  if (existsSync(postmaster)) process.kill(Number(readFileSync(postmaster, "utf8").split("\n")[0]), "SIGINT");
  await registry?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
}, MINUTE);

test(
  "installs every package from an empty folder with the tutorial's commands",
  { timeout: 4 * MINUTE },
  async () => {
    // CI has run the first two commands of the page, and packPackages has made the packages.
    writeFileSync(join(checkout, "bootstrap"), "#!/bin/sh\n", { mode: 0o755 });
    writeFileSync(join(checkout, "package.json"), JSON.stringify({ scripts: { pack: "exit" } }));
    await type(page.preparation, { cwd: checkout });
    expect(globSync("*.tgz", { cwd: project }).toSorted()).toEqual(
      tarballs.map((file) => basename(file)).toSorted(),
    );
    await type(page.install.command);
    const manifests = globSync("node_modules/{dialplane,@dialplane/*}/package.json", { cwd: project });
    expect(manifests).toHaveLength(tarballs.length);
    for (const path of manifests) {
      const manifest = JSON.parse(readFileSync(join(project, path), "utf8")) as Record<
        string,
        object | undefined
      >;
      expect(manifest["scripts"], path).toBeUndefined();
      const versions = Object.values({ ...manifest["dependencies"], ...manifest["optionalDependencies"] });
      for (const version of versions) expect(version, path).toMatch(/^\d+\.\d+\.\d+(-[\w.]+)?$/);
    }
  },
);

test(
  "starts the demo and changes a routing with the tutorial's commands",
  { timeout: 4 * MINUTE },
  async () => {
    const demo = spawnShell(`${page.demo.command} 2>&1`);
    let greeting = "";
    for await (const chunk of demo.stdout!.iterator({ destroyOnReturn: false })) {
      greeting += String(chunk);
      if (/Ctrl-C.*\n/.test(greeting)) break;
    }
    demo.stdout!.resume();
    expect(shapeOf(greeting)).toBe(shapeOf(page.demo.output));
    const exports = [...greeting.matchAll(/^ *(export DIALPLANE_.+)$/gm)].map(([, line]) => line!);
    const { stdout } = await type([...exports, `${page.change.command} 2>&1`].join("\n"));
    expect(shapeOf(stdout)).toBe(shapeOf(page.change.output));
    const [, url] = /DIALPLANE_URL=(\S+)/.exec(greeting)!;
    expect(await textOf(`${url}/`, "text/html")).toContain('<div id="root">');
    expect(await textOf(`${url}/docs/reference/numbers`)).toContain("List numbers");
    process.kill(-demo.pid!, "SIGINT");
    // npm does not wait for the demo to stop.
    await expect.poll(() => existsSync(postmaster)).toBe(false);
  },
);

test("runs the tutorial's SDK program with the tutorial's commands", { timeout: 4 * MINUTE }, async () => {
  const { file, code, run } = page.program;
  writeFileSync(join(project, file), code);
  // With job control, as in a terminal: each job is a separate process group.
  const script = ["set -m", page.session, ...run.map(({ command }) => command), "kill %1"];
  const { stdout, stderr } = await type(script.join("\n"));
  expect(shapeOf(stdout)).toBe(shapeOf(run.map(({ output }) => output).join("")));
  expect(stderr).not.toContain("Warning");
  await expect.poll(() => existsSync(join(project, "session/cluster/data/postmaster.pid"))).toBe(false);
});

// Continues with the data of the tutorial's demo.
test("keeps its data after a kill", { timeout: 4 * MINUTE }, async () => {
  const desired = { mode: "sip_uri", sip_uri: "sip:desk@pbx.example.com", generation: 3 };
  const first = await startDemo("dialplane-demo", "--calls", "0");
  expect(await routingOf(first)).toMatchObject({ desired });
  await end(first, "SIGKILL");
  const left = Number(readFileSync(postmaster, "utf8").split("\n")[0]);
  expect(isRunning(left), "PostgreSQL outlives a killed demo").toBe(true);

  const second = await startDemo("dialplane", "demo", "--calls", "0");
  expect(isRunning(left)).toBe(false);
  expect(await routingOf(second)).toMatchObject({ desired });
  await expect(startDemo("dialplane", "demo")).rejects.toThrow("Another demo is running");
  expect(await end(second, "SIGTERM")).toBe(0);
});

/** Removes what differs from run to run: IDs, times, keys, ports, paths and numbers of the test environment. */
function shapeOf(text: string): string {
  return text
    .replaceAll(/^(Port 8080 is in use.*| .* \(in progress\))\n/gm, "")
    .replaceAll(/^ +\d+\.\d s /gm, "<seconds> ")
    .replaceAll(/^Log: .*$/gm, "Log: <path>")
    .replaceAll(/[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}/g, "<id>")
    .replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d[\d:.]*Z/g, "<time>")
    .replaceAll(/svc_live_[\w…]+/g, "<key>")
    .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, "<service>")
    .replaceAll(/\(\d+\.\d s\)/g, "(<seconds>)")
    .replaceAll(/\+1917555\d{4}/g, "<number>")
    .trim();
}

/** Types commands into a shell in the newcomer's folder. */
function type(script: string, { cwd = project } = {}): Promise<{ stdout: string; stderr: string }> {
  return promisify(execFile)(join(env["PATH"]!, "bash"), ["-ec", script], { env, cwd });
}

function spawnShell(script: string): ChildProcess {
  const child = spawn(join(env["PATH"]!, "bash"), ["-ec", script], {
    env,
    cwd: project,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  demos.push(child);
  return child;
}

async function routingOf({ url, key, number }: Demo): Promise<unknown> {
  const { stdout } = await promisify(execFile)(installed("dialplane"), ["routing", "get", number, "--json"], {
    env: { ...env, DIALPLANE_URL: url, DIALPLANE_API_KEY: key },
    cwd: home,
  });
  return JSON.parse(stdout);
}

interface Demo {
  process: ChildProcess;
  url: string;
  key: string;
  number: string;
}

function spawnDemo(program: string, ...words: string[]): ChildProcess {
  const args = [...words, "--port", "0", "--directory", directory];
  const demo = spawn(installed(program), args, {
    env,
    cwd: home,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
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
  const { base_url, organisations } = JSON.parse(line) as DemoReady;
  const [{ keys, numbers }] = organisations;
  return { process: demo, url: base_url, key: keys.full, number: numbers[1]!.e164 };
}

interface DemoReady {
  base_url: string;
  organisations: [{ keys: { full: string }; numbers: { e164: string }[] }];
}

async function end({ process: demo }: Demo, signal: NodeJS.Signals): Promise<number | null> {
  demo.kill(signal);
  const [code] = (await once(demo, "exit")) as [number | null];
  return code;
}

async function textOf(url: string, accept = "*/*"): Promise<string> {
  return (await fetch(url, { headers: { accept } })).text();
}

/** An exited process that its parent has not reaped still has a PID, but no command line. */
function isRunning(pid: number): boolean {
  return existsSync(`/proc/${pid}`) && readFileSync(`/proc/${pid}/cmdline`, "utf8") !== "";
}
