import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { ROOT } from "./bundle-program.ts";

export interface ShownCommand {
  command: string;
  output: string;
}

/** The tutorial's first steps, from the packages to the first program. */
export interface FirstMinutePage {
  /** In the checkout, ends in an empty folder with the packages. */
  preparation: string;
  install: ShownCommand;
  demo: ShownCommand;
  change: ShownCommand;
  /** Starts a second demo and reads its JSON. */
  session: string;
  program: { file: string; code: string; run: ShownCommand[] };
}

const PAGE = join(ROOT, "docs/tutorial.md");
export const FIRST_MINUTE = /(?<=<!-- first-minute -->\n```console\n)[\s\S]*?(?=\n```)/;

export function readFirstMinute(): FirstMinutePage {
  const text = readFileSync(PAGE, "utf8");
  const blocks = [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language, code]) => ({
    language: language!,
    code: code!,
  }));
  const find = (language: string, part: string): string => {
    const found = blocks.find((block) => block.language === language && block.code.includes(part));
    if (!found) throw new Error(`docs/tutorial.md has no ${language} block with “${part}”.`);
    return found.code;
  };
  const [install, demo, change] = commandsOf(FIRST_MINUTE.exec(text)?.[0] ?? "");
  if (!install || !demo || !change)
    throw new Error("docs/tutorial.md has no first minute of three commands.");
  const [, file = ""] = /^\$ node (\S+)$/m.exec(find("console", "$ node ")) ?? [];
  return {
    preparation: find("sh", "npm run pack"),
    install,
    demo,
    change,
    session: find("sh", "demo.json"),
    program: { file, code: find("ts", "@dialplane/sdk"), run: commandsOf(find("console", "$ node ")) },
  };
}

/** Lines that begin with “# ” are remarks. */
function commandsOf(block: string): ShownCommand[] {
  const steps = block.replaceAll(/^# .*\n?/gm, "").split(/^\$ /m);
  return steps.slice(1).map((step) => {
    const [command = "", ...output] = step.split("\n");
    return { command, output: output.join("\n") };
  });
}

/** A PATH with Node, npm, a shell and the named programs, and nothing else: above all no PostgreSQL. */
export function makePath(bin: string, programs: readonly string[] = []): string {
  mkdirSync(bin);
  const pathOf = (name: string): string =>
    execFileSync("sh", ["-c", `readlink -f "$(command -v ${name})"`], { encoding: "utf8" }).trim();
  symlinkSync(process.execPath, join(bin, "node"));
  symlinkSync(pathOf("npm"), join(bin, "npm"));
  symlinkSync(join(dirname(pathOf("npm")), "npx-cli.js"), join(bin, "npx"));
  for (const name of ["sh", "env", ...programs]) symlinkSync(pathOf(name), join(bin, name));
  return bin;
}
