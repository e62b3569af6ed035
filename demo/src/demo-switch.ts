import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { RunningServer } from "@dialplane/server/start";
import {
  type Agent,
  type AgentLog,
  httpControlPlane,
  httpForwardingService,
  httpProbeService,
  httpRecordService,
  httpTrunkService,
  type RecordService,
  type SimulatedSwitch,
  simulatedSwitch,
  startAgent,
  startForwardingSync,
  startProbeSync,
  startTrunkSync,
  startSimulatedCalls,
} from "@dialplane/switch-agent";
import { type CalledRoute, pastCalls } from "./past-calls.ts";

/** Interval of simulated manual changes to the drifting number. The agent's audit finds them soon after. */
const MEDDLE_MS = 4_000;
/** The repair takes a while, so that there is something to see. */
const REPAIR_MS = 2_000;
const AUDIT_MS = 5_000;
/** Limits take effect while people look. */
const SYNC_MS = 1_000;
/** The service takes as many records at once. */
const BATCH = 500;

export interface DemoSwitch {
  meddle(numbers: { failing: string; drifting: string }): void;
  /** Uploads the calls of the last `days` days, once the switch holds `routes` routed numbers. */
  recall(days: number, routes: number): Promise<void>;
  stop(): Promise<void>;
}

/** A switch for the live environment as well, with its agent next to it: the real loop over HTTP, only the switch is simulated. */
export function startDemoSwitch(
  { app, url }: RunningServer,
  { directory, credential, callsPerHour }: { directory: string; credential: string; callsPerHour: number },
): DemoSwitch {
  const driver = simulatedSwitch();
  const service = httpRecordService({ url: url!, credential });
  const agent: Agent = startAgent({
    control: httpControlPlane({ url: url!, credential }),
    driver,
    storePath: join(directory, "switch.sqlite"),
    log: app.log,
    timing: { auditMs: AUDIT_MS },
  });
  const held = (): ReturnType<typeof driver.listHeld> => driver.listHeld();
  const { forwarding } = driver;
  const syncs = startSyncs(driver, { url: url!, credential }, app.log);
  const calls = startSimulatedCalls({ held, forwarding, service, callsPerHour, log: app.log });
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let recalling: Promise<void> | undefined;
  return {
    meddle({ failing, drifting }) {
      driver.refuse(failing, "500 The demo's switch rejects this number");
      driver.slow(drifting, REPAIR_MS);
      timer = setInterval(() => {
        const drifted = driver.held({ kind: "route", id: drifting });
        if (drifted && "e164" in drifted.value)
          driver.drift(drifted, {
            e164: drifted.value.e164,
            mode: "sip_uri",
            sip_uri: "sip:somebody@else.example",
          });
      }, MEDDLE_MS);
    },
    recall(days, routes) {
      recalling = recall(service, { days, routes: () => routedIn(held(), routes), signal: stopping.signal });
      return recalling;
    },
    async stop() {
      clearInterval(timer);
      stopping.abort();
      await recalling?.catch(() => {});
      await calls.stop();
      await Promise.all(syncs.map((sync) => sync.stop()));
      await agent.stop();
    },
  };
}

/** Limits of forwarding, trunks and probes. */
function startSyncs(driver: SimulatedSwitch, where: { url: string; credential: string }, log: AgentLog) {
  const shared = { log, timing: { everyMs: SYNC_MS } };
  const probes = startProbeSync({ driver: driver.probes, service: httpProbeService(where), ...shared });
  driver.probes.takeRow = (row) => void probes.takeRow(row);
  return [
    startForwardingSync({ driver: driver.forwarding, service: httpForwardingService(where), ...shared }),
    startTrunkSync({ driver: driver.trunks, service: httpTrunkService(where), ...shared }),
    probes,
  ];
}

interface Past {
  days: number;
  routes(): CalledRoute[] | undefined;
  signal: AbortSignal;
}

/** Through the ingest of every other call, so that everything that is counted of calls counts them too. */
async function recall(service: RecordService, { days, routes, signal }: Past): Promise<void> {
  let found = routes();
  for (; !found && !signal.aborted; found = routes()) await pause(100);
  let batch: Parameters<RecordService["upload"]>[0][number][] = [];
  for (const records of pastCalls(found ?? [], days, Date.now())) {
    if (signal.aborted) return;
    batch.push(...records);
    for (; batch.length >= BATCH; batch = batch.slice(BATCH)) await service.upload(batch.slice(0, BATCH));
  }
  if (batch.length > 0) await service.upload(batch);
}

function routedIn(held: ReturnType<ReturnType<typeof simulatedSwitch>["listHeld"]>, wanted: number) {
  const items = [...held];
  const connections = new Map(items.flatMap(({ id, value }) => ("targets" in value ? [[id, value]] : [])));
  const connectionWith = (id: string) => connections.get(id);
  const routed = items.flatMap(({ id, generation, value }) =>
    "mode" in value && value.mode !== "unrouted" ? [{ id, generation, value, connectionWith }] : [],
  );
  return routed.length >= wanted ? routed : undefined;
}
