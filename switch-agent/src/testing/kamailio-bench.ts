import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { ControlPlane, RouteValue } from "../control-plane.ts";
import { type KamailioOptions, type KamailioSwitch, kamailioSwitch } from "../kamailio/kamailio-switch.ts";
import { type Agent, startAgent } from "../switch-agent.ts";
import type { Timing } from "../timing.ts";
import { MemoryControlPlane } from "./memory-control-plane.ts";
import { type RunningKamailio, runKamailio } from "./running-kamailio.ts";

const ignore = (): void => undefined;
const log = { info: ignore, warn: ignore, error: ignore };
export const id = (place: number) => `0198c5f2-7c1e-7a33-9d3f-${String(place).padStart(12, "0")}`;
export const number = (place: number) => `+4930${String(place).padStart(6, "0")}`;
export const route = (place: number, user = "a"): RouteValue => ({
  e164: number(place),
  mode: "sip_uri",
  sip_uri: `sip:${user}@192.0.2.1:5080`,
});
/** Addresses of the routes and targets here, and this machine. */
const ALLOWED = "192.0.2.0/24,127.0.0.0/8";
export const CONNECTION = id(900_000);
export const target = (host: string, weight = 1) =>
  ({ host, port: 5060, transport: "udp", priority: 1, weight }) as const;

export interface KamailioBench {
  kamailio: RunningKamailio;
  control: MemoryControlPlane;
  driver(): KamailioSwitch;
  /** `service` in place of the bench's own. */
  start(timing?: Partial<Timing>, options?: Partial<KamailioOptions>, service?: ControlPlane): Agent;
  stop(): Promise<void>;
  /** Value in the switch's memory. */
  held(table: string, key: string): Promise<string | undefined>;
}

/** A service, a real switch, and an agent between them that keeps its files when it is started again. */
export async function openKamailioBench(): Promise<KamailioBench> {
  const kamailio = await runKamailio();
  const control = new MemoryControlPlane([0, 1]);
  let [driver, agent]: [KamailioSwitch | undefined, Agent | undefined] = [undefined, undefined];
  async function stop(): Promise<void> {
    await agent?.stop();
    await driver?.close();
    [driver, agent] = [undefined, undefined];
  }
  onTestFinished(async () => {
    await stop();
    await kamailio[Symbol.asyncDispose]();
  });
  return {
    kamailio,
    control,
    driver: () => driver!,
    start(timing, options, service = control) {
      driver = kamailioSwitch({ ...kamailio.reached, log, egressAllow: ALLOWED, ...options });
      const storePath = join(kamailio.settings.data_dir, "agent.db");
      agent = startAgent({
        control: service,
        driver,
        storePath,
        log,
        timing: { auditMs: 600_000, ...timing },
      });
      return agent;
    },
    stop,
    async held(table, key) {
      const answer = (await kamailio.rpc("htable.get", [table, key])) as { item?: { value: string } };
      return answer?.item?.value;
    },
  };
}

/** Both shards were read back as they are now, with nothing to say about them. */
export function isApplied({ control }: KamailioBench, boot?: string): boolean {
  const last = control.reports.findLast((report) => boot === undefined || report.boot === boot);
  if (!last || (boot !== undefined && last.boot !== boot)) return false;
  return [0, 1].every((shard) => {
    const reported = control.reported.get(shard);
    return reported?.version === control.versionOf(shard) && reported.exceptions.length === 0;
  });
}

export function changeAll({ control }: KamailioBench, count = 300): void {
  const places = Array.from({ length: count }, (_, place) => place);
  control.change(0, [
    { kind: "connection", id: CONNECTION, value: { targets: [target("192.0.2.1"), target("192.0.2.2", 3)] } },
  ]);
  control.change(
    0,
    places.filter((place) => place % 2 === 0).map((place) => ({ id: id(place), value: route(place) })),
  );
  control.change(
    1,
    places.filter((place) => place % 2 === 1).map((place) => ({ id: id(place), value: route(place) })),
  );
}

export async function eventuallyBoot(bench: KamailioBench, before: string): Promise<string> {
  for (;;) {
    const boot = await bench
      .driver()
      .boot()
      .catch(() => before);
    if (boot !== before) return boot;
  }
}

export async function until(look: () => Promise<boolean>, withinMs = 60_000): Promise<void> {
  const deadlineMs = performance.now() + withinMs;
  while (!(await look())) {
    if (performance.now() > deadlineMs) throw new Error(`Nothing came within ${withinMs} ms.`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
