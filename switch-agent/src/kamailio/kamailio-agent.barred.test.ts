import { createSocket } from "node:dgram";
import { once } from "node:events";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { ReportedException, RouteValue } from "../control-plane.ts";
import { eventually } from "../testing/agent-bench.ts";
import { openControlLineProxy } from "../testing/control-line-proxy.ts";
import { openDnsServer } from "../testing/dns-server.ts";
import {
  CONNECTION,
  id,
  isApplied,
  type KamailioBench,
  number,
  openKamailioBench,
  target,
  until,
} from "../testing/kamailio-bench.ts";
import { callMany } from "../testing/placed-calls.ts";

const BARRED = "127.0.0.77";
const OPEN = { egressAllow: "192.0.2.0/24,127.0.0.0/8" };
const CLOSED = { egressAllow: `${OPEN.egressAllow},-${BARRED}` };
const ERROR = "Calls to the address in its SIP URI are not allowed.";
const to = (place: number, host: string) =>
  ({ e164: number(place), mode: "sip_uri", sip_uri: `sip:a@${host}` }) as const;

/** A phone at the address that will be barred. It rejects calls with 486 Busy. */
async function openBusyPhone(): Promise<number> {
  const socket = createSocket("udp4");
  onTestFinished(() => void socket.close());
  socket.on("message", (request, from) => {
    const lines = request.toString("latin1").split("\r\n");
    if (!lines[0]!.startsWith("INVITE ")) return;
    const kept = lines.filter((line) => /^(via|from|to|call-id|cseq):/i.test(line));
    const tagged = kept.map((line) => (/^to:/i.test(line) ? `${line};tag=busy` : line));
    const answer = ["SIP/2.0 486 Busy Here", ...tagged, "Content-Length: 0", "", ""].join("\r\n");
    socket.send(answer, from.port, from.address);
  });
  socket.bind(0, BARRED);
  await once(socket, "listening");
  return socket.address().port;
}

const shown = ({ control }: KamailioBench): ReportedException[] =>
  [0, 1].flatMap((shard) => control.reported.get(shard)?.exceptions ?? []);
const isFailed = (bench: KamailioBench, place: number): boolean =>
  shown(bench).some((one) => one.id === id(place) && one.state === "failed");
const answerTo = async (bench: KamailioBench, place: number): Promise<string[]> => [
  ...(await callMany(bench.kamailio, number(place), 1)).keys(),
];
/** Destinations of connections' calls. */
const listed = async ({ kamailio }: KamailioBench): Promise<string> =>
  JSON.stringify((await kamailio.rpc("dispatcher.list")) ?? []);
async function stop(bench: KamailioBench): Promise<void> {
  await until(async () => (await bench.held("sys", "synced")) === "1");
  await bench.stop();
}
async function startClosed(bench: KamailioBench, options = {}): Promise<void> {
  await stop(bench);
  bench.control.reported.clear();
  bench.start({}, { ...CLOSED, ...options });
}

test("an address that is barred later leaves the switch: its numbers fail and say why, its calls get 480, until it is opened again", async () => {
  const port = await openBusyPhone();
  const bench = await openKamailioBench();
  bench.start({}, OPEN);
  const asked: RouteValue = {
    e164: number(2),
    mode: "webhook",
    webhook_url: "https://h.example",
    fallback: { mode: "sip_uri", sip_uri: `sip:a@${BARRED}:${port}` },
  };
  const nowhere = { mode: "unrouted" };
  bench.control.change(0, [
    { id: id(1), value: to(1, `${BARRED}:${port}`) },
    { id: id(2), value: asked },
    { id: id(3), value: to(3, "192.0.2.1") },
  ]);
  await eventually(() => isApplied(bench));
  expect(await answerTo(bench, 1)).toEqual(["486"]);

  await startClosed(bench);
  await eventually(() => isFailed(bench, 1) && isFailed(bench, 2));
  const failures = shown(bench).toSorted((one, other) => (one.id < other.id ? -1 : 1));
  expect(failures).toMatchObject([
    { id: id(1), error: ERROR, applied: { value: { e164: number(1), ...nowhere } } },
    { id: id(2), error: ERROR, applied: { value: { ...asked, fallback: nowhere } } },
  ]);
  for (const place of [1, 2]) expect(await bench.held("rt", number(place))).not.toContain(BARRED);
  expect(await bench.held("rt", number(3))).toContain("sip:a@192.0.2.1");
  expect(await answerTo(bench, 1)).toEqual(["480"]);

  await bench.stop();
  await bench.kamailio.restart();
  expect(await answerTo(bench, 1)).toEqual(["480"]);

  bench.start({}, OPEN);
  await eventually(() => isApplied(bench));
  expect(await answerTo(bench, 1)).toEqual(["486"]);
});

test("stores a barred address as unrouted, not as the earlier route, and reports no drift", async () => {
  const bench = await openKamailioBench();
  bench.start({ auditMs: 100 }, CLOSED);
  bench.control.change(0, [{ id: id(1), value: to(1, "192.0.2.1") }]);
  await eventually(() => isApplied(bench));
  bench.control.change(0, [{ id: id(1), value: to(1, BARRED) }]);
  await eventually(() => isFailed(bench, 1));
  expect(await answerTo(bench, 1)).toEqual(["480"]);
  // Every audit reports all there is.
  const before = bench.control.reports.length;
  await eventually(() => bench.control.reports.length > before + 3);
  expect(shown(bench)).toMatchObject([{ id: id(1), state: "failed", error: ERROR }]);
  const states = bench.control.reports.flatMap(({ shards }) => shards.flatMap((one) => one.exceptions));
  expect(states.filter(({ state }) => state === "drifted")).toEqual([]);

  bench.control.change(0, [{ id: id(1), value: to(1, "192.0.2.1") }]);
  await eventually(() => isApplied(bench));
});

test("a barred address that could not be taken out of the switch is not said to be as wanted", async () => {
  const bench = await openKamailioBench();
  const line = await openControlLineProxy(bench.kamailio.settings.control_port);
  onTestFinished(() => line[Symbol.asyncDispose]());
  bench.start({}, OPEN);
  bench.control.change(0, [{ id: id(1), value: to(1, BARRED) }]);
  await eventually(() => isApplied(bench));
  line.decide((frame) => (frame.startsWith("S ") ? "lose" : "pass"));
  await startClosed(bench, { controlPort: line.port });
  await eventually(() => isFailed(bench, 1));
  expect(await bench.held("rt", number(1))).toContain(BARRED);
  line.decide(() => "pass");
  await eventually(() => shown(bench).some(({ error }) => error === ERROR));
  expect(await bench.held("rt", number(1))).not.toContain(BARRED);
});

test("removes a barred address also after the loss of the file, and with a number deleted since then", async () => {
  const bench = await openKamailioBench();
  bench.start({}, OPEN);
  bench.control.change(
    0,
    [1, 2].map((place) => ({ id: id(place), value: to(place, BARRED) })),
  );
  await eventually(() => isApplied(bench));
  await stop(bench);
  for (const end of ["", "-wal", "-shm"])
    rmSync(join(bench.kamailio.settings.data_dir, `switch.sqlite${end}`), { force: true });
  bench.control.change(0, [{ id: id(2), value: null }]);
  bench.control.reported.clear();
  bench.start({ auditMs: 200 }, CLOSED);
  await eventually(() => isFailed(bench, 1));
  expect(await bench.held("rt", number(1))).not.toContain(BARRED);
  await until(async () => (await bench.held("rt", number(2))) === undefined);
});

test("a number that was taken away while its address was barred leaves the switch", async () => {
  const bench = await openKamailioBench();
  bench.start({}, OPEN);
  bench.control.change(0, [{ id: id(1), value: to(1, BARRED) }]);
  await eventually(() => isApplied(bench));
  await stop(bench);
  bench.control.change(0, [{ id: id(1), value: null }]);
  bench.control.reported.clear();
  bench.start({}, CLOSED);
  await eventually(() => isApplied(bench));
  expect(await bench.held("rt", number(1))).toBeUndefined();
});

test("keeps a connection without its barred target, which is down and has no address", async () => {
  const bench = await openKamailioBench();
  bench.start({}, OPEN);
  const value = { targets: [target(BARRED), target("192.0.2.2")] };
  bench.control.change(0, [{ kind: "connection", id: CONNECTION, value }]);
  await eventually(() => isApplied(bench));
  expect(await listed(bench)).toContain(BARRED);

  await startClosed(bench);
  await until(async () => !(await listed(bench)).includes(BARRED));
  await eventually(() => isApplied(bench));
  expect(await listed(bench)).toContain("192.0.2.2");
  const list = join(bench.kamailio.settings.data_dir, "dispatcher.list");
  expect(readFileSync(list, "utf8")).not.toContain(BARRED);
  const [health] = await bench.driver().health();
  expect(health!.targets).toMatchObject([
    { host: BARRED, state: "down", addresses: [] },
    { host: "192.0.2.2", addresses: [{ address: "192.0.2.2:5060" }] },
  ]);
});

test("drops the last addresses of a name if one is barred, even if it cannot be resolved", async () => {
  const dns = await openDnsServer();
  onTestFinished(() => dns.close());
  dns.zone.set("pbx.example", [{ type: "A", address: BARRED }]);
  const bench = await openKamailioBench();
  const options = { dnsServers: [dns.address] };
  bench.start({}, { ...OPEN, ...options });
  bench.control.change(0, [
    { id: id(1), value: to(1, "pbx.example:5060;transport=udp") },
    { kind: "connection", id: CONNECTION, value: { targets: [target("pbx.example")] } },
  ]);
  await eventually(() => isApplied(bench));
  const key = "pbx.example:5060;udp";
  expect(await bench.held("host", key)).toBe(`${BARRED}:5060;udp`);

  dns.isSilent = true;
  await startClosed(bench, options);
  await until(async () => (await bench.held("host", key)) === undefined);
  await until(async () => !(await listed(bench)).includes(BARRED));
  expect(await answerTo(bench, 1)).toEqual(["480"]);
});
