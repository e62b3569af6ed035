import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { CHECKS, examine, runDoctor } from "./doctor.ts";
import { ENDS_SESSIONS, requestTo, UNSAFE_ROUTES } from "../testing/every-route.ts";
import { holdSnapshot } from "../testing/held-snapshot.ts";
import { bearer, browser, type Service, startService } from "../testing/service.ts";
import { type Neighbours, openNeighbours } from "../testing/walls/neighbours.ts";

let printed: string[];
beforeEach(() => {
  printed = [];
  vi.spyOn(console, "log").mockImplementation((line: string) => void printed.push(line));
});
afterEach(() => vi.restoreAllMocks());

async function broken({ app }: Service): Promise<string[]> {
  return (await examine(app.db)).filter(({ rows }) => rows.length > 0).map(({ says }) => says);
}

async function ageSnapshot({ database }: Service, ending: AsyncDisposableStack): Promise<void> {
  const held = await holdSnapshot(database);
  ending.defer(() => held.end());
  await database.admin(
    `create table burned (id integer); do $$ begin
       for n in 1..100001 loop begin insert into burned values (n); exception when others then null; end; end loop;
     end $$; drop table burned`,
  );
}

/** One way to break each invariant, past every wall. */
const VIOLATIONS: Record<
  string,
  string | ((service: Service, ending: AsyncDisposableStack) => Promise<void>)
> = {
  "no transaction is old enough to block the removal of dead rows": ageSnapshot,
  "no switch has been unreachable for a day (bring it back or retire it)": `insert into switches (id, group_id, name, created_at)
    select gen_random_uuid(), id, 'silent', now() - interval '2 days' from switch_groups where is_default and environment = 'live'`,
  "every call of the last two days is counted once, in its hour": `update call_records set holding_id = gen_random_uuid()
    where id = (select id from call_records where holding_id is not null limit 1)`,
  "hours add up to days, and numbers to organisations, over the last five weeks":
    "update organisation_usage_hours set calls = calls + 1, busy = busy + 1",
  "the count of calls equals the stored call records in every month": `select make_call_partitions(array[current_date - 70]);
    alter table call_records disable trigger call_records_roll_up;
    insert into call_records (id, switch_id, started_at, organisation_id, environment, holding_id, ending, result, received_at)
      select gen_random_uuid(), switch_id, current_date - 70, organisation_id, environment, holding_id, ending, result, now()
      from call_records where holding_id is not null limit 1;
    alter table call_records enable trigger call_records_roll_up`,
  "every table of an organisation's rows has forced row-level security":
    "create table planted (organisation_id uuid)",
  "the database roles of the service own nothing and cannot bypass row-level security":
    "create table planted_too (); alter table planted_too owner to dialplane_switch",
  "views run with the rights of the querying role": "create view planted_view as select * from organisations",
  "every stored response belongs to an idempotency key used for one request":
    "alter table idempotency_keys drop constraint idempotency_keys_pkey; insert into idempotency_keys select * from idempotency_keys limit 1",
  "an organisation's events are numbered from 1, without gaps except at restores":
    "delete from events where sequence = 2",
  "every organisation counts its events":
    "insert into organisations values ('0198c5f2-7c1e-7a33-9d3f-3f6a1c0f9b11', 'Planted', now())",
  "every event has its audit entry": "delete from audit_entries where action = 'invitation.created'",
  "no secret is stored in the clear": `update events set data = '{"key": "svc_live_0123456789abcdefghij"}' where sequence = 1`,
  "the feed has the effective route of every number":
    "update feed_items set value = '{}' where (shard, version) in (select shard, version from routings limit 1)",
  "no shard has a version above its head":
    "update feed_shards set floor = head + 1 where id = (select max(id) from feed_shards)",
  "every confirmed version was read back by all counted switches": `
    insert into switches (id, group_id, name, synced_epoch, created_at)
      select gen_random_uuid(), id, 'planted', (select epoch from feed_epoch), now() from switch_groups where is_default;
    update feed_confirmations set version = 1 where shard = 0`,
  "every shard has the token of its head": "update feed_shards set token = token + 1 where head > 0",
  "no rollback of the database is unresolved (see: dialplane-server epochs)":
    "insert into feed_epochs (epoch, began_at, cause) values ('planted', now(), 'rollback')",
  "no restore of the database is open (see: dialplane-server restore status)":
    "insert into restores (id, epoch, cause, began_at, began_by) select gen_random_uuid(), epoch, 'operator', now(), 'planted' from feed_epoch",
  "a retired switch has no confirmed versions":
    "update switches set state = 'retired' where name <> 'planted'",
  "numbers bought by an order are held by its organisation, and ordered numbers have an order":
    "update holdings set source = 'order' where id = (select min(id::text)::uuid from holdings)",
  "held numbers are counted once, under their switch group and route": `
    insert into number_counts (organisation_id, environment, group_id, use, numbers)
      select organisation_id, environment, group_id, use, 1 from number_counts where use = 'unrouted' limit 1`,
  "addresses and documents are counted once": "update evidence_totals set documents = documents + 1",
  "an order ends together with its job":
    "alter table orders disable trigger all; update orders set status = 'processing', finished_at = null",
  "released numbers are removed from the switches":
    "update holdings set status = 'released', released_at = now() where id = (select max(id::text)::uuid from holdings)",
  "no webhook delivery is due before its endpoint": `alter table webhook_deliveries disable trigger user;
    insert into webhook_deliveries (id, organisation_id, environment, endpoint_id, sequence, event_id, event_type, next_attempt_at, created_at)
      select gen_random_uuid(), organisation_id, environment, id, 1000000, gen_random_uuid(), 'number.changed', now(), now() from webhook_endpoints limit 1`,
  "an organisation with events that its webhook endpoints lack is marked as behind": `alter table event_heads disable trigger user;
    update event_heads set is_behind = false; update webhook_endpoints set position = -1, status = 'active'`,
  "every organisation that has members has an owner":
    "alter table memberships disable trigger all; update memberships set role = 'admin' where role = 'owner'",
  "the count of a key's organisations is right": "update api_keys set organisation_count = 7",
};

test("it holds on a database in which everything has been done once", async () => {
  await using neighbours = await openNeighbours();
  await doEverything(neighbours);
  // Fixtures open a restore each.
  await neighbours.service.database.admin(
    "update restores set ended_at = now(), ended_by = 'test' where ended_at is null",
  );

  expect(await broken(neighbours.service)).toEqual([]);
  expect(await runDoctor(neighbours.service.app.config)).toBe(0);
  // With the check of retention, which needs the settings.
  expect(printed).toHaveLength(CHECKS.length + 2);
  expect(printed.at(-1)).toBe(`All ${CHECKS.length + 1} checks passed.`);
});

test("every check has a violation to find, and every violation a check", () => {
  expect(Object.keys(VIOLATIONS).toSorted()).toEqual(CHECKS.map(({ says }) => says).toSorted());
});

test("it finds each violation as soon as it is there, and nothing else with it", async () => {
  await using neighbours = await openNeighbours();
  const { service } = neighbours;
  await using ending = new AsyncDisposableStack();
  const planted: string[] = [];

  for (const { says } of CHECKS) {
    const violate = VIOLATIONS[says]!;
    await (typeof violate === "string" ? service.database.admin(violate) : violate(service, ending));
    planted.push(says);
    expect(await broken(service)).toEqual(planted);
  }
  expect(await runDoctor(service.app.config)).toBe(1);
  expect(printed.filter((line) => line.startsWith("BROKEN"))).toHaveLength(CHECKS.length);
  // The planted secret is in an event, whose data no longer fits its type.
  await service.database.admin("delete from events where data ? 'key'");
});

test("it holds on an empty database", async () => {
  await using service = await startService();

  expect(await runDoctor(service.app.config)).toBe(0);
});

async function doEverything(neighbours: Neighbours): Promise<void> {
  const { service, home } = neighbours;
  await service.person({ [home.organisationId]: "owner" });
  await service.database.admin("update users set is_operator = true where id = $1", [home.owner.userId]);
  const last = ["signOut", ...ENDS_SESSIONS, "leaveOrganisation"];
  for (const route of UNSAFE_ROUTES.toSorted((one, other) => last.indexOf(one.id) - last.indexOf(other.id))) {
    const { method, path, headers, body } = await requestTo(neighbours, route);
    const isForBrowsers = route.access.callers !== "anyone";
    await service.send(method, path, {
      headers: { ...headers, ...(isForBrowsers ? browser(home.owner.cookie) : bearer("none")) },
      body,
    });
  }
}
