import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Database, Tx } from "../../src/platform/db/database.ts";
import { newId } from "../../src/platform/ids.ts";
import { organisationTables } from "./database-catalogue.ts";
import { type Neighbours, openNeighbours } from "./neighbours.ts";
import { makeSwitch, type TestSwitch } from "./switch-callers.ts";

interface Item {
  shard: number;
  version: string;
  item_id: string;
  organisation_id: string;
  environment: string;
}

let neighbours: Neighbours;
let db: Database;
/** Two of one group, and one of another. */
let own: TestSwitch;
let sibling: TestSwitch;
let stranger: TestSwitch;
let ownItem: Item;
let ownConnection: Item;
let otherItem: Item;
let strangeItem: Item;

beforeAll(async () => {
  neighbours = await openNeighbours();
  const { service, home, other } = neighbours;
  db = service.app.db;
  const { admin } = service.database;
  const groupId = newId();
  await admin("select add_switch_group($1, 'elsewhere', 'live', false, 4, now())", [groupId]);
  own = await makeSwitch(service);
  sibling = await makeSwitch(service);
  stranger = await makeSwitch(service, { groupId });
  const itemOf = async (organisationId: string, kind = "route"): Promise<Item> =>
    (
      await admin<Item>(
        "select * from feed_items where organisation_id = $1 and environment = 'live' and kind = $2",
        [organisationId, kind],
      )
    )[0]!;
  ownItem = await itemOf(home.organisationId);
  ownConnection = await itemOf(home.organisationId, "connection");
  otherItem = await itemOf(other.organisationId);
  const strangeId = newId();
  await admin(
    `select publish_item((select min(id) from feed_shards where group_id = $1), 'route', $2, $3, 'live', 1, '{}', now())`,
    [groupId, strangeId, home.organisationId],
  );
  [strangeItem] = (await admin<Item>("select * from feed_items where item_id = $1", [strangeId])) as [Item];
});
afterAll(() => neighbours[Symbol.asyncDispose]());

const BY_POLICY = { code: "42501", message: expect.stringContaining("row-level security") };

function as<Result>({ id, groupId }: TestSwitch, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  return db.forSwitch({ switchId: id, groupId }, work);
}

function except(by: TestSwitch, inNameOf: TestSwitch, item: Item): Promise<unknown> {
  return as(by, (tx) =>
    tx.query(
      `insert into applied_exceptions (switch_id, item_id, shard, kind, organisation_id, environment, version, state, error, since, observed_at)
       values ($1, $2, $3, 'route', $4, $5, $6, 'failed', 'it refused', now(), now())`,
      [inNameOf.id, item.item_id, item.shard, item.organisation_id, item.environment, item.version],
    ),
  );
}

describe("a switch reads the feed of its group", () => {
  test("a bare select shows its group's items, shards and switches: all of them and no other", async () => {
    const { admin } = neighbours.service.database;
    for (const [table, where] of [
      ["feed_shards", "group_id = $1"],
      ["feed_items", "shard in (select id from feed_shards where group_id = $1)"],
      ["feed_confirmations", "shard in (select id from feed_shards where group_id = $1)"],
      ["switches", "group_id = $1"],
      ["switch_groups", "id = $1"],
    ] as const) {
      const column = table === "feed_items" || table === "feed_confirmations" ? "shard" : "id";
      for (const one of [own, stranger]) {
        const select = `select ${column} as key, count(*)::int from ${table}`;
        const shown = await as(one, (tx) => tx.query(`${select} group by 1 order by 1`));
        const expected = await admin(`${select} where ${where} group by 1 order by 1`, [one.groupId]);
        expect(expected.length).toBeGreaterThan(0);
        expect([table, shown]).toEqual([table, expected]);
      }
    }
  });

  test("of what organisations have it can read nothing else", async () => {
    const { database } = neighbours.service;
    const told = [
      "applied_exceptions",
      "applied_routes",
      "drift_episodes",
      "event_heads",
      "failed_routes",
      "feed_items",
      "live_calls",
      "open_calls",
      "target_health",
    ];
    const rest = (await organisationTables(database)).filter((one) => !told.includes(one));
    expect(rest).toEqual(expect.arrayContaining(["holdings", "routings", "connections", "memberships"]));
    for (const table of [...rest, "organisations", "users", "api_keys", "sessions", "numbers"]) {
      const reading = as(own, (tx) => tx.query(`select organisation_id from ${table}`));
      await expect(reading, table).rejects.toMatchObject({ code: expect.stringMatching(/^42(501|703)$/) });
      await expect(
        as(own, (tx) => tx.query(`select * from ${table}`)),
        table,
      ).rejects.toMatchObject({ code: "42501" });
    }
    // Of drift its own episodes, of which it has none.
    expect(await database.admin("select from drift_episodes")).not.toEqual([]);
    expect(await as(own, (tx) => tx.query("select * from drift_episodes"))).toEqual([]);
    // The same for readings and failures.
    for (const table of ["applied_routes", "failed_routes"])
      expect(await as(own, (tx) => tx.query(`select * from ${table}`))).toEqual([]);
    // Of events the number alone, of those it has caused.
    expect(await as(own, (tx) => tx.query("select sequence from events"))).toEqual([]);
    expect(await as(own, (tx) => tx.query("select * from event_heads"))).toEqual([]);
    // Of live calls those it has reported itself.
    expect(await as(own, (tx) => tx.query("select * from live_calls"))).toEqual([]);
  });

  test("no credential can be read", async () => {
    const reading = as(own, (tx) => tx.query("select credential_mac from switches"));
    await expect(reading).rejects.toMatchObject({ code: "42501" });
  });
});

describe("a switch reports in its own name", () => {
  const mark = (inNameOf: TestSwitch, shard: number): Promise<unknown> =>
    as(own, (tx) =>
      tx.query(
        "insert into applied_watermarks (switch_id, shard, epoch, version, observed_at) values ($1, $2, 'now', 0, now())",
        [inNameOf.id, shard],
      ),
    );

  test("its watermark, only for shards in its group", async () => {
    await mark(own, ownItem.shard);
    await expect(mark(sibling, ownItem.shard)).rejects.toMatchObject(BY_POLICY);
    await expect(mark(own, strangeItem.shard)).rejects.toMatchObject(BY_POLICY);
  });

  test("its exceptions, only for items in its group, with their organisations", async () => {
    await except(own, own, ownItem);
    await expect(except(own, sibling, otherItem)).rejects.toMatchObject(BY_POLICY);
    await expect(except(own, own, strangeItem)).rejects.toMatchObject(BY_POLICY);
    const claimed = { ...otherItem, organisation_id: ownItem.organisation_id };
    await expect(except(own, own, claimed)).rejects.toMatchObject(BY_POLICY);
    await expect(except(own, own, { ...otherItem, environment: "test" })).rejects.toMatchObject(BY_POLICY);
    await expect(except(own, own, { ...otherItem, item_id: newId() })).rejects.toMatchObject(BY_POLICY);
  });

  test("what others have reported stays", async () => {
    await except(sibling, sibling, otherItem);
    const tried = await as(own, async (tx) => [
      await tx.query("update applied_exceptions set error = '' where switch_id <> $1 returning 1", [own.id]),
      await tx.query("delete from applied_exceptions where switch_id <> $1 returning 1", [own.id]),
      await tx.query("update applied_watermarks set version = 9 where switch_id <> $1 returning 1", [own.id]),
      await tx.query("update switches set boot = 'theirs' where id <> $1 returning id", [own.id]),
    ]);
    expect(tried).toEqual([[], [], [], []]);
    const itself = await as(own, (tx) =>
      tx.query("update switches set boot = 'mine' where id = $1 returning boot", [own.id]),
    );
    expect(itself).toEqual([{ boot: "mine" }]);
  });

  test.each(["state = 'active'", "credential_mac = ''", "group_id = id", "name = 'other'"])(
    "it cannot set %s",
    async (change) => {
      const changing = as(own, (tx) => tx.query(`update switches set ${change}`));
      await expect(changing).rejects.toMatchObject({ code: "42501" });
    },
  );
});

describe("a switch reports target health in its own name", () => {
  const tell = (by: TestSwitch, rest: Record<string, unknown> = {}): Promise<unknown> =>
    as(by, async (tx) => {
      const row = { switch_id: by.id, connection_id: ownConnection.item_id, ...ownConnection, ...rest };
      return tx.query(
        `insert into target_health (switch_id, connection_id, host, port, transport, organisation_id, environment, state, addresses, since)
         values ($1, $2, 'pbx.example.com', 5060, 'udp', $3, $4, 'up', '[]', now())`,
        [row.switch_id, row.connection_id, row.organisation_id, row.environment],
      );
    });

  test("of its group's connections, as whose they are", async () => {
    await tell(own);
    for (const wrong of [
      { switch_id: sibling.id },
      { organisation_id: otherItem.organisation_id },
      { environment: "test" },
      { connection_id: newId() },
      { connection_id: ownItem.item_id },
    ])
      await expect(tell(own, wrong), JSON.stringify(wrong)).rejects.toMatchObject(BY_POLICY);
    await expect(tell(stranger)).rejects.toMatchObject(BY_POLICY);
  });

  test("and keeps the reports of others", async () => {
    await tell(sibling);
    const tried = await as(own, async (tx) => [
      await tx.query("update target_health set state = 'down' where switch_id <> $1 returning 1", [own.id]),
      await tx.query("delete from target_health where switch_id <> $1 returning 1", [own.id]),
      await tx.query("select from target_health where switch_id <> $1", [own.id]),
    ]);
    expect(tried).toEqual([[], [], []]);
    await as(own, (tx) => tx.query("delete from target_health"));
  });
});

describe("a switch records calls in its own name", () => {
  const call = (by: TestSwitch, rest: Record<string, unknown>, table = "call_records"): Promise<unknown> => {
    const row: Record<string, unknown> = {
      id: newId(),
      switch_id: by.id,
      started_at: new Date(),
      organisation_id: ownItem.organisation_id,
      environment: ownItem.environment,
      holding_id: ownItem.item_id,
      ...(table === "call_records" && { ending: "hung_up", result: "answered", received_at: new Date() }),
      ...(table === "live_calls" && { active_calls: 1, observed_at: new Date() }),
      ...rest,
    };
    const { id: _, started_at: __, ...live } = row;
    const given = table === "live_calls" ? live : row;
    const places = Object.keys(given).map((_name, at) => `$${at + 1}`);
    return as(by, (tx) =>
      tx.query(
        `insert into ${table} (${Object.keys(given).join(", ")}) values (${places.join(", ")})`,
        Object.values(given),
      ),
    );
  };

  test.each(["call_records", "call_parties", "live_calls"])(
    "of its group's numbers, as whose they are: %s",
    async (table) => {
      await call(own, {}, table);
      for (const wrong of [
        { switch_id: sibling.id },
        { organisation_id: otherItem.organisation_id },
        { environment: "test" },
        { holding_id: newId() },
      ])
        await expect(call(own, wrong, table), JSON.stringify(wrong)).rejects.toMatchObject(BY_POLICY);
      await expect(call(stranger, {}, table)).rejects.toMatchObject(BY_POLICY);
    },
  );

  test("or as the operator's, on its own side", async () => {
    const nobodys = { organisation_id: null, holding_id: null };
    await call(own, nobodys);
    await call(own, nobodys, "call_parties");
    await expect(call(own, { ...nobodys, environment: "test" })).rejects.toMatchObject(BY_POLICY);
    await expect(call(own, { ...nobodys, switch_id: sibling.id })).rejects.toMatchObject(BY_POLICY);
  });

  test("and what others have reported of calls stays", async () => {
    await call(sibling, {}, "live_calls");
    const tried = await as(own, async (tx) => [
      await tx.query("update live_calls set active_calls = 9 where switch_id <> $1 returning 1", [own.id]),
      await tx.query("delete from live_calls where switch_id <> $1 returning 1", [own.id]),
      await tx.query("select from live_calls where switch_id <> $1", [own.id]),
    ]);
    expect(tried).toEqual([[], [], []]);
    await as(own, (tx) => tx.query("delete from live_calls"));
    const reject = (by: TestSwitch): Promise<unknown> =>
      as(own, (tx) =>
        tx.query(
          "insert into rejected_records (switch_id, digest, code, detail, record, received_at) values ($1, '', '', '', '', now())",
          [by.id],
        ),
      );
    await reject(own);
    await expect(reject(sibling)).rejects.toMatchObject(BY_POLICY);
  });
});

/** After the reports: the home organisation's item is an exception of this switch, the other's of its sibling only. */
describe("a switch creates events about its own exceptions", () => {
  let sequence = 1_000_000;
  const tell = (item: Pick<Item, "item_id" | "organisation_id" | "environment">): Promise<unknown> =>
    as(own, (tx) =>
      tx.query(
        `insert into events (organisation_id, sequence, id, environment, type, subject, data, created_at)
         values ($1, $2, $3, $4, 'routing.failed', $5, '{"switch":"edge-1","error":""}', now())`,
        [item.organisation_id, ++sequence, newId(), item.environment, item.item_id],
      ),
    );
  const recordOutcome = (item: Pick<Item, "item_id" | "organisation_id" | "environment">): Promise<unknown> =>
    as(own, (tx) =>
      tx.query(
        `insert into audit_entries (id, organisation_id, environment, action, outcome, subject, actor_kind, detail, at)
         values ($1, $2, $3, 'routing.failed', 'done', $4, 'system', '{}', now())`,
        [newId(), item.organisation_id, item.environment, item.item_id],
      ),
    );

  test("and about nothing else", async () => {
    for (const write of [tell, recordOutcome]) {
      await write(ownItem);
      for (const wrong of [
        otherItem,
        { ...ownItem, organisation_id: otherItem.organisation_id },
        { ...ownItem, item_id: otherItem.item_id },
        { ...ownItem, item_id: newId() },
        { ...ownItem, environment: "test" },
      ])
        await expect(write(wrong), JSON.stringify(wrong)).rejects.toMatchObject(BY_POLICY);
    }
  });

  test("whose events it numbers, and no other's", async () => {
    const numbered = await as(own, (tx) =>
      tx.query("update event_heads set head = head + 1 returning organisation_id"),
    );
    expect(numbered).toEqual([{ organisation_id: ownItem.organisation_id }]);
  });
});

/** Runs last, because the grants stay. */
test("with every privilege granted, the policies alone show a switch nothing of what organisations have", async () => {
  const { database } = neighbours.service;
  await database.admin("grant all on all tables in schema public to dialplane_switch");
  const told = ["applied_exceptions", "event_heads", "events", "feed_items"];
  const rest = (await organisationTables(database)).filter((one) => !told.includes(one));
  for (const table of [
    ...rest,
    "organisations",
    "users",
    "api_keys",
    "sessions",
    "numbers",
    "stock_reservations",
    "pool_purchases",
    "sandbox_calls",
    "sandbox_purchases",
    "sandbox_reservations",
  ])
    expect([table, await as(own, (tx) => tx.query(`select from ${table}`))]).toEqual([table, []]);
});
