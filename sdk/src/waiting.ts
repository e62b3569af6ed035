/** Rejects with the signal's reason, at once, when it is aborted. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal!.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal?.addEventListener("abort", stop, { once: true });
  });
}

export interface WaitOptions<Record> {
  /** Total time to wait (default: 10 minutes). */
  timeoutMs?: number | undefined;
  signal?: AbortSignal | undefined;
  /** Called with the first record, and whenever it has changed. */
  onProgress?: ((record: Record) => void) | undefined;
}

const WAIT_MS = 600_000;
/** The service takes up to 30. */
const PATIENT_SECONDS = 25;
/** For who wants to see progress. */
const CURIOUS_SECONDS = 1;
/** Extra time for the last request: without its result there would be no state to return. */
const LAST_LOOK_MS = 15_000;
/** Pause after an early response: too many requests wait, or the service does not support waiting. */
const BETWEEN_MS = 1_000;

/** Asks repeatedly, the service answering when there is something to tell, until it has ended or the time is up. */
export async function waitFor<Record>(
  ask: (waitSeconds: number, timeoutMs: number) => Promise<Record>,
  hasEnded: (record: Record) => boolean,
  options: WaitOptions<Record> & { patienceSeconds?: number },
): Promise<{ hasEnded: boolean; last: Record }> {
  const { timeoutMs = WAIT_MS, signal, onProgress } = options;
  const deadline = performance.now() + timeoutMs;
  const patience = options.patienceSeconds ?? (onProgress ? CURIOUS_SECONDS : PATIENT_SECONDS);
  let reported: string | undefined;
  for (;;) {
    const asked = performance.now();
    const leftMs = deadline - asked;
    const seconds = Math.max(1, Math.min(patience, Math.floor(leftMs / 1_000)));
    const last = await ask(seconds, Math.max(leftMs, LAST_LOOK_MS) + seconds * 1_000);
    const seen = JSON.stringify(last);
    if (onProgress && seen !== reported) onProgress(last);
    reported = seen;
    if (hasEnded(last)) return { hasEnded: true, last };
    const now = performance.now();
    if (now >= deadline) return { hasEnded: false, last };
    const wasEarly = now - asked < seconds * 900;
    if (wasEarly) await pause(Math.min(BETWEEN_MS, deadline - now), signal);
  }
}
