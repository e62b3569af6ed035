const T1_MS = 500;
const T2_MS = 4_000;
const GIVE_UP_MS = 64 * T1_MS;

/**
 * Retransmissions until a response arrives, for 32 seconds at most: RFC 3261, section 17.1.2.2. One per call.
 */
export class SipRepeats {
  readonly #timers = new Map<string, NodeJS.Timeout>();

  start(callId: string, send: () => void): void {
    this.stop(callId);
    this.#send(callId, send, { waitMs: T1_MS, endMs: performance.now() + GIVE_UP_MS });
  }

  stop(callId: string): void {
    clearTimeout(this.#timers.get(callId));
    this.#timers.delete(callId);
  }

  stopAll(): void {
    for (const callId of this.#timers.keys()) this.stop(callId);
  }

  isQuiet(): boolean {
    return this.#timers.size === 0;
  }

  #send(callId: string, send: () => void, { waitMs, endMs }: { waitMs: number; endMs: number }): void {
    if (performance.now() >= endMs) return this.stop(callId);
    send();
    const next = { waitMs: Math.min(2 * waitMs, T2_MS), endMs };
    this.#timers.set(
      callId,
      setTimeout(() => this.#send(callId, send, next), waitMs),
    );
  }
}
