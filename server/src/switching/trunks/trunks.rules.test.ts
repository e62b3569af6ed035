import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MODEL_SEED } from "../../../testing/model-seed.ts";
import { type AcceptingTrunk, canonicalNetworks, openedNetworks, shareAddresses } from "./trunks.rules.ts";

const TRUNK: AcceptingTrunk = { direction: "in", sources: [], transport: "tcp", switches: [] };
const trunk = (...sources: string[]): AcceptingTrunk => ({ ...TRUNK, sources });

describe("openedNetworks", () => {
  test.each([
    ["a first network", [], [trunk("198.51.100.9")], ["198.51.100.9"]],
    ["a network with host bits", [], [trunk("198.51.100.9/24")], ["198.51.100.0/24"]],
    ["a wider network", [trunk("198.51.100.0/25")], [trunk("198.51.100.0/24")], ["198.51.100.0/24"]],
    ["nothing for a part", [trunk("198.51.100.0/24")], [trunk("198.51.100.128/25")], []],
    ["nothing for two halves", [trunk("10.0.0.0/25"), trunk("10.0.0.128/25")], [trunk("10.0.0.0/24")], []],
    ["nothing for another name", [trunk("10.0.0.0/24")], [trunk("10.0.0.0/25"), trunk("10.0.0.128/25")], []],
    [
      "new calls",
      [{ ...trunk("10.0.0.1"), direction: "out" as const }],
      [{ ...trunk("10.0.0.1"), direction: "both" as const }],
      ["10.0.0.1"],
    ],
    [
      "a less strict transport",
      [{ ...trunk("10.0.0.1"), transport: "tls" as const }],
      [trunk("10.0.0.1")],
      ["10.0.0.1"],
    ],
    [
      "nothing for a stricter transport",
      [trunk("10.0.0.1")],
      [{ ...trunk("10.0.0.1"), transport: "tls" as const }],
      [],
    ],
    ["another switch", [{ ...trunk("10.0.0.1"), switches: ["a"] }], [trunk("10.0.0.1")], ["10.0.0.1"]],
    ["nothing for fewer switches", [trunk("10.0.0.1")], [{ ...trunk("10.0.0.1"), switches: ["a"] }], []],
    ["all addresses", [], [trunk("0.0.0.0/1", "128.0.0.0/1")], ["0.0.0.0/1", "128.0.0.0/1"]],
  ])("names %s", (_, current, wanted, networks) => {
    expect(openedNetworks(current, wanted)).toEqual(networks);
  });
});

test("canonicalNetworks sorts, and names each network once", () => {
  expect(canonicalNetworks(["10.0.0.7/24", "9.0.0.1/32", "10.0.0.0/24", "9.0.0.1"])).toEqual([
    "9.0.0.1",
    "10.0.0.0/24",
  ]);
});

test("shareAddresses finds an overlap in both orders", () => {
  expect(shareAddresses("10.0.0.0/24", "10.0.0.7")).toBe(true);
  expect(shareAddresses("10.0.0.7", "10.0.0.0/24")).toBe(true);
  expect(shareAddresses("10.0.0.0/25", "10.0.0.128/25")).toBe(false);
});

/** Sixteen addresses, so that each can be tried with each transport, kind of request and switch. */
const ADDRESSES = 16;
const SWITCHES = ["a", "b", "a switch that is added later"];
const TRANSPORTS = ["udp", "tcp", "tls"] as const;

const network = fc
  .tuple(fc.integer({ min: 0, max: ADDRESSES - 1 }), fc.integer({ min: 28, max: 32 }))
  .map(([host, bits]) => `10.0.0.${host}/${bits}`);
const lists = fc.array(
  fc.record({
    direction: fc.constantFrom("in", "out", "both"),
    sources: fc.array(network, { maxLength: 3 }),
    transport: fc.constantFrom(...TRANSPORTS),
    switches: fc.constantFrom([], ["a"], ["b"], ["a", "b"]),
  }),
  { maxLength: 4 },
);

/** Every request that the switches accept, one by one. */
function acceptedRequests(trunks: readonly AcceptingTrunk[]): Set<string> {
  const accepted = new Set<string>();
  for (const { direction, sources, transport, switches } of trunks)
    for (const source of sources)
      for (let host = 0; host < ADDRESSES; host++)
        for (const name of SWITCHES) {
          if (!contains(source, host)) continue;
          if (switches.length > 0 && !switches.includes(name)) continue;
          for (const sent of TRANSPORTS.slice(TRANSPORTS.indexOf(transport))) {
            accepted.add([host, name, sent, "within a call"].join());
            if (direction !== "out") accepted.add([host, name, sent, "new call"].join());
          }
        }
  return accepted;
}

function contains(source: string, host: number): boolean {
  const [address, bits] = source.split("/");
  const shift = 32 - Number(bits);
  return Number(address!.split(".")[3]) >> shift === host >> shift;
}

test("openedNetworks names a network if and only if a request from it was rejected before", () => {
  fc.assert(
    fc.property(lists, lists, (current, wanted) => {
      const before = acceptedRequests(current);
      const expected = wanted.flatMap((one) =>
        one.sources.filter((source) =>
          [...acceptedRequests([{ ...one, sources: [source] }])].some((request) => !before.has(request)),
        ),
      );
      expect(openedNetworks(current, wanted)).toEqual(canonicalNetworks(expected));
    }),
    { seed: MODEL_SEED, numRuns: 500 },
  );
});
