import { afterAll, beforeAll, expect, test } from "vitest";
import { seedNumbers } from "../../seed.ts";
import { type Service, startService } from "../../../testing/service.ts";
import { connect, type Database, type OrganisationScope } from "./database.ts";

let service: Service;
/** One connection each, so that what one request leaves behind the next would find. */
let db: Database;
let first: OrganisationScope;
let second: OrganisationScope;

beforeAll(async () => {
  service = await startService();
  const { directLoginOf: loginOf } = service.app.config.database;
  const connections = { organisation: 1, caller: 1, switch: 1, system: 1 };
  db = connect({ loginOf, connections, statementTimeoutMs: 500, onError() {} });
  first = { organisationId: await service.organisation(), environment: "live" };
  second = { organisationId: await service.organisation(), environment: "live" };
  await seedNumbers(service.app, first.organisationId, "live", 3);
});
afterAll(async () => {
  await db.close();
  await service[Symbol.asyncDispose]();
});

const count = async (scope: OrganisationScope): Promise<number> =>
  (await db.forOrganisation.read<{ count: number }>(scope, "select count(*)::integer from holdings"))[0]!
    .count;
const settings = async (): Promise<unknown> =>
  db.forOrganisation.read(
    { organisationId: "", environment: "test" },
    "select current_setting('app.organisation_id') as organisation, current_setting('app.environment') as side",
  );

test("each request in one trip sees what is its own, over the same connection", async () => {
  const counts = await Promise.all([count(first), count(second), count(first), count(second)]);
  expect(counts).toEqual([3, 0, 3, 0]);
  expect(await settings()).toEqual([{ organisation: "", side: "test" }]);
});

test("what reads cannot write", async () => {
  const text = "update holdings set label = 'x' where organisation_id = $1 returning id";
  await expect(db.forOrganisation.read(first, text, [first.organisationId])).rejects.toThrow("read-only");
  expect(await db.forOrganisation.write(first, text, [first.organisationId])).toHaveLength(3);
  expect(await count(first)).toBe(3);
});

test("a change that fails leaves nothing, and the connection is as good as before", async () => {
  const failing = "update holdings set label = label || 'y' where 1 / (position('+' in e164) - 1) = 0";
  await expect(db.forOrganisation.write(first, failing)).rejects.toThrow("division by zero");
  await expect(db.forOrganisation.write(first, "select no_such_thing")).rejects.toThrow("does not exist");
  await expect(db.forOrganisation.read(first, "select pg_sleep(2)")).rejects.toThrow("statement timeout");
  expect(await count(first)).toBe(3);
  const labels = await db.forOrganisation.read<{ label: string }>(first, "select label from holdings");
  expect(labels.map(({ label }) => label)).toEqual(["x", "x", "x"]);
});

test("applies a change that returns no rows", async () => {
  const change = "update holdings set label = 'z' where organisation_id = $1";
  expect(await db.forOrganisation.write(first, change, [first.organisationId])).toEqual([]);
  const labels = await db.forOrganisation.read(first, "select distinct label from holdings");
  expect(labels).toEqual([{ label: "z" }]);
});

test("an organisation's changes take turns, and hold up neither its reads nor another organisation", async () => {
  const { directLoginOf: loginOf } = service.app.config.database;
  const connections = { organisation: 4, caller: 1, switch: 1, system: 1 };
  const shared = connect({ loginOf, connections, writesPerOrganisation: 1, onError() {} });
  const order: string[] = [];
  const release = Promise.withResolvers<void>();
  const entered = Promise.withResolvers<void>();
  const note = async (name: string, work: Promise<unknown>): Promise<void> => {
    await work;
    order.push(name);
  };
  const held = shared.forOrganisation(first, async (tx) => {
    await tx.query("select 1");
    entered.resolve();
    await release.promise;
  });
  await entered.promise;
  const waiting = [
    note("write", shared.forOrganisation.write(first, "select 1")),
    note(
      "transaction",
      shared.forOrganisation(first, (tx) => tx.query("select 1")),
    ),
  ];
  await note("read", shared.forOrganisation.read(first, "select 1"));
  await note("another organisation", shared.forOrganisation.write(second, "select 1"));
  expect(shared.pools().find(({ door }) => door === "organisation")).toMatchObject({ waiting: 2 });
  release.resolve();
  await Promise.all([held, ...waiting]);
  expect(order).toEqual(["read", "another organisation", "write", "transaction"]);
  await shared.close();
});

test("one credential's lookups wait for each other, and not another's for them", async () => {
  const { directLoginOf: loginOf } = service.app.config.database;
  const connections = { organisation: 1, caller: 4, switch: 1, system: 1 };
  const shared = connect({ loginOf, connections, onError() {} });
  const busy = Buffer.from("busy");
  const slow = Array.from({ length: 6 }, () =>
    shared.authenticateFairly(busy, "select pg_sleep(1)::text", []),
  );
  const others = ["a", "b"].map((name) => shared.authenticateFairly(Buffer.from(name), "select 1", []));
  await Promise.all(others);
  expect(shared.pools().find(({ door }) => door === "caller")).toMatchObject({ waiting: 4 });
  await Promise.all(slow);
  await shared.close();
});

test("work that no request waits for can extend the time of its statements, on both ends", async () => {
  await db.forSystem("doctor", async (tx) => {
    await tx.extendTimeout(30_000);
    await tx.query("select pg_sleep(4)");
  });
  await expect(db.forSystem("doctor", (tx) => tx.query("select pg_sleep(2)"))).rejects.toThrow(
    "statement timeout",
  );
});

test("a connection that is lost is replaced", async () => {
  await service.database.admin(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'dialplane_organisation' and datname = current_database()",
  );
  await expect.poll(() => count(first).catch(() => 0)).toBe(3);
  expect(await count(second)).toBe(0);
});
