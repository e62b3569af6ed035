import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type DemoService, startDemo } from "../../sdk/src/testing/demo-service.ts";
import { cliHome, type CliEnvironment, runCli } from "./testing/run-cli.ts";

let demo: DemoService;
const home = cliHome();
let env: CliEnvironment;

beforeAll(async () => {
  demo = await startDemo("--history", "1");
  env = {
    ...home.env,
    DIALPLANE_URL: demo.base_url,
    DIALPLANE_API_KEY: demo.organisations[0]!.sessions.owner,
    COLUMNS: "80",
  };
  await vi.waitFor(async () => expect(await calls()).not.toEqual([]), { timeout: 60_000, interval: 500 });
});
afterAll(async () => {
  await demo?.[Symbol.asyncDispose]();
  home.remove();
});

interface Shown {
  id: string;
  e164: string;
  result: string;
}

async function calls(...options: string[]): Promise<Shown[]> {
  const { stdout } = await runCli(["calls", "list", ...options, "--json"], env);
  return JSON.parse(stdout) as Shown[];
}

test("lists calls by number and result, within 80 columns", async () => {
  const [first] = await calls("--limit", "1");
  const found = await calls("--number", first!.e164, "--result", first!.result, "--from", "2026-01-01");
  expect(found.map(({ id }) => id)).toContain(first!.id);
  expect(new Set(found.map(({ e164, result }) => `${e164} ${result}`)).size).toBe(1);
  const { stdout, exitCode } = await runCli(["calls", "list", "--limit", "5"], env);
  expect(exitCode).toBe(0);
  expect(stdout.split("\n").filter((line) => Array.from(line).length > 80)).toEqual([]);
});

test("shows a call with its destination and attempts", async () => {
  const [answered] = await calls("--result", "answered", "--limit", "1");
  const { stdout } = await runCli(["calls", "show", answered!.id], env);
  expect(stdout).toContain(answered!.e164);
  expect(stdout).toMatch(/Misrouted +(no|unknown)/);
  expect(stdout).toMatch(/Attempt 1 +\S+ answered \(200\)/);
});

test("fails for an unknown call", async () => {
  const { stderr, exitCode } = await runCli(["calls", "show", "0".repeat(32)], env);
  expect(exitCode).not.toBe(0);
  expect(stderr).toContain("call");
});
