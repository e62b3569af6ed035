import type { SettingName } from "./settings.ts";

/** Tables that grow with time, and their end. A test compares them with the schema, docs/retention.md shows them. */
export interface GrowingTables {
  tables: readonly string[];
  what: string;
  kept: string;
  settings?: readonly SettingName[];
  /** Effect on the rows after that time. */
  end: string;
}

const DELETED = "Deleted";

export const GROWING: readonly GrowingTables[] = [
  {
    tables: ["events"],
    what: "Events",
    kept: "90 days",
    settings: ["EVENTS_DAYS"],
    end: "Deleted in batches. [Readers that are behind](#readers-that-are-behind) get an error",
  },
  {
    tables: ["webhook_deliveries"],
    what: "Webhook deliveries",
    kept: "30 days after their creation, pending ones as long as their event",
    settings: ["EVENTS_DAYS"],
    end: DELETED,
  },
  {
    tables: ["audit_entries"],
    what: "Audit entries",
    kept: "24 months",
    settings: ["AUDIT_MONTHS"],
    end: "Deleted in batches, in the order of exports. [Readers that are behind](#readers-that-are-behind) get an error",
  },
  {
    tables: ["routing_revisions", "applied_routes", "failed_routes"],
    what: "Routing revisions, and what switches read back",
    kept: "as long as audit entries and call records, whichever is longer",
    settings: ["AUDIT_MONTHS", "CALL_RECORDS_MONTHS"],
    end: "Deleted. The current revision stays, and the one that was in force at that time",
  },
  { tables: ["drift_episodes"], what: "Drift", kept: "90 days after its end", end: DELETED },
  {
    tables: ["call_records"],
    what: "Call records, without callers",
    kept: "14 whole months",
    settings: ["CALL_RECORDS_MONTHS", "CALL_ARCHIVE"],
    end: "[Archived](#archive-call-records) if `CALL_ARCHIVE` is set. Then the month is dropped. Usage stays",
  },
  {
    tables: ["call_parties", "call_ids", "rejected_records"],
    what: "Callers, callees and Call-IDs, and rejected call records",
    kept: "90 days",
    settings: ["CALL_PARTIES_DAYS"],
    end: "The day is dropped",
  },
  { tables: ["call_buckets"], what: "Calls by ten minutes, for the overview", kept: "36 days", end: DELETED },
  {
    tables: ["usage_hours", "organisation_usage_hours", "organisation_usage_quarters"],
    what: "Usage by the hour and the quarter of an hour",
    kept: "25 whole months",
    settings: ["USAGE_HOURS_MONTHS"],
    end: "Added up to days in the same transaction, or compared with the days that exist. Then deleted",
  },
  {
    tables: ["usage_days", "organisation_usage_days"],
    what: "Usage by the day",
    kept: "10 calendar years and the current one",
    settings: ["USAGE_YEARS"],
    end: "The year is dropped",
  },
  {
    tables: ["bulk_changes", "bulk_change_items"],
    what: "Bulk changes and their results by number",
    kept: "90 days after their end. Plans that are not applied: 1 day after they expire",
    end: DELETED,
  },
  { tables: ["jobs"], what: "Jobs", kept: "90 days after their end", end: DELETED },
  {
    tables: ["idempotency_keys"],
    what: "Idempotency keys with their responses",
    kept: "30 days",
    end: "Deleted. Keys of orders stay in the orders",
  },
  { tables: ["probes", "probe_switches"], what: "Probes", kept: "90 days after their end", end: DELETED },
  {
    tables: ["problems"],
    what: "Problems that were notified",
    kept: "30 days after their end",
    end: DELETED,
  },
  { tables: ["mails"], what: "Emails", kept: "30 days after they were sent", end: DELETED },
  {
    tables: ["reconciliations", "reconciliation_findings"],
    what: "Reconciliations with carriers, and their mismatches",
    kept: "400 days",
    end: "Deleted. The newest one of each carrier stays",
  },
  {
    tables: ["reservations"],
    what: "Reservations",
    kept: "90 days after they expire",
    end: "Deleted if no order used them",
  },
  { tables: ["invitations"], what: "Invitations", kept: "30 days after they expire", end: DELETED },
  {
    tables: ["sessions", "one_time_links", "challenges", "authorisation_codes", "device_sign_ins"],
    what: "Sessions, links, sign-in challenges and codes",
    kept: "until they expire",
    end: DELETED,
  },
  {
    tables: ["limit_counters"],
    what: "Counters of limits",
    kept: "until their period has ended",
    end: DELETED,
  },
  {
    tables: ["sandbox_calls", "sandbox_submissions"],
    what: "Orders and evidence at the fictional carrier of test environments",
    kept: "90 days",
    end: DELETED,
  },
  {
    tables: ["feed_items"],
    what: "Versions of routes and connections for switches",
    kept: "until a newer version is confirmed, and deletions for 7 days after that",
    end: DELETED,
  },
  {
    tables: ["live_changes"],
    what: "Changes of active calls",
    kept: "until the next reports of the switch",
    end: DELETED,
  },
  {
    tables: ["trunk_revisions"],
    what: "Revisions of trunks",
    kept: "the last 200 of each switch group",
    end: DELETED,
  },
  {
    tables: ["saved_states", "saved_state_items"],
    what: "Saved states of switches",
    kept: "the last ones of each switch",
    end: DELETED,
  },
];

/** Tables that do not grow with time: their rows follow what is configured or held, and end with it. */
export const BOUNDED: readonly string[] = [
  "addresses",
  "api_key_organisations",
  "api_keys",
  "applied_exceptions",
  "applied_marks",
  "applied_watermarks",
  "authenticators",
  "call_standings",
  "carrier_trunks",
  "carriers",
  "connection_placements",
  "connection_targets",
  "connections",
  "deliveries",
  "documents",
  "event_heads",
  "evidence_totals",
  "feed_confirmations",
  "feed_epoch",
  "feed_shards",
  "forwarding_allowances",
  "forwarding_policies",
  "holding_metadata",
  "holding_tags",
  "identities",
  "identity_provider_domains",
  "identity_providers",
  "kept_keys",
  "last_calls",
  "live_calls",
  "live_reports",
  "log_floors",
  "memberships",
  "notification_rules",
  "number_counts",
  "numbers",
  "open_calls",
  "organisations",
  "passkeys",
  "probe_callers",
  "probe_policies",
  "probe_schedules",
  "recovery_codes",
  "root_keys",
  "routing_destinations",
  "routing_webhook_secrets",
  "routings",
  "sandbox_reservations",
  "stock_reservations",
  "switch_groups",
  "switch_trunk_reports",
  "switches",
  "target_health",
  "usage_quarters_start",
  "users",
  "views",
  "webhook_endpoints",
];

/** Tables that are kept as evidence. Their rows follow purchases and acts of operators, not time or traffic. */
export const PERMANENT: readonly { tables: readonly string[]; reason: string }[] = [
  {
    tables: ["holdings", "orders", "order_items", "order_requirements", "releases"],
    reason: "The record of who held which number. A key of an order never buys twice",
  },
  {
    tables: ["pool_purchases", "sandbox_purchases"],
    reason: "Which order bought a number. A repeated call to the carrier never buys twice",
  },
  {
    tables: ["feed_epochs", "database_instances", "restores", "restore_findings"],
    reason: "Rollbacks, restarts and restores of the database: a few rows per incident",
  },
  { tables: ["schema_migrations", "schema_functions"], reason: "Upgrades: a few rows per release" },
];
