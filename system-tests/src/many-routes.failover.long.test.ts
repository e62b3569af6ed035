import { afterAll, expect, test } from "vitest";
import type { RouteOf } from "./service/generated-feed.ts";
import { type ManyRoutes, startManyRoutes } from "./service/many-routes.ts";
import { newAddress } from "./sip/loopback.ts";
import { startCallees } from "./sip/sipp.ts";

const ROUTES = 1_000_000;
const CALLS = 500;
const ROUNDS = 3;
const MAX_RATIO = 1.15;
const SETTINGS = { routes: ROUTES, sharedMemoryMb: 1_024, patienceMs: 600_000 };
const LONG_MS = 3_600_000;

const running = new AsyncDisposableStack();
afterAll(() => running.disposeAsync(), 60_000);

test(
  "a million routes, one in ten of which has failover, are read back after a kill about as fast as a million without",
  async () => {
    const callee = { address: newAddress(), port: 5080 };
    const callees = startCallees(callee, "callee-of-number");
    running.defer(() => callees[Symbol.dispose]());
    const plain: RouteOf = (number) => ({
      mode: "sip_uri",
      sip_uri: `sip:${number.slice(1)}@${callee.address}:${callee.port};transport=udp`,
    });
    const withFailover: RouteOf = (number, place) =>
      place % 10 > 0
        ? plain(number, place)
        : { ...plain(number, place), ring_seconds: 20, fallback: fallbackOf(place, callee.address) };
    const started: { name: string; many: ManyRoutes; bytes: number; seconds: number[] }[] = [];
    for (const [name, routeOf] of Object.entries({ plain, withFailover })) {
      const many = running.use(await startManyRoutes({ ...SETTINGS, routeOf }));
      const { usedBytes, held, seconds } = await many.load();
      expect(held).toBe(ROUTES);
      const bytes = usedBytes / ROUTES;
      console.log(`${name}: first load ${seconds.toFixed(1)} s, ${bytes.toFixed(0)} B a route in the switch`);
      started.push({ name, many, bytes, seconds: [] });
    }
    for (let round = 0; round < ROUNDS; round++)
      for (const one of started) {
        const { seconds, successful } = await one.many.comeBack(["switch", "agent"], CALLS);
        expect(successful).toBe(CALLS);
        one.seconds.push(seconds);
      }
    const [before, after] = started.map(({ seconds }) => seconds.toSorted((a, b) => a - b)[1]!);
    console.log(
      `read back after a kill of switch and agent, median of ${ROUNDS}: plain ${before!.toFixed(1)} s, with failover ${after!.toFixed(1)} s, ratio ${(after! / before!).toFixed(3)}`,
    );
    expect(after! / before!).toBeLessThan(MAX_RATIO);
  },
  LONG_MS,
);

/** Half of them have three steps. */
function fallbackOf(place: number, address: string): object {
  const last = { mode: "forward", forward_to: "+442079460000", on: ["unreachable", "no_answer", "busy"] };
  const second = {
    mode: "sip_uri",
    sip_uri: `sip:desk${place}@${address}:5080;transport=udp`,
    on: ["unreachable", "no_answer"],
  };
  return place % 20 > 0 ? second : { ...second, ring_seconds: 20, fallback: last };
}
