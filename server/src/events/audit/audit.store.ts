import { binder, boundedScan, scanKey, type Scanned } from "../../platform/db/bounded-scan.ts";
import type { Database, OrganisationScope, Tx } from "../../platform/db/database.ts";

export interface AuditRow {
  id: string;
  organisation_id: string | null;
  environment: string | null;
  action: string;
  outcome: "done" | "refused";
  subject: string | null;
  actor_kind: string;
  actor_id: string | null;
  actor_name: string | null;
  detail: Record<string, unknown>;
  request_id: string | null;
  address: string | null;
  at: Date;
  /** Changed settings. Null if unknown. */
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
}

/** Many at once, so that errors under a flood cost one statement a second. */
export async function insertAuditEntries(tx: Tx, rows: readonly AuditRow[]): Promise<void> {
  await tx.query(
    `insert into audit_entries (id, organisation_id, environment, action, outcome, subject, actor_kind, actor_id, actor_name, detail, request_id, address, at, before, after)
     select * from json_to_recordset($1) as r(id uuid, organisation_id uuid, environment text, action text, outcome text, subject text,
       actor_kind text, actor_id uuid, actor_name text, detail jsonb, request_id text, address inet, at timestamptz, before jsonb, after jsonb)`,
    [JSON.stringify(rows)],
  );
}

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

/** Newest first. A routing has its states in the revisions. */
export async function searchAuditEntries(
  db: Database,
  scope: OrganisationScope,
  search: AuditSearch,
  page: { before: string | undefined; limit: number },
): Promise<FoundEntry[]> {
  const { text, values } = auditStatement(scope, search, page);
  return db.forOrganisation.readPlanned<FoundEntry>(scope, text, values);
}

export function auditStatement(
  { organisationId, environment }: OrganisationScope,
  search: AuditSearch,
  { before, limit }: { before: string | undefined; limit: number },
): { text: string; values: unknown[] } {
  const { values, bind } = binder(organisationId, environment);
  const of = scannedColumn(search, bind);
  const key = scanKey("a.id", of);
  const conditions = [
    "a.organisation_id = $1 and (a.environment is null or a.environment = $2)",
    ...key.conditions,
    ...(search.outcome === "refused" && !of ? ["a.outcome = 'refused'"] : []),
    ...(before ? [key.compare("<", bind(before, "uuid"))] : []),
    ...(search.end ? [key.compare("<", bind(search.end, "uuid"))] : []),
    ...(search.first ? [key.compare(">=", bind(search.first, "uuid"))] : []),
  ];
  const scan = `select a.id, a.organisation_id, a.environment, a.action, a.outcome, a.subject, a.actor_kind, a.actor_id,
      a.actor_name, a.detail, a.request_id, host(a.address) as address, a.at, a.before, a.after
    from audit_entries a where ${conditions.join(" and ")} order by ${key.order(" desc")}`;
  const revision = (back: number): string => `(select v.desired from routing_revisions v
      where v.organisation_id = $1 and v.environment = $2 and v.holding_id = r.subject::uuid
        and v.generation = (r.detail ->> 'generation')::bigint - ${back} limit 1)`;
  const isRouting = "r.action = 'routing.changed'";
  const text = `select r.id, r.organisation_id, r.environment, r.action, r.outcome, r.subject, r.actor_kind, r.actor_id,
      r.actor_name, r.detail, r.request_id, r.address, r.at, r.is_match, r.place,
      case when ${isRouting} then ${revision(1)} else r.before end as before,
      case when ${isRouting} then ${revision(0)} else r.after end as after
    from (${boundedScan(scan, matchesOf(search, bind), limit)}) r`;
  return { text, values };
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
