import type { Tx } from "../../platform/db/database.ts";
import { shownState } from "../switches/switches.ts";
import { EMPTY, settingsOf, type TrunkDocument } from "./trunks.document.rules.ts";
import { desiredFor } from "./trunks.etag.ts";
import type { TrunkList } from "./trunks.shown.schema.ts";
import {
  assess,
  type ComparedItem,
  type Confirmed,
  type TrunkStatus,
  worstOf,
} from "./trunks.status.rules.ts";
import { findNewest, type GroupSwitchRow, listGroupSwitches } from "./trunks.store.ts";
import type { TrunkReport } from "./trunks.wire.schema.ts";

/** A report without changes is stored this often. */
export const STORED_EVERY_MS = 15_000;

const NO_REPORT: TrunkReport = { etag: null, trunks: [], forwarding: { found: null, error: "" } };
const NOTHING_CONFIRMED: Confirmed = { etag: null, names: [] };

type Assessed = ReturnType<typeof assessSwitch>;

/** The desired list of a group, and the part of it that each switch has read back. */
export async function readList(tx: Tx, groupId: string, now: Date): Promise<TrunkList> {
  const newest = await findNewest(tx, groupId);
  const document = newest?.document ?? EMPTY;
  const isManaged = newest !== undefined;
  const rows = (await listGroupSwitches(tx, groupId)).filter(({ state }) => state !== "retired");
  const switches = rows.map((row) => assessSwitch(row, document, now));
  return {
    switch_group_id: groupId.toLowerCase(),
    revision: newest?.revision ?? 0,
    is_managed: isManaged,
    status: isManaged ? worstOf(switches.map(({ status }) => status)) : null,
    trunks: document.trunks.map((trunk) => {
      const states = switches.flatMap((one) =>
        stateOf(
          one,
          one.trunks.find(({ name }) => name === trunk.name),
        ),
      );
      return { ...settingsOf(trunk), status: worstOf(states.map(({ status }) => status)), states };
    }),
    forwarding: forwardingOf(document, switches),
    switches: switches.map((one) => shownSwitch(one, isManaged)),
    updated_at: newest?.created_at.toISOString() ?? null,
  };
}

function assessSwitch(row: GroupSwitchRow, document: TrunkDocument, now: Date) {
  const report = row.report ?? NO_REPORT;
  const desired = desiredFor(document, row.id);
  const { trunks, forwarding, status } = assess(desired, report, row.confirmed ?? NOTHING_CONFIRMED);
  const isUnknown = shownState(row, now) === "unreachable" || isStale(row, now);
  return { row, trunks, forwarding, status: isUnknown ? ("unknown" as const) : status, isUnknown };
}

function isStale(
  { observed_at: at, unreachable_after_seconds: seconds }: GroupSwitchRow,
  now: Date,
): boolean {
  return at !== null && now.getTime() - at.getTime() > seconds * 1_000 + STORED_EVERY_MS;
}

/** Empty if the switch should not hold the trunk: one that it holds anyway is listed with the switch. */
function stateOf<Value>({ row, isUnknown }: Assessed, item: ComparedItem<Value> | undefined) {
  if (!item || item.expected === null) return [];
  const { found, expected, error } = item;
  const status: TrunkStatus = isUnknown ? "unknown" : item.status;
  return [
    {
      switch_id: row.id,
      name: row.name,
      status,
      found,
      expected,
      error: error === "" ? null : error,
      observed_at: row.observed_at?.toISOString() ?? null,
    },
  ];
}

function forwardingOf({ forwarding }: TrunkDocument, switches: readonly Assessed[]): TrunkList["forwarding"] {
  if (forwarding === null) return null;
  const states = switches.flatMap((one) => stateOf(one, one.forwarding));
  return { ...forwarding, status: worstOf(states.map(({ status }) => status)), states };
}

function shownSwitch(
  { row, trunks, forwarding, status }: Assessed,
  isManaged: boolean,
): TrunkList["switches"][number] {
  const isOfFile = row.report?.etag === null;
  const unexpected = trunks.flatMap(({ expected, found }) => (expected === null && found ? [found] : []));
  return {
    id: row.id,
    name: row.name,
    source: row.report ? (isOfFile ? "file" : "service") : null,
    status: isManaged ? status : null,
    observed_at: row.observed_at?.toISOString() ?? null,
    file_trunks: isOfFile ? row.report!.trunks.flatMap(({ found }) => found ?? []) : [],
    unexpected_trunks: isOfFile ? [] : unexpected,
    unexpected_forwarding: isOfFile || forwarding.expected ? null : forwarding.found,
  };
}
