import { expect, test } from "vitest";
import { seal, unseal } from "./sealed-secrets.ts";
import { deriveKey } from "./secrets.ts";

const key = deriveKey("one", "secrets of others");

test("what was sealed opens again, and says nothing until then", () => {
  const sealed = seal(key, "row", "hunter2 ä");

  expect(unseal(key, "row", sealed)).toBe("hunter2 ä");
  expect(sealed.includes("hunter2")).toBe(false);
  expect(seal(key, "row", "hunter2 ä")).not.toEqual(sealed);
});

test("MS-05 it opens with no other key, for no other row, and not when a bit of it has changed", () => {
  const sealed = seal(key, "row", "hunter2");
  const changed = Array.from(sealed, (_, at) => {
    const copy = Buffer.from(sealed);
    copy[at]! ^= 1;
    return unseal(key, "row", copy);
  });

  expect(unseal(deriveKey("other", "secrets of others"), "row", sealed)).toBeUndefined();
  expect(unseal(key, "other row", sealed)).toBeUndefined();
  expect(new Set(changed)).toEqual(new Set([undefined]));
});
