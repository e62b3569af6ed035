import type { App } from "../../../app.ts";
import { examine } from "../../../doctor.ts";
import { openApp } from "../../../start.ts";
import { auditOrders, type OrderAudit } from "./outage-audit.ts";
import {
  type Callers,
  openCallers,
  type Phase,
  read,
  search,
  seedCallers,
  touchCarrier,
  TOUCHES_PER_SECOND,
  warmUp,
} from "./outage-callers.ts";
import { openOutageWatch, type OutageWatch, type Watched } from "./outage-watch.ts";
import { quantile } from "../../../../testing/quantile.ts";
import { send } from "../../../../testing/send.ts";
import { startProcess } from "../../../../testing/server-process.ts";
import { until } from "../../../../testing/service.ts";
import { startSteadyStream } from "./steady-stream.ts";
import { type TelnyxServer, startTelnyxServer } from "./telnyx-server/telnyx-server.ts";
import { testConfig } from "../../../../testing/test-config.ts";
import type { TestDatabase } from "../../../../testing/test-database.ts";

export interface OutagePlan {
  sliceMs: number;
  /** As many before the outage, and again after it. */
  healthySlices: number;
  silentSlices: number;
  readsPerSecond: number;
}

export interface OutageReport extends OrderAudit {
  /** 99th percentile of the unrelated reads, per slice. */
  p99Ms: Record<Phase, number[]>;
  reads: number;
  /** Reads and orders with an unexpected response. */
  failed: string[];
  /** From the carrier's last response until the process stops calling it. */
  openedMs: Record<"api" | "worker", number>;
  watched: Record<Phase, Watched>;
  searches: Callers["searches"];
  /** From the first response of the carrier until every order has ended and a search finds numbers again. */
  recoveredMs: number;
  broken: string[];
}

/** Excluded from comparisons, because processes warm up. */
const WARM_UP_MS = 3_000;
/** A wait grows to a minute at most; then come the breaker's pause and the work itself. */
const RECOVERED_WITHIN_MS = 150_000;

/**
 * A carrier that takes requests and answers none, next to a customer who only reads. Others order from it and search it
 * all the while; before and after it answers, so that the run itself shows what its reads cost with a sound carrier.
 */
export async function silenceCarrier(database: TestDatabase, plan: OutagePlan): Promise<OutageReport> {
  await using telnyx = await startTelnyxServer();
  const orderable = await stockCarrier(telnyx, plan);
  const seeded = await withApp(database, seedCallers);
  const options = { databaseUrl: database.url, settings: settingsFor(telnyx) };
  await using api = await startProcess(options);
  await using worker = await startProcess({ ...options, role: "worker" });
  await using watch = await openOutageWatch<Phase>(database, { api, worker });
  const run: Run = {
    ...openCallers({ ...seeded, url: api.url, orderable }),
    database,
    telnyx,
    watch,
    sliceStarts: [],
  };

  await warmUp(run);
  const times = await playPhases(run, plan);
  return {
    ...times,
    p99Ms: slicesOf(run, plan),
    reads: run.reads.length,
    failed: [...run.failed, ...overdrawn({ api, worker })],
    watched: watch.watched(),
    searches: run.searches,
    ...(await auditOrders(run)),
    broken: await withApp(database, async ({ db }) =>
      (await examine(db)).filter(({ rows }) => rows.length > 0).map(({ says }) => says),
    ),
  };
}

interface Run extends Callers {
  database: TestDatabase;
  telnyx: TelnyxServer;
  watch: OutageWatch<Phase>;
  sliceStarts: { phase: Phase; atMs: number }[];
}

/** As an installation has them by default, but for the limits on orders. */
function settingsFor({ url, apiKey }: TelnyxServer) {
  return {
    ORDERING: "telnyx",
    INVENTORY: "telnyx",
    TELNYX_URL: url,
    TELNYX_API_KEY: apiKey,
    DATABASE_CONNECTIONS: "10",
    LIMIT_ORDERS_PER_SECOND: "1000",
    LIMIT_ORDERED_NUMBERS_PER_DAY: "100000",
  };
}

/** More than can be ordered in the time, all shown by a search already; toll-free ones are there to be found only. */
async function stockCarrier(telnyx: TelnyxServer, plan: OutagePlan): Promise<Iterator<string>> {
  const slices = 2 * plan.healthySlices + plan.silentSlices;
  const count = Math.ceil(((slices * plan.sliceMs) / 1000 + 60) * TOUCHES_PER_SECOND);
  const e164s = Array.from({ length: count }, (_, at) => `+1201${2_000_000 + at}`);
  telnyx.stock(e164s.map((e164) => ({ e164 })));
  telnyx.stock(
    Array.from({ length: 20 }, (_, at) => ({ e164: `+1800${2_000_000 + at}`, type: "toll_free" })),
  );
  const all = `/v2/available_phone_numbers?filter[country_code]=US&filter[limit]=${count}`;
  await send(telnyx.url, "GET", all, { headers: { authorization: `Bearer ${telnyx.apiKey}` } });
  return e164s.values();
}

async function withApp<Made>({ url }: TestDatabase, work: (app: App) => Promise<Made>): Promise<Made> {
  const app = await openApp(testConfig(url));
  try {
    return await work(app);
  } finally {
    await app.close();
  }
}

async function playPhases(
  run: Run,
  { sliceMs, healthySlices, silentSlices, readsPerSecond }: OutagePlan,
): Promise<Pick<OutageReport, "openedMs" | "recoveredMs">> {
  const { telnyx, watch } = run;
  const enter = (phase: Phase): void => {
    run.phase = phase;
    watch.enter(phase);
  };
  const slices = async (phase: Phase, count: number): Promise<void> => {
    for (let nth = 0; nth < count; nth++) {
      run.sliceStarts.push({ phase, atMs: performance.now() });
      await pause(sliceMs);
    }
  };
  const touch = () => startSteadyStream(TOUCHES_PER_SECOND, (nth) => touchCarrier(run, nth));
  await using _reads = startSteadyStream(readsPerSecond, (nth, dueMs) => read(run, nth, dueMs));
  let openedMs, backAt: number;
  {
    await using _touches = touch();
    enter("healthy");
    await pause(WARM_UP_MS);
    await slices("healthy", healthySlices);
    enter("silent");
    const silentAt = performance.now();
    await fallSilent(telnyx);
    await slices("silent", silentSlices);
    openedMs = watch.firstAwayAfter(silentAt);
    enter("recovering");
    telnyx.outage(undefined);
    backAt = performance.now();
  }
  await until(async () => (await search(run)).status === 200, RECOVERED_WITHIN_MS);
  await untilEnded(run);
  const recoveredMs = Math.round(performance.now() - backAt);
  {
    await using _touches = touch();
    enter("healthy");
    await slices("healthy", healthySlices);
  }
  await untilEnded(run);
  return { openedMs, recoveredMs };
}

/**
 * The outage begins with a sale whose response is lost. A search gets the beginning of a response, other requests get
 * none.
 */
async function fallSilent(telnyx: TelnyxServer): Promise<void> {
  const buying = "POST /number_orders";
  const before = telnyx.requests.length;
  telnyx.trouble(buying, "hang_after");
  await until(() => telnyx.requests.includes(buying, before));
  telnyx.outage((route) =>
    route === buying ? "hang_after" : route === "GET /available_phone_numbers" ? "drip_after" : "hang_before",
  );
}

async function untilEnded({ database }: Run): Promise<void> {
  const open = "select from orders where finished_at is null limit 1";
  const hasEnded = async () => (await database.admin(open)).length === 0;
  // The audit reports orders that have not ended.
  await until(hasEnded, RECOVERED_WITHIN_MS).catch(() => {});
}

function slicesOf({ sliceStarts, reads }: Run, { sliceMs }: OutagePlan): OutageReport["p99Ms"] {
  const p99Ms: OutageReport["p99Ms"] = { healthy: [], silent: [], recovering: [] };
  for (const { phase, atMs } of sliceStarts) {
    const within = reads.filter(({ dueMs }) => dueMs >= atMs && dueMs < atMs + sliceMs);
    p99Ms[phase].push(
      quantile(
        within.map(({ ms }) => ms),
        0.99,
      ),
    );
  }
  return p99Ms;
}

/** Processes whose pool had no free connection for two seconds, according to their log. */
function overdrawn(processes: Record<string, { output(): string }>): string[] {
  return Object.entries(processes)
    .filter(([, { output }]) => output().includes("timeout exceeded when trying to connect"))
    .map(([name]) => `${name}: no connection to be had`);
}

async function pause(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
}
