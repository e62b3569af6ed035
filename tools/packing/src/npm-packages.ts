import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bundlePrograms, NATIVE, ROOT } from "./bundle-program.ts";
import { licenceTexts } from "./licence-texts.ts";

/** Files that the server reads at run time. */
export const SERVER_FILES = [
  "server/database/migrations",
  "server/database/functions",
  "server/database/adopt-baseline.sql",
  "openapi.json",
  "openapi.operator.json",
  "openapi.switch.json",
  "dashboard/dist",
  "tools/docs-site/dist",
];

interface Manifest {
  version: string;
  description?: string;
  scripts?: Record<string, string>;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

/** Builds the packages from the repository, and returns their files. */
export async function packPackages(folder: string): Promise<string[]> {
  if (!existsSync(join(ROOT, "dashboard/dist/index.html")))
    throw new Error("There are no pages of the dashboard: npm run build makes them.");
  rmSync(folder, { recursive: true, force: true });
  await stageCli(join(folder, "cli"));
  stageShortName(join(folder, "dialplane"));
  await stageDemo(join(folder, "demo"));
  stageSdk(join(folder, "sdk"));
  return ["cli", "dialplane", "demo", "sdk"].map((name) => pack(join(folder, name), folder));
}

/** Builds and packs the SDK alone, in seconds. Returns the path of the tarball. */
export function packSdk(folder: string): string {
  stageSdk(join(folder, "sdk"));
  return pack(join(folder, "sdk"), folder);
}

async function stageCli(folder: string): Promise<void> {
  await bundlePrograms([{ entry: "cli/src/dialplane.ts", name: "dialplane" }], folder);
  chmodSync(join(folder, "dialplane.js"), 0o755);
  const { description } = manifestOf("cli");
  stage(folder, {
    name: "@dialplane/cli",
    description,
    bin: { dialplane: "dialplane.js" },
    exports: "./dialplane.js",
  });
}

/** So that `npx dialplane` finds it: npx goes by the name of the package. */
function stageShortName(folder: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "dialplane.js"), '#!/usr/bin/env node\nimport "@dialplane/cli";\n', {
    mode: 0o755,
  });
  const { description, version } = manifestOf("cli");
  stage(folder, {
    name: "dialplane",
    description,
    bin: { dialplane: "dialplane.js" },
    dependencies: { "@dialplane/cli": version },
  });
}

async function stageDemo(folder: string): Promise<void> {
  await bundlePrograms([{ entry: "demo/src/demo.ts", name: "demo" }], folder);
  chmodSync(join(folder, "demo.js"), 0o755);
  for (const path of SERVER_FILES) cpSync(join(ROOT, path), join(folder, path), { recursive: true });
  writeFileSync(join(folder, "THIRD-PARTY-LICENCES.txt"), licenceTexts());
  const { description, optionalDependencies } = manifestOf("demo");
  stage(folder, {
    name: "@dialplane/demo",
    description,
    bin: { "dialplane-demo": "demo.js" },
    dependencies: { [NATIVE]: manifestOf("server").dependencies![NATIVE] },
    optionalDependencies,
  });
}

/** Builds into the staging folder, so that a build in sdk/dist never ends up in a package. */
/** In the repository the SDK exports its sources; customers get compiled files. */
const PUBLISHED_SDK_EXPORTS = {
  ".": { types: "./dist/index.d.ts", default: "./dist/index.js" },
  "./operator": { types: "./dist/operator.client.d.ts", default: "./dist/operator.client.js" },
};

function stageSdk(folder: string): void {
  const compiler = join(ROOT, "node_modules/.bin/tsc");
  execFileSync(compiler, ["--project", "sdk/tsconfig.json", "--outDir", join(folder, "dist")], { cwd: ROOT });
  const { scripts: _, ...manifest } = { ...manifestOf("sdk"), exports: PUBLISHED_SDK_EXPORTS };
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  for (const name of ["LICENSE", "README.md"]) cpSync(join(ROOT, "sdk", name), join(folder, name));
}

function stage(folder: string, manifest: Record<string, unknown>): void {
  const { version } = manifestOf("cli");
  const all = { ...manifest, version, license: "Apache-2.0", type: "module", engines: { node: ">=24.18" } };
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(all, null, 2)}\n`);
  cpSync(join(ROOT, "LICENSE"), join(folder, "LICENSE"));
}

function manifestOf(workspace: string): Manifest {
  return JSON.parse(readFileSync(join(ROOT, workspace, "package.json"), "utf8")) as Manifest;
}

function pack(folder: string, destination: string): string {
  const output = execFileSync(
    "npm",
    ["pack", "--json", "--ignore-scripts", "--pack-destination", destination],
    {
      cwd: folder,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    },
  );
  return join(destination, (JSON.parse(output) as { filename: string }[])[0]!.filename);
}
