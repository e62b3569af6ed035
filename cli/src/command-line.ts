import { parseArgs } from "node:util";
import { usageFailure } from "./cli-failure.ts";
import type { Command, OptionTable } from "./cli-command.ts";

export const GLOBAL_OPTIONS = {
  json: {
    type: "boolean",
    value: "fields",
    summary: "print JSON, with all fields or with these: --json=id,label",
  },
  jq: { type: "string", value: "expression", summary: "filter the JSON with a jq expression" },
  csv: { type: "boolean", summary: "print CSV" },
  url: {
    type: "string",
    value: "address",
    summary: "service address (default: DIALPLANE_URL, then the last sign-in)",
  },
  org: {
    type: "string",
    value: "id or name",
    summary: "organisation (default: DIALPLANE_ORGANISATION, then orgs use)",
  },
  environment: {
    type: "string",
    short: "e",
    value: ["live", "test"],
    summary: "environment (default: DIALPLANE_ENVIRONMENT, then orgs use)",
  },
  yes: { type: "boolean", short: "y", summary: "skip confirmation" },
  "no-input": { type: "boolean", summary: "fail instead of prompting" },
  debug: { type: "boolean", summary: "log requests to stderr, without credentials" },
  help: { type: "boolean", short: "h", summary: "show this help" },
} as const satisfies OptionTable;

/** Command and its remaining arguments, or words that match no command. */
export type Found = { command: Command; rest: string[] } | { words: string[]; rest: string[] };

/** Finds the longest command name that matches the first words. Global options may precede it. */
export function findCommand(argv: readonly string[], commands: readonly Command[]): Found {
  const { before, from } = leadingOptions(argv);
  const words: string[] = [];
  for (const word of argv.slice(from)) {
    if (word.startsWith("-")) break;
    words.push(word);
  }
  for (let length = words.length; length > 0; length--) {
    const called = words.slice(0, length).join(" ");
    const command = commands.find(({ name, aliases = [] }) => name === called || aliases.includes(called));
    if (command) return { command, rest: [...before, ...argv.slice(from + length)] };
  }
  return { words, rest: [...before, ...argv.slice(from + words.length)] };
}

function leadingOptions(argv: readonly string[]): { before: string[]; from: number } {
  let from = 0;
  while (argv[from]?.startsWith("-")) {
    const name = argv[from]!.replace(/^--?/, "");
    const options: OptionTable = GLOBAL_OPTIONS;
    const option = options[name] ?? Object.values(options).find(({ short }) => short === name);
    from += option?.type === "string" ? 2 : 1;
  }
  return { before: argv.slice(0, from), from: Math.min(from, argv.length) };
}

export interface Parsed {
  /** Fields given to `--json`. */
  fields?: string[] | undefined;
  args: string[];
  values: Record<string, string | boolean | string[] | undefined>;
}

export function parseCommandLine(command: Command, rest: string[]): Parsed {
  const options = { ...GLOBAL_OPTIONS, ...command.options };
  const { words, fields } = readFields(rest);
  let parsed;
  try {
    parsed = parseArgs({ args: words, options, allowPositionals: true, tokens: true });
  } catch (error) {
    const message = (error as Error).message.split(". ")[0]!;
    throw usageFailure(`${message}.`, `dialplane ${command.name} --help`);
  }
  const { positionals, values, tokens } = parsed;
  const surplus = fields ? undefined : surplusAfterJson(command, positionals, tokens);
  const args = surplus ? positionals.toSpliced(surplus.at, 1) : positionals;
  if (!values["help"]) {
    checkArguments(command, args);
    checkValues(options, values, command);
  }
  return { args, values, fields: fields ?? surplus?.fields };
}

/** `--json=id,label`: the option stays, and its value is taken out. */
function readFields(words: readonly string[]): { words: string[]; fields: string[] | undefined } {
  const given = words.find((word) => word.startsWith("--json="));
  const fields = given?.slice("--json=".length).split(",").filter(Boolean);
  return { words: words.map((word) => (word === given ? "--json" : word)), fields };
}

/** `--json id,label`: a word after the option that is one argument too many for the command. */
function surplusAfterJson(
  { args: wanted = [] }: Command,
  positionals: readonly string[],
  tokens: readonly { kind: string; index: number; name?: string; value?: unknown }[],
): { at: number; fields: string[] } | undefined {
  const isOpen = wanted.some((arg) => arg.includes("..."));
  if (isOpen || positionals.length !== wanted.length + 1) return undefined;
  const json = tokens.find(({ kind, name }) => kind === "option" && name === "json");
  const next = json && tokens.find(({ kind, index }) => kind === "positional" && index === json.index + 1);
  if (!next || !/^[a-z_0-9]+(,[a-z_0-9]+)*$/.test(String(next.value))) return undefined;
  const before = tokens.filter(({ kind, index }) => kind === "positional" && index < next.index);
  return { at: before.length, fields: String(next.value).split(",") };
}

function checkArguments({ name, args: wanted = [] }: Command, args: string[]): void {
  const needed = wanted.filter((arg) => !arg.endsWith("?")).length;
  const isOpen = wanted.some((arg) => arg.includes("..."));
  const missing = wanted[args.length];
  if (args.length < needed)
    throw usageFailure(`${name} needs <${missing!.replace("...", "")}>.`, `dialplane ${name} --help`);
  if (args.length > wanted.length && !isOpen)
    throw usageFailure(
      `${name} does not take the argument “${args[wanted.length]}”.`,
      `dialplane ${name} --help`,
    );
}

function checkValues(options: OptionTable, values: Parsed["values"], { name }: Command): void {
  for (const [option, { value: known }] of Object.entries(options)) {
    const given = values[option];
    if (typeof known !== "object" || given === undefined) continue;
    for (const one of [given].flat())
      if (!known.includes(String(one)))
        throw usageFailure(
          `--${option} must be one of ${known.join(", ")}, not “${String(one)}”.`,
          `dialplane ${name} --help`,
        );
  }
}
