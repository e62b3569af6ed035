import { copyFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { ReportedException } from "./control-plane.ts";
import { type Bench, eventually, openBench, routeTo } from "./testing/agent-bench.ts";

const target = ({ driver }: Bench, id: string) => {
  const value = driver.held({ kind: "route", id })?.value;
  return value && "mode" in value ? (value.sip_uri ?? value.mode) : undefined;
};
const isSettled = ({ control }: Bench, shard: number, version: number) => {
  const report = control.reported.get(shard);
  return report?.version === version && report.exceptions.length === 0 && report;
};
const exceptionOf = ({ control }: Bench, id: string): ReportedException | undefined =>
  [...control.reported.values()].flatMap((report) => report.exceptions).find((one) => one.id === id);

test("a change reaches the switch, is read back and reported at its version", async () => {
  await using bench = openBench();
  bench.control.change(0, [{ id: "a", value: routeTo("old") }]);
  bench.start();
  await eventually(() => isSettled(bench, 0, 1));
  const version = bench.control.change(0, [{ id: "a", value: routeTo("new") }]);
  await eventually(() => isSettled(bench, 0, version));
  expect(target(bench, "a")).toBe("sip:new@192.0.2.1");
  expect(bench.control.reports.at(-1)).toMatchObject({ epoch: "epoch-1", is_complete: true });
  expect(bench.control.reported.get(1)?.version).toBe(0);
});

test("what is gone is taken from the switch", async () => {
  await using bench = openBench();
  bench.start();
  bench.control.change(0, [{ id: "a", value: routeTo("x") }]);
  await eventually(() => target(bench, "a"));
  const version = bench.control.change(0, [{ id: "a", value: null }]);
  await eventually(() => isSettled(bench, 0, version));
  expect(target(bench, "a")).toBeUndefined();
});

test("shows a slow item as pending without delaying others, then clears the exception", async () => {
  await using bench = openBench();
  bench.start({ failedAfterMs: 5_000 });
  bench.control.change(0, [{ id: "a", value: routeTo("old") }]);
  await eventually(() => isSettled(bench, 0, 1));
  bench.driver.slow("a", 200);
  const version = bench.control.change(0, [
    { id: "a", value: routeTo("new") },
    { id: "b", value: routeTo("b") },
  ]);
  const pending = await eventually(() => exceptionOf(bench, "a"));
  expect(pending).toMatchObject({ state: "pending", version: 2, applied: { generation: 1 } });
  expect(bench.control.reported.get(0)?.version).toBe(version);
  expect(target(bench, "a")).toBe("sip:old@192.0.2.1");
  await eventually(() => isSettled(bench, 0, version));
  expect(target(bench, "a")).toBe("sip:new@192.0.2.1");
});

test("reports a rejected change with the switch's message and retries until it succeeds", async () => {
  await using bench = openBench();
  bench.start();
  bench.control.change(0, [{ id: "a", value: routeTo("old") }]);
  await eventually(() => isSettled(bench, 0, 1));
  bench.driver.refuse("a", "500 no memory");
  const version = bench.control.change(0, [{ id: "a", value: routeTo("new") }]);
  const failed = await eventually(() => exceptionOf(bench, "a"));
  expect(failed).toMatchObject({ state: "failed", error: "500 no memory", applied: { generation: 1 } });
  bench.driver.refuse("a", undefined);
  await eventually(() => isSettled(bench, 0, version));
  expect(target(bench, "a")).toBe("sip:new@192.0.2.1");
});

test("counts a confirmed change only if the switch holds the desired value", async () => {
  await using bench = openBench();
  bench.start();
  bench.driver.pretend("a", true);
  const version = bench.control.change(0, [{ id: "a", value: routeTo("new") }]);
  const failed = await eventually(() => exceptionOf(bench, "a"));
  expect(failed).toMatchObject({ state: "failed", version, applied: null });
  expect(failed.error).toBe("The switch confirmed the change, but holds nothing.");
  bench.driver.pretend("a", false);
  await eventually(() => isSettled(bench, 0, version));
});

test("a switch that never answers makes the item fail, and recovers when it answers", async () => {
  await using bench = openBench();
  bench.start();
  bench.control.change(0, [{ id: "a", value: routeTo("old") }]);
  await eventually(() => isSettled(bench, 0, 1));
  bench.driver.hang();
  const version = bench.control.change(0, [{ id: "a", value: routeTo("new") }]);
  const failed = await eventually(
    () => exceptionOf(bench, "a")?.state === "failed" && exceptionOf(bench, "a"),
  );
  expect(failed).toMatchObject({ applied: { generation: 1 } });
  expect(failed?.error).toMatch(/did not respond within|could not be read/);
  bench.driver.resume();
  await eventually(() => isSettled(bench, 0, version));
});

test("while an item is slow, its newest change wins", async () => {
  await using bench = openBench();
  bench.start({ failedAfterMs: 5_000 });
  bench.driver.slow("a", 150);
  let version = 0;
  for (const user of ["one", "two", "three", "four"]) {
    version = bench.control.change(0, [{ id: "a", value: routeTo(user) }]);
    await eventually(() => exceptionOf(bench, "a")?.version === version);
  }
  await eventually(() => isSettled(bench, 0, version));
  expect(target(bench, "a")).toBe("sip:four@192.0.2.1");
});

test("drift is reported before it is reported as repaired", async () => {
  await using bench = openBench();
  bench.control.change(0, [
    { id: "a", value: routeTo("right") },
    { id: "b", value: routeTo("b") },
  ]);
  bench.start({ auditMs: 40 });
  await eventually(() => isSettled(bench, 0, 2));
  bench.control.failingReports = 5;
  bench.driver.drift({ kind: "route", id: "a" }, { e164: "+12025550199", mode: "unrouted" });
  bench.driver.drift({ kind: "route", id: "b" }, null);
  await eventually(() => target(bench, "a") === "sip:right@192.0.2.1" && target(bench, "b"));
  const seen = await eventually(() =>
    bench.control.reports.flatMap((report) => report.shards).find((shard) => shard.exceptions.length > 0),
  );
  expect(seen.exceptions).toMatchObject([
    { id: "a", state: "drifted", version: 1, applied: { generation: 1, value: { mode: "unrouted" } } },
    { id: "b", state: "drifted", version: 2, applied: null },
  ]);
  await eventually(() => isSettled(bench, 0, 2));
});

test("reports an unknown item as drift, and deletes it", async () => {
  await using bench = openBench();
  bench.control.change(0, [{ id: "a", value: routeTo("a") }]);
  bench.start({ auditMs: 40 });
  await eventually(() => isSettled(bench, 0, 1));
  const want = { kind: "route", id: "z", shard: 0, generation: 9, value: routeTo("z") } as const;
  await bench.driver.apply([{ kind: "route", id: "z", shard: 0, want }], () => undefined);
  await eventually(() =>
    bench.control.reports.some((report) =>
      report.shards.some((shard) =>
        shard.exceptions.some((one) => one.id === "z" && one.state === "drifted"),
      ),
    ),
  );
  await eventually(() => isSettled(bench, 0, 1));
  expect(target(bench, "z")).toBeUndefined();
});

test("programs a switch that lost its memory again, and reports no drift", async () => {
  await using bench = openBench();
  bench.control.change(0, [{ id: "a", value: routeTo("a") }]);
  bench.control.change(1, [{ id: "b", value: routeTo("b") }]);
  bench.start({ auditMs: 30 });
  await eventually(() => isSettled(bench, 0, 1) && isSettled(bench, 1, 1));
  const before = bench.control.reports.at(-1)!.boot;
  bench.driver.loseMemory();
  await eventually(() => target(bench, "a") && target(bench, "b"));
  await eventually(() => {
    const last = bench.control.reports.at(-1)!;
    return last.boot !== before && last.is_complete;
  });
  expect(
    bench.control.reports.flatMap((report) => report.shards).flatMap((shard) => shard.exceptions),
  ).toEqual([]);
});

test("under another epoch every shard is replaced, and nothing stale is kept or reported", async () => {
  await using bench = openBench();
  bench.control.change(0, [
    { id: "stays", value: routeTo("old") },
    { id: "lost", value: routeTo("lost") },
  ]);
  bench.control.change(1, [{ id: "gone", value: routeTo("gone") }]);
  bench.start();
  await eventually(() => isSettled(bench, 0, 2) && isSettled(bench, 1, 1));
  const already = bench.control.reports.length;
  bench.control.startEpoch("epoch-2", (shards) => {
    shards.delete(1);
    const shard = shards.get(0)!;
    shard.items.delete("route/lost");
    shard.version = 1;
  });
  await eventually(() => isSettled(bench, 0, 1));
  await eventually(() => target(bench, "gone") === undefined);
  expect(target(bench, "lost")).toBeUndefined();
  expect(target(bench, "stays")).toBe("sip:old@192.0.2.1");
  const later = bench.control.reports.slice(already).filter((report) => report.epoch === "epoch-2");
  expect(later.flatMap((report) => report.shards.map(({ shard, version }) => [shard, version]))).toEqual([
    [0, 1],
  ]);
});

test("an agent that starts from a stale store catches up without turning the switch back", async () => {
  await using bench = openBench();
  bench.control.change(0, [{ id: "a", value: routeTo("one") }]);
  const first = bench.start();
  await eventually(() => isSettled(bench, 0, 1));
  await first.stop();
  copyFileSync(bench.storePath, `${bench.storePath}.stale`);
  const second = bench.start();
  const version = bench.control.change(0, [
    { id: "a", value: routeTo("two") },
    { id: "b", value: routeTo("b") },
  ]);
  await eventually(() => isSettled(bench, 0, version));
  await second.stop();
  copyFileSync(`${bench.storePath}.stale`, bench.storePath);
  bench.control.reported.clear();
  const targets = new Set<string | undefined>();
  bench.start();
  await eventually(() => {
    targets.add(target(bench, "a"));
    return isSettled(bench, 0, version);
  });
  expect(bench.control.followed.at(-1)?.versions[0]).toBe(1);
  expect([...targets]).toEqual(["sip:two@192.0.2.1"]);
});

test("without the service, a restarted switch is programmed from the store", async () => {
  await using bench = openBench();
  bench.control.change(0, [{ id: "a", value: routeTo("a") }]);
  const first = bench.start();
  await eventually(() => isSettled(bench, 0, 1));
  await first.stop();
  bench.driver.loseMemory();
  bench.control.follow = () => {
    throw new Error("The service is not there.");
  };
  bench.start({ graceMs: 10 });
  await eventually(() => target(bench, "a"));
});

test("an empty store does not empty the switch", async () => {
  await using bench = openBench();
  const want = { kind: "route", id: "a", shard: 0, generation: 1, value: routeTo("a") } as const;
  await bench.driver.apply([{ kind: "route", id: "a", shard: 0, want }], () => undefined);
  const beats: unknown[] = [];
  bench.control.follow = () => {
    beats.push(1);
    throw new Error("The service is not there.");
  };
  bench.start({ graceMs: 5, auditMs: 10 });
  await eventually(() => beats.length > 5);
  expect(target(bench, "a")).toBe("sip:a@192.0.2.1");
});

test("a report that fails several times is delivered", async () => {
  await using bench = openBench();
  bench.start();
  await eventually(() => isSettled(bench, 0, 0));
  bench.control.failingReports = 4;
  const version = bench.control.change(0, [{ id: "a", value: routeTo("a") }]);
  await eventually(() => isSettled(bench, 0, version));
  expect(bench.control.failingReports).toBe(0);
});

test("ignores a repeated message", async () => {
  await using bench = openBench();
  bench.start();
  bench.control.change(0, [{ id: "a", value: routeTo("old") }]);
  const version = bench.control.change(0, [{ id: "a", value: routeTo("new") }]);
  await eventually(() => isSettled(bench, 0, version));
  const item = { kind: "route", id: "a", version: 1, generation: 1, value: routeTo("old") } as const;
  bench.control.send({ type: "changes", shard: 0, version: 1, items: [item] });
  const next = bench.control.change(0, [{ id: "b", value: routeTo("b") }]);
  await eventually(() => isSettled(bench, 0, next));
  expect(target(bench, "a")).toBe("sip:new@192.0.2.1");
});

test("a line that is lost is opened again from where the store is", async () => {
  await using bench = openBench();
  bench.start();
  const version = bench.control.change(0, [{ id: "a", value: routeTo("a") }]);
  await eventually(() => isSettled(bench, 0, version));
  bench.control.dropLines();
  await eventually(() => bench.control.followed.length === 2);
  expect(bench.control.followed[1]).toEqual({ epoch: "epoch-1", versions: { 0: version, 1: 0 } });
});

test("drops a connection that is silent for three heartbeats, and continues keep-alives", async () => {
  await using bench = openBench();
  bench.start({ heartbeatMs: 20 });
  await eventually(() => bench.control.followed.length >= 2);
  await eventually(() =>
    bench.control.reports.find(({ is_complete: isComplete, shards }) => isComplete && shards.length === 0),
  );
});

test("5,000 items in one snapshot are read back and reported within seconds", async () => {
  await using bench = openBench();
  const items = Array.from({ length: 5_000 }, (_, place) => ({
    id: `n${place}`,
    value: routeTo(`u${place}`),
  }));
  const version = bench.control.change(0, items);
  bench.start();
  await eventually(() => isSettled(bench, 0, version));
  expect((await bench.driver.readShard(0)).length).toBe(5_000);
});
