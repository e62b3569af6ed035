import { afterAll, beforeAll, expect, test } from "vitest";
import { type DemoService, startDemo } from "../../sdk/src/testing/demo-service.ts";
import { cliHome, type CliEnvironment, runCli } from "./testing/run-cli.ts";

const SALES = "+493010000001";

const home = cliHome();
let demo: DemoService;
let asOwner: CliEnvironment;

beforeAll(async () => {
  demo = await startDemo();
  asOwner = {
    ...home.env,
    DIALPLANE_URL: demo.base_url,
    DIALPLANE_API_KEY: demo.organisations[0]!.sessions.owner,
  };
});
afterAll(async () => {
  await demo?.[Symbol.asyncDispose]();
  home.remove();
}, 60_000);

test("selects fields of the JSON, and filters it with jq", async () => {
  const printed = async (...argv: string[]) => {
    const { exitCode, stdout, stderr } = await runCli(argv, asOwner);
    expect([exitCode, stderr]).toEqual([0, ""]);
    return stdout;
  };
  const all = JSON.parse(await printed("numbers", "show", SALES, "--json")) as { id: string; status: string };
  for (const fields of [["--json=id,status"], ["--json", "id,status"]])
    expect(JSON.parse(await printed("numbers", "show", SALES, ...fields))).toEqual({
      id: all.id,
      status: all.status,
    });
  expect(await printed("numbers", "show", SALES, "--jq", ".status")).toBe("active\n");
  expect(
    await printed(
      "numbers",
      "list",
      "--search",
      "301000000",
      "--tag",
      "berlin",
      "--json=e164",
      "--jq",
      ".[] | keys[0]",
    ),
  ).toMatch(/^(e164\n)+$/);

  const failure = async (...argv: string[]) => {
    const { exitCode, stderr } = await runCli(argv, asOwner);
    return [exitCode, stderr];
  };
  expect(await failure("numbers", "show", SALES, "--json=colour")).toEqual([
    2,
    expect.stringMatching(/there is no field “colour”. Use some of id, e164/),
  ]);
  expect(await failure("numbers", "show", SALES, "--jq", ".[")).toEqual([
    2,
    expect.stringContaining("--jq: "),
  ]);
  expect(await failure("numbers", "show", SALES, "extra")).toEqual([
    2,
    expect.stringContaining("does not take the argument “extra”"),
  ]);
});

test("rolls back under both spellings, and triggers events in the test environment only", async () => {
  const helpOf = async (name: string) => (await runCli(["routing", name, "--help"], asOwner)).stdout;
  expect(await helpOf("roll-back")).toBe(await helpOf("rollback"));
  const trigger = (...argv: string[]) => runCli(["events", "trigger", ...argv], asOwner);
  expect(await trigger("order.completed")).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("Add -e test"),
  });
  expect(await trigger("order.lost", "-e", "test")).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("Use one of connection.created"),
  });
  const types = [
    "connection.deleted",
    "number.changed",
    "number.quarantined",
    "order.completed",
    "order.failed",
  ];
  for (const type of [...types, "routing.failed"]) {
    const { exitCode, stdout, stderr } = await trigger(type, "-e", "test", "--jq", ".type");
    expect([exitCode, stdout, stderr], type).toEqual([0, `${type}\n`, ""]);
  }
});

test("shows an example for each group of commands", async () => {
  const { stdout } = await runCli(["--help"], asOwner);
  const groups = stdout.split("\n\n").filter((part) => /^[A-Z][\w -]+:\n/.test(part));
  expect(groups.length).toBeGreaterThan(20);
  expect(groups.filter((part) => !part.includes("  $ dialplane "))).toEqual([]);
});
