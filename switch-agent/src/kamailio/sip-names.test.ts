import { expect, onTestFinished, test } from "vitest";
import { openDnsServer } from "../testing/dns-server.ts";
import { readAddressRules } from "./address-rules.ts";
import { sipResolver } from "./sip-names.ts";

test("marks the result as incomplete if one look-up fails, and omits hosts without an address", async () => {
  const dns = await openDnsServer();
  onTestFinished(() => dns.close());
  const srv = { type: "SRV", priority: 1, weight: 1, port: 5060 } as const;
  dns.zone.set("_sip._udp.pbx.example", [
    { ...srv, target: "a.example" },
    { ...srv, target: "b.example" },
  ]);
  dns.zone.set("a.example", [{ type: "A", address: "198.41.0.4" }]);
  dns.zone.set("b.example", [{ type: "A", address: "199.9.14.201" }]);
  const rules = readAddressRules("");
  const resolve = sipResolver({ rules, hasIpv6: true, dnsServers: [dns.address] });
  const found = async () => {
    const { addresses, isWhole } = await resolve("pbx.example;udp");
    return [addresses, isWhole];
  };
  expect(await found()).toEqual([["198.41.0.4:5060;udp", "199.9.14.201:5060;udp"], true]);
  dns.silent.add("b.example");
  expect(await found()).toEqual([["198.41.0.4:5060;udp"], false]);
  dns.silent.clear();
  dns.zone.delete("b.example");
  expect(await found()).toEqual([["198.41.0.4:5060;udp"], true]);
  dns.silent.add("a.example");
  await expect(found()).rejects.toThrow();
});
