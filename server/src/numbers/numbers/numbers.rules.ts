/** Search terms: the beginning of a number or a label, or a part of either. */
export type SearchTerms = { digits: string } | { label: string } | { texts: string[] };

const PHONE_LIKE = /^[+\d\s()./-]+$/;
const LEAST_LETTERS = 3;

/**
 * Up to two characters would match half of all numbers. They match only the beginning of a number or, if not digits,
 * of a label. Longer texts match anywhere. A text that looks like a phone number also matches without separators.
 */
export function searchTermsOf(text: string): SearchTerms {
  const wanted = text.trim();
  const digits = PHONE_LIKE.test(wanted) ? wanted.replaceAll(/[^+\d]/g, "") : undefined;
  if ((digits ?? wanted).replace(/^\+/, "").length < LEAST_LETTERS) {
    const beginning = digits?.replace(/^\+?/, "+") ?? "";
    return /^\+\d+$/.test(beginning) ? { digits: beginning } : { label: wanted };
  }
  return { texts: [...new Set(digits === undefined || !/\d{3}/.test(digits) ? [wanted] : [digits, wanted])] };
}

/** Nothing around a tag, and each only once. */
export function tidyTags(tags: readonly string[]): string[] {
  return [...new Set(tags.map((tag) => tag.trim()))];
}
