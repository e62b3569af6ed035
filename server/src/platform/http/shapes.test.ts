import { expect, test } from "vitest";
import { isEmail } from "./shapes.ts";

test.each(["ada@example.com", "Ada.Lovelace+tag@EXAMPLE.co.uk", "jürgen@example.com", "ſ@example.com"])(
  "%j is an email address",
  (text) => {
    expect(isEmail(text)).toBe(true);
  },
);

// The long s and the Kelvin sign become s and k when case is ignored: another domain than the one that is shown.
test.each([
  "ada@example",
  "ada@@example.com",
  "ada@exa mple.com",
  "ada@ſervice.com",
  "ada@example.\u212Aim",
  "ada@bücher.com",
  `${"a".repeat(65)}@example.com`,
])("%j is not an email address", (text) => {
  expect(isEmail(text)).toBe(false);
});
