import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface Snippet {
  page: string;
  line: number;
  language: string;
  code: string;
}

/** Languages that a reader pastes into a terminal or a file. */
const RUNNABLE = new Set(["sh", "bash", "js", "ts"]);

export function listSnippets(root: string): Snippet[] {
  const pages = globSync(["*.md", "docs/**/*.md"], { cwd: root, exclude: ["CHANGELOG.md"] }).sort();
  return pages.flatMap((page) => snippetsOf(page, readFileSync(join(root, page), "utf8")));
}

export function snippetsOf(page: string, text: string): Snippet[] {
  return [...text.matchAll(/^ *```([a-z]*)\n([\s\S]*?)^ *```$/gm)]
    .map(({ 1: language, 2: code, index }) => ({
      page,
      line: text.slice(0, index).split("\n").length,
      language: language!,
      code: code!,
    }))
    .filter(({ language }) => RUNNABLE.has(language));
}

/** How the snippets of a page are run: one after the other, in one shell. */
export interface Course {
  /** Preconditions of the page. */
  before?: string;
  /** Example values and their replacements here. */
  instead?: readonly (readonly [example: string, here: string])[];
  /** Checks afterwards. */
  after?: string;
}

/** One script; a program that stays is left running next to it. */
export function scriptOf(
  snippets: readonly Snippet[],
  { before = "", instead = [], after = "" }: Course,
): string {
  const parts = snippets.map(({ page, line, code }) => {
    const here = instead.reduce((text, [example, ours]) => text.replaceAll(example, ours), code);
    return `at=${page}:${line}\n${here.replace(STAYS, "$1 &")}`;
  });
  return [before, ...parts, after].join("\n");
}

const STAYS = /^(node switch-agent\/src\/run-agent\.ts|npm start -- all)\b.*$/gm;

/** Prints the failed step, and treats an error response as a failure. */
export const BEGINNING = `set -euo pipefail
at=beginning
trap 'echo "$at ended with $?" >&2' EXIT
curl() { command curl --fail-with-body "$@"; }`;
