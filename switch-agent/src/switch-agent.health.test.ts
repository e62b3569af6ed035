import { expect, onTestFinished, test } from "vitest";
import { type Bench, eventually, openBench } from "./testing/agent-bench.ts";

const toHost = (...hosts: string[]) => ({
  targets: hosts.map((host) => ({ host, port: 5060, transport: "udp", priority: 1, weight: 1 }) as const),
});
const connection = (id: string, value: ReturnType<typeof toHost> | null) =>
  [{ kind: "connection", id, value }] as const;

/** All reports about a connection: the states of its targets. */
const reportOf = ({ control }: Bench, id: string): string[][] =>
  control.reports
    .flatMap(({ health }) => health?.connections ?? [])
    .filter((one) => one.id === id)
    .map(({ targets }) => targets.map(({ state }) => state));
const readings = ({ control }: Bench): number => control.reports.filter(({ health }) => health).length;

test("reports target health once, then its changes, and each new reading without repetition", async () => {
  await using bench = openBench();
  const { control } = bench;
  // Pings keep the stream open: a reconnect would repeat all reports.
  const pinging = setInterval(() => control.send({ type: "ping" }), 10);
  onTestFinished(() => clearInterval(pinging));
  bench.start();
  control.change(0, [...connection("c", toHost("pbx.example.com")), ...connection("d", toHost("192.0.2.1"))]);
  await eventually(() => reportOf(bench, "d").length > 0);
  const before = readings(bench);
  await eventually(() => readings(bench) > before + 3);
  expect([reportOf(bench, "c"), reportOf(bench, "d")]).toEqual([[["up"]], [["up"]]]);

  control.change(0, [...connection("c", toHost("down.example.com", "unresolved.example.com"))]);
  await eventually(() => reportOf(bench, "c").length > 1);
  control.change(0, [...connection("c", null)]);
  await eventually(() => reportOf(bench, "c").length > 2);
  expect([reportOf(bench, "c"), reportOf(bench, "d")]).toEqual([[["up"], ["down", "down"], []], [["up"]]]);
});

test("repeats a lost report, and reports everything on a new connection or boot", async () => {
  await using bench = openBench();
  const { control, driver } = bench;
  bench.start();
  control.failingReports = 3;
  control.change(0, [...connection("c", toHost("pbx.example.com"))]);
  await eventually(() => reportOf(bench, "c").length === 1);
  control.dropLines();
  await eventually(() => reportOf(bench, "c").length === 2);
  driver.loseMemory();
  await eventually(() => reportOf(bench, "c").length > 2 && reportOf(bench, "c").at(-1)?.[0] === "up");
});

test("more connections than a report takes come in several", async () => {
  await using bench = openBench();
  const { control } = bench;
  bench.start();
  const ids = Array.from({ length: 1_200 }, (_, place) => `c${place}`);
  control.change(
    0,
    ids.flatMap((id) => [...connection(id, toHost("192.0.2.1"))]),
  );
  await eventually(() => ids.every((id) => reportOf(bench, id).length > 0));
  const sizes = control.reports.map(({ health }) => health?.connections.length ?? 0);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(500);
});

test("where targets cannot be read the switch still shows signs of life, and says nothing of them", async () => {
  await using bench = openBench();
  const { control, driver } = bench;
  driver.health = () => Promise.reject(new Error("dispatcher.list: refused"));
  bench.start();
  await eventually(() => control.reports.length > 5);
  expect(readings(bench)).toBe(0);
});
