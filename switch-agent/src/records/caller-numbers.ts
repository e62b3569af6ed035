import type { NumberFormat } from "../trunk-list.ts";

/** Caller of a trunk's call in E.164. Null if the sent value is not a number. */
export type CallerNumbers = (trunk: string | null, sent: string | null) => string | null;

const E164 = /^\+[1-9]\d{6,14}$/;

/** Reads callers as kamailio.cfg reads called numbers: by how each trunk writes numbers. */
export function callerNumbers(
  listTrunks: () => readonly { name: string; number_format: NumberFormat }[],
): CallerNumbers {
  return (trunk, sent) => {
    if (sent === null) return null;
    const number = unescaped(sent)
      .split(";")[0]!
      .replaceAll(/[-.()\s]/g, "");
    const format = listTrunks().find(({ name }) => name === trunk)?.number_format;
    const found = number.startsWith("+") || !format ? number : `+${withCountry(number, format)}`;
    return E164.test(found) ? found : null;
  };
}

function withCountry(number: string, format: NumberFormat): string {
  const { international_prefix, national_prefix, country_code } = format;
  if (international_prefix !== "" && number.startsWith(international_prefix))
    return number.slice(international_prefix.length);
  if (national_prefix !== "" && number.startsWith(national_prefix))
    return country_code + number.slice(national_prefix.length);
  // If national numbers have a prefix, a number without it may already start with the country code.
  if (national_prefix !== "" && country_code !== "" && number.startsWith(country_code)) return number;
  return country_code + number;
}

function unescaped(sent: string): string {
  try {
    return decodeURIComponent(sent);
  } catch {
    return sent;
  }
}
