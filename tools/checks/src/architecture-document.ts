import { existsSync } from "node:fs";
import { join } from "node:path";
import { lineAt, readText } from "./repository-files.ts";

/** Newcomers read it to the end before their first change. */
const MAX_LINES = 150;
const MAX_AREA_LINES = 25;
const DOCUMENT = "ARCHITECTURE.md";
const AREAS = ["people", "numbers", "switching", "events"].map((area) => `server/src/${area}/AREA.md`);
const SYMBOL_IN_FILE = /`([\w$]+)` in `([\w./-]+)`/g;

/** Faults of ARCHITECTURE.md and of the AREA.md files: too long, or a file without the symbol that it is named for. */
export function findArchitectureDocumentFaults(root: string): string[] {
  return [
    ...findFaults(root, DOCUMENT, MAX_LINES),
    ...AREAS.flatMap((path) => findFaults(root, path, MAX_AREA_LINES)),
  ];
}

function findFaults(root: string, path: string, maxLines: number): string[] {
  if (!existsSync(join(root, path))) return [`${path}: missing`];
  const text = readText(root, path).trimEnd();
  const lines = text.split("\n").length;
  if (lines <= 1) return [`${path}: empty`];
  const tooLong = lines > maxLines ? [`${path}: ${lines} lines, at most ${maxLines}`] : [];
  return [...tooLong, ...findMissingSymbols(root, path, text)];
}

function findMissingSymbols(root: string, path: string, text: string): string[] {
  return [...text.matchAll(SYMBOL_IN_FILE)].flatMap(({ 1: symbol, 2: file, index }) => {
    const isThere =
      existsSync(join(root, file!)) &&
      new RegExp(`(?<![\\w$])${symbol}(?![\\w$])`).test(readText(root, file!));
    return isThere ? [] : [`${path}:${lineAt(text, index)}: no ${symbol} in ${file}`];
  });
}
