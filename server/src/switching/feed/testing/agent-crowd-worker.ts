import {
  type AgentLog,
  type ControlPlane,
  type FeedItem,
  type FeedMessage,
  httpControlPlane,
  type SimulatedSwitch,
  simulatedSwitch,
  startAgent,
} from "@dialplane/switch-agent";

/** Many agents in a separate process, so that receiving is measured apart from sending. agent-crowd.ts starts it. */
export interface CrowdOrder {
  url: string;
  credentials: string[];
}

export interface CrowdReport {
  /** Changes that came, after the first snapshots. */
  deliveries: number;
  /** Versions that never came, and versions that came more than once. */
  missed: number;
  repeated: number;
  receipts: { id: string; generation: number; atMs: number }[];
  /** Values that the switches have read back. */
  held: { id: string; generation: number; value: FeedItem["value"] }[];
  /** Warnings and errors of agents, with counts. */
  complaints: Record<string, number>;
  cpuSeconds: number;
  rssBytes: number;
}

export type CrowdAnswer = "ready" | CrowdReport;

/** Every agent has its own shards, so one count by shard is enough for all of them. */
const versions = new Map<number, number>();
const counts = { deliveries: 0, missed: 0, repeated: 0 };
const receipts: CrowdReport["receipts"] = [];
const switches: SimulatedSwitch[] = [];
const complaints: Record<string, number> = {};
const log: AgentLog = { info: () => undefined, warn: complain, error: complain };

process.once("disconnect", () => process.exit(1)); // the parent has exited
process.on("message", (message: CrowdOrder | "report") => {
  if (message === "report") void report().then((answer) => tell(answer));
  else start(message);
});

function complain(fields: object, msg: string): void {
  const text = `${msg} ${JSON.stringify(fields)}`;
  complaints[text] = (complaints[text] ?? 0) + 1;
}

function tell(answer: CrowdAnswer): void {
  process.send!(answer);
}

function start({ url, credentials }: CrowdOrder): void {
  let waiting = credentials.length;
  for (const credential of credentials) {
    const driver = simulatedSwitch();
    switches.push(driver);
    const control = counted(httpControlPlane({ url, credential }), () => {
      if (--waiting === 0) tell("ready");
    });
    startAgent({ control, driver, storePath: ":memory:", log });
  }
}

function counted(control: ControlPlane, onFirstReady: () => void): ControlPlane {
  let isReady = false;
  return {
    async *follow(position, signal) {
      for await (const message of control.follow(position, signal)) {
        count(message);
        yield message;
        if (message.type !== "ready" || isReady) continue;
        isReady = true;
        onFirstReady();
      }
    },
    report: (said) => control.report(said),
  };
}

function count(message: FeedMessage): void {
  if (message.type === "snapshot") versions.set(message.shard, message.version);
  if (message.type !== "changes") return;
  const atMs = Date.now();
  let reached = versions.get(message.shard) ?? 0;
  for (const { id, version, generation } of message.items) {
    counts.deliveries++;
    if (version <= reached) counts.repeated++;
    else counts.missed += version - reached - 1;
    reached = Math.max(reached, version);
    receipts.push({ id, generation, atMs });
  }
  counts.missed += message.version - reached;
  versions.set(message.shard, message.version);
}

async function report(): Promise<CrowdReport> {
  const { user, system } = process.cpuUsage();
  const shards = await Promise.all(
    switches.map(async (one) => {
      const own = [...(await one.digests()).keys()];
      return Promise.all(own.map((shard) => one.readShard(shard)));
    }),
  );
  return {
    ...counts,
    receipts,
    held: shards.flat(2).map(({ id, generation, value }) => ({ id, generation, value })),
    complaints,
    cpuSeconds: (user + system) / 1e6,
    rssBytes: process.memoryUsage.rss(),
  };
}
