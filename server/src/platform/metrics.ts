import type { Readiness } from "./readiness.ts";
import { createServer, type Server } from "node:http";
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import type { Database } from "./db/database.ts";

/** OpenTelemetry's buckets for http.server.request.duration. */
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

/** Labels never name an organisation, a number or a key: those figures belong in the database. */
export function openMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  return {
    registry,
    requestSeconds: new Histogram({
      name: "http_server_request_duration_seconds",
      help: "Response time by route and status.",
      labelNames: ["method", "route", "status"],
      buckets: SECONDS,
      registers,
    }),
    errors: new Counter({
      name: "refusals_total",
      help: "Error responses by code of the error catalogue.",
      labelNames: ["code"],
      registers,
    }),
    idempotency: new Counter({
      name: "idempotency_total",
      help: "Requests with an idempotency key, by outcome.",
      labelNames: ["outcome"],
      registers,
    }),
    keyCache: new Counter({
      name: "api_key_lookups_total",
      help: "API key look-ups by source: memory or database.",
      labelNames: ["answered_by"],
      registers,
    }),
    keyCacheTrusted: new Gauge({
      name: "api_key_cache_trusted",
      help: "1 while revocations are known to reach this process.",
      registers,
    }),
    jobSeconds: new Histogram({
      name: "job_duration_seconds",
      help: "Time a background job took, by name and outcome.",
      labelNames: ["name", "outcome"],
      buckets: SECONDS,
      registers,
    }),
    clockOffset: new Gauge({
      name: "clock_offset_seconds",
      help: "Seconds that the clock of this machine is ahead of the database's. Set by workers.",
      registers,
    }),
    ...upkeepMetrics(registers),
    ...switchMetrics(registers),
    ...feedMetrics(registers),
    ...carrierMetrics(registers),
    watchPools: (db: Pick<Database, "pools">) => watchPools(registers, db),
  };
}

function upkeepMetrics(registers: Registry[]) {
  return {
    retentionLag: new Gauge({
      name: "retention_lag_seconds",
      help: "Seconds that the oldest row of a table is older than its settings allow. Set by workers.",
      labelNames: ["table"],
      registers,
    }),
    oldestSnapshotTransactions: new Gauge({
      name: "db_oldest_snapshot_transactions",
      help: "Transactions since the oldest snapshot in the database. Set by workers.",
      registers,
    }),
    oldestSnapshotSeconds: new Gauge({
      name: "db_oldest_snapshot_seconds",
      help: "Seconds since this worker first saw the oldest snapshot in the database.",
      registers,
    }),
  };
}

/** Agents' reports about the switches' hosts. */
function switchMetrics(registers: Registry[]) {
  return {
    switchClockOffset: new Gauge({
      name: "switch_clock_offset_seconds",
      help: "Seconds that the clock of a switch's machine is ahead, from the agent's last report to this process.",
      labelNames: ["switch"],
      registers,
    }),
    switchDiskFull: new Gauge({
      name: "switch_disk_full",
      help: "1 while the record disk of a switch's machine is full, from the agent's last report to this process.",
      labelNames: ["switch"],
      registers,
    }),
  };
}

function watchPools(registers: Registry[], db: Pick<Database, "pools">): void {
  new Gauge({
    name: "db_client_connections",
    help: "Database connections by pool and state.",
    labelNames: ["door", "state"],
    registers,
    collect() {
      for (const { door, total, idle, waiting } of db.pools()) {
        this.set({ door, state: "used" }, total - idle);
        this.set({ door, state: "idle" }, idle);
        this.set({ door, state: "waited_for" }, waiting);
      }
    },
  });
}

function feedMetrics(registers: Registry[]) {
  return {
    feedAgents: new Gauge({
      name: "feed_agents",
      help: "Switch agents connected to this process.",
      registers,
    }),
    feedPollSeconds: new Histogram({
      name: "feed_poll_duration_seconds",
      help: "Time to query the head of the feed.",
      buckets: SECONDS,
      registers,
    }),
    feedDeliveries: new Counter({
      name: "feed_deliveries_total",
      help: "Change messages sent to connected agents.",
      registers,
    }),
    feedEpochs: new Counter({
      name: "feed_epochs_total",
      help: "Feed epochs started by this process, by cause. A rollback needs an operator's attention.",
      labelNames: ["cause"],
      registers,
    }),
    feedHeld: new Gauge({
      name: "feed_held",
      help: "1 while switches are held until an operator resolves a rollback of the database.",
      registers,
    }),
    feedUnconfirmed: new Gauge({
      name: "feed_unconfirmed_versions",
      help: "Changes not yet read back from every counted switch, when this process last checked.",
      registers,
    }),
  };
}

function carrierMetrics(registers: Registry[]) {
  return {
    carrierSeconds: new Histogram({
      name: "carrier_call_duration_seconds",
      help: "Response time of carriers by call and outcome.",
      labelNames: ["carrier", "call", "outcome"],
      buckets: SECONDS,
      registers,
    }),
    carrierAway: new Gauge({
      name: "carrier_away",
      help: "1 while the circuit breaker of a carrier is open after repeated failures.",
      labelNames: ["carrier"],
      registers,
    }),
  };
}

export type Metrics = ReturnType<typeof openMetrics>;

/** Metrics have a separate port, so that the API's port can be public. */
export async function serveMetrics(
  metrics: Metrics,
  readiness: Readiness,
  listen: { host: string; port: number },
): Promise<Server> {
  const server = createServer((request, response) => {
    if (request.url === "/livez") return void response.writeHead(200).end("ok\n");
    if (request.url === "/readyz")
      return void readiness.failedChecks().then((failed) => {
        response.writeHead(failed.length === 0 ? 200 : 503).end(`${failed.join(", ") || "ok"}\n`);
      });
    if (request.url !== "/metrics") return void response.writeHead(404).end();
    metrics.registry
      .metrics()
      .then((text) => response.writeHead(200, { "content-type": metrics.registry.contentType }).end(text))
      .catch(() => response.writeHead(500).end());
  });
  await new Promise<void>((resolve, reject) =>
    server.once("error", reject).listen(listen.port, listen.host, resolve),
  );
  return server;
}
