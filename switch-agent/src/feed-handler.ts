import type { AgentLog } from "./agent-log.ts";
import type { AgentStore, StoredShard } from "./agent-store.ts";
import type { FeedItem, FeedMessage } from "./control-plane.ts";
import type { SwitchDriver } from "./driver.ts";
import { canonicalText, holderOf, keyOf, payerOf, type DesiredItem } from "./held-item.ts";
import type { Programmer } from "./programmer.ts";
import type { AgentFacts } from "./reporter.ts";
import { dropCovered, newShardState, newWork, type ShardState, unread, type Work } from "./shard-state.ts";

interface Needs {
  driver: SwitchDriver;
  store: AgentStore;
  facts: AgentFacts;
  shards: Map<number, ShardState>;
  programmer: Programmer;
  log: AgentLog;
  /** Compares the switch's items of these shards with the desired items. */
  compare(states: ShardState[]): void;
  changed(state: ShardState, hasOtherExceptions: boolean): void;
}

type Message<Type extends FeedMessage["type"]> = Extract<FeedMessage, { type: Type }>;

/** Versions of another epoch count differently: every shard comes again, and the switch keeps what it has until then. */
export async function enterEpoch(needs: Needs, hello: Message<"hello">): Promise<void> {
  const { store, facts, shards, log } = needs;
  if (hello.mode === "hold") return enterHold(needs, hello);
  const { epoch, shards: listed, switch: self, features = [] } = hello;
  const isNew = facts.epoch !== epoch;
  if (isNew) await store.saveState();
  store.setService({ features, switchId: self.id });
  facts.features = features;
  facts.isHeld = false;
  store.enterEpoch(epoch, listed);
  facts.epoch = epoch;
  facts.listed = listed;
  log.info({ switch: self.name, epoch, isNew, shards: listed.length }, "connected to the service");
  const isListed = new Set(listed);
  const dropped = [...shards.values()].filter((state) => !isListed.has(state.shard));
  if (isNew) for (const state of shards.values()) forget(state);
  for (const state of dropped) {
    forget(state);
    state.expected = 0n;
  }
  for (const shard of listed) if (!shards.has(shard)) shards.set(shard, newShardState(shard));
  if (dropped.length > 0) needs.compare(dropped);
}

/**
 * The database is being restored, and may know less than the switch: the agent keeps its items and its position. It
 * reports nothing, because its versions are of another history.
 */
async function enterHold({ store, facts, log }: Needs, hello: Message<"hello">): Promise<void> {
  const { epoch, switch: self, features = [] } = hello;
  await store.saveState(epoch);
  store.setService({ features, switchId: self.id });
  facts.features = features;
  if (!facts.isHeld) log.warn({ switch: self.name, epoch }, "database being restored; keeping all routes");
  facts.isHeld = true;
  facts.listed = undefined;
}

/**
 * A snapshot is complete: other items of the shard are deleted. Its version can be older than the stored one
 * after the service restored a backup.
 */
export function takeSnapshot(
  needs: Needs,
  { shard, version, version_token: token, items }: Message<"snapshot">,
): void {
  const { store, programmer, compare } = needs;
  const state = stateOf(needs, shard);
  const at = { shard, version, token: token ?? null };
  store.replaceShard(at, items);
  forget(state);
  Object.assign(state, at);
  state.expected = store.digestOf(shard);
  // Changes on their way to the switch may arrive after it was read: what is in the snapshot must come later.
  const received = new Map(items.map((item) => [keyOf(item), item]));
  const works = [...state.open.values()].map((former) => {
    const item = received.get(former.key);
    const want = item ? asDesired(shard, item) : null;
    const { kind, id } = former;
    const change = { kind, id, shard, want, version: item?.version ?? version, floor: 0 };
    return open(state, newWork(change, former, former));
  });
  programmer.program(works);
  compare([state]);
}

export function takeChanges(
  needs: Needs,
  { shard, version, version_token: token, items }: Message<"changes">,
): void {
  const state = stateOf(needs, shard);
  if (state.version < 0) throw new Error(`The service sent changes of shard ${shard} before its snapshot.`);
  if (version <= state.version) return;
  const fresh = items.filter((item) => item.version > state.version);
  change(needs, state, { shard, version, token: token ?? null }, fresh);
}

/**
 * Changes made during a restore. The newest of each item is applied, so that calls never follow an intermediate one.
 * Items of a shard that the agent never had stay on the service until the restore ends.
 */
export function takeHeldChanges(needs: Needs, { shard, items }: Message<"changes">): void {
  const { shards, store } = needs;
  const state = shards.get(shard);
  if (!state || state.version < 0) return;
  const newest = new Map(items.map((item) => [keyOf(item), item]));
  const fresh = [...newest.values()].filter((item) => !isStored(store.findItem(item), item));
  const { version, token } = state;
  if (fresh.length > 0) change(needs, state, { shard, version, token }, fresh);
}

function isStored(stored: DesiredItem | undefined, { generation, value }: FeedItem): boolean {
  if (!stored || value === null) return !stored && value === null;
  return stored.generation === generation && canonicalText(stored.value) === canonicalText(value);
}

function change(needs: Needs, state: ShardState, at: StoredShard, fresh: FeedItem[]): void {
  const { store, shards, programmer, changed } = needs;
  const { shard } = at;
  dropCovered(state);
  const before = store.changeShard(at, fresh);
  for (const home of new Set([shard, ...before.flatMap((item) => item?.shard ?? [])])) {
    const touched = shards.get(home);
    if (touched) touched.expected = store.digestOf(home);
  }
  const works = fresh.flatMap((item, place) => workFor(needs, state, item, before[place]) ?? []);
  Object.assign(state, at);
  const hasExceptions = works.some((work) => work.state !== "applying");
  if (hasExceptions || works.length === 0) changed(state, hasExceptions);
  programmer.program(works);
}

function workFor(
  { shards }: Needs,
  state: ShardState,
  item: FeedItem,
  before: DesiredItem | undefined,
): Work | undefined {
  const want = asDesired(state.shard, item);
  // The item has moved to another shard. Only that shard may change it.
  if (!want && before && before.shard !== state.shard) return undefined;
  const home = before && shards.get(before.shard);
  const { kind, id, version } = item;
  const key = keyOf(item);
  const former = state.open.get(key) ?? home?.open.get(key);
  if (home !== state) home?.open.delete(key);
  const floor = state.isRead ? state.version + 1 : 0;
  const change = { kind, id, shard: state.shard, want, version, floor };
  // The previous item counts as held only if the switch was read since: the agent may have crashed before
  // applying it.
  const { isRead, observedAt } = home ?? state;
  return open(state, newWork(change, { held: isRead ? (before ?? null) : undefined, observedAt }, former));
}

function open(state: ShardState, work: Work): Work {
  state.open.set(work.key, work);
  state.touched?.add(work.key);
  return work;
}

function stateOf({ shards, facts }: Needs, shard: number): ShardState {
  const state = shards.get(shard);
  if (!state || !facts.listed?.includes(shard))
    throw new Error(`The service sent shard ${shard}, which it did not list.`);
  return state;
}

function forget(state: ShardState): void {
  unread(state);
  Object.assign(state, { version: -1, token: null });
}

function asDesired(shard: number, item: FeedItem): DesiredItem | null {
  const { kind, id, version, generation, value } = item;
  return value && { kind, id, shard, version, generation, value, ...payerOf(item), ...holderOf(item) };
}
