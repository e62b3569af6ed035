import type { PlacedCall } from "../sip/load-caller.ts";

/** Time from answer to end, by the clock of this machine. */
export interface Talk {
  fromMs: number;
  toMs: number;
}

const LOOK_MS = 20;

/** Start and end of talks from the callers' view, with a resolution of 10 to 20 ms. */
export class TalkTimes implements Disposable {
  readonly talks = new Map<string, Talk>();
  readonly #up = new Map<string, number>();
  readonly #timer: NodeJS.Timeout;

  constructor(calls: () => ReadonlyMap<string, PlacedCall>) {
    this.#timer = setInterval(() => {
      for (const [callId, fromMs] of this.#up) {
        if (!calls().get(callId)!.hasEnded) continue;
        this.talks.set(callId, { fromMs, toMs: Date.now() });
        this.#up.delete(callId);
      }
    }, LOOK_MS);
  }

  answered(callId: string): void {
    this.#up.set(callId, Date.now());
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}
