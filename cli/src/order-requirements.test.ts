import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type DemoService, startDemo } from "../../sdk/src/testing/demo-service.ts";
import { cliHome, type CliEnvironment, runCli } from "./testing/run-cli.ts";

let demo: DemoService;
let env: CliEnvironment;
const home = cliHome();
beforeAll(async () => {
  demo = await startDemo();
  env = {
    ...home.env,
    DIALPLANE_URL: demo.base_url,
    DIALPLANE_API_KEY: demo.organisations[0]!.sessions.owner,
    COLUMNS: "80",
  };
});
afterAll(async () => {
  await demo?.[Symbol.asyncDispose]();
  home.remove();
});

const run = (...argv: string[]) => runCli([...argv, "-e", "test", "--yes"], env);
async function json<Answer>(...argv: string[]): Promise<Answer> {
  const { exitCode, stdout, stderr } = await run(...argv, "--json");
  expect(exitCode, stderr).toBe(0);
  return JSON.parse(stdout) as Answer;
}

test("takes an order that needs an address and a document from action_required to completion", async () => {
  const placed = await run("order", "--number", "+16295550151");
  expect(placed.exitCode, placed.stderr).toBe(8);
  expect(placed.stdout).toContain("action_required");
  const order = /dialplane orders requirements (\S+)/.exec(placed.stderr)![1]!;

  const missing = await json<{ id: string; status: string }[]>("orders", "requirements", order);
  expect(missing.map(({ id, status }) => [id, status])).toEqual([
    ["address", "missing"],
    ["identity", "missing"],
  ]);
  const file = join(home.env["HOME"]!, "passport.pdf");
  writeFileSync(file, "%PDF-1.7\npassport\n");
  const document = await json<{ id: string }>("documents", "upload", file, "--kind", "identity");
  const address = await json<{ id: string }>(
    "addresses",
    "create",
    "--name",
    "Northwind",
    "--street",
    "1 Main Street",
    "--city",
    "Nashville",
    "--postal-code",
    "37201",
    "--country",
    "us",
  );
  const unfit = await run("orders", "submit", order, "identity", "--address", address.id);
  expect([unfit.exitCode, unfit.stderr]).toEqual([2, expect.stringContaining("needs document_id")]);
  await json("orders", "submit", order, "identity", "--document", document.id);
  const submitted = await run("orders", "submit", order, "address", "--address", address.id);
  const job = /dialplane jobs wait (\S+)/.exec(submitted.stderr)![1]!;

  expect((await run("jobs", "wait", job)).exitCode).toBe(0);
  const shown = await run("orders", "show", order);
  expect([shown.exitCode, shown.stdout]).toEqual([0, expect.stringContaining("succeeded")]);

  const copy = join(home.env["HOME"]!, "copy.pdf");
  expect((await run("documents", "download", document.id, "--output", copy)).exitCode).toBe(0);
  expect(readFileSync(copy, "utf8")).toBe("%PDF-1.7\npassport\n");
});
