import {
  type ControlPlane,
  type FeedMessage,
  type RecordService,
  simulatedSwitch,
  startAgent,
  startProbeSync,
  startSimulatedCalls,
} from "@dialplane/switch-agent";
import { createInterface } from "node:readline";
import type { App } from "../../app.ts";
import { lead } from "../../platform/db/leadership.ts";
import type { SwitchCaller } from "../../platform/http/access.ts";
import { newId } from "../../platform/ids.ts";
import { recordAct, systemAuthor } from "../../events/audit/audit.ts";
import { takeRecords } from "../calls/calls.ts";
import { takeLiveReport } from "../live/live.ts";
import { syncProbes } from "../probes/probes.ts";
import { recordReport } from "./switches.reports.ts";
import { findOrInsertOwnSwitch, findSwitchGroup } from "./switches.store.ts";

type Needs = Pick<App, "db" | "clock" | "log" | "config" | "feed">;

const NAME = "simulated";
/** Often, so that people trying things out see drift within seconds. */
const AUDIT_MS = 3_000;
/** People wait for the result of a probe. */
const PROBES_MS = { everyMs: 500, busyMs: 100 };

/** The switch of the test environments: the real agent with a switch in memory. One worker runs it at a time. */
export function startSimulatedSwitch(app: Needs): { close(): Promise<void> } {
  return lead({
    login: app.config.database.directLoginOf("system"),
    name: "simulated-switch",
    log: app.log,
    async begin() {
      const who = await simulatedCaller(app);
      const driver = simulatedSwitch();
      const agent = startAgent({
        control: controlPlaneWithin(app, who),
        driver,
        storePath: ":memory:",
        log: app.log,
        timing: { auditMs: AUDIT_MS, graceMs: 0 },
      });
      const calls = startSimulatedCalls({
        held: () => driver.listHeld(),
        service: recordServiceWithin(app, who),
        callsPerHour: app.config.simulatedCallsPerHour,
        log: app.log,
      });
      const probes = startProbeSync({
        driver: driver.probes,
        service: { sync: (report) => syncProbes(app, who, report) },
        log: app.log,
        timing: PROBES_MS,
      });
      driver.probes.takeRow = (row) => void probes.takeRow(row);
      return async () => {
        await calls.stop();
        await probes.stop();
        await agent.stop();
      };
    },
  });
}

/** The service as an agent in the same process sees it: the same messages and reports, without HTTP. */
function controlPlaneWithin(app: Needs, who: SwitchCaller): ControlPlane {
  return {
    async *follow(position, signal) {
      const stream = await app.feed.open(who, position);
      const end = (): void => void stream.destroy();
      signal.addEventListener("abort", end, { once: true });
      try {
        for await (const line of createInterface({ input: stream, crlfDelay: Infinity }))
          yield JSON.parse(line) as FeedMessage;
      } finally {
        signal.removeEventListener("abort", end);
        end();
      }
    },
    report: (report) => recordReport(app, who, report),
  };
}

/** Its calls are recorded like those of any other switch. */
function recordServiceWithin(app: Needs, who: SwitchCaller): Pick<RecordService, "upload" | "reportLive"> {
  return {
    upload: (records) => takeRecords(app, who, records),
    reportLive: (report) => takeLiveReport(app, who, report),
  };
}

async function simulatedCaller(app: Needs): Promise<SwitchCaller> {
  const at = app.clock.now();
  return app.db.forSystem("feed", async (tx) => {
    const group = await findSwitchGroup(tx, { defaultOf: "test" });
    if (!group) throw new Error("The test environment has no default switch group.");
    const row = { id: newId(), groupId: group.id, name: NAME, at };
    const { id, isNew } = await findOrInsertOwnSwitch(tx, row);
    if (isNew)
      await recordAct(tx, systemAuthor("worker"), at, {
        action: "switch.created",
        subject: id,
        detail: { name: NAME },
      });
    return { switchId: id, groupId: group.id, name: NAME, credentialVersion: 1 };
  });
}
