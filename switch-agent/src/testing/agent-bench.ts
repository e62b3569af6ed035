import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RouteValue } from "../control-plane.ts";
import { type SimulatedSwitch, simulatedSwitch } from "../simulated/simulated-switch.ts";
import { type Agent, startAgent } from "../switch-agent.ts";
import type { Timing } from "../timing.ts";
import { MemoryControlPlane } from "./memory-control-plane.ts";

/** Production timing, but faster. A test enables audits with a short `auditMs`. */
const QUICK: Partial<Timing> = {
  heartbeatMs: 50,
  auditMs: 600_000,
  pendingAfterMs: 40,
  failedAfterMs: 120,
  retryMinMs: 20,
  retryMaxMs: 60,
  reconnectMinMs: 5,
  reconnectMaxMs: 20,
  graceMs: 200,
};

export interface Bench {
  control: MemoryControlPlane;
  driver: SimulatedSwitch;
  storePath: string;
  start(timing?: Partial<Timing>): Agent;
  [Symbol.asyncDispose](): Promise<void>;
}

/** A service, a switch, and agents between them which share a store file. */
export function openBench(shards = [0, 1], latencyMs = 0): Bench {
  const folder = mkdtempSync(join(tmpdir(), "switch-agent-"));
  const control = new MemoryControlPlane(shards);
  const driver = simulatedSwitch({ latencyMs });
  const storePath = join(folder, "agent.db");
  const agents: Agent[] = [];
  const ignore = (): void => undefined;
  return {
    control,
    driver,
    storePath,
    start(timing) {
      const log = { info: ignore, warn: ignore, error: ignore };
      const agent = startAgent({ control, driver, storePath, log, timing: { ...QUICK, ...timing } });
      agents.push(agent);
      return agent;
    },
    async [Symbol.asyncDispose]() {
      driver.resume();
      await Promise.all(agents.map((agent) => agent.stop()));
      rmSync(folder, { recursive: true });
    },
  };
}

export function routeTo(user: string, e164 = "+12025550199"): RouteValue {
  return { e164, mode: "sip_uri", sip_uri: `sip:${user}@192.0.2.1` };
}

export async function eventually<Value>(
  look: () => Value | undefined | false,
  withinMs = 60_000,
): Promise<Value> {
  const deadlineMs = performance.now() + withinMs;
  for (;;) {
    const value = look();
    if (value) return value;
    if (performance.now() > deadlineMs) throw new Error(`Nothing came within ${withinMs} ms.`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}
