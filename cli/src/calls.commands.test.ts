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
  expect(stdout).toMatch(/Attempt 1 +step 1 \(\w+\) \S+: answered \(200\)/);
});

test("explains why the switch ended a call", async () => {
  const [unanswered] = await calls("--result", "no_answer", "--limit", "1");
  const { stdout } = await runCli(["calls", "show", unanswered!.id], env);
  expect(stdout).toMatch(/Reason +no_answer: the destination did not respond/);
});

test("fails for an unknown call", async () => {
  const { stderr, exitCode } = await runCli(["calls", "show", "0".repeat(32)], env);
  expect(exitCode).not.toBe(0);
  expect(stderr).toContain("call");
});

test("finds calls of all organisations for operators", async () => {
  const asOperator = { ...env, DIALPLANE_API_KEY: demo.operator.session };
  const find = async (...options: string[]): Promise<(Shown & { organisation_id: string | null })[]> => {
    const { stdout } = await runCli(["operator", "calls", "find", ...options, "--json"], asOperator);
    return JSON.parse(stdout) as (Shown & { organisation_id: string | null })[];
  };
  const [first] = (await calls("--limit", "1")) as (Shown & { sip_call_id: string; caller: string })[];
  const { id, e164, sip_call_id: callId, caller } = first!;
  for (const options of [
    ["--call-id", callId],
    ["--caller", caller, "--limit", "1000"],
    ["--called", e164],
  ])
    expect((await find(...options)).map((call) => call.id)).toContain(id);
  expect(await find("--call-id", "unknown@carrier.example")).toEqual([]);
  const shown = await runCli(["operator", "calls", "show", id], asOperator);
  expect(shown.stdout).toMatch(/Organisation +[0-9a-f-]{36}/);
  expect((await runCli(["operator", "calls", "find"], asOperator)).exitCode).toBe(2);
});
