import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type DemoService, startDemo } from "../../sdk/src/testing/demo-service.ts";
import { COMMANDS } from "./commands.ts";
import { cliHome, type CliEnvironment, masked, runCli } from "./testing/run-cli.ts";
import type { Stage } from "./testing/cli-scene.ts";
import { SCENES, WITHOUT_ANSWER } from "./testing/scenes.ts";

let demo: DemoService;
const home = cliHome();
let env: CliEnvironment;

const envOf = (isOperator: boolean): CliEnvironment =>
  isOperator ? { ...env, DIALPLANE_API_KEY: demo.operator.session } : env;

const stage: Stage = {
  async ask<Answer>(...argv: string[]) {
    const { exitCode, stdout, stderr } = await runCli(
      [...argv, "--json", "--yes"],
      envOf(argv[0] === "operator" || argv.some((one) => one.startsWith("/operator/"))),
    );
    expect([exitCode, stderr.includes("dialplane:")], stderr).toEqual([0, false]);
    return JSON.parse(stdout) as Answer;
  },
  file(text) {
    const path = join(home.env["HOME"]!, "numbers.csv");
    writeFileSync(path, text);
    return path;
  },
};

beforeAll(async () => {
  demo = await startDemo();
  env = {
    ...home.env,
    DIALPLANE_URL: demo.base_url,
    DIALPLANE_API_KEY: demo.organisations[0]!.sessions.owner,
    COLUMNS: "80",
  };
  // Waits until the switch has confirmed all routes of the demo.
  const pending = () => stage.ask<unknown[]>("numbers", "list", "--sync", "pending");
  await vi.waitFor(async () => expect(await pending()).toEqual([]), { timeout: 20_000, interval: 200 });
  // And has said how the targets of connections are.
  const unknown = async () => JSON.stringify(await stage.ask("connections", "list")).includes('"unknown"');
  await vi.waitFor(async () => expect(await unknown()).toBe(false), { timeout: 20_000, interval: 200 });
});

afterAll(async () => {
  await demo?.[Symbol.asyncDispose]();
  home.remove();
});

test("every command has a scene or its own test", () => {
  const shown = SCENES.map(({ name }) => name);
  expect([...shown, ...WITHOUT_ANSWER].sort()).toEqual(COMMANDS.map(({ name }) => name).sort());
});

test.each(SCENES)("$name prints one shape of JSON, and fits into 80 columns", async (scene) => {
  const argv = [...scene.name.split(" "), ...(await scene.args(stage)), "--yes"];
  const as = envOf(scene.asOperator ?? false);
  const json = await runCli([...argv, "--json"], as);
  expect([json.exitCode, json.stderr.includes("dialplane:")], json.stderr).toEqual([0, false]);
  const file = `testing/answers/${scene.name.replaceAll(" ", "-")}.snap`;
  const steady = STEADY[scene.name] ?? String;
  const answer = steady(masked(json.stdout));
  await expect(answer).toMatchFileSnapshot(file);

  if (scene.isOnce) return;
  const table = await runCli(argv, as);
  expect(table.exitCode).toBe(0);
  // Output that is always CSV or JSON is not truncated.
  if (!["api", "export", "calls export"].includes(scene.name))
    expect(table.stdout.split("\n").filter((line) => Array.from(line).length > 80)).toEqual([]);
  const csv = await runCli([...argv, "--csv"], as);
  expect(csv.exitCode).toBe(0);
});

/** Leaves out what depends on the time of the test. */
const STEADY: Record<string, (answer: string) => string> = {
  overview: withoutGaps,
  "operator switches exceptions": withoutDrift,
  "operator overview": withoutState,
};

/** A number of the demo drifts and is repaired every few seconds. */
function withoutDrift(exceptions: string): string {
  const rows = JSON.parse(exceptions) as { state: string }[];
  return `${JSON.stringify(
    rows.filter(({ state }) => state === "failed"),
    null,
    2,
  )}\n`;
}

/** Problems and calls of the demo come and go. */
function withoutState(overview: string): string {
  const shown = JSON.parse(overview) as object;
  return `${JSON.stringify({ ...shown, problems: [], problems_total: 0, active_calls: 0 }, null, 2)}\n`;
}

/** Calls of the overview are null in the part of the day that is still to come. */
function withoutGaps(overview: string): string {
  return overview.replaceAll(/"(calls|answered)": null/g, '"$1": 0');
}
