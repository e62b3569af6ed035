import { createInterface } from "node:readline";
import type { FeedMessage, Position, Report } from "@dialplane/switch-agent";
import type { Feed } from "../feed.ts";
import type { SwitchCaller } from "../../../platform/http/access.ts";
import { until } from "../../../../testing/service.ts";

/** A version of a shard as it was committed, with the generations of its items. */
export interface CommittedVersion {
  version: number;
  token: number;
  items: ReadonlyMap<string, number>;
}

interface Stored {
  version: number;
  token: number;
  items: Map<string, number>;
}

/** The stored and presented state of an agent, without a switch. */
export class ModelAgent {
  readonly #who: SwitchCaller;
  #epoch: string | null = null;
  #shards = new Map<number, Stored>();
  #kept: { epoch: string | null; shards: Map<number, Stored> } = { epoch: null, shards: new Map() };
  #listed: number[] = [];
  #line: { end(): void } | undefined;
  #isReady = false;

  constructor(who: SwitchCaller) {
    this.#who = who;
  }

  isReady(): boolean {
    return this.#isReady;
  }

  async connect(feed: Feed): Promise<void> {
    this.disconnect();
    const stream = await feed.open(this.#who, this.#position());
    const lines = createInterface({ input: stream, crlfDelay: Infinity });
    const line = { end: () => void stream.destroy() };
    this.#line = line;
    this.#isReady = false;
    lines.on("line", (text) => {
      if (this.#line === line) this.#take(JSON.parse(text) as FeedMessage);
    });
    // As an agent does: a line that ends is opened again.
    stream.on("close", () => {
      if (this.#line !== line) return;
      this.#line = undefined;
      void this.connect(feed).catch(() => undefined);
    });
    await until(() => this.#isReady || this.#line !== line, 10_000);
  }

  disconnect(): void {
    const line = this.#line;
    this.#line = undefined;
    line?.end();
  }

  /** Its disk is put back later as it is now. */
  keepStore(): void {
    this.#kept = { epoch: this.#epoch, shards: structuredClone(this.#shards) };
  }

  loseStore(): void {
    this.disconnect();
    this.#epoch = this.#kept.epoch;
    this.#shards = structuredClone(this.#kept.shards);
  }

  report(): Report | undefined {
    if (this.#epoch === null) return undefined;
    const observed_at = new Date().toISOString();
    const shards = [...this.#shards]
      .filter(([shard]) => this.#listed.includes(shard))
      .map(([shard, { version, token }]) => ({
        shard,
        version,
        position: version,
        version_token: token,
        observed_at,
        exceptions: [],
      }));
    return { epoch: this.#epoch, boot: "boot", agent_version: "model", is_complete: false, shards };
  }

  holds(truth: ReadonlyMap<number, CommittedVersion[]>): boolean {
    return [...truth].every(([shard, versions]) => {
      const stored = this.#shards.get(shard);
      const head = versions.at(-1);
      if (!head) return stored?.items.size === 0;
      if (stored?.version !== head.version || stored.token !== head.token) return false;
      return (
        [...head.items].every(([item, generation]) => stored.items.get(item) === generation) &&
        stored.items.size === head.items.size
      );
    });
  }

  text(): string {
    return JSON.stringify(
      [...this.#shards].slice(0, 2).map(([shard, one]) => [shard, one.version, one.token]),
    );
  }

  #position(): Position {
    const by = (field: "version" | "token") =>
      Object.fromEntries([...this.#shards].map(([shard, stored]) => [shard, stored[field]]));
    return {
      epoch: this.#epoch,
      versions: by("version"),
      tokens: by("token"),
      switch_id: this.#who.switchId,
    };
  }

  #take(message: FeedMessage): void {
    if (message.type === "ready") this.#isReady = true;
    if (message.type === "hello") {
      if (message.epoch !== this.#epoch) this.#shards.clear();
      this.#epoch = message.epoch;
      this.#listed = message.shards;
    }
    if (message.type !== "snapshot" && message.type !== "changes") return;
    const { shard, version, version_token: token } = message;
    const before = this.#shards.get(shard);
    if (message.type === "changes" && version <= before!.version) return;
    const items = new Map(message.type === "snapshot" ? [] : before!.items);
    for (const { id, generation, value } of message.items) {
      if (value === null) items.delete(id);
      else items.set(id, generation);
    }
    this.#shards.set(shard, { version, token: token!, items });
  }
}
