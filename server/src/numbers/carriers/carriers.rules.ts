import type { WantedNumbers } from "./carrier.ts";

interface Served {
  countries: readonly string[];
  number_types: readonly string[];
}

/**
 * Whether a carrier is used for these numbers. Numbers of any country are wanted only from a carrier for all
 * countries: other carriers serve one country at a time.
 */
export function serves(
  { countries, number_types: types }: Served,
  { country, type }: WantedNumbers,
): boolean {
  const hasCountry = countries.length === 0 || (typeof country === "string" && countries.includes(country));
  return hasCountry && (types.length === 0 || type === undefined || types.includes(type));
}
