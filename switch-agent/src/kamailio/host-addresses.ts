import { type AgentLog, textOf } from "../agent-log.ts";
import type { SipResolver } from "./sip-names.ts";

export interface NameTiming {
  tickMs: number;
  /** Whatever the name's own records say, a look-up holds at least and at most so long. */
  minKeptMs: number;
  maxKeptMs: number;
  /** After a failure; a name that never led anywhere is tried sooner. */
  retryMs: number;
  firstRetryMs: number;
}

const USUAL: NameTiming = {
  tickMs: 1_000,
  minKeptMs: 30_000,
  maxKeptMs: 600_000,
  retryMs: 30_000,
  firstRetryMs: 5_000,
};
const MAX_AT_ONCE = 64;

interface Name {
  key: string;
  /** `address:port;transport,…`; empty for none; undefined while never resolved. */
  text: string | undefined;
  /** Whether the switch knows it. */
  isTold: boolean;
  dueAtMs: number;
  /** Settles with the first attempt, whatever came of it. */
  first: PromiseWithResolvers<void>;
  isTried: boolean;
  isFailing: boolean;
}

interface Needs {
  resolve: SipResolver;
  log: AgentLog;
  /** A name leads elsewhere now; the name counts as resolved once this has been seen to. */
  changed(key: string, text: string): Promise<void>;
  /** Whether anything still needs it. */
  isUsed(key: string): boolean;
}

/** Where customers' names lead, resolved here so that no call ever waits for it; what once was good stays until something better comes. */
export class HostAddresses {
  readonly #needs: Needs;
  readonly #timing: NameTiming;
  readonly #names = new Map<string, Name>();
  readonly #timer: NodeJS.Timeout;
  #running = 0;
  #waiting: Name[] = [];
  #isClosed = false;

  constructor(needs: Needs, timing: Partial<NameTiming> = {}) {
    this.#needs = needs;
    this.#timing = { ...USUAL, ...timing };
    this.#timer = setInterval(() => this.#look(), this.#timing.tickMs);
  }

  /** As it was stored by an earlier run; it is looked up again soon. */
  restore(key: string, text: string | undefined): void {
    this.#add(key, text);
  }

  want(keys: string[]): void {
    for (const key of keys) if (!this.#names.has(key)) this.#add(key, undefined);
  }

  /** The switch no longer has them either: whoever wants one again has it looked up anew. */
  forget(keys: string[]): void {
    for (const key of keys) this.#names.delete(key);
  }

  /** Undefined where all of them were tried at least once. */
  whenTried(keys: string[]): Promise<unknown> | undefined {
    const open = keys.flatMap((key) => {
      const name = this.#names.get(key);
      return name && !name.isTried ? [name.first.promise] : [];
    });
    return open.length > 0 ? Promise.all(open) : undefined;
  }

  /** Whether it was looked up at least once. */
  isTried(key: string): boolean {
    return this.#names.get(key)?.isTried ?? false;
  }

  addressesOf(key: string): string[] {
    const text = this.#names.get(key)?.text ?? "";
    return text === "" ? [] : text.split(",");
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
    for (const { first } of this.#names.values()) first.resolve();
  }

  #add(key: string, text: string | undefined): void {
    const isTried = text !== undefined;
    const first = Promise.withResolvers<void>();
    const name: Name = { key, text, isTold: isTried, dueAtMs: 0, first, isTried, isFailing: false };
    this.#names.set(key, name);
    this.#start(name);
  }

  #look(): void {
    const nowMs = performance.now();
    for (const name of this.#names.values()) {
      if (name.dueAtMs > nowMs) continue;
      if (this.#needs.isUsed(name.key)) this.#start(name);
      else this.#names.delete(name.key);
    }
  }

  #start(name: Name): void {
    name.dueAtMs = Infinity;
    this.#waiting.push(name);
    this.#pump();
  }

  #pump(): void {
    while (this.#running < MAX_AT_ONCE && this.#waiting.length > 0 && !this.#isClosed) {
      const name = this.#waiting.shift()!;
      this.#running += 1;
      void this.#resolve(name).finally(() => {
        this.#running -= 1;
        this.#pump();
      });
    }
  }

  async #resolve(name: Name): Promise<void> {
    const { resolve, changed, log } = this.#needs;
    const { minKeptMs, maxKeptMs, retryMs, firstRetryMs } = this.#timing;
    let keptMs = name.text === undefined ? firstRetryMs : retryMs;
    let problem = "a name cannot be resolved; its last addresses stay";
    try {
      const { addresses, ttlSeconds } = await resolve(name.key);
      if (this.#isClosed) return;
      const text = addresses.join(",");
      if (text !== name.text || !name.isTold) {
        if (text === "") log.warn({ host: name.key }, "a name leads to an address that is not allowed");
        Object.assign(name, { text, isTold: false });
        keptMs = firstRetryMs;
        problem = "the switch could not be told where a name leads; it will be again";
        await changed(name.key, text);
        name.isTold = true;
      }
      name.isFailing = false;
      keptMs = Math.min(maxKeptMs, Math.max(minKeptMs, ttlSeconds * 1_000));
    } catch (error) {
      if (!name.isFailing && !this.#isClosed) log.warn({ host: name.key, error: textOf(error) }, problem);
      name.isFailing = true;
    }
    name.dueAtMs = performance.now() + keptMs;
    name.isTried = true;
    name.first.resolve();
  }
}
