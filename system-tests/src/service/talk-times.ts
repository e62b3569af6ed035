import type { PlacedCall } from "../sip/load-caller.ts";

/** From the answer to the end, by the clock of this machine. */
export interface Talk {
  fromMs: number;
  toMs: number;
}

const LOOK_MS = 20;

/** When callers heard an answer, and when their calls were over for them: to the hundredth of a second or two. */
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
