import type { Tx } from "../../platform/db/database.ts";
import type { SwitchCaller } from "../../platform/http/access.ts";
import type { LiveReport } from "./live.schema.ts";

/** The changes of this many reports are kept. A reader that has missed more reads everything again. */
export const KEPT_REPORTS = 100;

/** Takes a report only if it is the next one: an older one would undo later ones, a later one would hide a gap. */
export async function insertLiveReport(
  tx: Tx,
  who: SwitchCaller,
  report: LiveReport,
  at: Date,
): Promise<boolean> {
  const { switchId } = who;
  if (!(await advanceReport(tx, switchId, report, at))) return false;
  const changed = [
    ...(await deleteIdle(tx, switchId, report)),
    ...(await upsertBusy(tx, switchId, report, at)),
  ];
  await tx.query("delete from live_changes where switch_id = $1 and (sequence <= $2 or sequence >= $3)", [
    switchId,
    report.sequence - KEPT_REPORTS,
    report.sequence,
  ]);
  if (changed.length > 0)
    await tx.query(
      "insert into live_changes (switch_id, sequence, holding_id) select $1, $2, unnest($3::uuid[])",
      [switchId, report.sequence, changed],
    );
  return true;
}

async function advanceReport(
  tx: Tx,
  switchId: string,
  { session, sequence, is_snapshot: isSnapshot }: LiveReport,
  at: Date,
): Promise<boolean> {
  const taken = await tx.query(
    isSnapshot
      ? `insert into live_reports (switch_id, session, sequence, observed_at) values ($1, $2, $3, $4)
         on conflict (switch_id) do update set session = excluded.session, sequence = excluded.sequence, observed_at = excluded.observed_at
         where live_reports.session <> excluded.session or live_reports.sequence < excluded.sequence
         returning 1`
      : `update live_reports set sequence = $3, observed_at = $4
         where switch_id = $1 and session = $2 and sequence = $3::bigint - 1 returning 1`,
    [switchId, session, sequence, at],
  );
  return taken.length > 0;
}

function isBusy(one: LiveReport["numbers"][number]): boolean {
  return one.active_calls + (one.calls_last_minute ?? 0) > 0;
}

/** A snapshot says that every number it does not name is idle. Returns the numbers that were not. */
async function deleteIdle(
  tx: Tx,
  switchId: string,
  { is_snapshot: isSnapshot, numbers }: LiveReport,
): Promise<string[]> {
  const named = numbers.filter((one) => isBusy(one) === isSnapshot).map(({ number_id: id }) => id);
  if (!isSnapshot && named.length === 0) return [];
  const gone = await tx.query<{ holding_id: string }>(
    isSnapshot
      ? "delete from live_calls where switch_id = $1 and holding_id <> all ($2) returning holding_id"
      : "delete from live_calls where switch_id = $1 and holding_id = any ($2) returning holding_id",
    [switchId, named],
  );
  return gone.map(({ holding_id: id }) => id);
}

/** Updated in place: rows that were deleted and inserted every second would pile up between two vacuums. */
const UPSERT_CALLS = `
  insert into live_calls as l (switch_id, holding_id, organisation_id, environment, active_calls, calls_last_minute, last_call_at, observed_at)
  select distinct on (h.holding_id) $1::uuid, h.holding_id, h.organisation_id, h.environment,
    n.active_calls, n.calls_last_minute, n.last_call_at, $2::timestamptz
  from unnest($3::uuid[], $4::integer[], $5::integer[], $6::timestamptz[])
    as n (number_id, active_calls, calls_last_minute, last_call_at)
  join holders_of_calls($3::uuid[]) h on h.holding_id = n.number_id
  on conflict (switch_id, holding_id) do update set active_calls = excluded.active_calls,
    calls_last_minute = excluded.calls_last_minute, last_call_at = excluded.last_call_at, observed_at = excluded.observed_at
  where (l.active_calls, l.calls_last_minute, l.last_call_at)
    is distinct from (excluded.active_calls, excluded.calls_last_minute, excluded.last_call_at)
  returning holding_id`;

/** Returns the numbers that changed. */
async function upsertBusy(tx: Tx, switchId: string, { numbers }: LiveReport, at: Date): Promise<string[]> {
  const busy = numbers.filter(isBusy);
  if (busy.length === 0) return [];
  const changed = await tx.query<{ holding_id: string }>(UPSERT_CALLS, [
    switchId,
    at,
    busy.map(({ number_id: id }) => id),
    busy.map(({ active_calls: calls }) => calls),
    busy.map(({ calls_last_minute: calls }) => calls ?? 0),
    busy.map(({ last_call_at: lastAt }) => (lastAt ? new Date(lastAt) : null)),
  ]);
  return changed.map(({ holding_id: id }) => id);
}
