import { existsSync } from "node:fs";
import { join } from "node:path";
import { readText } from "./repository-files.ts";

/** Longer, and newcomers no longer read it to the end before their first change. */
const maximumLines = 150;

export function findArchitectureDocumentFaults(root: string): string[] {
  if (!existsSync(join(root, "ARCHITECTURE.md"))) return ["ARCHITECTURE.md: missing"];
  const lines = readText(root, "ARCHITECTURE.md").trimEnd().split("\n").length;
  if (lines <= 1) return ["ARCHITECTURE.md: empty"];
  return lines > maximumLines ? [`ARCHITECTURE.md: ${lines} lines, at most ${maximumLines}`] : [];
}
