import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, globSync, readFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { filesIn, temporaryFolder } from "./testing/temporary-folder.ts";

const DEMO = fileURLToPath(new URL("./demo.ts", import.meta.url));
const FIRST_LINE = "   0.0 s  Loading Dialplane";

test("explains a port in use in one line and leaves nothing behind", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void other.close());
  await once(other, "listening");
  const { port } = other.address() as AddressInfo;
  const demo = startDemo("--port", String(port));
  expect(await demo.end()).toEqual({
    code: 1,
    stdout: "",
    lines: [
      FIRST_LINE,
      `Port ${port} is in use by another program. Stop that program or choose another --port (0 for any free port).`,
    ],
  });
  expect(filesIn(demo.folder)).toEqual([]);
});

test.each([
  [["--port", "99999"], "“99999” is not a port. Choose --port between 0 and 65535."],
  [["--prot", "1"], "Unknown option '--prot'. Run with --help to list the options."],
])("explains %s in one line", async (args, line) => {
  expect(await startDemo(...args).end()).toEqual({ code: 1, stdout: "", lines: [line] });
});

test("removes everything but its log when it is interrupted during the start", async () => {
  const demo = startDemo("--port", "0");
  await demo.until("Starting PostgreSQL");
  await expect.poll(() => demo.find("cluster/data/base")).toHaveLength(1);
  process.kill(-demo.process.pid!, "SIGINT");
  const { code, stdout, lines } = await demo.end();
  expect([code, stdout]).toEqual([130, ""]);
  expect(lines[0]).toBe(FIRST_LINE);
  expect(lines.at(-1)).toMatch(/^ +[\d.]+ s {2}Stopped$/);
  expect(lines.join("\n")).not.toContain("    at ");
  expect(filesIn(demo.folder)).toEqual([demo.log()]);
});

test("stops with one line and removes everything but its log when PostgreSQL is killed", async () => {
  const demo = startDemo("--port", "0");
  await demo.until("Creating the database schema");
  const [file] = demo.find("cluster/data/postmaster.pid");
  process.kill(Number.parseInt(readFileSync(file!, "utf8")), "SIGKILL");
  const { code, stdout, lines } = await demo.end();
  expect([code, stdout]).toEqual([1, ""]);
  expect(lines.at(-1)).toBe(`PostgreSQL has stopped (SIGKILL). Start the demo again. Log: ${demo.log()}`);
  expect(lines.join("\n")).not.toContain("    at ");
  expect(filesIn(demo.folder)).toEqual([demo.log()]);
  expect(readFileSync(demo.log(), "utf8")).toContain("database system is ready to accept connections");
});

test("keeps an unexpected error's stack trace out of the terminal", async () => {
  const demo = startDemo("--port", "0", "--directory", "/dev/null/folder");
  const { code, lines } = await demo.end();
  expect(code).toBe(1);
  expect(lines.slice(1)).toEqual([expect.stringMatching(/^The demo failed: ENOTDIR: .+\.$/)]);
});

interface StartedDemo {
  process: ChildProcessByStdio<null, Readable, Readable>;
  /** Its folder for temporary files. */
  folder: string;
  find(path: string): string[];
  log(): string;
  until(step: string): Promise<void>;
  end(): Promise<{ code: number | null; stdout: string; lines: string[] }>;
}

function startDemo(...args: string[]): StartedDemo {
  const folder = temporaryFolder();
  const demo = spawn("env", [`TMPDIR=${folder}`, process.execPath, DEMO, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  onTestFinished(() => void (demo.exitCode === null && demo.kill("SIGKILL")));
  const closed = once(demo, "close") as Promise<[number | null]>;
  let stdout = "";
  let stderr = "";
  demo.stdout.on("data", (chunk) => (stdout += String(chunk)));
  demo.stderr.on("data", (chunk) => (stderr += String(chunk)));
  return {
    process: demo,
    folder,
    find: (path) => globSync(join(folder, "dialplane-demo-*", path)).filter((file) => existsSync(file)),
    log: () => /^Log: (.+)$/m.exec(stderr)![1]!,
    until: (step) => expect.poll(() => stderr, { interval: 20 }).toContain(step),
    end: async () => {
      const [code] = await closed;
      return { code, stdout, lines: stderr.trimEnd().split("\n") };
    },
  };
}
