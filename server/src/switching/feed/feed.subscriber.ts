import { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import type { Database } from "../../platform/db/database.ts";
import type { SwitchCaller } from "../../platform/http/access.ts";
import type { Log } from "../../platform/log.ts";
import { changes, hello, PING, READY, snapshot, state as stateMessage } from "./feed.messages.ts";
import { FROM_NOTHING, type DesiredState, type VersionToken } from "./feed.rules.ts";
import type { Slots } from "./feed.slots.ts";
import { type GroupView, readChanges, readSnapshots, type ShardPage, type ShardSpan } from "./feed.store.ts";

export interface SubscriberNeeds {
  db: Database;
  log: Log;
  /** Limits concurrent catch-ups, which are expensive. */
  slots: Slots;
  /** The newest version of a shard this process knows of. */
  headOf(shard: number): number;
  /** The version that the agent was sent is not part of this history. */
  onDiverged(at: VersionToken & { shard: number }): void;
  onEnd(subscriber: Subscriber): void;
}

/** A message that is identical for all subscribers that have read a shard up to `after`. */
export interface Delivery extends ShardSpan {
  message: Buffer;
}

/** Maximum buffer of one subscriber, next to one page or snapshot. Beyond it, the subscriber has to catch up. */
const BUFFER_BYTES = 256 * 1024;
const PAGE_ITEMS = 500;
const PAGE_SHARDS = 32;
const SNAPSHOT_ITEMS = 5_000;
/** A line on which nothing moves for this long is given up. */
const STALLED_MS = 60_000;
const LONGEST_PAUSE_MS = 5_000;

/**
 * One agent's stream. It tracks the version of each shard that it has sent. An agent that is up to date gets changes
 * as they come. A slow one catches up from its position.
 */
export class Subscriber {
  readonly who: SwitchCaller;
  readonly epoch: string;
  readonly instance: string;
  readonly stream: Readable;
  readonly #needs: SubscriberNeeds;
  readonly #at = new Map<number, VersionToken>();
  readonly #behind = new Set<number>();
  /** When it was opened. */
  readonly #heads: ReadonlyMap<number, number>;
  #state: DesiredState | undefined;
  #isCatchingUp = false;
  #isReady = false;
  #fullSince: number | undefined;
  #wakeUp: (() => void) | undefined;

  constructor(
    needs: SubscriberNeeds,
    who: SwitchCaller,
    group: GroupView & { state: DesiredState },
    startingAt: ReadonlyMap<number, VersionToken>,
  ) {
    const { epoch, shards, state } = group;
    this.#needs = needs;
    this.who = who;
    this.epoch = epoch;
    this.instance = group.instance;
    this.#heads = new Map(shards.map(({ id, head }) => [id, head]));
    this.stream = new Readable({
      highWaterMark: BUFFER_BYTES,
      read: () => this.#drained(),
      destroy: (_error, done) => {
        this.#drained();
        needs.onEnd(this);
        done(null);
      },
    });
    this.#write(
      hello(
        group,
        who,
        shards.map(({ id }) => id),
      ),
    );
    this.tell(state);
    for (const shard of shards) {
      const at = startingAt.get(shard.id) ?? FROM_NOTHING;
      this.#at.set(shard.id, at);
      if (at.version < Math.max(shard.head, needs.headOf(shard.id))) this.#behind.add(shard.id);
    }
    void this.#catchUp();
  }

  /** Sends the desired state, if it has changed. */
  tell(state: DesiredState): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#write(stateMessage(state));
  }

  /** New versions of shards of its group; `together` are their messages in one piece. */
  offer(deliveries: readonly Delivery[], together: Buffer): number {
    const fitting = deliveries.filter((delivery) => this.isAt(delivery));
    for (const { shard, version, token } of fitting) this.#at.set(shard, { version, token });
    if (fitting.length > 0)
      this.#write(
        fitting.length === deliveries.length ? together : Buffer.concat(fitting.map((one) => one.message)),
      );
    return fitting.length;
  }

  /** There is something it has not been given. */
  notice(shard: number, head: number): void {
    if (this.#at.get(shard)!.version >= head) return;
    this.#behind.add(shard);
    void this.#catchUp();
  }

  /** Whether the span begins where this subscriber is. */
  isAt({ shard, after, afterToken }: ShardSpan): boolean {
    if (this.#isCatchingUp || this.#fullSince !== undefined) return false;
    const at = this.#at.get(shard);
    return at?.version === after && at.token === afterToken;
  }

  ping(): void {
    if (this.#fullSince === undefined) this.#write(PING);
    else if (performance.now() - this.#fullSince > STALLED_MS) this.end();
  }

  end(): void {
    this.stream.destroy();
  }

  async #catchUp(): Promise<void> {
    if (this.#isCatchingUp) return;
    this.#isCatchingUp = true;
    for (let failures = 0; this.#behind.size > 0 && !this.stream.destroyed;) {
      await this.#room();
      try {
        await this.#needs.slots.run(() => this.#fetch());
        failures = 0;
      } catch (error) {
        if (failures++ === 0) this.#needs.log.warn({ err: error }, "catch-up of an agent failed");
        await pause(Math.min(LONGEST_PAUSE_MS, 100 * 2 ** failures));
      }
    }
    this.#isCatchingUp = false;
    if (!this.#isReady) this.#write(READY);
    this.#isReady = true;
  }

  async #fetch(): Promise<void> {
    if (this.stream.destroyed) return;
    const behind = [...this.#behind].map((shard) => ({ shard, after: this.#at.get(shard)!.version }));
    const unknown = behind.filter(({ after }) => after === FROM_NOTHING.version).map(({ shard }) => shard);
    if (unknown.length > 0) return this.#fetchSnapshots(this.#fewOf(unknown));
    const pages = await readChanges(this.#needs.db, this.who, behind.slice(0, PAGE_SHARDS), PAGE_ITEMS);
    if (pages.some(({ epoch }) => epoch !== this.epoch)) return this.end();
    const messages = pages.flatMap((page) => this.#take(page) ?? []);
    if (messages.length > 0) this.#write(Buffer.concat(messages));
  }

  async #fetchSnapshots(shards: readonly number[]): Promise<void> {
    const snapshots = await readSnapshots(this.#needs.db, this.who, shards);
    if (snapshots.some(({ epoch }) => epoch !== this.epoch)) return this.end();
    for (const one of snapshots) this.#stands(one.shard, one, one.version);
    this.#write(Buffer.concat(snapshots.map(snapshot)));
  }

  /** Limits the shards per query by the items of their snapshots: a shard has at most as many items as versions. */
  #fewOf(shards: readonly number[]): number[] {
    let items = 0;
    const count = shards.findIndex((shard) => (items += this.#heads.get(shard)!) > SNAPSHOT_ITEMS);
    return shards.slice(0, count === -1 ? shards.length : Math.max(1, count));
  }

  #take(page: ShardPage): Buffer | undefined {
    const { shard, head, floor, version, afterToken } = page;
    const before = this.#at.get(shard)!;
    if (before.version > head || (afterToken !== null && afterToken !== before.token)) {
      this.#needs.onDiverged({ shard, ...before });
      this.end();
      return undefined;
    }
    // Unknown: its item has a newer version that every switch which counts holds.
    if (before.version < floor || afterToken === null) {
      this.#at.set(shard, FROM_NOTHING);
      return undefined;
    }
    this.#stands(shard, page, head);
    return version > before.version ? changes(page) : undefined;
  }

  #stands(shard: number, { version, token }: VersionToken, head: number): void {
    this.#at.set(shard, { version, token });
    if (version >= Math.max(head, this.#needs.headOf(shard))) this.#behind.delete(shard);
  }

  #write(message: Buffer): void {
    if (this.stream.destroyed) return;
    if (!this.stream.push(message)) this.#fullSince ??= performance.now();
  }

  async #room(): Promise<void> {
    while (this.#fullSince !== undefined && !this.stream.destroyed)
      await new Promise<void>((resolve) => (this.#wakeUp = resolve));
  }

  #drained(): void {
    this.#fullSince = undefined;
    this.#wakeUp?.();
  }
}
