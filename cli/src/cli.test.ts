import { execFile } from "node:child_process";
import { once } from "node:events";
import { chmodSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { verifyWebhook } from "@dialplane/sdk";
import { openBrowser } from "../../sdk/src/testing/open-browser.ts";
import { type DemoService, startDemo } from "../../sdk/src/testing/demo-service.ts";
import { COMMANDS } from "./commands.ts";
import { cliHome, type CliEnvironment, masked, PROGRAM, runCli, spawnCli } from "./testing/run-cli.ts";
import { openScreen } from "./testing/tmux-screen.ts";

const SALES = "+493010000001";
/** Password of all demo users, from its greeting. */
const PASSWORD = "correct horse battery staple";

let demo: DemoService;
let home: ReturnType<typeof cliHome>;
let asOwner: CliEnvironment;

beforeAll(async () => {
  demo = await startDemo();
});
afterAll(() => demo?.[Symbol.asyncDispose](), 60_000);
beforeEach(() => {
  home = cliHome();
  asOwner = as(demo.organisations[0]!.sessions.owner);
});
afterEach(() => home.remove());

const as = (credential: string): CliEnvironment => ({
  ...home.env,
  DIALPLANE_URL: demo.base_url,
  DIALPLANE_API_KEY: credential,
});

test.each([
  { page: "docs/cli.md", least: 9, credential: () => demo.organisations[1]!.sessions.owner },
  { page: "docs/forwarding-limits.md", least: 1, credential: () => demo.operator.session },
])("what $page shows is what the program prints", async ({ page, least, credential }) => {
  const markdown = readFileSync(new URL(`../../${page}`, import.meta.url), "utf8");
  const env = { ...as(credential()), COLUMNS: "80" };
  const blocks = [...markdown.matchAll(/^```console\n([\s\S]*?)^```$/gm)].map(([, block]) => block!);
  const examples = blocks.flatMap((block) => block.split(/^\$ dialplane /m).slice(1));
  expect(examples.length).toBeGreaterThanOrEqual(least);
  for (const example of examples) {
    const [line = "", ...shown] = example.split("\n");
    const argv = Array.from(line.matchAll(/"([^"]*)"|(\S+)/g), ([, quoted, bare]) => quoted ?? bare!);
    const { transcript } = await runCli(argv, env);
    expect(shapeOf(transcript), line).toBe(shapeOf(shown.join("\n")));
  }
});

test("exports audit entries as a chain that continues, and that a change breaks", async () => {
  const file = join(home.env["HOME"]!, "audit.ndjson");
  const lines = (): string[] => readFileSync(file, "utf8").trimEnd().split("\n");
  expect((await runCli(["audit", "export", file], asOwner)).exitCode).toBe(0);
  const first = lines();
  // An interrupted export has an unfinished line.
  writeFileSync(file, `${first.slice(0, -1).join("\n")}\n${first.at(-1)!.slice(0, 40)}`);
  await runCli(["numbers", "label", "+493010000006", "Audited"], asOwner);
  await vi.waitFor(async () => {
    await runCli(["audit", "export", file], asOwner);
    expect(lines().length).toBeGreaterThan(first.length);
  });
  expect(lines().slice(0, first.length)).toEqual(first);
  const ids = lines().map((line) => (JSON.parse(line) as { id: string }).id);
  expect(new Set(ids).size).toBe(ids.length);

  const verified = await runCli(["audit", "verify", file, "--json"], asOwner);
  expect(JSON.parse(verified.stdout)).toMatchObject({ entries: ids.length });
  const { id, previous_hash: hash } = JSON.parse(lines()[1]!) as { id: string; previous_hash: string };
  const rest = await runCli(["audit", "export", "--after", ids[0]!, "--previous-hash", hash], asOwner);
  expect(rest.stdout.split("\n", 1)).toEqual([lines()[1]]);
  expect(id).toBe(ids[1]);

  writeFileSync(file, `${lines().join("\n").replace('"outcome":"done"', '"outcome":"refused"')}\n`);
  expect(await runCli(["audit", "verify", file], asOwner)).toMatchObject({
    exitCode: 5,
    stderr: expect.stringContaining("a line was changed"),
  });
});

test("reports the kind of error in the exit code, and the next step in the message", async () => {
  const trouble = async (argv: string[], env = asOwner) => {
    const { exitCode, stdout, stderr } = await runCli(argv, env);
    expect(stdout).toBe("");
    return [exitCode, stderr];
  };
  expect(await trouble(["numbers", "lisst"])).toEqual([
    2,
    expect.stringContaining("next:    dialplane numbers list"),
  ]);
  expect(await trouble(["numbers", "list", "--frob"])).toEqual([
    2,
    expect.stringContaining("dialplane numbers list --help"),
  ]);
  expect(await trouble(["numbers", "show"])).toEqual([2, expect.stringContaining("needs <number>")]);
  expect(await trouble(["numbers", "list", "--sync", "perhaps"])).toEqual([
    2,
    expect.stringContaining("in_sync, pending"),
  ]);
  expect(await trouble(["numbers", "list", "--json", "--csv"])).toEqual([
    2,
    expect.stringContaining("either"),
  ]);
  expect(await trouble(["routing", "set", SALES, "--unrouted"])).toEqual([
    2,
    expect.stringContaining("pass --yes"),
  ]);
  expect(await trouble(["routing", "set", SALES, "--sip-uri", "sip:x@10.0.0.1", "-y"])).toEqual([
    2,
    expect.stringMatching(/\(destination_not_allowed\)\n {2}request: [0-9a-f-]{36}\n$/),
  ]);
  expect(await trouble(["numbers", "show", "+4915112345678"])).toEqual([
    3,
    expect.stringContaining("numbers list --search"),
  ]);
  expect(await trouble(["numbers", "list"], home.env)).toEqual([
    4,
    expect.stringContaining("dialplane login"),
  ]);
  const stranger = as("svc_live_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA");
  expect(await trouble(["whoami"], stranger)).toEqual([
    4,
    expect.stringMatching(/unauthenticated[\s\S]*dialplane login\n {2}request: /),
  ]);
  const several = as(demo.multi.session);
  expect(await trouble(["numbers", "list"], several)).toEqual([
    2,
    expect.stringContaining("dialplane orgs use"),
  ]);
  const nobody = { ...asOwner, DIALPLANE_URL: "http://127.0.0.1:9" };
  expect(await trouble(["whoami"], nobody)).toEqual([
    6,
    expect.stringContaining("next:    dialplane doctor"),
  ]);
  expect(await trouble(["whoami"], { ...asOwner, DIALPLANE_URL: "http://numbers.example.com" })).toEqual([
    2,
    expect.stringContaining("unencrypted"),
  ]);
});

test("exits with 7 if a switch rejects a routing and with 8 if it is slow; both are set", async () => {
  const target = ["--sip-uri", "sip:desk@pbx.example.com", "-y", "-e", "test"];
  const refused = await runCli(["routing", "set", "+12025550102", ...target], asOwner);
  expect([refused.exitCode, refused.stdout]).toEqual([7, ""]);
  expect(refused.stderr).toContain("next:    dialplane routing get");
  const late = await runCli(["routing", "set", "+12025550101", ...target, "--timeout", "1"], asOwner);
  expect(late.exitCode).toBe(8);
  const { stdout } = await runCli(["routing", "history", "+12025550101", "-e", "test", "--json"], asOwner);
  expect(JSON.parse(stdout)[0]).toMatchObject({ desired: { sip_uri: "sip:desk@pbx.example.com" } });
});

test("prints help of a command, a group and all commands to stdout, in 80 columns", async () => {
  const each = COMMANDS.map(({ name }) => [...name.split(" "), "--help"]);
  for (const argv of [...each, ["--help"], ["numbers", "--help"], ["help", "routing", "set"]]) {
    const { exitCode, stdout, stderr } = await runCli(argv, home.env);
    expect([exitCode, stderr], argv.join(" ")).toEqual([0, ""]);
    expect(stdout.split("\n").filter(({ length }) => length > 80)).toEqual([]);
  }
  expect(await runCli([], home.env)).toMatchObject({ exitCode: 2, stdout: "" });
  expect((await runCli(["--version"], home.env)).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test("who listens no longer ends it without a word", async () => {
  const script = (listener: string) =>
    `"$NODE" "$PROGRAM" numbers list --json 2> "$HOME/stderr" | ${listener}; echo "\${PIPESTATUS[0]}"; cat "$HOME/stderr"`;
  const pipe = async (listener: string): Promise<string> => {
    const env = { ...asOwner, NODE: process.execPath, PROGRAM };
    return (await promisify(execFile)("bash", ["-c", script(listener)], { env })).stdout;
  };
  expect(await pipe("true")).toBe("141\n");
  expect(await pipe("head -1")).toMatch(/^\[\n(0|141)\n$/);
});

test("Ctrl-C ends it with 130 and without a word", async () => {
  const login = spawnCli(["login", demo.base_url, "--no-browser"], home.env);
  await expect.poll(login.stderr).toContain("/authorise?");
  const said = login.stderr();
  login.child.kill("SIGINT");
  expect(await login.ended).toBe(130);
  expect([login.stdout(), login.stderr()]).toEqual(["", said]);
});

test("signing in through a browser or by a typed code, choosing an organisation, and signing out", async () => {
  const browser = await openBrowser();
  try {
    const page = await browser.newPage();
    page.setDefaultTimeout(60_000);
    const byBrowser = spawnCli(["login", `${demo.base_url}/`, "--no-browser"], home.env);
    await expect.poll(byBrowser.stderr).toContain("/authorise?");
    await page.goto(/http\S+/.exec(byBrowser.stderr())![0]);
    await page.getByLabel("Email address").fill("robin@consulting.example");
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("button", { name: "Authorise" }).click();
    await page.getByText("You are signed in. Close this tab").waitFor();
    expect(await byBrowser.ended).toBe(0);
    expect(byBrowser.stderr()).toContain("You belong to 2 organisations");
    expect(statSync(home.credentials).mode & 0o777).toBe(0o600);

    const run = (...argv: string[]) => runCli(argv, home.env);
    expect((await run("numbers", "list")).exitCode).toBe(2);
    expect((await run("orgs", "use", "lumen clinics", "-e", "test")).stderr).toBe(
      "Now using Lumen Clinics, test environment.\n",
    );
    const who = JSON.parse((await run("whoami", "--json")).stdout) as object;
    expect(who).toMatchObject({
      organisation: { name: "Lumen Clinics" },
      environment: "test",
      role: "owner",
    });
    expect((await run("numbers", "show", "+12025550100")).exitCode).toBe(0);
    expect((await run("numbers", "show", "+12025550100", "-e", "live")).exitCode).toBe(3);

    const byCode = spawnCli(["login", "--device"], home.env);
    await expect.poll(byCode.stderr).toMatch(/\n {2}\S+\n/);
    await page.goto(/http\S+/.exec(byCode.stderr())![0]);
    await page.getByLabel("Code").fill(/\n {2}(\S+)\n/.exec(byCode.stderr())![1]!);
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("button", { name: "Authorise" }).click();
    expect(await byCode.ended).toBe(0);
    expect((await run("whoami", "--json")).stdout, "goes on where it was").toContain("Lumen Clinics");

    const [{ token }] = Object.values(
      (
        JSON.parse(readFileSync(home.credentials, "utf8")) as {
          services: Record<string, { token: string }>;
        }
      ).services,
    ) as [{ token: string }];
    expect(await run("logout")).toMatchObject({ exitCode: 0, stdout: "" });
    expect(readFileSync(home.credentials, "utf8")).not.toContain("svc_cli_");
    expect((await runCli(["whoami"], as(token))).exitCode, "it is worth nothing elsewhere either").toBe(4);
  } finally {
    await browser.close();
  }
});

test("a sign-in that others can read is not used", async () => {
  const service = { token: "svc_cli_x", expires_at: "", user: { name: "", email: "" } };
  const { openCredentials } = await import("./credentials.ts");
  openCredentials(home.credentials).set(demo.base_url, service);
  chmodSync(home.credentials, 0o640);
  expect(await runCli(["whoami"], home.env)).toMatchObject({
    exitCode: 4,
    stderr: expect.stringContaining("chmod 600"),
  });
});

test("an order shows how far it is in a terminal, after the count was typed; Ctrl-C at a question ends with 130", async () => {
  await using screen = await openScreen({ ...asOwner, NODE: process.execPath, PROGRAM });
  const shows = (part: string | RegExp) => expect.poll(screen.text).toMatch(part);
  const order = "order -e test --number +17185550111 --number +17185550150";
  await screen.type(`clear; "$NODE" "$PROGRAM" ${order}; echo "exit $?"`, "Enter");
  await shows(/Order 2 numbers for Northwind Telecom in the test environment\?\s+Type 2 to confirm:/);
  await screen.type("2", "Enter");
  await shows(/█{12}░{12} {2}1 of 2 {2}waiting: carrier_pending {2}\d+\.\d s/);
  await shows(/2 of 2 numbers ordered[\s\S]*\+17185550111 {2}succeeded[\s\S]*exit 0/);

  await screen.type(`clear; "$NODE" "$PROGRAM" release -e test +17185550150; echo "exit $?"`, "Enter");
  await shows(/Type \+17185550150 to confirm:/);
  await screen.type("C-c");
  await shows(/exit 130/);
  await screen.type(`clear; "$NODE" "$PROGRAM" release -e test +17185550150; echo "exit $?"`, "Enter");
  await shows(/Type \+17185550150 to confirm:/);
  await screen.type("no", "Enter");
  await shows(/Nothing was changed\.\s+exit 2/);
});

test("live draws one screen and restores the terminal when it ends", async () => {
  await using screen = await openScreen({ ...asOwner, NODE: process.execPath, PROGRAM });
  const shows = (part: string | RegExp) => expect.poll(screen.text).toMatch(part);
  await screen.type(`clear; "$NODE" "$PROGRAM" live; echo "exit $?"`, "Enter");
  await shows(/0 calls on 20 numbers, as of \d\d:\d\d:\d\dZ \(Ctrl-C to exit\)\s+NUMBER/);
  await screen.type("C-c");
  await shows(/exit 130/);
  expect(await screen.text()).not.toContain("NUMBER");
});

test("events are forwarded to a program on this machine, signed, and printed as they come", async () => {
  const received: { body: string; headers: IncomingHttpHeaders }[] = [];
  const receiver = createServer((request, response) => {
    void text(request).then((body) => {
      received.push({ body, headers: request.headers });
      response.writeHead(204).end();
    });
  }).listen(0, "127.0.0.1");
  await once(receiver, "listening");
  const address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`;
  const secret = `whsec_${Buffer.from("a secret of thirty-two bytes, ok").toString("base64")}`;
  const listen = spawnCli(["webhooks", "listen", address, "-e", "test", "--json"], {
    ...asOwner,
    DIALPLANE_WEBHOOK_SECRET: secret,
  });
  const tail = spawnCli(
    ["events", "tail", "--json", "-n", "0", "-e", "test", "--type", "routing.changed"],
    asOwner,
  );
  try {
    await expect.poll(listen.stderr).toContain("Forwarding to");
    const label = ["numbers", "label", "+12025550100", "Rings", "-e", "test"];
    expect((await runCli(label, asOwner)).exitCode).toBe(0);
    await expect.poll(() => received.length).toBeGreaterThan(0);
    const event = await verifyWebhook({ ...received[0]!, secret });
    expect(event).toMatchObject({ organisation_id: demo.organisations[0]!.id, environment: "test" });
    await expect.poll(listen.stdout).toContain(`"event_id":"${event.id}"`);
    expect(JSON.parse(listen.stdout().split("\n")[0]!)).toEqual({
      event_id: event.id,
      type: event.type,
      answered: 204,
    });
  } finally {
    listen.child.kill("SIGINT");
    tail.child.kill("SIGINT");
    receiver.close();
  }
  expect(await Promise.all([listen.ended, tail.ended])).toEqual([130, 130]);
  expect([tail.stdout(), tail.stderr()], "another type than it asked for").toEqual(["", ""]);
});

test("keys are revoked here, and made in the dashboard; a file is imported once", async () => {
  const owner = as(demo.organisations[1]!.sessions.owner);
  const run = (...argv: string[]) => runCli(argv, owner);
  const keys = JSON.parse((await run("keys", "list", "--json")).stdout) as {
    id: string;
    name: string;
    status: string;
  }[];
  const { id } = keys.find(({ name }) => name === "live numbers_write")!;
  expect(await run("keys", "revoke", id)).toMatchObject({ exitCode: 2, stdout: "" });
  expect(await run("keys", "revoke", id, "--yes")).toMatchObject({
    exitCode: 0,
    stderr: "“live numbers_write” is revoked.\n",
  });
  expect((await runCli(["whoami"], as(demo.organisations[1]!.keys.numbers_write))).exitCode).toBe(4);
  expect(await run("keys", "create")).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining(demo.base_url),
  });
  expect(await run("operator", "pool", "import")).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("needs <file>"),
  });
  expect(await run("operator", "repair", id, "-y")).toMatchObject({
    exitCode: 4,
    stderr: expect.stringContaining("operator_only"),
  });

  const file = join(home.env["HOME"]!, "numbers.csv");
  const exported = (await run("export")).stdout;
  const [, first] = exported.split("\r\n");
  const number = first!.split(",")[1]!;
  writeFileSync(file, `number,label,tags,other\r\n${number},'=1+1,b; a,x\r\n`);
  const imported = await run("import", file, "--yes", "--json");
  expect([imported.exitCode, JSON.parse(imported.stdout)]).toMatchObject([0, [{ outcome: "changed" }]]);
  const { label, tags } = JSON.parse((await run("numbers", "show", number, "--json")).stdout) as {
    label: string;
    tags: string[];
  };
  expect([label, tags.toSorted()]).toEqual(["=1+1", ["a", "b"]]);
  expect((await run("import", file, "--yes", "--json")).stdout).toContain('"unchanged"');
  expect(
    (await run("numbers", "list", "--search", "=1+1", "--csv")).stdout,
    "no formula for a spreadsheet",
  ).toContain("'=1+1");
  writeFileSync(file, `number,label\r\n${number},Again\r\n+4915112345678,Whose?\r\n`);
  expect(await run("import", file, "--yes")).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("line 3"),
  });
  expect((await run("numbers", "show", number, "--json")).stdout).toContain('"=1+1"');
});

test("a file is loaded into the pool once, and its lines that are not possible are named", async () => {
  const asOperator = as(demo.operator.session);
  const file = join(home.env["HOME"]!, "pool.csv");
  const importing = (content: string, ...argv: string[]) => {
    writeFileSync(file, content);
    return runCli(["operator", "pool", "import", file, "--yes", "--json", ...argv], asOperator);
  };
  // More than a request takes: 25 ranges of a thousand.
  const ranges = Array.from({ length: 25 }, (_, n) => `+4930970${n + 10}000,+4930970${n + 10}999`);
  const tried = await importing(`number,to\n${ranges.join("\n")}\nhello,\n`, "--dry-run");
  expect(JSON.parse(tried.stdout)).toMatchObject({ dry_run: true, added: 25_000, faults: [{ line: 27 }] });
  expect([tried.exitCode, tried.stderr.startsWith("line 27: ")]).toEqual([7, true]);

  const once = await importing("number,to\n+4930971000,+4930971004\n");
  const twice = await importing("number,to\n+4930971000,+4930971004\n");
  expect([once, twice].map(({ exitCode, stdout }) => [exitCode, JSON.parse(stdout).added])).toEqual([
    [0, 5],
    [0, 0],
  ]);
  expect((await importing("number,colour\n+4930971000,red\n")).exitCode).toBe(2);
  expect((await runCli(["operator", "pool", "show"], asOwner)).exitCode).toBe(4);
});

test("changes only the forwarding limits that are named, and waits until switches apply them", async () => {
  const operator = as(demo.operator.session);
  const { id } = demo.organisations[1]!;
  const set = (...options: string[]) =>
    runCli(["operator", "forwarding", "set", "lumen clinics", ...options, "--json"], operator);
  const first = await set("--calls-at-once", "5", "--calls-per-day", "0", "--caller", "+493010000001", "-y");
  expect(first.stderr).toContain(
    "+ caller ID      +493010000001\n  - identity       keep\n  + identity       drop",
  );
  expect(first.stderr).toContain("All forwarded calls will be rejected.");
  expect(first.stderr).toContain("Applied on every switch");
  expect(JSON.parse(first.stdout)).toMatchObject({ switches: [{ status: "applied", calls_at_once: 5 }] });
  const second = await set("--calls-per-day", "none", "--minutes-per-day", "60", "--no-wait", "-y");
  expect(JSON.parse(second.stdout)).toMatchObject({
    calls_at_once: 5,
    calls_per_day: null,
    minutes_per_day: 60,
    caller: "fixed",
    caller_number: "+493010000001",
    identity: "drop",
  });
  expect((await set("--minutes-per-day", "60")).stderr).toContain("No changes made");
  const third = await set("--caller", "pass", "-y");
  expect(JSON.parse(third.stdout)).toMatchObject({ caller: "pass", caller_number: null, identity: "keep" });

  for (const [options, message] of [
    [[], "Specify a change"],
    [["--calls-at-once", "1.5"], "a whole number from 0 to 100000, or none"],
    [["--minutes-per-day", "1000001"], "from 0 to 1000000"],
    [["--caller", "030 1000"], "E.164"],
    [["--caller", "called", "--identity", "keep"], "add --caller pass"],
    [["--calls-at-once", "7"], "pass --yes"],
  ] as const)
    expect(await set(...options)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(message) });
  const shown = await runCli(["operator", "forwarding", "show", id], operator);
  expect(shown.stdout).toMatch(/Calls now +0 of 5\n/);
  expect(await runCli(["operator", "forwarding", "show", "Fabrikam"], operator)).toMatchObject({
    exitCode: 3,
    stderr: expect.stringContaining("next:    dialplane operator organisations list"),
  });
});

test("a person without an authenticator app, and one without an account, are named", async () => {
  const removed = (email: string) =>
    runCli(["operator", "users", "remove-authenticator", email, "--yes"], as(demo.operator.session));
  expect(await removed("developer@lumen.example")).toMatchObject({
    exitCode: 3,
    stderr: expect.stringContaining("This user has no authenticator app."),
  });
  expect(await removed("nobody@lumen.example")).toMatchObject({
    exitCode: 3,
    stderr: expect.stringContaining("No user with the email address nobody@lumen.example."),
  });
});

test("trunks that contradict themselves are found before they reach a switch", async () => {
  const file = join(home.env["HOME"]!, "switch.json");
  const trunk = { name: "acme", direction: "in", transport: "tls", sources: ["198.51.100.0/24"] };
  const settings = {
    name: "edge-1",
    listen: ["udp:203.0.113.5:5060", "tcp:203.0.113.5:5060"],
    data_dir: "/var/lib/dialplane",
    run_dir: "/run/dialplane",
    secrets_file: "/etc/dialplane/switch.secret",
    trunks: [trunk, { ...trunk, name: "bolt" }],
  };
  for (const [content, fault] of [
    [JSON.stringify(settings), /trunks\[1\]\.sources: 198\.51\.100\.0\/24 is another trunk's too/],
    ["{", /not a valid switch settings file/],
  ] as const) {
    writeFileSync(file, content);
    const { exitCode, stderr } = await runCli(["operator", "trunks", "check", file], home.env);
    expect([exitCode, stderr]).toEqual([1, expect.stringMatching(fault)]);
  }
});

test("bash completes commands, options and their values from the script", async () => {
  const { stdout: script } = await runCli(["completion", "bash"], home.env);
  const complete = async (...words: string[]): Promise<string> => {
    const ask = `${script}\nCOMP_WORDS=(dialplane "$@"); COMP_CWORD=$#; _dialplane; echo "\${COMPREPLY[*]}"`;
    return (
      await promisify(execFile)("bash", ["-c", ask, "bash", ...words], { env: home.env })
    ).stdout.trim();
  };
  expect(await complete("num")).toBe("numbers");
  expect(await complete("numbers", "")).toBe("list show label metadata lock unlock timeline");
  expect(await complete("numbers", "list", "--sy")).toBe("--sync");
  expect(await complete("numbers", "list", "--sync", "f")).toBe("failed");
  expect(await complete("operator", "switches", "re")).toBe("retire");
  for (const shell of ["zsh", "fish"])
    expect((await runCli(["completion", shell], home.env)).stdout).toContain("numbers");
  expect((await runCli(["completion", "tcsh"], home.env)).exitCode).toBe(2);
});

/** Columns are as wide as what is in them. */
function shapeOf(printed: string): string {
  return masked(printed).replace(/ +/g, " ").trim();
}
