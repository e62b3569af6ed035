/** Maximum open requests. At this count the test has already failed. */
const MOST_OPEN = 2_000;

/**
 * Sends requests at a fixed rate, whether or not earlier ones have ended. `dueMs` is the scheduled time of a request,
 * so that a latency measured from it includes every wait.
 */
export function startSteadyStream(
  perSecond: number,
  fire: (nth: number, dueMs: number) => Promise<void>,
): AsyncDisposable {
  const startedAt = performance.now();
  const dueMs = (nth: number): number => startedAt + (nth * 1000) / perSecond;
  const open = new Set<Promise<void>>();
  let nth = 0;
  let timer: NodeJS.Timeout;
  const tick = (): void => {
    for (; dueMs(nth) <= performance.now(); nth++) {
      if (open.size >= MOST_OPEN) throw new Error(`${MOST_OPEN} requests are not answered.`);
      const fired: Promise<void> = fire(nth, dueMs(nth)).finally(() => open.delete(fired));
      open.add(fired);
    }
    timer = setTimeout(tick, Math.max(0, dueMs(nth) - performance.now()));
  };
  tick();
  return {
    /** Stops, and waits for what is in progress. */
    async [Symbol.asyncDispose]() {
      clearTimeout(timer);
      await Promise.all(open);
    },
  };
}
