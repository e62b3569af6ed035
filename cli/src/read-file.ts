import { readFileSync } from "node:fs";
import { CliFailure } from "./cli-failure.ts";
import { EXIT } from "./exit-codes.ts";

/** Reads a file that the user has named, as text. */
export function readFile(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === "ENOENT" ? "The file does not exist" : message;
    throw new CliFailure(`Cannot read ${path}: ${why}.`, { exitCode: EXIT.usage });
  }
}
