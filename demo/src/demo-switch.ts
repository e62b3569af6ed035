import { join } from "node:path";
import { seedSwitch } from "@dialplane/server/seed";
import type { RunningServer } from "@dialplane/server/start";
import { type Agent, httpControlPlane, simulatedSwitch, startAgent } from "@dialplane/switch-agent";

/** How often somebody changes the drifting number by hand, and how soon the agent's audit finds it. */
const MEDDLE_MS = 4_000;
/** The repair takes a while, so that there is something to see. */
const REPAIR_MS = 2_000;
const AUDIT_MS = 5_000;

/** A switch for the live side as well, with its agent beside it: the real loop over HTTP, only the switch is simulated. */
export async function startDemoSwitch(
  { app, url }: RunningServer,
  directory: string,
): Promise<{ meddle(numbers: { failing: string; drifting: string }): void; stop(): Promise<void> }> {
  const { credential } = await seedSwitch(app, "demo-1");
  const driver = simulatedSwitch();
  const agent: Agent = startAgent({
    control: httpControlPlane({ url: url!, credential }),
    driver,
    storePath: join(directory, "switch.sqlite"),
    log: app.log,
    timing: { auditMs: AUDIT_MS },
  });
  let timer: NodeJS.Timeout | undefined;
  return {
    meddle({ failing, drifting }) {
      driver.refuse(failing, "500 The demo's switch refuses this number");
      driver.slow(drifting, REPAIR_MS);
      timer = setInterval(() => {
        const held = driver.held({ kind: "route", id: drifting });
        if (held && "e164" in held.value)
          driver.drift(held, {
            e164: held.value.e164,
            mode: "sip_uri",
            sip_uri: "sip:somebody@else.example",
          });
      }, MEDDLE_MS);
    },
    async stop() {
      clearInterval(timer);
      await agent.stop();
    },
  };
}
