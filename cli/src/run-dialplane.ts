import { readCliConfig } from "./cli-config.ts";
import { type Context, makeContext } from "./cli-context.ts";
import { Interruption, usageFailure } from "./cli-failure.ts";
import { openOutput } from "./cli-output.ts";
import { openTerminal, type Streams } from "./cli-terminal.ts";
import { findCommand, type Parsed, parseCommandLine } from "./command-line.ts";
import { COMMANDS } from "./commands.ts";
import type { Command } from "./cli-command.ts";
import { openCredentials } from "./credentials.ts";
import { EXIT, type ExitCode } from "./exit-codes.ts";
import { explainFailure } from "./explain-failure.ts";
import { helpOf, helpOfAll, isGroup } from "./help.ts";
import { VERSION } from "./cli-version.ts";

export interface Run extends Streams {
  argv: string[];
  env?: NodeJS.ProcessEnv;
  /** Aborted with an Interruption when it is to end. */
  signal: AbortSignal;
  /** Called when another program takes over: this one forwards signals, and ends with it. */
  handOver?: () => void;
}

/** One call of the program, from its words to its exit code. */
export async function runDialplane({ argv, env, signal, handOver, ...streams }: Run): Promise<ExitCode> {
  try {
    const found = findCommand(argv, COMMANDS);
    if (!("command" in found)) return await withoutCommand(found, streams);
    const { command } = found;
    const parsed = parseCommandLine(command, found.rest);
    if (parsed.values["help"]) {
      streams.stdout.write(helpOf(command));
      return EXIT.ok;
    }
    const context = contextOf(parsed, { env, signal, handOver, streams });
    const exitCode = await command.run({ context, args: parsed.args, options: parsed.values as never });
    return exitCode ?? EXIT.ok;
  } catch (error) {
    if (signal.aborted && signal.reason instanceof Interruption) return signal.reason.exitCode;
    const { exitCode, lines } = explainFailure(error);
    streams.stderr.write(`${lines.join("\n")}\n`);
    return exitCode;
  }
}

interface Surroundings extends Pick<Run, "signal"> {
  env: Run["env"] | undefined;
  handOver: Run["handOver"] | undefined;
  streams: Streams;
}

function contextOf({ values, fields }: Parsed, { env, signal, handOver, streams }: Surroundings): Context {
  const jq = values["jq"] as string | undefined;
  const isJson = values["json"] === true || jq !== undefined;
  if (isJson && values["csv"]) throw usageFailure("Use either --json or --csv, not both.");
  const config = readCliConfig(env);
  const terminal = openTerminal(streams, {
    hasColour: config.hasColour,
    columns: config.columns,
    isSilent: values["no-input"] === true,
    signal,
  });
  return makeContext({
    flags: values,
    config,
    terminal,
    output: openOutput(isJson ? "json" : values["csv"] ? "csv" : "table", terminal, { fields, jq }),
    credentials: openCredentials(config.credentialsPath),
    signal,
    handOver: () => handOver?.(),
  });
}

async function withoutCommand(
  { words, rest }: { words: string[]; rest: string[] },
  { stdout, stderr }: Streams,
): Promise<ExitCode> {
  if (rest.includes("--version")) {
    stdout.write(`${VERSION}\n`);
    return EXIT.ok;
  }
  const isHelp = rest.includes("--help") || rest.includes("-h") || words[0] === "help";
  const meant = words[0] === "help" ? words.slice(1) : words;
  const command = COMMANDS.find(({ name }) => name === meant.join(" "));
  if (command && isHelp) {
    stdout.write(helpOf(command));
    return EXIT.ok;
  }
  if (meant.length > 0 && !isGroup(COMMANDS, meant)) throw unknownCommand(meant);
  (isHelp ? stdout : stderr).write(helpOfAll(COMMANDS, meant));
  return isHelp ? EXIT.ok : EXIT.usage;
}

function unknownCommand(words: string[]): Error {
  const given = words.join(" ");
  const distance = ({ name }: Command): number => editDistance(given.slice(0, name.length + 2), name);
  const [nearest] = COMMANDS.toSorted((one, other) => distance(one) - distance(other));
  const isNear = nearest !== undefined && distance(nearest) <= Math.max(2, nearest.name.length / 3);
  return usageFailure(
    `Unknown command “${given}”.`,
    isNear ? `dialplane ${nearest.name}` : "dialplane --help",
  );
}

/** How many letters must be put in, taken out or changed. */
function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [at, letter] of Array.from(one).entries()) {
    const next = [at + 1];
    for (let to = 1; to <= other.length; to++)
      next.push(Math.min(row[to]! + 1, next[to - 1]! + 1, row[to - 1]! + (letter === other[to - 1] ? 0 : 1)));
    row = next;
  }
  return row[other.length]!;
}
