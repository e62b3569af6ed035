import { expect, test } from "vitest";
import { UnusedHosts } from "./unused-hosts.ts";

test("a name goes when nothing has needed it for ten seconds, however often it was looked at", () => {
  const hosts = new UnusedHosts();
  for (const nowMs of [5_000, 5_001, 14_999]) expect(hosts.listDue(["a.example"], nowMs)).toEqual([]);
  expect(hosts.listDue(["a.example", "b.example"], 15_000)).toEqual(["a.example"]);
});

test("keeps a name for ten more seconds after it was needed again", () => {
  const hosts = new UnusedHosts();
  hosts.listDue(["a.example"], 0);
  hosts.listDue([], 5_000);
  expect(hosts.listDue(["a.example"], 10_000)).toEqual([]);
  expect(hosts.listDue(["a.example"], 19_999)).toEqual([]);
  expect(hosts.listDue(["a.example"], 20_000)).toEqual(["a.example"]);
});
