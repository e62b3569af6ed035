import { DatabaseSync } from "node:sqlite";
import { expect, test, vi } from "vitest";
import { openAgentStore } from "./agent-store.ts";
import { listSavedStates } from "./saved-stores.ts";
import { type Bench, openBench, routeTo } from "./testing/agent-bench.ts";

/** Tokens prove to the service which history an agent's versions belong to. */
const reported = ({ control }: Bench, shard: number, version: number): Promise<void> =>
  vi.waitFor(() => expect(control.reported.get(shard)?.version).toBe(version), 5_000);

function openTokenBench(): Bench {
  const bench = openBench();
  bench.control.features = ["tokens"];
  return bench;
}

test("presents tokens as soon as the service has listed them, and keeps doing so after a restart", async () => {
  await using bench = openTokenBench();
  const version = bench.control.change(0, [{ id: "a", value: routeTo("one") }]);
  const agent = bench.start();
  await reported(bench, 0, version);
  await agent.stop();
  bench.start();
  await vi.waitFor(() => expect(bench.control.followed).toHaveLength(2));

  const [first, second] = bench.control.followed;
  expect(first).toEqual({ epoch: null, versions: {} });
  expect(second).toEqual({
    epoch: "epoch-1",
    versions: { 0: 1, 1: 0 },
    tokens: { 0: 1_000, 1: 1 },
    switch_id: "switch-1",
  });
  expect(bench.control.reported.get(0)).toMatchObject({ position: 1, version_token: 1_000 });
});

test("sends nothing that a service of the previous version rejects, also after a downgrade", async () => {
  await using bench = openTokenBench();
  bench.start();
  await reported(bench, 0, 0);
  bench.control.features = undefined;
  bench.control.reports.length = 0;
  const version = bench.control.change(0, [{ id: "a", value: routeTo("one") }]);
  await reported(bench, 0, version);
  bench.control.dropLines();

  await vi.waitFor(() =>
    expect(bench.control.followed.at(-1)).toEqual({ epoch: "epoch-1", versions: { 0: 1, 1: 0 } }),
  );
  await reported(bench, 0, bench.control.change(0, [{ id: "a", value: routeTo("two") }]));
  expect(
    bench.control.reports.flatMap(({ shards }) => shards).some((shard) => "version_token" in shard),
  ).toBe(false);
});

test("takes over a store of the previous version, and gets its tokens with one full resync", async () => {
  await using bench = openBench();
  const version = bench.control.change(0, [{ id: "a", value: routeTo("one") }]);
  const agent = bench.start();
  await reported(bench, 0, version);
  await agent.stop();
  const store = new DatabaseSync(bench.storePath);
  store.exec("drop table service; alter table shards drop column token");
  store.close();

  bench.control.features = ["tokens"];
  bench.start();
  await vi.waitFor(() => expect(bench.control.followed).toHaveLength(2));
  expect(bench.control.followed[1]).toEqual({ epoch: "epoch-1", versions: { 0: 1, 1: 0 } });
});

test("reports every shard again to another instance of the database", async () => {
  await using bench = openTokenBench();
  bench.start();
  await reported(bench, 1, 0);
  bench.control.dropLines();
  await vi.waitFor(() => expect(bench.control.followed).toHaveLength(2));
  bench.control.reported.clear();
  bench.control.instance = "instance-2";
  bench.control.dropLines();

  await reported(bench, 0, 0);
  await reported(bench, 1, 0);
});

test("saves its state before it enters another epoch", async () => {
  await using bench = openTokenBench();
  await reported(bench, 0, (bench.start(), bench.control.change(0, [{ id: "a", value: routeTo("lost") }])));
  bench.control.startEpoch("epoch-2", (shards) => shards.get(0)!.items.clear());
  await reported(bench, 0, 1);

  expect(bench.driver.held({ kind: "route", id: "a" })).toBeUndefined();
  const [saved, ...others] = listSavedStates(bench.storePath);
  expect(others).toEqual([]);
  const before = openAgentStore(saved!.path);
  expect(before.position()).toMatchObject({ epoch: "epoch-1", tokens: { 0: 1_000 } });
  expect(before.listItems(0)).toMatchObject([{ id: "a", value: routeTo("lost") }]);
  before.close();
});

test("finds drift behind a digest that no longer belongs to the stored items", async () => {
  await using bench = openTokenBench();
  const version = bench.control.change(0, [{ id: "a", value: routeTo("wanted") }]);
  const agent = bench.start();
  await reported(bench, 0, version);
  await agent.stop();
  const store = new DatabaseSync(bench.storePath);
  // The items are newer than the digest, which is that of what the switch holds.
  store.exec(`update items set value = json_set(value, '$.sip_uri', 'sip:stored@192.0.2.1')`);
  store.close();

  bench.start({ auditMs: 20 });
  await vi.waitFor(
    () =>
      expect(bench.driver.held({ kind: "route", id: "a" })?.value).toMatchObject({
        sip_uri: "sip:stored@192.0.2.1",
      }),
    10_000,
  );
});

test("reports no drift for a shard that is loaded again during an audit", async () => {
  // All of them are counted in the same audit.
  const shards = Array.from({ length: 40 }, (_, place) => place * 16);
  await using bench = openBench(shards);
  const { control, driver } = bench;
  for (const shard of shards) control.change(shard, [{ id: `n${shard}`, value: routeTo("before") }]);
  const { hash } = driver;
  let isEpochOver = false;
  driver.hash = (item) => {
    if (hasStarted && !isEpochOver) {
      isEpochOver = true;
      control.startEpoch("epoch-2", (all) => {
        for (const { items } of all.values())
          for (const item of items.values()) item.value = routeTo("after");
      });
    }
    // Long enough for the agent to connect again before the count has ended.
    if (hasStarted) for (const until = performance.now() + 2; performance.now() < until;);
    return hash(item);
  };
  let hasStarted = false;
  bench.start({ auditMs: 50 });
  await vi.waitFor(() => expect(control.reported.size).toBe(shards.length), 5_000);
  hasStarted = true;

  const isAfter = (shard: number) =>
    JSON.stringify(driver.held({ kind: "route", id: `n${shard}` })).includes("sip:after@");
  await vi.waitFor(
    () => expect(isEpochOver && shards.every(isAfter) && control.reported.size).toBe(40),
    20_000,
  );
  const exceptions = control.reports.flatMap((report) => report.shards.flatMap((one) => one.exceptions));
  expect(exceptions.filter(({ state }) => state === "drifted")).toEqual([]);
});
