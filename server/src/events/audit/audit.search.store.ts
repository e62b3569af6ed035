import { binder, boundedScan, scanKey, type Scanned } from "../../platform/db/bounded-scan.ts";
import type { Database, OrganisationScope } from "../../platform/db/database.ts";
import type { AuditRow } from "./audit.store.ts";

export interface AuditSearch {
  actor_id?: string;
  action?: string;
  subject_id?: string;
  outcome?: "done" | "refused";
  from?: Date;
  to?: Date;
  /** Bounds of IDs for `from` and `to`. */
  first?: string;
  end?: string;
  q?: string;
  include_system?: boolean;
}

export type FoundEntry = AuditRow & Scanned;

/** Entries of an organisation, or those without one, which belong to the operator. */
export type AuditScope = OrganisationScope | null;

/** Newest first. */
export async function searchAuditEntries(
  db: Database,
  scope: AuditScope,
  search: AuditSearch,
  page: { before: string | undefined; limit: number },
): Promise<FoundEntry[]> {
  const { text, values } = auditStatement(scope, search, page);
  return readFor<FoundEntry>(db, scope, text, values);
}

function readFor<Row>(db: Database, scope: AuditScope, text: string, values: unknown[]): Promise<Row[]> {
  return scope
    ? db.forOrganisation.readPlanned<Row>(scope, text, values)
    : db.forSystem.readPlanned<Row>("operator", text, values);
}

function ownOf(scope: AuditScope): { values: unknown[]; condition: string } {
  if (!scope) return { values: [], condition: "a.organisation_id is null" };
  const condition = "a.organisation_id = $1 and (a.environment is null or a.environment = $2)";
  return { values: [scope.organisationId, scope.environment], condition };
}

const COLUMNS = `a.id, a.organisation_id, a.environment, a.action, a.outcome, a.subject, a.actor_kind, a.actor_id, a.actor_name,
    a.detail, a.request_id, host(a.address) as address, a.at, a.before, a.after`;

/**
 * A routing has its states in the revisions. Only organisations have numbers. Below row policies, PostgreSQL uses an index only
 * for comparisons of plain columns, so casts and sums come before, behind a fence (`offset 0`).
 */
function withRevisions(scope: AuditScope, entries: string, more = ""): string {
  const revision = (generation: string): string => `(select v.desired from routing_revisions v
      where v.organisation_id = $1 and v.environment = $2 and v.holding_id = r.holding_id
        and v.generation = r.${generation} limit 1)`;
  const state = (name: string, generation: string): string =>
    scope
      ? `case when r.holding_id is not null then ${revision(generation)} else r.${name} end as ${name}`
      : `r.${name}`;
  const keys = `case when e.action = 'routing.changed' then e.subject::uuid end as holding_id,
      case when e.action = 'routing.changed' then (e.detail ->> 'generation')::bigint end as generation,
      case when e.action = 'routing.changed' then (e.detail ->> 'generation')::bigint - 1 end as generation_before`;
  return `select r.id, r.organisation_id, r.environment, r.action, r.outcome, r.subject, r.actor_kind, r.actor_id, r.actor_name,
      r.detail, r.request_id, r.address, r.at, ${state("before", "generation_before")}, ${state("after", "generation")}${more}
    from (select e.*, ${keys} from (${entries}) e offset 0) r`;
}

export function auditStatement(
  scope: AuditScope,
  search: AuditSearch,
  { before, limit }: { before: string | undefined; limit: number },
): { text: string; values: unknown[] } {
  const own = ownOf(scope);
  const { values, bind } = binder(...own.values);
  const of = scannedColumn(search, bind);
  const key = scanKey("a.id", of);
  const conditions = [
    own.condition,
    ...key.conditions,
    ...(search.outcome === "refused" && !of ? ["a.outcome = 'refused'"] : []),
    ...(before ? [key.compare("<", bind(before, "uuid"))] : []),
    ...(search.end ? [key.compare("<", bind(search.end, "uuid"))] : []),
    ...(search.first ? [key.compare(">=", bind(search.first, "uuid"))] : []),
  ];
  const scan = `select ${COLUMNS} from audit_entries a where ${conditions.join(" and ")} order by ${key.order(" desc")}`;
  const found = boundedScan(scan, matchesOf(search, bind), limit);
  return { text: withRevisions(scope, found, ", r.is_match, r.place"), values };
}

/** Position of an entry in commit order. Undefined if the entry does not exist. */
export async function findCommit(db: Database, scope: AuditScope, id: string): Promise<Position | undefined> {
  const { values, condition } = ownOf(scope);
  const text = `select a.committed_in, a.id from audit_entries a where ${condition} and a.id = $${values.length + 1}`;
  const [row] = await readFor<Position>(db, scope, text, [...values, id]);
  return row ?? (scope ? findDeletedCommit(db, scope, id) : undefined);
}

interface Position {
  committed_in: string;
  id: string;
}

/** Position behind all deleted entries, if the ID is that of the last one: the reader has seen all of them. */
async function findDeletedCommit(
  db: Database,
  scope: OrganisationScope,
  id: string,
): Promise<Position | undefined> {
  const [row] = await db.forOrganisation.read<Position>(
    scope,
    `select position as committed_in, '00000000-0000-0000-0000-000000000000' as id from log_floors
     where organisation_id = $1 and log = 'audit' and case $2 when 'live' then live_id else test_id end = $3`,
    [scope.organisationId, scope.environment, id],
  );
  return row;
}

/** Entries after another in commit order. Returns one more than `limit`, if there is one. */
export async function listCommitted(
  db: Database,
  scope: AuditScope,
  page: CommittedPage,
): Promise<AuditRow[]> {
  const { text, values } = committedStatement(scope, page);
  return readFor<AuditRow>(db, scope, text, values);
}

export interface CommittedPage {
  after: Position | undefined;
  limit: number;
}

/** Leaves out entries of transactions that are as new as the oldest running one: an earlier entry may still appear. */
export function committedStatement(
  scope: AuditScope,
  { after, limit }: CommittedPage,
): { text: string; values: unknown[] } {
  const own = ownOf(scope);
  const { values, bind } = binder(...own.values);
  const conditions = [
    own.condition,
    "a.committed_in < pg_snapshot_xmin(pg_current_snapshot())::text::bigint",
    ...(after
      ? [`(a.committed_in, a.id) > (${bind(after.committed_in, "bigint")}, ${bind(after.id, "uuid")})`]
      : []),
  ];
  const entries = `select ${COLUMNS}, a.committed_in from audit_entries a where ${conditions.join(" and ")}
    order by a.committed_in, a.id limit ${limit + 1}`;
  return { text: `${withRevisions(scope, entries)} order by r.committed_in, r.id`, values };
}

type Bind = ReturnType<typeof binder>["bind"];

/** The column that tends to have the rarest values. */
function scannedColumn(
  { subject_id, actor_id, action }: AuditSearch,
  bind: Bind,
): { column: string; value: string } | undefined {
  if (subject_id !== undefined) return { column: "a.subject", value: bind(subject_id, "text") };
  if (actor_id !== undefined) return { column: "a.actor_id", value: bind(actor_id, "uuid") };
  return action === undefined ? undefined : { column: "a.action", value: bind(action, "text") };
}

function matchesOf(search: AuditSearch, bind: Bind): string[] {
  const { actor_id, action, outcome, from, to, q, include_system } = search;
  return [
    ...(actor_id === undefined ? [] : [`r.actor_id = ${bind(actor_id, "uuid")}`]),
    ...(action === undefined ? [] : [`r.action = ${bind(action, "text")}`]),
    ...(outcome === undefined ? [] : [`r.outcome = ${bind(outcome, "text")}`]),
    ...(from ? [`r.at >= ${bind(from, "timestamptz")}`] : []),
    ...(to ? [`r.at < ${bind(to, "timestamptz")}`] : []),
    ...(include_system === false ? ["r.actor_kind <> 'system'"] : []),
    ...(q === undefined
      ? []
      : [
          `position(lower(${bind(q, "text")}) in lower(concat_ws(' ', r.action, r.subject, r.actor_name, r.request_id, r.address, r.detail::text))) > 0`,
        ]),
  ];
}
