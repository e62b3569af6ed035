import type { App } from "../../app.ts";
import { systemAuthor } from "../../events/audit/audit.ts";
import { recordChanges } from "../../events/events/events.ts";
import type { Tx } from "../../platform/db/database.ts";
import type { SwitchCaller } from "../../platform/http/access.ts";
import { type Evidence, type Result, resultOf } from "./probes.result.rules.ts";
import {
  claimPlacing,
  type EndingRow,
  hasRunning,
  listRunning,
  lockEnding,
  type RunningRow,
  setEnded,
  startPlacing,
  storeReports,
} from "./probes.sync.store.ts";
import type { ProbeReport, ProbeTasks } from "./probes.wire.schema.ts";

const AUTHOR = systemAuthor("probes");
/** Switches that do not confirm a probe within this time do not delay it any longer. */
const CONFIRMED_WITHIN_MS = 6_000;

/** Stores a switch's reports of probes, ends those that are complete, and returns those that it must recognise or place. */
export async function syncProbes(
  { db, clock }: Pick<App, "db" | "clock">,
  caller: SwitchCaller,
  report: ProbeReport,
): Promise<ProbeTasks> {
  const now = clock.now();
  return db.forSystem("probes", async (tx) => {
    if (!(await hasRunning(tx))) return { expect: [], place: [] };
    await storeReports(tx, caller, report, now);
    const reported = new Set([...report.placed, ...report.seen].map(({ probe_id }) => probe_id));
    await endProbes(tx, [...reported], now, isComplete);
    const running = await listRunning(tx, caller, now);
    const place: RunningRow[] = [];
    for (const row of running) if (await mustPlace(tx, row, caller.switchId, now)) place.push(row);
    return {
      expect: running.map(expected),
      place: place.map((row) => ({ ...expected(row), gateway: row.trunk })),
    };
  });
}

const expected = ({ id, number, caller, token }: RunningRow) => ({ id, number, caller, token });

/** Each call is assigned once: if the response is lost, it is not placed. */
async function mustPlace(tx: Tx, row: RunningRow, switchId: string, now: Date): Promise<boolean> {
  if (!row.is_own || !row.is_expecting || row.is_started || row.placed_by !== null) return false;
  if (row.via === "switch") return startPlacing(tx, row.id, switchId, now);
  const isLate = now.getTime() - row.created_at.getTime() > CONFIRMED_WITHIN_MS;
  return (row.is_expected || isLate) && (await claimPlacing(tx, row.id, switchId, now));
}

/** Ends those of the probes that `isDue` selects. */
export async function endProbes(
  tx: Tx,
  ids: readonly string[],
  now: Date,
  isDue: (row: EndingRow) => boolean = () => true,
): Promise<void> {
  const broken: { row: EndingRow; result: Result }[] = [];
  for (const row of (await lockEnding(tx, ids, now)).filter(isDue)) {
    const result = resultOf(evidenceOf(row));
    await setEnded(tx, row.id, result, now);
    if (result.status === "broken") broken.push({ row, result });
  }
  if (broken.length === 0) return;
  await recordChanges(
    tx,
    AUTHOR,
    now,
    broken.map(({ row: { id, organisation_id, environment, holding_id, e164, via }, result }) => ({
      type: "probe.broken",
      organisationId: organisation_id,
      environment,
      subject: id,
      data: { number_id: holding_id, e164, via, summary: result.summary },
    })),
  );
}

/** Whether no further report can change the result. */
function isComplete({ via, placed_by, switches }: EndingRow): boolean {
  if (via === "carrier") {
    const placer = switches.find(({ id }) => id === placed_by);
    return placer?.placed != null && switches.some(({ seen }) => seen !== null);
  }
  return switches.every(
    ({ is_own, is_reachable, is_able, placed, seen }) =>
      !is_own || !is_reachable || !is_able || (placed !== null && seen !== null),
  );
}

function evidenceOf({ mode, generation, target, has_route_changed, ...row }: EndingRow): Evidence {
  return {
    ...row,
    has_route_changed: has_route_changed || mode === null,
    desired: { mode: mode ?? "unrouted", generation: Number(generation), target },
  };
}
