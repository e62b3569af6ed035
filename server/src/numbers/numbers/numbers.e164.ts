import {
  AsYouType,
  isSupportedCountry,
  parsePhoneNumberFromString as parse,
  type PhoneNumber,
  type PhoneNumberType,
} from "libphonenumber-js/max";

/** A plus, a country's code, 7 to 15 digits in all: how every number is kept and spoken of. */
export const E164_PATTERN = String.raw`^\+[1-9]\d{6,14}$`;
const E164 = new RegExp(E164_PATTERN);

/** The data knows no `national` numbers; who loads numbers may call one so. */
export const NUMBER_TYPES = [
  "local",
  "national",
  "mobile",
  "toll_free",
  "shared_cost",
  "premium",
  "voip",
  "personal",
  "uan",
  "pager",
  "other",
] as const;
export type NumberType = (typeof NUMBER_TYPES)[number];

export interface ParsedNumber {
  e164: string;
  /** ISO 3166-1 alpha-2; null if it belongs to none (+800, +870, +883) or is unknown. */
  country: string | null;
  type: NumberType;
}

/** If landlines and mobiles share ranges, as in North America, a number counts as a landline. */
const TYPES: Record<PhoneNumberType, NumberType> = {
  FIXED_LINE: "local",
  FIXED_LINE_OR_MOBILE: "local",
  MOBILE: "mobile",
  TOLL_FREE: "toll_free",
  SHARED_COST: "shared_cost",
  PREMIUM_RATE: "premium",
  VOIP: "voip",
  PERSONAL_NUMBER: "personal",
  UAN: "uan",
  PAGER: "pager",
  VOICEMAIL: "other",
};

/** Separators that people type between digits. Letters, extensions and second numbers are not allowed. */
const WRITTEN = /^\(?\+?[\d ()./\u00a0\u2009\u2010-\u2015\u202f-]{1,40}$/;

type Fault = { fault: string };
const NOT_A_NUMBER: Fault = { fault: "A phone number has 7 to 15 digits including the country code." };

/**
 * Reads a number as people and spreadsheets write it: with a plus, or, where a country is given, as dialled
 * there. Numbering plans change before the data does, so a well-formed number the data does not know is a
 * number, of type `other`.
 */
export function parseNumber(text: string, defaultCountry?: string): ParsedNumber | Fault {
  const written = text.trim();
  if (!WRITTEN.test(written)) return { fault: "A phone number contains only a plus and digits." };
  const dialled = written.replace(/[^+\d]/g, "");
  if (dialled.startsWith("+")) return readInternational(dialled);
  if (defaultCountry === undefined)
    return { fault: "A phone number starts with a plus and the country code." };
  if (!isSupportedCountry(defaultCountry))
    return { fault: `${defaultCountry} is not the code of a country with phone numbers.` };

  const found = parse(dialled, defaultCountry);
  // 00 stands for the plus also in countries that dial something else: spreadsheets travel.
  if (!found?.isValid() && dialled.startsWith("00")) return readInternational(`+${dialled.slice(2)}`);
  return found?.isPossible() ? describe(found.number, found) : NOT_A_NUMBER;
}

function readInternational(dialled: string): ParsedNumber | Fault {
  const found = parse(dialled);
  // Valid, it comes without a trunk prefix, +49 (0)30; else the data cannot tell a prefix from the number.
  return describe(found?.isValid() ? found.number : dialled, found);
}

function describe(e164: string, found: PhoneNumber | undefined): ParsedNumber | Fault {
  if (!E164.test(e164)) return NOT_A_NUMBER;
  // Undefined unless the number is valid.
  const type = found?.getType();
  return { e164, country: found?.country ?? null, type: type ? TYPES[type] : "other" };
}

/** The beginning of an E.164 number that these digits, perhaps not all of them, dial in a country. */
export function dialledIn(country: string, digits: string): string | undefined {
  if (!isSupportedCountry(country)) return undefined;
  const typed = new AsYouType(country);
  typed.input(digits);
  return typed.getNumberValue();
}
