import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { programPath } from "../../../sdk/src/testing/program-path.ts";
import { newAddress } from "../sip/loopback.ts";
import { placeCalls } from "../sip/sipp.ts";
import { startSwitch, type SwitchProcess } from "../sip/switch-process.ts";
import { until } from "../sip/until.ts";
import { type GeneratedFeed, numberAt, type RouteOf, startFeed } from "./generated-feed.ts";
import { type Program, startProgram } from "./program.ts";

const AGENT = programPath("switch-agent/src/run-agent.ts");
const WATCH = new URL("./watched-loop.ts", import.meta.url);
const CALLED = 1_000;
const PER_SECOND = 50;

export interface Watched {
  /** The longest time for which the agent's event loop was blocked. */
  deafMs: number;
  memoryMb: number;
  cpuSeconds: number;
}

export interface Comeback extends Watched {
  /** From the start until everything was read back. */
  seconds: number;
  successful: number;
}

/** A switch with its agent, and a feed of many routes. */
export interface ManyRoutes extends AsyncDisposable {
  /** Starts the agent, and waits until everything was read back. */
  load(): Promise<Watched & { seconds: number; usedBytes: number; held: number }>;
  /** Kills and starts again, under calls. */
  comeBack(killed: readonly ("switch" | "agent")[], calls: number): Promise<Comeback>;
}

interface Wish {
  routes: number;
  routeOf: RouteOf;
  sharedMemoryMb: number;
  patienceMs: number;
}

export async function startManyRoutes({
  routes,
  routeOf,
  sharedMemoryMb,
  patienceMs,
}: Wish): Promise<ManyRoutes> {
  await using failed = new AsyncDisposableStack();
  const caller = { address: newAddress(), port: 5070 };
  const feed = failed.use(await startFeed(routes, routeOf));
  const kamailio = failed.use(await startSwitch([caller.address], { shared_memory_mb: sharedMemoryMb }));
  writeFileSync(join(kamailio.folder, "credential"), "anything", { mode: 0o600 });
  const parts = failed.move();
  return new RunningRoutes({ feed, kamailio, caller, parts, routes, patienceMs });
}

interface Running extends Pick<Wish, "routes" | "patienceMs"> {
  feed: GeneratedFeed;
  kamailio: SwitchProcess;
  caller: { address: string; port: number };
  parts: AsyncDisposableStack;
}

class RunningRoutes implements ManyRoutes {
  readonly #running: Running;
  /** All over the table. */
  readonly #called: string[];
  #agent: Program | undefined;

  constructor(running: Running) {
    this.#running = running;
    const { routes, parts } = running;
    this.#called = Array.from({ length: CALLED }, (_, place) =>
      numberAt(Math.floor((place * routes) / CALLED)),
    );
    parts.defer(async () => this.#agent?.kill());
  }

  async load(): ReturnType<ManyRoutes["load"]> {
    const { kamailio } = this.#running;
    const before = await this.#usedMemory();
    const startMs = performance.now();
    this.#agent = this.#startAgent();
    await this.#readBack();
    const seconds = (performance.now() - startMs) / 1_000;
    const usedBytes = (await this.#usedMemory()) - before;
    const tables = (await kamailio.rpc("htable.stats")) as { name: string; all: number }[];
    const held = tables.find(({ name }) => name === "rt")?.all ?? 0;
    return { seconds, usedBytes, held, ...watched(this.#agent) };
  }

  async comeBack(killed: readonly ("switch" | "agent")[], calls: number): Promise<Comeback> {
    const { feed, kamailio, caller } = this.#running;
    if (killed.includes("agent")) await this.#agent?.kill();
    if (killed.includes("switch")) await kamailio.kill();
    feed.startOver();
    const heard = killed.includes("agent") ? 0 : (this.#agent?.output().length ?? 0);
    const startMs = performance.now();
    if (killed.includes("switch")) await kamailio.start();
    if (killed.includes("agent")) this.#agent = this.#startAgent();
    const load = { from: caller, to: kamailio.at, numbers: this.#called, calls };
    const calling = placeCalls({ ...load, perSecond: PER_SECOND, holdMs: 100 });
    await this.#readBack();
    const seconds = (performance.now() - startMs) / 1_000;
    const { successful } = await calling;
    return { seconds, successful, ...watched(this.#agent!, heard) };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#running.parts.disposeAsync();
  }

  #startAgent(): Program {
    const { feed, kamailio } = this.#running;
    return startProgram(AGENT, [], {
      DIALPLANE_URL: feed.url,
      SWITCH_CREDENTIAL_FILE: join(kamailio.folder, "credential"),
      STORE_PATH: join(kamailio.folder, "agent.sqlite"),
      DRIVER: "kamailio",
      SWITCH_SETTINGS: join(kamailio.folder, "switch.json"),
      EGRESS_ALLOW: "127.0.0.0/8",
      NODE_OPTIONS: `--import ${WATCH.href}`,
    });
  }

  /** Waits until memory alone replies, and everything was seen to be in it. */
  async #readBack(): Promise<void> {
    const { feed, patienceMs } = this.#running;
    const look = async (): Promise<boolean> => {
      this.#agent?.assertRunning();
      return feed.isReadBack() && (await this.#isSynced());
    };
    await until("everything to be read back", look, patienceMs);
  }

  async #isSynced(): Promise<boolean> {
    const response = (await this.#running.kamailio.rpc("htable.get", ["sys", "synced"])) as {
      item: { value: string };
    };
    return response.item.value === "1";
  }

  async #usedMemory(): Promise<number> {
    return ((await this.#running.kamailio.rpc("core.shmmem")) as { real_used: number }).real_used;
  }
}

/** Output of watched-loop.ts about the agent, from this offset. */
function watched(agent: Program, from = 0): Watched {
  const said = [
    ...agent
      .output()
      .slice(from)
      .matchAll(/deaf for (\d+) ms, memory (\d+) MB, CPU ([\d.]+) s/g),
  ];
  const most = (place: number): number => Math.max(0, ...said.map((words) => Number(words[place])));
  return { deafMs: most(1), memoryMb: most(2), cpuSeconds: most(3) };
}
