import { describe, expect, test } from "vitest";
import { differences, type OurNumber } from "./reconciliations.rules.ts";

const held = (e164: string): OurNumber => ({ e164, holding_id: `holding of ${e164}`, is_in_flux: false });
const moving = (e164: string): OurNumber => ({ e164, holding_id: null, is_in_flux: true });

describe("finds no mismatch", () => {
  test.each<[string, OurNumber[], string[], OurNumber[]]>([
    ["held and paid for", [held("+1")], ["+1"], [held("+1")]],
    ["bought while the list was read", [], [], [held("+1")]],
    ["bought, and already in the list", [], ["+1"], [held("+1")]],
    ["given back while the list was read", [held("+1")], [], []],
    ["given back, and still in the list", [held("+1")], ["+1"], []],
    ["being bought", [moving("+1")], ["+1"], [moving("+1")]],
    ["being bought, not yet in the list", [moving("+1")], [], [moving("+1")]],
  ])("%s", (_, before, owned, after) => {
    expect(differences(before, new Map(owned.map((e164) => [e164, null])), after)).toEqual([]);
  });
});

test("finds numbers missing at the carrier, and paid numbers without a holder", () => {
  expect(
    differences(
      [held("+2")],
      new Map([
        ["+1", "somebody"],
        ["+3", null],
      ]),
      [held("+2")],
    ),
  ).toEqual([
    { kind: "not_here", e164: "+1", holdingId: null, boughtFor: "somebody" },
    { kind: "not_at_carrier", e164: "+2", holdingId: "holding of +2", boughtFor: null },
    { kind: "not_here", e164: "+3", holdingId: null, boughtFor: null },
  ]);
});
