import type { ConnectionHealth } from "./control-plane.ts";
import type { HeldItem, ItemName } from "./held-item.ts";

/** Set `want`, or take the item away when it is null. */
export interface SwitchChange extends ItemName {
  shard: number;
  want: HeldItem | null;
}

/** Called once for each change, as the switch answers: null when it is done, else what the switch said. */
export type Answer = (change: SwitchChange, error: string | null) => void;

/**
 * One switch. It holds items in memory until it is told otherwise or restarts; nothing in it expires by time.
 * Any call may reject or never answer; the agent waits only so long.
 */
export interface SwitchDriver {
  /** Another text after every restart of the switch. Asked next to every reading, so it has to be quick. */
  boot(): Promise<string>;
  /**
   * Sends changes in the given order. A later change to an item takes effect after an earlier one, or instead
   * of it, even when that is still unanswered. A rejected change leaves the item as it was, or leading nowhere
   * where calls may not go. A route may come before the connection it names: shards travel apart.
   */
  apply(changes: SwitchChange[], answer: Answer): Promise<void>;
  /** What the switch holds under these names now, in their order; null for nothing. */
  read(names: ItemName[]): Promise<(HeldItem | null)[]>;
  /** For each shard of which it holds anything: the sum of `hash` over its items, modulo 2⁶⁴. */
  digests(): Promise<Map<number, bigint>>;
  /** What the switch would add to its shard's digest for this item. */
  hash(item: HeldItem): bigint;
  readShard(shard: number): Promise<HeldItem[]>;
  /** How the targets of every connection it was told are, as the switch sees them. Asked every few seconds. */
  health(): Promise<ConnectionHealth[]>;

  /** Its own sockets for calls, as `address:port`. Customers' calls must not go there. */
  readonly sockets?: readonly string[];

  /** The rest is for a switch that is a program of its own. `restarted` is called where it is seen before it is asked. */
  watch?(restarted: () => void): void;
  /** Gives memory that was lost back as it was last set, if the switch keeps it elsewhere. Comes before a comparison. */
  refill?(): Promise<void>;
  /**
   * Sets many items at once where the switch held none, however they are listed when their turn comes. Answers
   * nothing about them: they are read back, and what is missing is applied.
   */
  load?(listItems: () => HeldItem[]): Promise<void>;
  /** What it was told is all there is: from now on it may say of a number that there is none. False: not yet. */
  markComplete?(): Promise<boolean>;
  /** Whether it rejects new calls, until it is said otherwise: after a restart of switch or agent too. */
  drain?(isDraining: boolean): void;
}
