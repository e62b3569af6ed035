import { placeSimulatedCall, recordOf, type SimulatedCall } from "@dialplane/switch-agent";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** On a working day of today; a year ago the demo's companies were small. */
const CALLS_A_DAY = 900;
const GROWTH_A_YEAR = 30;
/** Calls per hour of the day in UTC. There are none at night. */
const BUSY = [0, 0, 0, 0, 0, 0, 1, 3, 8, 12, 14, 12, 8, 10, 12, 11, 9, 6, 3, 2, 1, 0, 0, 0];
const WEEKEND_SHARE = 0.2;

type Placing = Parameters<typeof placeSimulatedCall>;
export type CalledRoute = Placing[0] & Pick<Placing[1], "connectionWith">;

/** Calls of the last `days` times 24 hours, newest day first. */
export function* pastCalls(
  routes: readonly CalledRoute[],
  days: number,
  nowMs: number,
): Generator<ReturnType<typeof recordOf>[]> {
  const fromMs = nowMs - days * DAY_MS;
  for (let back = 0; days > 0 && back <= days; back++) {
    const midnight = Math.floor(nowMs / DAY_MS) * DAY_MS - back * DAY_MS;
    const isWeekend = [0, 6].includes(new Date(midnight).getUTCDay());
    const wanted = CALLS_A_DAY * GROWTH_A_YEAR ** (-back / 365) * (isWeekend ? WEEKEND_SHARE : 1);
    const calls = Array.from({ length: Math.round(wanted) }, () => callAt(routes, midnight + momentMs()));
    // Drops calls that would still be active: the running demo simulates those.
    yield calls.filter(({ startedMs, endsAtMs }) => startedMs >= fromMs && endsAtMs < nowMs).map(recordOf);
  }
}

function callAt(routes: readonly CalledRoute[], startedMs: number): SimulatedCall {
  // Prefers the first numbers, as if they were well known.
  const { connectionWith, ...route } = routes[Math.floor(Math.random() ** 2 * routes.length)]!;
  return placeSimulatedCall(route, { startedMs, connectionWith });
}

function momentMs(): number {
  let left = Math.random() * BUSY.reduce((sum, one) => sum + one, 0);
  const hour = BUSY.findIndex((share) => (left -= share) < 0);
  return Math.floor((hour + Math.random()) * HOUR_MS);
}
