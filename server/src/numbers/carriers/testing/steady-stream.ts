/** Beyond so many without an answer nothing is asked any longer: the test has failed long before. */
const MOST_OPEN = 2_000;

/**
 * Asks at a fixed rate, answered or not: whoever gets no answer asks no less often. `dueMs` is when it should have
 * been asked, so that a time counted from there hides no wait.
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
