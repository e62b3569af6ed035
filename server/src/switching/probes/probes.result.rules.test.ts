import { expect, test } from "vitest";
import { type Evidence, resultOf, type SwitchEvidence } from "./probes.result.rules.ts";
import type { PlacedProbe, SeenProbe } from "./probes.wire.schema.ts";

const TARGET = "sip:alice@sbc1.example.com";
const placed: PlacedProbe = { probe_id: "p", code: 480, has_rung: false, took_ms: 400 };
const seen: SeenProbe = {
  probe_id: "p",
  at: "2026-11-15T09:45:00.000Z",
  trunk: "acme",
  code: 480,
  reason: "probe",
  mode: "sip_uri",
  generation: 3,
  target: TARGET,
  address: "198.51.100.20:5060",
  transport: "udp",
  target_code: 200,
  target_ms: 12,
};
const fra1: SwitchEvidence = {
  id: "1",
  name: "fra-1",
  is_own: true,
  is_reachable: true,
  is_able: true,
  placed,
  seen,
};
const fra2: SwitchEvidence = { ...fra1, id: "2", name: "fra-2", placed: null, seen: null };
const evidence: Evidence = {
  via: "carrier",
  trunk: "acme",
  placed_by: "1",
  desired: { mode: "sip_uri", generation: 3, target: TARGET },
  has_route_changed: false,
  delivery: null,
  switches: [fra1, fra2],
};
const withSeen = (more: Partial<SeenProbe>): Evidence => ({
  ...evidence,
  switches: [{ ...fra1, seen: { ...seen, ...more } }, fra2],
});
/** The placer is fra-1, and no switch received the call. */
const lost = (more: Partial<Evidence> = {}, other: Partial<SwitchEvidence> = {}): Evidence => ({
  ...evidence,
  switches: [
    { ...fra1, seen: null },
    { ...fra2, ...other },
  ],
  ...more,
});

test("a call that reaches a living target proves the whole chain", () => {
  expect(resultOf(evidence)).toMatchObject({
    status: "proved",
    summary: "carrier → fra-1 → 198.51.100.20:5060, 200 after 12 ms",
    links: [
      { link: "carrier", status: "proved", took_ms: 400 },
      { link: "switch" },
      { link: "destination", took_ms: 12 },
    ],
  });
});

test.for<[string, Evidence, string, string]>([
  [
    "a call that no switch received",
    lost(),
    "carrier acme",
    "No switch received the call. It got status 480.",
  ],
  [
    "a call that rang elsewhere",
    lost({ switches: [{ ...fra1, placed: { ...placed, code: null, has_rung: true }, seen: null }, fra2] }),
    "carrier acme",
    "No switch received the call. It got no final response after ringing.",
  ],
  [
    "a carrier that delivers elsewhere",
    lost({ delivery: { desired: "trunk-1", applied: "trunk-9" } }),
    "carrier acme",
    "The carrier delivers the number elsewhere. The call got status 480.",
  ],
  [
    "a switch of another group",
    {
      ...evidence,
      switches: [
        { ...fra1, seen: null },
        { ...fra2, is_own: false, seen },
      ],
    },
    "carrier acme",
    "The carrier delivered the call to a switch of another group.",
  ],
  ["a switch that is away", lost({}, { is_reachable: false }), "switch fra-2", "The switch is unreachable."],
  [
    "another route",
    withSeen({ generation: 2 }),
    "switch fra-1",
    "The switch holds another route than it should.",
  ],
  [
    "another target",
    withSeen({ target: "sip:old@example.com" }),
    "switch fra-1",
    "The switch holds another route than it should.",
  ],
  [
    "a rejected call",
    withSeen({
      code: 403,
      reason: "unknown_source",
      mode: null,
      generation: null,
      target: null,
      address: null,
    }),
    "switch fra-1",
    "The switch rejected the call with 403 (unknown_source).",
  ],
  [
    "a dead target",
    withSeen({ target_code: null, target_ms: null }),
    "destination 198.51.100.20:5060",
    "It did not respond to OPTIONS.",
  ],
  [
    "a target without capacity",
    withSeen({ target_code: 503 }),
    "destination 198.51.100.20:5060",
    "It replied 503 to OPTIONS.",
  ],
])("names the broken link: %s", ([, given, name, detail]) => {
  const { status, summary, links } = resultOf(given);
  expect([status, summary]).toEqual(["broken", `${name}: ${detail}`]);
  expect(links.filter((one) => one.status === "broken")).toHaveLength(1);
});

test("shows the expected and the found route", () => {
  expect(resultOf(withSeen({ generation: 2, target: "sip:old@example.com" })).links[1]).toMatchObject({
    expected: `sip_uri ${TARGET} of generation 3`,
    found: "sip_uri sip:old@example.com of generation 2",
  });
});

test("each switch tests its own route without a carrier", () => {
  const both: Evidence = {
    ...evidence,
    via: "switch",
    trunk: null,
    switches: [fra1, { ...fra1, name: "fra-2" }],
  };
  expect(resultOf(both)).toMatchObject({
    status: "proved",
    summary: "fra-1 → 198.51.100.20:5060, 200 after 12 ms; fra-2 → 198.51.100.20:5060, 200 after 12 ms",
  });
  const one: Evidence = { ...both, switches: [fra1, { ...fra2, is_reachable: false }] };
  expect(resultOf(one)).toMatchObject({
    status: "broken",
    summary: "switch fra-2: The switch is unreachable.",
  });
});

test("says nothing about the number if nothing was tested", () => {
  expect(resultOf(lost({ placed_by: null })).status).toBe("failed");
  const unreported = [{ ...fra1, placed: null, seen: null }, fra2];
  expect(resultOf({ ...evidence, switches: unreported }).summary).toMatch(/^fra-1 did not report in time/);
  expect(resultOf({ ...evidence, has_route_changed: true }).status).toBe("failed");
  const outdated = { ...fra2, is_able: false };
  expect(resultOf({ ...evidence, via: "switch", switches: [outdated] }).status).toBe("failed");
});

test("does not test the target of a webhook", () => {
  const webhook = withSeen({ mode: "webhook", target: null, address: null, target_code: null });
  const result = resultOf({ ...webhook, desired: { mode: "webhook", generation: 3, target: null } });
  expect(result).toMatchObject({
    status: "proved",
    links: [{}, {}, { link: "destination", status: "not_tested" }],
  });
});
