import { MAGIC_NUMBERS } from "@dialplane/switch-agent";
import { afterAll, beforeAll, expect, test } from "vitest";
import { seedNumbers } from "../../seed.ts";
import { type Service, startService } from "../../../testing/service.ts";
import { systemAuthor } from "../../events/audit/audit.ts";
import { type AddedHolding, addHoldings } from "./numbers.ts";

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service[Symbol.asyncDispose]());

const AUTHOR = systemAuthor("test");

function add(
  organisationId: string,
  environment: "live" | "test",
  e164s: readonly string[],
): Promise<AddedHolding[]> {
  const numbers = e164s.map((e164) => ({ e164, country: "DE", type: "local" }));
  return service.app.db.forSystem("stock", (tx) =>
    addHoldings(tx, AUTHOR, service.clock.now(), { organisationId, environment, source: "import", numbers }),
  );
}

test("gives a number to one of twenty concurrent requests, and reports it as not available to the others", async () => {
  const organisations = await Promise.all(Array.from({ length: 20 }, () => service.organisation()));
  const outcomes = await Promise.all(
    organisations.map((id) => add(id, "live", ["+4930222000", "+4930222001"])),
  );

  const winners = outcomes.filter((rows) => rows.every(({ outcome }) => outcome === "added"));
  const losers = outcomes.filter((rows) =>
    rows.every((row) => row.outcome === "not_available" && row.id === null),
  );
  expect([winners.length, losers.length]).toEqual([1, 19]);
  const open = "select count(*)::int from holdings where e164 = '+4930222000' and status <> 'released'";
  expect(await service.database.admin(open)).toEqual([{ count: 1 }]);
});

test("allows several organisations to hold a number in their test environments, each once", async () => {
  const [one, other] = [await service.organisation(), await service.organisation()];

  expect(await add(one, "test", ["+4930333000"])).toMatchObject([{ outcome: "added" }]);
  expect(await add(other, "test", ["+4930333000"])).toMatchObject([{ outcome: "added" }]);
  expect(await add(one, "test", ["+4930333000"])).toMatchObject([{ outcome: "already_held" }]);
});

test("gives every new organisation the magic numbers in its test environment, and none in live", async () => {
  const organisationId = await service.organisation();
  const held = await service.database.admin(
    "select environment, e164, label from holdings where organisation_id = $1 order by e164",
    [organisationId],
  );

  expect(held).toEqual(
    Object.values(MAGIC_NUMBERS).map(({ e164, what }) => ({ environment: "test", e164, label: what })),
  );
  expect(held).toHaveLength(6);
});

test("each number added is one routing, one event and one audit entry; what was not added is none", async () => {
  const organisationId = await service.organisation();
  const seeded = await seedNumbers(service.app, organisationId, "live", 300);
  await add(organisationId, "live", [seeded[0]!.e164]);

  const counted = async (sql: string): Promise<string[]> =>
    (await service.database.admin<{ id: string }>(sql, [organisationId])).map(({ id }) => id).toSorted();
  const ids = seeded.map(({ id }) => id).toSorted();
  for (const sql of [
    "select holding_id as id from routings where organisation_id = $1 and environment = 'live'",
    "select holding_id as id from routing_revisions where organisation_id = $1 and environment = 'live'",
    "select item_id as id from feed_items where organisation_id = $1 and environment = 'live'",
    "select subject as id from events where organisation_id = $1 and environment = 'live' and type = 'number.added'",
    "select subject as id from audit_entries where organisation_id = $1 and environment = 'live' and action = 'number.added'",
  ])
    expect([sql, await counted(sql)]).toEqual([sql, ids]);
});

test("many who add many at once leave versions and events without gaps", async () => {
  const organisationId = await service.organisation();
  const parts = Array.from({ length: 8 }, (_, part) =>
    Array.from({ length: 50 }, (__, n) => `+49304${String(part * 50 + n).padStart(6, "0")}`),
  );
  await Promise.all(parts.map((numbers) => add(organisationId, "live", numbers.toReversed())));

  const gaps = await service.database.admin(
    `select s.id from feed_shards s left join feed_items f on f.shard = s.id
     group by s.id, s.head having s.head <> coalesce(max(f.version), 0) or s.head <> count(f.version)`,
  );
  const [events] = await service.database.admin(
    `select count(*) = max(e.sequence) and max(e.sequence) = max(h.head) as are_dense
     from events e join event_heads h using (organisation_id) where organisation_id = $1`,
    [organisationId],
  );
  expect([gaps, events]).toEqual([[], { are_dense: true }]);
});
