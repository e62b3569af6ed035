import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findCommand, GLOBAL_OPTIONS } from "../../../cli/src/command-line.ts";
import { COMMANDS } from "../../../cli/src/commands.ts";
import { REPOSITORY } from "../src/site-pages.ts";

/** Commands named in passing; those in snippets are run. */
function namedCommands(): { page: string; named: string }[] {
  const pages = globSync(["*.md", "docs/**/*.md"], { cwd: REPOSITORY, exclude: ["CHANGELOG.md"] });
  return pages.flatMap((page) => {
    const text = readFileSync(join(REPOSITORY, page), "utf8").replace(/^ *```[\s\S]*?^ *```$/gm, "");
    return [...text.matchAll(/`((?:npx )?dialplane |npm run operator -- )([^`]+)`/g)].map(
      ([, program, rest]) => ({ page, named: `${program!.replace("npx ", "")}${rest!}` }),
    );
  });
}

function faultOf(named: string): string | undefined {
  return named.startsWith("dialplane ") ? faultOfProgram(named.slice(10)) : faultOfOperator(named.slice(20));
}

function faultOfProgram(line: string): string | undefined {
  const words = line
    .replace(/[>|].*$/, "")
    .trim()
    .split(/\s+/);
  const found = findCommand(words, COMMANDS);
  if (!("command" in found)) {
    const group = words.filter((word) => word !== "…").join(" ");
    return COMMANDS.some(({ name }) => name.startsWith(`${group} `)) ? undefined : `no command “${line}”`;
  }
  const known = { ...GLOBAL_OPTIONS, ...found.command.options };
  const unknown = words.filter((word) => word.startsWith("--") && !(word.slice(2).split("=")[0]! in known));
  return unknown.length === 0 ? undefined : `“${found.command.name}” has no ${unknown.join(", ")}`;
}

/** The server's own commands, as its help lists them. */
function faultOfOperator(line: string): string | undefined {
  const help = globSync("server/src/operator*.ts", { cwd: REPOSITORY, exclude: ["**/*.test.ts"] })
    .map((file) => readFileSync(join(REPOSITORY, file), "utf8"))
    .join("\n");
  const [command = ""] = line.split(" ");
  return new RegExp(`^(?:.*\`)? {2}${command}\\b`, "m").test(help) ? undefined : `no command “${line}”`;
}

test("every command that a document names exists, with its options", () => {
  const commands = namedCommands();
  expect(commands.length).toBeGreaterThan(20);
  const faults = commands.map(({ page, named }) => ({ page, fault: faultOf(named) }));
  expect(faults.filter(({ fault }) => fault !== undefined)).toEqual([]);
});

test.each([
  ["dialplane numbers lisst", "no command “numbers lisst”"],
  ["dialplane gone …", "no command “gone …”"],
  ["dialplane events tail --since 1h", "“events tail” has no --since"],
  ["npm run operator -- create-swich edge-1", "no command “create-swich edge-1”"],
])("%s is found out", (named, fault) => {
  expect(faultOf(named)).toBe(fault);
});

test.each([
  "dialplane operator …",
  "dialplane numbers list --sync=failed --json > numbers.json",
  "dialplane bulk apply <id>",
  "npm run operator -- create-switch edge-1",
])("%s is left alone", (named) => {
  expect(faultOf(named)).toBeUndefined();
});
