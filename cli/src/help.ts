import { GLOBAL_OPTIONS } from "./command-line.ts";
import type { Command, Option, OptionTable } from "./cli-command.ts";

const WIDTH = 80;

/** Help of one command. */
export function helpOf({ name, summary, args = [], options = {}, details, examples = [] }: Command): string {
  const usage = ["dialplane", name, ...args.map(placeholder), "[options]"].join(" ");
  const own = Object.keys(options).length > 0 ? ["", "Options:", ...optionLines(options)] : [];
  return lines([
    `${summary}.`,
    "",
    `Usage: ${usage}`,
    ...own,
    "",
    "Global options:",
    ...optionLines(GLOBAL_OPTIONS),
    ...(details ?? "").split("\n\n").flatMap((part) => (part ? ["", ...wrap(part, "")] : [])),
    ...(examples.length > 0 ? ["", "Examples:", ...examples.map((example) => `  ${example}`)] : []),
  ]);
}

/** Help of all commands by noun, or of those with this prefix. Each noun has one example. */
export function helpOfAll(commands: readonly Command[], words: readonly string[] = []): string {
  const prefix = words.length > 0 ? `${words.join(" ")} ` : "";
  const shown = commands.filter(({ name }) => name.startsWith(prefix));
  const groups = [...Map.groupBy(shown, (one) => groupOf(one, words.length))];
  return lines([
    "dialplane: manage phone numbers, call routing and orders.",
    "",
    `Usage: dialplane ${prefix}<command> [options]`,
    ...groups.flatMap(([group, members]) => ["", `${group}:`, ...commandLines(members)]),
    "",
    "Help: dialplane <command> --help. Sign in: dialplane login <address>",
  ]);
}

const TITLES: Record<string, string> = { orgs: "Organisations", bulk: "Bulk changes", keys: "API keys" };

/** The noun: the first word, for operators also the second. Commands of one word are general. */
function groupOf({ name, group }: Command, depth: number): string {
  if (group && depth === 0) return group;
  const words = name.split(" ");
  const noun = words.slice(0, words[0] === "operator" && words.length > 2 ? 2 : 1).join(" ");
  const isGeneral = words.length === 1 && depth === 0;
  return isGeneral ? "General" : (TITLES[noun] ?? noun.replace(/^./, (letter) => letter.toUpperCase()));
}

function commandLines(commands: readonly Command[]): string[] {
  const names = commands.map(({ name, args = [] }) => [name, ...args.map(placeholder)].join(" "));
  const width = Math.min(34, Math.max(...names.map(({ length }) => length)));
  const example = commands.flatMap(({ examples = [] }) => examples)[0];
  return [
    ...commands.flatMap(({ summary }, at) => twoColumns(names[at]!, summary, width)),
    ...(example ? [`  $ ${example}`] : []),
  ];
}

/** Whether the words are a prefix of commands, such as `dialplane numbers`, and not a typing error. */
export function isGroup(commands: readonly Command[], words: readonly string[]): boolean {
  return commands.some(({ name }) => name.startsWith(`${words.join(" ")} `));
}

function placeholder(arg: string): string {
  const name = arg.replace(/[?.]+$/, "");
  const text = arg.includes("...") ? `<${name}>…` : `<${name}>`;
  return arg.endsWith("?") ? `[${text}]` : text;
}

function optionLines(options: OptionTable): string[] {
  const names = Object.entries(options).map(([name, option]) => flagOf(name, option));
  const width = Math.min(28, Math.max(...names.map(({ length }) => length)));
  return Object.values(options).flatMap(({ summary }, at) => twoColumns(names[at]!, summary, width));
}

function flagOf(name: string, { short, type, value }: Option): string {
  const shown = typeof value === "object" ? value.join("|") : `<${value ?? "value"}>`;
  // A switch with a value takes it after `=`, or none.
  const given = type === "string" ? ` ${shown}` : value === undefined ? "" : `[=${shown}]`;
  return `${short ? `-${short}, ` : ""}--${name}${given}`;
}

function twoColumns(left: string, right: string, width: number): string[] {
  const indent = " ".repeat(width + 4);
  const [first = "", ...more] = wrap(right, indent).map((line) => line.slice(indent.length));
  const beginning =
    left.length > width ? [`  ${left}`, `${indent}${first}`] : [`  ${left.padEnd(width)}  ${first}`];
  return [...beginning, ...more.map((line) => indent + line)];
}

function wrap(text: string, indent: string): string[] {
  const found: string[] = [];
  let line = indent;
  for (const word of text.split(" ")) {
    if (line.length > indent.length && line.length + word.length + 1 > WIDTH) {
      found.push(line);
      line = indent;
    }
    line += line.length > indent.length ? ` ${word}` : word;
  }
  return [...found, line];
}

function lines(all: string[]): string {
  return `${all.map((line) => line.trimEnd()).join("\n")}\n`;
}
