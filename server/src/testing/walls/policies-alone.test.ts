import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connect, type Database, type DoorName, type Environment } from "../../platform/db/database.ts";
import { ENVIRONMENTS } from "../../platform/http/access.ts";
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

/** What belongs to an organisation though its own column does not say so. */
const INDIRECT: Record<string, string> = {
  organisations: "id = $1",
  users: "id in (select user_id from memberships where organisation_id = $1)",
  api_keys: "id in (select api_key_id from api_key_organisations where organisation_id = $1)",
};

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

  test("a person's door shows, of what organisations have, only that of their own", async () => {
    const { home } = neighbours;
    for (const table of tables.filter(
      (one) => !["audit_entries", "idempotency_keys", "invitations"].includes(one),
    )) {
      const shown = await db.forCaller({ userId: home.owner.userId }, (tx) =>
        tx.query<{ organisation_id: string }>(`select organisation_id from ${table}`),
      );
      expect([table, new Set(shown.map((row) => row.organisation_id))]).toEqual([
        table,
        new Set([home.organisationId]),
      ]);
    }
    for (const table of ["audit_entries", "idempotency_keys", "invitations"]) {
      await expect(
        db.forCaller({ userId: home.owner.userId }, (tx) => tx.query(`select from ${table}`)),
      ).rejects.toMatchObject({ code: "42501" });
    }
  });
});

describe("AZ-10 settings", () => {
  test("a door opened for nobody shows no row of an organisation", async () => {
    const shownBy = async (door: DoorName): Promise<string[]> => {
      await using client = await signedInAs(door);
      const { rows } = await client.query(
        `select c.relname from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
           and has_any_column_privilege(c.oid, 'select') order by 1`,
      );
      const shown = [];
      for (const { relname } of rows) {
        if ((await client.query(`select from ${relname}`)).rowCount! > 0) shown.push(relname);
      }
      return shown;
    };

    expect(await shownBy("organisation")).toEqual([]);
    expect(await shownBy("switch")).toEqual([]);
    // Looked up by address, token and key before anybody knows who asks. None of them has an organisation's column.
    expect(await shownBy("caller")).toEqual(["api_keys", "sessions", "users"]);
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

  test("the switch's door can read no table at all yet", async () => {
    const readable = await neighbours.service.database.admin(
      `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where c.relkind in ('r', 'p', 'v', 'm', 'f') and n.nspname not in ('pg_catalog', 'information_schema')
         and has_schema_privilege('dialplane_switch', n.oid, 'usage') and has_any_column_privilege('dialplane_switch', c.oid, 'select')`,
    );
    expect(readable).toEqual([]);
    const reading = db.forSwitch(
      { switchId: neighbours.home.organisationId, groupId: neighbours.home.organisationId },
      (tx) => tx.query("select from organisations"),
    );
    await expect(reading).rejects.toMatchObject({ code: "42501" });
  });
});

/** Last: nothing takes the privileges back. */
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
      const inserting = inHome((tx) =>
        tx.query(`insert into ${table} select * from jsonb_populate_record(null::${table}, $1)`, [
          row!["row"],
        ]),
      );
      await expect(inserting, table).rejects.toMatchObject({
        code: "42501",
        message: expect.stringContaining("row-level security"),
      });
    }
    expect(await ownRows("memberships", home, "*")).not.toEqual([]);
  });

  test("a row cannot be moved into another organisation", async () => {
    for (const table of tables) {
      const moving = inHome((tx) =>
        tx.query(`update ${table} set organisation_id = $1`, [neighbours.other.organisationId]),
      );
      await expect(moving, table).rejects.toMatchObject({
        code: "42501",
        message: expect.stringContaining("row-level security"),
      });
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
    for (const table of ["sessions", "one_time_links", "limit_counters", "mails"]) {
      expect(await inHome((tx) => tx.query(`select from ${table}`))).toEqual([]);
    }
  });
});

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
  const { urlOf } = neighbours.service.app.config.database;
  const connections = { organisation: 1, caller: 1, switch: 1, system: 1 };
  const single = connect({ urlOf, connections, onError() {} });
  return { ...single, [Symbol.asyncDispose]: () => single.close() };
}

async function signedInAs(door: DoorName): Promise<pg.Client & AsyncDisposable> {
  const client = new pg.Client({ connectionString: neighbours.service.app.config.database.urlOf(door) });
  await client.connect();
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
}
