import type { FeedItem, ReportedException, ShardReport } from "@dialplane/switch-agent";
import { type Service, until } from "./service.ts";
import { exceptionOf, sendReport, shardReport } from "./switch-reports.ts";

type Value = FeedItem["value"];

interface PublishedItem {
  id: string;
  shard: number;
  version: number;
  generation: number;
  value: Value;
}

/** Last report of a shard that the service accepted. */
interface Said {
  version: number;
  live: Set<string>;
}

/**
 * A switch with a correct agent. It applies, loses and rejects items as the test says, and always reports the
 * held items. It keeps its reports, so that a test can compare them with the service's knowledge.
 */
export class PlayedSwitch {
  readonly #service: Service;
  readonly id: string;
  readonly name: string;
  readonly #groupId: string;
  credential: string;
  isRetired = false;
  isAway = false;
  #boots = 1;
  #heads = new Map<number, number>();
  readonly #published = new Map<string, PublishedItem>();
  readonly #holds = new Map<string, Pick<PublishedItem, "generation" | "value">>();
  readonly #refuses = new Set<string>();
  readonly #said = new Map<number, Said>();

  constructor(service: Service, made: { id: string; name: string; groupId: string; credential: string }) {
    this.#service = service;
    this.id = made.id;
    this.name = made.name;
    this.#groupId = made.groupId;
    this.credential = made.credential;
  }

  /** Reads all desired items, and applies those that it does not reject. */
  async take(): Promise<void> {
    const rows = await this.#service.database.admin<PublishedItem & { head: string; item: string | null }>(
      `select s.id as shard, s.head, i.item_id as id, i.version::integer, i.generation::integer, i.value
       from feed_shards s left join lateral (
         select distinct on (f.item_id) f.* from feed_items f where f.shard = s.id order by f.item_id, f.version desc
       ) i on true where s.group_id = $1`,
      [this.#groupId],
    );
    for (const { head, ...item } of rows) {
      this.#heads.set(item.shard, Number(head));
      if (item.id === null || (this.#published.get(item.id)?.version ?? 0) >= item.version) continue;
      this.#published.set(item.id, item);
      if (!this.#refuses.has(item.id)) this.#holds.set(item.id, item);
    }
  }

  /** Says of every shard it knows how it is. The answer's status. */
  async report(): Promise<number> {
    const shards = [...this.#heads].map(([shard, version]) =>
      shardReport(shard, version, this.#exceptionsOf(shard)),
    );
    return this.#send(shards, shards.length > 0);
  }

  async readBack(): Promise<void> {
    await this.take();
    await this.report();
  }

  /** Restarts empty; its agent says so at once. */
  async loseMemory(): Promise<void> {
    this.#boots += 1;
    for (const memory of [this.#heads, this.#published, this.#holds, this.#refuses]) memory.clear();
    await this.#send([], false);
  }

  /** Simulates a manual change: the switch holds another route than the desired one. */
  drift(numberId: string): void {
    const { generation = 1 } = this.#published.get(numberId) ?? {};
    const value: Value = { e164: "+442079460000", mode: "sip_uri", sip_uri: "sip:drifted@pbx.example.com" };
    if (this.#published.has(numberId)) this.#holds.set(numberId, { generation, value });
  }

  /** Keeps the held item of a number and rejects all changes. */
  refuse(numberId: string): void {
    this.#refuses.add(numberId);
  }

  repair(): void {
    this.#refuses.clear();
    for (const [id, told] of this.#published) this.#holds.set(id, told);
  }

  /** Simulates a long silence. Earlier heartbeats may still be recorded, so the caller must poll. */
  async fallSilent(): Promise<void> {
    this.isAway = true;
    await this.#service.database.admin(
      `update switches set last_seen_at = now() - interval '1 hour', created_at = now() - interval '1 day' where id = $1`,
      [this.id],
    );
  }

  /** Earlier reports no longer count: the operator has retired it. */
  retire(): void {
    this.isRetired = true;
    this.#said.clear();
  }

  holds(numberId: string): Value | undefined {
    return this.#holds.get(numberId)?.value;
  }

  holdsLive(numberId: string): boolean {
    return isLive(this.holds(numberId));
  }

  /** Whether it has said, at that version or a later one, that it holds no live route of a number. */
  saidUnrouted({ id, shard, version }: Pick<PublishedItem, "id" | "shard" | "version">): boolean {
    const said = this.#said.get(shard);
    return said !== undefined && said.version >= version && !said.live.has(id);
  }

  /** A replaced credential may remain valid for up to a second. */
  async untilRefused(credential: string): Promise<void> {
    const say = { boot: this.#boot(), is_complete: false };
    await until(async () => (await sendReport(this.#service, credential, say)).status === 401);
  }

  #boot(): string {
    return `boot ${this.#boots}`;
  }

  async #send(shards: ShardReport[], isComplete: boolean): Promise<number> {
    const report = { boot: this.#boot(), is_complete: isComplete, shards };
    const { status } = await sendReport(this.#service, this.credential, report);
    if (status !== 204) return status;
    // A mere sign of life is recorded seconds later.
    if (shards.length > 0) this.isAway = false;
    if (!isComplete) this.#said.clear();
    for (const { shard, version } of shards) {
      const live = [...this.#published.values()].filter(
        (one) => one.shard === shard && this.holdsLive(one.id),
      );
      this.#said.set(shard, { version, live: new Set(live.map(({ id }) => id)) });
    }
    return status;
  }

  #exceptionsOf(shard: number): ReportedException[] {
    return [...this.#published.values()].flatMap((told) => {
      const held = this.#holds.get(told.id);
      if (told.shard !== shard || JSON.stringify(held?.value) === JSON.stringify(told.value)) return [];
      const applied = held?.value ? { generation: held.generation, value: held.value } : null;
      const state = this.#refuses.has(told.id) ? "failed" : "drifted";
      return [exceptionOf(told.id, told.version, { state, applied })];
    });
  }
}

function isLive(value: Value | undefined): boolean {
  return value !== null && value !== undefined && "mode" in value && value.mode !== "unrouted";
}
