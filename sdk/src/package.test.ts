import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { publint } from "publint";
import { afterAll, beforeAll, expect, test } from "vitest";
import { packSdk } from "../../tools/packing/src/npm-packages.ts";
import { bundle } from "./testing/bundle.ts";
import { type DemoService, startDemo } from "./testing/demo-service.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const MINUTE = 60_000;
const LIMIT_BYTES = 25_000;

/** A customer's project with only the published package. */
const project = mkdtempSync(join(tmpdir(), "dialplane-package-"));
let demo: DemoService;
let tarball: string;

beforeAll(async () => {
  tarball = packSdk(join(project, "packages"));
  writeFileSync(join(project, "package.json"), '{ "type": "module", "private": true }');
  await run("npm", ["install", "--offline", "--no-audit", "--no-fund", tarball], project);
  mkdirSync(join(project, "node_modules/@types"), { recursive: true });
  for (const types of ["@types/node", "undici-types"])
    symlinkSync(join(ROOT, "node_modules", types), join(project, "node_modules", types));
  demo = await startDemo();
}, 10 * MINUTE);

afterAll(async () => {
  await demo?.[Symbol.asyncDispose]();
  rmSync(project, { recursive: true, force: true });
}, MINUTE);

test("what is packed can be imported as its manifest says, with types", { timeout: 2 * MINUTE }, async () => {
  const { messages } = await publint({
    pkgDir: join(project, "node_modules/@dialplane/sdk"),
    pack: false,
    strict: true,
  });
  expect(messages).toEqual([]);
  // Rejects with its exit status; CommonJS requires ES modules since Node 22.
  await run(join(ROOT, "node_modules/.bin/attw"), [tarball, "--profile", "esm-only", "--no-emoji"], ROOT);
});

test(`a program that uses it grows by less than ${LIMIT_BYTES / 1_000} kB`, async () => {
  const sizeOf = async (code: string): Promise<number> => {
    const file = join(project, "weighed.js");
    writeFileSync(file, code);
    return gzipSync(await bundle(pathToFileURL(file), { minify: true })).length;
  };
  const all = await sizeOf('import * as sdk from "@dialplane/sdk"; console.log(sdk);');
  const client = await sizeOf('import { createClient } from "@dialplane/sdk"; console.log(createClient);');
  const webhook = await sizeOf('import { verifyWebhook } from "@dialplane/sdk"; console.log(verifyWebhook);');
  process.stdout.write(
    `SDK, minified and gzipped: all ${all} B, createClient ${client} B, verifyWebhook ${webhook} B\n`,
  );
  expect(all).toBeLessThan(LIMIT_BYTES);
  expect(webhook, "what is not used is left out").toBeLessThan(client / 3);
});

test("the snippets of the documentation are sound and run", { timeout: 3 * MINUTE }, async () => {
  const [beginning, ...ofTheSdk] = snippetsOf("docs/sdk.md");
  const ofSigningIn = snippetsOf("docs/sign-in.md");
  expect([ofTheSdk.length > 8, ofSigningIn.length]).toEqual([true, 3]);
  const snippets = [...ofTheSdk, ...ofSigningIn];
  const files = snippets.map((snippet, at) => save(`snippet-${at + 1}.ts`, `${beginning}\n${snippet}`));
  await checkTypes(files);
  for (const file of files) await runSnippet(file);
});

test(
  "ten lines order a number, route it and wait until it is applied, and print what the tutorial says",
  { timeout: 2 * MINUTE },
  async () => {
    const tutorial = readFileSync(join(ROOT, "docs/tutorial.md"), "utf8");
    const [program] = snippetsOf("docs/tutorial.md");
    expect(snippetsOf("README.md")).toEqual([program]);
    expect(
      program!
        .trim()
        .split("\n")
        .filter((line) => line !== "").length,
    ).toBeLessThanOrEqual(10);
    const file = save("order.mts", program!);
    await checkTypes([file]);
    const [, promised] = /\$ node order\.mts\n([\s\S]*?)```/.exec(tutorial)!;
    expect(shapeOf(await runSnippet(file))).toBe(shapeOf(promised!));
  },
);

/** Ids, times and the last digits differ from run to run. */
function shapeOf(output: string): string {
  return output.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<time>").replace(/\+1917555\d{4}/g, "<number>");
}

function snippetsOf(page: string): string[] {
  return [...readFileSync(join(ROOT, page), "utf8").matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(
    ([, code]) => code!,
  );
}

function save(name: string, code: string): string {
  writeFileSync(join(project, name), code);
  return name;
}

async function checkTypes(files: string[]): Promise<void> {
  const options = ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2023", "--types", "node"];
  await run(join(ROOT, "node_modules/.bin/tsc"), [...options, "--ignoreConfig", ...files], project);
}

async function runSnippet(file: string): Promise<string> {
  const [{ sessions }] = demo.organisations as [DemoService["organisations"][0]];
  const names = {
    DIALPLANE_URL: demo.base_url,
    DIALPLANE_TOKEN: sessions.owner,
    DIALPLANE_OPERATOR: demo.operator.session,
  };
  return run(process.execPath, [file], project, { ...names, API: demo.base_url, OWNER: sessions.owner });
}

async function run(
  program: string,
  args: string[],
  cwd: string,
  env?: Record<string, string>,
): Promise<string> {
  try {
    return (await promisify(execFile)(program, args, { cwd, ...(env ? { env } : {}) })).stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${program} ${args.join(" ")}:\n${stdout}${stderr}`, { cause: error });
  }
}
