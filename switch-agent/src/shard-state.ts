import type { ReportedException, ShardReport } from "./control-plane.ts";
import { type HeldItem, type ItemName, keyOf, type DesiredItem } from "./held-item.ts";

/** A change in progress, or an item that the switch does not hold as desired. */
export interface Work extends ItemName {
  key: string;
  shard: number;
  want: DesiredItem | null;
  version: number;
  /**
   * The oldest version that the switch may not hold: the watermark stays below it. Not the item's own: a message
   * brings each item as it is at the end, and leaves out what it was in between.
   */
  floor: number;
  /** When the oldest unconfirmed change of this item began. */
  sinceMs: number;
  /** applying holds the watermark; pending and failed are exceptions. */
  state: "applying" | "pending" | "failed";
  /** Read back as wanted; stays open while the watermark does not cover its version. */
  isConfirmed: boolean;
  /** undefined: none yet; null: done; else what the switch said. */
  answer: string | null | undefined;
  /** As the switch answered at `observedAt`; undefined while it was never asked. */
  held: HeldItem | null | undefined;
  error: string;
  observedAt: string;
  attempt: number;
  retryAtMs: number;
  /** Found by the audit; stays listed until a report with it was committed, repaired or not. */
  drift: { found: HeldItem | null; error: string; observedAt: string; isReported: boolean } | undefined;
}

export interface ShardState {
  shard: number;
  /** Stored version. -1 if there is none under this epoch. */
  version: number;
  /** Token of the stored version. Null if the service sent none. */
  token: number | null;
  /** Compared with the switch since the agent or the switch started, under this epoch. */
  isRead: boolean;
  /** Digest of the desired items, as the switch computes it. */
  expected: bigint;
  /** By key. */
  open: Map<string, Work>;
  /** While the shard is being read: what changes in the meantime, about which the reading says nothing. */
  touched: Set<string> | undefined;
  observedAt: string;
  /** Exceptions changed, or the time of observation is due. */
  mustReport: boolean;
  reportedVersion: number;
}

export function newShardState(shard: number, version = -1, token: number | null = null): ShardState {
  return {
    shard,
    version,
    token,
    isRead: false,
    expected: 0n,
    open: new Map(),
    touched: undefined,
    observedAt: new Date().toISOString(),
    mustReport: false,
    reportedVersion: -1,
  };
}

/** Nothing is known of what the switch holds of it; a reading under way says nothing about it either. */
export function unread(state: ShardState): void {
  state.isRead = false;
  state.touched = undefined;
  state.mustReport = true;
  state.reportedVersion = -1;
  for (const work of state.open.values()) {
    if (hasEnded(work)) state.open.delete(work.key);
    work.floor = 0;
  }
}

/** The switch holds nothing any longer of what it answered before. */
export function loseMemory(state: ShardState): void {
  unread(state);
  for (const work of state.open.values()) work.held = undefined;
}

/**
 * Version up to which the switch was confirmed to hold the shard, except for exceptions. -1 if it is unknown.
 */
export function watermarkOf(state: ShardState): number {
  if (!state.isRead) return -1;
  const holding = [...state.open.values()].filter(isHolding);
  let watermark = state.version;
  for (let before = Infinity; watermark < before;) {
    before = watermark;
    for (const { isConfirmed, version, floor } of holding) {
      // Below its version the newest it had may be one that was overtaken and never held.
      const isCovered = isConfirmed && version <= watermark;
      if (!isCovered && floor <= watermark) watermark = floor - 1;
    }
  }
  return watermark;
}

/** Forgets what was read back as wanted, where the watermark says so too. */
export function dropCovered(state: ShardState): void {
  if (state.open.size === 0) return;
  const watermark = state.version < 0 ? Infinity : watermarkOf(state);
  for (const work of state.open.values())
    if (hasEnded(work) && work.version <= watermark) state.open.delete(work.key);
}

/** New work on an item. It inherits from open work on the same item. */
export function newWork(
  change: Pick<Work, "kind" | "id" | "shard" | "want" | "version" | "floor">,
  seen: Pick<Work, "held" | "observedAt">,
  former: Work | undefined,
): Work {
  const { kind, id, shard, want, version, floor } = change;
  const isWaiting = former?.state === "applying" && !former.isConfirmed;
  return {
    kind,
    id,
    shard,
    want,
    version,
    key: keyOf(change),
    floor: former && isHolding(former) ? Math.min(former.floor, floor) : floor,
    sinceMs: isWaiting ? former.sinceMs : performance.now(),
    // An exception must not vanish before its successor is covered, and what others hold up does not hold up them.
    state: former === undefined || isWaiting ? "applying" : "pending",
    isConfirmed: false,
    answer: undefined,
    held: (former ?? seen).held,
    error: "The switch has not responded yet.",
    observedAt: (former ?? seen).observedAt,
    attempt: 0,
    retryAtMs: 0,
    drift: former?.drift && !former.drift.isReported ? former.drift : undefined,
  };
}

export function shardReportOf(state: ShardState, withToken: boolean): ShardReport {
  return {
    shard: state.shard,
    version: watermarkOf(state),
    ...(withToken && state.token !== null && { position: state.version, version_token: state.token }),
    observed_at: state.observedAt,
    exceptions: [...state.open.values()].flatMap(exceptionOf),
  };
}

function exceptionOf(work: Work): ReportedException[] {
  const { kind, id, version, drift, state, isConfirmed, held, error, observedAt } = work;
  const name = { kind, id, version };
  if (drift && (!drift.isReported || (state === "pending" && !isConfirmed)))
    return [
      {
        ...name,
        state: "drifted",
        applied: answered(drift.found),
        error: drift.error,
        observed_at: drift.observedAt,
      },
    ];
  if (state === "applying" || held === undefined) return [];
  return [{ ...name, state, applied: answered(held), error: cut(error), observed_at: observedAt }];
}

/** The item on the switch is unknown, or not ready to report. It holds the watermark back. */
function isHolding({ state, held }: Work): boolean {
  return state === "applying" || held === undefined;
}

function hasEnded({ isConfirmed, drift }: Work): boolean {
  return isConfirmed && (drift === undefined || drift.isReported);
}

function answered(item: HeldItem | null): ReportedException["applied"] {
  return item && { generation: item.generation, value: item.value };
}

/** Limits a switch's error text to the length that the service accepts, and to storable characters. */
function cut(words: string): string {
  return words.replaceAll("\0", "").slice(0, 500).toWellFormed();
}
