/** Search terms: the beginning of a number or a label, or a part of either. */
export type SearchTerms = { digits: string } | { label: string } | { texts: string[] };

const PHONE_LIKE = /^[+\d\s()./-]+$/;
const LEAST_LETTERS = 3;

/**
 * Up to two characters would match half of all numbers. They match only the beginning of a number or, if not digits,
 * of a label. Longer texts match anywhere. A text that looks like a phone number matches in every form in which people
 * write it.
 */
export function searchTermsOf(text: string): SearchTerms {
  const wanted = text.trim();
  const digits = PHONE_LIKE.test(wanted) ? wanted.replaceAll(/[^+\d]/g, "") : undefined;
  if ((digits ?? wanted).replace(/^\+/, "").length < LEAST_LETTERS) {
    const beginning = digits?.replace(/^\+?/, "+") ?? "";
    return /^\+\d+$/.test(beginning) ? { digits: beginning } : { label: wanted };
  }
  const forms = digits === undefined || !/\d{3}/.test(digits) ? [] : writtenForms(wanted, digits);
  return { texts: [...new Set([...forms, wanted])] };
}

/**
 * Parts of an E.164 number that these digits can mean: `+49 (0)30` without the trunk prefix, `0049` and `011 49`
 * without the international prefix, `030` without the trunk prefix.
 */
function writtenForms(written: string, digits: string): string[] {
  const forms = [digits];
  if (/^\+.*\(0\)/.test(written)) forms.push(written.replace("(0)", "").replaceAll(/[^+\d]/g, ""));
  const international = /^(?:00|011)([1-9]\d*)$/.exec(digits);
  if (international) forms.push(`+${international[1]}`);
  const national = /^0([1-9]\d+)$/.exec(digits);
  if (national && national[1]!.length >= LEAST_LETTERS) forms.push(national[1]!);
  return forms.filter((form) => form.replace("+", "").length >= LEAST_LETTERS);
}

/** Nothing around a tag, and each only once. */
export function tidyTags(tags: readonly string[]): string[] {
  return [...new Set(tags.map((tag) => tag.trim()))];
}
