import { randomUUID } from "node:crypto";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import type { Settings } from "../../../config.ts";
import { systemAuthor } from "../../../events/audit/audit.ts";
import { recordChanges } from "../../../events/events/events.ts";
import { seedNumbers } from "../../../seed.ts";
import { startWriters } from "./noisy-writers.ts";
import { quantile } from "../../../../testing/quantile.ts";
import { send, type Sent } from "../../../../testing/send.ts";
import { startProcess } from "../../../../testing/server-process.ts";
import { bearer, type Service, startService } from "../../../../testing/service.ts";

/** The limits of a new installation, which the settings of tests raise. */
export const DEFAULT_LIMITS: Settings = {
  LIMIT_REQUESTS_PER_SECOND: "100",
  LIMIT_REQUEST_BURST: "200",
  LIMIT_WRITES_PER_SECOND: "25",
  EGRESS_ALLOW: "198.18.0.0/15",
  DATABASE_CONNECTIONS: "10",
};

interface Size {
  /** Numbers of the noisy tenant, all of them in its bulk change. */
  numbers: number;
  /** Its deliveries to a server that never responds. */
  deliveries: number;
  writers: number;
  /** Requests of the quiet tenant, half of them changes. */
  requests: number;
  settings: Settings;
}

export interface NoisyRun {
  /** Responses to the quiet tenant, by status. */
  statuses: Record<string, number>;
  aloneMs: { p50: number; p99: number };
  besideMs: { p50: number; p99: number };
  /** Responses to the noisy tenant's writers, by status. */
  noisyStatuses: Record<string, number>;
  /** Of each bulk change that began while the quiet tenant sent its requests, and finished. */
  bulkSeconds: number[];
}

/** Half of them changes: fewer than the default limit of 25 per second. */
const PER_SECOND = 40;
/** The first requests of a process, and of each connection, are slow, with or without a neighbour. */
const WARM_UP = { rounds: 20, atOnce: 20, paced: 200 };

interface Tenant {
  organisationId: string;
  numbers: string[];
  headers: Record<string, string>;
  call(method: string, path: string, body?: object): Promise<Sent>;
}

/**
 * Runs a quiet tenant alone, and then next to a noisy one. The noisy one has a bulk change of all its
 * numbers, a delivery backlog and many writers. API and worker are separate processes, as in production.
 */
export async function runNoisyTenant(size: Size): Promise<NoisyRun> {
  await using service = await startService();
  await using api = await startProcess({ databaseUrl: service.database.url, settings: size.settings });
  const quiet = await tenantOf(service, api.url, 200);
  const noisy = await tenantOf(service, api.url, size.numbers);
  await using blackHole = await startBlackHole();
  await using _worker = await startProcess({
    databaseUrl: service.database.url,
    role: "worker",
    settings: { ...size.settings, EGRESS_ALLOW: "127.0.0.0/8:1024-65535+http,198.18.0.0/15" },
  });
  await service.database.admin("vacuum (analyze)");
  await warmUp(quiet, noisy);
  const alone = await requestAtPace(quiet, size.requests / 2);

  await backUpDeliveries(service, noisy, blackHole.url, size.deliveries);
  const over = new AbortController();
  const bulkChanges = changeInBulk(noisy, over.signal);
  const writers = startWriters({
    url: api.url,
    headers: noisy.headers,
    numbers: noisy.numbers,
    writers: size.writers,
  });
  const beside = await requestAtPace(quiet, size.requests);
  over.abort();
  const noisyStatuses = await writers.stop();
  return {
    statuses: beside.statuses,
    aloneMs: alone.ms,
    besideMs: beside.ms,
    noisyStatuses,
    bulkSeconds: await bulkChanges,
  };
}

async function warmUp(quiet: Tenant, noisy: Tenant): Promise<void> {
  for (let round = 0; round < WARM_UP.rounds; round++) {
    const tenantOf = (at: number): Tenant => (at % 4 < 2 ? quiet : noisy);
    await Promise.all(
      Array.from({ length: WARM_UP.atOnce }, (_, at) => requestOnce(tenantOf(at), at, {}, [])),
    );
    await pause(200);
  }
  await requestAtPace(quiet, WARM_UP.paced);
}

/** One bulk change after the other. Returns how long each took. */
async function changeInBulk(tenant: Tenant, signal: AbortSignal): Promise<number[]> {
  const seconds: number[] = [];
  do {
    const beganAt = performance.now();
    const id = await beginBulkChange(tenant, `bulk${seconds.length}`);
    while ((await tenant.call("GET", `/v1/numbers/bulk/${id}`)).body.status !== "finished") await pause(500);
    seconds.push(Math.round((performance.now() - beganAt) / 100) / 10);
  } while (!signal.aborted);
  return seconds;
}

async function tenantOf(service: Service, url: string, count: number): Promise<Tenant> {
  const organisationId = await service.organisation();
  const { token } = await service.person({ [organisationId]: "owner" });
  const numbers = (await seedNumbers(service.app, organisationId, "live", count)).map(({ id }) => id);
  const headers = bearer(token);
  return {
    organisationId,
    numbers,
    headers,
    call: (method, path, body) =>
      send(url, method, path, {
        headers: { ...headers, "idempotency-key": randomUUID() },
        ...(body && { body }),
      }),
  };
}

/** Each request starts at its time, whether the ones before are finished or not. */
async function requestAtPace(
  tenant: Tenant,
  count: number,
): Promise<{ statuses: Record<string, number>; ms: { p50: number; p99: number } }> {
  const statuses: Record<string, number> = {};
  const tookMs: number[] = [];
  const startedAt = performance.now();
  const requests: Promise<void>[] = [];
  for (let at = 0; at < count; at++) {
    const dueInMs = startedAt + (at * 1000) / PER_SECOND - performance.now();
    if (dueInMs > 0) await pause(dueInMs);
    requests.push(requestOnce(tenant, at, statuses, tookMs));
  }
  await Promise.all(requests);
  return { statuses, ms: { p50: quantile(tookMs, 0.5), p99: quantile(tookMs, 0.99) } };
}

async function requestOnce(
  { numbers, call }: Tenant,
  at: number,
  statuses: Record<string, number>,
  tookMs: number[],
): Promise<void> {
  const path = `/v1/numbers/${numbers[at % numbers.length]}/routing`;
  const beganAt = performance.now();
  const { status } = await (at % 2 === 0 ? call("PUT", path, sip(`b${at}`)) : call("GET", path));
  tookMs.push(performance.now() - beganAt);
  statuses[status] = (statuses[status] ?? 0) + 1;
}

/** Accepts connections and never responds. */
async function startBlackHole(): Promise<{ url: string } & AsyncDisposable> {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on("error", () => {}).on("close", () => open.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function backUpDeliveries(service: Service, tenant: Tenant, url: string, count: number): Promise<void> {
  await service.database.admin(
    `insert into webhook_endpoints (id, organisation_id, environment, url, position, created_at)
     select gen_random_uuid(), $1, 'live', $2, head, now() from event_heads where organisation_id = $1`,
    [tenant.organisationId, url],
  );
  for (let from = 0; from < count; from += 1_000) {
    const changes = Array.from({ length: Math.min(1_000, count - from) }, (_, at) => ({
      type: "number.changed" as const,
      organisationId: tenant.organisationId,
      environment: "live" as const,
      subject: String(from + at),
    }));
    await service.app.db.forSystem("operator", (tx) =>
      recordChanges(tx, systemAuthor("test"), service.clock.now(), changes),
    );
  }
}

async function beginBulkChange({ call }: Tenant, user: string): Promise<string> {
  const plan = { select: { filter: {} }, change: { routing: sip(user) } };
  const { id } = (await retried(() => call("POST", "/v1/numbers/bulk", plan))).body;
  await retried(() => call("POST", `/v1/numbers/bulk/${id}/apply`));
  return id;
}

/** Its own writers use up its limit of changes. */
async function retried(attempt: () => Promise<Sent>): Promise<Sent> {
  for (;;) {
    const sent = await attempt();
    if (sent.status < 300) return sent;
    if (sent.status !== 429) throw new Error(`${sent.status} ${sent.text}`);
    await pause(100);
  }
}

function sip(user: string): object {
  return { mode: "sip_uri", sip_uri: `sip:${user}@198.18.0.1` };
}
