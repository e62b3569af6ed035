import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { isLong } from "./service/test-length.ts";
import { endKamailio, startKamailio } from "./sip/kamailio-process.ts";
import { measureFairly, untilQuiet } from "./sip/fair-measure.ts";
import { newAddress } from "./sip/loopback.ts";
import { cpuSecondsOf } from "./sip/process-group.ts";
import type { Peer } from "./sip/sip-transport.ts";
import { type LoadResult, placeCalls, startCallees } from "./sip/sipp.ts";
import { startSwitch } from "./sip/switch-process.ts";

const BARE = fileURLToPath(new URL("../../kamailio/bare.cfg", import.meta.url));
const NUMBERS = isLong ? 10_000 : 500;
const PER_SECOND = isLong ? 500 : 200;
const SECONDS = isLong ? 6 : 3;
const ROUNDS = isLong ? 5 : 2;
/**
 * Limits as a factor of a bare Kamailio's CPU time per call. Next to other tests a short run shows only the
 * order of magnitude.
 */
const MOST = isLong ? { lookup: 1.15, full: 2.3 } : { lookup: 2.3, full: 4.6 };

const numbers = Array.from({ length: NUMBERS }, (_, index) => `+4930${1_000_000 + index}`);
/** Those that lead to a connection. */
const shared = numbers.map((number) => number.replace("+4930", "+4940"));

interface Proxy {
  at: Peer;
  cpuSeconds(): number;
}

interface Contender {
  name: string;
  proxy: Proxy;
  called: string[];
}

function startBare(target: string, lines: string[]): Proxy & AsyncDisposable {
  const folder = mkdtempSync(join(tmpdir(), "dialplane-bare-"));
  const at = { address: newAddress(), port: 5060 };
  const settings = [
    "#!KAMAILIO",
    "#!define SIP_WORKERS 2",
    `#!define NUMBERS ${NUMBERS}`,
    `#!define TARGET "${target}"`,
    ...lines,
    `listen=udp:${at.address}:5060`,
    `listen=tcp:${at.address}:5060`,
    `include_file "${BARE}"`,
  ];
  writeFileSync(join(folder, "bare-settings.cfg"), `${settings.join("\n")}\n`);
  const child = startKamailio(join(folder, "bare-settings.cfg"), join(folder, "kamailio.log"), {
    memoryMb: 256,
  });
  return {
    at,
    cpuSeconds: () => cpuSecondsOf(child.pid!),
    [Symbol.asyncDispose]: async () => {
      await endKamailio(child);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function startFull(caller: string, callee: Peer, target: string): Promise<Proxy & AsyncDisposable> {
  const kamailio = await startSwitch([caller], { shared_memory_mb: 256 });
  const rowOf = (mode: string, argument: string): string =>
    `${mode}|7|3|0198c5f2-7c1e-7a33-9d3f-3f6a1c0f9b11|${argument}||||`;
  const set = async (from: string[], row: string): Promise<void> => {
    for (let at = 0; at < NUMBERS; at += 100)
      await kamailio.set("rt", Object.fromEntries(from.slice(at, at + 100).map((number) => [number, row])));
  };
  await set(numbers, rowOf("u", target));
  await set(shared, rowOf("c", "connection"));
  const uri = `sip:${callee.address}:${callee.port};transport=udp`;
  await kamailio.rpc("dispatcher.add", [1, uri, 0, 0, "rweight=1;duid=1"]);
  await kamailio.set("cn", { connection: "1|3|0|0|1=11|x" });
  await kamailio.mark({ synced: "1" });
  return kamailio;
}

/** Processor time for a call, in microseconds. */
async function costOfCall(from: Peer, { name, proxy, called }: Contender): Promise<number> {
  const calls = PER_SECOND * SECONDS;
  const load = { from, to: proxy.at, numbers: called, perSecond: PER_SECOND, calls, holdMs: 200 };
  const measure = async (): Promise<LoadResult & { cpuSeconds: number }> => {
    const before = proxy.cpuSeconds();
    return { ...(await placeCalls(load)), cpuSeconds: proxy.cpuSeconds() - before };
  };
  const result = await measureFairly(name, measure, ({ successful }) => successful === calls);
  expect(result, name).toMatchObject({ successful: calls, failed: 0 });
  return (result.cpuSeconds / calls) * 1e6;
}

function medianOf(values: number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = (sorted.length - 1) / 2;
  return (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2;
}

/** The highest rate at which every call succeeds and nothing is sent twice; one bad second of a shared machine is forgiven. */
async function highestCleanRate(from: Peer, to: Peer): Promise<number> {
  const isClean = async (perSecond: number): Promise<boolean> => {
    await untilQuiet();
    const calls = perSecond * SECONDS;
    const load = { from, to, numbers, perSecond, calls, holdMs: 200, withinSeconds: 5 * SECONDS };
    const result = await placeCalls(load);
    return result.successful === calls && result.retransmissions === 0;
  };
  let highest = 0;
  for (let rate = 400; ; rate = Math.round(rate * 1.2)) {
    if (!(await isClean(rate)) && !(await isClean(rate))) return highest;
    highest = rate;
  }
}

test("routes at little more CPU per call than a bare Kamailio in the same run", async () => {
  const [caller, callee] = [
    { address: newAddress(), port: 5070 },
    { address: newAddress(), port: 5080 },
  ];
  const target = `sip:callee@${callee.address}:${callee.port};transport=udp`;
  using _callees = startCallees(callee);
  await using bare = startBare(target, []);
  await using lookup = startBare(target, ["#!define WITH_LOOKUP"]);
  await using full = await startFull(caller.address, callee, target);
  const contenders: Contender[] = [
    { name: "bare", proxy: bare, called: numbers },
    { name: "lookup", proxy: lookup, called: numbers },
    { name: "full", proxy: full, called: numbers },
    { name: "connection", proxy: full, called: shared },
  ];
  const costs = new Map<string, number[]>(contenders.map(({ name }) => [name, []]));
  for (let round = 0; round < ROUNDS; round += 1)
    for (const contender of contenders) costs.get(contender.name)!.push(await costOfCall(caller, contender));
  // Within a round, because a shared machine may be faster in another.
  const ratioOf = (name: string): number =>
    medianOf(costs.get(name)!.map((cost, round) => cost / costs.get("bare")![round]!));
  for (const [name, each] of costs)
    console.log(
      `${name}: ${each.map((cost) => cost.toFixed(0)).join(", ")} µs a call, ${ratioOf(name).toFixed(2)} × bare`,
    );
  expect(ratioOf("lookup")).toBeLessThan(MOST.lookup);
  expect(ratioOf("full")).toBeLessThan(MOST.full);
  if (!isLong) return;
  const rates = {
    bare: await highestCleanRate(caller, bare.at),
    full: await highestCleanRate(caller, full.at),
  };
  console.log(
    `highest clean rate: bare ${rates.bare}, full ${rates.full} calls a second, ${(rates.full / rates.bare).toFixed(2)} of bare`,
  );
  expect(rates.full).toBeGreaterThan(0);
}, 3_600_000);
