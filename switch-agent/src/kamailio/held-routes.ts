import type { AgentLog } from "../agent-log.ts";
import type { HeldItem } from "../held-item.ts";
import {
  addHashes,
  asDigest,
  hashOfRow,
  ownerOf,
  readRouteRow,
  type Row,
  withoutBarred,
} from "./route-text.ts";
import type { SwitchMemory } from "./switch-memory.ts";
import type { RowChange, SwitchRows } from "./switch-rows.ts";

interface Needs {
  rows: SwitchRows;
  memory: SwitchMemory;
  log: AgentLog;
  isBarred(uri: string): boolean;
}

/** Digests of the shards in the switch's memory, and whether its file matches them. */
export interface HeldDigests {
  digests: Map<number, bigint>;
  isAsFile: boolean;
}

/** Makes a digest one that no sum of hashes can be: the shard has to be read. */
export const ASKEW = 1n;
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Routes as the switch's memory has them, found by number. */
export class HeldRoutes {
  readonly #needs: Needs;
  /** Shards changed since digests were last read: their sums are outdated. */
  readonly #touched = new Set<number>();
  /** Routes that the file no longer has and memory may: their numbers, until the switch has said that it took them away. */
  readonly #leaving = new Map<string, string>();
  #sums = new Map<number, number>();

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  touch(rows: RowChange[]): void {
    for (const { key, text } of rows) {
      const before = text === null ? this.#needs.rows.find("rt", key) : text;
      if (before !== undefined) this.#touched.add(ownerOf(before).shard);
    }
  }

  /**
   * Deletion of a route, which may still be queued. Undefined if there is no row, or another route has its
   * number.
   */
  removal(id: string, soonAt: string | undefined): RowChange | undefined {
    const { rows } = this.#needs;
    if (soonAt !== undefined) return { table: "rt", key: soonAt, text: null };
    const key = rows.findKey(id) ?? this.#leaving.get(id);
    if (key === undefined) return undefined;
    const stored = rows.find("rt", key);
    if (stored === undefined ? !this.#leaving.has(id) : ownerOf(stored).id !== id) return undefined;
    return { table: "rt", key, text: null };
  }

  leaves(id: string, key: string): void {
    this.#leaving.set(id, key);
  }

  hasLeft(id: string): void {
    this.#leaving.delete(id);
  }

  async read(ids: string[]): Promise<Map<string, HeldItem>> {
    const { rows, memory } = this.#needs;
    const keys = ids.flatMap((id) => rows.findKey(id) ?? this.#leaving.get(id) ?? []);
    const texts = await memory.get("rt", keys);
    const items = new Map<string, HeldItem>();
    keys.forEach((key, place) => {
      const text = this.#shownOf(texts[place], rows.find("rt", key));
      for (const item of itemsIn(key, text)) items.set(item.id, item);
    });
    return items;
  }

  /** `inTurn` holds up changes where a shard has to be looked at while nothing moves. */
  async digests(inTurn: (work: () => Promise<boolean>) => Promise<boolean>): Promise<HeldDigests> {
    const { rows, memory } = this.#needs;
    this.#touched.clear();
    const sums = await memory.digests("rt");
    this.#sums = sums;
    const stored = rows.digests();
    const digests = new Map<number, bigint>();
    let isAsFile = true;
    for (const shard of new Set([...sums.keys(), ...stored.keys()])) {
      const sum = sums.get(shard) ?? 0;
      const isSame = sum === (stored.get(shard) ?? 0);
      const isMoving = this.#touched.has(shard);
      if (!isSame && !(isMoving && (await inTurn(() => this.#isAsFile(shard))))) isAsFile = false;
      if (sums.has(shard)) digests.set(shard, asDigest(sum) + (isSame || isMoving ? 0n : ASKEW));
    }
    return { digests, isAsFile };
  }

  /**
   * `isFollowing`: the file is updated to match memory, and the agent then changes both.
   * `assertSame` throws if the switch has restarted since reading began.
   */
  async readShard(
    shard: number,
    { isFollowing, assertSame }: { isFollowing: boolean; assertSame(): Promise<void> },
  ): Promise<HeldItem[]> {
    const { rows, memory } = this.#needs;
    const stored = rows.list("rt", shard);
    const texts = await memory.get(
      "rt",
      stored.map(({ key }) => key),
    );
    await assertSame();
    let sum = 0;
    const differing: RowChange[] = [];
    const items = stored.flatMap(({ key, text: told }, place) => {
      const text = texts[place];
      if (text !== undefined && ownerOf(text).shard === shard) sum = addHashes(sum, hashOfRow({ key, text }));
      const shown = this.#shownOf(text, told);
      const found = itemsIn(key, shown).filter(({ id }) => id === ownerOf(told).id);
      // A row changed during the read is newer than the result.
      if (shown !== told && rows.find("rt", key) === told)
        differing.push({ table: "rt", key, text: found.length > 0 ? shown! : null });
      return found;
    });
    if (isFollowing && differing.length > 0) rows.write(differing);
    if (!this.#touched.has(shard)) {
      if (sum !== (this.#sums.get(shard) ?? sum)) items.push(...(await this.#findStrangers(shard)));
      else if (isFollowing && sum !== (rows.digests().get(shard) ?? 0)) rows.recount(shard);
    }
    return items;
  }

  /**
   * The text in memory. Returns the file's text if they differ only by barred addresses, else the barred
   * route would look correct and stay.
   */
  #shownOf(text: string | undefined, told: string | undefined): string | undefined {
    return text !== undefined && withoutBarred(text, this.#needs.isBarred) === told ? told : text;
  }

  async #isAsFile(shard: number): Promise<boolean> {
    const stored = this.#needs.rows.list("rt", shard);
    const texts = await this.#needs.memory.get(
      "rt",
      stored.map(({ key }) => key),
    );
    return stored.every(({ text }, place) => text === texts[place]);
  }

  /**
   * Rows in memory that the file lacks. A route is added to the file, so that the agent can delete or keep
   * it. A row that is not a route, or has another route's number, cannot be reported and is deleted.
   */
  async #findStrangers(shard: number): Promise<HeldItem[]> {
    const { rows, memory, log } = this.#needs;
    const items: HeldItem[] = [];
    const adopted: RowChange[] = [];
    const dropped: Row[] = [];
    for (const { key, text } of await memory.search("rt", shard)) {
      const stored = rows.find("rt", key);
      const row = { key, text: withoutBarred(text, this.#needs.isBarred) };
      const item = readRouteRow(row);
      if (stored !== undefined) {
        // Put into this shard by hand: the agent knows where it belongs.
        if (item && ownerOf(stored).shard !== shard && ownerOf(stored).id === item.id) items.push(item);
      } else if (item && UUID.test(item.id) && rows.findKey(item.id) === undefined) {
        items.push(item);
        adopted.push({ table: "rt", ...row });
      } else dropped.push(row);
    }
    rows.write(adopted);
    if (dropped.length > 0) {
      log.warn({ shard, rows: dropped.length }, "unexpected rows in the switch; deleting them");
      await memory.set(
        "rt",
        dropped.map(({ key }) => ({ key, text: null })),
      );
    }
    return items;
  }
}

function itemsIn(key: string, text: string | undefined): HeldItem[] {
  const item = text === undefined ? undefined : readRouteRow({ key, text });
  return item ? [item] : [];
}
