import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { bundleProgramsInPlace, ROOT } from "./bundle-program.ts";

/** Programs that tests start, hundreds of times in a run. */
const STARTED = [
  "cli/src/dialplane.ts",
  "demo/src/demo.ts",
  "server/src/main.ts",
  "server/testing/cluster-process.ts",
  "switch-agent/src/render-kamailio.ts",
  "switch-agent/src/run-agent.ts",
];

/**
 * In CI, tests start bundles of our programs: Node reads one file in place of hundreds, and has nothing to strip.
 * Elsewhere, and for single files, they start the sources. See sdk/src/testing/program-path.ts.
 */
export default async function setup(): Promise<(() => void) | undefined> {
  if (!process.env["CI"]) return undefined;
  const folder = mkdtempSync(join(tmpdir(), "dialplane-programs-"));
  await bundleProgramsInPlace(
    STARTED.map((entry) => ({ entry, name: `bundled/${entry}` })),
    folder,
  );
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  for (const entry of STARTED)
    placeStart(join(folder, entry.replace(/ts$/, "js")), join(folder, "bundled", `${entry}.js`), folder);
  process.env["DIALPLANE_BUNDLES"] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}

/** The first of many starts compiles for all, whatever environment a test gives them. */
function placeStart(path: string, program: string, folder: string): void {
  mkdirSync(dirname(path), { recursive: true });
  const cache = JSON.stringify(join(folder, "compiled"));
  const from = JSON.stringify(`./${relative(dirname(path), program)}`);
  writeFileSync(
    path,
    `import { enableCompileCache } from "node:module";\nenableCompileCache(${cache});\nawait import(${from});\n`,
  );
}
