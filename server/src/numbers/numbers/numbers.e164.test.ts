import { expect, test } from "vitest";
import { E164_PATTERN, parseNumber } from "./numbers.e164.ts";

test.each([
  ["+4930123456", "DE", "local"],
  ["+12125550123", "US", "local"],
  ["+14165550123", "CA", "local"],
  ["+12423651234", "BS", "local"],
  ["+4915123456789", "DE", "mobile"],
  ["+77011234567", "KZ", "mobile"],
  ["+441534123456", "JE", "local"],
  ["+390612345678", "IT", "local"],
  ["+18005551234", "US", "toll_free"],
  ["+49180512345", "DE", "shared_cost"],
  ["+19005551234", "US", "premium"],
  ["+445612345678", "GB", "voip"],
  ["+447012345678", "GB", "personal"],
  ["+443001234567", "GB", "uan"],
  ["+447640123456", "GB", "pager"],
  ["+80012345678", null, "toll_free"],
  ["+80812345678", null, "shared_cost"],
  ["+870773111632", null, "mobile"],
  ["+881612345678", null, "mobile"],
  ["+883510012345678", null, "voip"],
  ["+88812345678901", null, "uan"],
  ["+979123456789", null, "premium"],
])("%s is of %s and %s", (e164, country, type) => {
  expect(parseNumber(e164)).toEqual({ e164, country, type });
});

test.each([
  // A country with a separate code, a code that several share, and an unassigned code.
  ["+35312345", "IE"],
  ["+15551234567", null],
  ["+4470123456789", null],
  ["+352271234567890", "LU"],
  ["+999123456789", null],
  ["+2101234567", null],
  // Not even a trunk prefix is cut off: the data does not know this number.
  ["+49000301234", "DE"],
])("accepts %s, well-formed but unknown to the data, as a number of %s", (e164, country) => {
  expect(parseNumber(e164)).toEqual({ e164, country, type: "other" });
});

test.each([
  ["+49 30 123456", undefined, "+4930123456"],
  ["  +49-30-123456 ", undefined, "+4930123456"],
  ["+49 (0)30 / 123.456", undefined, "+4930123456"],
  ["(+49) 30 123456", undefined, "+4930123456"],
  ["+49\u00a030\u202f12–34‑56", undefined, "+4930123456"],
  ["+39 06 1234 5678", undefined, "+390612345678"],
  ["+4930123456", "US", "+4930123456"],
  ["030 123456", "DE", "+4930123456"],
  ["(030) 123-456", "DE", "+4930123456"],
  ["0049 30 123456", "DE", "+4930123456"],
  ["00 49 (0) 30 123456", "DE", "+4930123456"],
  ["0049 30 123456", "US", "+4930123456"],
  ["011 49 30 123456", "US", "+4930123456"],
  ["0011 49 30 123456", "AU", "+4930123456"],
  ["00 999 1234567", "DE", "+9991234567"],
  ["(212) 555-0123", "US", "+12125550123"],
  ["1 212 555 0123", "US", "+12125550123"],
  ["06 1234 5678", "IT", "+390612345678"],
  ["555 123 4567", "US", "+15551234567"],
])("%j, written in %s, is %s", (text, country, e164) => {
  expect(parseNumber(text, country)).toMatchObject({ e164 });
});

test.each([
  ["", undefined, "a plus and digits"],
  ["+", undefined, "a plus and digits"],
  ["()", "DE", "7 to 15 digits"],
  ["+()", undefined, "7 to 15 digits"],
  ["hello", "DE", "a plus and digits"],
  ["+1-800-FLOWERS", undefined, "a plus and digits"],
  ["call +4930123456", "DE", "a plus and digits"],
  ["tel:+4930123456", undefined, "a plus and digits"],
  ["+4930123456;ext=5", undefined, "a plus and digits"],
  ["030 123456 x5", "DE", "a plus and digits"],
  ["+4930123456, +4930123457", undefined, "a plus and digits"],
  ["++4930123456", undefined, "a plus and digits"],
  ["+49+30123456", undefined, "a plus and digits"],
  ["+4930\n123456", undefined, "a plus and digits"],
  ["+４９30123456", undefined, "a plus and digits"],
  ["=1+1", "DE", "a plus and digits"],
  [`+49${" ".repeat(40)}30123456`, undefined, "a plus and digits"],
  ["4930123456", undefined, "starts with a plus"],
  ["0049 30 123456", undefined, "starts with a plus"],
  ["+0123456789", undefined, "7 to 15 digits"],
  ["+491234", undefined, "7 to 15 digits"],
  ["+1234567890123456", undefined, "7 to 15 digits"],
  ["+49301234567890123", undefined, "7 to 15 digits"],
  ["110", "DE", "7 to 15 digits"],
  ["00", "DE", "7 to 15 digits"],
  ["030 123456 030 123456", "DE", "7 to 15 digits"],
  ["555 12345", "US", "7 to 15 digits"],
  ["030 123456", "XX", "XX is not the code of a country"],
  ["030 123456", "de", "de is not the code of a country"],
  ["030 123456", "constructor", "constructor is not the code of a country"],
])("rejects %j, written in %s, with the reason", (text, country, complaint) => {
  expect(parseNumber(text, country)).toEqual({ fault: expect.stringContaining(complaint) });
});

test("the pattern holds what E.164 allows, and nothing before or after it", () => {
  const pattern = new RegExp(E164_PATTERN, "u");

  expect(["+1234567", "+123456789012345"].filter((text) => !pattern.test(text))).toEqual([]);
  expect(
    ["+123456", "+1234567890123456", "+0123456789", "1234567", "+1234567\n", " +1234567", "+12 34567"].filter(
      (text) => pattern.test(text),
    ),
  ).toEqual([]);
});
