import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./bundle-program.ts";

export interface PageBlock {
  /** Heading above it. */
  section: string;
  code: string;
}

/** Commands of the pages, in order: their blocks marked `sh`. */
export function readBlocks(...pages: readonly string[]): PageBlock[] {
  const text = pages.map((page) => readFileSync(join(ROOT, page), "utf8")).join("\n");
  let section = "";
  return [...text.matchAll(/^## (?<heading>.+)$|^```sh\n(?<code>[\s\S]*?)^```$/gm)].flatMap(({ groups }) => {
    if (groups?.["heading"]) section = groups["heading"];
    return groups?.["code"] === undefined ? [] : [{ section, code: groups["code"] }];
  });
}

/** The same names with other values: what follows each, up to a comment, is replaced. */
export function withValues(block: PageBlock, values: Record<string, string>): string {
  const names = [...block.code.matchAll(/^([A-Z]+)=/gm)].map(([, name]) => name!);
  const missing = [
    ...names.filter((name) => !(name in values)),
    ...Object.keys(values).filter((name) => !names.includes(name)),
  ];
  if (missing.length > 0)
    throw new Error(`The page and its test have different values: ${missing.join(", ")}.`);
  return names.map((name) => `${name}=${values[name]}\n`).join("");
}

/** One script of several blocks, which says where it is. */
export function scriptOf(blocks: readonly PageBlock[]): string {
  const parts = blocks.map(({ section, code }) => `echo '== ${section}' >&2\n${code}`);
  return ["set -euo pipefail", ...parts, "echo '== done' >&2", ""].join("\n");
}
