import { randomInt, randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { type SeededNumber, seedNumbers } from "../../seed.ts";
import { startServer } from "../../start.ts";
import type { Sent } from "../../../testing/send.ts";
import { startProcess } from "../../../testing/server-process.ts";
import { bearer, type Service, startService, until } from "../../../testing/service.ts";
import { advanceBulkChange } from "./bulk-changes.apply.ts";
import { sweepBulkChangesJob } from "./bulk-changes.jobs.ts";
import { isLong } from "../../../testing/test-size.ts";

const PATH = "/v1/numbers/bulk";
const BULK = "sip:bulk@pbx.example.com";

interface Begun {
  id: string;
  token: string;
  numbers: SeededNumber[];
}

/** A plan for all numbers of a new organisation. */
async function planFor(service: Service, count: number): Promise<Begun> {
  const organisation = await service.organisation();
  const { token } = await service.person({ [organisation]: "owner" });
  const numbers = await seedNumbers(service.app, organisation, "live", count);
  const { body } = await service.send("POST", PATH, {
    headers: bearer(token),
    body: { select: { filter: {} }, change: { routing: { mode: "sip_uri", sip_uri: BULK } } },
  });
  expect(body.progress.total).toBe(count);
  return { id: body.id, token, numbers };
}

async function apply(service: Service, { id, token }: Pick<Begun, "id" | "token">): Promise<void> {
  expect((await service.send("POST", `${PATH}/${id}/apply`, { headers: bearer(token) })).status).toBe(202);
}

interface Progress {
  status: string;
  done: number;
}

async function progressOf({ database }: Service, { id }: Begun): Promise<Progress> {
  const [row] = await database.admin<Progress>(
    "select status, set_count + unchanged_count + stale_count + failed_count as done from bulk_changes where id = $1",
    [id],
  );
  return row!;
}

const isFinished = (service: Service, begun: Begun): Promise<unknown> =>
  until(async () => (await progressOf(service, begun)).status === "finished", 120_000);

/** How many deadlocks the database has had to break. */
async function deadlocksIn({ database }: Service): Promise<number> {
  const [row] = await database.admin<{ deadlocks: number }>(
    "select deadlocks::int from pg_stat_database where datname = current_database()",
  );
  return row!.deadlocks;
}

const [MANY, SOME] = isLong ? [5_000, 3_000] : [1_000, 1_000];

test(
  "completes every item of a plan with two workers and eight concurrent users, without deadlocks or lost changes",
  { timeout: 180_000 },
  async () => {
    await using service = await startService();
    const begun = await planFor(service, MANY);
    const written: { number: string; uri: string }[] = [];
    let hasEnded = false;
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      for (let at = 0; !hasEnded; at++) {
        const number = begun.numbers[randomInt(begun.numbers.length)]!.id;
        const uri = `sip:w${writer}-${at}@pbx.example.com`;
        const answer = await service.send("PUT", `/v1/numbers/${number}/routing`, {
          headers: { ...bearer(begun.token), "idempotency-key": randomUUID() },
          body: { mode: "sip_uri", sip_uri: uri },
        });
        if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
        written.push({ number, uri });
      }
    });
    await until(() => written.length > 40);

    await apply(service, begun);
    const writtenBefore = written.length;
    const workers = await Promise.all(
      [1, 2].map(() => startServer(service.app.config, "worker", { clock: service.clock })),
    );
    await isFinished(service, begun);
    hasEnded = true;
    await Promise.all(writers);
    await Promise.all(workers.map((worker) => worker.stop()));

    expect(written.length).toBeGreaterThan(writtenBefore);
    expect(await deadlocksIn(service)).toBe(0);
    await expectEveryItemEnded(service, begun);
    await expectNothingLost(service, written);
    await expectOneShardEach(service);
  },
);

test("continues after a killed worker and an emptied queue, and sets no number twice", async () => {
  await using service = await startService();
  const begun = await planFor(service, SOME);
  await apply(service, begun);
  {
    await using worker = await startProcess({ databaseUrl: service.database.url, role: "worker" });
    await until(async () => (await progressOf(service, begun)).done > 100);
    await worker.kill();
  }
  const { done } = await progressOf(service, begun);
  await service.database.admin("delete from pgboss.job where name = 'bulk-changes.apply'");

  const second = await startServer(service.app.config, "worker", { clock: service.clock });
  await sweepBulkChangesJob.run(service.app);
  expect(await queued(service)).toBe(0);
  service.clock.advance(61_000);
  await sweepBulkChangesJob.run(service.app);
  await isFinished(service, begun);
  await second.stop();

  expect(done).toBeLessThan(SOME);
  await expectEveryItemEnded(service, begun);
  const twice =
    "select subject from events where type = 'routing.changed' group by subject having count(*) <> 1";
  expect(await service.database.admin(twice)).toEqual([]);
  const generations = await service.database.admin(
    "select generation::int, count(*)::int from routings where environment = 'live' group by 1",
  );
  expect(generations).toEqual([{ generation: 2, count: SOME }]);
});

test("waits for a change of a connection that it uses first, without a deadlock", async () => {
  await using service = await startService();
  const organisation = await service.organisation();
  const { token } = await service.person({ [organisation]: "owner" });
  const [number] = await seedNumbers(service.app, organisation, "live", 1);
  const send = (method: string, path: string, body?: object): Promise<Sent> =>
    service.send(method, path, { headers: bearer(token), body });
  const targets = [{ host: "pbx.example.com" }];
  const { body: connection } = await send("POST", "/v1/connections", { name: "New", targets });
  const { body: plan } = await send("POST", PATH, {
    select: { ids: [number!.id] },
    change: { routing: { mode: "connection", connection_id: connection.id } },
  });
  await apply(service, { id: plan.id, token });

  const scope = { organisationId: organisation, environment: "live" } as const;
  const racing = await service.app.db.forOrganisation(scope, async (tx) => {
    // Stops the bulk change at the last of its locks, so that the other one comes in between.
    await tx.query(
      "select from feed_shards where id = (select shard from routings where holding_id = $1) for no key update",
      [number!.id],
    );
    const advanced = advanceBulkChange(service.app, plan.id, 60_000);
    await until(async () => (await waitingIn(service)) === 1);
    const changed = send("PATCH", `/v1/connections/${connection.id}`, { ring_seconds: 20 });
    await until(async () => (await waitingIn(service)) === 2);
    return [advanced, changed] as const;
  });

  expect(await Promise.all(racing)).toMatchObject(["done", { status: 200 }]);
  expect(await deadlocksIn(service)).toBe(0);
  expect((await send("GET", `${PATH}/${plan.id}`)).body.progress).toMatchObject({ set: 1, total: 1 });
});

/** Number of backends that wait for a lock. */
async function waitingIn({ database }: Service): Promise<number> {
  const [row] = await database.admin<{ count: number }>(
    "select count(*)::int from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  return row!.count;
}

async function queued({ database }: Service): Promise<number> {
  return (await database.admin("select 1 from pgboss.job where name = 'bulk-changes.apply'")).length;
}

async function expectEveryItemEnded(service: Service, { id, numbers }: Begun): Promise<void> {
  const [counted] = await service.database.admin<Record<string, number>>(
    `select count(*) filter (where outcome = 'planned')::int as planned, count(*)::int as total,
       count(*) filter (where outcome = 'set')::int as set, count(*) filter (where outcome = 'stale')::int as stale
     from bulk_change_items where bulk_change_id = $1`,
    [id],
  );
  const [kept] = await service.database.admin<Record<string, number>>(
    "select total, set_count as set, stale_count as stale, unchanged_count + failed_count as other from bulk_changes where id = $1",
    [id],
  );
  expect(counted).toMatchObject({ planned: 0, total: numbers.length });
  expect(kept).toEqual({
    total: counted!["total"],
    set: counted!["set"],
    stale: counted!["stale"],
    other: 0,
  });
  // A `set` item has exactly one revision, right after the planned generation. A `stale` item has none.
  const wrong = await service.database.admin(
    `select i.number_id, i.outcome, array_agg(r.generation) from bulk_change_items i
     left join routing_revisions r on r.holding_id = i.number_id and r.desired ->> 'sip_uri' = $2
     where i.bulk_change_id = $1 group by i.number_id, i.outcome, i.from_generation
     having array_agg(r.generation) <> case i.outcome when 'set' then array[i.from_generation + 1] else array[null::bigint] end`,
    [id, BULK],
  );
  expect(wrong).toEqual([]);
}

async function expectNothingLost(
  { database }: Service,
  written: { number: string; uri: string }[],
): Promise<void> {
  const missing = await database.admin(
    `select w.* from jsonb_to_recordset($1) w(number uuid, uri text)
     where (select count(*) from routing_revisions r where r.holding_id = w.number and r.desired ->> 'sip_uri' = w.uri) <> 1`,
    [JSON.stringify(written)],
  );
  expect(missing).toEqual([]);
  const torn = await database.admin(
    `select r.holding_id from routings r join routing_revisions v on v.holding_id = r.holding_id
     group by r.holding_id, r.generation, r.sip_uri
     having max(v.generation) <> r.generation or count(*) <> r.generation
       or (array_agg(v.desired ->> 'sip_uri' order by v.generation desc))[1] is distinct from r.sip_uri`,
  );
  expect(torn).toEqual([]);
  const stale = await database.admin(
    "select 1 from bulk_change_items i join routing_revisions r on r.holding_id = i.number_id and r.generation = 2 where i.outcome = 'stale'",
  );
  expect(stale.length).toBeGreaterThan(0);
}

/** The transaction that wrote a version is known by its xmin; the first generation was written by the seed. */
async function expectOneShardEach({ database }: Service): Promise<void> {
  const written = await database.admin<{ items: number; shards: number }>(
    `select count(*)::int as items, count(distinct shard)::int as shards from feed_items
     where generation > 1 group by xmin::text`,
  );
  expect(Math.max(...written.map(({ shards }) => shards))).toBe(1);
  const largest = Math.max(...written.map(({ items }) => items));
  expect(largest).toBeGreaterThan(5);
  expect(largest).toBeLessThanOrEqual(200);
}
