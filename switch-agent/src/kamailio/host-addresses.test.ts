import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { eventually } from "../testing/agent-bench.ts";
import { type DnsServer, openDnsServer } from "../testing/dns-server.ts";
import { readAddressRules } from "./address-rules.ts";
import { HostAddresses } from "./host-addresses.ts";
import { sipResolver } from "./sip-names.ts";

let dns: DnsServer;
const ignore = (): void => undefined;
const log = { info: ignore, warn: ignore, error: ignore };

beforeEach(async () => {
  dns = await openDnsServer();
});
afterEach(() => dns.close());

const resolver = (egressAllow = "") =>
  sipResolver({ rules: readAddressRules(egressAllow), hasIpv6: false, dnsServers: [dns.address] });
const address = (text: string) => ({ type: "A", address: text }) as const;

test("a port that is given asks for addresses alone", async () => {
  dns.zone.set("pbx.example", [address("198.41.0.5"), address("198.41.0.4")]);
  expect((await resolver()("pbx.example:5070;tcp")).addresses).toEqual([
    "198.41.0.4:5070;tcp",
    "198.41.0.5:5070;tcp",
  ]);
  expect((await resolver()("pbx.example:5070")).addresses).toEqual([
    "198.41.0.4:5070;udp",
    "198.41.0.5:5070;udp",
  ]);
});

test("without a port SRV says where, by priority, and NAPTR by what transport", async () => {
  dns.zone.set("pbx.example", [
    { type: "NAPTR", order: 20, service: "SIP+D2U", replacement: "_sip._udp.pbx.example" },
    { type: "NAPTR", order: 10, service: "SIPS+D2T", replacement: "_sips._tcp.pbx.example" },
  ]);
  dns.zone.set("_sips._tcp.pbx.example", [
    { type: "SRV", priority: 2, weight: 1, port: 5063, target: "b.example" },
    { type: "SRV", priority: 1, weight: 1, port: 5062, target: "a.example" },
  ]);
  dns.zone.set("_sip._udp.pbx.example", [
    { type: "SRV", priority: 1, weight: 1, port: 5064, target: "a.example" },
  ]);
  dns.zone.set("a.example", [address("198.41.0.4")]);
  dns.zone.set("b.example", [address("199.9.14.201")]);
  expect((await resolver()("pbx.example")).addresses).toEqual([
    "198.41.0.4:5062;tls",
    "199.9.14.201:5063;tls",
    "198.41.0.4:5064;udp",
  ]);
  expect((await resolver()("pbx.example;udp")).addresses).toEqual(["198.41.0.4:5064;udp"]);
});

test("a name with nothing but an address is called on the usual port", async () => {
  dns.zone.set("pbx.example", [address("198.41.0.4")]);
  expect((await resolver()("pbx.example")).addresses).toEqual(["198.41.0.4:5060;udp"]);
  expect((await resolver()("pbx.example;tls")).addresses).toEqual(["198.41.0.4:5061;tls"]);
});

test("one address that is not the public's spoils all, unless the operator opened it", async () => {
  dns.zone.set("pbx.example", [address("198.41.0.4"), address("10.0.0.1")]);
  expect((await resolver()("pbx.example:5060")).addresses).toEqual([]);
  expect((await resolver("10.0.0.0/8:5060")("pbx.example:5060")).addresses).toHaveLength(2);
  expect((await resolver("10.0.0.0/8:5061")("pbx.example:5060")).addresses).toEqual([]);
});

test("a name that stops resolving keeps its last addresses, and one that leads inside loses them", async () => {
  const told: string[] = [];
  const names = new HostAddresses(
    {
      resolve: resolver(),
      log,
      changed: async (_key, text) => void told.push(text),
      isUsed: () => true,
    },
    { tickMs: 5, minKeptMs: 10, maxKeptMs: 10, retryMs: 10, firstRetryMs: 10 },
  );
  try {
    dns.zone.set("pbx.example", [address("198.41.0.4")]);
    names.want(["pbx.example:5060"]);
    await names.whenTried(["pbx.example:5060"]);
    expect(names.addressesOf("pbx.example:5060")).toEqual(["198.41.0.4:5060;udp"]);

    dns.zone.delete("pbx.example");
    const before = dns.asked.length;
    await eventually(() => dns.asked.length > before + 3);
    expect(names.addressesOf("pbx.example:5060")).toEqual(["198.41.0.4:5060;udp"]);

    dns.zone.set("pbx.example", [address("199.9.14.201")]);
    await eventually(() => told.length === 2);
    dns.zone.set("pbx.example", [address("127.0.0.1")]);
    await eventually(() => told.length === 3);
    expect(told).toEqual(["198.41.0.4:5060;udp", "199.9.14.201:5060;udp", ""]);
  } finally {
    names.close();
  }
});

test("sends the addresses of a name again after a failure of the switch", async () => {
  const told: string[] = [];
  let isAway = true;
  const names = new HostAddresses(
    {
      resolve: resolver(),
      log,
      async changed(_key, text) {
        told.push(text);
        if (isAway) throw new Error("The switch does not answer.");
      },
      isUsed: () => true,
    },
    { tickMs: 5, minKeptMs: 10, maxKeptMs: 10, retryMs: 10, firstRetryMs: 10 },
  );
  try {
    dns.zone.set("pbx.example", [address("198.41.0.4")]);
    names.want(["pbx.example:5060"]);
    await eventually(() => told.length >= 2);
    isAway = false;
    const before = told.length;
    await eventually(() => told.length > before);
    const asked = dns.asked.length;
    await eventually(() => dns.asked.length > asked + 3);
    expect(told).toEqual(Array(before + 1).fill("198.41.0.4:5060;udp"));
  } finally {
    names.close();
  }
});

const QUICK = { tickMs: 5, minKeptMs: 10, maxKeptMs: 10, retryMs: 10, firstRetryMs: 10 };
const openNames = (): HostAddresses => {
  const needs = { resolve: resolver(), log, changed: async () => undefined, isUsed: () => true };
  const names = new HostAddresses(needs, QUICK);
  onTestFinished(() => names.close());
  return names;
};

test("names that failed before hold up neither a new one nor one that leads somewhere, however many they are", async () => {
  dns.zone.set("old.example", [address("198.41.0.4")]);
  dns.zone.set("new.example", [address("198.41.0.4")]);
  const dead = Array.from({ length: 120 }, (_, place) => `dead-${place}.example`);
  for (const name of dead) dns.silent.add(name);
  const keysOf = (hosts: string[]) => hosts.map((name) => `${name}:5060`);
  const names = openNames();
  names.want(keysOf(["old.example", ...dead]));
  await names.whenTried(keysOf(dead));
  const before = dns.asked.length;
  const isDead = (name: string): boolean => name.startsWith("dead");
  await eventually(() => dns.asked.slice(before).filter(isDead).length >= 32);

  const from = dns.asked.length;
  names.want(keysOf(["new.example"]));
  await names.whenTried(keysOf(["new.example"]));
  expect(names.addressesOf("new.example:5060")).toEqual(["198.41.0.4:5060;udp"]);
  await eventually(() => dns.asked.lastIndexOf("old.example") >= from);
  // None of those that are due and waiting comes first; the 32 that are in progress may be requested again.
  const since = dns.asked.slice(from);
  for (const name of ["new.example", "old.example"])
    expect(since.slice(0, since.indexOf(name)).filter(isDead).length).toBeLessThan(33);
});

test("resolves a failing name with backoff, and at once when it is needed again", async () => {
  dns.zone.set("clock.example", [address("198.41.0.4")]);
  const names = openNames();
  const count = (name: string): number => dns.asked.filter((one) => one === name).length;
  names.want(["clock.example:5060"]);
  names.want(["late.example:5060"]);
  await eventually(() => count("clock.example") >= 100);
  expect(count("late.example")).toBeLessThan(15);

  dns.zone.set("late.example", [address("198.41.0.4")]);
  names.want(["late.example:5060"]);
  const asked = count("clock.example");
  await eventually(() => names.addressesOf("late.example:5060").length === 1);
  expect(count("clock.example") - asked).toBeLessThan(20);
});

test("a name server that does not answer is waited for a short time only", async () => {
  dns.isSilent = true;
  const startMs = performance.now();
  await expect(resolver()("pbx.example:5060")).rejects.toThrow();
  expect(performance.now() - startMs).toBeLessThan(8_000);
});

test("where one of two places does not answer, its last addresses stay behind those that were found", async () => {
  const told: string[] = [];
  const names = new HostAddresses(
    {
      resolve: resolver(),
      log,
      changed: async (_key, text) => void told.push(text),
      isUsed: () => true,
    },
    { tickMs: 5, minKeptMs: 10, maxKeptMs: 10, retryMs: 10 },
  );
  onTestFinished(() => names.close());
  const srv = { type: "SRV", priority: 1, weight: 1, port: 5060 } as const;
  dns.zone.set("_sip._udp.pbx.example", [
    { ...srv, target: "a.example" },
    { ...srv, target: "b.example" },
  ]);
  dns.zone.set("a.example", [address("198.41.0.4")]);
  dns.zone.set("b.example", [address("199.9.14.201")]);
  names.want(["pbx.example;udp"]);
  await eventually(() => told.length === 1);
  dns.silent.add("a.example");
  dns.zone.set("b.example", [address("199.9.14.202")]);
  await eventually(() => told.length === 2);
  dns.silent.clear();
  await eventually(() => told.length === 3);
  expect(told).toEqual([
    "198.41.0.4:5060;udp,199.9.14.201:5060;udp",
    "199.9.14.202:5060;udp,198.41.0.4:5060;udp,199.9.14.201:5060;udp",
    "198.41.0.4:5060;udp,199.9.14.202:5060;udp",
  ]);
});
