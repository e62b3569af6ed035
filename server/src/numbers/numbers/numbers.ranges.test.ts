import { expect, test } from "vitest";
import { MOST_IN_RANGE, numbersIn, type NumberRange, rangeOf, type WrittenRange } from "./numbers.ranges.ts";

const read = (written: WrittenRange): NumberRange => {
  const range = rangeOf(written, "DE");
  if (typeof range === "string") throw new Error(range);
  return range;
};

test("a number alone is a range of one, and a range has both its ends", () => {
  const [one, some] = [{ number: "030 901820" }, { number: "+49 30 901898", to: "+49 30 901901" }].map(read);
  expect(one).toEqual({ e164: "+4930901820", country: "DE", type: "local", count: 1 });
  expect(numbersIn([some!]).map(({ e164 }) => e164)).toEqual([
    "+4930901898",
    "+4930901899",
    "+4930901900",
    "+4930901901",
  ]);
});

test("what two ranges have in common is there once", () => {
  const ranges = [
    { number: "+4930901800", to: "+4930901809" },
    { number: "+4930901805", to: "+4930901814" },
  ].map(read);
  expect(numbersIn(ranges)).toHaveLength(15);
});

test.each<[WrittenRange, RegExp]>([
  [{ number: "hello" }, /a plus and digits/],
  [{ number: "+4930901800", to: "hello" }, /a plus and digits/],
  [{ number: "+4930901800", to: "+49309018000" }, /must have the same/],
  [{ number: "+4930901809", to: "+4930901800" }, /must not be below/],
  [{ number: "+49309018000", to: "+49309028000" }, /at most 10,000/],
  [{ number: "+4930901800", type: "golden" }, /Unknown type golden. Types are local, /],
  [{ number: "+18005550100", to: "+18015550099", type: "local" }, /country|at most/],
])("rejects %j as a range", (written, why) => {
  expect(rangeOf(written, "DE")).toMatch(why);
});

test("the largest range is one, and the kind that was named counts", () => {
  const range = { number: "+49309018000", to: "+49309027999", type: "national" };
  expect(rangeOf(range, undefined)).toMatchObject({ type: "national", count: MOST_IN_RANGE });
});
