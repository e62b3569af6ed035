import type { Tx } from "../../platform/db/database.ts";
import { type Changes, readChanges, readSignals, type Signals } from "./live.changes.ts";
import type { SwitchSignal } from "./live.changes.store.ts";
import { type AskedNumber, type LiveRow, listWatched } from "./live.store.ts";

/** Numbers of one statement. */
const BATCH = 1_000;
/** Every number is read at least once in this many looks (two minutes), whatever the signals say. */
const LOOKS_OF_A_ROUND = 240;

interface GroupState {
  isOnline: boolean;
  observedAt: Date | null;
}

/** The newest state of all watched numbers. A look reads only those that may have changed. */
export class LiveCache {
  readonly #rows = new Map<string, LiveRow | undefined>();
  /** Read once per group, because it concerns all its numbers. */
  #groups = new Map<string, GroupState>();
  #signals: Signals | undefined;
  #asked: ReadonlyMap<string, AskedNumber> = new Map();
  #keys: readonly string[] = [];
  #keysById = new Map<string, string[]>();
  #look = 0;

  /** Returns the keys of numbers whose state differs from the last look. Pass the same map while it is the same. */
  async refresh(tx: Tx, asked: ReadonlyMap<string, AskedNumber>): Promise<Set<string>> {
    const signals = await readSignals(tx);
    const changes = await readChanges(tx, this.#signals, signals);
    this.#watch(asked);
    const stale = this.#staleOf(changes);
    const rows = await this.#read(tx, stale);
    const changed = new Set<string>();
    for (const key of stale) {
      if (!this.#rows.has(key) || stateOf(this.#rows.get(key)) !== stateOf(rows.get(key))) changed.add(key);
      this.#rows.set(key, rows.get(key));
    }
    for (const key of this.#setGroups(signals.switches)) changed.add(key);
    this.#signals = signals;
    this.#look++;
    return changed;
  }

  get(key: string): LiveRow | undefined {
    const row = this.#rows.get(key);
    if (!row) return undefined;
    const { isOnline, observedAt } = this.#groups.get(row.group_id) ?? { isOnline: false, observedAt: null };
    return { ...row, switch_online: isOnline, observed_at: observedAt };
  }

  #watch(asked: ReadonlyMap<string, AskedNumber>): void {
    if (asked === this.#asked) return;
    this.#asked = asked;
    this.#keys = [...asked.keys()];
    this.#keysById = Map.groupBy(this.#keys, (key) => asked.get(key)!.id);
    for (const key of this.#rows.keys()) if (!asked.has(key)) this.#rows.delete(key);
  }

  #staleOf({ ids, groupIds, isEverything }: Changes): string[] {
    if (isEverything) return [...this.#keys];
    const share = Math.ceil(this.#keys.length / LOOKS_OF_A_ROUND);
    const from = (this.#look % LOOKS_OF_A_ROUND) * share;
    const stale = new Set(this.#keys.slice(from, from + share));
    for (const id of ids) for (const key of this.#keysById.get(id) ?? []) stale.add(key);
    if (groupIds.size > 0) for (const key of this.#keysIn(groupIds)) stale.add(key);
    if (this.#rows.size < this.#keys.length)
      for (const key of this.#keys) if (!this.#rows.has(key)) stale.add(key);
    return [...stale];
  }

  async #read(tx: Tx, keys: readonly string[]): Promise<Map<string, LiveRow>> {
    const rows = new Map<string, LiveRow>();
    for (let from = 0; from < keys.length; from += BATCH) {
      const batch = keys.slice(from, from + BATCH).map((key) => this.#asked.get(key)!);
      for (const row of await listWatched(tx, batch))
        rows.set(keyOf(row.organisation_id, row.environment, row.number_id), row);
    }
    return rows;
  }

  /** Returns the numbers of groups that went online or offline. */
  #setGroups(switches: readonly SwitchSignal[]): string[] {
    const before = this.#groups;
    const groups = Map.groupBy(switches, ({ group_id: id }) => id);
    this.#groups = new Map([...groups].map(([id, members]) => [id, groupStateOf(members)]));
    const ids = new Set([...before.keys(), ...this.#groups.keys()]);
    const flipped = [...ids].filter((id) => before.get(id)?.isOnline !== this.#groups.get(id)?.isOnline);
    return flipped.length > 0 ? this.#keysIn(new Set(flipped)) : [];
  }

  #keysIn(groupIds: ReadonlySet<string>): string[] {
    return [...this.#rows].flatMap(([key, row]) => (row && groupIds.has(row.group_id) ? [key] : []));
  }
}

/** The state of its worst switch. */
function groupStateOf(members: readonly SwitchSignal[]): GroupState {
  const times = members.map(({ observed_at: at }) => at);
  const isComplete = times.every((at) => at !== null);
  return {
    isOnline: members.every(({ is_online: isOnline }) => isOnline),
    observedAt: isComplete ? new Date(Math.min(...times.map((at) => at.getTime()))) : null,
  };
}

function stateOf(row: LiveRow | undefined): string {
  if (!row) return "";
  const { active_calls, calls_last_minute, last_call_at, applied_mode } = row;
  return [active_calls, calls_last_minute, last_call_at?.getTime(), applied_mode].join(" ");
}

export function keyOf(organisationId: string, environment: string, id: string): string {
  return `${organisationId} ${environment} ${id}`;
}
