import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newId } from "../../platform/ids.ts";
import { seedNumbers } from "../../seed.ts";
import { type OrderDesk, openOrderDesk } from "../../../testing/order-desk.ts";
import { onlyCarrier, type ScriptedCarrier, scriptedCarrier } from "../../../testing/scripted-carrier.ts";
import { bearer, type Person, type Service } from "../../../testing/service.ts";
import { holdNumber } from "../../../testing/stock.ts";

const NO_EVIDENCE = { requirements: [], action_required_until: null };

const NOT_AVAILABLE = { code: "number_not_available", detail: "The number is not available." };

let desk: OrderDesk;
let service: Service;
let carrier: ScriptedCarrier;
let owner: Person;
beforeAll(async () => {
  desk = await openOrderDesk();
  ({ service, carrier, owner } = desk);
});
afterAll(() => desk[Symbol.asyncDispose]());
beforeEach(() => carrier.behave());

const stock = (count: number): string[] => desk.stock(count);
const post: OrderDesk["post"] = (...request) => desk.post(...request);
const ordered: OrderDesk["ordered"] = (body) => desk.ordered(body);
const later: OrderDesk["later"] = (order) => desk.later(order);
const jobOf: OrderDesk["job"] = (order) => desk.job(order);
const statuses = (order: { items: { status: string }[] }): string[] =>
  order.items.map(({ status }) => status);
const soldTo = (e164: string): number =>
  carrier.ledger.filter((one) => one.e164 === e164 && one.returnedBy === null).length;

describe("an order", () => {
  test("by numbers becomes holdings with its label and tags, and says so", async () => {
    const numbers = stock(2);
    const order = await ordered({ numbers, label: "Front desk", tags: ["berlin"] });

    expect(order).toMatchObject({
      status: "completed",
      finished_at: expect.any(String),
      items: numbers.map((e164) => ({ e164, status: "succeeded", error: null })),
    });
    expect(await jobOf(order)).toMatchObject({
      status: "succeeded",
      progress: { total: 2, succeeded: 2, failed: 0 },
      error: null,
    });
    for (const { number_id, e164 } of order.items) {
      const { body } = await service.send("GET", `/v1/numbers/${number_id}`, {
        headers: bearer(owner.token),
      });
      expect(body).toMatchObject({
        e164,
        status: "active",
        source: "order",
        order_id: order.id,
        label: "Front desk",
        tags: ["berlin"],
        country: "GB",
        routing: { mode: "unrouted", generation: 1 },
      });
    }
    const events = await service.database.admin("select type, data from events where subject = $1", [
      order.id,
    ]);
    expect(events).toEqual([
      { type: "order.created", data: { job_id: order.job_id, quantity: 2 } },
      { type: "order.completed", data: { status: "completed", succeeded: 2, failed: 0 } },
    ]);
    const [holding] = await service.database.admin(
      "select carrier from holdings where order_id = $1 limit 1",
      [order.id],
    );
    expect(holding).toEqual({ carrier: "scripted" });
  });

  test("sets its routing as the user who ordered, and keeps the number if that fails", async () => {
    const [own, other] = stock(2) as [string, string];
    const order = await ordered({
      numbers: [own, other],
      routing: { mode: "forward", forward_to: own, reason: "New desk" },
    });

    expect(order.status).toBe("completed");
    expect(order.items).toMatchObject([
      { e164: own, status: "succeeded", error: { code: "forward_loop" } },
      { e164: other, status: "succeeded", error: null },
    ]);
    const { body } = await service.send("GET", `/v1/numbers/${order.items[1].number_id}/routing`, {
      headers: bearer(owner.token),
    });
    expect(body.desired).toMatchObject({
      mode: "forward",
      forward_to: own,
      generation: 2,
      reason: "New desk",
      set_by: { kind: "session", id: owner.userId },
    });
  });

  test("shows a plain member why a number failed, but not errors of its routing", async () => {
    const [own] = stock(1) as [string];
    const notForSale = "+442079999999";
    const order = await ordered({
      numbers: [own, notForSale],
      routing: { mode: "forward", forward_to: own },
    });
    const member = await service.person({ [desk.organisation]: "member" });

    expect(order.items).toMatchObject([{ error: { code: "forward_loop" } }, { error: NOT_AVAILABLE }]);
    expect((await desk.read(order.id, member)).items).toMatchObject([
      { e164: own, status: "succeeded", error: null },
      { e164: notForSale, status: "failed", error: NOT_AVAILABLE },
    ]);
  });

  test("by criteria chooses matching numbers, and replaces one that is sold concurrently", async () => {
    const fitting = ["+441910000001", "+441910000002", "+441910000003"];
    carrier.stock(...fitting);
    carrier.script("order", "sold");
    const criteria = { country: "GB", prefix: "44191" };
    const order = await ordered({ criteria, quantity: 2 });

    expect(order).toMatchObject({ status: "completed", criteria, quantity: 2 });
    const had = order.items.map(({ e164 }: { e164: string }) => e164);
    expect(new Set(had).size).toBe(2);
    expect(fitting).toEqual(expect.arrayContaining(had));
    expect(await ordered({ criteria, quantity: 1 })).toMatchObject({
      status: "failed",
      items: [{ e164: null, status: "failed", error: { code: "number_not_available" } }],
    });
  });

  test("by criteria fails after five numbers that were sold concurrently", async () => {
    carrier.stock(...Array.from({ length: 9 }, (_, at) => `+44192000000${at}`));
    carrier.script("order", "sold", "sold", "sold", "sold", "sold");
    const order = await ordered({ criteria: { country: "GB", prefix: "44192" }, quantity: 1 });

    expect(order).toMatchObject({ status: "failed", items: [{ error: { code: "number_not_available" } }] });
  });

  test("from a reservation takes its numbers over, once", async () => {
    const numbers = stock(2);
    const reserved = await service.send("POST", "/v1/numbers/reservations", {
      headers: bearer(owner.token),
      body: { numbers },
    });
    const order = await ordered({ reservation_id: reserved.body.id.toUpperCase() });

    expect(order).toMatchObject({ status: "completed", reservation_id: reserved.body.id });
    expect(statuses(order)).toEqual(["succeeded", "succeeded"]);
    const { body } = await service.send("GET", `/v1/numbers/reservations/${reserved.body.id}`, {
      headers: bearer(owner.token),
    });
    expect(body.status).toBe("ordered");
    expect(await post({ reservation_id: reserved.body.id })).toMatchObject({
      status: 409,
      body: { code: "reservation_not_active" },
    });
  });

  test("rejects an expired, foreign and unknown reservation with the same error", async () => {
    const reserve = async ({ token }: Person) =>
      (
        await service.send("POST", "/v1/numbers/reservations", {
          headers: bearer(token),
          body: { numbers: stock(1) },
        })
      ).body.id;
    const stranger = await service.person({ [await service.organisation()]: "owner" });
    const [expired, foreign] = [await reserve(owner), await reserve(stranger)];
    await service.database.admin(
      "update reservations set expires_at = now() - interval '1 day' where id = $1",
      [expired],
    );
    const answers = [];
    for (const id of [expired, foreign, newId()]) answers.push((await post({ reservation_id: id })).body);

    expect(new Set(answers.map(({ code, detail }) => `${code} ${detail}`)).size).toBe(1);
    expect(answers[0]).toMatchObject({ status: 409, code: "reservation_not_active" });
  });

  test("whose number is held, rests, is reserved, is being bought or never was fails with one and the same text", async () => {
    const stranger = await service.organisation();
    const [held, resting] = [
      await holdNumber(service.app, stranger, "live"),
      await holdNumber(service.app, stranger, "live"),
    ];
    await service.database.admin("update holdings set status = 'quarantined' where id = $1", [resting.id]);
    const [reserved, underWay] = stock(2) as [string, string];
    await carrier.inventory.reserve(
      { organisationId: stranger, environment: "live" },
      { reference: newId(), e164s: [reserved], until: new Date() },
    );
    carrier.script("order", "lost");
    await ordered({ numbers: [underWay] });
    carrier.stock(held.e164, resting.e164);

    const numbers = [held.e164, resting.e164, reserved, underWay, "+442071111111"];
    const order = await ordered({ numbers });

    expect(order.status).toBe("failed");
    expect(order.items).toEqual(
      numbers.map((e164) => ({
        ...NO_EVIDENCE,
        e164,
        status: "failed",
        number_id: null,
        error: NOT_AVAILABLE,
      })),
    );
    expect(carrier.calls.filter(({ call }) => call === "release")).toEqual([]);
    expect(await jobOf(order)).toMatchObject({ status: "failed", error: { code: "number_not_available" } });
  });

  test("ends partially completed if some numbers are available", async () => {
    const [one] = stock(1) as [string];
    const order = await ordered({ numbers: [one, "+442071111112"] });

    expect(order).toMatchObject({ status: "partially_completed" });
    expect(statuses(order)).toEqual(["succeeded", "failed"]);
    expect(await jobOf(order)).toMatchObject({
      status: "partially_succeeded",
      progress: { total: 2, succeeded: 1, failed: 1 },
      error: { code: "number_not_available", status: 409 },
    });
  });

  test("for all or nothing returns bought numbers if one is not available", async () => {
    const [one, two] = stock(2) as [string, string];
    const numbers = [one, "+442071111113", two];
    const order = await ordered({ numbers, all_or_nothing: true });

    expect(order.status).toBe("failed");
    expect(order.items).toMatchObject([
      { status: "failed", error: { code: "order_incomplete" } },
      { status: "failed", error: NOT_AVAILABLE },
      { status: "failed", error: { code: "order_incomplete" } },
    ]);
    expect([soldTo(one), soldTo(two)]).toEqual([0, 0]);
    expect(carrier.ledger.filter(({ e164 }) => e164 === one)).toHaveLength(1);
    expect(await jobOf(order)).toMatchObject({ status: "failed", error: { code: "order_incomplete" } });
    const whole = await ordered({ numbers: [one, two], all_or_nothing: true });
    expect(statuses(whole)).toEqual(["succeeded", "succeeded"]);
  });

  test("for all or nothing does not ask the carrier where a number is known to be taken", async () => {
    const { e164 } = await holdNumber(service.app, desk.organisation, "live");
    const [one] = stock(1) as [string];
    const order = await ordered({ numbers: [one, e164], all_or_nothing: true });

    expect(order.items).toMatchObject([{ error: { code: "order_incomplete" } }, { error: NOT_AVAILABLE }]);
    expect(carrier.ledger.filter((sold) => sold.e164 === one)).toEqual([]);
  });

  test("returns a number that another organisation holds by the time it is bought", async () => {
    const [one, two] = stock(2) as [string, string];
    for (const [body, other] of [
      [{ numbers: [one] }, undefined],
      [{ numbers: [one, two], all_or_nothing: true }, two],
    ] as const) {
      carrier.script("order", "lost");
      const order = await ordered(body);
      const stranger = await service.organisation();
      const [holding] = await seedNumbers(service.app, stranger, "live", [one]);
      const after = await later(order);

      expect(after).toMatchObject({
        status: "failed",
        items: [
          { status: "failed", error: NOT_AVAILABLE },
          ...(other ? [{ error: { code: "order_incomplete" } }] : []),
        ],
      });
      expect(soldTo(one)).toBe(0);
      await service.database.admin(
        "update holdings set status = 'released', released_at = now() where id = $1",
        [holding!.id],
      );
    }
    expect(soldTo(two)).toBe(0);
  });
});

describe("a carrier that", () => {
  test.each(["lost", "failed"] as const)(
    "bought without a response (%s) is queried, with an unknown outcome until then",
    async (manner) => {
      const [one] = stock(1) as [string];
      carrier.script("order", manner);
      carrier.script("orderStatus", "unheard", "not_sent", "refused");
      const order = await ordered({ numbers: [one] });

      expect(order).toMatchObject({
        status: "processing",
        items: [{ status: "outcome_unknown", number_id: null }],
      });
      expect(await jobOf(order)).toMatchObject({ status: "waiting", reason: "carrier_unknown" });
      expect(statuses(await later(order))).toEqual(["outcome_unknown"]);
      await later(order);
      expect(await jobOf(order)).toMatchObject({ status: "waiting", reason: "carrier_unreachable" });
      await later(order);
      expect(await later(order)).toMatchObject({ status: "completed", items: [{ status: "succeeded" }] });
      expect(carrier.ledger.filter(({ e164 }) => e164 === one)).toHaveLength(1);
    },
  );

  test("does not know the order gets it again under the same reference", async () => {
    const [one] = stock(1) as [string];
    const before = carrier.calls.length;
    carrier.script("order", "unheard");
    const order = await ordered({ numbers: [one] });

    expect(await later(order)).toMatchObject({ status: "completed" });
    const calls = carrier.calls.slice(before);
    expect(calls.map(({ call }) => call)).toEqual(["order", "orderStatus", "order"]);
    expect(new Set(calls.map(({ reference }) => reference)).size).toBe(1);
  });

  test("names only some of the numbers gets the others again under the same reference", async () => {
    const [one, two] = stock(2) as [string, string];
    carrier.script("order", "lost");
    carrier.script("orderStatus", "partial");
    const before = carrier.calls.length;
    const order = await ordered({ numbers: [one, two] });

    expect(await later(order)).toMatchObject({ status: "completed" });
    const calls = carrier.calls.slice(before);
    expect(calls.map(({ call }) => call)).toEqual(["order", "orderStatus", "order"]);
    expect(new Set(calls.map(({ reference }) => reference)).size).toBe(1);
    expect([soldTo(one), soldTo(two)]).toEqual([1, 1]);
  });

  test("names only some of the numbers and rejects the repetition leaves the outcome unknown", async () => {
    const [one, two] = stock(2) as [string, string];
    carrier.script("order", "lost", "refused");
    carrier.script("orderStatus", "partial");
    const order = await ordered({ numbers: [one, two] });

    expect(statuses(await later(order))).toEqual(["succeeded", "outcome_unknown"]);
    expect(await later(order)).toMatchObject({ status: "completed" });
    expect([soldTo(one), soldTo(two)]).toEqual([1, 1]);
  });

  test("does not sell what is wanted ends the order", async () => {
    carrier.script("search", "refused");
    const order = await ordered({ criteria: { country: "GB", prefix: "44207" }, quantity: 1 });

    expect(order).toMatchObject({ status: "failed", items: [{ error: { code: "number_not_available" } }] });
  });

  test("repeatedly rejects a return keeps the number, and the order ends", async () => {
    const [one] = stock(1) as [string];
    carrier.script("release", ...Array.from({ length: 12 }, () => "refused" as const));
    const order = await ordered({ numbers: [one, "+442071111114"], all_or_nothing: true });
    for (let tries = 1; tries < 11; tries++) await later(order);
    expect(await jobOf(order)).toMatchObject({ status: "waiting", reason: "carrier_refused" });

    expect(await later(order)).toMatchObject({
      status: "failed",
      items: [{ status: "failed", number_id: null, error: { code: "order_incomplete" } }, {}],
    });
    expect(await jobOf(order)).toMatchObject({ status: "failed", error: { code: "order_incomplete" } });
    expect(soldTo(one)).toBe(1);
    carrier.behave();
  });

  test("takes its time is waited for", async () => {
    const [one] = stock(1) as [string];
    carrier.script("order", "pending");
    const order = await ordered({ numbers: [one] });

    expect(statuses(order)).toEqual(["submitted"]);
    expect(await jobOf(order)).toMatchObject({ status: "waiting", reason: "carrier_pending" });
    await later(order);
    expect(await later(order)).toMatchObject({ status: "completed" });
  });

  test("is unreachable gets a retry", async () => {
    const [one] = stock(1) as [string];
    carrier.script("order", "not_sent");
    carrier.script("search", "not_sent");
    const byNumber = await ordered({ numbers: [one] });
    expect(await jobOf(byNumber)).toMatchObject({ status: "waiting", reason: "carrier_unreachable" });
    const byKind = await ordered({ criteria: { country: "GB", prefix: "44207" }, quantity: 1 });
    expect(await jobOf(byKind)).toMatchObject({ status: "waiting", reason: "carrier_unreachable" });

    expect(await later(byNumber)).toMatchObject({ status: "completed" });
  });

  test("rejects the whole order ends it", async () => {
    carrier.script("order", "refused");
    const order = await ordered({ numbers: stock(1) });

    expect(order).toMatchObject({ status: "failed", items: [{ error: { code: "carrier_refused" } }] });
  });

  test("does not report the outcome of a return is queried for it", async () => {
    const [one] = stock(1) as [string];
    carrier.script("release", "lost");
    const order = await ordered({ numbers: [one, "+442071111114"], all_or_nothing: true });

    expect(order).toMatchObject({ status: "processing", items: [{ status: "submitted", error: null }, {}] });
    expect(await jobOf(order)).toMatchObject({ status: "waiting", reason: "carrier_unknown" });
    expect(await later(order)).toMatchObject({ status: "failed" });
    expect(carrier.ledger.filter(({ e164 }) => e164 === one)).toHaveLength(1);
    expect(soldTo(one)).toBe(0);
  });
});

test("a carrier that is no longer connected leaves the order waiting", async () => {
  const { body } = await post({ numbers: stock(1) });
  await desk.advance(body, { ...service.app, carriers: onlyCarrier(scriptedCarrier("other")) });

  expect(await jobOf(body)).toMatchObject({ status: "waiting", reason: "carrier_not_connected" });
});
