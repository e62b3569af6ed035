import type { SearchTerms } from "./numbers.list.store.ts";
import { dialledIn } from "./numbers.e164.ts";

const PHONE_LIKE = /^[+\d\s()./-]+$/;
const LEAST_LETTERS = 3;

/**
 * Up to two characters would match half of all numbers. They match only the beginning of a number or, if not digits,
 * of a label. Longer texts match anywhere. A text that looks like a phone number matches in every form in which people
 * write it, in the country if there is one.
 */
export function searchTermsOf(text: string, country?: string): SearchTerms {
  const wanted = text.trim();
  const digits = PHONE_LIKE.test(wanted) ? wanted.replaceAll(/[^+\d]/g, "") : undefined;
  if ((digits ?? wanted).replace(/^\+/, "").length < LEAST_LETTERS) {
    const beginning = digits?.replace(/^\+?/, "+") ?? "";
    return /^\+\d+$/.test(beginning) ? { digits: beginning } : { label: wanted };
  }
  return { texts: searchTextsOf(wanted, country) };
}

/** The text, and if it looks like a phone number, the parts of E.164 numbers that it can mean. */
export function searchTextsOf(text: string, country?: string): string[] {
  const wanted = text.trim();
  const digits = PHONE_LIKE.test(wanted) ? wanted.replaceAll(/[^+\d]/g, "") : "";
  return [...new Set([...(/\d{3}/.test(digits) ? writtenForms(wanted, digits, country) : []), wanted])];
}

/**
 * `+49 (0)30` without the trunk prefix, `0049` and `011 49` without the international prefix, and `030` as it is
 * dialled in the country or, if that is unknown, without the trunk prefix.
 */
function writtenForms(written: string, digits: string, country: string | undefined): string[] {
  const forms = [digits];
  if (/^\+.*\(0\)/.test(written)) forms.push(written.replace("(0)", "").replaceAll(/[^+\d]/g, ""));
  const international = /^(?:00|011)([1-9]\d*)$/.exec(digits);
  if (international) forms.push(`+${international[1]}`);
  const dialled = country === undefined ? undefined : dialledIn(country, digits);
  const national = /^0([1-9]\d+)$/.exec(digits);
  if (dialled !== undefined) forms.push(dialled);
  else if (national) forms.push(national[1]!);
  return forms.filter((form) => form.replace("+", "").length >= LEAST_LETTERS);
}
