import { expect, test } from "vitest";
import { openAgentStore } from "./agent-store.ts";
import type { Report } from "./control-plane.ts";
import { ControlPlaneError } from "./control-plane-error.ts";
import { type Bench, eventually, openBench, routeTo } from "./testing/agent-bench.ts";
import { watchShown } from "./testing/shown-readings.ts";

/** Everything the service took in `report.shards`, in order. */
const shardReports = ({ control }: Bench) => control.reports.flatMap((report) => report.shards);
const isSettled = ({ control }: Bench, shard: number, version: number) => {
  const report = control.reported.get(shard);
  return report?.version === version && report.exceptions.length === 0 && report;
};
const exceptionOf = ({ control }: Bench, id: string) =>
  [...control.reported.values()].flatMap((report) => report.exceptions).find((one) => one.id === id);
const bytesOf = (report: Report) => Buffer.byteLength(JSON.stringify(report));
const PATIENT = { pendingAfterMs: 300, failedAfterMs: 2_000 };

test("does not show a rejected change as applied while its successor waits", async () => {
  await using bench = openBench();
  const { control, driver } = bench;
  const untrue = watchShown(bench);
  bench.start(PATIENT);
  control.change(0, [{ id: "x", value: routeTo("one") }]);
  await eventually(() => isSettled(bench, 0, 1));
  driver.refuse("x", "500 no memory");
  control.change(0, [{ id: "x", value: routeTo("two") }]);
  await eventually(() => exceptionOf(bench, "x"));
  driver.refuse("x", undefined);
  driver.slow("y", 150);
  const version = control.change(0, [
    { id: "x", value: routeTo("three") },
    { id: "y", value: routeTo("y") },
  ]);
  await eventually(() => isSettled(bench, 0, version));
  expect(untrue).toEqual([]);
});

test("a change that was overtaken does not show as applied while others are slow", async () => {
  await using bench = openBench();
  const { control, driver } = bench;
  const untrue = watchShown(bench);
  bench.start(PATIENT);
  control.change(0, [{ id: "x", value: routeTo("one") }]);
  await eventually(() => isSettled(bench, 0, 1));
  driver.slow("x", 60);
  control.change(0, [{ id: "x", value: routeTo("two") }]);
  await eventually(() => control.followed.length > 0);
  driver.slow("y", 250);
  driver.slow("z", 30);
  const version = control.change(0, [
    { id: "y", value: routeTo("y") },
    { id: "x", value: routeTo("three") },
  ]);
  control.change(0, [{ id: "z", value: routeTo("z") }]);
  await eventually(() => isSettled(bench, 0, version + 1));
  expect(untrue).toEqual([]);
});

test("a slow item shows what the switch holds, not what an agent that was killed had stored for it", async () => {
  await using bench = openBench();
  const { control, driver } = bench;
  const untrue = watchShown(bench);
  control.change(0, [{ id: "x", value: routeTo("one") }]);
  const first = bench.start();
  await eventually(() => isSettled(bench, 0, 1));
  await first.stop();
  control.change(0, [{ id: "x", value: routeTo("two") }]);
  const store = openAgentStore(bench.storePath);
  store.changeShard({ shard: 0, version: 2, token: null }, control.historyOf(0, "x").slice(1));
  store.close();
  const version = control.change(0, [{ id: "x", value: routeTo("three") }]);
  driver.slow("x", 200);
  bench.start({ failedAfterMs: 2_000 });
  const pending = await eventually(() => exceptionOf(bench, "x"));
  expect(pending).toMatchObject({ version, applied: { generation: 1 } });
  await eventually(() => isSettled(bench, 0, version));
  expect(untrue).toEqual([]);
});

test("shows only values read back of a slow item that is overtaken repeatedly", async () => {
  await using bench = openBench();
  const { control, driver } = bench;
  const untrue = watchShown(bench);
  control.change(0, [{ id: "x", value: routeTo("zero") }]);
  bench.start({ failedAfterMs: 2_000 });
  await eventually(() => isSettled(bench, 0, 1));
  let version = 1;
  for (let round = 0; round < 40; round++) {
    driver.slow("x", (round * 7) % 50);
    version = control.change(0, [
      { id: "x", value: routeTo(`x${round}`) },
      { id: `y${round % 3}`, value: routeTo(`y${round}`) },
    ]);
    await new Promise((resolve) => setTimeout(resolve, (round * 5) % 23));
  }
  await eventually(() => isSettled(bench, 0, version));
  expect(untrue).toEqual([]);
});

test("reports no observation if the switch cannot be read", async () => {
  await using bench = openBench();
  const { control, driver } = bench;
  bench.start();
  control.change(0, [{ id: "x", value: routeTo("one") }]);
  await eventually(() => isSettled(bench, 0, 1));
  driver.hang();
  const hungAt = new Date().toISOString();
  control.change(0, [{ id: "x", value: routeTo("two") }]);
  const failed = await eventually(
    () => exceptionOf(bench, "x")?.state === "failed" && exceptionOf(bench, "x"),
  );
  expect(failed).toMatchObject({ applied: { generation: 1 } });
  expect(failed.observed_at <= hungAt).toBe(true);
});

test("a snapshot replaces what is stored, even when its version is an older one", async () => {
  await using bench = openBench();
  const { control, driver } = bench;
  bench.start();
  control.change(0, [{ id: "a", value: routeTo("kept") }]);
  const version = control.change(0, [
    { id: "a", value: routeTo("lost") },
    { id: "b", value: routeTo("lost") },
  ]);
  await eventually(() => isSettled(bench, 0, version));
  const [kept] = control.historyOf(0, "a");
  // The service's disk was set back to an earlier copy: the same epoch.
  control.startEpoch(control.epoch, (shards) => {
    shards.set(0, { version: 1, items: new Map([["route/a", kept!]]) });
  });
  await eventually(() => isSettled(bench, 0, 1));
  expect(driver.held({ kind: "route", id: "a" })?.generation).toBe(1);
  expect(driver.held({ kind: "route", id: "b" })).toBeUndefined();
});

test("reports the time of an audit without differences, without reading or writing an item", async () => {
  await using bench = openBench();
  const { control, driver } = bench;
  control.change(0, [
    { id: "a", value: routeTo("a") },
    { id: "b", value: routeTo("b") },
  ]);
  bench.start({ auditMs: 20 });
  const before = await eventually(() => isSettled(bench, 0, 2));
  const calls: string[] = [];
  for (const name of ["apply", "read", "readShard"] as const) {
    const ask = driver[name] as (...given: unknown[]) => Promise<never>;
    driver[name] = (...given: unknown[]) => {
      calls.push(name);
      return ask(...given);
    };
  }
  const after = await eventually(() => {
    const report = isSettled(bench, 0, 2);
    return report && report.observed_at > before.observed_at && report;
  });
  expect(after.exceptions).toEqual([]);
  expect(calls).toEqual([]);
});

test("reports the time of the reading, however long the comparison of other shards takes", async () => {
  await using bench = openBench();
  const { control, driver } = bench;
  const { readShard } = driver;
  const reading = { fromMs: 0, toMs: 0 };
  driver.readShard = async (shard) => {
    reading.fromMs = Date.now();
    await new Promise((resolve) => setTimeout(resolve, 30));
    reading.toMs = Date.now();
    return readShard(shard);
  };
  const timesMs = () =>
    shardReports(bench).flatMap((one) => (one.shard === 1 ? Date.parse(one.observed_at) : []));
  control.change(0, [{ id: "a", value: routeTo("a") }]);
  bench.start({ auditMs: 40 });
  await eventually(() => isSettled(bench, 0, 1) && isSettled(bench, 1, 0));
  driver.drift({ kind: "route", id: "a" }, null);
  await eventually(() => shardReports(bench).some((one) => one.exceptions.length > 0));
  await eventually(() => timesMs().at(-1)! > reading.toMs + 5);
  const { fromMs, toMs } = reading;
  expect(timesMs().filter((ms) => ms > fromMs && ms <= toMs + 5)).toEqual([]);
});

test("a report stays small, a shard stays whole, and only the last of a round is complete", async () => {
  const shards = [0, 1, 2, 3];
  await using bench = openBench(shards);
  const { control, driver } = bench;
  for (const shard of shards) {
    const ids = Array.from({ length: 1_500 }, (_, place) => `s${shard}n${place}`);
    for (const id of ids) driver.refuse(id, "500 no memory ".repeat(20));
    control.change(
      shard,
      ids.map((id) => ({ id, value: routeTo(id) })),
    );
  }
  control.failingReports = 20;
  bench.start({ retryMinMs: 60_000, retryMaxMs: 60_000 });
  await eventually(() => shards.every((shard) => control.reported.get(shard)?.exceptions.length === 1_500));
  expect(Math.max(...control.reports.map(bytesOf))).toBeLessThan(2 * 1024 * 1024);
  const seen = new Set<number>();
  for (const { is_complete: isComplete, shards: reported } of control.reports) {
    for (const { shard } of reported) seen.add(shard);
    expect(isComplete).toBe(seen.size === shards.length);
  }
});

test("a shard of a million numbers' share that failed whole fits into the 8 MiB that are taken", async () => {
  await using bench = openBench([0]);
  const { control, driver } = bench;
  const name = (letter: string, place: number) => letter.repeat(230 - String(place).length) + String(place);
  const uuid = (place: number) => `0190f8a0-0000-7000-8000-${String(place).padStart(12, "0")}`;
  const items = Array.from({ length: 4_000 }, (_, place) => ({
    id: uuid(place),
    value: {
      ...routeTo(name("x", place)),
      fallback: { mode: "sip_uri", sip_uri: `sip:${name("y", place)}@192.0.2.1` },
    } as const,
  }));
  const first = control.change(0, items);
  bench.start({ retryMinMs: 60_000, retryMaxMs: 60_000 });
  await eventually(() => isSettled(bench, 0, first));
  for (const { id } of items) driver.refuse(id, "ü".repeat(5_000));
  control.change(0, items);
  await eventually(
    () =>
      control.reported.get(0)?.exceptions.every((one) => one.state === "failed") &&
      control.reported.get(0)?.exceptions.length === 4_000,
  );
  expect(Math.max(...control.reports.map(bytesOf))).toBeLessThan(8 * 1024 * 1024);
});

test("the words of a switch are cut to what the service takes", async () => {
  await using bench = openBench();
  bench.driver.refuse("x", `a\u0000${"b".repeat(497)}😀${"c".repeat(5_000)}`);
  bench.start();
  bench.control.change(0, [{ id: "x", value: routeTo("x") }]);
  const { error } = await eventually(() => exceptionOf(bench, "x"));
  expect(error).toMatch(/^ab{497}/);
  expect(error.length).toBeLessThanOrEqual(500);
  expect(error.isWellFormed()).toBe(true);
});

test("reports other shards and keep-alives if the service rejects one shard", async () => {
  const shards = [0, 1, 2, 3, 4];
  await using bench = openBench(shards);
  const { control } = bench;
  const take = control.report.bind(control);
  control.report = async (report) => {
    if (report.shards.some(({ shard }) => shard === 2)) throw new ControlPlaneError(400, "invalid", "No.");
    await take(report);
  };
  for (const shard of shards) control.change(shard, [{ id: `n${shard}`, value: routeTo("x") }]);
  bench.start({ heartbeatMs: 20 });
  await eventually(() => shards.every((shard) => shard === 2 || isSettled(bench, shard, 1)));
  const already = control.reports.length;
  await eventually(() => control.reports.length > already + 3);
  expect(control.reports.every((report) => !report.is_complete)).toBe(true);
  control.report = take;
  await eventually(() => isSettled(bench, 2, 1) && control.reports.at(-1)?.is_complete);
});

test("a switch that lost its memory is said to be incomplete at once, and its shards are reported again", async () => {
  await using bench = openBench([0]);
  const { control, driver } = bench;
  control.change(0, [{ id: "a", value: routeTo("a") }]);
  bench.start({ auditMs: 30, heartbeatMs: 600_000 });
  await eventually(() => isSettled(bench, 0, 1));
  const boot = control.reports.at(-1)!.boot;
  driver.slow("a", 200);
  driver.loseMemory();
  const later = () => control.reports.filter((report) => report.boot !== boot);
  expect(await eventually(() => later()[0])).toMatchObject({ is_complete: false });
  await eventually(() => later().some((report) => report.is_complete));
  await eventually(() => later().some((report) => report.shards.length > 0));
});

test("after a loss of memory the next report of a shard does not wait for an audit", async () => {
  await using bench = openBench();
  const { control, driver } = bench;
  control.change(0, [{ id: "a", value: routeTo("a") }]);
  bench.start();
  await eventually(() => isSettled(bench, 0, 1) && isSettled(bench, 1, 0));
  const boot = control.reports.at(-1)!.boot;
  driver.loseMemory();
  const later = () => control.reports.filter((report) => report.boot !== boot);
  await eventually(() => later().some(({ is_complete: isComplete }) => isComplete), 2_000);
  expect(new Set(later().flatMap((report) => report.shards.map(({ shard }) => shard)))).toEqual(
    new Set([0, 1]),
  );
});

test("draws no conclusion about other items from a change read back after a restart", async () => {
  await using bench = openBench();
  const { control, driver } = bench;
  control.change(0, [{ id: "a", value: routeTo("a") }]);
  bench.start({ heartbeatMs: 600_000 });
  await eventually(() => isSettled(bench, 0, 1) && isSettled(bench, 1, 0));
  const boot = control.reports.at(-1)!.boot;
  const already = control.reports.length;
  driver.loseMemory();
  const version = control.change(0, [{ id: "b", value: routeTo("b") }]);
  await eventually(() => isSettled(bench, 0, version));
  expect(driver.held({ kind: "route", id: "a" })).toBeDefined();
  expect(control.reports.slice(already).filter((report) => report.boot === boot)).toEqual([]);
  expect(shardReports(bench).flatMap(({ exceptions }) => exceptions)).toEqual([]);
});

test("what a switch held before it lost its memory is not said of it afterwards", async () => {
  await using bench = openBench();
  const { control, driver } = bench;
  bench.start({ auditMs: 30 });
  control.change(0, [{ id: "x", value: routeTo("one") }]);
  await eventually(() => isSettled(bench, 0, 1));
  driver.refuse("x", "500 no memory");
  const version = control.change(0, [{ id: "x", value: routeTo("two") }]);
  await eventually(() => exceptionOf(bench, "x")?.applied?.generation === 1);
  const boot = control.reports.at(-1)!.boot;
  driver.loseMemory();
  const { read } = driver;
  driver.read = async (names) => {
    await new Promise((resolve) => setTimeout(resolve, 50));
    return read(names);
  };
  const later = () =>
    control.reports
      .filter((report) => report.boot !== boot)
      .flatMap((report) => report.shards.flatMap(({ exceptions }) => exceptions));
  await eventually(() => later().length > 0);
  expect(later().filter(({ applied }) => applied !== null)).toEqual([]);
  driver.refuse("x", undefined);
  await eventually(() => isSettled(bench, 0, version));
});

test("does not keep an unresponsive switch alive with reports about it", async () => {
  await using bench = openBench();
  const { control, driver } = bench;
  bench.start();
  const first = control.change(0, [{ id: "x", value: routeTo("one") }]);
  await eventually(() => isSettled(bench, 0, first));
  driver.hang();
  let quietSinceMs = performance.now();
  let already = control.reports.length;
  await eventually(() => {
    control.change(0, [{ id: `x${control.list(0).length}`, value: routeTo("x") }]);
    if (control.reports.length > already) quietSinceMs = performance.now();
    already = control.reports.length;
    return performance.now() - quietSinceMs > 400;
  });
  driver.resume();
  const version = control.change(0, [{ id: "x", value: routeTo("two") }]);
  await eventually(() => isSettled(bench, 0, version));
});

test("reports a changed value of the switch again, even with the same message", async () => {
  await using bench = openBench();
  const { control, driver } = bench;
  bench.start();
  control.change(0, [{ id: "x", value: routeTo("one") }]);
  await eventually(() => isSettled(bench, 0, 1));
  driver.refuse("x", "500 no memory");
  control.change(0, [{ id: "x", value: routeTo("two") }]);
  await eventually(() => exceptionOf(bench, "x")?.applied?.generation === 1);
  driver.drift({ kind: "route", id: "x" }, null);
  await eventually(() => exceptionOf(bench, "x")?.applied === null, 1_000);
});

test("a report of one shard that was not taken goes again at once, not with the next sign of life", async () => {
  await using bench = openBench([0]);
  bench.start({ heartbeatMs: 600_000 });
  await eventually(() => isSettled(bench, 0, 0));
  bench.control.failingReports = 1;
  const version = bench.control.change(0, [{ id: "x", value: routeTo("one") }]);
  await eventually(() => isSettled(bench, 0, version), 5_000);
});

test("reports what the switch is able to do only to a service that understands it", async () => {
  await using bench = openBench();
  const { control } = bench;
  const sent = () => control.reports.map(({ features }) => features);
  control.features = ["tokens"];
  bench.start();
  await eventually(() => control.reports.length > 0);
  expect(new Set(sent())).toEqual(new Set([undefined]));
  control.features = ["tokens", "switch_features"];
  control.dropLines();
  await eventually(() => sent().some((features) => features !== undefined));
  expect(sent().at(-1)).toEqual(["failover", "forwarding", "trunks", "probes"]);
});

test("reports the sockets of the switch", async () => {
  await using bench = openBench();
  Object.assign(bench.driver, { sockets: ["192.0.2.1:5060"] });
  bench.control.features = ["sockets"];
  bench.start();
  const report = await eventually(() => bench.control.reports.at(-1));
  expect(report.sockets).toEqual(["192.0.2.1:5060"]);
});
