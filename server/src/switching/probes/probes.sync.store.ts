import type { Database, Tx } from "../../platform/db/database.ts";
import { sweepTable } from "../../platform/db/sweep.ts";
import type { ProbeLink } from "./probes.schema.ts";
import type { Evidence, SwitchEvidence } from "./probes.result.rules.ts";
import type { ProbeReport } from "./probes.wire.schema.ts";

/** Cheap: an installation without probes does no more than this. */
export async function hasRunning(tx: Tx): Promise<boolean> {
  return (await tx.query("select from probes where status = 'running' limit 1")).length > 0;
}

/** Reports of probes that have ended, or that are none of the switch's, have no effect. */
export async function storeReports(
  tx: Tx,
  { switchId, groupId }: { switchId: string; groupId: string },
  { expecting, placed, seen }: ProbeReport,
  at: Date,
): Promise<void> {
  await tx.query(
    `insert into probe_switches (probe_id, switch_id, expecting_at)
     select p.id, $2, $4 from probes p
     where p.id = any ($1) and p.status = 'running' and (p.via = 'carrier' or p.group_id = $3)
     on conflict do nothing`,
    [expecting, switchId, groupId, at],
  );
  for (const [column, reports] of [
    ["placed", placed],
    ["seen", seen],
  ] as const)
    if (reports.length > 0)
      await tx.query(
        `update probe_switches s set ${column} = r.report
         from (select (report ->> 'probe_id')::uuid as probe_id, report from jsonb_array_elements($2::jsonb) report
           offset 0) r
         where s.switch_id = $1 and s.probe_id = r.probe_id and s.${column} is null`,
        [switchId, JSON.stringify(reports)],
      );
}

export interface RunningRow {
  id: string;
  number: string;
  caller: string | null;
  token: string;
  via: Evidence["via"];
  trunk: string | null;
  created_at: Date;
  placed_by: string | null;
  is_own: boolean;
  is_expecting: boolean;
  is_started: boolean;
  /** Whether each reachable switch would recognise the call. */
  is_expected: boolean;
}

/** Probes that may reach the switch. A carrier delivers only to switches of the live environment. */
export async function listRunning(
  tx: Tx,
  { switchId, groupId }: { switchId: string; groupId: string },
  now: Date,
): Promise<RunningRow[]> {
  return tx.query<RunningRow>(
    `select p.id, p.e164 as number, p.caller, p.token, p.via, p.trunk, p.created_at, p.placed_by,
       p.group_id = $2 as is_own, s.probe_id is not null as is_expecting, s.started_at is not null as is_started,
       not exists (
         select from switches w join switch_groups g on g.id = w.group_id
         where p.via = 'carrier' and g.environment = 'live' and w.state <> 'retired' and 'probes' = any (w.features)
           and w.last_seen_at > $3::timestamptz - make_interval(secs => w.unreachable_after_seconds)
           and not exists (select from probe_switches x where x.probe_id = p.id and x.switch_id = w.id)) as is_expected
     from probes p left join probe_switches s on s.probe_id = p.id and s.switch_id = $1
     where p.status = 'running' and (p.group_id = $2 or p.via = 'carrier' and exists (
       select from switch_groups own where own.id = $2 and own.environment = 'live')) order by p.id limit 1000`,
    [switchId, groupId, now],
  );
}

/** True once for each switch. */
export async function startPlacing(tx: Tx, id: string, switchId: string, at: Date): Promise<boolean> {
  const rows = await tx.query(
    `update probe_switches set started_at = $3
     where probe_id = $1 and switch_id = $2 and started_at is null returning probe_id`,
    [id, switchId, at],
  );
  return rows.length > 0;
}

/** True for one switch only. */
export async function claimPlacing(tx: Tx, id: string, switchId: string, at: Date): Promise<boolean> {
  const rows = await tx.query(
    `update probes set placed_by = $2, placed_at = $3
     where id = $1 and placed_by is null and status = 'running' returning id`,
    [id, switchId, at],
  );
  return rows.length > 0;
}

export interface EndingRow {
  id: string;
  organisation_id: string;
  environment: "live" | "test";
  holding_id: string;
  e164: string;
  via: Evidence["via"];
  trunk: string | null;
  placed_by: string | null;
  /** Null if the number no longer has a route. */
  mode: string | null;
  generation: string;
  target: string | null;
  has_route_changed: boolean;
  delivery: Evidence["delivery"];
  switches: SwitchEvidence[];
}

/** Running probes with everything that is known of them. Others that end them wait or skip them. */
export async function lockEnding(tx: Tx, ids: readonly string[], now: Date): Promise<EndingRow[]> {
  if (ids.length === 0) return [];
  await tx.query("select from probes where id = any ($1) and status = 'running' order by id for update", [
    ids,
  ]);
  return tx.query<EndingRow>(
    `select p.id, p.organisation_id, p.environment, p.holding_id, p.e164, p.via, p.trunk, p.placed_by,
       r.mode, r.generation, coalesce(r.sip_uri, r.forward_to) as target,
       coalesce(r.set_at >= p.created_at, true) as has_route_changed, (
         select jsonb_build_object('desired', d.desired, 'applied', d.applied) from deliveries d
         where d.holding_id = p.holding_id and d.desired is not null and d.status <> 'in_sync') as delivery, (
         select coalesce(json_agg(json_build_object('id', w.id, 'name', w.name, 'is_own', w.group_id = p.group_id,
             'is_reachable', coalesce(
               w.last_seen_at > $2::timestamptz - make_interval(secs => w.unreachable_after_seconds), false),
             'is_able', 'probes' = any (w.features), 'placed', s.placed, 'seen', s.seen) order by w.name), '[]')
         from switches w left join probe_switches s on s.probe_id = p.id and s.switch_id = w.id
         where w.state <> 'retired' and (w.group_id = p.group_id or s.seen is not null)) as switches
     from probes p left join routings r on r.organisation_id = p.organisation_id and r.environment = p.environment
       and r.holding_id = p.holding_id
     where p.id = any ($1) and p.status = 'running'`,
    [ids, now],
  );
}

/** Probes whose time is up, and those without a report although their call has ended. */
export async function listOverdue(tx: Tx, now: Date, patienceSeconds: number): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `select p.id from probes p where p.status = 'running' and (p.ends_by <= $1 or exists (
       select from probe_switches s where s.probe_id = p.id and s.switch_id = p.placed_by and s.placed is not null
         and p.placed_at + make_interval(secs => $2 + (s.placed ->> 'took_ms')::integer / 1000) <= $1))
     order by p.id limit 100`,
    [now, patienceSeconds],
  );
  return rows.map(({ id }) => id);
}

export async function setEnded(
  tx: Tx,
  id: string,
  { status, summary, links }: { status: string; summary: string; links: ProbeLink[] },
  at: Date,
): Promise<void> {
  await tx.query(
    `update probes set status = $2, summary = $3, links = $4, ended_at = $5 where id = $1 and status = 'running'`,
    [id, status, summary, JSON.stringify(links), at],
  );
}

export async function deleteEndedBefore(db: Database, before: Date): Promise<void> {
  await sweepTable(db, { table: "probes", where: "ended_at < $1", values: [before] });
}
