import type { Tx } from "../../platform/db/database.ts";
import type { ForwardingReport } from "./forwarding.schema.ts";

export interface PolicyRow {
  calls_at_once: number | null;
  calls_per_day: number | null;
  minutes_per_day: number | null;
  caller: "pass" | "called" | "fixed";
  caller_number: string | null;
  identity: "keep" | "drop";
}

/** Undefined if there is no such organisation. Locks it, so that two changes take turns. */
export async function lockPolicy(
  tx: Tx,
  organisationId: string,
): Promise<{ policy: PolicyRow | null } | undefined> {
  const [organisation] = await tx.query("select from organisations where id = $1 for update", [
    organisationId,
  ]);
  if (!organisation) return undefined;
  return { policy: (await findPolicy(tx, organisationId)) ?? null };
}

async function findPolicy(tx: Tx, organisationId: string): Promise<PolicyRow | undefined> {
  const [row] = await tx.query<PolicyRow>(
    `select calls_at_once, calls_per_day, minutes_per_day, caller, caller_number, identity
     from forwarding_policies where organisation_id = $1`,
    [organisationId],
  );
  return row;
}

export async function upsertPolicy(
  tx: Tx,
  organisationId: string,
  { calls_at_once, calls_per_day, minutes_per_day, caller, caller_number, identity }: PolicyRow,
  at: Date,
): Promise<void> {
  await tx.query(
    `insert into forwarding_policies as p (organisation_id, generation, calls_at_once, calls_per_day, minutes_per_day,
       caller, caller_number, identity, updated_at)
     values ($1, 1, $2, $3, $4, $5, $6, $7, $8)
     on conflict (organisation_id) do update set generation = p.generation + 1, calls_at_once = excluded.calls_at_once,
       calls_per_day = excluded.calls_per_day, minutes_per_day = excluded.minutes_per_day, caller = excluded.caller,
       caller_number = excluded.caller_number, identity = excluded.identity, updated_at = excluded.updated_at`,
    [organisationId, calls_at_once, calls_per_day, minutes_per_day, caller, caller_number, identity, at],
  );
}

/** Live switches that cannot enforce limits. */
export async function listOutdatedSwitches(tx: Tx): Promise<string[]> {
  const rows = await tx.query<{ name: string }>(
    `select s.name from switches s join switch_groups g on g.id = s.group_id
     where g.environment = 'live' and s.state <> 'retired' and not 'forwarding' = any (s.features) order by s.name`,
  );
  return rows.map(({ name }) => name);
}

export interface ForwardingRow extends PolicyRow {
  updated_at: Date | null;
  switches: {
    id: string;
    name: string;
    is_applied: boolean;
    calls_at_once: number | null;
    calls: number | null;
    seconds: number | null;
    use_at_once: number;
    use_calls: number;
    use_seconds: number;
    reported_at: string | null;
  }[];
}

/** Undefined if there is no such organisation. */
export async function findForwarding(
  tx: Tx,
  organisationId: string,
  today: number,
): Promise<ForwardingRow | undefined> {
  const [row] = await tx.query<ForwardingRow>(
    `select p.calls_at_once, p.calls_per_day, p.minutes_per_day, coalesce(p.caller, 'pass') as caller, p.caller_number,
       coalesce(p.identity, 'keep') as identity, p.updated_at, coalesce((
         select json_agg(json_build_object('id', s.id, 'name', s.name,
           'is_applied', coalesce(a.is_held and a.generation = p.generation, p.generation is null),
           'calls_at_once', a.calls_at_once, 'calls', a.calls, 'seconds', a.seconds,
           'use_at_once', coalesce(a.use_at_once, 0),
           'use_calls', case a.use_day when $2 then a.use_calls else 0 end,
           'use_seconds', case a.use_day when $2 then a.use_seconds else 0 end,
           'reported_at', a.reported_at) order by s.name, s.id)
         from switches s join switch_groups g on g.id = s.group_id
         left join forwarding_allowances a on a.switch_id = s.id and a.organisation_id = o.id
         where g.environment = 'live' and s.state <> 'retired'), '[]') as switches
     from organisations o left join forwarding_policies p on p.organisation_id = o.id where o.id = $1`,
    [organisationId, today],
  );
  return row;
}

/** Cheap: an installation without limits does no more than this. */
export async function hasPolicies(tx: Tx): Promise<boolean> {
  return (await tx.query("select from forwarding_policies limit 1")).length > 0;
}

/** Limits are divided for one switch at a time: each reads what the others may enforce. */
export async function lockDivision(tx: Tx): Promise<void> {
  await tx.query("select pg_advisory_xact_lock(hashtextextended('forwarding', 0))");
}

/** Confirms allowances up to a version: the switch enforces these and no others. */
export async function confirmAllowances(
  tx: Tx,
  switchId: string,
  heldVersion: number,
  at: Date,
): Promise<void> {
  await tx.query(
    `update forwarding_allowances set is_held = true, most_at_once = calls_at_once, most_calls = calls,
       most_seconds = seconds, changed = nextval('forwarding_changes'), reported_at = $3
     where switch_id = $1 and version <= $2 and not is_held`,
    [switchId, heldVersion, at],
  );
  await tx.query(
    "update forwarding_allowances set is_held = false where switch_id = $1 and version > $2 and is_held",
    [switchId, heldVersion],
  );
}

export async function setUse(
  tx: Tx,
  switchId: string,
  use: ForwardingReport["use"],
  at: Date,
): Promise<void> {
  if (use.length === 0) return;
  await tx.query(
    `update forwarding_allowances a set use_day = u.day, use_calls = u.calls, use_seconds = u.seconds,
       use_at_once = u.at_once, changed = nextval('forwarding_changes'), reported_at = $7
     from unnest($2::uuid[], $3::integer[], $4::integer[], $5::integer[], $6::integer[])
       as u (organisation_id, day, calls, seconds, at_once)
     where a.switch_id = $1 and a.organisation_id = u.organisation_id
       and (a.use_day, a.use_calls, a.use_seconds, a.use_at_once) is distinct from (u.day, u.calls, u.seconds, u.at_once)`,
    [
      switchId,
      use.map(({ organisation_id: id }) => id),
      use.map(({ day }) => day),
      use.map(({ calls }) => calls),
      use.map(({ seconds }) => seconds),
      use.map(({ calls_at_once: atOnce }) => atOnce),
      at,
    ],
  );
}

export interface Allowance {
  calls_at_once: number | null;
  calls: number | null;
  seconds: number | null;
}

export interface DividedRow {
  organisation_id: string;
  generation: string;
  calls_at_once: number | null;
  calls_per_day: number | null;
  minutes_per_day: number | null;
  own: (Allowance & { generation: number }) | null;
  parts: {
    switch_id: string;
    is_serving: boolean;
    most_at_once: number | null;
    most_calls: number | null;
    most_seconds: number | null;
    use_at_once: number;
    use_calls: number;
    use_seconds: number;
  }[];
}

/** Policies to divide again for a switch: changed ones, and those of which another part or its use has changed. */
export async function listDivisions(tx: Tx, switchId: string, today: number): Promise<DividedRow[]> {
  return tx.query<DividedRow>(
    `with due as materialized (
       select p.*, a.switch_id, a.generation as own_generation, a.calls_at_once as own_at_once, a.calls as own_calls,
         a.seconds as own_seconds
       from forwarding_policies p
       left join forwarding_allowances a on a.organisation_id = p.organisation_id and a.switch_id = $1
       where a.switch_id is null or a.generation <> p.generation or a.divided_day <> $2 or exists (
         select from forwarding_allowances o where o.organisation_id = p.organisation_id and o.changed > a.divided)
     )
     select d.organisation_id, d.generation, d.calls_at_once, d.calls_per_day, d.minutes_per_day,
       case when d.switch_id is not null then json_build_object('generation', d.own_generation,
         'calls_at_once', d.own_at_once, 'calls', d.own_calls, 'seconds', d.own_seconds) end as own, (
       select json_agg(json_build_object('switch_id', s.id,
         'is_serving', exists (select from number_counts c where c.organisation_id = d.organisation_id
           and c.environment = 'live' and c.group_id = s.group_id and c.numbers > 0),
         'most_at_once', a.most_at_once, 'most_calls', a.most_calls, 'most_seconds', a.most_seconds,
         'use_at_once', coalesce(a.use_at_once, 0),
         'use_calls', case a.use_day when $2 then a.use_calls else 0 end,
         'use_seconds', case a.use_day when $2 then a.use_seconds else 0 end))
       from switches s join switch_groups g on g.id = s.group_id
       left join forwarding_allowances a on a.organisation_id = d.organisation_id and a.switch_id = s.id
       where g.environment = 'live' and s.state <> 'retired') as parts
     from due d`,
    [switchId, today],
  );
}

export interface Division extends Allowance {
  organisationId: string;
  generation: string;
}

/** Parts that stayed as they were only note that they were divided. */
export async function setAllowances(
  tx: Tx,
  switchId: string,
  { changed, unchanged, today }: { changed: Division[]; unchanged: string[]; today: number },
): Promise<void> {
  if (unchanged.length > 0)
    await tx.query(
      `update forwarding_allowances set divided = nextval('forwarding_changes'), divided_day = $3
       where switch_id = $1 and organisation_id = any ($2)`,
      [switchId, unchanged, today],
    );
  if (changed.length === 0) return;
  await tx.query(
    `insert into forwarding_allowances as a (switch_id, organisation_id, version, generation, calls_at_once, calls, seconds,
       most_at_once, most_calls, most_seconds, is_held, use_day, use_calls, use_seconds, use_at_once, changed, divided,
       divided_day)
     select $1, n.organisation_id, n.place + (
         select coalesce(max(version), 0) from forwarding_allowances where switch_id = $1),
       n.generation, n.at_once, n.calls, n.seconds, n.at_once, n.calls, n.seconds, false, $7, 0, 0, 0,
       n.change, n.change, $7
     from (select *, nextval('forwarding_changes') as change
       from unnest($2::uuid[], $3::bigint[], $4::integer[], $5::integer[], $6::integer[])
         with ordinality as u (organisation_id, generation, at_once, calls, seconds, place)) n
     on conflict (organisation_id, switch_id) do update set version = excluded.version, generation = excluded.generation,
       calls_at_once = excluded.calls_at_once, calls = excluded.calls, seconds = excluded.seconds,
       most_at_once = case when excluded.calls_at_once is not null then greatest(a.most_at_once, excluded.calls_at_once) end,
       most_calls = case when excluded.calls is not null then greatest(a.most_calls, excluded.calls) end,
       most_seconds = case when excluded.seconds is not null then greatest(a.most_seconds, excluded.seconds) end,
       is_held = false, changed = excluded.changed, divided = excluded.divided, divided_day = excluded.divided_day`,
    [
      switchId,
      changed.map(({ organisationId }) => organisationId),
      changed.map(({ generation }) => generation),
      changed.map(({ calls_at_once: atOnce }) => atOnce),
      changed.map(({ calls }) => calls),
      changed.map(({ seconds }) => seconds),
      today,
    ],
  );
}

export interface SentAllowance extends Allowance {
  organisation_id: string;
  version: string;
  caller: string;
  identity: "keep" | "drop";
}

export async function listAllowancesAfter(
  tx: Tx,
  switchId: string,
  heldVersion: number,
): Promise<SentAllowance[]> {
  return tx.query<SentAllowance>(
    `select a.organisation_id, a.version, a.calls_at_once, a.calls, a.seconds,
       coalesce(p.caller_number, p.caller) as caller, p.identity
     from forwarding_allowances a join forwarding_policies p on p.organisation_id = a.organisation_id
     where a.switch_id = $1 and a.version > $2 order by a.version`,
    [switchId, heldVersion],
  );
}

export async function findNewestVersion(tx: Tx, switchId: string): Promise<number> {
  const [row] = await tx.query<{ version: string }>(
    "select coalesce(max(version), 0) as version from forwarding_allowances where switch_id = $1",
    [switchId],
  );
  return Number(row!.version);
}
