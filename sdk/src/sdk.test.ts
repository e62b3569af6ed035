import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openBrowser } from "./testing/open-browser.ts";
import { bundle } from "./testing/bundle.ts";
import { type DemoService, startDemo } from "./testing/demo-service.ts";
import { GUARANTEES, type runGuarantees } from "./testing/guarantees.ts";
import type { Scene } from "./testing/scene.ts";

type Results = Awaited<ReturnType<typeof runGuarantees>>;

const NODE_22 = fileURLToPath(new URL("../../.toolchain/node-22/bin/node", import.meta.url));
const MINUTES = 60_000;

const RUNTIMES: Record<string, (scene: Scene, folder: string) => Promise<Results>> = {
  "Node 22": (scene, folder) => runInNode(NODE_22, scene, folder),
  "Node 24": (scene, folder) => runInNode(process.execPath, scene, folder),
  Chromium: runInChromium,
};

let demo: DemoService;
const folder = mkdtempSync(join(tmpdir(), "dialplane-sdk-"));
const results = new Map<string, Results>();

beforeAll(async () => {
  demo = await startDemo();
  writeFileSync(
    join(folder, "suite.mjs"),
    await bundle(new URL("./testing/suite-in-node.ts", import.meta.url)),
  );
  // One after the other: each keeps the service busy enough.
  for (const [at, [name, run]] of Object.entries(RUNTIMES).entries())
    results.set(name, await run(sceneOf(at), folder));
}, 10 * MINUTES);

afterAll(async () => {
  await demo?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
}, MINUTES);

describe.each(Object.keys(RUNTIMES))("in %s", (runtime) => {
  test.each(Object.keys(GUARANTEES))("%s", (name) => {
    expect(results.get(runtime)?.[name]).toBeNull();
  });
});

function sceneOf(at: number): Scene {
  const [{ id, sessions, keys, numbers }] = demo.organisations as [DemoService["organisations"][0]];
  return {
    baseUrl: demo.base_url,
    organisationId: id,
    ownerToken: sessions.owner,
    memberToken: sessions.member,
    severalToken: demo.multi.session,
    key: keys.full,
    numbersHeld: numbers.length,
    // The demo's own trouble is among the first five.
    numberIds: numbers.slice(5 + at * 5, 10 + at * 5).map((number) => number.id),
    areaCode: `21${2 + at}`,
  };
}

async function runInNode(node: string, scene: Scene, place: string): Promise<Results> {
  if (!existsSync(node)) throw new Error(`There is no ${node}: run ./bootstrap`);
  const { stdout } = await promisify(execFile)(node, [join(place, "suite.mjs"), JSON.stringify(scene)], {
    timeout: 4 * MINUTES,
  });
  return JSON.parse(stdout) as Results;
}

/** Runs on a page of the service's own origin, like its dashboard: other origins are rejected. */
async function runInChromium(scene: Scene): Promise<Results> {
  const browser = await openBrowser();
  try {
    const page = await (await browser.newContext({ bypassCSP: true })).newPage();
    page.setDefaultTimeout(4 * MINUTES);
    await page.goto(`${scene.baseUrl}/livez`);
    const content = await bundle(new URL("./testing/suite-in-page.ts", import.meta.url));
    await page.addScriptTag({ content, type: "module" });
    return await page.evaluate(
      (given) =>
        (globalThis as unknown as { runGuarantees(scene: Scene): Promise<Results> }).runGuarantees(given),
      scene,
    );
  } finally {
    await browser.close();
  }
}
