import { describe, expect, test, vi } from "vitest";
import { openBreaker } from "../../platform/breaker.ts";
import { systemClock } from "../../platform/clock.ts";
import { openMetrics } from "../../platform/metrics.ts";
import {
  type Carrier,
  CarrierFault,
  type Delivery,
  type Inventory,
  type Ordering,
  type Side,
} from "./carrier.ts";
import { guardCarrier } from "./guarded-carrier.ts";

const OF: Side = { organisationId: "o", environment: "live" };
const WANTED = { reference: "r", e164s: ["+442079460000", "+442079460001"] };
const ITEMS = WANTED.e164s.map((e164) => ({ e164, outcome: "bought" as const }));
const RELEASE = { reference: "r", e164: "+442079460000" };
const UNKNOWN = { name: "CarrierFault", kind: "unknown" };

/** A carrier with scripted responses. */
function guarded(ordering: Partial<Record<keyof Ordering, unknown>>, options = {}) {
  const metrics = openMetrics();
  const breaker = openBreaker(systemClock, { failures: 5, pauseMs: 10_000 });
  const told = Object.fromEntries(
    Object.entries(ordering).map(([call, answer]) => [
      call,
      typeof answer === "function" ? answer : async () => answer,
    ]),
  );
  const carrier: Carrier = { name: "company", ordering: told as unknown as Ordering };
  const { ordering: calls } = guardCarrier(carrier, { metrics, breaker, ...options });
  return { calls: calls!, metrics, breaker };
}

/** The delivery part of a carrier with scripted responses. */
function guardedDelivery(answers: Record<keyof Delivery, unknown>): Delivery {
  const scripted = Object.fromEntries(
    Object.entries(answers).map(([call, answer]) => [call, async () => answer]),
  );
  const carrier: Carrier = { name: "company", delivery: scripted as unknown as Delivery };
  return guardCarrier(carrier, { metrics: openMetrics() }).delivery!;
}

describe("a response", () => {
  test("that is sound is passed on", async () => {
    const page = { numbers: [{ e164: "+442079460000", reference: null, boughtAt: null }], next: undefined };
    const { calls } = guarded({
      order: { items: ITEMS },
      orderStatus: undefined,
      release: "released",
      releaseStatus: "pending",
      restore: "restored",
      list: page,
    });

    expect(await calls.order(OF, WANTED)).toEqual({ items: ITEMS });
    expect(await calls.release(OF, RELEASE)).toBe("released");
    expect(await calls.releaseStatus(OF, RELEASE)).toBe("pending");
    expect(await calls.restore!(OF, RELEASE)).toBe("restored");
    expect(await calls.list(undefined)).toEqual(page);
  });

  test.each([
    ["nothing", undefined],
    ["nothing in it", { items: [] }],
    ["another number", { items: [ITEMS[0], { ...ITEMS[1], e164: "+442079460002" }] }],
    ["a number too few", { items: [ITEMS[0]] }],
    ["one twice", { items: [ITEMS[0], ITEMS[0]] }],
    ["an outcome nobody knows", { items: [ITEMS[0], { ...ITEMS[1], outcome: "maybe" }] }],
    ["no E.164", { items: [ITEMS[0], { ...ITEMS[1], e164: "020 7946 0001" }] }],
    ["far too much", { items: Array.from({ length: 20_000 }, () => ITEMS[0]) }],
  ])("treats a response to an order that is %s as an unknown outcome", async (_what, answer) => {
    await expect(guarded({ order: answer }).calls.order(OF, WANTED)).rejects.toMatchObject(UNKNOWN);
  });

  test("to anything else is checked too", async () => {
    const { calls } = guarded({
      orderStatus: async () => ({ items: [ITEMS[0], ITEMS[0]] }),
      release: "gone",
      releaseStatus: null,
      restore: true,
      list: { numbers: [{ e164: "x", reference: null }] },
    });
    await expect(calls.orderStatus(OF, "r")).rejects.toMatchObject(UNKNOWN);
    await expect(calls.release(OF, RELEASE)).rejects.toMatchObject(UNKNOWN);
    await expect(calls.releaseStatus(OF, RELEASE)).rejects.toMatchObject(UNKNOWN);
    await expect(calls.restore!(OF, RELEASE)).rejects.toMatchObject(UNKNOWN);
    await expect(calls.list(undefined)).rejects.toMatchObject(UNKNOWN);
  });

  test("about delivery is checked like the others", async () => {
    const sound = { numbers: [{ e164: "+442079460000", trunk: null }], next: undefined };
    const told = guardedDelivery({
      trunks: [{ id: "t1", name: "fra-1" }],
      deliver: { trunk: "t1" },
      deliveryOf: undefined,
      listDeliveries: sound,
    });
    expect(await told.trunks()).toEqual([{ id: "t1", name: "fra-1" }]);
    expect(await told.deliver({ e164: "+442079460000", trunk: "t1" })).toEqual({ trunk: "t1" });
    expect(await told.deliveryOf("+442079460000")).toBeUndefined();
    expect(await told.listDeliveries(undefined)).toEqual(sound);

    const wrong = guardedDelivery({
      trunks: [
        { id: "t1", name: "" },
        { id: "t1", name: "" },
      ],
      deliver: { trunk: 1 },
      deliveryOf: {},
      listDeliveries: { numbers: [sound.numbers[0], sound.numbers[0]] },
    });
    await expect(wrong.trunks()).rejects.toMatchObject(UNKNOWN);
    await expect(wrong.deliver({ e164: "+442079460000", trunk: "t1" })).rejects.toMatchObject(UNKNOWN);
    await expect(wrong.deliveryOf("+442079460000")).rejects.toMatchObject(UNKNOWN);
    await expect(wrong.listDeliveries(undefined)).rejects.toMatchObject(UNKNOWN);
  });

  test("CF-05 that does not come in time leaves the outcome unknown", async () => {
    const { calls } = guarded({ order: () => new Promise(() => {}) }, { timeoutMs: 20 });
    await expect(calls.order(OF, WANTED)).rejects.toMatchObject(UNKNOWN);
  });

  test("CF-05 rejects inventory responses that are too long or name other numbers", async () => {
    const offer = { e164: "+442079460000", country: "GB", type: "local", capabilities: ["voice"] };
    const inventory = {
      name: "company",
      search: async () => [offer, { ...offer, e164: "+442079460001" }, { ...offer, e164: "+442079460002" }],
      reserve: async () => [{ e164: "+442079460005", outcome: "available" }],
      unreserve: async () => undefined,
    } as Inventory;
    const { inventory: calls } = guardCarrier({ name: "company", inventory }, { metrics: openMetrics() });

    expect(await calls.search(OF, { limit: 2 })).toHaveLength(3);
    await expect(calls.search(OF, { limit: 1 })).rejects.toMatchObject(UNKNOWN);
    await expect(calls.reserve(OF, { ...WANTED, until: new Date() })).rejects.toMatchObject(UNKNOWN);
    expect(await calls.unreserve("r")).toBeUndefined();
  });
});

describe("a fault", () => {
  test.each(["refused", "not_sent", "unknown"] as const)("that says %s says so still", async (kind) => {
    const { calls } = guarded({ order: () => Promise.reject(new CarrierFault(kind, "no")) });
    await expect(calls.order(OF, WANTED)).rejects.toMatchObject({ kind });
  });

  test("of any other kind means that the outcome is unknown, and keeps its cause", async () => {
    const cause = new TypeError("undefined is not a function");
    const throwing = () => {
      throw cause;
    };
    await expect(guarded({ order: throwing }).calls.order(OF, WANTED)).rejects.toMatchObject({
      ...UNKNOWN,
      cause,
    });
  });
});

describe("the breaker", () => {
  test("opens after five failures in a row, until one trial succeeds", async () => {
    vi.useFakeTimers();
    try {
      const order = vi.fn(() => Promise.reject(new CarrierFault("unknown", "500")));
      const { calls, metrics } = guarded({ order, list: { numbers: [], next: undefined } });
      for (let time = 0; time < 5; time++)
        await expect(calls.order(OF, WANTED)).rejects.toMatchObject(UNKNOWN);

      await expect(calls.list(undefined)).rejects.toMatchObject({ kind: "not_sent" });
      expect(order).toHaveBeenCalledTimes(5);
      expect(await metrics.registry.metrics()).toContain('carrier_away{carrier="company"} 1');

      vi.advanceTimersByTime(10_000);
      expect(await calls.list(undefined)).toMatchObject({ numbers: [] });
      expect(await metrics.registry.metrics()).toContain('carrier_away{carrier="company"} 0');
    } finally {
      vi.useRealTimers();
    }
  });

  test("ignores rejections", async () => {
    const { calls, breaker } = guarded({ order: () => Promise.reject(new CarrierFault("refused", "no")) });
    for (let time = 0; time < 10; time++)
      await expect(calls.order(OF, WANTED)).rejects.toMatchObject({ kind: "refused" });
    expect(breaker.isOpen()).toBe(false);
  });

  test("opens within ten seconds for a carrier that has fallen silent, before a single call was given up", async () => {
    vi.useFakeTimers();
    try {
      const { calls, breaker } = guarded({ order: () => new Promise(() => {}) });
      const waiting = Array.from({ length: 5 }, () => calls.order(OF, WANTED).catch(() => {}));
      vi.advanceTimersByTime(4_999);
      expect(breaker.isOpen()).toBe(false);
      vi.advanceTimersByTime(1);
      expect(breaker.isOpen()).toBe(true);

      vi.advanceTimersByTime(10_000);
      await Promise.all(waiting);
    } finally {
      vi.useRealTimers();
    }
  });

  test("opens within ten seconds also where a single call waits", async () => {
    vi.useFakeTimers();
    try {
      const { calls, breaker, metrics } = guarded({ order: () => new Promise(() => {}) });
      const waiting = calls.order(OF, WANTED).catch(() => {});
      vi.advanceTimersByTime(8_999);
      expect(breaker.isOpen()).toBe(false);
      vi.advanceTimersByTime(1);
      expect(breaker.isOpen()).toBe(true);
      expect(await metrics.registry.metrics()).toContain('carrier_away{carrier="company"} 1');

      vi.advanceTimersByTime(10_000);
      await waiting;
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });
});

test("how long each call took is measured by its outcome", async () => {
  const { calls, metrics } = guarded({ list: { numbers: [], next: undefined } });
  await calls.list(undefined);
  expect(await metrics.registry.metrics()).toContain(
    'carrier_call_duration_seconds_count{carrier="company",call="list",outcome="answered"} 1',
  );
});
