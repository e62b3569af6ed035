import { execFile, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { programPath } from "../../../sdk/src/testing/program-path.ts";
import { runProgram, startProgram } from "../service/program.ts";
import { newAddress } from "../sip/loopback.ts";
import { until } from "../sip/until.ts";
import { createCertificate } from "./drill-certificate.ts";
import { Part } from "./part.ts";
import { clusterValues, filledIn, readEnvironment, type Values, writeFilledIn } from "./reference-files.ts";

const REPOSITORY = new URL("../../../", import.meta.url);
const SETTINGS = readFileSync(new URL("docs/configuration.md", REPOSITORY), "utf8");
// Not in the PATH of other users than root.
const HAPROXY = "/usr/sbin/haproxy";
const SECRETS = ["SUPERUSER", "REPLICATION", "REWIND", "PATRONI_API", "OWNER"].map(
  (name) => `${name}_PASSWORD`,
);

let folder: string;
let values: Values;
const running = new AsyncDisposableStack();

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "dialplane-reference-"));
  running.defer(() => rmSync(folder, { recursive: true }));
  const machines = ["DB1", "DB2", "DB3", "PROXY1", "PROXY2", "APP1", "APP2"];
  const folders = [
    "POSTGRES_DATA",
    "POSTGRES_RUN",
    "HAPROXY_RUN",
    "SWITCH_FOLDER",
    "SWITCH_DATA",
    "SWITCH_RUN",
  ];
  values = {
    ...clusterValues({
      ...Object.fromEntries(machines.map((name) => [name, newAddress()])),
      ...Object.fromEntries(folders.map((name) => [name, join(folder, name.toLowerCase())])),
      ...Object.fromEntries(SECRETS.map((name) => [name, "secret"])),
      MASTER_SECRET: randomBytes(48).toString("base64"),
      BACKUP_PASSPHRASE: "secret",
      BACKUPS: join(folder, "backups"),
      PGBACKREST_LOGS: folder,
      CERTIFICATE: join(folder, "tls.pem"),
      PROBLEM_503: join(folder, "problem-503.http"),
    }),
    NODE: "edge-1",
  };
  for (const name of folders) mkdirSync(values[name]!);
  values["ADDRESS"] = values["PROXY1"]!;
  createCertificate(folder, values["NAME"]!);
});
afterAll(() => running.disposeAsync());

const outcomeOf = (command: string[]): { status: number | null; output: string } => {
  const { status, stdout, stderr, error } = spawnSync(command[0]!, command.slice(1), { encoding: "utf8" });
  if (error) throw error;
  return { status, output: `${stdout}${stderr}` };
};

test("every value of cluster.environment is used, and every file has its values", () => {
  const files = readdirSync(new URL("deploy/ha/", REPOSITORY)).filter((name) => name !== "README.md");
  const used = files.flatMap((name) => {
    const text = readFileSync(new URL(`deploy/ha/${name}`, REPOSITORY), "utf8");
    if (name !== "cluster.environment") filledIn(name, values);
    return [...text.matchAll(/\$\{(\w+)\}/g)].map(([, variable]) => variable!);
  });
  expect(Object.keys(values).toSorted()).toEqual([...new Set(used)].toSorted());
});

test("Patroni accepts its file", async () => {
  // It connects to each etcd.
  for (const name of ["DB1", "DB2", "DB3"]) running.use(await listen(values[name]!, 2379));
  const file = writeFilledIn(
    "patroni.yml",
    { ...values, ADDRESS: values["DB1"]! },
    join(folder, "patroni.yml"),
  );
  const validate = async (path: string): Promise<string> =>
    promisify(execFile)("patroni", ["--validate-config", path]).then(
      ({ stdout, stderr }) => stdout + stderr,
      (error: { stdout: string; stderr: string }) => `rejected: ${error.stdout}${error.stderr}`,
    );
  expect(await validate(file)).toBe("");
  const broken = join(folder, "broken.yml");
  writeFileSync(broken, readFileSync(file, "utf8").replace("loop_wait: 2", "loop_wait: soon"));
  expect(await validate(broken)).toContain("loop_wait");
});

test("pgBackRest knows every option of its file", () => {
  const file = writeFilledIn("pgbackrest.conf", values, join(folder, "pgbackrest.conf"));
  const info = (path: string) => outcomeOf(["pgbackrest", `--config=${path}`, "--stanza=dialplane", "info"]);
  expect(info(file)).toEqual({ status: 0, output: expect.stringContaining("missing stanza path") });
  expect(info(file).output).not.toContain("WARN");
  const broken = join(folder, "broken.conf");
  writeFileSync(broken, readFileSync(file, "utf8").replace("start-fast", "start-quick"));
  expect(info(broken).output).toContain("WARN: configuration file contains invalid option 'start-quick'");
});

test("HAProxy accepts its file, and returns a problem in JSON if no API responds", async () => {
  writeFilledIn("problem-503.http", values, values["PROBLEM_503"]!);
  const text = filledIn("haproxy.cfg", values);
  // Only root can open port 443, and become another user.
  const file = join(folder, "haproxy.cfg");
  const own = process.getuid?.() === 0 ? text : text.replace("  user haproxy\n  group haproxy\n", "");
  writeFileSync(file, own.replace(`${values["ADDRESS"]}:443 ssl`, `${values["ADDRESS"]}:8443 ssl`));
  expect(outcomeOf([HAPROXY, "-c", "-f", file])).toEqual({
    status: 0,
    output: "Configuration file is valid\n",
  });

  const logFile = join(folder, "haproxy.log");
  const proxy = new Part({ name: "HAProxy", command: [HAPROXY, "-db", "-f", file], logFile }).start();
  running.defer(() => proxy.kill());
  const request = ["-sSik", "--http1.1", `https://${values["ADDRESS"]}:8443/v1/numbers`];
  const response = await until("HAProxy", () => {
    proxy.assertRunning();
    const { status, output } = outcomeOf(["curl", ...request]);
    return status === 0 && output;
  });
  const [head = "", body = ""] = response.split("\r\n\r\n");
  expect(head).toMatch(/^HTTP\/1.1 503 .*\r\ncontent-type: application\/problem\+json\r\n/i);
  expect(head).toMatch(/\r\nretry-after: 1(\r\n|$)/i);
  const { components } = JSON.parse(readFileSync(new URL("openapi.json", REPOSITORY), "utf8")) as {
    components: { schemas: { Problem: { required: string[] } } };
  };
  const problem = JSON.parse(body) as Record<string, unknown>;
  expect(problem["type"]).toBe(`https://${values["NAME"]}/docs/errors#unavailable`);
  expect(Object.keys(problem)).toEqual(expect.arrayContaining(components.schemas.Problem.required));
  expect(problem).toMatchObject({
    status: 503,
    code: "unavailable",
    title: "Service unavailable",
    retryable: true,
  });
});

test.each(["server.environment", "owner.environment", "agent.environment"])(
  "%s has known settings",
  (name) => {
    const settings = Object.keys(readEnvironment(filledIn(name, values)));
    expect(settings.length).toBeGreaterThan(0);
    for (const setting of settings)
      if (setting !== "NODE_EXTRA_CA_CERTS") expect(SETTINGS).toContain(`| \`${setting}\` |`);
  },
);

test("the service accepts its settings, and looks for the primary on all three nodes", async () => {
  const settings = { ...readEnvironment(filledIn("server.environment", values)), ...ownerSettings() };
  const failed = await runProgram(programPath("server/src/main.ts"), ["migrate"], settings).catch(String);
  expect(failed).toContain("None of the database hosts is the primary");
  for (const name of ["DB1", "DB2", "DB3"]) expect(failed).toContain(values[name]);
});

const ownerSettings = (): Values => readEnvironment(filledIn("owner.environment", values));

test("switch and agent accept their settings", async () => {
  writeFilledIn("switch.json", values, join(values["SWITCH_FOLDER"]!, "switch.json"));
  for (const [name, text] of [
    ["edge-1.credential", "svc_switch_none"],
    ["token.secret", "0".repeat(64)],
  ] as const)
    writeSecret(name, text);
  const rendered = await runProgram(
    programPath("switch-agent/src/render-kamailio.ts"),
    [join(values["SWITCH_FOLDER"]!, "switch.json")],
    {},
  );
  expect(rendered.trim()).toBe(join(values["SWITCH_RUN"]!, "settings.cfg"));
  const agent = running.use(
    startProgram(
      programPath("switch-agent/src/run-agent.ts"),
      [],
      readEnvironment(filledIn("agent.environment", values)),
    ),
  );
  await until("the agent to look for the service", () => {
    agent.assertRunning();
    return agent.output().includes('"level":');
  });
});

function writeSecret(name: string, text: string): void {
  const path = join(values["SWITCH_FOLDER"]!, "switch");
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, name), text, { mode: 0o600 });
}

function listen(address: string, port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once("error", reject);
    server.listen(port, address, () => resolve(server));
  });
}
