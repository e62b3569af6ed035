import { expect, test } from "vitest";
import { canonicalNetwork, isWithin } from "./networks.ts";

test.each([
  ["192.0.2.77", "192.0.2.77/32"],
  ["192.0.2.77/24", "192.0.2.0/24"],
  ["192.0.2.77/024", "192.0.2.0/24"],
  ["0.0.0.0/0", "0.0.0.0/0"],
  ["2001:DB8::0:1", "2001:db8::1/128"],
  ["2001:db8:1:2:3::/48", "2001:db8:1::/48"],
  ["::/0", "::/0"],
  ["fe80::1%eth0", undefined],
  ["::ffff:192.0.2.1", undefined],
  ["::ffff:192.0.2.0/120", undefined],
  ["10.1", undefined],
  ["0x7f.1", undefined],
  ["127.0.0.01", undefined],
  ["192.0.2.0/33", undefined],
  ["192.0.2.0/-1", undefined],
  ["192.0.2.0/", undefined],
  ["192.0.2.0/24/24", undefined],
  ["2001:db8::/129", undefined],
  ["", undefined],
  ["localhost", undefined],
])("the network %j is spelt %j", (text, canonical) => {
  expect(canonicalNetwork(text)).toBe(canonical);
});

test("AK-06 addresses of both kinds are within their networks, and an IPv4 address in IPv6 dress is itself", () => {
  const networks = ["192.0.2.0/24", "2001:db8::/32"];

  expect(
    ["192.0.2.1", "::ffff:192.0.2.1", "2001:db8:1::1"].filter((address) => !isWithin(networks, address)),
  ).toEqual([]);
  expect(
    ["192.0.3.1", "::ffff:192.0.3.1", "2001:db9::1", "::1"].filter((address) => isWithin(networks, address)),
  ).toEqual([]);
  expect(isWithin([], "203.0.113.1")).toBe(true);
});
