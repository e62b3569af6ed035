import type { App } from "../../app.ts";
import { lockChanges } from "../../events/events/events.ts";
import type { Tx } from "../../platform/db/database.ts";
import { dayStart, TEST_PROBES_PER_DAY } from "./probes.day.rules.ts";
import { newProbe } from "./probes.new.ts";
import { insertProbe } from "./probes.store.ts";
import { type DueSchedule, listUnprobed, lockDueSchedules, setNextRound } from "./probes.schedules.store.ts";
import { deleteEndedBefore, hasRunning, listOverdue } from "./probes.sync.store.ts";
import { endProbes } from "./probes.sync.ts";

type Needs = Pick<App, "db" | "clock">;

/** An agent reads the row of a call, and asks the target, within this time. */
const REPORTED_WITHIN_SECONDS = 8;
/** Numbers of a schedule per run: a round of a thousand numbers takes eight minutes. */
const NUMBERS_PER_RUN = 10;
const KEPT_MS = 90 * 86_400_000;
const HOUR_MS = 3_600_000;

/** Ends probes whose time is up. */
export const endProbesChore = {
  name: "probes.end",
  everyMs: 1_000,
  run: (app: Needs): Promise<void> => endOverdueProbes(app),
};

/** Places the probes of schedules. */
export const scheduleProbesChore = {
  name: "probes.schedule",
  everyMs: 5_000,
  run: (app: Needs): Promise<void> => placeDueProbes(app),
};

export async function endOverdueProbes({ db, clock }: Needs): Promise<void> {
  const now = clock.now();
  await db.forSystem("probes", async (tx) => {
    if (!(await hasRunning(tx))) return;
    await endProbes(tx, await listOverdue(tx, now, REPORTED_WITHIN_SECONDS), now);
  });
}

export async function placeDueProbes({ db, clock }: Needs): Promise<void> {
  const now = clock.now();
  await db.forSystem("probes", async (tx) => {
    const due = await lockDueSchedules(tx, now, { since: dayStart(now), inTest: TEST_PROBES_PER_DAY });
    if (due.length === 0) return;
    const organisationIds = [...new Set(due.map(({ organisation_id: id }) => id))].toSorted();
    await lockChanges(tx, organisationIds);
    for (const schedule of due) await placeSome(tx, schedule, now);
  });
}

export async function sweepProbes({ db, clock }: Needs): Promise<void> {
  await deleteEndedBefore(db, new Date(clock.now().getTime() - KEPT_MS));
}

/** Without probes left today, the round continues tomorrow. */
async function placeSome(tx: Tx, schedule: DueSchedule, now: Date): Promise<void> {
  const {
    organisation_id: organisationId,
    environment,
    via,
    every_hours: everyHours,
    round_at,
    left_today,
  } = schedule;
  if (left_today <= 0) return;
  const numbers = await listUnprobed(tx, schedule, Math.min(NUMBERS_PER_RUN, left_today));
  for (const { trunk, caller, ...number } of numbers) {
    const by = trunk !== null && caller !== null ? { trunk, caller } : undefined;
    await insertProbe(tx, newProbe(number, { organisationId, environment, via, caller: by, by: null, now }));
  }
  if (numbers.length > 0) return;
  const next = round_at.getTime() + everyHours * HOUR_MS;
  await setNextRound(tx, schedule, new Date(Math.max(next, now.getTime())));
}
