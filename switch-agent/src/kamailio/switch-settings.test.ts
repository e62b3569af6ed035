import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { gatewayLines, storeConnectionLines } from "./gateway-sets.ts";
import { ownTrunks } from "./own-trunks.ts";
import { renderSettings, writeSettings } from "./render-settings.ts";
import { checkSwitchSettings, socketsOf, readSwitchSettings } from "./switch-settings.ts";
import { addressFile } from "./trunk-addresses.ts";

const trunk = { name: "acme", direction: "in", sources: ["198.51.100.0/24"], transport: "udp" };
const gateway = {
  name: "gate",
  direction: "out",
  transport: "tcp",
  max_calls: 30,
  gateway: { host: "203.0.113.9", port: 5080 },
};
const least = {
  name: "edge-1",
  listen: ["udp:203.0.113.5:5060", "tcp:203.0.113.5:5060"],
  data_dir: "/var/lib/dialplane/edge-1",
  run_dir: "/run/dialplane/edge-1",
  secrets_file: "/etc/dialplane/edge-1.secret",
  trunks: [trunk],
};
const secrets = { tokenKey: "ab".repeat(32) };

const rendered = (changed: object): string => {
  const settings = checkSwitchSettings({ ...least, ...changed });
  return renderSettings(settings, secrets, ownTrunks(settings));
};

const faultsOf = (value: unknown): string => {
  try {
    checkSwitchSettings(value);
    return "";
  } catch (error) {
    return (error as Error).message;
  }
};

describe("settings", () => {
  test("what may be left out has a value", () => {
    expect(checkSwitchSettings(least)).toMatchObject({
      control_port: 8448,
      max_call_seconds: 14_400,
      when_disk_is_full: "refuse",
      forward: null,
      trunks: [{ trusts_identity: false, max_calls: 0, number_format: { country_code: "" } }],
    });
  });

  test("all faults are named at once, each with its place", () => {
    const { name: _name, ...nameless } = least;
    expect(faultsOf({ ...nameless, workers: 0, listne: [], trunks: [{ ...trunk, direction: "up" }] })).toBe(
      [
        "listne is not a setting",
        "name must be a name of small letters, digits and hyphens, and is missing",
        "workers must be a whole number from 1 to 64, not 0",
        'trunks[0].direction must be one of in, out, both, not "up"',
      ].join("\n"),
    );
  });

  test.for([
    [
      "a name where an address has to be",
      { trunks: [{ ...gateway, gateway: { host: "gw.example.com" } }] },
      "host",
    ],
    ["a source that is no network", { trunks: [{ ...trunk, sources: ["198.51.100.0/33"] }] }, "sources[0]"],
    ["the whole internet as a source", { trunks: [{ ...trunk, sources: ["0.0.0.0/0"] }] }, "sources[0]"],
    ["a trunk without sources", { trunks: [{ ...trunk, sources: [] }] }, "networks"],
    ["a way out without a gateway", { trunks: [{ ...trunk, direction: "both" }] }, "where its calls go"],
    [
      "a source of two trunks",
      { trunks: [trunk, { ...trunk, name: "b", sources: ["198.51.100.7"] }] },
      "another",
    ],
    ["two trunks of one name", { trunks: [trunk, { ...trunk, sources: ["192.0.2.1"] }] }, "another trunk"],
    ["TLS without a certificate", { trunks: [{ ...trunk, transport: "tls" }] }, "needs tls"],
    ["a gateway that is none", { forward: { gateway: "acme", prefixes: ["+44"] } }, "forward.gateway"],
    ["a forward without a gateway", { forward: { prefixes: [] } }, "either gateway or gateways"],
    [
      "a gateway beside a list of gateways",
      { forward: { gateway: "gate", gateways: [{ trunk: "gate" }], prefixes: [] } },
      "either gateway or gateways",
    ],
    ["an empty list of gateways", { forward: { gateways: [], prefixes: [] } }, "1 to 5 entries"],
    [
      "six gateways",
      { forward: { gateways: Array(6).fill({ trunk: "gate" }), prefixes: [] } },
      "1 to 5 entries",
    ],
    [
      "a listed gateway that only sends calls",
      { forward: { gateways: [{ trunk: "acme" }], prefixes: [] } },
      "forward.gateways[0].trunk must name a trunk that takes calls",
    ],
    [
      "a gateway that is listed twice",
      { trunks: [gateway], forward: { gateways: [{ trunk: "gate" }, { trunk: "gate" }], prefixes: [] } },
      "forward.gateways[1].trunk is in the list already",
    ],
    [
      "a weight of none",
      { trunks: [gateway], forward: { gateways: [{ trunk: "gate", weight: 0 }], prefixes: [] } },
      "gateways[0].weight",
    ],
    ["a prefix without plus", { forward: { gateway: "gate", prefixes: ["44"] } }, "prefixes[0]"],
    ["no TCP", { listen: ["udp:203.0.113.5:5060"] }, "tcp"],
    ["a path with a quote", { data_dir: '/var/"x"' }, "data_dir"],
    ["one port twice", { rpc_port: 8448 }, "differ"],
    ["no object at all", null, "the file must be an object"],
  ] as const)("rejects %s", ([, changed, named]) => {
    expect(faultsOf(changed === null ? null : { ...least, ...changed })).toContain(named);
  });
});

test("needs no trunks: the service can have them", () => {
  const { trunks: _, ...without } = least;
  expect(checkSwitchSettings(without)).toMatchObject({ trunks: [], forward: null });
});

describe("rendering", () => {
  test("every trunk's networks are listed with what the routes have to know of it", () => {
    const number_format = {
      international_prefix: "00",
      national_prefix: "0",
      country_code: "49",
      technical_prefix: "9#",
    };
    const trunks = [
      { ...trunk, number_format, trusts_identity: true, max_calls: 5 },
      { ...gateway, sources: ["203.0.113.9", "203.0.113.64/26"] },
    ];
    expect(addressFile(ownTrunks(checkSwitchSettings({ ...least, trunks })).trunks)).toBe(
      [
        "1 198.51.100.0 24 0 acme|00|0|49|9%23|5|1|udp|0",
        "2 203.0.113.9 32 0 gate|||||30|0|tcp|0",
        "2 203.0.113.64 26 0 gate|||||30|0|tcp|0",
        "3 203.0.113.9 32 0 gate|||||30|0|tcp|0",
        "3 203.0.113.64 26 0 gate|||||30|0|tcp|0",
        "",
      ].join("\n"),
    );
  });

  test("forwards nothing without a gateway, and renders its prefixes and limits otherwise", () => {
    expect(rendered({})).not.toContain("-gateways");
    const forward = { gateway: "gate", prefixes: ["+44", "+4930"], calls_per_minute: 7, calls_at_once: 3 };
    const text = rendered({ trunks: [trunk, gateway], forward });
    expect(text).toContain('\t$sht(trunk=>acme) = "in|||||";\n');
    expect(text).toContain('\t$sht(trunk=>gate) = "out|203.0.113.9~5080~tcp|30|0|0|0";\n');
    expect(text).toContain('\t$sht(trunk=>-prefixes) = "^[+](44|4930)";\n');
    expect(text).toContain('\t$sht(trunk=>-gateways) = "gate,1,1,,sip:203.0.113.9:5080;transport=tcp";\n');
    expect(text).toContain('\t$sht(trunk=>-limits) = "7|3";\n');
  });

  test("renders gateways by priority, with a dispatcher set for each priority that is pinged", () => {
    const trunks = ["one", "two", "three"].map((name, index) => ({
      ...gateway,
      name,
      gateway: { host: `203.0.113.${index + 1}`, username: "us", password_file: "/etc/password" },
    }));
    const forward = {
      gateways: [
        { trunk: "one", priority: 3 },
        { trunk: "two", weight: 20 },
        { trunk: "three", ping: false },
      ],
      prefixes: ["+44"],
    };
    const text = rendered({ trunks: [trunk, ...trunks], forward });
    expect(/-gateways\) = "(.*)"/.exec(text)![1]!.split("|")).toEqual([
      "two,1,20,1000000001,sip:203.0.113.2:5060;transport=tcp",
      "three,1,1,,sip:203.0.113.3:5060;transport=tcp",
      "one,3,1,1000000003,sip:203.0.113.1:5060;transport=tcp",
    ]);
    expect(text).toContain('$sht(trunk=>two) = "out|203.0.113.2~5060~tcp|30|0|0|1";\n');
    const list = ownTrunks(checkSwitchSettings({ ...least, trunks: [trunk, ...trunks], forward }));
    expect(gatewayLines(list)).toEqual([
      {
        set: 1_000_000_001,
        uri: "sip:203.0.113.2:5060;transport=tcp",
        attributes: "rweight=20;duid=1000000001-203.0.113.2:5060;trunk=two",
      },
      {
        set: 1_000_000_003,
        uri: "sip:203.0.113.1:5060;transport=tcp",
        attributes: "rweight=1;duid=1000000003-203.0.113.1:5060;trunk=one",
      },
    ]);
  });

  test("an empty list of prefixes allows none", () => {
    const text = rendered({ trunks: [trunk, gateway], forward: { gateway: "gate", prefixes: [] } });
    const [, pattern = ""] = /-prefixes\) = "(.*)"/.exec(text)!;
    expect("+442079460000").not.toMatch(new RegExp(pattern));
  });

  test("an address that others see instead is advertised on every socket", () => {
    const text = rendered({ advertise: "192.0.2.80" });
    expect(text).toContain("listen=udp:203.0.113.5:5060 advertise 192.0.2.80:5060\n");
    expect(text).toContain("listen=tcp:127.0.0.1:8449\n");
  });
});

describe("writing", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "dialplane-settings-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const write = (key: string, changed: object = {}): string => {
    writeFileSync(join(folder, "key"), `${key}\n`);
    const settings = {
      ...least,
      ...changed,
      data_dir: join(folder, "data"),
      run_dir: join(folder, "run"),
      secrets_file: join(folder, "key"),
    };
    writeFileSync(join(folder, "switch.json"), JSON.stringify(settings));
    return writeSettings(readSwitchSettings(join(folder, "switch.json")));
  };

  test("what holds secrets is for its owner alone, and what is there is kept", () => {
    const file = write("cd".repeat(32));
    expect(statSync(file).mode & 0o077).toBe(0);
    writeFileSync(join(folder, "data", "dispatcher.list"), "31 sip:192.0.2.1:5060\n");
    write("cd".repeat(32));
    expect(readFileSync(join(folder, "data", "dispatcher.list"), "utf8")).toBe("31 sip:192.0.2.1:5060\n");
  });

  test("replaces the gateways of earlier settings, and keeps the connections", () => {
    const list = (): string[] =>
      readFileSync(join(folder, "data", "dispatcher.list"), "utf8")
        .split("\n")
        .map((line) => line.split(" ", 2).join(" "));
    const key = "cd".repeat(32);
    const forward = { gateways: [{ trunk: "gate" }], prefixes: ["+44"] };
    write(key, { trunks: [trunk, gateway], forward });
    storeConnectionLines(join(folder, "data"), ["31 sip:192.0.2.1:5060 0 0 duid=31"]);
    const connection = "31 sip:192.0.2.1:5060";
    expect(list()).toEqual([connection, "1000000001 sip:203.0.113.9:5080;transport=tcp", ""]);
    const moved = { ...gateway, gateway: { host: "203.0.113.10" } };
    write(key, { trunks: [trunk, moved], forward });
    expect(list()).toEqual([connection, "1000000001 sip:203.0.113.10:5060;transport=tcp", ""]);
    write(key);
    expect(list()).toEqual([connection, ""]);
    storeConnectionLines(join(folder, "data"), []);
    expect(list()).toEqual([""]);
  });

  test("no key makes a zero, at which Kamailio would cut it off", () => {
    for (let first = 0; first < 256; first += 1) {
      const text = readFileSync(write(first.toString(16).padStart(2, "0").repeat(32)), "utf8");
      const keys = [...text.matchAll(/TOKEN_(?:INNER|OUTER)_HEX "([0-9a-f]{128})"/g)].map(([, hex]) => hex!);
      expect(new Set(keys).size).toBe(2);
      for (const key of keys) expect(Buffer.from(key, "hex")).not.toContain(0);
    }
  });

  test("rejects a key that is too short", () => {
    expect(() => write("abcd")).toThrow("must hold 64 to 128 hexadecimal characters");
  });

  test("a file that is not there, or no JSON, is named", () => {
    expect(() => readSwitchSettings(join(folder, "none.json"))).toThrow("none.json cannot be read");
    writeFileSync(join(folder, "bad.json"), "{");
    expect(() => readSwitchSettings(join(folder, "bad.json"))).toThrow("bad.json cannot be read");
  });
});

test("a switch is reached where it listens, and at the address it advertises", () => {
  const tls = { listen: "tls:203.0.113.5:5061", certificate: "/etc/a.pem", key: "/etc/a.key" };
  expect(socketsOf(checkSwitchSettings({ ...least, tls, advertise: "198.51.100.1" }))).toEqual([
    "203.0.113.5:5060",
    "203.0.113.5:5061",
    "198.51.100.1:5060",
    "198.51.100.1:5061",
  ]);
});
