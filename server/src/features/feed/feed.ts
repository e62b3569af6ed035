import type { Readable } from "node:stream";
import type { Position } from "@dialplane/switch-agent";
import type { Clock } from "../../platform/clock.ts";
import type { Database } from "../../platform/db/database.ts";
import { RETIRED, type SwitchCaller } from "../../platform/http/access.ts";
import { retiredSwitch } from "../../platform/http/admission.ts";
import type { Log } from "../../platform/log.ts";
import type { Metrics } from "../../platform/metrics.ts";
import { Refusal } from "../../platform/refusal.ts";
import { Loop } from "./feed.loop.ts";
import { Presence } from "./feed.presence.ts";
import { Slots } from "./feed.slots.ts";
import { beginEpoch, type FeedState, NO_MARK, readFeedState, readGroup } from "./feed.store.ts";
import { Subscribers } from "./feed.subscribers.ts";

export { HeldValue } from "./feed.schema.ts";

/** A version of a shard. */
export interface Place {
  shard: number;
  version: number;
}

/**
 * Tells switches what they should hold. Every process asks the database how far each shard is, over and over
 * and once for all; what is new is read once and handed to every agent connected to this process.
 */
export interface Feed {
  /** Something was committed here: look now, not at the next turn. */
  poke(): void;
  /** Resolves when every switch that counts has read back all of these, or when the signal says so. */
  waitUntilConfirmed(places: readonly Place[], signal: AbortSignal): Promise<void>;
  /** What a switch should hold from its position on, one message a line, without end. */
  open(who: SwitchCaller, position: Position): Promise<Readable>;
  /** The epoch this process last saw. */
  epoch(): string | undefined;
  /** The epoch may be another one: look, even if nobody is connected. */
  checkEpoch(): void;
  /** A sign of life, and what was said. */
  heard(switchId: string, said: string, hasRead: boolean): void;
  lastHeard(switchId: string): string | undefined;
  /** Ends every stream and opens no more. */
  drain(): void;
  close(): Promise<void>;
}

interface FeedNeeds {
  db: Database;
  clock: Clock;
  log: Log;
  metrics: Metrics;
  pollMs: number;
  /** How many agents are brought up to date at the same time. */
  catchUps: number;
}

/** Nothing runs until `checkEpoch`, an agent or somebody who waits. */
export function openFeed(needs: FeedNeeds): Feed {
  return new RunningFeed(needs);
}

interface Waiter {
  places: readonly Place[];
  end(): void;
}

class RunningFeed implements Feed {
  readonly #needs: FeedNeeds;
  readonly #loop: Loop;
  readonly #presence: Presence;
  readonly #subscribers: Subscribers;
  readonly #heads = new Map<number, number>();
  readonly #confirmed = new Map<number, number>();
  readonly #waiting = new Set<Waiter>();
  #epoch: string | undefined;
  #mark = NO_MARK;
  #unconfirmed = 0;
  #isEpochInDoubt = false;
  #isDraining = false;

  constructor(needs: FeedNeeds) {
    this.#needs = needs;
    this.#presence = new Presence(needs);
    this.#subscribers = new Subscribers({ ...needs, slots: new Slots(needs.catchUps) });
    this.#loop = new Loop({
      everyMs: needs.pollMs,
      log: needs.log,
      isNeeded: () => this.#isEpochInDoubt || this.#waiting.size > 0 || this.#subscribers.count > 0,
      run: () => this.#poll(),
    });
  }

  poke(): void {
    this.#loop.poke();
  }

  epoch(): string | undefined {
    return this.#epoch;
  }

  checkEpoch(): void {
    this.#isEpochInDoubt = true;
    this.#loop.poke();
  }

  heard(switchId: string, said: string, hasRead: boolean): void {
    this.#presence.heard(switchId, said, hasRead);
  }

  lastHeard(switchId: string): string | undefined {
    return this.#presence.lastHeard(switchId);
  }

  async waitUntilConfirmed(places: readonly Place[], signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const waiter = { places, end: resolve };
    const giveUp = (): void => resolve();
    signal.addEventListener("abort", giveUp, { once: true });
    this.#waiting.add(waiter);
    this.#loop.poke();
    try {
      await promise;
    } finally {
      this.#waiting.delete(waiter);
      signal.removeEventListener("abort", giveUp);
    }
  }

  async open(who: SwitchCaller, position: Position): Promise<Readable> {
    this.#refuseWhileDraining();
    let group = await readGroup(this.#needs.db, who);
    if (group.found !== group.epoch) {
      await beginEpoch(this.#needs.db, this.#needs.clock.now());
      group = await readGroup(this.#needs.db, who);
    }
    const state = await this.#subscribers.admit(who);
    if (!state) throw replacedCredential();
    if (state === RETIRED) throw retiredSwitch();
    this.#refuseWhileDraining();
    const stream = this.#subscribers.add(who, group, position, state);
    this.#loop.poke();
    return stream;
  }

  drain(): void {
    this.#isDraining = true;
    this.#subscribers.endAll();
  }

  async close(): Promise<void> {
    this.drain();
    this.#subscribers.close();
    for (const waiter of this.#waiting) waiter.end();
    await this.#loop.close();
    await this.#presence.close();
  }

  async #poll(): Promise<void> {
    const stop = this.#needs.metrics.feedPollSeconds.startTimer();
    const state = await readFeedState(this.#needs.db, this.#mark);
    stop();
    if (state.found !== state.epoch) {
      await beginEpoch(this.#needs.db, this.#needs.clock.now());
      this.#needs.log.warn({ from: state.epoch, to: state.found }, "another epoch begins");
      return this.#loop.poke();
    }
    if (state.epoch !== this.#epoch) {
      const isWhole = this.#mark === NO_MARK;
      this.#enter(state.epoch);
      if (!isWhole) return this.#loop.poke();
    }
    this.#isEpochInDoubt = false;
    const heads = this.#take(state);
    if (heads.size > 0) await this.#subscribers.moveTo(state.epoch, heads);
    this.#mark = state.mark;
    for (const { places, end } of this.#waiting) if (this.#isConfirmed(places)) end();
  }

  #isConfirmed(places: readonly Place[]): boolean {
    return places.every(({ shard, version }) => (this.#confirmed.get(shard) ?? -1) >= version);
  }

  /** What was known belongs to another history. */
  #enter(epoch: string): void {
    this.#epoch = epoch;
    this.#mark = NO_MARK;
    this.#heads.clear();
    this.#confirmed.clear();
    this.#unconfirmed = 0;
    this.#subscribers.endOthers(epoch);
  }

  /** The confirmed versions are kept; the heads are passed on. */
  #take({ heads: headsText, confirmed }: FeedState): Map<number, number> {
    const heads = versionsIn(headsText);
    this.#unconfirmed += growth(this.#heads, heads) - growth(this.#confirmed, versionsIn(confirmed));
    this.#needs.metrics.feedUnconfirmed.set(this.#unconfirmed);
    return heads;
  }

  #refuseWhileDraining(): void {
    if (this.#isDraining)
      throw new Refusal("unavailable", "This process is stopping; connect again.", { retryAfterSeconds: 1 });
  }
}

function replacedCredential(): Refusal {
  return new Refusal("unauthenticated", "The credential was replaced.", {
    headers: { "www-authenticate": 'Bearer realm="dialplane", error="invalid_token"' },
  });
}

function versionsIn(text: string | null): Map<number, number> {
  return new Map(text?.split(",").map((pair) => pair.split(" ").map(Number) as [number, number]));
}

/** Takes over what is newer, and says by how much. */
function growth(known: Map<number, number>, found: ReadonlyMap<number, number>): number {
  let grown = 0;
  for (const [shard, version] of found) {
    const before = known.get(shard) ?? 0;
    if (version < before) continue;
    known.set(shard, version);
    grown += version - before;
  }
  return grown;
}
