import type { Connection, PhoneNumber, SetRouting, WantedBulkChange } from "@dialplane/sdk";
import { bodyOf, CAUSES, NEW_STEP, type StepValues } from "../numbers/routing-form.ts";
import type { CsvFile, CsvLine } from "./csv-lines.ts";
import { importsText } from "./imports-text.ts";

/** Changes that a line makes to its number, without those already in effect. */
export interface WantedOfLine {
  label?: string | null;
  tags?: { add: string[]; remove: string[] };
  release_lock?: boolean;
  routing?: SetRouting;
}

export type Part = keyof WantedOfLine;

export interface ImportLine extends CsvLine {
  /** Number as in the file. */
  named: string;
  number: PhoneNumber | undefined;
  wants: WantedOfLine;
  /** Reason why the line is invalid. */
  fault: string | undefined;
}

/** The CLI has no limit. */
const MOST_LINES = 1_000;
export const MOST_PLANS = 100;
const PER_PLAN = 1_000;
const MOST_TAGS = 20;

const NAMING = ["id", "number", "e164"] as const;
const CHANGING = ["label", "tags", "routing", "connection", "release_lock", "lock"] as const;

/** Fault of the whole file. */
export function fileFault({ names, lines }: CsvFile): string | undefined {
  if (!NAMING.some((name) => names.includes(name))) return importsText.namingMissing;
  if (!CHANGING.some((name) => names.includes(name))) return importsText.changingMissing(CHANGING.join(", "));
  if (lines.length === 0) return importsText.noLines;
  if (lines.length > MOST_LINES) return importsText.tooManyLines(lines.length, MOST_LINES);
  return undefined;
}

export function nameOf({ cells }: CsvLine): string {
  const named = NAMING.map((name) => cells[name]).find(Boolean) ?? "";
  return /^[+\d][\d\s()/.-]*$/.test(named) ? `+${named.replaceAll(/\D/g, "")}` : named.toLowerCase();
}

/** `held` by E.164 and by id. */
export function planLines(
  { lines }: CsvFile,
  held: ReadonlyMap<string, PhoneNumber>,
  connections: readonly Connection[],
): ImportLine[] {
  const seen = new Set<string>();
  return lines.map((line) => {
    const named = nameOf(line);
    const number = held.get(named);
    const base = { ...line, named: named || importsText.noName, number, wants: {} };
    if (!number) return { ...base, fault: importsText.numberUnknown };
    if (seen.has(number.id)) return { ...base, fault: importsText.numberTwice };
    seen.add(number.id);
    try {
      return { ...base, wants: wantsOf(number, line, connections), fault: undefined };
    } catch (error) {
      return { ...base, fault: (error as Error).message };
    }
  });
}

function wantsOf(number: PhoneNumber, { cells }: CsvLine, connections: readonly Connection[]): WantedOfLine {
  const wants: WantedOfLine = {};
  const { label, tags } = cells;
  if (label !== undefined && (label || null) !== number.label) wants.label = label || null;
  if (tags !== undefined) {
    const wanted = [
      ...new Set(
        tags
          .split(";")
          .map((tag) => tag.trim())
          .filter(Boolean),
      ),
    ];
    if (wanted.length > MOST_TAGS) throw new Error(importsText.tooManyTags(MOST_TAGS));
    const add = wanted.filter((tag) => !number.tags.includes(tag));
    const remove = number.tags.filter((tag) => !wanted.includes(tag));
    if (add.length + remove.length > 0) wants.tags = { add, remove };
  }
  const lock = lockOf(cells["release_lock"] || cells["lock"] || "");
  if (lock !== undefined && lock !== number.release_lock) wants.release_lock = lock;
  const routing = routingOf(cells, connections);
  // The list does not contain the other routing details. The plan detects unchanged ones.
  if (routing && !(routing.mode === "unrouted" && number.routing?.mode === "unrouted"))
    wants.routing = routing;
  return wants;
}

function lockOf(text: string): boolean | undefined {
  if (text === "") return undefined;
  if (/^(true|yes|on|1|locked)$/i.test(text)) return true;
  if (/^(false|no|off|0|unlocked)$/i.test(text)) return false;
  throw new Error(importsText.lockInvalid(text));
}

function routingOf(cells: CsvLine["cells"], connections: readonly Connection[]): SetRouting | undefined {
  const { routing = "", connection = "" } = cells;
  if (routing && connection) throw new Error(importsText.routingTwice);
  const first = routing || connection;
  const [second, third] = [cells["fallback"] ?? "", cells["fallback_2"] ?? ""];
  const isAlone = second !== "" && (first === "" || /^unrouted$/i.test(first));
  if (isAlone || (third && !second)) throw new Error(importsText.fallbackAlone);
  if (first === "") return undefined;
  const step = (text: string, prefix: string): StepValues => ({
    ...NEW_STEP,
    ...destinationOf(text, connections),
    ring_seconds: cells[`${prefix}ring_seconds`] ?? "",
    on: causesOf(cells[`${prefix}on`] ?? ""),
  });
  const steps = [
    step(first, ""),
    ...(second ? [step(second, "fallback_")] : []),
    ...(third ? [step(third, "fallback_2_")] : []),
  ];
  return bodyOf({ steps, reason: "" });
}

/** The prefix determines the mode. */
function destinationOf(text: string, connections: readonly Connection[]): Partial<StepValues> {
  if (/^unrouted$/i.test(text)) return { mode: "unrouted" };
  if (/^sips?:/i.test(text)) return { mode: "sip_uri", sip_uri: text };
  if (/^https:/i.test(text)) return { mode: "webhook", webhook_url: text };
  if (/^\+[\d\s()/.-]+$/.test(text)) return { mode: "forward", forward_to: `+${text.replaceAll(/\D/g, "")}` };
  const found = connections.find(
    ({ id, name }) => id === text.toLowerCase() || name.toLowerCase() === text.toLowerCase(),
  );
  if (!found) throw new Error(importsText.connectionUnknown(text));
  return { mode: "connection", connection_id: found.id };
}

/** None for the default. */
function causesOf(text: string): string[] {
  const causes = text
    .split(";")
    .map((cause) => cause.trim().toLowerCase())
    .filter(Boolean);
  const unknown = causes.find((cause) => !CAUSES.some((known) => known === cause));
  if (unknown !== undefined) throw new Error(importsText.causeUnknown(unknown));
  return causes;
}

export interface WantedPlan {
  part: Exclude<Part, "label">;
  change: WantedBulkChange;
  ids: string[];
}

/** Lines with the same change form one plan. Labels differ for each number and are in no plan. */
export function plansOf(lines: readonly ImportLine[]): WantedPlan[] {
  const plans = new Map<string, WantedPlan>();
  for (const part of ["routing", "tags", "release_lock"] as const)
    for (const { number, wants } of lines) {
      const wanted = wants[part];
      if (wanted === undefined || !number) continue;
      const key = JSON.stringify([part, wanted]);
      const plan = plans.get(key) ?? { part, change: { [part]: wanted }, ids: [] };
      plan.ids.push(number.id);
      plans.set(key, plan);
    }
  return [...plans.values()].flatMap((plan) =>
    Array.from({ length: Math.ceil(plan.ids.length / PER_PLAN) }, (_, at) => ({
      ...plan,
      ids: plan.ids.slice(at * PER_PLAN, (at + 1) * PER_PLAN),
    })),
  );
}
