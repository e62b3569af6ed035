import { DOORS, roleOf } from "../../src/platform/db/database.ts";
import type { TestDatabase } from "../test-database.ts";

/** Login roles of the service. */
export const RUNTIME_ROLES = DOORS.map(roleOf);
/** Owns the one function that must look past the policies, and signs in nowhere. */
export const SEARCH_ROLE = "dialplane_search";
/** Owns the tables of calls, for their partitions' sake, and signs in nowhere. */
export const CALLS_ROLE = "dialplane_calls";
/** Owns the functions that delete old rows of append-only tables, and signs in nowhere. */
export const RETENTION_ROLE = "dialplane_retention";
const ROLES = [...RUNTIME_ROLES, SEARCH_ROLE, CALLS_ROLE, RETENTION_ROLE];

const TABLES = `pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p', 'f', 'm') and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast', 'call_partitions')`;

/** All tables with rows of organisations. */
export async function organisationTables({ admin }: TestDatabase): Promise<string[]> {
  const rows = await admin<{ name: string }>(
    `select c.relname as name from ${TABLES} and n.nspname = 'public'
       and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'organisation_id' and not a.attisdropped)
     order by 1`,
  );
  return rows.map(({ name }) => name);
}

/** Missing protection of tables. The lists of migrations and function files contain no secrets. */
export async function wallFaults({ admin }: TestDatabase): Promise<string[]> {
  const rows = await admin<{ fault: string }>(
    `with tables as (select c.oid, c.relname, c.relrowsecurity, c.relforcerowsecurity from ${TABLES} and n.nspname = 'public' and c.relname not in ('schema_migrations', 'schema_functions'))
     select relname || ': row level security is off' as fault from tables where not relrowsecurity
     union all select relname || ': row level security is not forced' from tables where not relforcerowsecurity
     union all select relname || ': no policy' from tables t where not exists (select from pg_policy p where p.polrelid = t.oid)
     union all select relname || ': a policy for everybody' from tables t join pg_policy p on p.polrelid = t.oid where p.polroles = '{0}'
     union all select c.relname || ': a view with its owner''s eyes' from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where c.relkind = 'v' and n.nspname = 'public' and not coalesce(c.reloptions, '{}') && '{security_invoker=true,security_invoker=on}'
     union all select c.relname || ': a materialised view, which no policy guards' from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where c.relkind = 'm' and n.nspname = 'public'
     union all select p.proname || ': a function with its owner''s power' from pg_proc p join pg_namespace n on n.oid = p.pronamespace
       where p.prosecdef and n.nspname = 'public' and p.proowner not in ('${SEARCH_ROLE}'::regrole, '${CALLS_ROLE}'::regrole, '${RETENTION_ROLE}'::regrole)
     order by 1`,
  );
  return rows.map(({ fault }) => fault);
}

/** Powers that would make every wall a suggestion. */
export async function rolePowers({ admin }: TestDatabase): Promise<string[]> {
  const rows = await admin<{ power: string }>(
    `with roles as (select * from pg_roles where rolname = any($1))
     select rolname || ': superuser' as power from roles where rolsuper
     union all select rolname || ': bypasses row level security' from roles where rolbypassrls
     union all select rolname || ': makes roles' from roles where rolcreaterole
     union all select rolname || ': makes databases' from roles where rolcreatedb
     union all select rolname || ': replicates' from roles where rolreplication
     union all select rolname || ': owns something' from roles r where exists
       (select from pg_shdepend d where d.refclassid = 'pg_authid'::regclass and d.refobjid = r.oid and d.deptype = 'o'
         and d.dbid in (0, (select oid from pg_database where datname = current_database())))
     union all select rolname || ': is a member of ' || m.roleid::regrole from roles r join pg_auth_members m on m.member = r.oid
     union all select rolname || ': makes things in ' || n.nspname from roles r, pg_namespace n where has_schema_privilege(r.oid, n.oid, 'create')
     union all select rolname || ': ' || lower(p) || ' on ' || c.oid::regclass from roles r, pg_class c join pg_namespace n on n.oid = c.relnamespace,
       unnest('{TRUNCATE,TRIGGER,REFERENCES}'::text[]) p
       where c.relkind in ('r', 'p', 'v', 'm', 'f') and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast') and has_table_privilege(r.oid, c.oid, p)
     order by 1`,
    [ROLES],
  );
  return rows.map(({ power }) => power);
}

/** role → table → what it may do there, with the columns where it is not all of them. */
export async function grantsOf({ admin }: TestDatabase): Promise<Record<string, Record<string, string>>> {
  const rows = await admin<{ role: string; name: string; grants: string }>(
    `select r.rolname as role, c.name, string_agg(p.name || coalesce(' (' || p.columns || ')', ''), ', ' order by p.at) as grants
     from pg_roles r
     cross join (select c.oid, case n.nspname when 'public' then '' else n.nspname || '.' end || c.relname as name from ${TABLES}) c
     cross join lateral (
       select p.name, p.at, has_table_privilege(r.oid, c.oid, p.name) as is_whole,
         case when not has_table_privilege(r.oid, c.oid, p.name) then (
           select string_agg(a.attname, ', ' order by a.attnum) from pg_attribute a
           where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
             and case when p.name = 'delete' then false else has_column_privilege(r.oid, c.oid, a.attnum, p.name) end
         ) end as columns
       from unnest('{select,insert,update,delete}'::text[]) with ordinality p(name, at)
     ) p
     where r.rolname = any($1) and (p.is_whole or p.columns is not null)
     group by 1, 2 order by 1, 2`,
    [ROLES],
  );
  const grants: Record<string, Record<string, string>> = {};
  for (const row of rows) (grants[row.role] ??= {})[row.name] = row.grants;
  return grants;
}

export type Grants = Record<string, Record<string, string>>;

/** The queue's tables come and go with its version and, for statistics, with the day. */
export function splitGrants(grants: Grants): { ours: Grants; queue: Record<string, string[]> } {
  const ours: Grants = {};
  const queue: Record<string, string[]> = {};
  for (const [role, tables] of Object.entries(grants)) {
    const isQueue = (name: string) => name.startsWith("pgboss.");
    const own = Object.entries(tables).filter(([name]) => !isQueue(name));
    if (own.length > 0) ours[role] = Object.fromEntries(own);
    const theirs = Object.entries(tables).filter(([name]) => isQueue(name));
    if (role === "dialplane_system") queue[role] = [...new Set(theirs.map(([, what]) => what))];
    else if (theirs.length > 0) queue[role] = theirs.map(([name, what]) => `${name}: ${what}`);
  }
  return { ours, queue };
}

/** Grants of the role that deletes old rows. It sees no content of them. */
export const RETENTION_GRANTS: Record<string, string> = {
  applied_routes: "select (holding_id, at), delete",
  audit_entries: "select (id, organisation_id, environment, at, committed_in), delete",
  events: "select (organisation_id, sequence, id, environment, created_at), delete",
  failed_routes: "select (holding_id, ended_at), delete",
  log_floors: "select, insert, update",
  orders: "select (organisation_id, environment, reservation_id)",
  reservations: "select (id, organisation_id, environment, expires_at), delete",
  routing_revisions: "select (holding_id, generation, set_at), delete",
  routings: "select (holding_id)",
  webhook_deliveries: "select (endpoint_id, sequence), delete",
  webhook_endpoints: "select (id, organisation_id)",
};

/** Functions that bypass policies, under roles without login, and the roles that can call them. */
export const DEFINER_FUNCTIONS: readonly object[] = [
  { name: "advance_usage_start", owner: CALLS_ROLE, callers: ["dialplane_system"] },
  { name: "connections_of_calls", owner: CALLS_ROLE, callers: ["dialplane_switch"] },
  { name: "connections_of_calls", owner: CALLS_ROLE, callers: ["dialplane_switch"] },
  {
    name: "days_of_call_id",
    owner: CALLS_ROLE,
    callers: ["dialplane_organisation", "dialplane_system"],
  },
  { name: "drop_call_partitions", owner: CALLS_ROLE, callers: ["dialplane_system"] },
  { name: "drop_partition", owner: CALLS_ROLE, callers: ["dialplane_system"] },
  { name: "end_audit_entries", owner: RETENTION_ROLE, callers: ["dialplane_system"] },
  { name: "end_events", owner: RETENTION_ROLE, callers: ["dialplane_system"] },
  { name: "end_reservations", owner: RETENTION_ROLE, callers: ["dialplane_system"] },
  { name: "end_routing_history", owner: RETENTION_ROLE, callers: ["dialplane_system"] },
  { name: "end_usage_days", owner: CALLS_ROLE, callers: ["dialplane_system"] },
  { name: "end_usage_quarters", owner: CALLS_ROLE, callers: ["dialplane_system"] },
  { name: "holders_of_calls", owner: CALLS_ROLE, callers: ["dialplane_switch"] },
  { name: "is_holder_of_calls", owner: CALLS_ROLE, callers: ["dialplane_switch"] },
  {
    name: "make_call_partitions",
    owner: CALLS_ROLE,
    callers: ["dialplane_switch", "dialplane_system"],
  },
  { name: "note_call_ids", owner: CALLS_ROLE, callers: [] },
  { name: "note_last_calls", owner: CALLS_ROLE, callers: [] },
  { name: "roll_up_buckets", owner: CALLS_ROLE, callers: [] },
  { name: "roll_up_calls", owner: CALLS_ROLE, callers: [] },
  { name: "roll_up_quarters", owner: CALLS_ROLE, callers: [] },
  { name: "roll_up_usage_hours", owner: CALLS_ROLE, callers: ["dialplane_system"] },
  { name: "search_holdings", owner: SEARCH_ROLE, callers: ["dialplane_organisation"] },
  { name: "signers_of_calls", owner: CALLS_ROLE, callers: ["dialplane_switch"] },
  { name: "signing_secrets_of_calls", owner: CALLS_ROLE, callers: ["dialplane_switch"] },
];
