import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newId } from "../../platform/ids.ts";
import { until } from "../../testing/service.ts";
import { visitsOf } from "../../testing/visits.ts";
import { HAPPENED, openWebhookDesk, type WebhookDesk } from "../../testing/webhook-desk.ts";
import { receiveWebhooks } from "../../testing/webhook-receiver.ts";
import { makeOutDeliveries, takeDeliveries } from "./webhook-endpoints.deliveries.store.ts";

describe("receivers that never answer", () => {
  let desk: WebhookDesk;
  beforeAll(async () => void (desk = await openWebhookDesk()));
  afterAll(() => desk[Symbol.asyncDispose]());

  /** Whoever hears of something new: whatever was due before has been looked at since. */
  async function othersHear(): Promise<void> {
    await using other = await receiveWebhooks();
    const home = await desk.home();
    await desk.listen(home, other);
    await desk.happen(home);
    await until(() => other.received.length > 0, 5_000);
  }

  test("take a quarter of the places with all of an organisation's endpoints, and others hear at once", async () => {
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

  test("get no more than eight at a time, also while some are under way", async () => {
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

  /** Due by the clock of the test alone: nobody sends them meanwhile. */
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
              },
            )),
        );
        return { visited, due };
      });
      expect(due.map((one) => one.endpoint_id)).toEqual(plan === "force_custom_plan" ? [id, id, id] : []);
      expect([plan, visited, visited < 200]).toEqual([plan, visited, true]);
    }
  }, 120_000);

  test("a look at the log makes out a bounded number, and looks at everybody's", async () => {
    const { app, database } = desk.service;
    const home = await desk.home();
    await using receiver = await receiveWebhooks();
    const ids: string[] = [];
    // One by one they would be made out before there are many.
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
