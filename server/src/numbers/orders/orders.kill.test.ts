import { afterAll, beforeAll, expect, test } from "vitest";
import type { App } from "../../app.ts";
import { examine } from "../../doctor.ts";
import { bearer } from "../../../testing/service.ts";
import { dyingApp, Killed, overtakenApp } from "../../../testing/interrupted-app.ts";
import { type OrderDesk, openOrderDesk } from "../../../testing/order-desk.ts";

let desk: OrderDesk;
beforeAll(async () => {
  desk = await openOrderDesk();
});
afterAll(() => desk[Symbol.asyncDispose]());

const SIP = { mode: "sip_uri", sip_uri: "sip:a@pbx.example.com" };
let lines = 0;

async function reserve(): Promise<string> {
  const { body } = await desk.service.send("POST", "/v1/numbers/reservations", {
    headers: bearer(desk.owner.token),
    body: { numbers: desk.stock(2) },
  });
  return body.id;
}

/** Each takes another way through the steps. */
const ORDERS: Record<string, { make(): Promise<object> | object; ends: string }> = {
  "by numbers": { make: () => ({ numbers: desk.stock(3) }), ends: "completed" },
  "with a routing": { make: () => ({ numbers: desk.stock(2), routing: SIP }), ends: "completed" },
  "of which one cannot be had": {
    make: () => ({ numbers: [...desk.stock(1), "+442071111111"] }),
    ends: "partially_completed",
  },
  "by criteria, one sold meanwhile": {
    make: () => {
      const prefix = `4419${++lines}`;
      desk.carrier.stock(`+${prefix}00001`, `+${prefix}00002`, `+${prefix}00003`);
      desk.carrier.script("order", "sold");
      return { criteria: { country: "GB", prefix }, quantity: 2 };
    },
    ends: "completed",
  },
  "from a reservation": {
    make: async () => ({ reservation_id: await reserve() }),
    ends: "completed",
  },
  "for all or nothing, which fails": {
    make: () => ({ numbers: [...desk.stock(2), "+442071111112"], all_or_nothing: true }),
    ends: "failed",
  },
  "that is pending for a while": {
    make: () => {
      desk.carrier.script("order", "pending");
      return { numbers: desk.stock(2) };
    },
    ends: "completed",
  },
};

test.each(Object.keys(ORDERS))(
  "RL-03 an order %s: the worker may die after any commit and any word to the carrier; each item is bought once at most, and the order ends",
  async (name) => {
    const { make, ends } = ORDERS[name]!;
    let deaths = 0;
    for (let point = 1; ; point++) {
      desk.carrier.behave();
      const { body: order } = await desk.post(await make());
      const dying = dyingApp(desk.service.app, point);
      await advanceUntilDead(order, dying.app);
      if (dying.isInterrupted()) deaths++;
      await desk.finish(order);

      const after = await desk.read(order.id);
      expect([point, after.status]).toEqual([point, ends]);
      await expectOnePurchaseEach(after);
      if (!dying.isInterrupted()) break;
    }
    expect(deaths).toBeGreaterThan(4);
  },
);

test.each(Object.keys(ORDERS))(
  "an order %s: rejects late writes of a worker that pauses anywhere while another continues",
  async (name) => {
    const { make, ends } = ORDERS[name]!;
    for (let point = 1; ; point++) {
      desk.carrier.behave();
      const { body: order } = await desk.post(await make());
      const late = overtakenApp(desk.service.app, point, () => desk.finish(order));
      await desk.advance(order, late.app);
      await desk.finish(order);

      const after = await desk.read(order.id);
      expect([point, after.status]).toEqual([point, ends]);
      await expectOnePurchaseEach(after);
      if (!late.isInterrupted()) break;
    }
  },
);

test("does not call the carrier after the lease has expired: the order may have ended", async () => {
  desk.carrier.behave();
  desk.carrier.script("order", "refused");
  const [number] = desk.stock(1);
  const { body: order } = await desk.post({ numbers: [number] });
  const afterIntent = 2;
  const late = overtakenApp(desk.service.app, afterIntent, () => desk.finish(order));
  await desk.advance(order, late.app);

  expect(await desk.read(order.id)).toMatchObject({ status: "failed" });
  expect(desk.carrier.ledger.filter(({ e164 }) => e164 === number)).toEqual([]);
});

test("nothing that was promised is broken after all these deaths", async () => {
  const broken = (await examine(desk.service.app.db)).filter(({ rows }) => rows.length > 0);
  expect(broken).toEqual([]);
});

async function advanceUntilDead(order: { id: string; job_id: string }, app: App): Promise<void> {
  for (let turn = 0; turn < 4; turn++) {
    try {
      await desk.advance(order, app);
    } catch (error) {
      if (error instanceof Killed) return;
      throw error;
    }
    if ((await desk.read(order.id)).finished_at !== null) return;
    desk.service.clock.advance(61_000);
  }
}

async function expectOnePurchaseEach(order: {
  id: string;
  items: { e164: string; status: string; number_id: string | null }[];
}): Promise<void> {
  const holdings = await desk.service.database.admin<{ id: string; e164: string }>(
    "select id, e164 from holdings where order_id = $1",
    [order.id],
  );
  const kept = order.items.filter(({ status }) => status === "succeeded");
  expect(holdings.map(({ id }) => id).toSorted()).toEqual(kept.map(({ number_id }) => number_id).toSorted());
  const references = await desk.service.database.admin<{ reference: string }>(
    "select reference from order_items where order_id = $1",
    [order.id],
  );
  const ours = new Set(references.map(({ reference }) => reference));
  for (const { e164, status } of order.items) {
    const sold = desk.carrier.ledger.filter((one) => one.e164 === e164 && ours.has(one.reference));
    expect(sold.length).toBeLessThanOrEqual(1);
    expect(sold.filter(({ returnedBy }) => returnedBy === null)).toHaveLength(status === "succeeded" ? 1 : 0);
  }
}
