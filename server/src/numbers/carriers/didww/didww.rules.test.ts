import { expect, test } from "vitest";
import { capabilitiesOf, isOpen, offerOf, pagesOf, typeOf } from "./didww.rules.ts";

test.each([
  ["Local", "local"],
  ["Toll-free", "toll_free"],
  ["Shared Cost", "shared_cost"],
  [" Mobile ", "mobile"],
  ["Überall!", "berall"],
  ["123", "other"],
  ["", "other"],
])("the group type %j is %s", (name, type) => expect(typeOf(name)).toBe(type));

test("shows the features that callers use", () => {
  expect(capabilitiesOf(["voice_in", "voice_out", "t38", "sms_in", "p2p", "emergency", "new"])).toEqual([
    "voice",
    "fax",
    "sms",
    "emergency",
  ]);
});

const unit = (id: string, price: string, channels: number) => ({
  id,
  attributes: { monthly_price: price, setup_price: "0", channels_included_count: channels },
});

test.each([
  ["nothing", [], false, undefined],
  [
    "the cheapest with channels",
    [unit("a", "0.5", 0), unit("b", "10.0", 2), unit("c", "9.5", 2)],
    false,
    "c",
  ],
  [
    "the cheapest of all if calls are billed by the minute",
    [unit("a", "0.5", 0), unit("b", "1", 2)],
    true,
    "a",
  ],
  ["the cheapest of all if none has channels", [unit("b", "2", 0), unit("a", "1", 0)], false, "a"],
  ["always the same one of equal price", [unit("b", "1.0", 1), unit("a", "1.00", 2)], false, "a"],
])("buys %s", (_, units, isMetered, id) => expect(offerOf(units, isMetered)?.id).toBe(id));

test("an order is open until it is completed or canceled", () => {
  expect(["pending", "new", "completed", "canceled"].map(isOpen)).toEqual([true, true, false, false]);
});

test("counts pages", () =>
  expect([0, 1, 250, 251].map((count) => pagesOf(count, 250))).toEqual([0, 1, 1, 2]));
