import { NUMBER_TYPES, type NumberType, type ParsedNumber, parseNumber } from "./numbers.e164.ts";

/** A range of consecutive numbers, or a single one, as given by the user. */
export interface WrittenRange {
  number: string;
  /** The last one. */
  to?: string | undefined;
  /** Used if the numbering plan does not define the type. */
  type?: string | undefined;
}

/** As e164 the first of them. */
export interface NumberRange extends ParsedNumber {
  count: number;
}

export const MOST_IN_RANGE = 10_000;

/** The range, or why it is none. */
export function rangeOf(
  { number, to = "", type = "" }: WrittenRange,
  country: string | undefined,
): NumberRange | string {
  const first = parseNumber(number, country);
  if ("fault" in first) return first.fault;
  const last = to === "" ? first : parseNumber(to, country);
  if ("fault" in last) return last.fault;
  const named = type === "" ? first.type : typeNamed(type);
  if (!named) return `Unknown type ${type}. Types are ${NUMBER_TYPES.join(", ")}.`;
  if (last.e164.length !== first.e164.length || last.country !== first.country)
    return "Both ends of a range must have the same country and length.";
  const count = Number(BigInt(last.e164.slice(1)) - BigInt(first.e164.slice(1))) + 1;
  if (count < 1) return "The end of a range must not be below its start.";
  if (count > MOST_IN_RANGE) return `A range has at most ${MOST_IN_RANGE.toLocaleString("en")} numbers.`;
  if (type === "" && last.type !== first.type)
    return `The range begins with ${first.type} numbers and ends with ${last.type} ones: name a type, or divide it.`;
  return { ...first, type: named, count };
}

function typeNamed(text: string): NumberType | undefined {
  return NUMBER_TYPES.find((known) => known === text);
}

/** Every number of them, each once. */
export function numbersIn(ranges: readonly NumberRange[]): ParsedNumber[] {
  const numbers = new Map<string, ParsedNumber>();
  for (const { e164, count, country, type } of ranges) {
    const first = BigInt(e164.slice(1));
    for (let at = 0n; at < count; at++) {
      const one = `+${first + at}`;
      numbers.set(one, { e164: one, country, type });
    }
  }
  return [...numbers.values()];
}
