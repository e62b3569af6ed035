import { chmodSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A folder for one test, to find what a demo leaves there. PostgreSQL started by root reads it as another user. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "dialplane-demo-test-"));
  chmodSync(folder, 0o755);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Without npm's own cache. */
export function filesIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name !== "node-compile-cache")
    .map((name) => join(folder, name));
}
