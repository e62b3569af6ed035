import { type AgentLog, textOf } from "../agent-log.ts";
import { backOffMs } from "../timing.ts";
import { LookUps } from "./look-ups.ts";
import { MOST_ADDRESSES, type Resolved, type SipResolver } from "./sip-names.ts";

export interface NameTiming {
  tickMs: number;
  /** Minimum and maximum lifetime of a look-up, regardless of the records' TTL. */
  minKeptMs: number;
  maxKeptMs: number;
  /** After a failure of a name that once led somewhere. */
  retryMs: number;
  /** A name that never did is tried sooner, and then ever more rarely. */
  firstRetryMs: number;
  maxRetryMs: number;
}

const USUAL: NameTiming = {
  tickMs: 1_000,
  minKeptMs: 30_000,
  maxKeptMs: 600_000,
  retryMs: 30_000,
  firstRetryMs: 5_000,
  maxRetryMs: 600_000,
};
/**
 * With an unreachable name server a look-up takes about 3 seconds (see sip-names.ts). A thousand such new
 * names delay other new names by 16 seconds, once. Failed names delay only other failed names.
 */
const AT_ONCE = { first: 192, again: 32, vain: 32 };

interface Name {
  key: string;
  /** `address:port;transport,…`; empty for none; undefined while never resolved. */
  text: string | undefined;
  /** Whether the switch knows it. */
  isSent: boolean;
  dueAtMs: number;
  /** Settles with the first attempt, whatever came of it. */
  first: PromiseWithResolvers<void>;
  isTried: boolean;
  isFailing: boolean;
  /** Look-ups in a row that found nothing. */
  failures: number;
}

interface Needs {
  resolve: SipResolver;
  log: AgentLog;
  /** A name leads elsewhere now; the name counts as resolved once this has been seen to. */
  changed(key: string, text: string): Promise<void>;
  /** Whether anything still needs it. */
  isUsed(key: string): boolean;
}

/**
 * Resolves customers' host names in advance, so that calls never wait for DNS. The last good addresses stay
 * until a look-up returns new ones.
 */
export class HostAddresses {
  readonly #needs: Needs;
  readonly #timing: NameTiming;
  readonly #names = new Map<string, Name>();
  readonly #timer: NodeJS.Timeout;
  readonly #lookUps = {
    first: new LookUps<Name>(AT_ONCE.first, (name) => this.#resolve(name)),
    again: new LookUps<Name>(AT_ONCE.again, (name) => this.#resolve(name)),
    vain: new LookUps<Name>(AT_ONCE.vain, (name) => this.#resolve(name)),
  };
  #isClosed = false;

  constructor(needs: Needs, timing: Partial<NameTiming> = {}) {
    this.#needs = needs;
    this.#timing = { ...USUAL, ...timing };
    this.#timer = setInterval(() => this.#look(), this.#timing.tickMs);
  }

  /** Restores an address that an earlier run stored. It is looked up again soon. */
  restore(key: string, text: string | undefined): void {
    this.#add(key, text);
  }

  /** A name that never resolved is looked up at once: the customer may have fixed it. */
  want(keys: string[]): void {
    for (const key of keys) {
      const name = this.#names.get(key);
      if (!name) this.#add(key, undefined);
      else if (name.text === undefined && name.dueAtMs < Infinity) {
        name.failures = 1;
        this.#start(name);
      }
    }
  }

  /** The switch no longer has them either. A name that is needed again gets a new look-up. */
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
    const state = { isSent: isTried, isTried, isFailing: false, failures: 0, dueAtMs: 0 };
    const name: Name = { key, text, first, ...state };
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
    const { first, again, vain } = this.#lookUps;
    if (!name.isTried) first.add(name);
    else (name.failures > 0 ? vain : again).add(name);
  }

  async #resolve(name: Name): Promise<void> {
    if (this.#isClosed || this.#names.get(name.key) !== name) return name.first.resolve();
    const { resolve, changed, log } = this.#needs;
    const { minKeptMs, maxKeptMs, retryMs, firstRetryMs, maxRetryMs } = this.#timing;
    let keptMs = name.text === undefined ? backOffMs(name.failures, firstRetryMs, maxRetryMs) : retryMs;
    let problem = "name not resolved; keeping its last addresses";
    name.failures += 1;
    try {
      const found = await resolve(name.key);
      if (this.#isClosed) return;
      name.failures = 0;
      const text = textOfAddresses(found, name.text);
      if (text !== name.text || !name.isSent) {
        if (text === "") log.warn({ host: name.key }, "name resolves to an address that is not allowed");
        Object.assign(name, { text, isSent: false });
        keptMs = firstRetryMs;
        problem = "addresses of a name not sent to the switch; retrying";
        await changed(name.key, text);
        name.isSent = true;
      }
      name.isFailing = false;
      keptMs = Math.min(maxKeptMs, Math.max(minKeptMs, found.isWhole ? found.ttlSeconds * 1_000 : retryMs));
    } catch (error) {
      if (!name.isFailing && !this.#isClosed) log.warn({ host: name.key, error: textOf(error) }, problem);
      name.isFailing = true;
    }
    name.dueAtMs = performance.now() + keptMs;
    name.isTried = true;
    name.first.resolve();
  }
}

/**
 * If a name server did not respond, the previous addresses follow the new ones. An empty list means that none
 * is allowed.
 */
function textOfAddresses({ addresses, isWhole }: Resolved, before: string | undefined): string {
  if (isWhole || addresses.length === 0 || !before) return addresses.join(",");
  return [...new Set([...addresses, ...before.split(",")])].slice(0, MOST_ADDRESSES).join(",");
}
