import { dictionary } from "@zxcvbn-ts/language-common";
import { expect, test } from "vitest";
import { Refusal } from "../../platform/refusal.ts";
import { hashPassword, isPasswordOf, needsRehash, refuseGuessable } from "./users.passwords.ts";
import { isGuessable, MAX_PASSWORD_LENGTH } from "./users.rules.ts";

const EMAIL = "ada@example.com";

test("AU-02 every well-known password that is long enough is refused, also in capitals", () => {
  const known = dictionary["passwords-common"].filter((word) => word.length >= 12);
  expect(known.length).toBeGreaterThan(300);

  const taken = known.flatMap((word) => [word, word.toUpperCase()]).filter((word) => !isRefused(word));

  expect(taken).toEqual([]);
});

test.each([
  ["eleven signs", "k3-9fz.Wq_p", true],
  ["twelve signs", "k3-9fz.Wq_pL", false],
  ["a sentence", "the kettle hums at noon", false],
  ["one letter, often", "aaaaaaaaaaaaaaaa", true],
  ["three letters, in turn", "abcabcabcabcabc", true],
  ["the person's own address", "ada.lovelace@example.com", true],
  ["the person's own name, often", "ada.lovelaceada.lovelace", true],
  ["a run of letters", "abcdefghijklm", true],
  ["a run of figures and back", "1234567887654321", true],
  ["the longest there is", "the kettle hums ".repeat(MAX_PASSWORD_LENGTH / 16), false],
])("a password of %s", (_what, password, isExpected) => {
  expect(isGuessable(password, "ada.lovelace@example.com", new Set())).toBe(isExpected);
});

test.each(["password12345", "!!Dragon2026!!", "00monkey00000"])(
  "a well-known word with something around it is refused: %s",
  (password) => {
    expect(isRefused(password)).toBe(true);
  },
);

test("the refusal points at the field and does not repeat the password", () => {
  const refusal = catching(() => refuseGuessable("password1234", EMAIL, "account/password"));

  expect(refusal).toBeInstanceOf(Refusal);
  expect(refusal).toMatchObject({
    code: "password_too_weak",
    options: { errors: [{ pointer: "#/account/password", code: "too_weak" }] },
  });
  expect(JSON.stringify(refusal) + refusal!.message).not.toContain("password1234");
});

test("nobody's password is right where there is none, not even the one compared with", async () => {
  expect(await isPasswordOf(undefined, "nobody has this password")).toBe(false);
  expect(await isPasswordOf(null, "nobody has this password")).toBe(false);
});

test("the same password is never stored twice alike", async () => {
  const [first, second] = await Promise.all([
    hashPassword("the kettle hums"),
    hashPassword("the kettle hums"),
  ]);

  expect(first).not.toBe(second);
  expect(await isPasswordOf(first, "the kettle hums")).toBe(true);
  expect(await isPasswordOf(first, "the kettle hums ")).toBe(false);
  expect(needsRehash(first)).toBe(false);
});

function isRefused(password: string): boolean {
  return catching(() => refuseGuessable(password, EMAIL, "new_password")) !== undefined;
}

function catching(work: () => void): Error | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    return error as Error;
  }
}
