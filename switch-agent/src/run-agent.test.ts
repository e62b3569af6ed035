import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { openAgentStore } from "./agent-store.ts";
import { byeRow, inviteRow, writtenCall } from "./testing/acc-rows.ts";
import { eventually, routeTo } from "./testing/agent-bench.ts";
import { CREDENTIAL, openHttpService } from "./testing/http-service.ts";
import { MemoryControlPlane } from "./testing/memory-control-plane.ts";
import { MemoryRecordService } from "./testing/memory-record-service.ts";

const program = join(import.meta.dirname, "run-agent.ts");
const newStorePath = () => join(mkdtempSync(join(tmpdir(), "run-agent-")), "agent.db");
const run = (env: Record<string, string>): ChildProcess =>
  spawn(process.execPath, [program], { env, stdio: ["ignore", "pipe", "pipe"] });

test("killed at any point and started again, the agent converges; asked to stop, it stops cleanly", async () => {
  const control = new MemoryControlPlane([0, 1, 2]);
  await using service = await openHttpService(control);
  const storePath = newStorePath();
  const env = { DIALPLANE_URL: service.url, SWITCH_CREDENTIAL: CREDENTIAL, STORE_PATH: storePath };
  let version = 0;
  const changeSome = () => {
    for (let place = 0; place < 5; place++) {
      const value = place === 0 ? null : routeTo(`u${version}`);
      version = control.change(1, [{ id: `n${(version * 3) % 50}`, value }]);
    }
  };
  for (let kill = 1; kill <= 4; kill++) {
    const before = version;
    const agent = run(env);
    const changing = setInterval(changeSome, 20);
    await eventually(() => (control.reported.get(1)?.version ?? 0) > before + 20);
    agent.kill("SIGKILL");
    clearInterval(changing);
    await once(agent, "exit");
  }
  changeSome();
  const agent = run(env);
  const last = await eventually(
    () => control.reported.get(1)?.version === version && control.reports.at(-1),
    20_000,
  );
  expect(last).toMatchObject({ is_complete: true });
  agent.kill("SIGTERM");
  expect(await once(agent, "exit")).toEqual([0, null]);
  const store = openAgentStore(storePath);
  const told = store.listItems(1).map(({ id, version: at, value }) => ({ id, version: at, value }));
  expect(told.sort((one, other) => one.version - other.version)).toEqual(control.list(1));
  store.close();
});

test("uploads records without its switch, again in a new epoch, and stops cleanly", async () => {
  const control = new MemoryControlPlane([0]);
  const records = new MemoryRecordService();
  [control.epoch, records.epoch] = ["one", "one"];
  await using service = await openHttpService(control, records);
  const folder = mkdtempSync(join(tmpdir(), "run-agent-"));
  const settings = {
    name: "edge-1",
    listen: ["udp:127.0.0.1:5060", "tcp:127.0.0.1:5060"],
    data_dir: join(folder, "data"),
    run_dir: join(folder, "run"),
    control_port: 9,
    rpc_port: 10,
    webhook_port: 11,
    secrets_file: join(folder, "secret"),
    trunks: [{ name: "acme", direction: "in", transport: "udp", sources: ["192.0.2.0/24"] }],
  };
  writeFileSync(join(folder, "switch.json"), JSON.stringify(settings));
  mkdirSync(join(settings.data_dir, "records"), { recursive: true });
  const call = writtenCall("one");
  writeFileSync(join(settings.data_dir, "records", "acc_1.log"), inviteRow(call) + byeRow(call));
  const agent = run({
    DIALPLANE_URL: service.url,
    SWITCH_CREDENTIAL: CREDENTIAL,
    STORE_PATH: join(folder, "agent.db"),
    DRIVER: "kamailio",
    SWITCH_SETTINGS: join(folder, "switch.json"),
  });
  onTestFinished(() => void agent.kill("SIGKILL"));
  await eventually(() => records.taken.length === 1);

  records.epoch = "two";
  control.startEpoch("two", () => undefined);
  await eventually(() => records.taken.length === 2);
  expect(records.taken.map(({ id }) => id)).toEqual([call.rid, call.rid]);
  agent.kill("SIGTERM");
  expect(await once(agent, "exit")).toEqual([0, null]);
});

test.each([
  { name: "no address", env: {}, says: "DIALPLANE_URL is not set" },
  { name: "a wrong address", env: { DIALPLANE_URL: "ftp://x" }, says: "must be an http(s) address" },
  { name: "plain http", env: { DIALPLANE_URL: "http://numbers.example.com" }, says: "must be https" },
  { name: "no credential", env: { DIALPLANE_URL: "http://127.0.0.1" }, says: "SWITCH_CREDENTIAL is not set" },
  {
    name: "another driver",
    env: { DIALPLANE_URL: "http://127.0.0.1", DRIVER: "other" },
    says: "DRIVER must be simulated or kamailio",
  },
  {
    name: "a credential file that is not there",
    env: { DIALPLANE_URL: "http://127.0.0.1", SWITCH_CREDENTIAL_FILE: "/nowhere/credential" },
    says: "SWITCH_CREDENTIAL_FILE cannot be read",
  },
  {
    name: "an audit interval that is no number",
    env: {
      DIALPLANE_URL: "http://127.0.0.1",
      SWITCH_CREDENTIAL: "x",
      STORE_PATH: "/nowhere/store",
      AUDIT_SECONDS: "often",
    },
    says: "AUDIT_SECONDS must be a number of seconds from 1 to 99999",
  },
])("with $name the agent does not start and says why", async ({ env, says }) => {
  const agent = run(env);
  const [words, [code]] = await Promise.all([text(agent.stderr!), once(agent, "exit")]);
  expect(words).toContain(says);
  expect(code).toBe(1);
});
