import type { Tx } from "../../platform/db/database.ts";
import type { ProbedNumber } from "./probes.store.ts";

export interface DueSchedule {
  organisation_id: string;
  environment: "live" | "test";
  tag: string;
  via: "switch" | "carrier";
  every_hours: number;
  round_at: Date;
  created_by: string;
  /** Probes that the organisation may still place today. */
  left_today: number;
}

/** Schedules whose round has started. Each worker takes others. */
export async function lockDueSchedules(
  tx: Tx,
  now: Date,
  { since, inTest }: { since: Date; inTest: number },
): Promise<DueSchedule[]> {
  return tx.query<DueSchedule>(
    `select s.organisation_id, s.environment, s.tag, s.via, s.every_hours, s.round_at, s.created_by,
       coalesce(case s.environment when 'test' then $3 else (
         select probes_per_day from probe_policies p where p.organisation_id = s.organisation_id) end, 0) - (
         select count(*) from probes c where c.organisation_id = s.organisation_id and c.environment = s.environment
           and c.created_at >= $2)::integer
         as left_today
     from probe_schedules s join organisations o on o.id = s.organisation_id and o.suspended_at is null
     where s.round_at <= $1 order by s.round_at, s.organisation_id, s.tag limit 50 for update of s skip locked`,
    [now, since, inTest],
  );
}

/** Numbers with the tag that were not probed in this round. */
export async function listUnprobed(
  tx: Tx,
  { organisation_id, environment, tag, via, round_at }: DueSchedule,
  limit: number,
): Promise<(ProbedNumber & { trunk: string | null; caller: string | null })[]> {
  return tx.query(
    `select h.id as holding_id, h.e164, r.group_id, c.trunk, c.caller
     from holdings h
     join routings r on r.organisation_id = h.organisation_id and r.environment = h.environment and r.holding_id = h.id
     left join probe_callers c on c.switch_group_id = r.group_id and $3 = 'carrier'
     where h.organisation_id = $1 and h.environment = $6 and h.status = 'active' and h.tags @> array[$2]
       and ($3 = 'switch' or c.caller is not null)
       and not exists (select from probes p where p.organisation_id = $1 and p.environment = $6
         and p.holding_id = h.id and (p.created_at >= $4 or p.status = 'running'))
     order by h.e164 limit $5`,
    [organisation_id, tag, via, round_at, limit, environment],
  );
}

export async function setNextRound(
  tx: Tx,
  { organisation_id, environment, tag }: DueSchedule,
  roundAt: Date,
): Promise<void> {
  await tx.query(
    "update probe_schedules set round_at = $4 where organisation_id = $1 and environment = $2 and tag = $3",
    [organisation_id, environment, tag, roundAt],
  );
}
