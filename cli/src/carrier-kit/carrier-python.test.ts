import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testCarrier } from "./test-carrier.ts";

const EXAMPLE = join(import.meta.dirname, "../../../examples/carrier-python");
const SECRET = "of carrier and Dialplane";

describe("the example carrier in Python", () => {
  const folder = mkdtempSync(join(tmpdir(), "carrier-python-"));
  let server: ChildProcess;
  let url: string;

  beforeAll(async () => {
    const secretFile = join(folder, "carrier.secret");
    writeFileSync(secretFile, `${SECRET}\n`);
    const database = join(folder, "carrier.sqlite");
    const argv = ["--port", "0", "--secret-file", secretFile, "--database", database];
    const started = spawn("python3", [join(EXAMPLE, "carrier.py"), ...argv], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    server = started;
    const [line] = (await once(createInterface(started.stdout), "line")) as [string];
    url = /http:\/\/[\d.]+:\d+/.exec(line)![0];
  });

  afterAll(async () => {
    server.kill();
    if (server.exitCode === null && server.signalCode === null) await once(server, "exit");
    rmSync(folder, { recursive: true });
  });

  test("passes every check of the kit", async () => {
    const regulated = Array.from({ length: 20 }, (_, at) => `+4940100${String(at + 1).padStart(5, "0")}`);
    const report = await testCarrier({ url, secret: SECRET, regulated });
    expect(report.checks.filter(({ result }) => result !== "passed")).toEqual([]);
    expect(report.failed).toBe(0);
    expect(report).toMatchObject({
      features: ["inventory", "restore", "delivery", "requirements"],
      not_returned: [],
    });
  });

  test("has the number of lines that its README states", () => {
    const lines = readFileSync(join(EXAMPLE, "carrier.py"), "utf8").trimEnd().split("\n").length;
    expect(readFileSync(join(EXAMPLE, "README.md"), "utf8")).toContain(`in ${lines} lines`);
  });
});
