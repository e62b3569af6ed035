import { expect, test } from "vitest";
import { callerNumbers } from "./caller-numbers.ts";

const format = (international_prefix: string, national_prefix: string, country_code: string) => ({
  international_prefix,
  national_prefix,
  country_code,
  technical_prefix: "",
});
const callerIn = callerNumbers(() => [
  { name: "german", number_format: format("00", "0", "49") },
  { name: "danish", number_format: format("00", "", "45") },
  { name: "plain", number_format: format("", "", "") },
]);

test.each([
  ["german", "+4930901820", "+4930901820"],
  ["german", "030901820", "+4930901820"],
  ["german", "0044 20 7946-0000", "+442079460000"],
  ["german", "4930901820", "+4930901820"],
  ["german", "30901820", "+4930901820"],
  ["german", "%2B4930901820;npdi", "+4930901820"],
  ["danish", "32123456", "+4532123456"],
  ["plain", "4930901820", "+4930901820"],
  [null, "+4930901820", "+4930901820"],
  [null, "030901820", null],
  ["unknown", "030901820", null],
  ["german", "anonymous", null],
  ["german", "%zz", null],
  ["german", "116117", "+49116117"],
  ["german", null, null],
])("a caller that the trunk %s sends as %s is %s", (trunk, sent, number) => {
  expect(callerIn(trunk, sent)).toBe(number);
});
