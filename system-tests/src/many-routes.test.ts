import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type GeneratedFeed, numberAt, startFeed } from "./service/generated-feed.ts";
import { type Program, startProgram } from "./service/program.ts";
import { isLong } from "./service/test-length.ts";
import { measureFairly } from "./sip/fair-measure.ts";
import { newAddress } from "./sip/loopback.ts";
import { placeCalls, startCallees } from "./sip/sipp.ts";
import { startSwitch, type SwitchProcess } from "./sip/switch-process.ts";
import { until } from "./sip/until.ts";

const AGENT = new URL("../../switch-agent/src/run-agent.ts", import.meta.url);
const WATCH = new URL("./service/watched-loop.ts", import.meta.url);
const CALLED = 1_000;
const PER_SECOND = 50;
/** In the switch, whose memory an operator has to buy: 240 measured of a million, and what its connections take besides. */
const [MAX_BYTES_A_ROUTE, MAX_BYTES_BESIDES] = [300, 512 * 1024];
/** An event loop that is blocked for this time still misses no heartbeat. */
const MAX_DEAF_MS = 200;
/**
 * While hundreds of megabytes are written for the first time, it waits for the disk now and then. Half of the 3 seconds without
 * a sign of life after which webhook numbers go to their fallback.
 */
const MAX_DEAF_LOADING_MS = 1_500;
const MAX_READ_BACK_SECONDS = 15;

const [routes, sharedMemoryMb, calls] = isLong ? [1_000_000, 1_024, 1_000] : [5_000, 64, 200];
const patienceMs = isLong ? 600_000 : 120_000;

/** How a switch and its agent get many routes, and how they come back to them. */
const running = new AsyncDisposableStack();
const [caller, callee] = [5070, 5080].map((port) => ({ address: newAddress(), port })) as [
  { address: string; port: number },
  { address: string; port: number },
];
let [feed, kamailio, agent]: [GeneratedFeed, SwitchProcess, Program] = [] as never;
/** All over the table. */
const called = Array.from({ length: CALLED }, (_, place) => numberAt(Math.floor((place * routes) / CALLED)));

beforeAll(async () => {
  const callees = startCallees(callee, "callee-of-number");
  running.defer(() => callees[Symbol.dispose]());
  const uriOf = (number: string): string =>
    `sip:${number.slice(1)}@${callee.address}:${callee.port};transport=udp`;
  feed = running.use(await startFeed(routes, uriOf));
  kamailio = running.use(await startSwitch([caller.address], { shared_memory_mb: sharedMemoryMb }));
  writeFileSync(join(kamailio.folder, "credential"), "anything", { mode: 0o600 });
  running.defer(() => agent.kill());
});
afterAll(() => running.disposeAsync(), 60_000);

const startAgent = (): Program =>
  startProgram(AGENT, [], {
    DIALPLANE_URL: feed.url,
    SWITCH_CREDENTIAL_FILE: join(kamailio.folder, "credential"),
    STORE_PATH: join(kamailio.folder, "agent.sqlite"),
    DRIVER: "kamailio",
    SWITCH_SETTINGS: join(kamailio.folder, "switch.json"),
    EGRESS_ALLOW: "127.0.0.0/8",
    NODE_OPTIONS: `--import ${WATCH.href}`,
  });
const isSynced = async (): Promise<boolean> => {
  const answer = (await kamailio.rpc("htable.get", ["sys", "synced"])) as { item: { value: string } };
  return answer.item.value === "1";
};
/** From now until memory alone answers, and everything was seen to be in it; in seconds. */
const whenReadBack = async (): Promise<number> => {
  const startMs = performance.now();
  const look = async (): Promise<boolean> => {
    agent.assertRunning();
    return feed.isReadBack() && (await isSynced());
  };
  await until("everything to be read back", look, patienceMs);
  return (performance.now() - startMs) / 1_000;
};
const usedMemory = async (): Promise<number> =>
  ((await kamailio.rpc("core.shmmem")) as { real_used: number }).real_used;

test(
  "loads all routes into the switch while the agent audits it",
  async () => {
    const before = await usedMemory();
    agent = startAgent();
    const seconds = await whenReadBack();
    const used = (await usedMemory()) - before;
    const { deafMs, memoryMb, cpuSeconds } = watched(agent);
    console.log(
      `${routes} routes: first load ${seconds.toFixed(1)} s (agent's CPU ${cpuSeconds.toFixed(1)} s), ${(used / routes).toFixed(0)} B a route in the switch, agent at most ${memoryMb} MB and deaf for ${deafMs} ms`,
    );
    const held = (await kamailio.rpc("htable.stats")) as { name: string; all: number }[];
    expect(held.find(({ name }) => name === "rt")?.all).toBe(routes);
    expect(used).toBeLessThan(routes * MAX_BYTES_A_ROUTE + MAX_BYTES_BESIDES);
    if (isLong) expect(deafMs).toBeLessThan(MAX_DEAF_LOADING_MS);
  },
  patienceMs,
);

const parts = [["switch"], ["agent"], ["switch", "agent"]] as const;
test.each(parts.map((killed) => ({ what: killed.join(" and "), killed })))(
  "reads everything back after a kill of $what, and routes every call correctly during that time",
  async ({ what, killed }) => {
    // A call that failed has failed, whatever the host did; only times are taken again.
    const isSettled = ({ seconds, successful, deafMs }: Comeback): boolean =>
      !isLong || successful < calls || (seconds < MAX_READ_BACK_SECONDS && deafMs < MAX_DEAF_MS);
    const { seconds, successful, deafMs, memoryMb } = await measureFairly(
      what,
      () => comeBack(killed),
      isSettled,
    );
    console.log(
      `${what} killed: read back ${seconds.toFixed(1)} s after the restart, ${successful} of ${calls} calls answered; agent at most ${memoryMb} MB and deaf for ${deafMs} ms`,
    );
    expect(successful).toBe(calls);
    if (!isLong) return;
    expect(seconds).toBeLessThan(MAX_READ_BACK_SECONDS);
    expect(deafMs).toBeLessThan(MAX_DEAF_MS);
  },
  3 * patienceMs,
);

interface Comeback {
  /** From the start until everything was read back. */
  seconds: number;
  successful: number;
  deafMs: number;
  memoryMb: number;
}

/** Kills and starts again, under calls. */
async function comeBack(killed: readonly ("switch" | "agent")[]): Promise<Comeback> {
  if (killed.includes("agent")) await agent.kill();
  if (killed.includes("switch")) await kamailio.kill();
  feed.startOver();
  const heard = killed.includes("agent") ? 0 : agent.output().length;
  const startMs = performance.now();
  if (killed.includes("switch")) await kamailio.start();
  if (killed.includes("agent")) agent = startAgent();
  const load = { from: caller, to: kamailio.at, numbers: called, perSecond: PER_SECOND, calls, holdMs: 100 };
  const calling = placeCalls(load);
  await whenReadBack();
  const seconds = (performance.now() - startMs) / 1_000;
  const { successful } = await calling;
  const { deafMs, memoryMb } = watched(agent, heard);
  return { seconds, successful, deafMs, memoryMb };
}

/** Output of watched-loop.ts about the agent, from this offset. */
function watched(agent: Program, from = 0): { deafMs: number; memoryMb: number; cpuSeconds: number } {
  const said = [
    ...agent
      .output()
      .slice(from)
      .matchAll(/deaf for (\d+) ms, memory (\d+) MB, CPU ([\d.]+) s/g),
  ];
  const most = (place: number): number => Math.max(0, ...said.map((words) => Number(words[place])));
  return { deafMs: most(1), memoryMb: most(2), cpuSeconds: most(3) };
}
