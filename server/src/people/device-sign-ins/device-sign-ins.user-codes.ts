import { randomInt } from "node:crypto";

/** RFC 8628, section 6.1: no vowels, so no words; no digits, so nothing that looks alike. */
const LETTERS = "BCDFGHJKLMNPQRSTVWXZ";

export function newUserCode(): string {
  const text = Array.from({ length: 8 }, () => LETTERS[randomInt(LETTERS.length)]!).join("");
  return `${text.slice(0, 4)}-${text.slice(4)}`;
}

/** As people type it. */
export function plainUserCode(code: string): string {
  return code.toUpperCase().replaceAll(/[\s-]/g, "");
}
