import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type DemoService, startDemo } from "../../sdk/src/testing/demo-service.ts";
import { cliHome, type Ended, runCli } from "./testing/run-cli.ts";

const NETWORKS = ["198.51.100.0/24", "203.0.113.7"];
/** Its switch is not one of the demo, so that its agent applies nothing. */
const GROUP = "vienna";
const home = cliHome();
let demo: DemoService;
let credential: string;
const directory = home.env["HOME"]!;
const settings = join(directory, "switch.json");

beforeAll(async () => {
  demo = await startDemo();
  const { id } = await made("switch-groups", { name: GROUP });
  ({ credential } = await made("switches", { name: "edge-1", group_id: id }));
  writeFileSync(join(directory, "acme.password"), "correct horse\n");
  writeFileSync(
    settings,
    JSON.stringify({
      name: "edge-1",
      listen: ["udp:203.0.113.5:5060", "tcp:203.0.113.5:5060"],
      data_dir: "/var/lib/dialplane",
      run_dir: "/run/dialplane",
      secrets_file: "/etc/dialplane/switch.secret",
      trunks: [
        {
          name: "acme",
          direction: "both",
          sources: NETWORKS,
          transport: "udp",
          gateway: { host: "198.51.100.9", username: "us", password_file: "/etc/dialplane/acme.password" },
        },
      ],
      forward: { gateway: "acme", prefixes: ["+49"] },
    }),
  );
});
afterAll(async () => {
  await demo?.[Symbol.asyncDispose]();
  home.remove();
});

async function send(
  method: string,
  path: string,
  token: string,
  body: object,
): Promise<Record<string, unknown>> {
  const response = await fetch(demo.base_url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  expect(response.ok).toBe(true);
  return (await response.json()) as Record<string, unknown>;
}
const made = async (what: string, body: object): Promise<{ id: string; credential: string }> =>
  (await send("POST", `/operator/v1/${what}`, demo.operator.session, body)) as never;
const run = (...argv: string[]): Promise<Ended> =>
  runCli(["operator", "trunks", ...argv, "--group", GROUP], {
    ...home.env,
    DIALPLANE_URL: demo.base_url,
    DIALPLANE_API_KEY: demo.operator.session,
  });
const importing = (...more: string[]): Promise<Ended> =>
  run("import", settings, "--password-dir", directory, "--no-wait", ...more);

test("names the networks that an import opens, and the flags that confirm them", async () => {
  for (const flags of [["--yes"], ["--yes", "--open", "198.51.100.0/25"]]) {
    const { exitCode, stderr } = await importing(...flags);
    expect(exitCode).toBe(2);
    expect(stderr).toContain("next:    repeat the command with --open 198.51.100.0/24 --open 203.0.113.7");
    expect(stderr).toContain("+ acme gateway.password");
    expect(stderr).not.toContain("correct horse");
  }
  const list = JSON.parse((await run("list", "--json")).stdout);
  expect(list).toMatchObject({ is_managed: false, trunks: [] });
});

test("imports the trunks of a switch's file, with forwarding and passwords", async () => {
  const { exitCode, stderr, stdout } = await importing(
    "--yes",
    "--json",
    ...NETWORKS.flatMap((network) => ["--open", network]),
  );
  expect([exitCode, stderr]).toEqual([
    0,
    expect.stringContaining("You can now remove `trunks` and `forward`"),
  ]);
  expect(JSON.parse(stdout)).toMatchObject({
    revision: 1,
    trunks: [{ name: "acme", gateway: { port: 5060, password_set_at: expect.any(String) } }],
    forwarding: { gateways: [{ trunk: "acme", ping: false }], calls_per_minute: 60 },
  });
  const sent = await send("PUT", "/switch/v1/trunks", credential, {
    etag: null,
    trunks: [],
    forwarding: { found: null, error: "" },
  });
  expect(Object.values(sent["passwords"] as object)).toEqual(["correct horse"]);
  expect(await importing("--yes", "--json")).toMatchObject({ exitCode: 0 });
});

test("changes a trunk with its edited output, and shows the differences", async () => {
  const { stdout } = await run("get", "acme", "--json");
  const file = join(directory, "acme.json");
  writeFileSync(file, JSON.stringify({ ...JSON.parse(stdout), max_calls: 50 }));
  const changed = await run("set", "acme", "--file", file, "--yes", "--no-wait", "--json");
  expect([changed.exitCode, changed.stderr]).toEqual([
    0,
    expect.stringMatching(/- acme max_calls +0[^]*\+ acme max_calls +50/),
  ]);
  expect(JSON.parse(changed.stdout)).toMatchObject({ max_calls: 50, gateway: { username: "us" } });
  expect((await run("set", "acme", "--file", file, "--yes")).stderr).toContain("already set");
});

test("reports a switch that has not applied a change in time", async () => {
  const { exitCode, stderr } = await run("restore", "1", "--yes", "--timeout", "1");
  expect(exitCode).toBe(8);
  expect(stderr).toContain("The trunks are saved, but not applied on edge-1");
});
