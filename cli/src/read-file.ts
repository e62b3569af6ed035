import { readFileSync } from "node:fs";
import { CliFailure } from "./cli-failure.ts";
import { EXIT } from "./exit-codes.ts";

/** Reads a file that the user has named, as text. */
export function readFile(path: string): string {
  return readBytes(path).toString("utf8");
}

/** Reads a file of any type. */
export function readBytes(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === "ENOENT" ? "The file does not exist" : message;
    throw new CliFailure(`Cannot read ${path}: ${why}.`, { exitCode: EXIT.usage });
  }
}
