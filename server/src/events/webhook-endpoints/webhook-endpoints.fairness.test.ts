import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newId } from "../../platform/ids.ts";
import { startService, until } from "../../../testing/service.ts";
import { buffersOf, visitsOf } from "../../../testing/visits.ts";
import { HAPPENED, openWebhookDesk, type WebhookDesk } from "./testing/webhook-desk.ts";
import { receiveWebhooks } from "../../../testing/webhook-receiver.ts";
import { makeOutDeliveries, takeDeliveries } from "./webhook-endpoints.deliveries.store.ts";

describe("receivers that never accept", () => {
  let desk: WebhookDesk;
  beforeAll(async () => void (desk = await openWebhookDesk()));
  afterAll(() => desk[Symbol.asyncDispose]());

  /** Once another endpoint gets a new event, everything that was due before has been considered. */
  async function othersHear(): Promise<void> {
    await using other = await receiveWebhooks();
    const home = await desk.home();
    await desk.listen(home, other);
    await desk.happen(home);
    await until(() => other.received.length > 0, 5_000);
  }

  test("take at most a quarter of the slots per organisation, so that others are delivered at once", async () => {
    const home = await desk.home();
    await using stack = new AsyncDisposableStack();
    const receivers = await Promise.all(Array.from({ length: 10 }, () => receiveWebhooks()));
    for (const receiver of receivers) {
      stack.use(receiver);
      receiver.answer = () => "hang";
      await desk.listen(home, receiver);
    }
    await desk.happen(home, 20);
    const open = () => receivers.reduce((sum, receiver) => sum + receiver.open, 0);
    await until(() => open() >= 16);

    await othersHear();
    expect(open()).toBe(16);
  });

  test("of four organisations take three quarters of the slots, so that others are delivered at once", async () => {
    await using stack = new AsyncDisposableStack();
    const receivers = await Promise.all(Array.from({ length: 8 }, () => receiveWebhooks()));
    for (const receiver of receivers) {
      stack.use(receiver);
      receiver.answer = () => "hang";
    }
    const open = () => receivers.reduce((sum, receiver) => sum + receiver.open, 0);
    for (let at = 0; at < 4; at++) {
      const home = await desk.home();
      for (const receiver of receivers.slice(2 * at, 2 * at + 2)) await desk.listen(home, receiver);
      await desk.happen(home, 8);
    }
    await until(() => open() >= 32);

    await othersHear();
    // If three of them were first, the fourth has one of the other places.
    expect(open()).toBeLessThanOrEqual(48 + 1);
  });

  test("that reject at once get few attempts, however many deliveries are due", async () => {
    await using receiver = await receiveWebhooks();
    receiver.answer = () => 500;
    const home = await desk.home();
    await desk.listen(home, receiver);
    const beganAt = performance.now();
    await desk.happen(home, 200);

    // The first attempts follow each other at once: a receiver that fails now and then is not slowed.
    await until(() => receiver.received.length >= 24);
    expect(performance.now() - beganAt).toBeGreaterThan(5 * 250);
    await othersHear();
  });

  test("get no more than eight concurrent deliveries, including those in progress", async () => {
    await using receiver = await receiveWebhooks();
    receiver.answer = () => "hang";
    const home = await desk.home();
    await desk.listen(home, receiver);
    await desk.happen(home, 7);
    await until(() => receiver.open === 7);
    await desk.happen(home, 8);
    await until(() => receiver.open === 8);

    await othersHear();
    expect(receiver.mostOpen).toBe(8);
  });

  test("get one at a time once they have failed", async () => {
    await using receiver = await receiveWebhooks();
    receiver.answer = (_, count) => (count === 1 ? 500 : "hang");
    const home = await desk.home();
    const id = await desk.listen(home, receiver);
    await desk.happen(home);
    await until(async () => (await desk.endpoint(home, id)).failing_since !== null);
    await desk.happen(home, 5);
    await until(() => receiver.open > 0);

    await othersHear();
    expect(receiver.mostOpen).toBe(1);
  });
});

describe("however much has piled up", () => {
  let desk: WebhookDesk;
  beforeAll(async () => void (desk = await openWebhookDesk()));
  afterAll(() => desk[Symbol.asyncDispose]());

  /** Due by the clock of the test alone, so the worker does not send them. */
  const [LONG_DUE, DUE, NOW, LATER] = ["2098", "2099-01", "2099-06", "2100"].map(
    (year) => new Date(year),
  ) as [Date, Date, Date, Date];

  async function pileUp(
    endpointId: string,
    organisationId: string,
    count: number,
    from: Date,
  ): Promise<void> {
    await desk.service.database.admin(
      `insert into webhook_deliveries (id, organisation_id, environment, endpoint_id, sequence, event_id, event_type, next_attempt_at, created_at)
       select gen_random_uuid(), $2, 'live', $1, 1000000 + n, gen_random_uuid(), $4, $5::timestamptz + n * interval '1 second', now()
       from generate_series(1, $3) n`,
      [endpointId, organisationId, count, HAPPENED, from],
    );
  }

  test("what is due is found among few rows", async () => {
    const { app, database } = desk.service;
    await using receiver = await receiveWebhooks();
    const [busy, off, waiting, home] = [
      await desk.home(),
      await desk.home(),
      await desk.home(),
      await desk.home(),
    ];
    const [busyId, offId, waitingId] = [newId(), newId(), newId()];
    for (const [id, { organisationId }, status] of [
      [busyId, busy, "active"],
      [offId, off, "disabled"],
      [waitingId, waiting, "active"],
    ] as const)
      await database.admin(
        `insert into webhook_endpoints (id, organisation_id, environment, url, status, position, created_at)
         values ($1, $2, 'live', 'https://hooks.example.com/', $3, 9000000000, now())`,
        [id, organisationId, status],
      );
    const id = await desk.listen(home, receiver);
    await desk.happen(home, 3);
    await until(async () => (await desk.deliveries(home, id, "?status=delivered")).length === 3);
    await pileUp(offId, off.organisationId, 30_000, LONG_DUE);
    await pileUp(busyId, busy.organisationId, 20_000, LONG_DUE);
    await pileUp(waitingId, waiting.organisationId, 10_000, LATER);
    await database.admin("update webhook_endpoints set failing_since = now() where id = $1", [busyId]);
    await database.admin("vacuum (analyze) webhook_deliveries");
    await database.admin(
      "update webhook_deliveries set status = 'pending', next_attempt_at = $2 where endpoint_id = $1",
      [id, DUE],
    );

    for (const plan of ["force_custom_plan", "force_generic_plan"]) {
      const { visited, due } = await app.db.forSystem("webhooks", async (tx) => {
        await tx.query("select set_config('plan_cache_mode', $1, true)", [plan]);
        let due: { endpoint_id: string }[] = [];
        const visited = await visitsOf(
          (sql) => tx.query(sql),
          async () =>
            (due = await takeDeliveries(
              tx,
              { now: NOW, until: LATER },
              {
                limits: { all: 64, ofOrganisation: 16, ofEndpoint: 8 },
                underWay: [{ endpoint_id: busyId, organisation_id: busy.organisationId }],
                resting: [],
                isReserve: false,
              },
            )),
        );
        return { visited, due };
      });
      expect(due.map((one) => one.endpoint_id)).toEqual(plan === "force_custom_plan" ? [id, id, id] : []);
      expect([plan, visited, visited < 200]).toEqual([plan, visited, true]);
    }
  }, 120_000);

  test("a look costs at most 200 buffers with 20,000 endpoints that wait and nothing due", async () => {
    await using service = await startService();
    const { app, database } = service;
    await database.admin(
      `with o as (insert into organisations (id, name, created_at) select gen_random_uuid(), 'Example', now() from generate_series(1, 400) returning id),
         h as (insert into event_heads (organisation_id, head) select id, 7 from o returning organisation_id)
       insert into webhook_endpoints (id, organisation_id, environment, url, position, created_at)
         select gen_random_uuid(), h.organisation_id, 'live', 'https://hooks.example.com/', 7, now() from h, generate_series(1, 50)`,
    );
    await database.admin(
      `insert into webhook_deliveries (id, organisation_id, environment, endpoint_id, sequence, event_id, event_type, next_attempt_at, created_at)
       select gen_random_uuid(), organisation_id, environment, id, 1, gen_random_uuid(), $1, $2, now() from webhook_endpoints`,
      [HAPPENED, LATER],
    );
    await unmarkEveryone(app);
    await database.admin("vacuum (analyze) webhook_deliveries, webhook_endpoints, event_heads");

    const buffers = await app.db.forSystem("webhooks", (tx) =>
      buffersOf(
        (sql) => tx.query(sql),
        async () => {
          expect(await makeOutDeliveries(tx, 5_000, NOW)).toBe(0);
          expect(
            await takeDeliveries(
              tx,
              { now: NOW, until: LATER },
              { ...NO_ONE, resting: [], isReserve: false },
            ),
          ).toEqual([]);
          await tx.query("select unmark_caught_up()");
        },
      ),
    );
    expect(buffers).toBeLessThanOrEqual(200);
  }, 120_000);

  const NO_ONE = { limits: { all: 64, ofOrganisation: 16, ofEndpoint: 8 }, underWay: [] };

  async function unmarkEveryone({ db }: WebhookDesk["service"]["app"]): Promise<void> {
    for (let isMore = true; isMore;) {
      const [row] = await db.forSystem.write<{ count: number }>(
        "webhooks",
        "select unmark_caught_up() as count",
      );
      isMore = row!.count > 0;
    }
  }

  test("creates a bounded number of deliveries per scan, for every organisation", async () => {
    const { app, database } = desk.service;
    const home = await desk.home();
    await using receiver = await receiveWebhooks();
    const ids: string[] = [];
    // Inserted one at a time, they would be delivered before there are many.
    await database.admin("update webhook_endpoints set status = 'disabled'");
    for (let n = 0; n < 20; n++) {
      const id = await desk.listen(home, receiver);
      ids.push(id);
      await home.call("PATCH", `/v1/webhook-endpoints/${id}`, { status: "disabled" });
    }
    for (let n = 0; n < 5; n++) await desk.happen(home, 100);
    const counts = await app.db.forSystem("webhooks", async (tx) => {
      await tx.query("update webhook_endpoints set status = 'active' where id = any($1::uuid[])", [ids]);
      await makeOutDeliveries(tx, 1_000, app.clock.now());
      return tx.query<{ count: number }>(
        "select count(*)::integer as count from webhook_deliveries where endpoint_id = any($1::uuid[]) group by endpoint_id",
        [ids],
      );
    });
    expect(counts).toHaveLength(20);
    expect(counts.reduce((sum, { count }) => sum + count, 0)).toBeLessThanOrEqual(1_000);
  });
});
