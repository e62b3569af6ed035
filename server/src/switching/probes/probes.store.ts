import type { OrganisationTx } from "../../platform/db/database.ts";
import type { ProbeLink } from "./probes.schema.ts";

export interface ProbeRow {
  id: string;
  holding_id: string;
  e164: string;
  via: "switch" | "carrier";
  status: "running" | "proved" | "broken" | "failed";
  summary: string | null;
  links: ProbeLink[];
  created_by: string | null;
  created_at: Date;
  ended_at: Date | null;
}

/** A number that can be probed. */
export interface ProbedNumber {
  holding_id: string;
  e164: string;
  group_id: string;
}

export interface NewProbe extends ProbedNumber {
  id: string;
  organisation_id: string;
  environment: "live" | "test";
  via: ProbeRow["via"];
  token: string;
  caller: string | null;
  trunk: string | null;
  created_by: string | null;
  created_at: Date;
  ends_by: Date;
}

const COLUMNS = "id, holding_id, e164, via, status, summary, links, created_by, created_at, ended_at";
const OWN = "organisation_id = $1 and environment = $2";

/** Undefined if there is no such number. Numbers that are not active take no calls. */
export async function findNumber(
  tx: OrganisationTx,
  numberId: string,
): Promise<(ProbedNumber & { status: string }) | undefined> {
  const [row] = await tx.query<ProbedNumber & { status: string }>(
    `select h.id as holding_id, h.e164, h.status, r.group_id
     from holdings h join routings r
       on r.organisation_id = h.organisation_id and r.environment = h.environment and r.holding_id = h.id
     where h.organisation_id = $1 and h.environment = $2 and h.id = $3`,
    [tx.organisationId, tx.environment, numberId],
  );
  return row;
}

/** Probes that the organisation may place today, and those that it has placed. */
export async function findAllowance(
  tx: OrganisationTx,
  since: Date,
): Promise<{ per_day: number; used: number }> {
  const [row] = await tx.query<{ per_day: number; used: number }>(
    `select coalesce((select probes_per_day from probe_policies where organisation_id = $1), 0) as per_day,
       (select count(*)::integer from probes where ${OWN} and created_at >= $3) as used`,
    [tx.organisationId, tx.environment, since],
  );
  return row!;
}

export async function findCaller(
  tx: OrganisationTx,
  groupId: string,
): Promise<{ trunk: string; caller: string } | undefined> {
  const [row] = await tx.query<{ trunk: string; caller: string }>(
    "select trunk, caller from probe_callers where switch_group_id = $1",
    [groupId],
  );
  return row;
}

export async function insertProbe(tx: Pick<OrganisationTx, "query">, probe: NewProbe): Promise<void> {
  const { id, organisation_id, environment, holding_id, e164, group_id, via, token } = probe;
  const { caller, trunk, created_by, created_at, ends_by } = probe;
  await tx.query(
    `insert into probes (id, organisation_id, environment, holding_id, e164, group_id, via, token, caller, trunk, status,
       links, created_by, created_at, ends_by)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'running', '[]', $11, $12, $13)`,
    [
      id,
      organisation_id,
      environment,
      holding_id,
      e164,
      group_id,
      via,
      token,
      caller,
      trunk,
      created_by,
      created_at,
      ends_by,
    ],
  );
}

export async function findProbe(tx: OrganisationTx, id: string): Promise<ProbeRow | undefined> {
  const [row] = await tx.query<ProbeRow>(`select ${COLUMNS} from probes where ${OWN} and id = $3`, [
    tx.organisationId,
    tx.environment,
    id,
  ]);
  return row;
}

/** Newest first. */
export async function listProbesBefore(
  tx: OrganisationTx,
  numberId: string,
  before: string | undefined,
  limit: number,
): Promise<ProbeRow[]> {
  return tx.query<ProbeRow>(
    `select ${COLUMNS} from probes
     where ${OWN} and holding_id = $3 and ($4::uuid is null or id < $4) order by id desc limit $5`,
    [tx.organisationId, tx.environment, numberId, before ?? null, limit + 1],
  );
}

export interface ScheduleRow {
  id: string;
  tag: string;
  via: ProbeRow["via"];
  every_hours: number;
  round_at: Date;
  created_at: Date;
  updated_at: Date;
}

const SCHEDULE = "id, tag, via, every_hours, round_at, created_at, updated_at";

export async function listSchedules(tx: OrganisationTx): Promise<ScheduleRow[]> {
  return tx.query<ScheduleRow>(`select ${SCHEDULE} from probe_schedules where ${OWN} order by tag`, [
    tx.organisationId,
    tx.environment,
  ]);
}

/** Replaces the schedule of the tag, which keeps its ID. */
export async function upsertSchedule(
  tx: OrganisationTx,
  { id, tag, via, every_hours }: Pick<ScheduleRow, "id" | "tag" | "via" | "every_hours">,
  by: { userId: string; at: Date },
): Promise<ScheduleRow> {
  const [row] = await tx.query<ScheduleRow>(
    `insert into probe_schedules (organisation_id, environment, id, tag, via, every_hours, created_by, created_at,
       updated_at, round_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $8, $8)
     on conflict (organisation_id, environment, tag) do update set via = excluded.via,
       every_hours = excluded.every_hours, updated_at = excluded.updated_at
     returning ${SCHEDULE}`,
    [tx.organisationId, tx.environment, id, tag, via, every_hours, by.userId, by.at],
  );
  return row!;
}

/** Returns its tag. Undefined if there is none. */
export async function deleteScheduleRow(tx: OrganisationTx, id: string): Promise<string | undefined> {
  const [row] = await tx.query<{ tag: string }>(
    `delete from probe_schedules where ${OWN} and id = $3 returning tag`,
    [tx.organisationId, tx.environment, id],
  );
  return row?.tag;
}
