import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { eventually } from "../testing/agent-bench.ts";
import { openControlLineProxy } from "../testing/control-line-proxy.ts";
import { openDnsServer } from "../testing/dns-server.ts";
import { CREDENTIAL, openHttpService } from "../testing/http-service.ts";
import {
  changeAll,
  CONNECTION,
  eventuallyBoot,
  id,
  isApplied,
  number,
  openKamailioBench,
  route,
  target,
  until,
} from "../testing/kamailio-bench.ts";
import { callMany } from "../testing/placed-calls.ts";

test("a switch that was killed has everything back, and what was applied is applied again", async () => {
  const bench = await openKamailioBench();
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
  const bench = await openKamailioBench();
  bench.start();
  changeAll(bench);
  await eventually(() => isApplied(bench));
  await until(async () => (await bench.held("sys", "synced")) === "1");
  await bench.stop();
  bench.control.reported.clear();

  await using line = await openControlLineProxy(bench.kamailio.settings.control_port);
  const sent = new Set<string>();
  line.decide((frame) => {
    sent.add(frame[0]!);
    return "pass";
  });
  bench.start({}, { controlPort: line.port });
  await eventually(() => isApplied(bench));
  expect(sent.has("P")).toBe(true);
  expect(sent.has("S")).toBe(false);
  bench.control.change(1, [{ id: id(1), value: route(1, "b") }]);
  await eventually(() => isApplied(bench));
  expect(sent.has("S")).toBe(true);
});

test("finds, reports and repairs a manual change of the switch", async () => {
  const bench = await openKamailioBench();
  const { kamailio, control } = bench;
  bench.start({ auditMs: 200 });
  changeAll(bench);
  await eventually(() => isApplied(bench));
  await until(async () => (await bench.held("sys", "synced")) === "1");
  const [one, other] = [(await bench.held("rt", number(2)))!, (await bench.held("rt", number(4)))!];
  const told = [number(1), number(2), number(3), number(4), number(6)];
  const right = await Promise.all(told.map((key) => bench.held("rt", key)));

  // A changed route, a deleted one, garbage, two swapped ones, an unknown one, and rows without a name.
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
  await eventually(() => [1, 2, 3, 4, 6].every((place) => drifted().has(id(place))));
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
  const bench = await openKamailioBench();
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
  const bench = await openKamailioBench();
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

test("resolves names off the call path, and keeps the last addresses of a failing name", async () => {
  const dns = await openDnsServer();
  onTestFinished(() => dns.close());
  dns.zone.set("pbx.example", [{ type: "A", address: "127.0.0.5" }]);
  const bench = await openKamailioBench();
  const options = { dnsServers: [dns.address], egressAllow: "127.0.0.0/8" };
  bench.start({}, options);
  bench.control.change(0, [
    { kind: "connection", id: CONNECTION, value: { targets: [target("pbx.example")] } },
    { id: id(1), value: { e164: number(1), mode: "sip_uri", sip_uri: "sip:a@pbx.example:5070" } },
    { id: id(2), value: { e164: number(2), mode: "sip_uri", sip_uri: "sip:a@gone.example:5070" } },
  ]);
  await eventually(() => isApplied(bench));
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

test("rejects new calls until activated, also after restarts of switch or agent, and keeps a manual drain", async () => {
  const bench = await openKamailioBench();
  const isFull = (mark: string) => expect.poll(() => bench.held("sys", "full")).toBe(mark);
  await bench.kamailio.rpc("htable.sets", ["sys", "draining", "1"]);
  bench.start();
  await bench.driver().rotateRecords();
  await isFull("0");
  bench.driver().rejectCalls(true);
  await isFull("1");
  expect(await bench.held("sys", "draining")).toBe("1");
  await bench.kamailio.restart();
  await isFull("1");
  bench.driver().rejectCalls(false);
  await isFull("0");
  bench.driver().rejectCalls(true);
  await isFull("1");
  await bench.stop();
  await bench.kamailio.rpc("htable.sets", ["sys", "draining", "1"]);
  bench.start();
  await isFull("0");
  expect(await bench.held("sys", "draining")).toBe("1");
});

test("rejects calls while drained by the operator, also after restarts of switch or agent", async () => {
  const bench = await openKamailioBench();
  const isDraining = (mark: string) => expect.poll(() => bench.held("sys", "draining")).toBe(mark);
  bench.start();
  await eventually(() => bench.control.openLines() === 1);
  bench.control.send({ type: "state", state: "draining" });
  await isDraining("1");
  await bench.kamailio.restart();
  await isDraining("1");
  // Without the agent too, and with one to which the service says nothing.
  await bench.stop();
  await bench.kamailio.restart();
  await isDraining("1");
  await bench.kamailio.rpc("htable.sets", ["sys", "draining", "0"]);
  bench.start();
  await isDraining("1");
  await eventually(() => bench.control.openLines() === 1);
  bench.control.send({ type: "state", state: "active" });
  await isDraining("0");
  // By hand, while the service was unreachable: it is back, and says what it said before.
  await bench.kamailio.rpc("htable.sets", ["sys", "draining", "1"]);
  bench.control.send({ type: "state", state: "active" });
  await isDraining("0");
  await bench.stop();
  await bench.kamailio.restart();
  expect(await bench.held("sys", "draining")).toBe("0");
});

test("an agent that is stopped in its tracks holds up no call", async () => {
  const bench = await openKamailioBench();
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
      EGRESS_ALLOW: "192.0.2.0/24",
    },
    stdio: ["ignore", "ignore", "inherit"],
  });
  onTestFinished(() => void agent.kill("SIGKILL"));
  control.change(1, [{ id: id(1), value: { e164: number(1), mode: "unrouted" } }]);
  await eventually(() => isApplied(bench));
  await until(async () => (await bench.held("sys", "synced")) === "1");
  agent.kill("SIGSTOP");
  const answers = await callMany(kamailio, number(1), 200);
  expect(answers).toEqual(new Map([["480", 200]]));
  agent.kill("SIGCONT");
  control.change(1, [{ id: id(1), value: route(1) }]);
  await eventually(() => isApplied(bench));
  agent.kill("SIGTERM");
  expect(await once(agent, "exit")).toEqual([0, null]);
});
