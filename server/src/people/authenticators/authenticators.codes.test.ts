import { expect, test } from "vitest";
import {
  base32,
  codeAt,
  otpauthUri,
  plainCode,
  recoveryCodeOf,
  stepAt,
  stepOfCode,
} from "./authenticators.codes.ts";

/** RFC 6238, appendix B: the last six of its eight digits. */
const SECRET = Buffer.from("12345678901234567890");
const at = (seconds: number): Date => new Date(seconds * 1000);

test.each([
  [59, "287082"],
  [1_111_111_109, "081804"],
  [1_111_111_111, "050471"],
  [1_234_567_890, "005924"],
  [2_000_000_000, "279037"],
  [20_000_000_000, "353130"],
])("at second %i the code is the one RFC 6238 gives", (seconds, code) => {
  expect(codeAt(SECRET, stepAt(at(seconds)))).toBe(code);
});

test("a code counts in its own half minute and in the one before and after, and at no other time", () => {
  const steps = [-61, -60, -31, -30, -1, 0, 29, 30, 59, 60].map((offset) =>
    stepOfCode(SECRET, "279037", at(2_000_000_010 + offset - 10)),
  );
  const step = stepAt(at(2_000_000_000));

  expect(stepOfCode(SECRET, "279037", at((step - 2) * 30 + 29))).toBeUndefined();
  expect(stepOfCode(SECRET, "279037", at((step - 1) * 30))).toBe(step);
  expect(stepOfCode(SECRET, "279037", at((step + 2) * 30 - 1))).toBe(step);
  expect(stepOfCode(SECRET, "279037", at((step + 2) * 30))).toBeUndefined();
  expect(steps.filter((one) => one !== undefined && one !== step)).toEqual([]);
});

test("an app can read the address of the QR code", () => {
  const uri = new URL(otpauthUri(SECRET, "calls.example.com", "ada+1@example.com"));

  expect([uri.protocol, uri.host, decodeURIComponent(uri.pathname)]).toEqual([
    "otpauth:",
    "totp",
    "/calls.example.com:ada+1@example.com",
  ]);
  expect(Object.fromEntries(uri.searchParams)).toEqual({
    secret: "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ",
    issuer: "calls.example.com",
    algorithm: "SHA1",
    digits: "6",
    period: "30",
  });
  expect(base32(SECRET)).toBe("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ");
});

test("a recovery code read from paper counts however it is typed", () => {
  const code = recoveryCodeOf(Buffer.from([0, 1, 2, 3, 31, 224, 33, 255, 10, 11]));

  expect(code).toBe("0123Z-01ZAB");
  for (const typed of ["0123Z-01ZAB", "0123z01zab", " o123z 0Lzab", "oi23Z-OIZAB"])
    expect(plainCode(typed)).toBe(plainCode(code));
});
