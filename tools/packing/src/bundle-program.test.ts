import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { bundlePrograms } from "./bundle-program.ts";

test("keeps a call that a program makes only for its error", async () => {
  const folder = mkdtempSync(join(tmpdir(), "dialplane-bundle-"));
  try {
    const entry = join(folder, "entry.ts");
    writeFileSync(
      entry,
      `try { decodeURIComponent("%ff"); console.log("dropped"); } catch { console.log("kept"); }`,
    );
    await bundlePrograms([{ entry, name: "program" }], join(folder, "out"));
    const output = execFileSync(process.execPath, [join(folder, "out", "program.js")], { encoding: "utf8" });
    expect(output.trim()).toBe("kept");
  } finally {
    rmSync(folder, { recursive: true });
  }
});
