import type { NumberListFilters } from "../numbers.schema.ts";

/** A number as the test knows it. */
export interface ModelNumber {
  id: string;
  e164: string;
  country: string;
  type: string;
  status: string;
  label: string | null;
  tags: string[];
  metadata: Record<string, string>;
  mode: string;
  /** Texts that a search by destination reads. */
  destinations: string[];
  connectionId: string | null;
  connectionName: string | null;
  lastCallAt: Date | null;
}

/** IDs of the numbers that match, in the order of the list. */
export function expectedOf(numbers: readonly ModelNumber[], filters: NumberListFilters): string[] {
  const { sort = "acquired_at" } = filters;
  const key = (number: ModelNumber): string => (sort.endsWith("e164") ? number.e164 : number.id);
  const found = numbers.filter((number) => matches(number, filters));
  const sign = sort.startsWith("-") ? -1 : 1;
  return found.toSorted((one, other) => (key(one) < key(other) ? -sign : sign)).map(({ id }) => id);
}

function matches(number: ModelNumber, filters: NumberListFilters): boolean {
  const { country, type, status, tag, mode, e164, connection_id, last_call_before, metadata = {} } = filters;
  const is = (wanted: unknown, value: unknown): boolean => wanted === undefined || wanted === value;
  return (
    is(country, number.country) &&
    is(type, number.type) &&
    (status === undefined ? number.status !== "quarantined" : status === number.status) &&
    (tag === undefined || number.tags.includes(tag)) &&
    is(mode, number.mode) &&
    (!e164 || e164.includes(number.e164)) &&
    (!connection_id || connection_id.includes(number.connectionId ?? "")) &&
    (last_call_before === undefined ||
      !number.lastCallAt ||
      number.lastCallAt < new Date(last_call_before)) &&
    Object.entries(metadata).every(([name, value]) => number.metadata[name] === value) &&
    goesTo(number, filters.destination) &&
    isSearched(number, filters.q)
  );
}

function goesTo({ destinations }: ModelNumber, text: string | undefined): boolean {
  if (text === undefined) return true;
  return partsOf(text).some((part) => destinations.some((one) => one.toLowerCase().includes(part)));
}

function isSearched(
  { e164, label, destinations, connectionName }: ModelNumber,
  q: string | undefined,
): boolean {
  if (q === undefined) return true;
  if (q === "30") return e164.startsWith("+30");
  if (q === "de") return label?.toLowerCase().startsWith("de") ?? false;
  const texts = [e164, label ?? "", connectionName ?? "", ...destinations].map((text) => text.toLowerCase());
  return partsOf(q).some((part) => texts.some((text) => text.includes(part)));
}

/** Possible meanings of a text, by hand for each text of the test. */
function partsOf(text: string): string[] {
  const meant: Record<string, string[]> = {
    "030 1000": ["+49301000", "0301000"],
    "(030) 1000": ["+49301000", "0301000"],
    "0049 30 1000": ["+49301000", "0049301000"],
    "+49 (0)30 1000": ["+49301000", "+490301000"],
    "011 49 30": ["+4930", "0114930"],
    "555 0100": ["+495550100", "5550100"],
  };
  return [text.toLowerCase(), ...(meant[text] ?? [])];
}
