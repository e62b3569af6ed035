import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Settings } from "../../src/config.ts";
import { MODEL_SEED } from "../model-seed.ts";
import { type ServerProcess, startProcess } from "../server-process.ts";
import { isLong } from "../test-size.ts";
import { type Neighbours, openNeighbours } from "../walls/neighbours.ts";
import { readContract } from "./fuzz-contract.ts";
import { INSPECTED, type Memory, memoryOf } from "./fuzz-memory.ts";
import { openFuzzer, type Fuzzer } from "./fuzz.ts";

/** Caches are full after these. */
const WARM_UP = 3_000;
/** Passes over all operations in CI: each gets two requests that nothing has been changed in. */
const PASSES = 6;
/** CI sends few. `npm run fuzz` sends more, and measures memory; FUZZ_REQUESTS says how many. */
const REQUESTS = isLong
  ? Number(process.env["FUZZ_REQUESTS"] ?? 105_000)
  : readContract().operations.length * PASSES;
const ROUND = 2_500;
/** The same requests in every run of CI, so that a failure comes from a change. `npm run fuzz` draws new ones. */
const SEED = isLong || process.env["MODEL_SEED"] ? MODEL_SEED : 2_033_321_977;
const QUIET_MS = 60_000;
/** Over 100,000 requests, a leak of 100 bytes a request exceeds this; caches have limits and stay below. */
const MOST_HEAP_GROWTH_MB = 10;
/** The allocator keeps freed pages, such as the 19 MB that each password hash needs. */
const MOST_RSS_GROWTH_MB = 80;

test(
  `every response keeps to the contract, whatever the request (MODEL_SEED=${SEED})`,
  { timeout: isLong ? 7_200_000 : 240_000 },
  async () => {
    await using neighbours = await openNeighbours();
    using mail = mailDirectory();
    const options = processOptions(neighbours, mail.path);
    await using api = await startProcess({ ...options, nodeOptions: [INSPECTED] });
    await using worker = await startProcess({ ...options, role: "worker" });
    const fuzzer = openFuzzer({ neighbours, url: api.url, seed: SEED });

    const [before, after] = await fuzz(fuzzer, api).finally(() =>
      console.log(`MODEL_SEED=${SEED}\n${fuzzer.report.summary()}`),
    );

    expect(fuzzer.report.findings()).toEqual([]);
    expect(errorsOf(api), "errors in the log of the API").toEqual([]);
    expect(errorsOf(worker), "errors in the log of the worker").toEqual([]);
    // An operation that never succeeds would be tried only from outside.
    expect(fuzzer.report.neverSucceeded()).toEqual([]);
    expect(fuzzer.report.skipped(), "requests not prepared").toBeLessThan(REQUESTS / 50);
    if (!before || !after) return;
    expect(after.heapMb - before.heapMb, "growth of the heap").toBeLessThan(MOST_HEAP_GROWTH_MB);
    expect(after.rssMb - before.rssMb, "growth of the process").toBeLessThan(MOST_RSS_GROWTH_MB);
  },
);

test("every response keeps to the contract when limits are used up", async () => {
  await using neighbours = await openNeighbours();
  using mail = mailDirectory();
  const { databaseUrl, settings } = processOptions(neighbours, mail.path);
  const limits = { LIMIT_FLOOD_PER_SECOND: "50", LIMIT_REQUESTS_PER_SECOND: "2", LIMIT_REQUEST_BURST: "2" };
  await using api = await startProcess({ databaseUrl, settings: { ...settings, ...limits } });
  const fuzzer = openFuzzer({ neighbours, url: api.url, seed: SEED });

  await fuzzer.round(500);

  expect(fuzzer.report.findings()).toEqual([]);
  expect(fuzzer.report.byStatus.get("429 rate_limited")).toBeGreaterThan(100);
});

/** The first round warms up: it opens connections and compiles what each operation needs. */
async function fuzz(fuzzer: Fuzzer, api: ServerProcess): Promise<Memory[]> {
  await fuzzer.round(Math.min(WARM_UP, REQUESTS));
  if (!isLong) return [];
  const before = await quietMemory(api);
  let shown = 0;
  for (let sent = WARM_UP; sent < REQUESTS; sent += ROUND) {
    await fuzzer.round(ROUND);
    const findings = fuzzer.report.findings();
    console.log([`${fuzzer.report.requests} requests`, ...findings.slice(shown)].join("\n"));
    shown = findings.length;
  }
  const after = await quietMemory(api);
  console.log("Memory before and after:", before, after);
  return [before, after];
}

async function quietMemory(api: ServerProcess): Promise<Memory> {
  await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
  return memoryOf(api);
}

/** With the address of the service that prepares requests, which passkeys are bound to. */
function processOptions(
  { service }: Neighbours,
  mailPath: string,
): { databaseUrl: string; settings: Settings } {
  return {
    databaseUrl: service.database.url,
    settings: {
      BASE_URL: service.app.config.baseUrl,
      INVENTORY: "pool",
      FORWARD_PREFIXES: "+49",
      EGRESS_ALLOW: "127.0.0.0/8:1024-65535+http",
      MAIL_DIRECTORY: mailPath,
      LIMIT_SIGN_INS_PER_MINUTE: "1000000",
      LIMIT_ORDERED_NUMBERS_PER_DAY: "1000000",
    },
  };
}

/** Pino's levels: 50 is an error, 60 the end of the process. */
function errorsOf(server: ServerProcess): string[] {
  const lines = server.output().split("\n");
  return lines.filter((line) => /"level":[56]0/.test(line) || /^\S*Error: /.test(line));
}

function mailDirectory(): Disposable & { path: string } {
  const path = mkdtempSync(join(tmpdir(), "dialplane-fuzz-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
