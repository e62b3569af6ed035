import type { Context } from "./cli-context.ts";
import type { ExitCode } from "./exit-codes.ts";

export interface Option {
  type: "string" | "boolean";
  /** Description for help and completion. */
  summary: string;
  short?: string;
  multiple?: true;
  /** Placeholder of the value in help, or a list of the allowed values. */
  value?: string | readonly string[];
}

export type OptionTable = Record<string, Option>;

type ValueOf<One extends Option> = One["type"] extends "boolean"
  ? boolean
  : One extends { multiple: true }
    ? string[]
    : string;
export type Values<Options extends OptionTable> = { [Name in keyof Options]?: ValueOf<Options[Name]> };

export interface Invocation<Options extends OptionTable> {
  context: Context;
  /** As many as `args` says: those that must be there are. */
  args: string[];
  options: Values<Options>;
}

export interface Command<Options extends OptionTable = OptionTable> {
  /** The words it is called by. */
  name: string;
  summary: string;
  /** Heading in the help of all commands (default: its first word). */
  group?: string;
  /** Other spellings of the name. */
  aliases?: readonly string[];
  /** Names of what follows: `number`, `text?` where it can be left out, `numbers...` for one or more. */
  args?: readonly string[];
  options?: Options;
  /** Lines of help that examples and options do not tell. */
  details?: string;
  examples?: readonly string[];
  /** Nothing means 0. */
  run(invocation: Invocation<Options>): Promise<ExitCode | void>;
}

export function command<const Options extends OptionTable>(definition: Command<Options>): Command {
  return definition;
}
