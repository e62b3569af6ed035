import { expect, test } from "vitest";
import { endOf, nextMove, type Step, WIRE_STATUS } from "./orders.rules.ts";

const REFERENCE = "r";

function stateOf(steps: readonly Step[], given: { whole?: true; routed?: true } = {}) {
  return {
    all_or_nothing: given.whole ?? false,
    routing: given.routed ? {} : null,
    items: steps.map((step, at) => ({ position: at + 1, step, reference: REFERENCE, is_routed: false })),
  };
}

test.each<[Step[], string | undefined]>([
  [["wanted", "chosen"], "choose"],
  [["chosen", "refused"], "submit"],
  [["submitted", "wanted"], "ask"],
  [["unknown", "bought"], "ask"],
  [["bought", "active"], "activate"],
  [["returning", "chosen"], "giveBack"],
  [["active", "refused", "returned", "stranded"], "end"],
])("with items that are %j the next thing to do is: %s", (steps, kind) => {
  expect(nextMove(stateOf(steps))?.kind).toBe(kind);
});

test.each<[Step[], string | undefined]>([
  [["bought", "submitted"], "ask"],
  [["bought", "bought"], "activate"],
  [["wanted", "chosen"], "choose"],
  [["bought", "refused"], "abandon"],
  [["chosen", "refused"], "abandon"],
  [["bought", "returning"], "abandon"],
  [["submitted", "refused"], "ask"],
  [["returning", "refused"], "giveBack"],
  [["returned", "refused"], "end"],
  [["stranded", "bought"], "abandon"],
])("where all or nothing is wanted and the items are %j it is: %s", (steps, kind) => {
  expect(nextMove(stateOf(steps, { whole: true }))?.kind).toBe(kind);
});

test.each<[Step[], string[], string | undefined]>([
  [["submitted", "bought"], ["ask r"], "activate"],
  [["submitted", "active"], ["ask r"], undefined],
  [["wanted", "chosen"], ["choose"], "submit"],
  [["returning", "returning"], ["giveBack 1"], "giveBack"],
  [["returning", "returning"], ["giveBack 1", "giveBack 2"], undefined],
])("with items that are %j, and %j stuck, it is: %s", (steps, stuck, kind) => {
  expect(nextMove(stateOf(steps), new Set(stuck))?.kind).toBe(kind);
});

test("activates and sends nothing of an all-or-nothing order while a number is undecided", () => {
  const whole = { whole: true } as const;
  expect(nextMove(stateOf(["bought", "submitted"], whole), new Set(["ask r"]))).toBeUndefined();
  expect(nextMove(stateOf(["chosen", "wanted"], whole), new Set(["choose"]))).toBeUndefined();
});

test("an order with a routing ends once each of its numbers was routed, or could not be", () => {
  const state = stateOf(["active", "refused"], { routed: true });
  expect(nextMove(state)?.kind).toBe("route");
  const routed = {
    ...state,
    items: state.items.map((item) => ({ ...item, is_routed: item.step === "active" })),
  };
  expect(nextMove(routed)?.kind).toBe("end");
});

test.each([
  [1, 0, "completed"],
  [0, 1, "failed"],
  [1, 1, "partially_completed"],
] as const)("with %i numbers had and %i not, an order is %s", (succeeded, failed, status) => {
  expect(endOf({ succeeded, failed })).toBe(status);
});

test("what callers are shown says whether an item can still change", () => {
  const over = Object.entries(WIRE_STATUS).filter(([, status]) => ["succeeded", "failed"].includes(status));
  expect(over.map(([step]) => step)).toEqual(["active", "refused", "returned", "stranded"]);
});
