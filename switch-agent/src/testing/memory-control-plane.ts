import type {
  ControlPlane,
  FeedItem,
  FeedMessage,
  ItemKind,
  Position,
  Report,
  ShardReport,
} from "../control-plane.ts";
import { ControlPlaneError } from "../control-plane-error.ts";
import type { ItemValue } from "../held-item.ts";

/** The service's side of the protocol, in memory, with faults on demand. */
export class MemoryControlPlane implements ControlPlane {
  epoch = "epoch-1";
  instance = "instance-1";
  /** None: a service of the previous version, which rejects what it does not know. */
  features: string[] | undefined;
  /** How each shard is, as reported last under the present epoch. */
  readonly reported = new Map<number, ShardReport>();
  readonly reports: Report[] = [];
  /** Number of next reports that are lost. */
  failingReports = 0;
  /** In place of every stream. */
  rejection: Error | undefined;
  followed: Position[] = [];
  readonly #shards = new Map<number, { version: number; items: Map<string, FeedItem> }>();
  readonly #lines = new Set<{ queue: FeedMessage[]; wake(): void }>();
  readonly #history: (FeedItem & { shard: number })[] = [];
  #generation = 0;

  constructor(shards = [0, 1]) {
    for (const shard of shards) this.#shards.set(shard, { version: 0, items: new Map() });
  }

  /** Changes several items in one message; returns the shard's new version. */
  change(shard: number, values: { kind?: ItemKind; id: string; value: ItemValue | null }[]): number {
    const state = this.#shards.get(shard)!;
    const items = values.map(({ kind = "route", id, value }) => {
      const item: FeedItem = { kind, id, version: ++state.version, generation: ++this.#generation, value };
      state.items.set(`${kind}/${id}`, item);
      this.#history.push({ ...item, shard });
      return item;
    });
    this.send({ type: "changes", ...this.#at(shard, state.version), items });
    return state.version;
  }

  send(message: FeedMessage): void {
    for (const line of this.#lines) {
      line.queue.push(message);
      line.wake();
    }
  }

  /** A promoted standby: versions count differently, and something may be missing. */
  startEpoch(
    epoch: string,
    edit: (shards: Map<number, { version: number; items: Map<string, FeedItem> }>) => void,
  ): void {
    this.epoch = epoch;
    this.reported.clear();
    edit(this.#shards);
    this.dropLines();
  }

  list(shard: number): Pick<FeedItem, "id" | "version" | "value">[] {
    return [...this.#shards.get(shard)!.items.values()]
      .filter((item) => item.value !== null)
      .sort((one, other) => one.version - other.version)
      .map(({ id, version, value }) => ({ id, version, value }));
  }

  /** Every value an item had, oldest first. */
  historyOf(shard: number, id: string): FeedItem[] {
    return this.#history.filter((item) => item.shard === shard && item.id === id);
  }

  /** Of every item that ever was in a shard. */
  idsOf(shard: number): string[] {
    return [...new Set(this.#history.filter((item) => item.shard === shard).map((item) => item.id))];
  }

  versionOf(shard: number): number {
    return this.#shards.get(shard)!.version;
  }

  openLines(): number {
    return this.#lines.size;
  }

  dropLines(): void {
    for (const line of this.#lines) {
      this.#lines.delete(line);
      line.wake();
    }
  }

  async *follow(position: Position, signal: AbortSignal): AsyncGenerator<FeedMessage> {
    this.followed.push(position);
    if (this.rejection) throw this.rejection;
    if (!this.features && position.tokens) throw new ControlPlaneError(400, "invalid_request", "tokens");
    let wake: (() => void) | undefined;
    const line = { queue: this.#backlog(position), wake: () => wake?.() };
    this.#lines.add(line);
    const stop = (): void => {
      this.#lines.delete(line);
      line.wake();
    };
    signal.addEventListener("abort", stop);
    try {
      while (this.#lines.has(line)) {
        const message = line.queue.shift();
        if (message) yield structuredClone(message);
        else await new Promise<void>((resolve) => (wake = resolve));
      }
    } finally {
      stop();
    }
  }

  async report(report: Report): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    if (this.failingReports > 0) {
      this.failingReports -= 1;
      throw new Error("The service is not there.");
    }
    if (report.epoch !== this.epoch) throw new Error("Another epoch.");
    if (!this.features && report.shards.some((shard) => shard.version_token !== undefined))
      throw new ControlPlaneError(400, "invalid_request", "version_token");
    this.reports.push(structuredClone(report));
    for (const shard of report.shards) this.reported.set(shard.shard, structuredClone(shard));
  }

  #at(shard: number, version: number): { shard: number; version: number; version_token?: number } {
    return { shard, version, ...(this.features && { version_token: 1_000 * version + shard }) };
  }

  #backlog(position: Position): FeedMessage[] {
    const hello: FeedMessage = {
      type: "hello",
      epoch: this.epoch,
      ...(this.features && { instance: this.instance, features: this.features }),
      switch: { id: "switch-1", name: "test" },
      shards: [...this.#shards.keys()],
    };
    const known = position.epoch === this.epoch ? position.versions : {};
    const shards = [...this.#shards].flatMap(([shard, { version, items }]): FeedMessage[] => {
      const from = known[shard];
      const all = [...items.values()].sort((one, other) => one.version - other.version);
      if (from === undefined || from > version)
        return [
          { type: "snapshot", ...this.#at(shard, version), items: all.filter((item) => item.value !== null) },
        ];
      const newer = all.filter((item) => item.version > from);
      return newer.length === 0 ? [] : [{ type: "changes", ...this.#at(shard, version), items: newer }];
    });
    return [hello, ...shards, { type: "ready" }];
  }
}
