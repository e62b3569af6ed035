import type { AgentLog } from "./agent-log.ts";
import type { AgentStore } from "./agent-store.ts";
import type { SwitchDriver } from "./driver.ts";
import { describeItem, keyOf, sumOf } from "./held-item.ts";
import { type Difference, planShard } from "./plan.ts";
import type { Programmer } from "./programmer.ts";
import { newShardState, newWork, type ShardState, type Work } from "./shard-state.ts";

interface Needs {
  driver: SwitchDriver;
  store: AgentStore;
  shards: Map<number, ShardState>;
  programmer: Programmer;
  log: AgentLog;
  changed(state: ShardState, hasOtherExceptions: boolean): void;
}

/**
 * Compares shards with the switch and sets going what differs. A digest that is equal settles a shard at
 * once. In an audit, `auditedBoot`, the switch was seen to hold them before: then a difference is drift.
 */
export async function compareShards(needs: Needs, states: ShardState[], auditedBoot?: string): Promise<void> {
  for (const state of states)
    state.touched = new Set([...state.open.values()].filter((work) => !work.isConfirmed).map(keyOf));
  try {
    await needs.driver.refill?.();
    // Summing up goes through all the switch holds: of a few shards it is quicker to read them.
    const isForFew = states.length < needs.shards.size / 8;
    let summed = isForFew ? undefined : await sumUp(needs);
    if (summed && auditedBoot === undefined && (await loadMissing(needs, states, summed)))
      summed = await sumUp(needs);
    for (const state of states) {
      const isEqual = summed && (summed.digests.get(state.shard) ?? 0n) === state.expected;
      const observedAt = isEqual ? summed!.askedAt : await compareShard(needs, state, auditedBoot);
      // Entered again while it was being read: then it is read again.
      if (state.touched === undefined) continue;
      state.touched = undefined;
      state.isRead = true;
      state.observedAt = observedAt;
      needs.changed(state, state.open.size > 0);
      await needs.programmer.room();
    }
  } finally {
    for (const state of states) state.touched = undefined;
  }
}

interface Summed {
  askedAt: string;
  digests: Map<number, bigint>;
}

async function sumUp({ driver }: Needs): Promise<Summed> {
  const askedAt = new Date().toISOString();
  return { askedAt, digests: await driver.digests() };
}

/** Sets whole shards of which the switch holds nothing; whether there were any. */
async function loadMissing(
  { driver, store }: Needs,
  states: ShardState[],
  { digests }: Summed,
): Promise<boolean> {
  const missing = states.filter(({ shard, expected }) => !digests.has(shard) && expected !== 0n);
  if (!driver.load) return false;
  for (const { shard } of missing) await driver.load(() => store.listItems(shard));
  return missing.length > 0;
}

/** Shards the switch holds something of, though there are no such shards: they are to be emptied. */
export async function addUnlistedShards(needs: Needs, listed: number[]): Promise<ShardState[]> {
  const known = new Set([...listed, ...needs.shards.keys()]);
  const found = [...(await needs.driver.digests()).keys()].filter((shard) => !known.has(shard));
  return found.map((shard) => {
    const state = newShardState(shard);
    needs.shards.set(shard, state);
    return state;
  });
}

/** Each shard's digest is recomputed once in this number of audits. */
const RECOUNT_AUDITS = 16;

/**
 * Counts the digests of some shards again from the stored items. Otherwise a kept digest that no longer belongs to them
 * could match the switch forever, and hide that the switch holds something else.
 */
export async function recountSome(
  { driver, store, log }: Needs,
  states: ShardState[],
  audit: number,
): Promise<void> {
  for (const state of states) {
    if (!state.isRead || state.shard % RECOUNT_AUDITS !== audit % RECOUNT_AUDITS) continue;
    const counted = store.listItems(state.shard).reduce((sum, item) => sumOf(sum, driver.hash(item)), 0n);
    if (counted !== state.expected)
      log.warn({ shard: state.shard }, "the stored digest of a shard was wrong");
    state.expected = counted;
    store.setDigest(state.shard, counted);
    // A shard can have thousands of items.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Returns the time of the read. */
async function compareShard(needs: Needs, state: ShardState, auditedBoot?: string): Promise<string> {
  const { driver, store, programmer, log } = needs;
  const isAudit = auditedBoot !== undefined;
  let observedAt = new Date().toISOString();
  let held = await driver.readShard(state.shard);
  if (held.length === 0 && driver.load && !isAudit) {
    await driver.load(() => store.listItems(state.shard));
    observedAt = new Date().toISOString();
    held = await driver.readShard(state.shard);
  }
  if (isAudit && (await driver.boot()) !== auditedBoot)
    throw new Error("The switch restarted during the operation.");
  const { touched } = state;
  if (touched === undefined) return observedAt;
  const desired = store.listItems(state.shard);
  state.expected = desired.reduce((sum, item) => sumOf(sum, driver.hash(item)), 0n);
  store.setDigest(state.shard, state.expected);
  const works = planShard(desired, held)
    .filter((difference) => !touched.has(keyOf(difference)))
    .map((difference) => workFor(needs, state, { ...difference, observedAt }, isAudit));
  if (works.length > 0)
    log[isAudit ? "warn" : "info"](
      { shard: state.shard, items: works.length },
      isAudit ? "audit found differences; repairing" : "programming the switch",
    );
  programmer.program(works);
  return observedAt;
}

function workFor(
  { store, shards }: Needs,
  state: ShardState,
  difference: Difference & { observedAt: string },
  isAudit: boolean,
): Work {
  // An item missing from this shard may have moved to another one.
  const want = difference.want ?? store.findItem(difference) ?? null;
  const home = (want && shards.get(want.shard)) ?? state;
  const { kind, id, found, observedAt } = difference;
  const version = want?.version ?? Math.max(0, home.version);
  const former = home.open.get(keyOf(difference));
  // Until all of it has settled, nothing can be said of the shard: hence the floor.
  const seen = { held: found, observedAt };
  const work = Object.assign(
    newWork({ kind, id, shard: home.shard, want, version, floor: 0 }, seen, former),
    seen,
  );
  if (isAudit) {
    work.state = "pending";
    work.drift = {
      found,
      error: `The switch held ${describeItem(found)} instead of ${describeItem(want)}.`,
      observedAt,
      isReported: false,
    };
  }
  home.open.set(work.key, work);
  return work;
}
