import fc from "fast-check";
import { newId } from "../../src/platform/ids.ts";
import type { Contract, Schema } from "./fuzz-contract.ts";
import type { Chooser } from "./fuzz-random.ts";

/** Texts that programs stumble over. */
const ODD_TEXTS: readonly string[] = [
  "",
  " ",
  "\0",
  "a\0b",
  "\u{d800}",
  "\u{fffd}\u{ffff}",
  "😀é漢\u{202e}",
  "e\u{301}".repeat(30),
  "null",
  "undefined",
  "true",
  "NaN",
  "0",
  "-1",
  "1e400",
  "9007199254740993",
  "../../etc/passwd",
  "' or 1=1 --",
  "%",
  "_%\\",
  "\\",
  '"',
  "\r\n",
  "{{7*7}}",
  "<b>",
  "__proto__",
  "2026-02-30T00:00Z",
  "0000-00-00T00:00:00Z",
  "9999-12-31T23:59:59.999999999Z",
  "00000000-0000-0000-0000-000000000000",
  "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF",
  "a".repeat(300),
  "ü".repeat(5_000),
];

/** Values of every type, and at the edges of each. */
const ODD_VALUES: readonly unknown[] = [
  ...ODD_TEXTS,
  null,
  true,
  false,
  0,
  -1,
  1.5,
  2 ** 31,
  2 ** 53,
  -(2 ** 63),
  1e308,
  [],
  [null],
  [[[[]]]],
  {},
  { a: 1 },
  { constructor: { prototype: 1 } },
  Array.from({ length: 1_001 }, () => 1),
];

const DATES = ["2026-11-01T00:00Z", "2026-12-01T00:00:00.5Z", "1970-01-01T00:00:00Z", "2999-12-31T23:59:59Z"];
const URIS = [
  "https://hooks.example.com/events",
  "http://127.0.0.1:9/",
  "https://user:pass@example.com:99999/",
  "https://[::1]/x?y#z",
  "ftp://example.com",
  "https://xn--nxasmq6b.example/",
];
const NETWORKS = ["192.0.2.0/24", "2001:db8::/32", "10.0.0.1", "0.0.0.0/0", "::/0", "192.0.2.1/33"];
const NUMBERS = ["+493010000001", "+15005550001", "+12005550150", "+442079460001", "+8881"];
const FORMATS: Record<string, readonly string[]> = {
  "date-time": DATES,
  uri: URIS,
  network: NETWORKS,
  email: ["a@example.com", "ü@example.com", `${"a".repeat(64)}@example.com`, "a@b", "A@EXAMPLE.COM"],
  password: ["correct horse battery staple", "password", "x".repeat(256), "ünïcödé sentence here"],
};

/** Values from earlier responses, so that later requests name existing resources. */
export interface Known {
  ids: string[];
  cursors: string[];
}

export interface Values {
  /** Fits the schema, nearly always. */
  fitting(schema: Schema, choose: Chooser): unknown;
  /** Fits it nowhere, or just not. */
  odd(schema: Schema | undefined, choose: Chooser): unknown;
}

export function openValues(contract: Contract, known: Known): Values {
  const values: Values = {
    fitting(given, choose) {
      const schema = contract.resolve<Schema>(given);
      if (schema.const !== undefined) return schema.const;
      if (schema.enum) return choose.pick(schema.enum);
      const variants = schema.oneOf ?? schema.anyOf;
      if (variants) return values.fitting(choose.pick(variants), choose);
      switch (Array.isArray(schema.type) ? choose.pick(schema.type) : schema.type) {
        case "object":
          return objectOf(schema, (part) => values.fitting(part, choose), choose);
        case "array":
          return listOf(schema, (part) => values.fitting(part, choose), choose);
        case "string":
          return textOf(schema, known, choose);
        case "integer":
        case "number":
          return numberOf(schema, choose);
        case "boolean":
          return choose.chance(0.5);
        default:
          return null;
      }
    },
    odd(given, choose) {
      const edges = given ? edgesOf(contract.resolve<Schema>(given)) : [];
      return edges.length > 0 && choose.chance(0.5) ? choose.pick(edges) : choose.pick(ODD_VALUES);
    },
  };
  return values;
}

function objectOf(
  { properties = {}, required = [] }: Schema,
  valueOf: (schema: Schema) => unknown,
  choose: Chooser,
): Record<string, unknown> {
  const members = Object.entries(properties).filter(
    ([name]) => required.includes(name) || choose.chance(0.4),
  );
  return Object.fromEntries(members.map(([name, schema]) => [name, valueOf(schema)]));
}

function listOf(
  { items = {}, minItems = 0, maxItems = 3 }: Schema,
  valueOf: (schema: Schema) => unknown,
  choose: Chooser,
): unknown[] {
  const most = choose.chance(0.02) ? Math.min(maxItems, 1_000) : Math.min(maxItems, 3);
  const length = minItems + choose.below(Math.max(1, most - minItems + 1));
  return Array.from({ length }, () => valueOf(items));
}

function textOf(schema: Schema, known: Known, choose: Chooser): string {
  const { format, pattern, examples = [], minLength = 0, maxLength = 100 } = schema;
  if (format === "uuid") return known.ids.length > 0 && choose.chance(0.8) ? choose.pick(known.ids) : newId();
  const formatted = format ? FORMATS[format] : undefined;
  if (formatted) return choose.pick(formatted);
  if (pattern?.includes("+[1-9]") && choose.chance(0.5)) return choose.pick(NUMBERS);
  if (pattern?.startsWith(String.raw`^\d{4}-`) && choose.chance(0.5)) return choose.pick(DATES);
  if (examples.length > 0 && choose.chance(0.5)) return String(choose.pick(examples));
  if (pattern) return choose.pick(matchesOf(pattern, maxLength));
  if (maxLength >= 1_000 && known.cursors.length > 0 && choose.chance(0.5)) return choose.pick(known.cursors);
  const length = choose.pick([minLength, minLength + 1, Math.min(maxLength, 20), Math.min(maxLength, 5_000)]);
  return choose.pick(["a", "Z", "ü", "7", " x"]).repeat(length).slice(0, length);
}

const matches = new Map<string, string[]>();

function matchesOf(pattern: string, maxLength: number): string[] {
  let found = matches.get(pattern);
  if (!found) {
    found = samplesOf(pattern);
    matches.set(pattern, found);
  }
  const short = found.filter((text) => text.length <= maxLength);
  return short.length > 0 ? short : ["a"];
}

/** Always the same ones, so that a seed repeats a run. */
function samplesOf(pattern: string): string[] {
  try {
    return fc.sample(fc.stringMatching(new RegExp(pattern)), { numRuns: 50, seed: 1 });
  } catch {
    return ["pbx.example.com", "example.org"]; // The one pattern with a lookahead is that of host names.
  }
}

function numberOf({ minimum = 0, maximum = 1_000, examples = [] }: Schema, choose: Chooser): number {
  const example = examples.find((one) => typeof one === "number") ?? minimum;
  return choose.pick([
    minimum,
    maximum,
    example,
    minimum + 1,
    minimum + choose.below(Math.min(50, maximum - minimum)),
  ]);
}

/** One step beyond each limit. */
function edgesOf(schema: Schema): unknown[] {
  return [
    ...(schema.minimum === undefined ? [] : [schema.minimum - 1, String(schema.minimum)]),
    ...(schema.maximum === undefined ? [] : [schema.maximum + 1, schema.maximum + 0.5]),
    ...(schema.minLength ? ["x".repeat(schema.minLength - 1)] : []),
    ...(schema.maxLength === undefined || schema.maxLength > 20_000
      ? []
      : ["x".repeat(schema.maxLength + 1), "😀".repeat(schema.maxLength)]),
    ...(schema.maxItems === undefined || schema.maxItems > 10_000
      ? []
      : [Array.from({ length: schema.maxItems + 1 }, () => "x")]),
    ...(schema.enum ? [String(schema.enum[0]).toUpperCase(), [schema.enum[0]]] : []),
  ];
}
