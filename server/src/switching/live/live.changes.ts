import type { Tx } from "../../platform/db/database.ts";
import {
  type ExceptionSignal,
  listExceptionSignals,
  listPublishedNumbers,
  listReportedNumbers,
  listShardSignals,
  listSwitchSignals,
  type ShardSignal,
  type SwitchSignal,
  type VersionRange,
} from "./live.changes.store.ts";
import { KEPT_REPORTS } from "./live.reports.store.ts";

/** The inputs of all live numbers, from one query. */
export interface Signals {
  switches: readonly SwitchSignal[];
  shards: readonly ShardSignal[];
  exceptions: readonly ExceptionSignal[] | undefined;
}

/** Numbers that may have changed between two looks. */
export interface Changes {
  ids: ReadonlySet<string>;
  /** All numbers of these switch groups. */
  groupIds: ReadonlySet<string>;
  isEverything: boolean;
}

/** Comparing more than this costs more than it saves. */
const MOST_EXCEPTIONS = 5_000;
const MOST_PUBLISHED = 20_000;

export async function readSignals(tx: Tx): Promise<Signals> {
  return {
    switches: await listSwitchSignals(tx),
    shards: await listShardSignals(tx),
    exceptions: await listExceptionSignals(tx, MOST_EXCEPTIONS),
  };
}

/** Read after the signals, so that what is read is at least as new as they are. */
export async function readChanges(tx: Tx, before: Signals | undefined, now: Signals): Promise<Changes> {
  if (!before) return { ids: new Set(), groupIds: new Set(), isEverything: true };
  const groupIds = changedGroups(before.switches, now.switches);
  const reported = await listReportedNumbers(tx, advancedReports(before.switches, now.switches));
  const ranges = publishedRanges(before.shards, now.shards);
  const published = ranges.length > 0 ? await listPublishedNumbers(tx, ranges, MOST_PUBLISHED) : [];
  const ids = new Set([
    ...reported,
    ...(published ?? []),
    ...changedExceptions(before.exceptions ?? [], now.exceptions ?? []),
  ]);
  return { ids, groupIds, isEverything: published === undefined };
}

/** Groups with a switch that came, went, or changed in a way that concerns all numbers. */
function changedGroups(before: readonly SwitchSignal[], now: readonly SwitchSignal[]): Set<string> {
  const earlier = new Map(before.map((one) => [one.id, one]));
  const present = new Set(now.map(({ id }) => id));
  const changed = now.filter((one) => !isContinued(earlier.get(one.id), one));
  const gone = before.filter(({ id }) => !present.has(id));
  return new Set([...changed, ...gone].map(({ group_id: id }) => id));
}

function isContinued(before: SwitchSignal | undefined, now: SwitchSignal): boolean {
  if (!before || before.session !== now.session) return false;
  if (before.is_synced !== now.is_synced || before.is_recent !== now.is_recent) return false;
  return Number(now.sequence) - Number(before.sequence) < KEPT_REPORTS;
}

function advancedReports(
  before: readonly SwitchSignal[],
  now: readonly SwitchSignal[],
): { switchId: string; sequence: string }[] {
  const earlier = new Map(before.map((one) => [one.id, one]));
  return now.flatMap(({ id, session, sequence }) => {
    const last = earlier.get(id);
    const hasAdvanced = last?.sequence && last.session === session && last.sequence !== sequence;
    return hasAdvanced ? [{ switchId: id, sequence: last.sequence! }] : [];
  });
}

/** Versions published since, and versions confirmed since. */
function publishedRanges(before: readonly ShardSignal[], now: readonly ShardSignal[]): VersionRange[] {
  const earlier = new Map(before.map((one) => [one.id, one]));
  return now.flatMap(({ id, head, confirmed }) => {
    const last = earlier.get(id) ?? { head: "0", confirmed: "0" };
    return [
      ...(last.head === head ? [] : [{ shard: id, after: last.head, upTo: head }]),
      ...(last.confirmed === confirmed ? [] : [{ shard: id, after: last.confirmed, upTo: confirmed }]),
    ];
  });
}

function changedExceptions(before: readonly ExceptionSignal[], now: readonly ExceptionSignal[]): string[] {
  const keyOf = (one: ExceptionSignal): string =>
    [one.item_id, one.switch_id, one.version, one.state].join(" ");
  const [earlier, present] = [new Set(before.map(keyOf)), new Set(now.map(keyOf))];
  return [
    ...now.filter((one) => !earlier.has(keyOf(one))),
    ...before.filter((one) => !present.has(keyOf(one))),
  ].map(({ item_id: id }) => id);
}
