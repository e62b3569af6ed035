import type { Database, Tx } from "../../platform/db/database.ts";
import { sweepTable } from "../../platform/db/sweep.ts";
import type { Noticed, NotificationKind, Rules } from "./notifications.rules.ts";
import type { RulesOwner } from "./notifications.store.ts";

export interface DueRules extends RulesOwner {
  rules: Rules;
}

/** Locks the rules whose turn it is. Undefined if other workers have them, or if none are due. */
export async function claimDueRules(tx: Tx, now: Date): Promise<DueRules | undefined> {
  const [row] = await tx.query<DueRules>(
    `select organisation_id, environment, rules from notification_rules
     where next_sweep_at <= $1 order by next_sweep_at limit 1 for update skip locked`,
    [now],
  );
  return row;
}

export async function setNextSweep(tx: Tx, of: RulesOwner, at: Date): Promise<void> {
  await tx.query(`update notification_rules set next_sweep_at = $3 where ${OWNED}`, [...ownerOf(of), at]);
}

/** A problem as it is seen now. */
export interface SeenProblem {
  kind: NotificationKind;
  subject: string;
  label: string | null;
  error: string | null;
  since: Date;
}

export interface ProblemRow extends Noticed, SeenProblem {
  id: string;
  kind: NotificationKind;
  subject: string;
  ended_at: Date | null;
}

const OWNED = "organisation_id is not distinct from $1 and environment is not distinct from $2";
const COLUMNS = "id, organisation_id, environment, kind, subject, label, error, since, ended_at";

const ownerOf = ({ organisation_id, environment }: RulesOwner): (string | null)[] => [
  organisation_id,
  environment,
];

/** Notes what is seen now. A problem that is gone before it begins is forgotten. */
export async function observeProblems(
  tx: Tx,
  of: RulesOwner,
  seen: readonly (SeenProblem & { id: string })[],
  at: Date,
): Promise<void> {
  const columns = [
    seen.map(({ id }) => id),
    seen.map(({ kind }) => kind),
    seen.map(({ subject }) => subject),
    seen.map(({ label }) => label),
    seen.map(({ error }) => error),
    seen.map(({ since }) => since),
  ];
  await tx.query(
    `insert into problems as p (organisation_id, environment, id, kind, subject, label, error, since, last_seen_at)
     select $1, $2, s.id, s.kind, s.subject, left(s.label, 2000), left(s.error, 500), least(s.since, $9::timestamptz), $9
     from unnest($3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::timestamptz[])
       s(id, kind, subject, label, error, since)
     on conflict (organisation_id, environment, kind, subject) where ended_at is null do update set
       last_seen_at = excluded.last_seen_at, label = excluded.label, error = excluded.error,
       since = case when p.begun_at is null then excluded.since else p.since end`,
    [...ownerOf(of), ...columns, at],
  );
  await tx.query(`delete from problems where ${OWNED} and begun_at is null and last_seen_at < $3`, [
    ...ownerOf(of),
    at,
  ]);
}

/** Begins the problems of a kind that have lasted since then. */
export async function beginProblems(
  tx: Tx,
  of: RulesOwner,
  { kind, lastedSince, batch, at }: { kind: string; lastedSince: Date; batch: string; at: Date },
): Promise<ProblemRow[]> {
  return tx.query<ProblemRow>(
    `update problems set begun_at = $5, begun_in = $6
     where ${OWNED} and kind = $3 and begun_at is null and ended_at is null and since <= $4 returning ${COLUMNS}`,
    [...ownerOf(of), kind, lastedSince, at, batch],
  );
}

/** Ends the problems of a kind that were not seen since then. */
export async function endProblems(
  tx: Tx,
  of: RulesOwner,
  { kind, goneSince, batch, at }: { kind: string; goneSince: Date; batch: string; at: Date },
): Promise<ProblemRow[]> {
  return tx.query<ProblemRow>(
    `update problems set ended_at = $5, ended_in = $6
     where ${OWNED} and kind = $3 and begun_at is not null and ended_at is null and last_seen_at <= $4
     returning ${COLUMNS}`,
    [...ownerOf(of), kind, goneSince, at, batch],
  );
}

/** Problems that a mail is about, longest first. */
export async function listNotified(
  tx: Tx,
  transition: "began" | "ended",
  batch: string,
): Promise<(ProblemRow & { organisation_name: string | null })[]> {
  const column = transition === "began" ? "begun_in" : "ended_in";
  return tx.query(
    `select p.id, p.organisation_id, p.environment, p.kind, p.subject, p.label, p.error, p.since, p.ended_at,
       o.name as organisation_name
     from problems p left join organisations o on o.id = p.organisation_id where p.${column} = $1
     order by p.since, p.id`,
    [batch],
  );
}

export async function deleteProblemsEndedBefore(db: Database, at: Date): Promise<void> {
  await sweepTable(db, { table: "problems", where: "ended_at < $1", values: [at] });
}
