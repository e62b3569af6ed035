import type { TrunkList } from "@dialplane/sdk/operator";
import { trunksText } from "./trunks-text.ts";

type Trunk = TrunkList["trunks"][number];
type Forwarding = NonNullable<TrunkList["forwarding"]>;
export type AnyState = Trunk["states"][number] | Forwarding["states"][number];

export interface SwitchDifference {
  field: string;
  found: string;
  expected: string;
}

/** Settings that a switch holds with another value. Empty if it holds nothing at all. */
export function switchDifferences({ found, expected }: AnyState): SwitchDifference[] {
  if (!found || !expected) return [];
  const [held, wanted] = [flat(found), flat(expected)];
  return [...new Set([...Object.keys(wanted), ...Object.keys(held)])]
    .map((field) => ({
      field: field.replaceAll("_", " ").replaceAll(".", " "),
      found: held[field] ?? trunksText.notHeld,
      expected: wanted[field] ?? trunksText.notHeld,
    }))
    .filter((difference) => difference.found !== difference.expected);
}

function flat(value: object, prefix = ""): Record<string, string> {
  const entries = Object.entries(value).flatMap(([name, member]): [string, string][] => {
    const field = prefix + name;
    if (Array.isArray(member)) return [[field, member.map(textOf).toSorted().join(", ")]];
    if (typeof member === "object" && member !== null) return Object.entries(flat(member, `${field}.`));
    return member === null || member === "" ? [] : [[field, String(member)]];
  });
  return Object.fromEntries(entries);
}

function textOf(entry: unknown): string {
  if (typeof entry !== "object" || entry === null) return String(entry);
  return Object.entries(entry)
    .map(([name, value]) => `${name} ${String(value)}`)
    .join(" ");
}
