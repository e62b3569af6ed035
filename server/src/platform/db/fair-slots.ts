/** Thrown to a caller that waited too long for a slot. */
export class NoSlot extends Error {
  constructor() {
    super("Too many requests of this organisation are in progress.");
  }
}

interface Waiter {
  start(): void;
}

/**
 * Shares a limited number of slots among keys. A key never has more than its share, and keys that wait take turns, so
 * that one with many requests delays its own requests and not those of others.
 */
export class FairSlots {
  readonly #share: number;
  readonly #waitMs: number;
  readonly #used = new Map<string, number>();
  /** The key whose turn is next comes first. */
  readonly #waiting = new Map<string, Waiter[]>();
  #free: number;

  constructor({ slots, share, waitMs }: { slots: number; share: number; waitMs: number }) {
    this.#share = share;
    this.#waitMs = waitMs;
    this.#free = slots;
  }

  get waiting(): number {
    return [...this.#waiting.values()].reduce((sum, { length }) => sum + length, 0);
  }

  /** A slot, free again when it is disposed of. Rejects with NoSlot after the waiting time. */
  async take(key: string): Promise<Disposable> {
    if (this.#free > 0 && this.#usedBy(key) < this.#share) this.#start(key);
    else await this.#wait(key);
    return { [Symbol.dispose]: () => this.#release(key) };
  }

  #usedBy(key: string): number {
    return this.#used.get(key) ?? 0;
  }

  #start(key: string): void {
    this.#free--;
    this.#used.set(key, this.#usedBy(key) + 1);
  }

  #release(key: string): void {
    const used = this.#usedBy(key) - 1;
    if (used > 0) this.#used.set(key, used);
    else this.#used.delete(key);
    this.#free++;
    for (const [next, waiters] of this.#waiting) {
      if (this.#usedBy(next) >= this.#share) continue;
      const waiter = waiters.shift()!;
      this.#waiting.delete(next);
      if (waiters.length > 0) this.#waiting.set(next, waiters);
      this.#start(next);
      return waiter.start();
    }
  }

  #wait(key: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiters = this.#waiting.get(key) ?? [];
      const timer = setTimeout(() => {
        waiters.splice(waiters.indexOf(waiter), 1);
        if (waiters.length === 0) this.#waiting.delete(key);
        reject(new NoSlot());
      }, this.#waitMs);
      const waiter = {
        start: () => {
          clearTimeout(timer);
          resolve();
        },
      };
      waiters.push(waiter);
      this.#waiting.set(key, waiters);
    });
  }
}
