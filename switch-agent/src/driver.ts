import type { ConnectionHealth } from "./control-plane.ts";
import type { Allowance, ForwardingUse } from "./allowance.ts";
import type { HeldItem, ItemName } from "./held-item.ts";
import type { ExpectedProbe, PlacedProbe, ProbeToPlace } from "./probes/probe-service.ts";
import type { SentTrunkList, TrunkList, TrunkReport } from "./trunk-list.ts";

/** Set `want`, or take the item away when it is null. */
export interface SwitchChange extends ItemName {
  shard: number;
  want: HeldItem | null;
}

/** Called once for each change, as the switch answers: null when it is done, else what the switch said. */
export type Answer = (change: SwitchChange, error: string | null) => void;

/**
 * One switch. It holds items in memory until they change or it restarts. No item expires.
 * Any call may reject or never settle, so the agent limits its waiting time.
 */
export interface SwitchDriver {
  /** Changes with every restart of the switch. Read with every reading, so it has to be quick. */
  boot(): Promise<string>;
  /**
   * Sends changes in the given order. A later change to an item takes effect after an earlier one, or instead
   * of it, even when that is still unanswered. A rejected change leaves the item as it was, or leading nowhere
   * where calls may not go. A route may come before the connection it names: shards travel apart.
   */
  apply(changes: SwitchChange[], answer: Answer): Promise<void>;
  /** Items that the switch holds under these names now, in their order. Null if it holds none. */
  read(names: ItemName[]): Promise<(HeldItem | null)[]>;
  /** For each shard of which it holds anything: the sum of `hash` over its items, modulo 2⁶⁴. */
  digests(): Promise<Map<number, bigint>>;
  /** Contribution of this item to its shard's digest. */
  hash(item: HeldItem): bigint;
  readShard(shard: number): Promise<HeldItem[]>;
  /** Health of all targets of all connections, as the switch sees it. Called every few seconds. */
  health(): Promise<ConnectionHealth[]>;

  /** Its own sockets for calls, as `address:port`. Customers' calls must not go there. */
  readonly sockets?: readonly string[];
  /** Optional abilities, such as `failover`. They may change when the switch restarts. */
  readonly features?: readonly string[];

  /**
   * The remaining members are for a switch in another process. The driver calls `restarted` when it detects a
   * restart itself.
   */
  watch?(restarted: () => void): void;
  /** Restores lost memory from a copy, if the switch keeps one. Called before a comparison. */
  refill?(): Promise<void>;
  /**
   * Sets many items at once on a switch that holds none. `listItems` runs when the load starts. Reports no
   * results: the agent reads the items back and applies missing ones.
   */
  load?(listItems: () => HeldItem[]): Promise<void>;
  /** Marks the items as complete: the switch may now reject unknown numbers. False if it cannot do so yet. */
  markComplete?(): Promise<boolean>;
  /** Whether it rejects new calls, until it is said otherwise: after a restart of switch or agent too. */
  drain?(isDraining: boolean): void;
}

/** A switch that enforces its part of forwarding limits alone. */
export interface ForwardingDriver extends Pick<SwitchDriver, "features"> {
  /** Allowances as last set, even if the switch has restarted since. */
  listAllowances(): Allowance[];
  /** Replaces all allowances. */
  setAllowances(allowances: Allowance[]): Promise<void>;
  /** Allowances that the switch holds now. Null if it holds none. */
  readAllowances(organisationIds: string[]): Promise<(Allowance | null)[]>;
  readUsed(day: number, organisationIds: string[]): Promise<ForwardingUse[]>;
  /** Sets use that is higher than the switch's own count. */
  raiseUsed(used: ForwardingUse[]): Promise<void>;
}

/** Trunks and gateways that a switch holds at one moment. */
export interface TrunkReading {
  report: TrunkReport;
  isAsDesired: boolean;
}

/** A switch whose trunks can change while it runs. */
export interface TrunkDriver extends Pick<SwitchDriver, "features"> {
  /** The list of the service as last set, or else the switch's own. */
  desiredTrunks(): TrunkList;
  readTrunks(): Promise<TrunkReading>;
  /** Replaces the list. It outlives restarts of switch and agent. */
  setTrunks(list: SentTrunkList): Promise<void>;
  /** Sets what differs from the list of the service. */
  repairTrunks(): Promise<void>;
}

/** Target to which the switch would send a call. */
export interface ProbeTarget {
  /** `address:port` */
  address: string;
  transport: string;
  /** URI of the route, if it has one. */
  target: string | null;
}

/** A switch that recognises probe calls, and does not connect them. */
export interface ProbeDriver extends Pick<SwitchDriver, "features"> {
  /** Replaces all expected probes. */
  expectProbes(probes: readonly ExpectedProbe[]): Promise<void>;
  placeProbe(probe: ProbeToPlace): Promise<PlacedProbe>;
  /** Sends OPTIONS. Rejects if nothing replies. */
  pingTarget(target: ProbeTarget): Promise<{ code: number; tookMs: number }>;
}
