import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { bundlePrograms, ROOT } from "./bundle-program.ts";

/** Output of a program that runs as a bundle. */
async function printedBy(code: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "dialplane-bundle-"));
  try {
    const entry = join(folder, "entry.ts");
    writeFileSync(entry, code);
    await bundlePrograms([{ entry, name: "program" }], join(folder, "out"));
    return execFileSync(process.execPath, [join(folder, "out", "program.js")], { encoding: "utf8" }).trim();
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("keeps a call that a program makes only for its error", async () => {
  const code = `try { decodeURIComponent("%ff"); console.log("dropped"); } catch { console.log("kept"); }`;
  expect(await printedBy(code)).toBe("kept");
});

test("runs jq, which is a CommonJS module that looks for its folder", async () => {
  const source = JSON.stringify(join(ROOT, "cli/src/json-output.ts"));
  const code = `import { jsonText } from ${source};\nconsole.log(await jsonText({ status: "active" }, { jq: ".status" }));`;
  expect(await printedBy(code)).toBe("active");
});
