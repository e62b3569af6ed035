import type { Readable } from "node:stream";
import type { Database } from "../../platform/db/database.ts";
import type { RETIRED, SwitchCaller } from "../../platform/http/access.ts";
import type { Log } from "../../platform/log.ts";
import type { Metrics } from "../../platform/metrics.ts";
import { changes } from "./feed.messages.ts";
import type { DesiredState, VersionToken } from "./feed.rules.ts";
import type { Slots } from "./feed.slots.ts";
import { type EpochView, type GroupView, listAdmitted, readSpans, type ShardSpan } from "./feed.store.ts";
import { type Delivery, Subscriber } from "./feed.subscriber.ts";

interface SubscribersNeeds {
  db: Database;
  log: Log;
  metrics: Metrics;
  slots: Slots;
  /** A version that was sent to an agent, or is known here, is not part of the database's history. */
  onDiverged(at: VersionToken & { shard: number; epoch: string }): void;
}

const PING_MS = 5_000;
/** How long a switch that was retired, or whose credential was replaced, may continue reading, and another not know its state. */
const CHECK_MS = 1_000;
/** More than this in one shard at once is fetched page by page by each, not held in memory for all. */
const MOST_SHARED = 1_000;

/** The agents connected to this process. */
export class Subscribers {
  readonly #needs: SubscribersNeeds;
  readonly #all = new Set<Subscriber>();
  readonly #byGroup = new Map<string, Set<Subscriber>>();
  readonly #groupOf = new Map<number, string>();
  readonly #timers: NodeJS.Timeout[];
  #heads = new Map<number, VersionToken>();

  constructor(needs: SubscribersNeeds) {
    this.#needs = needs;
    this.#timers = [
      setInterval(() => this.#ping(), PING_MS).unref(),
      setInterval(() => void this.#check(), CHECK_MS).unref(),
    ];
  }

  get count(): number {
    return this.#all.size;
  }

  /** The state it is in, if it may read now with the credential it came with: who let it in may have remembered too long. */
  async admit({
    switchId,
    credentialVersion,
  }: SwitchCaller): Promise<DesiredState | typeof RETIRED | undefined> {
    const found = (await listAdmitted(this.#needs.db, [switchId])).get(switchId);
    return found?.credential_version === credentialVersion ? found.state : undefined;
  }

  add(
    who: SwitchCaller,
    group: GroupView & { state: DesiredState },
    startingAt: ReadonlyMap<number, VersionToken>,
  ): Readable {
    const needs = {
      ...this.#needs,
      headOf: (shard: number) => this.#heads.get(shard)?.version ?? 0,
      onDiverged: (at: VersionToken & { shard: number }) =>
        this.#needs.onDiverged({ ...at, epoch: group.epoch }),
      onEnd: (one: Subscriber) => this.#remove(one),
    };
    const subscriber = new Subscriber(needs, who, group, startingAt);
    for (const { id } of group.shards) this.#groupOf.set(id, who.groupId);
    this.#all.add(subscriber);
    const others = this.#byGroup.get(who.groupId);
    if (others) others.add(subscriber);
    else this.#byGroup.set(who.groupId, new Set([subscriber]));
    this.#needs.metrics.feedAgents.set(this.count);
    return subscriber.stream;
  }

  /** Moves the shards to these versions. It reads changes once, for all subscribers that are up to date. */
  async moveTo(epoch: string, heads: ReadonlyMap<number, VersionToken>): Promise<void> {
    const moved = [...heads]
      .map(([shard, { version, token }]): ShardSpan => {
        const before = this.#heads.get(shard);
        return { shard, version, token, after: before?.version ?? 0, afterToken: before?.token ?? 0 };
      })
      .filter(({ version, after }) => version > after);
    const spans = new Map(moved.filter((span) => this.#isAwaited(span)).map((span) => [span.shard, span]));
    const messages = new Map<number, Buffer>();
    if (spans.size > 0) {
      for (const { epoch: found, shard, items, isSound } of await readSpans(this.#needs.db, [
        ...spans.values(),
      ])) {
        if (found !== epoch) return this.endAll();
        // Each subscriber then fetches for itself, and the page says whether it is of another history.
        if (isSound) messages.set(shard, changes({ ...spans.get(shard)!, items }));
      }
    }
    for (const { shard, version, token } of moved) this.#heads.set(shard, { version, token });
    for (const [groupId, subscribers] of this.#byGroup) {
      const ofGroup = moved.filter(({ shard }) => this.#groupOf.get(shard) === groupId);
      if (ofGroup.length > 0) this.#deliver(subscribers, ofGroup, messages);
    }
  }

  /** The heads that were known, and the streams of another epoch or instance, may be of another history. */
  startOver({ epoch, instance }: Pick<EpochView, "epoch" | "instance">): void {
    this.#heads.clear();
    for (const subscriber of this.#all)
      if (subscriber.epoch !== epoch || subscriber.instance !== instance) subscriber.end();
  }

  endAll(): void {
    for (const subscriber of this.#all) subscriber.end();
  }

  close(): void {
    for (const timer of this.#timers) clearInterval(timer);
    this.endAll();
  }

  #deliver(
    subscribers: ReadonlySet<Subscriber>,
    moved: readonly ShardSpan[],
    messages: ReadonlyMap<number, Buffer>,
  ): void {
    const deliveries: Delivery[] = moved.flatMap((span) => {
      const message = messages.get(span.shard);
      return message ? { ...span, message } : [];
    });
    const together = Buffer.concat(deliveries.map(({ message }) => message));
    let delivered = 0;
    for (const subscriber of subscribers) {
      delivered += subscriber.offer(deliveries, together);
      for (const { shard, version } of moved) subscriber.notice(shard, version);
    }
    this.#needs.metrics.feedDeliveries.inc(delivered);
  }

  /** Whether a subscriber is exactly at the start of the span. No other could use it. */
  #isAwaited(span: ShardSpan): boolean {
    if (span.version - span.after > MOST_SHARED) return false;
    const subscribers = this.#byGroup.get(this.#groupOf.get(span.shard) ?? "") ?? [];
    return [...subscribers].some((one) => one.isAt(span));
  }

  #ping(): void {
    for (const subscriber of this.#all) subscriber.ping();
  }

  /** Ends the streams of switches that were retired or have a new credential, and sends the others their state. */
  async #check(): Promise<void> {
    if (this.count === 0) return;
    const asked = [...this.#all];
    const ids = [...new Set(asked.map(({ who }) => who.switchId))];
    try {
      const admitted = await listAdmitted(this.#needs.db, ids);
      for (const subscriber of asked) {
        const found = admitted.get(subscriber.who.switchId);
        if (found?.credential_version === subscriber.who.credentialVersion && found.state !== "retired")
          subscriber.tell(found.state);
        else subscriber.end();
      }
    } catch (error) {
      this.#needs.log.warn({ err: error }, "switches not checked; retrying");
    }
  }

  #remove(subscriber: Subscriber): void {
    this.#all.delete(subscriber);
    const others = this.#byGroup.get(subscriber.who.groupId);
    others?.delete(subscriber);
    if (others?.size === 0) this.#byGroup.delete(subscriber.who.groupId);
    this.#needs.metrics.feedAgents.set(this.count);
  }
}
