import { spawn } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer, connect } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { RouteValue } from "../control-plane.ts";
import { type Agent, startAgent } from "../switch-agent.ts";
import { eventually } from "../testing/agent-bench.ts";
import { openDnsServer } from "../testing/dns-server.ts";
import { CREDENTIAL, openHttpService } from "../testing/http-service.ts";
import { MemoryControlPlane } from "../testing/memory-control-plane.ts";
import { type RunningKamailio, runKamailio } from "../testing/running-kamailio.ts";
import type { Timing } from "../timing.ts";
import { type KamailioOptions, type KamailioSwitch, kamailioSwitch } from "./kamailio-switch.ts";

const ignore = (): void => undefined;
const log = { info: ignore, warn: ignore, error: ignore };
const id = (place: number) => `0198c5f2-7c1e-7a33-9d3f-${String(place).padStart(12, "0")}`;
const number = (place: number) => `+4930${String(place).padStart(6, "0")}`;
const route = (place: number, user = "a"): RouteValue => ({
  e164: number(place),
  mode: "sip_uri",
  sip_uri: `sip:${user}@192.0.2.1:5080`,
});
const CONNECTION = id(900_000);
const target = (host: string, weight = 1) =>
  ({ host, port: 5060, transport: "udp", priority: 1, weight }) as const;

interface Bench {
  kamailio: RunningKamailio;
  control: MemoryControlPlane;
  driver(): KamailioSwitch;
  start(timing?: Partial<Timing>, options?: Partial<KamailioOptions>): Agent;
  stop(): Promise<void>;
  /** As it is in memory, by the switch's own word. */
  held(table: string, key: string): Promise<string | undefined>;
}

/** A service, a real switch, and an agent between them that keeps its files when it is started again. */
async function openBench(): Promise<Bench> {
  const kamailio = await runKamailio();
  const control = new MemoryControlPlane([0, 1]);
  let [driver, agent]: [KamailioSwitch | undefined, Agent | undefined] = [undefined, undefined];
  async function stop(): Promise<void> {
    await agent?.stop();
    await driver?.close();
    [driver, agent] = [undefined, undefined];
  }
  onTestFinished(async () => {
    await stop();
    await kamailio[Symbol.asyncDispose]();
  });
  return {
    kamailio,
    control,
    driver: () => driver!,
    start(timing, options) {
      driver = kamailioSwitch({ ...kamailio.reached, log, ...options });
      const storePath = join(kamailio.settings.data_dir, "agent.db");
      agent = startAgent({ control, driver, storePath, log, timing: { auditMs: 600_000, ...timing } });
      return agent;
    },
    stop,
    async held(table, key) {
      const answer = (await kamailio.rpc("htable.get", [table, key])) as { item?: { value: string } };
      return answer?.item?.value;
    },
  };
}

/** Both shards were read back as they are now, with nothing to say about them. */
function isApplied({ control }: Bench, boot?: string): boolean {
  const last = control.reports.findLast((report) => boot === undefined || report.boot === boot);
  if (!last || (boot !== undefined && last.boot !== boot)) return false;
  return [0, 1].every((shard) => {
    const reported = control.reported.get(shard);
    return reported?.version === control.versionOf(shard) && reported.exceptions.length === 0;
  });
}

function changeAll({ control }: Bench, count = 300): void {
  const places = Array.from({ length: count }, (_, place) => place);
  control.change(0, [
    { kind: "connection", id: CONNECTION, value: { targets: [target("192.0.2.1"), target("192.0.2.2", 3)] } },
  ]);
  control.change(
    0,
    places.filter((place) => place % 2 === 0).map((place) => ({ id: id(place), value: route(place) })),
  );
  control.change(
    1,
    places.filter((place) => place % 2 === 1).map((place) => ({ id: id(place), value: route(place) })),
  );
}

test("a switch that was killed has everything back, and what was applied is applied again", async () => {
  const bench = await openBench();
  const { kamailio, control } = bench;
  bench.start();
  changeAll(bench);
  await eventually(() => isApplied(bench));
  await until(async () => (await bench.held("sys", "synced")) === "1");
  const before = await bench.driver().boot();
  control.reported.clear();

  await kamailio.restart();
  const boot = await eventuallyBoot(bench, before);
  await eventually(() => isApplied(bench, boot));
  expect(await bench.held("rt", number(1))).toContain("sip:a@192.0.2.1:5080");
  expect(await bench.held("cn", CONNECTION)).toContain("192.0.2.2:5060:udp:1:3");
  await until(async () => (await bench.held("sys", "synced")) === "1");
  const listed = await kamailio.rpc("dispatcher.list");
  expect(JSON.stringify(listed)).toContain("sip:192.0.2.2:5060;transport=udp");
});

test("an agent that was restarted sends nothing that is right already", async () => {
  const bench = await openBench();
  bench.start();
  changeAll(bench);
  await eventually(() => isApplied(bench));
  await until(async () => (await bench.held("sys", "synced")) === "1");
  await bench.stop();
  bench.control.reported.clear();

  const line = await openCountingLine(bench.kamailio.settings.control_port);
  bench.start({}, { controlPort: line.port });
  await eventually(() => isApplied(bench));
  expect(line.sent.has("P")).toBe(true);
  expect(line.sent.has("S")).toBe(false);
  bench.control.change(1, [{ id: id(1), value: route(1, "b") }]);
  await eventually(() => isApplied(bench));
  expect(line.sent.has("S")).toBe(true);
});

test("what somebody changed in the switch by hand is found, reported and put right", async () => {
  const bench = await openBench();
  const { kamailio, control } = bench;
  bench.start({ auditMs: 200 });
  changeAll(bench);
  await eventually(() => isApplied(bench));
  await until(async () => (await bench.held("sys", "synced")) === "1");
  const [one, other] = [(await bench.held("rt", number(2)))!, (await bench.held("rt", number(4)))!];
  const told = [number(1), number(2), number(3), number(4), number(6)];
  const right = await Promise.all(told.map((key) => bench.held("rt", key)));

  // Another route, none, garbage, two that swapped all but their names, one nobody told, and rows without a name.
  await kamailio.rpc("htable.sets", ["rt", number(1), `u|1|1|${id(1)}|sip:evil@192.0.2.9||||`]);
  await kamailio.rpc("htable.delete", ["rt", number(3)]);
  await kamailio.rpc("htable.sets", ["rt", number(6), "garbage"]);
  await kamailio.rpc("htable.sets", ["rt", number(2), other]);
  await kamailio.rpc("htable.sets", ["rt", number(4), one]);
  await kamailio.rpc("htable.sets", ["rt", "+4989000000", `u|1|0|${id(77_777)}|sip:x@192.0.2.9||||`]);
  await kamailio.rpc("htable.sets", ["rt", "+4989000001", `u|1|1|${id(2)}|sip:x@192.0.2.9||||`]);
  await kamailio.rpc("htable.sets", ["rt", "+4989000002", "x"]);
  await kamailio.rpc("htable.sets", ["rt", "+4989000003", `n|1|7|${id(77_778)}|||||`]);

  const drifted = () =>
    new Set(
      control.reports
        .flatMap(({ shards }) => shards.flatMap(({ exceptions }) => exceptions))
        .map((exception) => exception.id),
    );
  await eventually(() => [1, 2, 3, 4, 6].every((place) => drifted().has(id(place))), 10_000);
  await until(async () => {
    const now = await Promise.all(told.map((key) => bench.held("rt", key)));
    const strangers = await Promise.all([0, 1, 2, 3].map((last) => bench.held("rt", `+498900000${last}`)));
    return JSON.stringify(now) === JSON.stringify(right) && strangers.every((text) => text === undefined);
  });
  await eventually(() => isApplied(bench));
  const found = control.reports.flatMap(({ shards }) => shards.flatMap(({ exceptions }) => exceptions));
  expect(found.find((exception) => exception.id === id(1))).toMatchObject({
    state: "drifted",
    applied: { generation: 1, value: { sip_uri: "sip:evil@192.0.2.9" } },
  });
});

test("a target taken from a connection by hand is found and comes back", async () => {
  const bench = await openBench();
  const { kamailio, control } = bench;
  bench.start({ auditMs: 200 });
  changeAll(bench, 4);
  await eventually(() => isApplied(bench));
  const set = Number(/^\d+\|\d+\|0\|0\|(\d+)=11\|/.exec((await bench.held("cn", CONNECTION))!)![1]);
  await kamailio.rpc("dispatcher.remove", [set, "sip:192.0.2.1:5060;transport=udp"]);
  await kamailio.rpc("dispatcher.add", [set, "sip:192.0.2.66:5060;transport=udp", 0, 0, "rweight=5"]);
  const found = () =>
    control.reports
      .flatMap(({ shards }) => shards.flatMap(({ exceptions }) => exceptions))
      .find((exception) => exception.kind === "connection" && exception.state === "drifted");
  expect((await eventually(found)).applied?.value).toEqual({
    targets: [target("192.0.2.2", 3), target("192.0.2.66", 5)],
  });
  await until(async () => {
    const listed = JSON.stringify(await kamailio.rpc("dispatcher.list"));
    return listed.includes("192.0.2.1:") && !listed.includes("192.0.2.66");
  });
  await eventually(() => isApplied(bench));
});

test("a connection that changes keeps its targets' sets whole, and the next start has the same", async () => {
  const bench = await openBench();
  bench.start();
  changeAll(bench, 2);
  await eventually(() => isApplied(bench));
  const first = await bench.held("cn", CONNECTION);
  const value = { targets: [target("192.0.2.1", 7), { ...target("192.0.2.3"), priority: 2 }], max_calls: 4 };
  bench.control.change(0, [{ kind: "connection", id: CONNECTION, value }]);
  await eventually(() => isApplied(bench));
  const second = await bench.held("cn", CONNECTION);
  const setsOf = (text = "") => text.split("|")[4]!;
  // Another weight means another set; two priorities mean two.
  expect(setsOf(second)).toMatch(/^\d+=11;\d+=11$/);
  expect(setsOf(second).split(";")).not.toContain(setsOf(first));
  const lines = readFileSync(join(bench.kamailio.settings.data_dir, "dispatcher.list"), "utf8")
    .trim()
    .split("\n");
  expect(lines.map((line) => line.split(" ")[1])).toEqual([
    "sip:192.0.2.1:5060;transport=udp",
    "sip:192.0.2.3:5060;transport=udp",
  ]);
  bench.control.change(0, [{ kind: "connection", id: CONNECTION, value: null }]);
  await eventually(() => isApplied(bench));
  expect(await bench.held("cn", CONNECTION)).toBeUndefined();
  expect(readFileSync(join(bench.kamailio.settings.data_dir, "dispatcher.list"), "utf8")).toBe("");
});

test("names are resolved beside the calls, and one that stops resolving keeps its last addresses", async () => {
  const dns = await openDnsServer();
  onTestFinished(() => dns.close());
  dns.zone.set("pbx.example", [{ type: "A", address: "127.0.0.5" }]);
  const bench = await openBench();
  const options = { dnsServers: [dns.address], egressAllow: "127.0.0.0/8" };
  bench.start({}, options);
  bench.control.change(0, [
    { kind: "connection", id: CONNECTION, value: { targets: [target("pbx.example")] } },
    { id: id(1), value: { e164: number(1), mode: "sip_uri", sip_uri: "sip:a@pbx.example:5070" } },
    { id: id(2), value: { e164: number(2), mode: "sip_uri", sip_uri: "sip:a@gone.example:5070" } },
  ]);
  await eventually(() => isApplied(bench), 10_000);
  expect(await bench.held("host", "pbx.example:5070")).toBe("127.0.0.5:5070;udp");
  expect(await bench.held("host", "gone.example:5070")).toBeUndefined();
  const listed = async () => JSON.stringify(await bench.kamailio.rpc("dispatcher.list"));
  expect(await listed()).toContain("sip:127.0.0.5:5060;transport=udp");

  await bench.stop();
  dns.zone.clear();
  bench.start({}, options);
  await bench.kamailio.restart();
  await eventually(() => dns.asked.filter((name) => name === "pbx.example").length >= 4);
  await until(async () => (await bench.held("host", "pbx.example:5070")) === "127.0.0.5:5070;udp");
  expect(await listed()).toContain("sip:127.0.0.5:5060;transport=udp");
});

test("new calls are refused until it is said otherwise, after a restart of switch or agent too; a drain by hand stays", async () => {
  const bench = await openBench();
  const isFull = (mark: string) =>
    expect.poll(() => bench.held("sys", "full"), { timeout: 10_000 }).toBe(mark);
  await bench.kamailio.rpc("htable.sets", ["sys", "draining", "1"]);
  bench.start();
  await bench.driver().rotateRecords();
  await isFull("0");
  bench.driver().refuseCalls(true);
  await isFull("1");
  expect(await bench.held("sys", "draining")).toBe("1");
  await bench.kamailio.restart();
  await isFull("1");
  bench.driver().refuseCalls(false);
  await isFull("0");
  bench.driver().refuseCalls(true);
  await isFull("1");
  await bench.stop();
  await bench.kamailio.rpc("htable.sets", ["sys", "draining", "1"]);
  bench.start();
  await isFull("0");
  expect(await bench.held("sys", "draining")).toBe("1");
});

test("an agent that is stopped in its tracks holds up no call", { timeout: 60_000 }, async () => {
  const bench = await openBench();
  const { kamailio, control } = bench;
  await using service = await openHttpService(control);
  const settings = join(kamailio.settings.data_dir, "switch.json");
  writeFileSync(settings, JSON.stringify(kamailio.settings));
  const agent = spawn(process.execPath, [join(import.meta.dirname, "../run-agent.ts")], {
    env: {
      DIALPLANE_URL: service.url,
      SWITCH_CREDENTIAL: CREDENTIAL,
      STORE_PATH: join(kamailio.settings.data_dir, "agent.db"),
      DRIVER: "kamailio",
      SWITCH_SETTINGS: settings,
    },
    stdio: ["ignore", "ignore", "inherit"],
  });
  onTestFinished(() => void agent.kill("SIGKILL"));
  control.change(1, [{ id: id(1), value: { e164: number(1), mode: "unrouted" } }]);
  await eventually(() => isApplied(bench), 20_000);
  await until(async () => (await bench.held("sys", "synced")) === "1");
  agent.kill("SIGSTOP");
  const answers = await callMany(kamailio, number(1), 200);
  expect(answers).toEqual(new Map([["480", 200]]));
  agent.kill("SIGCONT");
  control.change(1, [{ id: id(1), value: route(1) }]);
  await eventually(() => isApplied(bench), 20_000);
  agent.kill("SIGTERM");
  expect(await once(agent, "exit")).toEqual([0, null]);
});

async function eventuallyBoot(bench: Bench, before: string): Promise<string> {
  for (;;) {
    const boot = await bench
      .driver()
      .boot()
      .catch(() => before);
    if (boot !== before) return boot;
  }
}

async function until(look: () => Promise<boolean>, withinMs = 10_000): Promise<void> {
  const deadlineMs = performance.now() + withinMs;
  while (!(await look())) {
    if (performance.now() > deadlineMs) throw new Error(`Nothing came within ${withinMs} ms.`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** A line to the switch that notes the letters of the frames that go down it. */
async function openCountingLine(port: number): Promise<{ port: number; sent: Set<string> }> {
  const sent = new Set<string>();
  const server = createServer((near) => {
    const far = connect(port, "127.0.0.1");
    near.on("data", (chunk: Buffer) => sent.add(/^\d+:(\w)/.exec(chunk.toString("latin1"))?.[1] ?? "?"));
    near.pipe(far).pipe(near);
    near.on("error", () => far.destroy());
    far.on("error", () => near.destroy());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return { port: (server.address() as AddressInfo).port, sent };
}

/** Calls a number so many times, one after the other, and counts the final answers. */
async function callMany(
  kamailio: RunningKamailio,
  called: string,
  count: number,
): Promise<Map<string, number>> {
  const socket = createSocket("udp4");
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  const { port } = socket.address();
  const answers = new Map<string, number>();
  for (let call = 0; call < count; call++) {
    const head = (method: string, toTag = "") =>
      [
        `${method} sip:${called}@${kamailio.sipAddress}:5060 SIP/2.0`,
        `Via: SIP/2.0/UDP 127.0.0.1:${port};branch=z9hG4bK${call};rport`,
        "Max-Forwards: 70",
        `From: <sip:+4989123456@127.0.0.1>;tag=f${call}`,
        `To: <sip:${called}@${kamailio.sipAddress}>${toTag}`,
        `Call-ID: c${call}@127.0.0.1`,
        `CSeq: 1 ${method}`,
        `Contact: <sip:127.0.0.1:${port}>`,
        "Content-Length: 0\r\n\r\n",
      ].join("\r\n");
    socket.send(head("INVITE"), 5060, kamailio.sipAddress);
    const code = await finalAnswer(socket, call);
    answers.set(code, (answers.get(code) ?? 0) + 1);
    socket.send(head("ACK"), 5060, kamailio.sipAddress);
  }
  socket.close();
  return answers;
}

function finalAnswer(socket: ReturnType<typeof createSocket>, call: number): Promise<string> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => finish("none"), 2_000);
    const take = (message: Buffer): void => {
      const text = message.toString("latin1");
      const code = /^SIP\/2\.0 (\d{3})/.exec(text)?.[1] ?? "";
      if (code >= "200" && text.includes(`Call-ID: c${call}@`)) finish(code);
    };
    const finish = (code: string): void => {
      clearTimeout(timer);
      socket.off("message", take);
      resolve(code);
    };
    socket.on("message", take);
  });
}
