import { isSameForwarding, isSameTrunk, type SwitchValues } from "./trunks.document.rules.ts";
import type { ForwardingValue, TrunkReport, TrunkValue } from "./trunks.wire.schema.ts";

export const TRUNK_STATUSES = ["applied", "pending", "failed", "drifted", "unknown"] as const;
export type TrunkStatus = (typeof TRUNK_STATUSES)[number];
type ReportedStatus = Exclude<TrunkStatus, "unknown">;

/** Trunks and `forwarding` that were read back with the desired value under an etag. */
export interface Confirmed {
  etag: string | null;
  names: string[];
}

/** A trunk or the forwarding of a switch, as it should be and as it is. */
export interface ComparedItem<Value> {
  /** Unique in the report: no trunk has a name with a colon. */
  key: string;
  name: string;
  expected: Value | null;
  found: Value | null;
  error: string;
  isSame: boolean;
  isDrifted: boolean;
  status: ReportedStatus;
}
type TrunkItem = ComparedItem<TrunkValue>;
type ForwardingItem = ComparedItem<ForwardingValue>;

interface Assessment {
  trunks: TrunkItem[];
  forwarding: ForwardingItem;
  status: ReportedStatus;
  differing: number;
  /** First reason why a value could not be set. */
  error: string | null;
  confirmed: Confirmed;
  /** Items that were applied under this etag and differ now. */
  drifted: (TrunkItem | ForwardingItem)[];
}

export interface Desired extends SwitchValues {
  etag: string;
}

const FORWARDING = ":forwarding";
/** Confirms that the switch held no other trunk. */
const NO_OTHERS = ":no others";

/** Compares the report of a switch with the list that it should hold. */
export function assess(desired: Desired, report: TrunkReport, earlier: Confirmed): Assessment {
  const isCurrent = report.etag === desired.etag;
  const before = new Set(isCurrent && earlier.etag === report.etag ? earlier.names : []);
  const judge = <Value>(
    item: Omit<ComparedItem<Value>, "status" | "isDrifted">,
    key = item.key,
  ): ComparedItem<Value> => {
    const isDrifted = !item.isSame && before.has(key);
    return { ...item, isDrifted, status: statusOf({ ...item, isDrifted }, report.etag, isCurrent) };
  };
  const trunks = trunkItems(desired, report).map((item) => judge(item, item.expected ? item.key : NO_OTHERS));
  const { found, error } = report.forwarding;
  const forwarding = judge<ForwardingValue>({
    key: FORWARDING,
    name: "forwarding",
    expected: desired.forwarding,
    found,
    error,
    isSame: isSameForwarding(found, desired.forwarding),
  });
  const items = [...trunks, forwarding];
  const same = items.filter(({ isSame, expected, key }) => isSame && (expected || key === FORWARDING));
  const hasOthers = trunks.some(({ expected }) => expected === null);
  if (isCurrent) for (const { key } of same) before.add(key);
  if (isCurrent && !hasOthers && same.length === items.length) before.add(NO_OTHERS);
  return {
    trunks,
    forwarding,
    status: worstOf(items.map(({ status }) => status)) as ReportedStatus,
    differing: items.filter(({ isSame }) => !isSame).length,
    error: items.find(({ status }) => status === "failed")?.error ?? null,
    confirmed: { etag: isCurrent ? report.etag : null, names: [...before].toSorted() },
    drifted: items.filter(({ isDrifted }) => isDrifted),
  };
}

const FROM_WORST: readonly TrunkStatus[] = ["failed", "drifted", "pending", "unknown", "applied"];

/** `pending` if there is no switch that could apply it. */
export function worstOf(statuses: readonly TrunkStatus[]): TrunkStatus {
  return FROM_WORST.find((status) => statuses.includes(status)) ?? "pending";
}

/** A switch that uses its own file has applied nothing of the list, even if a value is the same. */
function statusOf(
  { isSame, isDrifted, error }: Pick<ComparedItem<unknown>, "isSame" | "isDrifted" | "error">,
  etag: string | null,
  isCurrent: boolean,
): ReportedStatus {
  if (isSame) return etag === null ? "pending" : "applied";
  // An error of an earlier list means nothing for this one.
  if (!isCurrent) return "pending";
  if (error !== "") return "failed";
  return isDrifted ? "drifted" : "pending";
}

function trunkItems({ trunks }: Desired, report: TrunkReport): Omit<TrunkItem, "status" | "isDrifted">[] {
  const desired = new Map(trunks.map((trunk) => [trunk.name, trunk]));
  const reported = new Map(report.trunks.map((one) => [one.name, one]));
  const names = [...new Set([...desired.keys(), ...reported.keys()])];
  return names
    .map((name) => {
      const { found = null, error = "" } = reported.get(name) ?? {};
      const expected = desired.get(name) ?? null;
      return { key: name, name, expected, found, error, isSame: isSameTrunk(found, expected) };
    })
    .filter(({ expected, found }) => expected ?? found);
}
