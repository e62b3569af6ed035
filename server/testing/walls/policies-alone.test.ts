import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connect, type Database, type DoorName, type Environment } from "../../src/platform/db/database.ts";
import { ENVIRONMENTS } from "../../src/platform/http/access.ts";
import { organisationTables } from "./database-catalogue.ts";
import { type Neighbours, openNeighbours, type Tenant } from "./neighbours.ts";

let neighbours: Neighbours;
let db: Database;
let tables: string[];

beforeAll(async () => {
  neighbours = await openNeighbours();
  db = neighbours.service.app.db;
  tables = await organisationTables(neighbours.service.database);
});
afterAll(() => neighbours[Symbol.asyncDispose]());

type Row = Record<string, unknown>;

/** Rows of an organisation in tables without its column. */
const INDIRECT: Record<string, string> = {
  organisations: "id = $1",
  users: "id in (select user_id from memberships where organisation_id = $1)",
  api_keys: "id in (select api_key_id from api_key_organisations where organisation_id = $1)",
};

/** By reports of switches, some by the database when they come, or by operators. */
const NOT_WRITTEN_BY_ORGANISATIONS = [
  "forwarding_allowances",
  "forwarding_policies",
  "probe_policies",
  "applied_exceptions",
  "applied_routes",
  "deliveries",
  "drift_episodes",
  "failed_routes",
  "call_buckets",
  "call_parties",
  "call_records",
  "last_calls",
  "live_calls",
  "open_calls",
  "log_floors",
  "organisation_usage_days",
  "organisation_usage_hours",
  "organisation_usage_quarters",
  "target_health",
  "usage_days",
  "usage_hours",
];

describe("AZ-10 policies alone, without a predicate", () => {
  test("both organisations have rows in every table that has rows of organisations", async () => {
    for (const table of [...tables, ...Object.keys(INDIRECT)]) {
      for (const tenant of [neighbours.home, neighbours.other]) {
        expect([table, (await ownRows(table, tenant, "*")).length]).not.toEqual([table, 0]);
      }
    }
  });

  test.each(ENVIRONMENTS)(
    "a bare select on the %s side shows the organisation's own rows: all of them and no other",
    async (environment) => {
      for (const tenant of [neighbours.home, neighbours.other]) {
        for (const table of [...tables, ...Object.keys(INDIRECT)]) {
          const columns = await readableColumns(table);
          const shown = await db.forOrganisation({ ...tenant, environment }, (tx) =>
            tx.query<Row>(`select ${columns} from ${table}`),
          );
          const own = await ownRows(table, tenant, columns, environment);
          expect({ table, rows: sorted(shown) }).toEqual({ table, rows: sorted(own) });
          expect((await neighbours.service.database.admin(`select from ${table}`)).length).toBeGreaterThan(
            own.length,
          );
        }
      }
    },
  );

  test("the search function finds only numbers of its organisation and environment, and none without one", async () => {
    const search = `select array(select id from search_holdings('{"digits":"+"}', '{}', 'id', null, null, 1000) order by 1) as ids`;
    for (const tenant of [neighbours.home, neighbours.other]) {
      for (const environment of ENVIRONMENTS) {
        const found = await db.forOrganisation.read({ ...tenant, environment }, search);
        const own = await ownRows("holdings", tenant, "id, is_held", environment);
        const held = own.filter(({ is_held }) => is_held).map(({ id }) => id);
        expect(held.length).toBeGreaterThan(0);
        expect(found).toEqual([{ ids: held.toSorted() }]);
      }
    }
    await using client = await signedInAs("organisation");
    expect((await client.query(search)).rows).toEqual([{ ids: [] }]);
  });

  test("the caller role shows only rows of the caller's organisations", async () => {
    const { home } = neighbours;
    const open = ["api_key_organisations", "event_heads", "events", "jobs", "memberships"];
    for (const table of open) {
      const shown = await db.forCaller({ userId: home.owner.userId }, (tx) =>
        tx.query<{ organisation_id: string }>(`select organisation_id from ${table}`),
      );
      expect([table, new Set(shown.map((row) => row.organisation_id))]).toEqual([
        table,
        new Set([home.organisationId]),
      ]);
    }
    const closed = tables.filter((one) => !open.includes(one));
    expect(closed).toEqual(expect.arrayContaining(["audit_entries", "holdings", "routings", "feed_items"]));
    for (const table of closed) {
      await expect(
        db.forCaller({ userId: home.owner.userId }, (tx) => tx.query(`select from ${table}`)),
      ).rejects.toMatchObject({ code: "42501" });
    }
  });
});

describe("AZ-10 settings", () => {
  test("a role without a caller shows no row of an organisation", async () => {
    const shownBy = async (door: DoorName): Promise<string[]> => {
      await using client = await signedInAs(door);
      const { rows } = await client.query(
        `select c.relname from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
           and has_any_column_privilege(c.oid, 'select') order by 1`,
      );
      const shown = [];
      for (const { relname } of rows) {
        if ((await client.query(`select from ${relname}`)).rowCount! > 0) shown.push(relname);
      }
      return shown;
    };

    // The progress of switches is not secret. None of these tables has an organisation's column.
    expect(await shownBy("organisation")).toEqual([
      "feed_confirmations",
      "feed_epoch",
      "feed_shards",
      "switch_groups",
      "switches",
      "usage_quarters_start",
    ]);
    expect(await shownBy("switch")).toEqual(["feed_epoch"]);
    // Looked up by address, token and key before the caller is known. None of these has the column either.
    expect(await shownBy("caller")).toEqual(["api_keys", "sessions", "switches", "users"]);
  });

  test("what a door was opened for is forgotten when its transaction ends, well or badly", async () => {
    const { service, home } = neighbours;
    await using single = singleConnections();
    // The caller's door is the only one that can also be used without saying for whom.
    const left = async () =>
      single.authenticate(
        "select nullif(current_setting('app.user_id', true), '') as user_id, (select count(*)::int from memberships) as memberships",
        [],
      );
    const person = { userId: home.owner.userId };
    expect(await single.forCaller(person, (tx) => tx.query("select from memberships"))).toHaveLength(1);
    expect(await left()).toEqual([{ user_id: null, memberships: 0 }]);
    await expect(single.forCaller(person, async () => Promise.reject(new Error("badly")))).rejects.toThrow(
      "badly",
    );
    expect(await left()).toEqual([{ user_id: null, memberships: 0 }]);
    expect(await single.forCaller.read(person, "select from memberships")).toHaveLength(1);
    expect(await left()).toEqual([{ user_id: null, memberships: 0 }]);
    const session = await service.database.admin<{ token_hash: Buffer }>(
      "select token_hash from sessions where user_id = $1",
      [person.userId],
    );
    const [found] = await single.authenticate<{ user_id: string }>(
      "select user_id from authenticate_session($1, now(), now() - interval '1 day')",
      [session[0]!.token_hash],
    );
    expect(found).toEqual({ user_id: person.userId });
    expect(await left()).toEqual([{ user_id: null, memberships: 0 }]);
    expect(single.pools()).toEqual([{ door: "caller", total: 1, idle: 1, waiting: 0 }]);
  });

  test("one connection serves two organisations in turn without mixing them", async () => {
    const { home, other } = neighbours;
    await using single = singleConnections();
    const seen = await Promise.all(
      [home, other, home, other].map((tenant) =>
        single.forOrganisation.read<{ id: string }>(
          { ...tenant, environment: "live" },
          "select id from organisations",
        ),
      ),
    );

    expect(seen.flat().map(({ id }) => id)).toEqual(
      [home, other, home, other].map((tenant) => tenant.organisationId),
    );
  });
});

/** Runs last, because the grants stay. */
describe("AZ-10 policies alone, with every privilege granted", () => {
  beforeAll(async () => {
    await neighbours.service.database.admin(
      "grant all on all tables in schema public to dialplane_organisation",
    );
  });

  test("a row cannot be put into another organisation", async () => {
    const { home, other } = neighbours;
    for (const table of [...tables, ...Object.keys(INDIRECT)]) {
      const [row] = await ownRows(table, other, `to_jsonb(${table}) as row`);
      await expect(insertFromHome(table, row!["row"]), table).rejects.toMatchObject(BY_POLICY);
    }
    expect(await ownRows("memberships", home, "*")).not.toEqual([]);
  });

  test("a row cannot be moved into another organisation", async () => {
    for (const table of tables) {
      const moving = inHome((tx) =>
        tx.query(`update ${table} set organisation_id = $1 returning 1`, [neighbours.other.organisationId]),
      );
      // Tables that organisations do not write have no policy for updates here, so no row matches.
      if (NOT_WRITTEN_BY_ORGANISATIONS.includes(table)) expect(await moving).toEqual([]);
      else await expect(moving, table).rejects.toMatchObject(BY_POLICY);
    }
  });

  test("rejects creating, changing and deleting a row of the other environment", async () => {
    const sided = await sidedTables();
    expect(sided).toEqual(expect.arrayContaining(["holdings", "connections", "routings", "feed_items"]));
    for (const table of sided) {
      const [row] = await ownRows(table, neighbours.home, `to_jsonb(${table}) as row`, "test");
      await expect(insertFromHome(table, row!["row"]), table).rejects.toMatchObject(BY_POLICY);
      for (const statement of [
        `update ${table} set environment = environment where environment = 'test' returning 1`,
        `delete from ${table} where environment = 'test' returning 1`,
      ])
        expect([statement, await inHome((tx) => tx.query(statement))]).toEqual([statement, []]);
    }
  });

  test("a row of another organisation can be neither changed nor removed", async () => {
    for (const table of tables) {
      const theirs = [neighbours.other.organisationId];
      const changed = await inHome((tx) =>
        tx.query(
          `update ${table} set organisation_id = organisation_id where organisation_id = $1 returning 1`,
          theirs,
        ),
      );
      const removed = await inHome((tx) =>
        tx.query(`delete from ${table} where organisation_id = $1 returning 1`, theirs),
      );
      expect([table, changed, removed]).toEqual([table, [], []]);
    }
  });

  test("what belongs to no organisation shows nothing", async () => {
    const nobodys = [
      "sessions",
      "one_time_links",
      "limit_counters",
      "mails",
      "numbers",
      "stock_reservations",
      "pool_purchases",
      "sandbox_calls",
      "sandbox_purchases",
      "sandbox_reservations",
    ];
    for (const table of nobodys) {
      expect(await inHome((tx) => tx.query(`select from ${table}`))).toEqual([]);
    }
  });
});

const BY_POLICY = { code: "42501", message: expect.stringContaining("row-level security") };

/** In the live environment of the home organisation, whatever the row says. */
async function insertFromHome(table: string, row: unknown): Promise<unknown> {
  const columns = await neighbours.service.database.admin<{ name: string }>(
    "select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''",
    [table],
  );
  const names = columns.map(({ name }) => name).join(", ");
  return inHome((tx) =>
    tx.query(
      `insert into ${table} (${names}) select ${names} from jsonb_populate_record(null::${table}, $1)`,
      [row],
    ),
  );
}

/** Tables whose rows belong to one environment of an organisation. */
async function sidedTables(): Promise<string[]> {
  const rows = await neighbours.service.database.admin<{ name: string }>(
    `select attrelid::regclass::text as name from pg_attribute
     where attrelid::regclass::text = any ($1) and attname = 'environment' and attnotnull order by 1`,
    [tables],
  );
  return rows.map(({ name }) => name);
}

function inHome(work: Parameters<Database["forOrganisation"]>[1]): Promise<unknown> {
  return db.forOrganisation({ ...neighbours.home, environment: "live" }, work);
}

/** As the superuser sees them, past every policy. */
async function ownRows(
  table: string,
  { organisationId }: Tenant,
  columns: string,
  environment?: Environment,
): Promise<Row[]> {
  const { admin } = neighbours.service.database;
  const [sided] = await admin(
    "select from information_schema.columns where table_name = $1 and column_name = 'environment'",
    [table],
  );
  const side =
    environment && sided && !INDIRECT[table]
      ? `and (environment is null or environment = '${environment}')`
      : "";
  return admin<Row>(
    `select ${columns} from ${table} where ${INDIRECT[table] ?? "organisation_id = $1"} ${side}`,
    [organisationId],
  );
}

async function readableColumns(table: string): Promise<string> {
  const columns = await neighbours.service.database.admin<{ name: string }>(
    `select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped
       and has_column_privilege('dialplane_organisation', attrelid, attnum, 'select')`,
    [table],
  );
  return columns.map(({ name }) => name).join(", ");
}

function sorted(rows: Row[]): string[] {
  return rows.map((row) => JSON.stringify(row)).toSorted();
}

function singleConnections(): Database & AsyncDisposable {
  const { loginOf } = neighbours.service.app.config.database;
  const connections = { organisation: 1, caller: 1, switch: 1, system: 1 };
  const single = connect({ loginOf, connections, onError() {} });
  return { ...single, [Symbol.asyncDispose]: () => single.close() };
}

async function signedInAs(door: DoorName): Promise<pg.Client & AsyncDisposable> {
  const client = new pg.Client(neighbours.service.app.config.database.loginOf(door));
  await client.connect();
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
}
