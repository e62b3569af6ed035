import type { AgentLog } from "../agent-log.ts";
import type { ConnectionValue } from "../control-plane.ts";
import { canonicalText, type HeldItem } from "../held-item.ts";
import type { ConnectionSets } from "./connection-sets.ts";
import { ASKEW, type HeldDigests } from "./held-routes.ts";
import {
  addHashes,
  asDigest,
  connectionText,
  hashOfRow,
  readConnectionText,
  type Row,
} from "./route-text.ts";
import type { SwitchMemory } from "./switch-memory.ts";
import type { SwitchRows } from "./switch-rows.ts";

interface Needs {
  rows: SwitchRows;
  memory: SwitchMemory;
  sets: ConnectionSets;
  log: AgentLog;
}

/** A connection by the switch's answers: its row, and what its dispatcher sets really hold. */
interface Held {
  item: HeldItem;
  text: string;
  /** As its row names them. */
  sets: string;
  isAsFile: boolean;
}

const PAGE = 1_000;

/** There are few connections compared with routes, so queries for all of them read all of them. */
export class HeldConnections {
  readonly #needs: Needs;

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  async read(ids: string[]): Promise<Map<string, HeldItem>> {
    if (ids.length === 0) return new Map();
    const held = await this.#readRows(ids);
    return new Map(held.map(({ item }) => [item.id, item]));
  }

  /** No update may run concurrently. */
  async digests(): Promise<HeldDigests> {
    const { rows, sets } = this.#needs;
    const stored = this.#listStored();
    const held = await this.#readRows(stored.map(({ key }) => key));
    const strangers = await this.#findStrangers(held);
    const sums = new Map<number, number>();
    for (const item of [...held.map((one) => one.item), ...strangers]) {
      const text = connectionText(item, "");
      sums.set(item.shard, addHashes(sums.get(item.shard) ?? 0, hashOfRow({ key: item.id, text })));
    }
    await sets.dropStrangers(held.map((one) => one.sets));
    const askew = new Set(held.filter((one) => !one.isAsFile).map(({ item }) => item.shard));
    for (const { shard } of strangers) askew.add(shard);
    const isAsFile = askew.size === 0 && held.length === rows.count("cn");
    const digests = [...sums].map(
      ([shard, sum]) => [shard, asDigest(sum) + (askew.has(shard) ? ASKEW : 0n)] as const,
    );
    return { digests: new Map(digests), isAsFile };
  }

  async readShard(shard: number): Promise<HeldItem[]> {
    const keys = this.#needs.rows.list("cn", shard).map(({ key }) => key);
    const held = await this.#readRows(keys);
    const strangers = await this.#findStrangers(
      await this.#readRows(this.#listStored().map(({ key }) => key)),
    );
    return [...held.map(({ item }) => item), ...strangers].filter((item) => item.shard === shard);
  }

  async #readRows(ids: string[]): Promise<Held[]> {
    if (ids.length === 0) return [];
    const { rows, memory, sets } = this.#needs;
    const [texts, listed] = await Promise.all([memory.get("cn", ids), sets.list()]);
    return ids.flatMap((key, place) => {
      const text = texts[place];
      const read = text === undefined ? undefined : readConnectionText({ key, text });
      if (text === undefined || !read) return [];
      const value = read.item.value as ConnectionValue;
      const targets = sets.heldTargets(key, value, read.sets, listed);
      const isWhole = canonicalText(targets) === canonicalText(value.targets);
      const isAsFile = isWhole && text === rows.find("cn", key);
      const item = { ...read.item, value: { ...value, targets } };
      return [{ item, text, sets: read.sets, isAsFile }];
    });
  }

  /** Rows in memory that the file lacks. They have no known targets, so the agent sets or deletes them. */
  async #findStrangers(held: { item: HeldItem; text: string }[]): Promise<HeldItem[]> {
    const { rows, memory } = this.#needs;
    const known = new Map<number, number>();
    for (const { item, text } of held)
      known.set(item.shard, addHashes(known.get(item.shard) ?? 0, hashOfRow({ key: item.id, text })));
    const items: HeldItem[] = [];
    const dropped: Row[] = [];
    for (const [shard, sum] of await memory.digests("cn")) {
      if (known.get(shard) === sum) continue;
      for (const row of await memory.search("cn", shard)) {
        if (rows.find("cn", row.key) !== undefined) continue;
        const read = readConnectionText(row);
        if (read) items.push({ ...read.item, value: { ...read.item.value, targets: [] } });
        else dropped.push(row);
      }
    }
    if (dropped.length > 0)
      await memory.set(
        "cn",
        dropped.map(({ key }) => ({ key, text: null })),
      );
    return items;
  }

  #listStored(): Row[] {
    const { rows } = this.#needs;
    const all: Row[] = [];
    for (;;) {
      const page = rows.page("cn", all.at(-1)?.key ?? "", PAGE);
      all.push(...page);
      if (page.length < PAGE) return all;
    }
  }
}
