import { readFileSync } from "node:fs";
import { CliFailure } from "./cli-failure.ts";
import { EXIT } from "./exit-codes.ts";

/** Reads a file that the user has named, as text. */
export function readFile(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new CliFailure(`Cannot read ${path}: ${(error as Error).message}.`, { exitCode: EXIT.usage });
  }
}
