import { type AgentLog, httpControlPlane, simulatedSwitch, startAgent } from "@dialplane/switch-agent";
import { writeReadBacks } from "./read-backs.ts";

/** The agent of a simulated switch that records every read-back before it reports it. agent-process.ts starts it. */
const [url, credential, storePath, readBacksPath] = process.argv.slice(2) as [string, string, string, string];
const log: AgentLog = { info: () => undefined, warn: say, error: say };
/** Long enough for kills, looks and further changes to come between a change and its reading back. */
const LATENCY_MS = 15;
const driver = simulatedSwitch({ latencyMs: LATENCY_MS });

startAgent({
  control: httpControlPlane({ url, credential }),
  driver: {
    ...driver,
    async read(names) {
      return written(await driver.read(names));
    },
    async readShard(shard) {
      return written(await driver.readShard(shard));
    },
  },
  storePath,
  log,
});

function written<Held extends Parameters<typeof writeReadBacks>[1]>(held: Held): Held {
  writeReadBacks(readBacksPath, held);
  return held;
}

function say(fields: object, msg: string): void {
  console.error(JSON.stringify({ ...fields, msg }));
}
