import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import type { ForwardingValue, SentTrunkList, TrunkValue } from "../trunk-list.ts";
import { type RunningKamailio, runKamailio } from "../testing/running-kamailio.ts";
import { type KamailioSwitch, kamailioSwitch } from "./kamailio-switch.ts";
import { writeSettings } from "./render-settings.ts";

const ignore = (): void => undefined;
const log = { info: ignore, warn: ignore, error: ignore };

const acme: TrunkValue = {
  name: "acme",
  direction: "both",
  sources: ["198.51.100.7/32", "203.0.113.64/26"],
  transport: "udp",
  nat: true,
  number_format: {
    international_prefix: "00",
    national_prefix: "0",
    country_code: "49",
    technical_prefix: "9#",
  },
  trusts_identity: true,
  max_calls: 7,
  gateway: {
    host: "127.0.0.9",
    port: 5080,
    username: "us",
    password_id: "first",
    in_trust_domain: true,
    history_info: false,
  },
};
const beta: TrunkValue = {
  ...acme,
  name: "beta",
  direction: "in",
  sources: ["192.0.2.1"],
  gateway: null,
};
const forwarding: ForwardingValue = {
  gateways: [{ trunk: "acme", priority: 2, weight: 3, ping: true }],
  prefixes: ["+44", "+4930"],
  calls_per_minute: 9,
  calls_at_once: 4,
};
const list: SentTrunkList = {
  etag: "one",
  trunks: [acme, beta],
  forwarding,
  passwords: { first: `p$'"\\ä` },
};

let kamailio: RunningKamailio;
let driver: KamailioSwitch;
beforeEach(async () => {
  kamailio = await runKamailio();
  await openDriver();
  return () => kamailio[Symbol.asyncDispose]();
});

async function openDriver(): Promise<void> {
  const opened = kamailioSwitch({ ...kamailio.reached, log });
  onTestFinished(() => opened.close());
  await opened.boot();
  driver = opened;
}

const foundOf = async (): Promise<(TrunkValue | null)[]> =>
  (await driver.trunks.readTrunks()).report.trunks.map(({ found }) => found);

const asDesired = (sent: SentTrunkList) => ({
  isAsDesired: true,
  report: {
    etag: sent.etag,
    trunks: sent.trunks.map((found) => ({ name: found.name, found, error: "" })),
    forwarding: { found: sent.forwarding, error: "" },
  },
});

test("reports the trunks of its settings file, and changes nothing, until the service sends a list", async () => {
  const reading = await driver.trunks.readTrunks();
  expect(reading).toMatchObject({
    isAsDesired: true,
    report: { etag: null, trunks: [{ name: "acme", found: { sources: ["127.0.0.1"] }, error: "" }] },
  });
  writeFileSync(join(kamailio.settings.run_dir, "address.list"), "");
  await kamailio.rpc("permissions.addressReload");
  await driver.trunks.repairTrunks();
  expect(await foundOf()).toEqual([null]);
});

test("sets a list, reads all of it back, and removes what a later one lacks", async () => {
  await driver.trunks.setTrunks(list);
  expect(await driver.trunks.readTrunks()).toEqual(asDesired(list));
  expect(statSync(join(kamailio.settings.data_dir, "trunks.sqlite")).mode & 0o077).toBe(0);
  expect(JSON.stringify(await kamailio.rpc("dispatcher.list"))).toContain("sip:127.0.0.9:5080");

  const changed: SentTrunkList = {
    etag: "two",
    trunks: [
      { ...acme, max_calls: 0, gateway: { ...acme.gateway!, host: "127.0.0.10", password_id: "second" } },
    ],
    forwarding: { ...forwarding, prefixes: [] },
    passwords: { second: "other" },
  };
  await driver.trunks.setTrunks(changed);
  expect(await driver.trunks.readTrunks()).toEqual(asDesired(changed));
  const listed = JSON.stringify(await kamailio.rpc("dispatcher.list"));
  expect(listed).toContain("sip:127.0.0.10:5080");
  expect(listed).not.toContain("sip:127.0.0.9:5080");

  const none: SentTrunkList = { etag: "none", trunks: [], forwarding: null, passwords: {} };
  await driver.trunks.setTrunks(none);
  expect(await driver.trunks.readTrunks()).toEqual(asDesired(none));
});

test("keeps the list of the service over restarts of agent and switch", async () => {
  await driver.trunks.setTrunks(list);
  await openDriver();
  expect(driver.trunks.desiredTrunks()).toEqual(list);
  await kamailio.kill();
  // As the unit does before every start.
  writeSettings(kamailio.settings);
  await kamailio.start();
  await expect.poll(() => driver.boot().catch(() => null), { timeout: 20_000 }).not.toBeNull();
  expect(await driver.trunks.readTrunks()).toEqual(asDesired(list));
});

test.for<[string, (running: RunningKamailio) => Promise<unknown>, RegExp]>([
  [
    "an address",
    async ({ settings, rpc }) => {
      writeFileSync(join(settings.run_dir, "address.list"), "1 192.0.2.9 32 0 beta|||||0|0|udp|0\n");
      return rpc("permissions.addressReload");
    },
    /"found":null.*"sources":\["192.0.2.9"\]/,
  ],
  [
    "the address of a gateway",
    ({ rpc }) => rpc("htable.sets", ["trunk", "acme", "both|192.0.2.66~5060~udp|7|1|0|1"]),
    /"host":"192.0.2.66"/,
  ],
  ["a limit", ({ rpc }) => rpc("htable.sets", ["trunk", "-limits", "9|400"]), /"calls_at_once":400/],
  ["a prefix", ({ rpc }) => rpc("htable.sets", ["trunk", "-prefixes", "^[+](1)"]), /"prefixes":\["\+1"\]/],
  [
    "a strange row",
    ({ rpc }) => rpc("htable.sets", ["trunk", "-prefixes", ".*"]),
    /"forwarding":\{"found":null/,
  ],
  ["a missing row", ({ rpc }) => rpc("htable.delete", ["trunk", "beta"]), /"name":"beta","found":null/],
  [
    "a gateway of the dispatcher",
    ({ rpc }) => rpc("dispatcher.remove", [1_000_000_002, "sip:127.0.0.9:5080;transport=udp"]),
    /"error":"The switch holds values for it that no list/,
  ],
  ["another trunk", ({ rpc }) => rpc("htable.sets", ["trunk", "gamma", "in|||||"]), /"name":"gamma"/],
])("finds %s that was changed on the switch, and sets it again", async ([, change, found]) => {
  await driver.trunks.setTrunks(list);
  await change({ settings: kamailio.settings, rpc: kamailio.rpc.bind(kamailio) } as RunningKamailio);
  const reading = await driver.trunks.readTrunks();
  expect(reading.isAsDesired).toBe(false);
  expect(JSON.stringify(reading.report)).toMatch(found);
  await driver.trunks.repairTrunks();
  expect(await driver.trunks.readTrunks()).toEqual(asDesired(list));
});

test("says why it cannot set a trunk, and sets the others", async () => {
  const overTls: SentTrunkList = { ...list, trunks: [{ ...acme, transport: "tls" }, beta] };
  await driver.trunks.setTrunks(overTls);
  const { isAsDesired, report } = await driver.trunks.readTrunks();
  expect(isAsDesired).toBe(true);
  expect(report.trunks).toEqual([
    {
      name: "acme",
      found: null,
      error: "This switch has no TLS. Set `tls` in its switch.json and restart it.",
    },
    { name: "beta", found: beta, error: "" },
  ]);
  expect(report.forwarding).toEqual({ found: null, error: "The gateway of trunk acme cannot be set." });
});

test("reports a list that is too large for the switch, and sets the next one", async () => {
  await driver.trunks.setTrunks(list);
  const sources = Array.from({ length: 5_000 }, (_, at) => `10.${at >> 8}.${at & 255}.0/25`);
  const large = { ...list, etag: "large", trunks: [acme, { ...beta, sources }] };
  await expect(driver.trunks.setTrunks(large)).rejects.toThrow("addresses");
  const { trunks } = (await driver.trunks.readTrunks()).report;
  expect(trunks).toMatchObject([
    { name: "acme", found: acme, error: "" },
    { name: "beta", error: expect.stringMatching(/of 5\d+ addresses/) },
  ]);
  await driver.trunks.setTrunks({ ...list, etag: "next" });
  expect(await driver.trunks.readTrunks()).toEqual(asDesired({ ...list, etag: "next" }));
});

/** Networks of different indices have no address in common. */
const trunkOf = (index: number): fc.Arbitrary<TrunkValue> =>
  fc.record({
    name: fc.constant(`t${index}`),
    direction: fc.constantFrom("in", "out", "both"),
    sources: fc.uniqueArray(
      fc.tuple(fc.nat(63), fc.constantFrom("", "/32", "/31", "/30")).map(([part, bits]) => {
        return `10.${index}.0.${part * 4}${bits}`;
      }),
      { minLength: 1, maxLength: 5, selector: (network) => network.split("/")[0] },
    ),
    transport: fc.constantFrom("udp", "tcp"),
    nat: fc.boolean(),
    number_format: fc.record({
      international_prefix: fc.stringMatching(/^\d{0,8}$/),
      national_prefix: fc.stringMatching(/^\d{0,8}$/),
      country_code: fc.stringMatching(/^([1-9]\d{0,2})?$/),
      technical_prefix: fc.stringMatching(/^[0-9*#]{0,16}$/),
    }),
    trusts_identity: fc.boolean(),
    max_calls: fc.nat(1_000_000),
    gateway: fc.record({
      host: fc.constant(`10.${index}.1.1`),
      port: fc.integer({ min: 1, max: 65_535 }),
      username: fc.option(fc.stringMatching(/^[\w.!~*'()&=+$,;?/@-]{1,20}$/)),
      password_id: fc.constant(`p${index}`),
      in_trust_domain: fc.boolean(),
      history_info: fc.boolean(),
    }),
  });

const lists = fc
  .tuple(fc.subarray([0, 1, 2, 3]), fc.integer({ min: 0, max: 1_000_000 }))
  .chain(([indices, limit]) =>
    fc.record({
      trunks: fc.tuple(...indices.map(trunkOf)),
      ping: fc.boolean(),
      priorities: fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 4, maxLength: 4 }),
      limit: fc.constant(1 + (limit % 100_000)),
    }),
  )
  .map(({ trunks, ping, priorities, limit }): Omit<SentTrunkList, "etag"> => {
    const settable = trunks.map((trunk) => ({
      ...trunk,
      gateway: trunk.direction === "in" ? null : withoutLogin(trunk.gateway!),
    }));
    const gateways = settable
      .filter(({ gateway }) => gateway !== null)
      .map(({ name }, place) => ({ trunk: name, priority: priorities[place]!, weight: 1 + place, ping }));
    return {
      trunks: settable,
      forwarding:
        gateways.length === 0
          ? null
          : { gateways, prefixes: ["+4930"], calls_per_minute: limit, calls_at_once: limit },
      passwords: Object.fromEntries(settable.map((_, place) => [`p${place}`, `secret ${limit}`])),
    };
  });

/** A password belongs to a user name. */
const withoutLogin = (gateway: NonNullable<TrunkValue["gateway"]>): TrunkValue["gateway"] =>
  gateway.username === null ? { ...gateway, password_id: null } : gateway;

test("reads back any list as it was set, whatever list was set before", async () => {
  let count = 0;
  await fc.assert(
    fc.asyncProperty(lists, async (given) => {
      const sent = { ...given, etag: `list ${++count}` };
      await driver.trunks.setTrunks(sent);
      expect(await driver.trunks.readTrunks()).toEqual(asDesired(sent));
    }),
    { numRuns: 60 },
  );
});
