import { hash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dictionary } from "@zxcvbn-ts/language-common";
import { expect, test } from "vitest";
import type { App } from "../../app.ts";
import { ApiError } from "../../platform/api-error.ts";
import { hashPassword, isPasswordOf, needsRehash, rejectGuessable } from "./users.passwords.ts";
import { isGuessable, MAX_PASSWORD_LENGTH } from "./users.rules.ts";

const EMAIL = "ada@example.com";

test("AU-02 rejects every common password of sufficient length, also in capitals", async () => {
  const known = dictionary["passwords-common"].filter((word) => word.length >= 12);
  expect(known.length).toBeGreaterThan(300);

  const taken: string[] = [];
  for (const word of known.flatMap((one) => [one, one.toUpperCase()]))
    if (!(await isRejected(word))) taken.push(word);

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
  "rejects a common word with additions: %s",
  async (password) => {
    expect(await isRejected(password)).toBe(true);
  },
);

test.each(["Dialplane-2026!", "northwindnumbers1", "Northwind!Dialplane", "example.2026.example"])(
  "AU-21 rejects a password that consists of the product, the host or the email address: %s",
  async (password) => {
    expect(await isRejected(password)).toBe(true);
    expect(await isRejected(`${password} kettle hums`)).toBe(false);
  },
);

test("points the error at the field without repeating the password", async () => {
  const apiError = await errorOf("password1234", "account/password");

  expect(apiError).toBeInstanceOf(ApiError);
  expect(apiError).toMatchObject({
    code: "password_too_weak",
    options: { errors: [{ pointer: "#/account/password", code: "too_weak" }] },
  });
  expect(JSON.stringify(apiError) + apiError!.message).not.toContain("password1234");
});

test("rejects every password of an account without one, even that of the decoy", async () => {
  expect(await isPasswordOf(undefined, "no account has this password")).toBe(false);
  expect(await isPasswordOf(null, "no account has this password")).toBe(false);
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

test("AU-18 rejects a password in the operator's file of breached passwords", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "dialplane-breached-"));
  const file = join(folder.path, "hashes.txt");
  const words = Array.from({ length: 1_000 }, (_, at) => `the kettle hums ${at}`);
  const hashes = words.map((word) => hash("sha1", word, "hex").toUpperCase()).toSorted();
  for (const text of [
    hashes.map((one, at) => `${one}:${at}\r\n`).join(""),
    hashes.map((one) => `${one}\n`).join(""),
    hashes.join("\n"),
  ]) {
    writeFileSync(file, text);
    const found = await Promise.all(words.map((word) => isRejected(word, file)));
    expect(found.filter((one) => !one)).toEqual([]);
    const others = words.map((word) => `${word} again`);
    expect((await Promise.all(others.map((word) => isRejected(word, file)))).filter(Boolean)).toEqual([]);
  }
  writeFileSync(file, "");
  expect(await isRejected(words[0]!, file)).toBe(false);
});

async function isRejected(password: string, file?: string): Promise<boolean> {
  return (await errorOf(password, "new_password", file)) !== undefined;
}

async function errorOf(password: string, field: string, file?: string): Promise<Error | undefined> {
  const config = { baseUrl: "https://numbers.northwind.example", breachedPasswordsFile: file };
  const app = { config } as Pick<App, "config">;
  try {
    await rejectGuessable(app, { password, email: EMAIL, field });
    return undefined;
  } catch (error) {
    return error as Error;
  }
}
