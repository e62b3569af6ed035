import { oldestRecord } from "../usage/usage.ts";
import { createHash } from "node:crypto";
import type { App } from "../../app.ts";
import { archiveBeforeDrop } from "./calls.archive.jobs.ts";
import { dropPartitions } from "../../platform/db/drop-partitions.ts";
import type { SwitchCaller } from "../../platform/http/access.ts";
import { faultOf, type Window } from "./calls.records.check.ts";
import { resultOf } from "./calls.records.rules.ts";
import type { CallRecord, CallRecordReceipt, RejectedRecord } from "./calls.records.schema.ts";

export { CallAttempt } from "./calls.records.schema.ts";
import {
  insertRecords,
  isPartitionMissing,
  makePartitions,
  sweepCallIds,
  sweepRejected,
} from "./calls.records.store.ts";

type Needs = Pick<App, "db" | "clock" | "log" | "config" | "feed">;

const DAY_MS = 86_400_000;
/** Maximum time that a switch's clock may be ahead of the server's. */
const AHEAD_MS = 3_600_000;
/** Maximum length of an invalid record that is stored for diagnosis. */
const KEPT_TEXT = 10_000;

/** Counts each record once, however often it comes. Answered when all of it is committed. */
export async function takeRecords(
  app: Needs,
  who: SwitchCaller,
  sent: readonly unknown[],
): Promise<CallRecordReceipt> {
  // Before the commit: should it change in the meantime, what was acknowledged is sent again.
  const epoch = app.feed.epoch() ?? null;
  const at = app.clock.now();
  const { records, rejected } = sorted(sent, windowOf(app, at));
  const batch = {
    at,
    partiesFrom: daysBefore(at, app.config.callPartiesDays),
    records: records.map((record) => ({ ...record, ...shownAttempts(record), result: resultOf(record) })),
    rejected: rejected.map(({ code, detail, index }) => ({ code, detail, ...textOf(sent[index]) })),
  };
  const insert = (): Promise<void> => app.db.forSwitch(who, (tx) => insertRecords(tx, who, batch));
  await insert().catch(async (error: unknown) => {
    if (!isPartitionMissing(error)) throw error;
    // In a separate transaction, so that table locks are not held while rows are written.
    const days = records.map(({ started_at: startedAt }) => startedAt.slice(0, 10));
    await app.db.forSwitch(who, (tx) => makePartitions(tx, [...new Set(days)]));
    await insert();
  });
  if (rejected.length > 0)
    app.log.warn(
      { switch: who.name, rejected: rejected.length, code: rejected[0]!.code },
      "call records were rejected",
    );
  return { epoch, acknowledged: records.map(({ id }) => id), rejected };
}

/** To the millisecond, as the API shows moments. */
function shownAttempts({ attempts }: CallRecord): Pick<CallRecord, "attempts"> {
  if (!attempts) return {};
  const shown = (at: string): string => at.replace(/\d{3}Z$/, "Z");
  return {
    attempts: attempts.map((one) => ({
      ...one,
      started_at: shown(one.started_at),
      ringing_at: one.ringing_at && shown(one.ringing_at),
      ended_at: one.ended_at && shown(one.ended_at),
    })),
  };
}

/** There are partitions for the days to come, and none for what is kept no longer. */
export async function keepPartitions(app: Pick<App, "db" | "clock" | "config" | "log">): Promise<void> {
  const at = app.clock.now();
  const days = Array.from({ length: 35 }, (_, ahead) => dayOf(new Date(at.getTime() + ahead * DAY_MS)));
  await app.db.forSystem("calls", (tx) => makePartitions(tx, days));
  const partiesBefore = daysBefore(at, app.config.callPartiesDays);
  await dropPartitions(app.db, { table: "call_parties", before: dayOf(partiesBefore) });
  await sweepCallIds(app.db, dayOf(partiesBefore));
  await sweepRejected(app.db, partiesBefore);
  // Last, because an archive takes long, and can fail.
  await dropPartitions(app.db, { table: "call_records", before: dayOf(oldestRecord(app, at)) }, (partition) =>
    archiveBeforeDrop(app, partition),
  );
}

function sorted(
  sent: readonly unknown[],
  window: Window,
): { records: CallRecord[]; rejected: RejectedRecord[] } {
  const records: CallRecord[] = [];
  const rejected: RejectedRecord[] = [];
  for (const [index, one] of sent.entries()) {
    const fault = faultOf(one, window);
    if (fault) rejected.push({ index, ...fault });
    else records.push(one as CallRecord);
  }
  return { records, rejected };
}

function windowOf(app: Pick<App, "config">, at: Date): Window {
  return { oldest: oldestRecord(app, at), newest: new Date(at.getTime() + AHEAD_MS) };
}

function daysBefore(at: Date, days: number): Date {
  return new Date(at.getTime() - days * DAY_MS);
}

function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}

function textOf(sent: unknown): { digest: Buffer; text: string } {
  const text = JSON.stringify(sent);
  return { digest: createHash("sha256").update(text).digest(), text: text.slice(0, KEPT_TEXT) };
}
