import type { Tx } from "../../platform/db/database.ts";

export interface PolicyRow {
  organisation_id: string;
  probes_per_day: number;
  used_today: number;
  updated_at: Date | null;
}

export interface CallerRow {
  switch_group_id: string;
  trunk: string | null;
  caller: string | null;
  updated_at: Date | null;
}

/** Undefined if there is no such organisation. */
export async function findPolicy(
  tx: Tx,
  organisationId: string,
  since: Date,
): Promise<PolicyRow | undefined> {
  const [row] = await tx.query<PolicyRow>(
    `select o.id as organisation_id, coalesce(p.probes_per_day, 0) as probes_per_day, p.updated_at, (
       select count(*)::integer from probes c where c.organisation_id = o.id and c.environment = 'live'
         and c.created_at >= $2) as used_today
     from organisations o left join probe_policies p on p.organisation_id = o.id where o.id = $1`,
    [organisationId, since],
  );
  return row;
}

export async function upsertPolicy(
  tx: Tx,
  organisationId: string,
  probesPerDay: number,
  at: Date,
): Promise<void> {
  await tx.query(
    `insert into probe_policies (organisation_id, probes_per_day, updated_at) values ($1, $2, $3)
     on conflict (organisation_id) do update set probes_per_day = excluded.probes_per_day, updated_at = excluded.updated_at`,
    [organisationId, probesPerDay, at],
  );
}

/** Undefined if there is no such group in the live environment. */
export async function findCallerOfGroup(tx: Tx, groupId: string): Promise<CallerRow | undefined> {
  const [row] = await tx.query<CallerRow>(
    `select g.id as switch_group_id, c.trunk, c.caller, c.updated_at
     from switch_groups g left join probe_callers c on c.switch_group_id = g.id
     where g.id = $1 and g.environment = 'live'`,
    [groupId],
  );
  return row;
}

/** Whether the newest trunks of the group have this one with a gateway. Null if the group's trunks are not managed. */
export async function hasGateway(tx: Tx, groupId: string, trunk: string): Promise<boolean | null> {
  const [row] = await tx.query<{ found: boolean }>(
    `select exists (select from jsonb_array_elements(r.document -> 'trunks') t
       where t ->> 'name' = $2 and jsonb_typeof(t -> 'gateway') = 'object') as found
     from trunk_revisions r where r.switch_group_id = $1 order by r.revision desc limit 1`,
    [groupId, trunk],
  );
  return row?.found ?? null;
}

export async function upsertCaller(
  tx: Tx,
  groupId: string,
  { trunk, caller }: { trunk: string; caller: string },
  at: Date,
): Promise<void> {
  await tx.query(
    `insert into probe_callers (switch_group_id, trunk, caller, updated_at) values ($1, $2, $3, $4)
     on conflict (switch_group_id) do update set trunk = excluded.trunk, caller = excluded.caller,
       updated_at = excluded.updated_at`,
    [groupId, trunk, caller, at],
  );
}

export async function lockRow(tx: Tx, name: string): Promise<void> {
  await tx.query("select pg_advisory_xact_lock(hashtextextended('probes/' || $1, 0))", [name.toLowerCase()]);
}
