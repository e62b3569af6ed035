import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { isLong } from "./service/test-length.ts";
import { endKamailio, startKamailio } from "./sip/kamailio-process.ts";
import { newAddress } from "./sip/loopback.ts";
import { cpuSecondsOf } from "./sip/process-group.ts";
import type { Peer } from "./sip/sip-transport.ts";
import { placeCalls, startCallees } from "./sip/sipp.ts";
import { startSwitch } from "./sip/switch-process.ts";

const BARE = fileURLToPath(new URL("../../kamailio/bare.cfg", import.meta.url));
const NUMBERS = isLong ? 10_000 : 500;
const PER_SECOND = isLong ? 500 : 200;
const SECONDS = isLong ? 6 : 3;
const ROUNDS = isLong ? 5 : 2;
/** Of the processor time that a bare Kamailio takes for a call; beside other tests a short run says little more than the order. */
const MOST = isLong ? { lookup: 1.15, full: 2.3 } : { lookup: 2.3, full: 4.6 };

const numbers = Array.from({ length: NUMBERS }, (_, index) => `+4930${1_000_000 + index}`);

interface Contender extends AsyncDisposable {
  at: Peer;
  cpuSeconds(): number;
}

function startBare(target: string, lines: string[]): Contender {
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

async function startFull(caller: string, target: string): Promise<Contender> {
  const kamailio = await startSwitch([caller], { shared_memory_mb: 256 });
  const row = `u|7|3|0198c5f2-7c1e-7a33-9d3f-3f6a1c0f9b11|${target}||||`;
  for (let at = 0; at < NUMBERS; at += 100)
    await kamailio.set("rt", Object.fromEntries(numbers.slice(at, at + 100).map((number) => [number, row])));
  await kamailio.mark({ synced: "1" });
  return kamailio;
}

/** The highest rate at which every call succeeds and nothing is sent twice; one bad second of a shared machine is forgiven. */
async function highestCleanRate(from: Peer, to: Peer): Promise<number> {
  const isClean = async (perSecond: number): Promise<boolean> => {
    const calls = perSecond * SECONDS;
    const result = await placeCalls({ from, to, numbers, perSecond, calls, holdMs: 200 });
    return result.successful === calls && result.retransmissions === 0;
  };
  let highest = 0;
  for (let rate = 400; ; rate = Math.round(rate * 1.2)) {
    if (!(await isClean(rate)) && !(await isClean(rate))) return highest;
    highest = rate;
  }
}

test("routing costs little more than relaying: CPU per call beside a bare Kamailio in the same run", async () => {
  const [caller, callee] = [
    { address: newAddress(), port: 5070 },
    { address: newAddress(), port: 5080 },
  ];
  const target = `sip:callee@${callee.address}:${callee.port};transport=udp`;
  using _callees = startCallees(callee);
  await using bare = startBare(target, []);
  await using lookup = startBare(target, ["#!define WITH_LOOKUP"]);
  await using full = await startFull(caller.address, target);
  const costs = new Map<string, number[]>([
    ["bare", []],
    ["lookup", []],
    ["full", []],
  ]);
  const contenders = { bare, lookup, full };
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [name, contender] of Object.entries(contenders)) {
      const before = contender.cpuSeconds();
      const calls = PER_SECOND * SECONDS;
      const result = await placeCalls({
        from: caller,
        to: contender.at,
        numbers,
        perSecond: PER_SECOND,
        calls,
        holdMs: 200,
      });
      expect(result, name).toMatchObject({ successful: calls, failed: 0 });
      costs.get(name)!.push(((contender.cpuSeconds() - before) / calls) * 1e6);
    }
  const best = (name: string): number => Math.min(...costs.get(name)!);
  for (const [name, each] of costs)
    console.log(
      `${name}: ${each.map((cost) => cost.toFixed(0)).join(", ")} µs a call, ${(best(name) / best("bare")).toFixed(2)} × bare`,
    );
  expect(best("lookup") / best("bare")).toBeLessThan(MOST.lookup);
  expect(best("full") / best("bare")).toBeLessThan(MOST.full);
  if (!isLong) return;
  const rates = {
    bare: await highestCleanRate(caller, bare.at),
    full: await highestCleanRate(caller, full.at),
  };
  console.log(
    `highest clean rate: bare ${rates.bare}, full ${rates.full} calls a second, ${(rates.full / rates.bare).toFixed(2)} of bare`,
  );
  expect(rates.full).toBeGreaterThan(0);
}, 600_000);
