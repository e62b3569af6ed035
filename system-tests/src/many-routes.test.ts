import { afterAll, beforeAll, expect, test } from "vitest";
import { type Comeback, type ManyRoutes, startManyRoutes } from "./service/many-routes.ts";
import { isLong } from "./service/test-length.ts";
import { measureFairly } from "./sip/fair-measure.ts";
import { newAddress } from "./sip/loopback.ts";
import { startCallees } from "./sip/sipp.ts";

/** In the switch, whose memory an operator has to buy: 240 measured of a million, and what its connections take besides. */
const [MAX_BYTES_A_ROUTE, MAX_BYTES_BESIDES] = [300, 512 * 1024];
/** An event loop that is blocked for this time still misses no heartbeat. */
const MAX_DEAF_MS = 200;
/**
 * While hundreds of megabytes are written for the first time, it waits for the disk now and then. Half of the 3 seconds without
 * a sign of life after which webhook numbers go to their fallback.
 */
const MAX_DEAF_LOADING_MS = 1_500;
const MAX_READ_BACK_SECONDS = 15;

const [routes, sharedMemoryMb, calls] = isLong ? [1_000_000, 1_024, 1_000] : [5_000, 64, 200];
const patienceMs = isLong ? 600_000 : 120_000;

/** How a switch and its agent get many routes, and how they come back to them. */
const running = new AsyncDisposableStack();
const callee = { address: newAddress(), port: 5080 };
let many: ManyRoutes;

beforeAll(async () => {
  const callees = startCallees(callee, "callee-of-number");
  running.defer(() => callees[Symbol.dispose]());
  const routeOf = (number: string): object => ({
    mode: "sip_uri",
    sip_uri: `sip:${number.slice(1)}@${callee.address}:${callee.port};transport=udp`,
  });
  many = running.use(await startManyRoutes({ routes, routeOf, sharedMemoryMb, patienceMs }));
});
afterAll(() => running.disposeAsync(), 60_000);

test(
  "loads all routes into the switch while the agent audits it",
  async () => {
    const { seconds, usedBytes, held, deafMs, memoryMb, cpuSeconds } = await many.load();
    console.log(
      `${routes} routes: first load ${seconds.toFixed(1)} s (agent's CPU ${cpuSeconds.toFixed(1)} s), ${(usedBytes / routes).toFixed(0)} B a route in the switch, agent at most ${memoryMb} MB and deaf for ${deafMs} ms`,
    );
    expect(held).toBe(routes);
    expect(usedBytes).toBeLessThan(routes * MAX_BYTES_A_ROUTE + MAX_BYTES_BESIDES);
    if (isLong) expect(deafMs).toBeLessThan(MAX_DEAF_LOADING_MS);
  },
  patienceMs,
);

const parts = [["switch"], ["agent"], ["switch", "agent"]] as const;
test.each(parts.map((killed) => ({ what: killed.join(" and "), killed })))(
  "reads everything back after a kill of $what, and routes every call correctly during that time",
  async ({ what, killed }) => {
    // A call that failed has failed, whatever the host did; only times are taken again.
    const isSettled = ({ seconds, successful, deafMs }: Comeback): boolean =>
      !isLong || successful < calls || (seconds < MAX_READ_BACK_SECONDS && deafMs < MAX_DEAF_MS);
    const { seconds, successful, deafMs, memoryMb } = await measureFairly(
      what,
      () => many.comeBack(killed, calls),
      isSettled,
    );
    console.log(
      `${what} killed: read back ${seconds.toFixed(1)} s after the restart, ${successful} of ${calls} calls answered; agent at most ${memoryMb} MB and deaf for ${deafMs} ms`,
    );
    expect(successful).toBe(calls);
    if (!isLong) return;
    expect(seconds).toBeLessThan(MAX_READ_BACK_SECONDS);
    expect(deafMs).toBeLessThan(MAX_DEAF_MS);
  },
  3 * patienceMs,
);
