import { expect, test } from "vitest";
import type { RouteValue } from "../control-plane.ts";
import type { HeldItem } from "../held-item.ts";
import {
  asDigest,
  connectionText,
  coreHash,
  hashOfRow,
  hostsIn,
  readConnectionText,
  readRouteRow,
  routeRow,
  UnsupportedItemError,
  withoutBarred,
} from "./route-text.ts";

const e164 = "+4930901820";
const routeItem = (value: Omit<RouteValue, "e164">): HeldItem => ({
  kind: "route",
  id: "0198c5f2-7c1e-7a33-9d3f-3f6a1c0f9b11",
  shard: 3,
  generation: 7,
  value: { e164, ...value },
});

test.each<[Omit<RouteValue, "e164">, string]>([
  [{ mode: "sip_uri", sip_uri: "sip:a%7Cb@192.0.2.1:5080" }, "sip:a%7Cb@192.0.2.1:5080|||| "],
  [{ mode: "sip_uri", sip_uri: "sips:a@[2001:db8::1]" }, "sips:a@[2001:db8::1]|||| "],
  [{ mode: "sip_uri", sip_uri: "sip:a@PBX.example" }, "sip:a@PBX.example|pbx.example||| "],
  [
    { mode: "sip_uri", sip_uri: "sip:a@pbx.example:5070;transport=TCP" },
    "sip:a@pbx.example:5070;transport=TCP|pbx.example:5070;tcp||| ",
  ],
  [{ mode: "sip_uri", sip_uri: "sips:pbx.example" }, "sips:pbx.example|pbx.example;tls||| "],
  [{ mode: "connection", connection_id: "c1" }, "c1|||| "],
  [{ mode: "unrouted" }, "|||| "],
  [{ mode: "unrouted", is_resting: true }, "resting|||| "],
  [{ mode: "forward", forward_to: "+441632960000" }, "+441632960000|||| "],
  [
    {
      mode: "webhook",
      webhook_url: "https://h.example/?a=%7C|%20",
      fallback: { mode: "sip_uri", sip_uri: "sip:b@pbx.example" },
    },
    "https://h.example/?a=%257C%7C%2520||u|sip:b@pbx.example|pbx.example ",
  ],
  [
    { mode: "webhook", webhook_url: "https://h.example", fallback: { mode: "unrouted" } },
    "https://h.example||n|| ",
  ],
])("a route is written as one line and read back exactly: %j", (value, end) => {
  const item = routeItem(value);
  const row = routeRow(item);
  expect(row.key).toBe(e164);
  expect(`${row.text} `.slice(1)).toBe(`|7|3|${item.id}|${end}`);
  expect(readRouteRow(row)).toEqual(item);
});

test.each([
  "",
  "u",
  "u|x|3|id|a||||",
  "z|1|3|id|a||||",
  "u|1|3||a||||",
  "w|1|3|id|a||f|+44|",
  "u|1|3|id|a|||| |",
])("does not read a malformed line: %j", (text) => {
  expect(readRouteRow({ key: e164, text })).toBeUndefined();
});

test.each(["sip:a b@192.0.2.1", "sip:a|b@192.0.2.1", "sip:ä@192.0.2.1", "sip:a@192.0.2.1\n+49 x"])(
  "rejects a value that would not be one line: %j",
  (uri) => {
    expect(() => routeRow(routeItem({ mode: "sip_uri", sip_uri: uri }))).toThrow(UnsupportedItemError);
  },
);

test("writes a route to a barred address as unrouted, and keeps the other fields", () => {
  const isBarred = (uri: string): boolean => uri.includes("@10.");
  const closed = (value: Omit<RouteValue, "e164">) => {
    const { key, text } = routeRow(routeItem(value));
    return readRouteRow({ key, text: withoutBarred(text, isBarred) })?.value;
  };
  const to = (host: string) => ({ mode: "sip_uri", sip_uri: `sip:a@${host}` }) as const;
  const asked = { mode: "webhook", webhook_url: "https://h.example" } as const;
  const nowhere = { mode: "unrouted" } as const;
  expect(closed(to("10.0.0.1"))).toEqual({ e164, ...nowhere });
  expect(closed({ ...asked, fallback: to("10.0.0.1") })).toEqual({ e164, ...asked, fallback: nowhere });
  for (const value of [to("192.0.2.1"), to("10.example"), { ...asked, fallback: to("192.0.2.1") }, nowhere])
    expect(closed(value)).toEqual({ e164, ...value });
});

test("a connection is written as one line and read back exactly, with its names", () => {
  const item: HeldItem = {
    kind: "connection",
    id: "c1",
    shard: 3,
    generation: 9,
    value: {
      targets: [
        { host: "PBX.example", port: 5060, transport: "udp", priority: 1, weight: 50 },
        { host: "2001:db8::1", port: 5061, transport: "tls", priority: 2, weight: 1 },
      ],
      ring_seconds: 20,
    },
  };
  const text = connectionText(item, "31=11;32=11");
  expect(text).toBe("9|3|0|20|31=11;32=11|PBX.example:5060:udp:1:50,[2001:db8::1]:5061:tls:2:1");
  expect(readConnectionText({ key: "c1", text })).toEqual({ item, sets: "31=11;32=11" });
  expect(hostsIn("cn", text)).toEqual(["pbx.example:5060;udp"]);
  expect(readConnectionText({ key: "c1", text: `${text},x` })).toBeUndefined();
  const withSources = { ...item, value: { ...item.value, sources: ["8.8.8.0/28", "8.8.4.4/32"] } };
  const longer = connectionText(withSources, "31=11;32=11");
  expect(longer).toBe(`${text}|8.8.8.0/28,8.8.4.4/32`);
  expect(readConnectionText({ key: "c1", text: longer })?.item).toEqual(withSources);
});

test("the hash is the one of the switch", () => {
  // As Kamailio 5.6.3 answered for {s.corehash} and {s.md5}{s.corehash,1073741824}.
  expect(coreHash("+4900000000 u|7|0|abc")).toBe(1_293_079_401);
  expect(hashOfRow({ key: "+4900000000", text: "u|7|0|abc" })).toBe(5_815_005);
});

test("a digest adds up where the agent adds it up", () => {
  const [one, other] = [0x3fff_ffff, 5];
  expect(BigInt.asUintN(64, asDigest(one) + asDigest(other))).toBe(asDigest(4));
});
