import { expect, test } from "vitest";
import { searchedBy } from "./calls.search.rules.ts";

test.each([
  ["+44 20 7946", { prefix: "+44207946" }],
  ["0044 (20) 7946-0", { prefix: "+442079460" }],
  ["4420", { prefix: "+4420" }],
  ["+44", { prefix: "+44" }],
  ["1-11035@sip.example.com", { sip_call_id: "1-11035@sip.example.com" }],
  ["1234567890123456", { sip_call_id: "1234567890123456" }],
])("searches %s as %o", (q, found) => {
  expect(searchedBy(q)).toEqual(found);
});
