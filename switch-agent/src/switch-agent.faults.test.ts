import { expect, test } from "vitest";
import type { Report } from "./control-plane.ts";
import { type Bench, eventually, openBench, routeTo } from "./testing/agent-bench.ts";
import { watchShown } from "./testing/shown-readings.ts";

const SHARDS = [0, 1, 2];
const IDS = Array.from({ length: 30 }, (_, place) => `n${place}`);
const shardOf = (id: string) => Number(id.slice(1)) % SHARDS.length;

/** The same faults in the same order for the same seed (mulberry32). */
function seeded(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/**
 * If no other client changes the switch: at each report it holds the reported items or newer ones, and there
 * is no drift.
 */
function watchReports({ control, driver }: Bench, isTouched: () => boolean): string[] {
  const lies: string[] = [];
  const take = control.report.bind(control);
  control.report = async (report: Report) => {
    for (const { shard, version, exceptions } of report.epoch !== control.epoch || isTouched()
      ? []
      : report.shards) {
      lies.push(...exceptions.filter((one) => one.state === "drifted").map((one) => `${one.id} drifted`));
      const excepted = new Set(exceptions.map((one) => one.id));
      for (const id of IDS.filter((one) => shardOf(one) === shard && !excepted.has(one))) {
        const history = control.historyOf(shard, id);
        const reported = history.findLastIndex((item) => item.version <= version);
        const held = driver.held({ kind: "route", id })?.generation;
        const isTrue = history
          .slice(Math.max(0, reported))
          .some((item) => (item.value ? item.generation : undefined) === held);
        if (reported >= 0 && !isTrue) lies.push(`${id} at ${version} holds generation ${held}`);
      }
    }
    await take(report);
  };
  return lies;
}

test.each([1, 2, 3, 4])("whatever happens, reports are true and all converges (seed %i)", async (seed) => {
  await using bench = openBench(SHARDS, seed % 2);
  const { control, driver } = bench;
  const random = seeded(seed);
  let hasForgotten = false;
  let hasBeenTouched = false;
  const lies = watchReports(bench, () => hasForgotten);
  const unread = watchShown(bench, () => hasBeenTouched);
  const timing = { auditMs: 60, heartbeatMs: 30, graceMs: 50, stopMs: random(2) * 100 };
  let agent = bench.start(timing);
  const someId = () => IDS[random(IDS.length)]!;
  const change = (first: string) => {
    const shard = shardOf(first);
    const others = IDS.filter((id) => id !== first && shardOf(id) === shard && random(8) === 0);
    control.change(
      shard,
      [first, ...others].map((id) => ({ id, value: random(5) === 0 ? null : routeTo(`u${random(1e6)}`) })),
    );
  };
  const faults: (() => unknown)[] = [
    () => driver.slow(someId(), random(150)),
    () => driver.refuse(someId(), "500 refused"),
    () => driver.refuse(someId(), undefined),
    () => (control.failingReports = random(4)),
    () => control.dropLines(),
    () => driver.hang(),
    () => driver.resume(),
    async () => {
      await agent.stop();
      agent = bench.start(timing);
    },
    () => control.startEpoch(`epoch-${random(1e6)}`, () => undefined),
  ];
  const touches: (() => unknown)[] = [
    // A promoted standby that lacks the last changes.
    () =>
      control.startEpoch(`epoch-${random(1e6)}`, (shards) =>
        shards.get(random(SHARDS.length))!.items.delete(`route/${someId()}`),
      ),
    () => driver.drift({ kind: "route", id: someId() }, { e164: "+12025550199", mode: "unrouted" }),
    () => driver.drift({ kind: "route", id: someId() }, null),
  ];
  for (let step = 0; step < 250; step++) {
    hasForgotten = step >= 120;
    hasBeenTouched = step >= 200;
    for (let count = random(4); count > 0; count--) change(someId());
    if (random(4) === 0) await faults[random(faults.length)]!();
    if (hasForgotten && random(12) === 0) driver.loseMemory();
    if (hasBeenTouched && random(8) === 0) touches[random(touches.length)]!();
    await new Promise((resolve) => setTimeout(resolve, random(6)));
  }
  expect(lies).toEqual([]);
  expect(unread).toEqual([]);

  driver.resume();
  control.failingReports = 0;
  for (const id of IDS) {
    driver.slow(id, undefined);
    driver.refuse(id, undefined);
  }
  const last = SHARDS.map((shard) => control.change(shard, [{ id: `n${shard}`, value: routeTo("last") }]));
  await eventually(
    () =>
      SHARDS.every((shard) => {
        const report = control.reported.get(shard);
        return (
          report?.version === last[shard] && report?.exceptions.length === 0 && holdsDesired(bench, shard)
        );
      }),
    10_000,
  );
});

function holdsDesired({ control, driver }: Bench, shard: number): boolean {
  const told = new Map(control.list(shard).map((item) => [item.id, JSON.stringify(item.value)]));
  return IDS.filter((id) => shardOf(id) === shard).every((id) => {
    const held = driver.held({ kind: "route", id });
    return told.get(id) === (held && JSON.stringify(held.value));
  });
}
