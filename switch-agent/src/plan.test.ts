import { expect, test } from "vitest";
import type { HeldItem, DesiredItem } from "./held-item.ts";
import { inOrder, planShard } from "./plan.ts";

const route = (id: string, generation = 1, user = id): DesiredItem => ({
  kind: "route",
  id,
  shard: 0,
  version: generation,
  generation,
  value: { e164: "+12025550199", mode: "sip_uri", sip_uri: `sip:${user}@192.0.2.1` },
});
const connection = (id: string, port = 5060): DesiredItem => ({
  kind: "connection",
  id,
  shard: 0,
  version: 1,
  generation: 1,
  value: { targets: [{ host: "192.0.2.1", port, transport: "udp", priority: 1, weight: 1 }] },
});
const reversed = (item: DesiredItem): HeldItem => ({
  ...item,
  value: Object.fromEntries(Object.entries(item.value).toReversed()) as unknown as HeldItem["value"],
});

const cases: { name: string; told: DesiredItem[]; held: HeldItem[]; steps: string[] }[] = [
  { name: "nothing told, nothing held", told: [], held: [], steps: [] },
  { name: "held as told", told: [route("a")], held: [route("a")], steps: [] },
  { name: "fields in another order", told: [route("a")], held: [reversed(route("a"))], steps: [] },
  { name: "missing", told: [route("a")], held: [], steps: ["set route a"] },
  { name: "too much", told: [], held: [route("a")], steps: ["remove route a"] },
  { name: "another value", told: [route("a")], held: [route("a", 1, "x")], steps: ["set route a"] },
  {
    name: "an older generation",
    told: [route("a", 2, "a")],
    held: [route("a", 1, "a")],
    steps: ["set route a"],
  },
  { name: "another shard", told: [route("a")], held: [{ ...route("a"), shard: 1 }], steps: ["set route a"] },
  {
    name: "same id, other kind",
    told: [connection("a")],
    held: [route("a")],
    steps: ["set connection a", "remove route a"],
  },
  {
    name: "connections first to come and last to go",
    told: [route("r"), connection("new"), connection("changed", 5061)],
    held: [connection("old"), route("gone"), connection("changed")],
    steps: [
      "set connection new",
      "set connection changed",
      "set route r",
      "remove route gone",
      "remove connection old",
    ],
  },
];

test.each(cases)("plan: $name", ({ told, held, steps }) => {
  const planned = planShard(told, held);
  expect(planned.map(({ kind, id, want }) => `${want ? "set" : "remove"} ${kind} ${id}`)).toEqual(steps);
});

test("a plan says what was found", () => {
  const found = route("a", 1, "x");
  expect(planShard([route("a")], [found])).toEqual([{ kind: "route", id: "a", want: route("a"), found }]);
});

test("steps of the same rank keep their order", () => {
  const steps = ["c", "a", "b"].map((id) => ({ kind: "route" as const, id, want: null }));
  expect(inOrder(steps).map(({ id }) => id)).toEqual(["c", "a", "b"]);
});
