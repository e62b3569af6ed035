import { GLOBAL_OPTIONS } from "./command-line.ts";
import { type Command, command, type OptionTable } from "./cli-command.ts";
import { usageFailure } from "./cli-failure.ts";

const SHELLS: Record<string, (commands: readonly Command[]) => string> = { bash, zsh, fish };

/** Handed the commands, because it is one of them. */
export function completionCommands(commands: () => readonly Command[]): Command[] {
  return [
    command({
      name: "completion",
      group: "Tools",
      summary: "Print a shell completion script",
      args: ["shell"],
      examples: [
        'eval "$(dialplane completion bash)"    # in ~/.bashrc',
        'eval "$(dialplane completion zsh)"     # in ~/.zshrc, after compinit',
        "dialplane completion fish > ~/.config/fish/completions/dialplane.fish",
      ],
      async run({ context, args: [shell] }) {
        const script = SHELLS[shell!];
        if (!script)
          throw usageFailure(`The shell must be one of ${Object.keys(SHELLS).join(", ")}, not “${shell}”.`);
        await context.terminal.write(script(commands()));
      },
    }),
  ];
}

/** Possible next words, by each prefix of a command name. */
function branchesOf(commands: readonly Command[]): Map<string, Set<string>> {
  const branches = new Map<string, Set<string>>();
  for (const { name } of commands) {
    const words = name.split(" ");
    for (const [at, word] of words.entries()) {
      const before = words.slice(0, at).join(" ");
      branches.set(before, (branches.get(before) ?? new Set()).add(word));
    }
  }
  return branches;
}

function optionsOf({ options = {} }: Command): [name: string, option: OptionTable[string]][] {
  return Object.entries({ ...options, ...GLOBAL_OPTIONS } as OptionTable);
}

function flagsOf(one: Command): string[] {
  return optionsOf(one).map(([name]) => `--${name}`);
}

function bash(commands: readonly Command[]): string {
  // The longest first: "usage top" is not "usage" with a number.
  const longest = commands.toSorted((one, other) => other.name.length - one.name.length);
  const values = longest.flatMap((one) =>
    optionsOf(one).flatMap(([name, { value }]) =>
      typeof value === "object" ? [`    '${one.name}'*'|--${name}') words='${value.join(" ")}' ;;`] : [],
    ),
  );
  const options = longest.map((one) => `    '${one.name}'*'|'*) words='${flagsOf(one).join(" ")}' ;;`);
  const branches = [...branchesOf(commands)].map(([before, next]) => {
    const own = commands.filter(({ name }) => name === before).flatMap(flagsOf);
    return `    '${before}|'*) words='${[...next, ...own].join(" ")}' ;;`;
  });
  return `_dialplane() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} path= words= word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $word in -*) ;; *) path="\${path:+$path }$word" ;; esac
  done
  case "$path|$previous" in
${[...values, ...branches, ...options].join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _dialplane dialplane
`;
}

/** zsh understands bash's way since 4.2. */
function zsh(commands: readonly Command[]): string {
  return `autoload -U +X bashcompinit && bashcompinit\n${bash(commands)}`;
}

function fish(commands: readonly Command[]): string {
  const quoted = (text: string): string => `'${text.replaceAll("'", "\\'")}'`;
  const nouns = [...branchesOf(commands)].flatMap(([before, next]) =>
    [...next].map((word) => {
      const name = `${before} ${word}`.trim();
      const { summary = "" } = commands.find((one) => one.name === name) ?? {};
      return `complete -c dialplane -n '__dialplane_at ${before}' -a ${word} -d ${quoted(summary)}`;
    }),
  );
  const options = commands.flatMap((one) =>
    optionsOf(one).map(([name, { type, value, summary, short }]) => {
      const values = typeof value === "object" ? ` -a ${quoted(value.join(" "))}` : "";
      const takes = type === "string" ? ` -x${values}` : "";
      return `complete -c dialplane -n '__dialplane_in ${one.name}' -l ${name}${short ? ` -s ${short}` : ""}${takes} -d ${quoted(summary)}`;
    }),
  );
  return `function __dialplane_words
  for word in (commandline -opc)[2..]
    string match -q -- '-*' $word; or echo $word
  end
end
function __dialplane_at
  test "$argv" = (__dialplane_words | string join ' ' | string collect -a)
end
function __dialplane_in
  string match -q -- "$argv*" (__dialplane_words | string join ' ' | string collect -a)
end
complete -c dialplane -f
${[...nouns, ...options].join("\n")}
`;
}
