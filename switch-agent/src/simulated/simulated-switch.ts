import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { ConnectionHealth } from "../control-plane.ts";
import type { Answer, SwitchChange, SwitchDriver } from "../driver.ts";
import { hashOfItem, type HeldItem, type ItemName, type ItemValue, keyOf, sumOf } from "../held-item.ts";
import { simulatedHealth } from "./magic-hosts.ts";
import { SimulatedForwarding } from "./simulated-forwarding.ts";
import { SimulatedProbes } from "./simulated-probes.ts";
import { SimulatedTrunks } from "./simulated-trunks.ts";
import { DRIFT_MS, MAGIC_NUMBERS, SLOW_MS } from "./magic-numbers.ts";

/** A switch in memory, and what can be done to it from outside. */
export interface SimulatedSwitch extends SwitchDriver {
  /** Limits of forwarded calls. */
  readonly forwarding: SimulatedForwarding;
  readonly trunks: SimulatedTrunks;
  readonly probes: SimulatedProbes;
  held(name: ItemName): HeldItem | undefined;
  listHeld(): Iterable<HeldItem>;
  /** Changes the held value as if an operator had done so on the switch. Null deletes it. */
  drift(name: ItemName, value: ItemValue | null): void;
  /** Delays responses to changes of this item. Undefined removes the delay. */
  slow(id: string, ms: number | undefined): void;
  /** Rejects changes to this item with these words; undefined: takes them again. */
  refuse(id: string, words: string | undefined): void;
  /** Says that changes to this item are done, and does nothing. */
  pretend(id: string, isPretending: boolean): void;
  /** Stops all responses until `resume`, which sends the pending ones. */
  hang(): void;
  resume(): void;
  /** Restarts empty. */
  loseMemory(): void;
}

export interface SimulatedOptions {
  slowMs?: number;
  driftMs?: number;
  /** One-way latency of a request or a response. */
  latencyMs?: number;
}

const abilities = (table: Table) => ({
  features: ["failover", "forwarding", "trunks", "probes"],
  forwarding: new SimulatedForwarding(),
  trunks: new SimulatedTrunks(),
  probes: new SimulatedProbes(table),
  hash: hashOfItem,
});

export function simulatedSwitch(options: SimulatedOptions = {}): SimulatedSwitch {
  const { slowMs = SLOW_MS, driftMs = DRIFT_MS, latencyMs = 0 } = options;
  const table = new Table();
  const behaviour = new Behaviour(slowMs);
  const later = new Map<string, NodeJS.Timeout>();
  let boot = randomUUID();
  const line = new Line(latencyMs);

  const after = (key: string, ms: number, work: () => void) => later.set(key, setTimeout(work, ms).unref());
  function put(change: SwitchChange): void {
    table.put(change, change.want);
    const { want } = change;
    if (!want || e164Of(want) !== MAGIC_NUMBERS.drifting.e164) return;
    const drifted = { ...want, value: { e164: MAGIC_NUMBERS.drifting.e164, mode: "unrouted" } } as const;
    after(keyOf(change), driftMs, () => table.put(change, drifted));
  }
  function take(change: SwitchChange, answer: Answer): void {
    const { delayMs, rejection } = behaviour.of(change, table.find(change));
    // A newer change to an item takes the place of one that is still on its way.
    clearTimeout(later.get(keyOf(change)));
    if (delayMs === Infinity) return;
    if (rejection !== undefined) return answer(change, rejection);
    const finish = (): void => {
      if (!behaviour.pretences.get(change.id)) put(change);
      answer(change, null);
    };
    if (delayMs === 0) finish();
    else after(keyOf(change), delayMs, finish);
  }

  return {
    ...abilities(table),
    boot: () => line.ask(() => boot),
    async apply(changes, answer) {
      await line.travel();
      for (const change of changes) take(change, answer);
    },
    read: (names) => line.ask(() => names.map((name) => table.find(name) ?? null)),
    digests: () => line.ask(() => table.digests()),
    readShard: (shard) => line.ask(() => table.list(shard)),
    health: () => line.ask(() => [...table.all()].flatMap(healthOf)),

    held: (name) => table.find(name),
    listHeld: () => table.all(),
    drift(name, value) {
      const item = table.find(name);
      if (item) table.put(item, value && { ...item, value });
    },
    slow: (id, ms) => behaviour.delays.set(id, ms),
    refuse: (id, words) => behaviour.refusals.set(id, words),
    pretend: (id, isPretending) => behaviour.pretences.set(id, isPretending),
    hang: () => line.hang(),
    resume: () => line.resume(),
    loseMemory() {
      boot = randomUUID();
      for (const timer of later.values()) clearTimeout(timer);
      table.clear();
    },
  };
}

/** Requests received while it hangs complete after `resume`. */
class Line {
  #hanging: PromiseWithResolvers<void> | undefined;

  readonly #latencyMs: number;

  constructor(latencyMs: number) {
    this.#latencyMs = latencyMs;
  }

  async travel(): Promise<void> {
    await this.#hanging?.promise;
    if (this.#latencyMs > 0) await sleep(this.#latencyMs);
  }

  async ask<Value>(look: () => Value): Promise<Value> {
    await this.travel();
    const value = look();
    if (this.#latencyMs > 0) await sleep(this.#latencyMs);
    return value;
  }

  hang(): void {
    this.#hanging ??= Promise.withResolvers<void>();
  }

  resume(): void {
    this.#hanging?.resolve();
    this.#hanging = undefined;
  }
}

/** Reaction of the switch to a change: as a test has set it for the item, else by the number. */
class Behaviour {
  readonly delays = new Map<string, number | undefined>();
  readonly refusals = new Map<string, string | undefined>();
  readonly pretences = new Map<string, boolean>();
  readonly #slowMs: number;

  constructor(slowMs: number) {
    this.#slowMs = slowMs;
  }

  of(change: SwitchChange, held: HeldItem | undefined): { delayMs: number; rejection: string | undefined } {
    const delayMs = this.delays.get(change.id) ?? 0;
    const rejection = this.refusals.get(change.id);
    const { want } = change;
    const e164 = e164Of(want ?? held);
    if (e164 === MAGIC_NUMBERS.slow.e164) return { delayMs: this.#slowMs, rejection };
    // Taking it away always works: a number must come back to the stock.
    const isHarmless = want === null || ("mode" in want.value && want.value.mode === "unrouted");
    if (e164 === MAGIC_NUMBERS.refusing.e164 && !isHarmless)
      return { delayMs, rejection: "500 Unable to add the value: out of shared memory" };
    if (e164 === MAGIC_NUMBERS.silent.e164 && !isHarmless) return { delayMs: Infinity, rejection };
    return { delayMs, rejection };
  }
}

function healthOf({ id, value }: HeldItem): ConnectionHealth[] {
  return "targets" in value ? [{ id, targets: value.targets.map(simulatedHealth) }] : [];
}

function e164Of(item: HeldItem | undefined | null): string | undefined {
  return item && "e164" in item.value ? item.value.e164 : undefined;
}

/** Items that the switch holds, by shard, with running digests. */
class Table {
  readonly #items = new Map<string, { item: HeldItem; hash: bigint }>();
  readonly #shards = new Map<number, { keys: Set<string>; digest: bigint }>();

  find(name: ItemName): HeldItem | undefined {
    return this.#items.get(keyOf(name))?.item;
  }

  put(name: ItemName, item: HeldItem | null): void {
    const key = keyOf(name);
    const before = this.#items.get(key);
    const from = before && this.#shards.get(before.item.shard);
    if (before && from) {
      this.#items.delete(key);
      from.keys.delete(key);
      from.digest = sumOf(from.digest, -before.hash);
      if (from.keys.size === 0) this.#shards.delete(before.item.shard);
    }
    if (!item) return;
    const hash = hashOfItem(item);
    const { kind, id, shard: number, generation, value, payer } = item;
    const held = { kind, id, shard: number, generation, value, ...(payer !== undefined && { payer }) };
    this.#items.set(key, { item: held, hash });
    const shard = this.#shards.get(number) ?? { keys: new Set<string>(), digest: 0n };
    shard.keys.add(key);
    shard.digest = sumOf(shard.digest, hash);
    this.#shards.set(number, shard);
  }

  *all(): Generator<HeldItem> {
    for (const { item } of this.#items.values()) yield item;
  }

  list(shard: number): HeldItem[] {
    return [...(this.#shards.get(shard)?.keys ?? [])].map((key) => this.#items.get(key)!.item);
  }

  digests(): Map<number, bigint> {
    return new Map([...this.#shards].map(([shard, { digest }]) => [shard, digest]));
  }

  clear(): void {
    this.#items.clear();
    this.#shards.clear();
  }
}
