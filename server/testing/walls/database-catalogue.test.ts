import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { testConfig } from "../test-config.ts";
import { copyDatabase, type TestDatabase } from "../test-database.ts";
import { DOORS } from "../../src/platform/db/database.ts";
import {
  CALLS_ROLE,
  DEFINER_FUNCTIONS,
  grantsOf,
  organisationTables,
  rolePowers,
  type Grants,
  RETENTION_GRANTS,
  RETENTION_ROLE,
  RUNTIME_ROLES,
  SEARCH_ROLE,
  wallFaults,
  splitGrants,
} from "./database-catalogue.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await copyDatabase(inject("clusterUrl"));
});
afterAll(() => database[Symbol.asyncDispose]());

describe("AZ-09 the database's own catalogue", () => {
  test("every table has row level security, enabled and forced, with policies for named roles; views use their reader's eyes", async () => {
    expect(await organisationTables(database)).toEqual(
      expect.arrayContaining([
        "memberships",
        "events",
        "audit_entries",
        "holdings",
        "routings",
        "feed_items",
      ]),
    );
    expect(await wallFaults(database)).toEqual([]);
  });

  test("the service's roles own nothing, inherit no role, and have no rights beyond their rows", async () => {
    expect(RUNTIME_ROLES).toHaveLength(4);
    expect(await rolePowers(database)).toEqual([
      `${CALLS_ROLE}: makes things in call_partitions`,
      `${CALLS_ROLE}: owns something`,
      `${RETENTION_ROLE}: owns something`,
      `${SEARCH_ROLE}: owns something`,
    ]);
  });

  test("only these functions bypass policies, under roles without login or other objects", async () => {
    const { admin } = database;
    const callers = await admin<{ name: string; owner: string; callers: string[] }>(
      `select p.proname::text as name, p.proowner::regrole::text as owner,
         array(select r from unnest($1::text[]) r where has_function_privilege(r, p.oid, 'execute') order by 1) as callers
       from pg_proc p where p.prosecdef order by 1`,
      [RUNTIME_ROLES],
    );
    expect(callers).toEqual(DEFINER_FUNCTIONS);
    const owned = `select count(*)::int from pg_shdepend where refobjid = $1::regrole and deptype = 'o'
      and dbid in (0, (select oid from pg_database where datname = current_database()))`;
    expect(await admin(owned, [SEARCH_ROLE])).toEqual([{ count: 1 }]);
    const tables = await admin<{ name: string }>(
      "select oid::regclass::text as name from pg_class where relowner = $1::regrole and relkind in ('r', 'p') order by 1",
      [CALLS_ROLE],
    );
    const outside = tables.filter(
      ({ name }) => !/^call_partitions\.(records|parties|hours|days)_[0-9_]+$/.test(name),
    );
    expect(outside.map(({ name }) => name)).toEqual([
      "call_parties",
      "call_records",
      "usage_days",
      "usage_hours",
    ]);
    expect(tables.length).toBeGreaterThan(outside.length);
    expect(
      await admin("select rolname::text as name from pg_roles where rolname = any ($1) and rolcanlogin", [
        [SEARCH_ROLE, CALLS_ROLE],
      ]),
    ).toEqual([]);
  });

  test("no role that signs in can reach a partition past the table it is part of", async () => {
    const reached = await database.admin(
      `select r, c.relname from unnest($1::text[]) r, pg_class c where c.relnamespace = 'call_partitions'::regnamespace and c.relkind = 'r'
         and (has_schema_privilege(r, c.relnamespace, 'usage') or has_any_column_privilege(r, c.oid, 'select, insert, update'))`,
      [RUNTIME_ROLES],
    );
    expect(reached).toEqual([]);
  });

  test("grants to each role exactly this list", async () => {
    const { ours, queue } = splitGrants(await grantsOf(database));
    expect(ours).toEqual(GRANTS);
    expect(queue).toEqual(QUEUE_GRANTS);
  });

  test("the checks above see what they are there for", async () => {
    await using broken = await copyDatabase(inject("clusterUrl"));
    await broken.admin(`
      create table planted (organisation_id uuid);
      create view planted_view as select * from events;
      create materialized view planted_copy as select * from events;
      create function planted_function() returns int language sql security definer return 1;
      create policy planted on events using (true);
      alter table invitations no force row level security;
      grant truncate on events to dialplane_system;
      grant create on schema public to dialplane_caller;
      grant select on memberships to dialplane_switch;
      alter table mails owner to dialplane_caller`);

    expect(await organisationTables(broken)).toContain("planted");
    expect(await wallFaults(broken)).toEqual([
      "events: a policy for everybody",
      "invitations: row level security is not forced",
      "planted: no policy",
      "planted: row level security is not forced",
      "planted: row level security is off",
      "planted_copy: a materialised view, which no policy guards",
      "planted_copy: no policy",
      "planted_copy: row level security is not forced",
      "planted_copy: row level security is off",
      "planted_function: a function with its owner's power",
      "planted_view: a view with its owner's eyes",
    ]);
    expect(await rolePowers(broken)).toEqual(
      expect.arrayContaining([
        "dialplane_caller: makes things in public",
        "dialplane_caller: owns something",
        "dialplane_system: truncate on events",
      ]),
    );
    expect(splitGrants(await grantsOf(broken)).ours["dialplane_switch"]).toMatchObject({
      memberships: "select",
    });
  });

  test.each(DOORS)("the %s door can neither change nor remove an entry of the audit", async (door) => {
    const client = new pg.Client(testConfig(database.url).database.loginOf(door));
    await client.connect();
    try {
      for (const statement of [
        "update audit_entries set action = 'nothing.happened'",
        "delete from audit_entries",
        "truncate audit_entries",
      ]) {
        await expect(client.query(statement)).rejects.toMatchObject({ code: "42501" });
      }
    } finally {
      await client.end();
    }
  });
});

/** A new grant belongs here, and with it the reason in its migration. */
const GRANTS: Grants = {
  dialplane_organisation: {
    addresses: "select, insert, delete",
    documents: "select, insert, delete",
    evidence_totals: "select, insert, update (addresses, documents, document_bytes)",
    order_requirements:
      "select, update (status, reference, address_id, document_id, end_user, rejected_reason, updated_at)",
    api_key_organisations: "select, delete",
    api_keys: "select, update (organisation_count, expires_at, revoked_at, suspended_at)",
    applied_exceptions: "select",
    applied_watermarks: "select",
    audit_entries: "select, insert",
    bulk_change_items: "select, insert, update (outcome, error_code, error_detail)",
    // Without asserted_caller: customers must not see the numbers of callers who withhold them.
    call_parties:
      "select (id, switch_id, started_at, organisation_id, environment, holding_id, caller, called, target, sip_call_id, caller_raw, attempts)",
    call_buckets: "select",
    call_records: "select",
    call_standings: "select (switch_id, settled_through, max_call_seconds)",
    last_calls: "select",
    live_calls: "select",
    live_reports: "select (switch_id, observed_at)",
    open_calls: "select",
    organisation_usage_days: "select",
    organisation_usage_hours: "select",
    organisation_usage_quarters: "select",
    usage_days: "select",
    usage_hours: "select",
    usage_quarters_start: "select",
    bulk_changes:
      "select, insert, update (status, missing, total, set_count, unchanged_count, stale_count, failed_count, started_at, advanced_at, finished_at)",
    carriers: "select (name, state)",
    connection_placements: "select, insert, update (version), delete",
    connection_targets: "select, insert, delete",
    connections:
      "select, insert, update (name, max_calls, ring_seconds, generation, updated_at, sources, metadata), delete",
    applied_routes: "select",
    drift_episodes: "select",
    failed_routes: "select",
    deliveries: "select",
    event_heads: "select, update (head, has_endpoints, is_behind)",
    events: "select, insert",
    feed_confirmations: "select",
    feed_epoch: "select",
    feed_items: "select, insert",
    feed_shards: "select, update (head, token)",
    forwarding_allowances: "select",
    probe_callers: "select",
    probe_policies: "select",
    probe_schedules: "select, insert, update (via, every_hours, updated_at), delete",
    probes: "select, insert",
    forwarding_policies: "select",
    holding_metadata: "select, insert, delete",
    holding_tags: "select, insert, delete",
    holdings: "select, update (status, label, tags, release_lock, updated_at, metadata)",
    idempotency_keys: "select, insert, delete",
    identities: "select",
    identity_provider_domains:
      "select, insert, update (proved_at, checked_at, next_check_at, missing_since, missing_checks, lapsed_at), delete",
    identity_providers:
      "select (id, organisation_id, name, issuer, client_id, created_at), insert, update (name, sealed_secret, root_id), delete",
    invitations: "select, insert, delete",
    jobs: "select, insert, update (waits, next_check_at)",
    log_floors: "select",
    mails: "insert",
    memberships: "select, update (role), delete",
    notification_rules: "select, insert, update (rules), delete",
    number_counts: "select, insert",
    order_items: "select, insert",
    orders: "select, insert",
    organisations:
      "select, update (name, require_second_factor, require_single_sign_on, max_session_age_hours, default_country)",
    views: "select, insert, update (user_id, name, query, slot, updated_at), delete",
    webhook_deliveries: "select, update (status, attempts, next_attempt_at)",
    webhook_endpoints:
      "select, insert, update (url, description, event_types, status, disabled_reason, secret_version, previous_secrets_until, failing_since, next_due_at, secret_roots, disabled_at), delete",
    problems: "select, delete",
    releases:
      "select, insert, update (restore_job_id, step, restored_by_kind, restored_by_id, restored_by_name)",
    reservations: "select, insert, update (status)",
    routing_destinations: "select, insert, update (destination), delete",
    routing_revisions: "select, insert",
    routing_webhook_secrets: "select, insert, update (secret_version, previous_secrets_until, secret_roots)",
    routings:
      "select, update (mode, sip_uri, connection_id, forward_to, webhook_url, fallback_mode, fallback_sip_uri, fallback_connection_id, generation, set_at, set_by_kind, set_by_id, set_by_name, reason, version, steps, last_connection_id)",
    switch_groups: "select (id, name, environment)",
    switches:
      "select (id, group_id, name, state, unreachable_after_seconds, synced_epoch, last_seen_at, created_at, targets_read_at, proved_in, features)",
    target_health: "select, delete",
    users: "select (id, email, name, disabled_at)",
  },
  dialplane_caller: {
    api_key_organisations: "select, insert",
    api_keys: "select, insert, update (organisation_count, expires_at)",
    audit_entries: "insert",
    authenticators: "select, insert, update (id, last_step, created_at, confirmed_at, root_id), delete",
    authorisation_codes: "select, insert, delete",
    challenges: "select, insert, delete",
    device_sign_ins:
      "select, insert, update (status, user_id, session_id, interval_seconds, polled_at), delete",
    event_heads: "select, update (head)",
    events: "select, insert",
    jobs: "select",
    mails: "insert",
    memberships: "select",
    one_time_links: "select, insert, delete",
    organisations: "select",
    passkeys: "select, insert, update (sign_count, name, last_used_at), delete",
    recovery_codes: "select, insert, delete",
    sessions:
      "select, insert, update (token_hash, last_seen_at, reauthenticated_at, has_second_factor), delete",
    switches: "select (id, group_id, name, state, credential_mac, credential_version)",
    users: "select, insert, update (email, name, password_hash)",
  },
  dialplane_switch: {
    applied_exceptions: "select, insert, update, delete",
    applied_marks: "select, insert, update (version)",
    applied_routes: "select, insert",
    applied_watermarks: "select, insert, update, delete",
    audit_entries: "insert",
    call_parties: "insert",
    call_records: "insert",
    call_standings: "select, insert, update",
    drift_episodes:
      "select, insert, update (found, found_generation, expected, expected_generation, error, last_at, count, wrong_ms, wrong_since, repaired_at)",
    failed_routes: "select, insert, update (error, ended_at)",
    event_heads: "select, update (head)",
    events: "select (sequence), insert",
    feed_confirmations: "select, update (version)",
    feed_epoch: "select",
    feed_items: "select, update (confirmed_at), delete",
    feed_shards: "select",
    live_calls: "select, insert, update, delete",
    live_changes: "select, insert, delete",
    live_reports: "select, insert, update",
    open_calls: "select, insert, update, delete",
    rejected_records: "insert",
    saved_state_items: "select, insert, delete",
    saved_states: "select, insert, update (saved_at, items, uploaded_at), delete",
    switch_groups: "select (id, name, environment)",
    switches:
      "select (id, group_id, name, state, synced_epoch, boot, agent_version, last_seen_at, created_at, targets_read_at, is_returning, proved_in, sockets, features), update (synced_epoch, boot, agent_version, last_seen_at, targets_read_at, is_returning, proved_in, sockets, features)",
    target_health: "select, insert, update, delete",
  },
  // The owner of the calls' tables: it may look at their columns and, by their policies, at none of their rows; it counts them.
  dialplane_calls: {
    call_ids: "select, insert",
    call_parties: "select",
    call_records: "select",
    routing_webhook_secrets: "select",
    last_calls: "select, insert, update",
    organisations: "select (id, root_id)",
    organisation_usage_days: "select, insert, update, delete",
    organisation_usage_hours: "select, insert, update, delete",
    organisation_usage_quarters: "select, insert, update, delete",
    usage_quarters_start: "select, update",
    call_buckets: "select, insert, update",
    usage_days: "select, insert, update",
    usage_hours: "select, insert, update",
    routing_revisions: "select (holding_id, generation, desired)",
    routings: "select (holding_id, organisation_id, environment, group_id)",
  },
  dialplane_retention: RETENTION_GRANTS,
  dialplane_search: {
    applied_exceptions: "select",
    connection_placements: "select",
    connection_targets: "select",
    connections: "select",
    feed_confirmations: "select",
    feed_epoch: "select",
    feed_items: "select",
    feed_shards: "select",
    holding_metadata: "select",
    holding_tags: "select",
    holdings: "select",
    last_calls: "select",
    routing_destinations: "select",
    routings: "select",
    switch_groups: "select (id, environment)",
    switches:
      "select (id, group_id, name, state, unreachable_after_seconds, synced_epoch, last_seen_at, created_at, proved_in)",
  },
  dialplane_system: {
    addresses: "select",
    documents: "select, update (sealed_key, root_id)",
    evidence_totals: "select",
    order_requirements: "select, insert, update (status, end_user, rejected_reason, updated_at)",
    sandbox_submissions: "select, insert, delete",
    api_key_organisations: "select, delete",
    api_keys:
      "select, update (secret_mac, pepper_version, organisation_count, expires_at, revoked_at, last_used_at, last_used_from, root_id, suspended_at)",
    applied_exceptions: "select, insert, delete",
    applied_marks: "select",
    applied_routes: "select",
    applied_watermarks: "select, insert, delete",
    audit_entries: "select, insert",
    bulk_changes: "select, delete",
    call_buckets: "select, delete",
    call_ids: "select, delete",
    call_parties: "select",
    call_records: "select",
    authenticators: "select, delete",
    authorisation_codes: "select, delete",
    challenges: "select, delete",
    database_instances: "select, insert",
    device_sign_ins: "select, delete",
    call_standings: "select",
    carriers:
      "select, insert, update (url, sealed_credentials, root_id, credentials_set_at, credentials_end, countries, number_types, preference, inventory, state, updated_at, features, repairs_delivery)",
    carrier_trunks: "select, insert, delete",
    deliveries: "select, insert, update (desired, applied, status, reason, error, observed_at, updated_at)",
    open_calls: "select",
    log_floors: "select",
    organisation_usage_days: "select",
    organisation_usage_hours: "select",
    organisation_usage_quarters: "select",
    usage_days: "select",
    usage_hours: "select",
    usage_quarters_start: "select, insert",
    connection_placements: "select, insert, update (version)",
    connection_targets: "select",
    connections: "select",
    drift_episodes: "select, update (wrong_ms, wrong_since, closed_at), delete",
    failed_routes: "select, update (ended_at)",
    event_heads: "select, insert, update (head, has_endpoints, is_behind, skipped)",
    events: "select, insert",
    feed_confirmations: "select, insert, update",
    feed_epoch: "select, insert, update",
    feed_epochs: "select, insert, update (is_held, resolved_at, resolved_by)",
    feed_items: "select, insert, update (confirmed_at), delete",
    feed_shards: "select, insert, update",
    forwarding_allowances: "select, insert, update",
    probe_callers: "select, insert, update, delete",
    probe_policies: "select, insert, update",
    probe_schedules: "select, update (round_at)",
    probe_switches: "select, insert, update (started_at, placed, seen)",
    probes: "select, insert, update (status, placed_by, placed_at, ended_at, links, summary), delete",
    forwarding_policies: "select, insert, update",
    holding_tags: "select, insert, delete",
    holdings: "select, insert, update (status, status_reason, released_at, restore_until, updated_at)",
    idempotency_keys: "select, delete",
    identities: "select, insert",
    identity_provider_domains:
      "select, update (proved_at, checked_at, next_check_at, missing_since, missing_checks, lapsed_at)",
    identity_providers: "select, update (sealed_secret, root_id)",
    invitations: "select, insert, delete",
    jobs: "select, update (status, reason, succeeded, failed, error_code, error_detail, attempts, waits, next_check_at, queued_at, started_at, finished_at), delete",
    limit_counters: "select, insert, update, delete",
    kept_keys: "select, insert, update",
    last_calls: "select",
    live_calls: "select",
    live_changes: "select",
    live_reports: "select",
    mails: "select, insert, update (reference, claimed_until, sent_at), delete",
    memberships: "select, insert, delete",
    notification_rules: "select, insert, update (rules, next_sweep_at), delete",
    number_counts: "select, insert, update (numbers), delete",
    numbers: "select, insert, update (is_stock, is_free)",
    one_time_links: "select, insert, delete",
    order_items:
      "select, update (e164, step, round, reference, return_reference, refusals, number_id, is_routed, error_code, error_detail, is_delivered)",
    orders: "select, update (status, finished_at)",
    organisations: "select, insert, update (suspended_at, suspension_reason, suspends_numbers, numbers_due)",
    problems:
      "select, insert, update (label, error, since, last_seen_at, begun_at, begun_in, ended_at, ended_in), delete",
    passkeys: "select, delete",
    pool_purchases: "select, insert, update (returned_at, returned_by)",
    routing_destinations: "select, insert, update (destination), delete",
    routing_revisions: "select, insert",
    reconciliation_findings:
      "select, insert, update (is_untold, told_at, claimed_until, repaired_at), delete",
    recovery_codes: "select, delete",
    reconciliations: "select, insert, update (status, held, owned, error, finished_at), delete",
    rejected_records: "select, delete",
    releases: "select, update (step, quarantined_until, ended_at)",
    reservations: "select (id, status)",
    restore_findings: "select, insert, update (switches, carrier, finding_id, state, decided_at, decided_by)",
    restores: "select, insert, update (compared_at, ended_at, ended_by)",
    root_keys: "select, insert, update",
    routings:
      "select, insert, update (mode, sip_uri, connection_id, forward_to, webhook_url, fallback_mode, fallback_sip_uri, fallback_connection_id, generation, set_at, set_by_kind, set_by_id, set_by_name, reason, version, steps, last_connection_id)",
    webhook_deliveries:
      "select, insert, update (status, attempts, next_attempt_at, answered, error, attempted_at), delete",
    webhook_endpoints:
      "select, update (status, disabled_reason, position, failing_since, next_due_at, disabled_at)",
    sandbox_calls: "select, insert, delete",
    sandbox_purchases: "select, insert, update (bought_at, returned_at, returned_by)",
    sandbox_reservations: "select, insert, update (reference, reserved_until), delete",
    saved_state_items: "select",
    saved_states: "select, update (requested_at, compared_at)",
    schema_functions: "select",
    schema_migrations: "select",
    sessions: "select, delete",
    stock_reservations: "select, insert, update (reference, reserved_until), delete",
    switch_groups: "select, insert",
    switch_trunk_reports: "select, insert, update",
    switches: "select, insert, update",
    target_health: "select, delete",
    trunk_revisions: "select, insert, update (sealed_passwords, root_id), delete",
    users: "select, insert, update (password_hash, is_operator, disabled_at, home_tag)",
  },
};

/** Roles that enqueue insert a job and read its ID. Only the system role reads and runs jobs. */
const QUEUE_GRANTS = {
  dialplane_organisation: [
    "pgboss.job: select (id, start_after), insert",
    "pgboss.job_common: select (id, start_after), insert",
    "pgboss.queue: select",
  ],
  dialplane_caller: [
    "pgboss.job: select (id, start_after), insert",
    "pgboss.job_common: select (id, start_after), insert",
    "pgboss.queue: select",
  ],
  dialplane_system: ["select, insert, update, delete"],
};
