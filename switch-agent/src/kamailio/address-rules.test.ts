import { expect, test } from "vitest";
import { readAddressRules } from "./address-rules.ts";

test.each([
  "0.0.0.0",
  "10.1.2.3",
  "100.64.0.1",
  "127.0.0.1",
  "168.63.129.16",
  "169.254.169.254",
  "172.31.0.1",
  "192.0.2.1",
  "192.168.0.1",
  "198.18.0.1",
  "203.0.113.1",
  "224.0.0.1",
  "255.255.255.255",
  "::",
  "::1",
  "::ffff:8.8.8.8",
  "fe80::1",
  "fd00::1",
  "2001:db8::1",
  "2002:7f00:1::",
  "64:ff9b::1",
  "pbx.example",
  "",
])("%j is not a public address", (address) => {
  expect(readAddressRules("").isAllowed(address, 5060)).toBe(false);
});

test.each(["8.8.8.8", "100.128.0.1", "172.32.0.1", "2606:4700::1"])("%j may be called", (address) => {
  expect(readAddressRules("").isAllowed(address, 5060)).toBe(true);
});

test("the operator opens networks on their ports, and what is closed stays closed", () => {
  const rules = readAddressRules(
    "10.0.0.0/8, 127.0.0.0/8:5060-5090,fd00::/8:5061+http,.corp.internal,-10.9.0.0/16,-8.8.8.8",
  );
  const allowed = (address: string, port = 5060) => rules.isAllowed(address, port);
  expect([allowed("10.1.2.3"), allowed("127.0.0.1", 5090), allowed("fd00::1", 5061)]).toEqual([
    true,
    true,
    true,
  ]);
  expect([allowed("127.0.0.1", 5059), allowed("fd00::1"), allowed("10.9.0.1"), allowed("8.8.8.8")]).toEqual([
    false,
    false,
    false,
    false,
  ]);
});

test("calls go to low ports, and questions to others than 443 or without TLS, only where the operator says so", () => {
  const rules = readAddressRules("10.0.0.0/8:25-8443, 127.0.0.0/8:8080+http, -8.8.4.4");
  expect([25, 443, 1023, 1024].map((port) => rules.isAllowed("8.8.8.8", port))).toEqual([
    false,
    false,
    false,
    true,
  ]);
  expect(rules.isAllowed("10.0.0.1", 25)).toBe(true);
  const askable = (address: string, port: number, isPlain = false) => rules.isAskable(address, port, isPlain);
  expect([askable("8.8.8.8", 443), askable("10.0.0.1", 8443), askable("127.0.0.1", 8080, true)]).toEqual([
    true,
    true,
    true,
  ]);
  for (const [address, port, isPlain] of [
    ["8.8.8.8", 443, true],
    ["8.8.8.8", 8443, false],
    ["8.8.4.4", 443, false],
    ["10.0.0.1", 8443, true],
    ["127.0.0.1", 443, false],
    ["169.254.169.254", 443, false],
    ["::ffff:127.0.0.1", 443, false],
  ] as const)
    expect([address, port, askable(address, port, isPlain)]).toEqual([address, port, false]);
});

test.each(["10.0.0.1", "10.0.0.0/33", "localhost/8", "-x", "10.0.0.0/8 11.0.0.0/8"])(
  "rejects an ambiguous entry by name: %j",
  (entry) => {
    expect(() => readAddressRules(`192.168.0.0/16,${entry}`)).toThrow(`“${entry}”`);
  },
);

test("never allows the switch itself as a target, but other programs on its machine", () => {
  const rules = readAddressRules("127.0.0.0/8", ["127.0.0.5:5060", "8.8.8.8:5060"]);
  expect(rules.isAllowed("127.0.0.5", 5060)).toBe(false);
  expect(rules.isAllowed("8.8.8.8", 5060)).toBe(false);
  expect(rules.isAllowed("127.0.0.5", 5080)).toBe(true);
  expect(rules.text).not.toBe(readAddressRules("127.0.0.0/8").text);
});
