import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { testConfig } from "../test-config.ts";
import { copyDatabase, type TestDatabase } from "../test-database.ts";
import { DOORS } from "../../platform/db/database.ts";
import { grantsOf, organisationTables, rolePowers, RUNTIME_ROLES, wallFaults } from "./database-catalogue.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await copyDatabase(inject("clusterUrl"));
});
afterAll(() => database[Symbol.asyncDispose]());

describe("AZ-09 the database's own catalogue", () => {
  test("every table has row level security, enabled and forced, with policies for named roles; views use their reader's eyes", async () => {
    expect(await organisationTables(database)).toEqual(
      expect.arrayContaining(["memberships", "events", "audit_entries"]),
    );
    expect(await wallFaults(database)).toEqual([]);
  });

  test("the roles of the service own nothing, lead nowhere and have no power over tables beyond their rows", async () => {
    expect(RUNTIME_ROLES).toHaveLength(4);
    expect(await rolePowers(database)).toEqual([]);
  });

  test("what is granted to each role is exactly what is written down here", async () => {
    const { ours, queue } = split(await grantsOf(database));
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
    expect(split(await grantsOf(broken)).ours["dialplane_switch"]).toEqual({ memberships: "select" });
  });

  test.each(DOORS)("the %s door can neither change nor remove an entry of the audit", async (door) => {
    const client = new pg.Client({ connectionString: testConfig(database.url).database.urlOf(door) });
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

type Grants = Record<string, Record<string, string>>;

/** The queue's tables come and go with its version and, for statistics, with the day. */
function split(grants: Grants): { ours: Grants; queue: Record<string, string[]> } {
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

/** A new grant belongs here, and with it the reason in its migration. */
const GRANTS: Grants = {
  dialplane_organisation: {
    api_key_organisations: "select, delete",
    api_keys: "select, update (organisation_count, expires_at, revoked_at)",
    audit_entries: "select, insert",
    event_heads: "select, update (head)",
    events: "select, insert",
    idempotency_keys: "select, insert, delete",
    invitations: "select, insert, delete",
    mails: "insert",
    memberships: "select, update (role), delete",
    organisations: "select, update (name)",
    users: "select (id, email, name, disabled_at)",
  },
  dialplane_caller: {
    api_key_organisations: "select, insert",
    api_keys: "select, insert, update (organisation_count, expires_at)",
    audit_entries: "insert",
    event_heads: "select, update (head)",
    events: "select, insert",
    mails: "insert",
    memberships: "select",
    one_time_links: "select, insert, delete",
    organisations: "select",
    sessions: "select, insert, update (token_hash, last_seen_at, reauthenticated_at), delete",
    users: "select, insert, update (email, name, password_hash)",
  },
  dialplane_system: {
    api_key_organisations: "select",
    api_keys: "select, update (last_used_at, last_used_from)",
    audit_entries: "select, insert",
    event_heads: "select, insert, update (head)",
    events: "select, insert",
    idempotency_keys: "select, delete",
    invitations: "select, insert, delete",
    limit_counters: "select, insert, update, delete",
    mails: "select, insert, update (reference, claimed_until, sent_at), delete",
    memberships: "select, insert",
    one_time_links: "select, insert, delete",
    organisations: "select, insert",
    schema_migrations: "select",
    sessions: "select, delete",
    users: "select, insert, update (is_operator)",
  },
};

/** Whoever queues adds a job and learns its identifier; only the system's role sees and runs them. */
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
