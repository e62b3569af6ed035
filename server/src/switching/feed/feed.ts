import type { Readable } from "node:stream";
import type { Position } from "@dialplane/switch-agent";
import type { Clock } from "../../platform/clock.ts";
import type { Database } from "../../platform/db/database.ts";
import { RETIRED, type SwitchCaller } from "../../platform/http/access.ts";
import { retiredSwitch } from "../../platform/http/admission.ts";
import type { Log } from "../../platform/log.ts";
import type { Metrics } from "../../platform/metrics.ts";
import { ApiError } from "../../platform/api-error.ts";
import { Loop } from "./feed.loop.ts";
import { Presence } from "./feed.presence.ts";
import { Slots } from "./feed.slots.ts";
import { startingPoints } from "./feed.history.ts";
import type { Divergence, VersionToken } from "./feed.rules.ts";
import { type EpochView, NO_MARK, noteInstance, readFeedState, readGroup } from "./feed.store.ts";
import { Subscribers } from "./feed.subscribers.ts";

export { HeldValue } from "./feed.schema.ts";
export type { Divergence } from "./feed.rules.ts";

/** A version of a shard. */
export interface Place {
  shard: number;
  version: number;
}

/**
 * Sends switches their desired configuration. Every process polls the versions of all shards with one query. It reads
 * changes once and sends them to every agent connected to this process.
 */
export interface Feed {
  /** Something was committed here: look now, not at the next turn. */
  poke(): void;
  /** Resolves when every switch that counts has read back all of these, or when the signal says so. */
  waitUntilConfirmed(places: readonly Place[], signal: AbortSignal): Promise<void>;
  /** The stream of desired items from a position, one message per line, without end. */
  open(who: SwitchCaller, position: Position): Promise<Readable>;
  /** The epoch this process last saw. */
  epoch(): string | undefined;
  /** Checks for another epoch, even if no agent is connected. */
  checkEpoch(): void;
  /** A switch holds a version that is not part of this database's history. */
  rolledBack(divergence: Divergence): Promise<void>;
  /** A sign of life, and what was said. */
  seen(switchId: string, said: string, hasRead: boolean): void;
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
  /** Begins another epoch and raises the alarm. */
  declareRollback(divergence: Divergence): Promise<void>;
  /** How many agents are brought up to date at the same time. */
  catchUps: number;
}

/** Nothing runs until `checkEpoch`, an agent or a waiting request needs it. */
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
  readonly #heads = new Map<number, VersionToken>();
  readonly #confirmed = new Map<number, number>();
  readonly #waiting = new Set<Waiter>();
  #epoch: string | undefined;
  #instance: string | undefined;
  #mark = NO_MARK;
  #xmin = 0n;
  /** Polls that take too long are overtaken by the next one; what they then bring is old. */
  #pollsBegun = 0;
  #lastPollTaken = 0;
  #isEpochInDoubt = false;
  #isDraining = false;

  constructor(needs: FeedNeeds) {
    this.#needs = needs;
    this.#presence = new Presence(needs);
    this.#subscribers = new Subscribers({
      ...needs,
      slots: new Slots(needs.catchUps),
      onDiverged: ({ epoch, ...at }) => this.#declareRollback({ epoch, evidence: { sent: at } }),
    });
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

  seen(switchId: string, said: string, hasRead: boolean): void {
    this.#presence.seen(switchId, said, hasRead);
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

  async rolledBack(divergence: Divergence): Promise<void> {
    await this.#needs.declareRollback(divergence);
    this.checkEpoch();
  }

  async open(who: SwitchCaller, position: Position): Promise<Readable> {
    this.#refuseWhileDraining();
    let group = await readGroup(this.#needs.db, who);
    // Held agents may come from any history.
    let startingAt = group.isHeld
      ? new Map(group.shards.map(({ id, held }) => [id, held]))
      : await startingPoints(this.#needs.db, who, group, position);
    if ("evidence" in startingAt) {
      await this.rolledBack({ epoch: group.epoch, evidence: startingAt.evidence });
      group = await readGroup(this.#needs.db, who);
      startingAt = new Map(group.isHeld ? group.shards.map(({ id, held }) => [id, held]) : []);
    }
    if (group.isHeld && !(group.isRestore && position.can_hold)) throw heldFeed();
    const state = await this.#subscribers.admit(who);
    if (!state) throw replacedCredential();
    if (state === RETIRED) throw retiredSwitch();
    this.#refuseWhileDraining();
    const stream = this.#subscribers.add(who, { ...group, state }, startingAt);
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
    const poll = ++this.#pollsBegun;
    const stop = this.#needs.metrics.feedPollSeconds.startTimer();
    const state = await readFeedState(this.#needs.db, this.#mark);
    stop();
    if (poll < this.#lastPollTaken) return;
    this.#lastPollTaken = poll;
    this.#needs.metrics.feedHeld.set(state.isHeld ? 1 : 0);
    if (state.epoch !== this.#epoch || state.instance !== this.#instance || BigInt(state.xmin) < this.#xmin) {
      const isWhole = this.#mark === NO_MARK;
      await this.#enter(state);
      // Only a poll without a mark brings every shard.
      if (!isWhole) return this.#loop.poke();
    }
    this.#xmin = BigInt(state.xmin);
    this.#isEpochInDoubt = state.isHeld;
    const { heads } = state;
    const diverged = [...heads].find(([shard, head]) => isRollback(this.#heads.get(shard), head));
    if (diverged) {
      const [shard, { version, token }] = diverged;
      const known = this.#heads.get(shard)!;
      await this.rolledBack({
        epoch: state.epoch,
        evidence: { shard, ...known, head: version, head_token: token },
      });
      return;
    }
    this.#take(heads, state.confirmed);
    if (heads.size > 0) await this.#subscribers.moveTo(state.epoch, heads);
    this.#mark = state.mark;
    for (const { places, end } of this.#waiting) if (this.#isConfirmed(places)) end();
  }

  #isConfirmed(places: readonly Place[]): boolean {
    return places.every(({ shard, version }) => (this.#confirmed.get(shard) ?? -1) >= version);
  }

  /**
   * Another epoch, or another instance of the database: all shards are read again. Agents come back at once and present
   * what they hold. Under the same epoch the heads stay known, to be compared with those of the new instance.
   */
  async #enter({ epoch, instance, isHeld }: EpochView): Promise<void> {
    if (instance !== this.#instance) await noteInstance(this.#needs.db, this.#needs.clock.now());
    if (epoch !== this.#epoch) {
      this.#needs.log.info({ from: this.#epoch, to: epoch, isHeld }, "an epoch of the feed begins");
      this.#heads.clear();
    }
    this.#epoch = epoch;
    this.#instance = instance;
    this.#mark = NO_MARK;
    this.#xmin = 0n;
    this.#confirmed.clear();
    this.#subscribers.startOver({ epoch, instance });
  }

  #take(heads: ReadonlyMap<number, VersionToken>, confirmed: ReadonlyMap<number, number>): void {
    if (heads.size === 0 && confirmed.size === 0) return;
    for (const [shard, head] of heads) this.#heads.set(shard, head);
    for (const [shard, version] of confirmed) this.#confirmed.set(shard, version);
    let unconfirmed = 0;
    for (const [shard, { version }] of this.#heads)
      unconfirmed += version - (this.#confirmed.get(shard) ?? 0);
    this.#needs.metrics.feedUnconfirmed.set(unconfirmed);
  }

  #declareRollback(divergence: Divergence): void {
    this.rolledBack(divergence).catch((error: unknown) => {
      this.#needs.log.error({ err: error, ...divergence }, "rollback detected but not recorded");
    });
  }

  #refuseWhileDraining(): void {
    if (this.#isDraining)
      throw new ApiError("unavailable", "This process is stopping. Connect again.", { retryAfterSeconds: 1 });
  }
}

function replacedCredential(): ApiError {
  return new ApiError("unauthenticated", "The credential was replaced.", {
    headers: { "www-authenticate": 'Bearer realm="dialplane", error="invalid_token"' },
  });
}

export function heldFeed(): ApiError {
  return new ApiError(
    "feed_held",
    "The database was rolled back. Switches are held until an operator resolves the rollback.",
    { retryAfterSeconds: 5 },
  );
}

/** A head never falls, and one version never changes its token. */
function isRollback(known: VersionToken | undefined, found: VersionToken): boolean {
  if (!known) return false;
  return found.version < known.version || (found.version === known.version && found.token !== known.token);
}
