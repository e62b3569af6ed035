import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { openAgentStore } from "./agent-store.ts";
import type { FeedItem } from "./control-plane.ts";
import { hashOfItem, sumOf } from "./held-item.ts";
import { routeTo } from "./testing/agent-bench.ts";

const newPath = () => join(mkdtempSync(join(tmpdir(), "agent-store-")), "agent.db");
const at = (shard: number, version: number) => ({ shard, version, token: version * 10 });

const item = (id: string, version: number, value: FeedItem["value"] = routeTo(id)): FeedItem => ({
  kind: "route",
  id,
  version,
  generation: version,
  value,
});

test("items and position survive being closed and opened", () => {
  const path = newPath();
  const store = openAgentStore(path);
  store.enterEpoch("one", [0, 1]);
  store.replaceShard(at(0, 2), [item("a", 1), item("b", 2)]);
  store.changeShard(at(0, 4), [item("a", 3), item("b", 4, null)]);
  store.close();
  const again = openAgentStore(path);
  expect(again.position()).toEqual({ epoch: "one", versions: { 0: 4 } });
  expect(again.listItems(0)).toEqual([{ ...item("a", 3), shard: 0 }]);
  again.close();
});

test("returns the former value of a change", () => {
  const store = openAgentStore(":memory:");
  store.replaceShard(at(0, 1), [item("a", 1)]);
  expect(store.changeShard(at(0, 3), [item("a", 2, null), item("b", 3)])).toEqual([
    { ...item("a", 1), shard: 0 },
    undefined,
  ]);
});

test("a change that cannot be stored whole is not stored at all", () => {
  const store = openAgentStore(":memory:");
  store.enterEpoch("one", [0]);
  store.replaceShard(at(0, 1), [item("a", 1)]);
  const broken = { ...item("b", 3), generation: null as unknown as number };
  expect(() => store.changeShard(at(0, 3), [item("a", 2, null), broken])).toThrow("NOT NULL");
  expect(store.position().versions).toEqual({ 0: 1 });
  expect(store.findItem({ kind: "route", id: "a" })).toMatchObject({ version: 1 });
});

test("a snapshot replaces its shard and no other", () => {
  const store = openAgentStore(":memory:");
  store.replaceShard(at(0, 2), [item("a", 1), item("b", 2)]);
  store.replaceShard(at(1, 1), [item("c", 1)]);
  store.replaceShard(at(0, 3), [item("b", 3)]);
  expect(store.listItems(0).map(({ id, version }) => [id, version])).toEqual([["b", 3]]);
  expect(store.listItems(1).map(({ id }) => id)).toEqual(["c"]);
});

test("another epoch forgets positions but keeps items; shards that are not listed go", () => {
  const store = openAgentStore(":memory:");
  store.enterEpoch("one", [0, 1]);
  store.replaceShard(at(0, 1), [item("a", 1)]);
  store.replaceShard(at(1, 1), [item("b", 1)]);
  store.enterEpoch("one", [0, 1]);
  expect(store.position().versions).toEqual({ 0: 1, 1: 1 });
  store.enterEpoch("two", [0]);
  expect(store.position()).toEqual({ epoch: "two", versions: {} });
  expect(store.listShards()).toEqual([{ shard: 0, version: -1, token: null }]);
  expect(store.listItems(0)).toHaveLength(1);
  expect(store.listItems(1)).toEqual([]);
});

test("an item that moved to another shard is not taken away by the one it left", () => {
  const store = openAgentStore(":memory:");
  store.replaceShard(at(0, 1), [item("a", 1)]);
  store.changeShard(at(1, 1), [item("a", 1)]);
  store.changeShard(at(0, 2), [item("a", 2, null)]);
  expect(store.findItem({ kind: "route", id: "a" })).toMatchObject({ shard: 1 });
});

test("a shard's digest is the sum of its items' hashes, through snapshots, changes and moves, and survives", () => {
  const path = newPath();
  const store = openAgentStore(path);
  const counted = (shard: number) =>
    store.listItems(shard).reduce((sum, told) => sumOf(sum, hashOfItem(told)), 0n);
  store.replaceShard(at(0, 3), [item("a", 1), item("b", 2), item("c", 3)]);
  store.replaceShard(at(1, 1), [item("d", 1)]);
  expect(store.digestOf(0)).toBe(counted(0));
  store.changeShard(at(0, 6), [item("a", 4), item("b", 5, null), item("e", 6)]);
  expect(store.digestOf(0)).toBe(counted(0));
  store.changeShard(at(1, 2), [item("c", 2)]);
  store.changeShard(at(0, 7), [item("c", 7, null)]);
  expect([store.digestOf(0), store.digestOf(1)]).toEqual([counted(0), counted(1)]);
  const digests = [store.digestOf(0), store.digestOf(1)];
  store.close();
  const again = openAgentStore(path);
  expect([again.digestOf(0), again.digestOf(1)]).toEqual(digests);
  again.replaceShard(at(0, 8), []);
  expect(again.digestOf(0)).toBe(0n);
  again.close();
});

test("recreates a file of another layout", () => {
  const path = newPath();
  const old = new DatabaseSync(path);
  old.exec("create table items (whatever text); pragma user_version = 99;");
  old.close();
  const store = openAgentStore(path);
  expect(store.position()).toEqual({ epoch: null, versions: {} });
  store.replaceShard(at(0, 1), [item("a", 1)]);
  expect(store.listItems(0)).toHaveLength(1);
  store.close();
});
