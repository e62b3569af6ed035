import type { Tx } from "../../platform/db/database.ts";
import type { TrunkDocument } from "./trunks.document.rules.ts";
import type { Confirmed } from "./trunks.status.rules.ts";
import type { TrunkReport } from "./trunks.wire.schema.ts";

export interface SealedPasswords {
  sealed_passwords: Buffer | null;
  root_id: number | null;
}

export interface RevisionRow extends SealedPasswords {
  revision: number;
  document: TrunkDocument;
  opened_networks: string[];
  restored_from: number | null;
  created_at: Date;
  actor_id: string | null;
  actor_name: string | null;
}

export interface ReportRow {
  report: TrunkReport;
  confirmed: Confirmed;
  /** Items whose drift is in the audit log. */
  drifted: string[];
  status: "applied" | "pending" | "failed" | "drifted";
  since: Date;
  differing: number;
  error: string | null;
  observed_at: Date;
}

export interface GroupSwitchRow {
  id: string;
  name: string;
  state: "active" | "draining" | "retired";
  last_seen_at: Date | null;
  created_at: Date;
  unreachable_after_seconds: number;
  /** Whether its agent has reported that it cannot set trunks. */
  is_outdated: boolean;
  report: TrunkReport | null;
  confirmed: Confirmed | null;
  observed_at: Date | null;
}

const REVISION = `revision, document, sealed_passwords, root_id, opened_networks, restored_from, created_at,
  actor_id, actor_name`;

/** False if there is no such group in the live environment. Changes of its list then take turns until the commit. */
export async function lockGroup(tx: Tx, groupId: string): Promise<boolean> {
  await tx.query("select pg_advisory_xact_lock(hashtextextended('trunks/' || $1, 0))", [
    groupId.toLowerCase(),
  ]);
  return isLiveGroup(tx, groupId);
}

/** Numbers of the test environment have simulated switches, which have no trunks. */
export async function isLiveGroup(tx: Tx, groupId: string): Promise<boolean> {
  const rows = await tx.query("select from switch_groups where id = $1 and environment = 'live'", [groupId]);
  return rows.length > 0;
}

export async function findNewest(tx: Tx, groupId: string): Promise<RevisionRow | undefined> {
  const [row] = await tx.query<RevisionRow>(
    `select ${REVISION} from trunk_revisions where switch_group_id = $1 order by revision desc limit 1`,
    [groupId],
  );
  return row;
}

export async function findRevision(
  tx: Tx,
  groupId: string,
  revision: number,
): Promise<RevisionRow | undefined> {
  const [row] = await tx.query<RevisionRow>(
    `select ${REVISION} from trunk_revisions where switch_group_id = $1 and revision = $2`,
    [groupId, revision],
  );
  return row;
}

export async function listRevisionsBefore(
  tx: Tx,
  groupId: string,
  before: number | null,
  limit: number,
): Promise<RevisionRow[]> {
  return tx.query<RevisionRow>(
    `select ${REVISION} from trunk_revisions where switch_group_id = $1 and ($2::integer is null or revision < $2)
     order by revision desc limit $3`,
    [groupId, before, limit + 1],
  );
}

export async function insertRevision(tx: Tx, groupId: string, row: RevisionRow): Promise<void> {
  await tx.query(
    `insert into trunk_revisions (switch_group_id, revision, document, sealed_passwords, root_id, opened_networks,
       restored_from, created_at, actor_id, actor_name)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      groupId,
      row.revision,
      JSON.stringify(row.document),
      row.sealed_passwords,
      row.root_id,
      row.opened_networks,
      row.restored_from,
      row.created_at,
      row.actor_id,
      row.actor_name,
    ],
  );
}

export async function deleteRevisionsUpTo(tx: Tx, groupId: string, revision: number): Promise<void> {
  await tx.query("delete from trunk_revisions where switch_group_id = $1 and revision <= $2", [
    groupId,
    revision,
  ]);
}

/** Retired switches too: a list may still name them. */
export async function listGroupSwitches(tx: Tx, groupId: string): Promise<GroupSwitchRow[]> {
  return tx.query<GroupSwitchRow>(
    `select s.id, s.name, s.state, s.last_seen_at, s.created_at, s.unreachable_after_seconds,
       s.boot is not null and 'trunks' <> all (s.features) as is_outdated, r.report, r.confirmed, r.observed_at
     from switches s left join switch_trunk_reports r on r.switch_id = s.id
     where s.group_id = $1 order by s.name, s.id`,
    [groupId],
  );
}

export async function findReport(tx: Tx, switchId: string): Promise<ReportRow | undefined> {
  const [row] = await tx.query<ReportRow>(
    `select report, confirmed, drifted, status, since, differing, error, observed_at
     from switch_trunk_reports where switch_id = $1`,
    [switchId],
  );
  return row;
}

/** Two requests of one switch take turns. */
export async function lockReport(tx: Tx, switchId: string): Promise<void> {
  await tx.query("select pg_advisory_xact_lock(hashtextextended('trunk_report/' || $1, 0))", [switchId]);
}

export async function upsertReport(tx: Tx, switchId: string, row: ReportRow): Promise<void> {
  await tx.query(
    `insert into switch_trunk_reports as r (switch_id, report, confirmed, drifted, status, since, differing, error,
       observed_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     on conflict (switch_id) do update set report = excluded.report, confirmed = excluded.confirmed,
       drifted = excluded.drifted, status = excluded.status, since = excluded.since, differing = excluded.differing,
       error = excluded.error, observed_at = excluded.observed_at`,
    [
      switchId,
      JSON.stringify(row.report),
      JSON.stringify(row.confirmed),
      row.drifted,
      row.status,
      row.since,
      row.differing,
      row.error,
      row.observed_at,
    ],
  );
}
