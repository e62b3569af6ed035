import { describe, expect, test } from "vitest";
import { FAILURE_CAUSES, type RouteStep, type RouteValue } from "../control-plane.ts";
import { hashOfItem, type HeldItem, isSameItem } from "../held-item.ts";
import {
  hashOfRow,
  hostsIn,
  readRouteRow,
  routeRow,
  UnsupportedItemError,
  withoutBarred,
} from "./route-text.ts";

const e164 = "+4930901820";
const id = "0198c5f2-7c1e-7a33-9d3f-3f6a1c0f9b11";
const connection = "01a10000-0000-7000-8000-000000000001";
const routeItem = (value: RouteStep & { is_resting?: boolean }): HeldItem => ({
  kind: "route",
  id,
  shard: 3,
  generation: 7,
  value: { e164, ...value },
});
const asked = { mode: "webhook", webhook_url: "https://h.example" } as const;
const toUri = (host: string) => ({ mode: "sip_uri", sip_uri: `sip:a@${host}` }) as const;
const forward = { mode: "forward", forward_to: "+442079460000" } as const;

test.each<[RouteStep, string]>([
  [
    {
      mode: "connection",
      connection_id: connection,
      ring_seconds: 25,
      fallback: {
        on: ["unreachable", "no_answer", "busy"],
        ...toUri("pbx.example"),
        ring_seconds: 20,
        fallback: { on: ["unreachable"], ...forward },
      },
    },
    `C|7|3|${id}|${connection}||u|sip:a@pbx.example|pbx.example|25|unb|20|u|f|+442079460000||`,
  ],
  [{ ...toUri("192.0.2.1"), ring_seconds: 30 }, `U|7|3|${id}|sip:a@192.0.2.1|||||30|||||||`],
  [
    { ...asked, fallback: { mode: "unrouted", on: ["refused"] } },
    `W|7|3|${id}|https://h.example||n||||r||||||`,
  ],
  [
    { ...asked, fallback: { ...asked, fallback: toUri("PBX.example:5070") } },
    `W|7|3|${id}|https://h.example||w|https://h.example||||||u|sip:a@PBX.example:5070|pbx.example:5070|`,
  ],
  [
    { ...forward, fallback: { on: ["busy"], ...asked, ring_seconds: 5 } },
    `F|7|3|${id}|+442079460000||w|https://h.example|||b|5|||||`,
  ],
])("writes a route with failover as 17 fields: %j", (value, text) => {
  const item = routeItem(value);
  expect(routeRow(item)).toEqual({ key: e164, text });
  expect(readRouteRow({ key: e164, text })).toEqual(item);
});

test("every forward and webhook step names the payer", () => {
  const payer = "0198c5f2-0000-7000-8000-00000000000a";
  const on = ["busy" as const];
  const values: [RouteStep, string][] = [
    [forward, `f|7|3|${id}|+442079460000|${payer}|||`],
    [
      { ...asked, fallback: toUri("pbx.example") },
      `w|7|3|${id}|https://h.example|${payer}|u|sip:a@pbx.example|pbx.example`,
    ],
    [
      { ...toUri("pbx.example"), fallback: { on, ...asked, fallback: { on, ...forward } } },
      `U|7|3|${id}|sip:a@pbx.example|pbx.example|w|https://h.example|${payer}||b||b|f|+442079460000|${payer}|`,
    ],
  ];
  for (const [value, text] of values) {
    const item = { ...routeItem(value), payer };
    expect(routeRow(item)).toEqual({ key: e164, text });
    expect(readRouteRow({ key: e164, text })).toEqual(item);
    const { payer: _payer, ...free } = item;
    expect(isSameItem(item, free)).toBe(false);
    expect(isSameItem(item, { ...item, payer: id })).toBe(false);
    expect(hashOfItem(item)).not.toBe(hashOfItem(free));
    expect(hashOfRow(routeRow(item))).not.toBe(hashOfRow(routeRow(free)));
  }
});

test("does not read a row whose steps name two payers, or only some of them one", () => {
  for (const [one, other] of [
    ["a", "b"],
    ["a", ""],
    ["", "b"],
  ])
    expect(
      readRouteRow({ key: e164, text: `F|7|3|${id}|+441|${one}|f|+442|${other}||u||||||` }),
    ).toBeUndefined();
});

test("rejects a payer for a route that forwards no calls", () => {
  const item = { ...routeItem(toUri("192.0.2.1")), payer: id };
  expect(() => routeRow(item)).toThrow(UnsupportedItemError);
});

test("keeps nine fields for all routes that they can express", () => {
  const plain: RouteStep[] = [
    toUri("192.0.2.1"),
    { mode: "connection", connection_id: connection },
    { mode: "unrouted" },
    forward,
    { ...asked, fallback: { mode: "unrouted" } },
    { ...asked, fallback: toUri("pbx.example") },
    { ...asked, fallback: { mode: "connection", connection_id: connection } },
  ];
  for (const value of plain) expect(routeRow(routeItem(value)).text).toMatch(/^[ucnfw](\|[^|]*){8}$/);
});

test.each<RouteStep>([
  { ...forward, fallback: { ...forward, on: ["no_answer", "unreachable"] } },
  { ...forward, fallback: { ...forward, on: ["busy", "busy"] } },
  { ...forward, fallback: { ...forward, on: [] } },
  { ...forward, on: ["busy"] },
  { ...forward, ring_seconds: 2.5 },
  { ...forward, ring_seconds: 0 },
  { ...forward, fallback: { ...forward, fallback: { ...forward, fallback: forward } } },
])("rejects what would not read back unchanged: %j", (value) => {
  expect(() => routeRow(routeItem(value))).toThrow(UnsupportedItemError);
});

test.each([
  `u|7|3|${id}|sip:a@192.0.2.1|||||30|||||||`,
  `U|7|3|${id}|sip:a@192.0.2.1||||`,
  `U|7|3|${id}|sip:a@192.0.2.1|||||||||||||`,
  `U|7|3|${id}|sip:a@192.0.2.1|||||x|||||||`,
  `U|7|3|${id}|sip:a@192.0.2.1|||||030|||||||`,
  `U|7|3|${id}|sip:a@192.0.2.1||f|+441||30|nu||||||`,
  `U|7|3|${id}|sip:a@192.0.2.1||f|+441||30|x||||||`,
  `U|7|3|${id}|sip:a@192.0.2.1||F|+441||30|u||||||`,
  `U|7|3|${id}|sip:a@192.0.2.1|||||30|u||||||`,
  `U|7|3|${id}|sip:a@192.0.2.1|||||30||||f|+441||`,
  `W|7|3|${id}|https://h.example||n||||||||||`,
  `1|7|3|${id}|sip:a@192.0.2.1|||||30|||||||`,
])("does not read a malformed line: %j", (text) => {
  expect(readRouteRow({ key: e164, text })).toBeUndefined();
});

describe("10,000 random routes", () => {
  const random = seededRandom(20_261_118);
  const routes = Array.from({ length: 10_000 }, () => randomRoute(random));

  test("read back exactly", () => {
    for (const value of routes) {
      const item = routeItem(value);
      expect(readRouteRow(routeRow(item))).toEqual(item);
    }
  });

  test("read back exactly with their payer, and change nothing else of the row", () => {
    const isPaid = ({ mode, fallback }: RouteStep): boolean =>
      mode === "forward" || mode === "webhook" || (fallback !== undefined && isPaid(fallback));
    const paid = routes.filter(isPaid);
    expect(paid.length).toBeGreaterThan(5_000);
    for (const value of paid) {
      const item = { ...routeItem(value), payer: connection };
      const row = routeRow(item);
      expect(readRouteRow(row)).toEqual(item);
      expect(hostsIn("rt", row.text)).toEqual(hostsIn("rt", routeRow(routeItem(value)).text));
      const barred = readRouteRow({ ...row, text: withoutBarred(row.text, () => true) });
      expect(barred).toMatchObject({ id, payer: connection });
    }
  });

  test("have different rows", () => {
    const texts = new Map(routes.map((value) => [JSON.stringify(value), routeRow(routeItem(value)).text]));
    expect(texts.size).toBeGreaterThan(5_000);
    expect(new Set(texts.values()).size).toBe(texts.size);
  });
});

test("lists the names of all steps that lead to a SIP URI", () => {
  const on = ["unreachable" as const];
  const route = routeItem({
    ...toUri("one.example"),
    fallback: { on, ...toUri("two.example"), fallback: { on, ...toUri("three.example;transport=tcp") } },
  });
  expect(hostsIn("rt", routeRow(route).text)).toEqual(["one.example", "two.example", "three.example;tcp"]);
  // The host of another mode is not a name.
  expect(hostsIn("rt", `F|7|3|${id}|+441|x|f|+442|x||u||u|f|+443|x|`)).toEqual([]);
});

test("replaces barred steps, and keeps the others", () => {
  const on = ["unreachable" as const];
  const route = (...hosts: [string, string, string]): RouteValue => ({
    e164,
    ...toUri(hosts[0]),
    ring_seconds: 10,
    fallback: { on, ...toUri(hosts[1]), fallback: { on, ...toUri(hosts[2]) } },
  });
  const withoutTens = (value: RouteValue) => {
    const { key, text } = routeRow(routeItem(value));
    return readRouteRow({ key, text: withoutBarred(text, (uri) => uri.includes("@10.")) })
      ?.value as RouteValue;
  };
  const nowhere = { mode: "unrouted" } as const;
  const last = { on, ...toUri("192.0.2.2") };
  expect(withoutTens(route("10.0.0.1", "192.0.2.1", "192.0.2.2"))).toEqual({
    e164,
    ...nowhere,
    ring_seconds: 10,
    fallback: { on, ...toUri("192.0.2.1"), fallback: last },
  });
  const barred = withoutTens(route("10.example", "10.0.0.1", "10.0.0.2"));
  expect(barred.fallback).toEqual({ on, ...nowhere, fallback: { on, ...nowhere } });
  expect(withoutTens(route("10.example", "192.0.2.1", "192.0.2.2")).fallback?.fallback).toEqual(last);
});

type Random = () => number;

/** xorshift32 */
function seededRandom(seed: number): Random {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

/** As the service stores them. */
function randomRoute(random: Random): RouteStep {
  const chance = (share: number): boolean => random() < share;
  const pick = <Value>(values: readonly Value[]): Value => values[Math.floor(random() * values.length)]!;
  const destination = (): RouteStep => {
    const hosts = ["192.0.2.7:5080", "[2001:db8::1]", "pbx.example", "PBX.example:5070;transport=TCP"];
    switch (pick(["u", "c", "f", "w"])) {
      case "u":
        return {
          mode: "sip_uri",
          sip_uri: `${pick(["sip", "sips"])}:${pick(["a", "a%7Cb", "+49"])}@${pick(hosts)}`,
        };
      case "c":
        return {
          mode: "connection",
          connection_id: `01a10000-0000-7000-8000-00000000000${pick([1, 2, 3, 4, 5])}`,
        };
      case "f":
        return { mode: "forward", forward_to: `+44207946${pick(["0000", "0001", "0002"])}` };
      default:
        return {
          mode: "webhook",
          webhook_url: pick(["https://h.example/?a=%7C|%20 b", "https://h.example/w"]),
        };
    }
  };
  const step = (depth: number, parent?: RouteStep): RouteStep => {
    const one = destination();
    if (chance(0.5)) one.ring_seconds = 5 + Math.floor(random() * 116);
    if (parent) {
      const causes = FAILURE_CAUSES.filter(() => chance(0.5));
      if (causes.length > 0 || parent.mode !== "webhook") one.on = causes.length > 0 ? causes : ["busy"];
    }
    if (depth < 3 && chance(0.7)) one.fallback = step(depth + 1, one);
    else if (depth === 1 && one.mode === "webhook") one.fallback = { mode: "unrouted" };
    return one;
  };
  return step(1);
}
