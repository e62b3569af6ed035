import { expect, test } from "vitest";
import { canonicalNetwork, isPublicAddress, isWithin } from "./networks.ts";

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

test.each([
  "127.0.0.1",
  "127.255.255.254",
  "0.0.0.0",
  "10.1.2.3",
  "172.16.0.1",
  "172.31.255.255",
  "192.168.1.1",
  "169.254.169.254",
  "100.64.0.1",
  "198.18.0.1",
  "192.0.0.1",
  "192.0.2.1",
  "198.51.100.1",
  "203.0.113.5",
  "192.88.99.1",
  "224.0.0.1",
  "240.0.0.1",
  "255.255.255.255",
  "::",
  "::1",
  "::ffff:127.0.0.1",
  "::ffff:7f00:1",
  "::ffff:169.254.169.254",
  "::7f00:1",
  "::a9fe:a9fe",
  "64:ff9b::7f00:1",
  "64:ff9b:1::a00:1",
  "2002:7f00:1::",
  "2001:0:1234::1",
  "2001:db8::1",
  "3fff::1",
  "fc00::1",
  "fd00:ec2::254",
  "fe80::1",
  "fe80::1%eth0",
  "2606:4700:4700::1111%eth0",
  "fec0::1",
  "ff02::1",
  "100::1",
  "5f00::1",
  "4000::1",
  "168.63.129.16",
  "::ffff:168.63.129.16",
  "127.1",
  "134744072",
  "0x8.8.8.8",
  "010.8.8.8",
  "8.8.8.8:53",
  "8.8.8.0/24",
  "[2606:4700:4700::1111]",
  "",
  "garbage",
])("%j is not a public address", (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each([
  "1.1.1.1",
  "8.8.8.8",
  "172.32.0.1",
  "100.128.0.1",
  "::ffff:8.8.8.8",
  "2606:4700:4700::1111",
  "2a00:1450:4001:80b::200e",
])("%j is a public address", (address) => {
  expect(isPublicAddress(address)).toBe(true);
});
