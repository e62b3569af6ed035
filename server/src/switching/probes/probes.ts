import type { App } from "../../app.ts";
import { authorOf } from "../../events/audit/audit.ts";
import { lockChanges, recordChange } from "../../events/events/events.ts";
import { ApiError, notFound } from "../../platform/api-error.ts";
import { violatedConstraint } from "../../platform/db/database-error.ts";
import type { OrganisationTx } from "../../platform/db/database.ts";
import type { Actor, SessionCaller } from "../../platform/http/access.ts";
import type { Page } from "../../platform/http/page.ts";
import { newId } from "../../platform/ids.ts";
import { dayStart, TEST_PROBES_PER_DAY } from "./probes.day.rules.ts";
import { newProbe } from "./probes.new.ts";
import type { CreateProbe, CreateProbeSchedule } from "./probes.schema.ts";
import {
  deleteScheduleRow,
  findAllowance,
  findCaller,
  findNumber,
  findProbe,
  insertProbe,
  listProbesBefore,
  listSchedules as listScheduleRows,
  type ProbeRow,
  type ScheduleRow,
  upsertSchedule,
} from "./probes.store.ts";

export type { ProbeRow, ScheduleRow };
export { getProbeCaller, getProbePolicy, setProbeCaller, setProbePolicy } from "./probes.policy.ts";
export { syncProbes } from "./probes.sync.ts";

type ByUser = Actor & { caller: SessionCaller };

const MOST_SCHEDULES = 50;

export async function createProbe(
  tx: OrganisationTx,
  { clock }: Pick<App, "clock">,
  actor: ByUser,
  { numberId, via = "switch" }: CreateProbe & { numberId: string },
): Promise<ProbeRow> {
  const number = await findNumber(tx, numberId);
  if (!number) throw notFound("number_not_found");
  if (number.status !== "active")
    throw new ApiError(
      "number_not_active",
      `The number is ${number.status}. Only active numbers can be probed.`,
    );
  const now = clock.now();
  // Two requests must not both take the last probe of the day.
  await lockChanges(tx, [tx.organisationId]);
  await rejectAboveLimit(tx, now);
  const caller = via === "carrier" ? await findCaller(tx, number.group_id) : undefined;
  if (via === "carrier" && !caller)
    throw new ApiError(
      "probes_disabled",
      "Probes through a carrier are not set up for the switches of this number. Use `via` `switch`, or ask your operator.",
    );
  const probe = newProbe(number, {
    organisationId: tx.organisationId,
    environment: tx.environment,
    via,
    caller,
    by: actor.caller.userId,
    now,
  });
  await insertProbe(tx, probe).catch(rejectSecond);
  await recordChange(tx, authorOf(actor.caller, actor.origin), now, {
    type: "probe.created",
    organisationId: tx.organisationId,
    environment: tx.environment,
    subject: probe.id,
    data: { number_id: number.holding_id, e164: number.e164, via },
  });
  return { ...probe, status: "running", summary: null, links: [], ended_at: null };
}

export async function listProbes(
  { db }: Pick<App, "db">,
  actor: Actor,
  numberId: string,
  page: Page,
): Promise<ProbeRow[]> {
  return db.forOrganisation(actor, async (tx) => {
    const rows = await listProbesBefore(tx, numberId, page.after, page.limit);
    if (rows.length === 0 && !(await findNumber(tx, numberId))) throw notFound("number_not_found");
    return rows;
  });
}

export async function getProbe({ db }: Pick<App, "db">, actor: Actor, id: string): Promise<ProbeRow> {
  const row = await db.forOrganisation(actor, (tx) => findProbe(tx, id));
  if (!row) throw notFound("probe_not_found");
  return row;
}

export async function hasNumber(tx: OrganisationTx, numberId: string): Promise<boolean> {
  return (await findNumber(tx, numberId)) !== undefined;
}

export async function listSchedules({ db }: Pick<App, "db">, actor: Actor): Promise<ScheduleRow[]> {
  return db.forOrganisation(actor, listScheduleRows);
}

export async function createSchedule(
  tx: OrganisationTx,
  { clock }: Pick<App, "clock">,
  actor: ByUser,
  { tag, via = "switch", every_hours }: CreateProbeSchedule,
): Promise<ScheduleRow> {
  const at = clock.now();
  await lockChanges(tx, [tx.organisationId]);
  if ((await allowanceOf(tx, at)).perDay === 0) throw disabled();
  const schedules = await listScheduleRows(tx);
  const before = schedules.find((one) => one.tag === tag);
  if (!before && schedules.length >= MOST_SCHEDULES)
    throw new ApiError(
      "probe_limit_reached",
      `The organisation has ${MOST_SCHEDULES} schedules. Delete one first.`,
    );
  const after = await upsertSchedule(
    tx,
    { id: newId(), tag, via, every_hours },
    { userId: actor.caller.userId, at },
  );
  await recordChange(tx, authorOf(actor.caller, actor.origin), at, {
    type: "probe_schedule.set",
    organisationId: tx.organisationId,
    environment: tx.environment,
    subject: after.id,
    data: { tag, via, every_hours },
    before: before ? { via: before.via, every_hours: before.every_hours } : null,
    after: { via, every_hours },
  });
  return after;
}

export async function deleteSchedule(
  tx: OrganisationTx,
  { clock }: Pick<App, "clock">,
  actor: ByUser,
  id: string,
): Promise<void> {
  const tag = await deleteScheduleRow(tx, id);
  if (tag === undefined) throw notFound("probe_schedule_not_found");
  await recordChange(tx, authorOf(actor.caller, actor.origin), clock.now(), {
    type: "probe_schedule.deleted",
    organisationId: tx.organisationId,
    environment: tx.environment,
    subject: id,
    data: { tag },
  });
}

/** Probes of simulated switches cost nothing, so they need no operator. */
async function allowanceOf(tx: OrganisationTx, now: Date): Promise<{ perDay: number; used: number }> {
  const { per_day: perDay, used } = await findAllowance(tx, dayStart(now));
  return { perDay: tx.environment === "test" ? TEST_PROBES_PER_DAY : perDay, used };
}

async function rejectAboveLimit(tx: OrganisationTx, now: Date): Promise<void> {
  const { perDay, used } = await allowanceOf(tx, now);
  if (perDay === 0) throw disabled();
  if (used >= perDay)
    throw new ApiError(
      "probe_limit_reached",
      `The organisation has placed its ${perDay} probes of today (UTC). Try again tomorrow, or ask your operator for more.`,
    );
}

function disabled(): ApiError {
  return new ApiError("probes_disabled", "Your operator has not enabled probes for this organisation.");
}

function rejectSecond(error: unknown): never {
  if (violatedConstraint(error) !== "probes_running") throw error;
  throw new ApiError("probe_in_progress", "A probe of this number is running. List its probes to follow it.");
}
