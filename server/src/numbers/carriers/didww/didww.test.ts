import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { newId } from "../../../platform/ids.ts";
import { type DidwwServer, startDidwwServer } from "../testing/didww-server/didww-server.ts";
import { describeInventory } from "../testing/inventory-contract.ts";
import { describeOrdering } from "../testing/ordering-contract.ts";
import type { Side } from "../carrier.ts";
import { openDidww } from "./didww.ts";

const organisations = [newId(), newId()] as const;
const live: Side = { organisationId: organisations[0], environment: "live" };
const MINUTE_MS = 60_000;
const HOLD = { holdMs: 30 * MINUTE_MS, mostHeld: 1_000 };
const UNPACED = { requestsPerSecond: Number.POSITIVE_INFINITY };
const NAMES: Record<string, string> = { local: "Local", mobile: "Mobile", national: "National" };

describe.each([
  ["without", false],
  ["with", true],
])("if DIDWW lists available numbers %s those that the account holds", (_, listsHeld) => {
  describeInventory(
    "didww",
    async () => {
      let time = Date.now();
      const now = () => new Date(time);
      const server = await startDidwwServer({ now, listsHeld, ...HOLD });
      return {
        inventory: openDidww({ ...server, ...UNPACED, clock: { now } }).inventory,
        organisations,
        async stock(_side, numbers) {
          server.stock(
            numbers.map(({ e164, country, type = "local" }) => ({
              e164,
              country: country ?? "GB",
              type: NAMES[type]!,
            })),
          );
        },
        now,
        advance: (ms) => void (time += ms),
        [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
      };
    },
    { lacks: ["searching all countries", "a test side"] },
  );
});

describe.each([
  ["are decided at once", { pendingReads: 0 }],
  ["are decided after a while", { pendingReads: 2 }],
  ["can name numbers that the account has reserved", { listsHeld: true }],
])("orders that %s", (_, options) => {
  describeOrdering("didww", async () => {
    let laterMs = 0;
    const now = () => new Date(Date.now() + laterMs);
    const server = await startDidwwServer({ now, ...options, isRemovedAtOnce: true, ...HOLD });
    return {
      carrier: openDidww({ ...server, ...UNPACED, clock: { now } }),
      organisations,
      environment: "live",
      stock: async (_side, e164s) => server.stock(e164s.map((e164) => ({ e164 }))),
      advance: (ms) => void (laterMs += ms),
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    };
  });
});

let server: DidwwServer;
let didww: ReturnType<typeof openDidww>;
beforeEach(async () => {
  server = await startDidwwServer();
  didww = openDidww({ ...server, ...UNPACED, timeoutMs: 500 });
});
afterEach(() => server[Symbol.asyncDispose]());

const NUMBER = "+12015550100";
const order = (e164s: string[], reference = newId()) =>
  didww.ordering.order(live, { reference, e164s, isFirst: true });
const fresh = (count: number): string[] => {
  const e164s = Array.from({ length: count }, (_, at) => `+1201555${String(1000 + at)}`);
  server.stock(e164s.map((e164) => ({ e164 })));
  return e164s;
};
const bought = (...e164s: string[]) => ({ items: e164s.map((e164) => ({ e164, outcome: "bought" })) });
const orders = () => server.requests.filter((one) => one === "POST /orders").length;

describe("nothing is bought twice, and nothing bought is lost", () => {
  test.each([
    "500_after",
    "hang_after",
    "drip_after",
    "cut_after",
    "malformed_after",
    "oversized_after",
  ] as const)("an order that is placed before %s is unknown until the next query", async (trouble) => {
    const [e164] = fresh(1) as [string];
    const reference = newId();
    server.trouble("POST /orders", trouble);

    await expect(order([e164], reference)).rejects.toMatchObject({ name: "CarrierFault", kind: "unknown" });

    expect(await didww.ordering.orderStatus(live, reference)).toEqual(bought(e164));
    expect(await order([e164], reference)).toEqual(bought(e164));
    expect(server.owned).toHaveLength(1);
    expect(orders()).toBe(1);
  });

  test("does not place a second order if no list shows the first one yet", async () => {
    const [e164] = fresh(1) as [string];
    const reference = newId();
    await order([e164], reference);
    server.trouble("GET /orders", "lagging");
    const again = await didww.ordering.order(live, { reference, e164s: [e164] });
    expect(again).toEqual(bought(e164));

    server.trouble("GET /orders", "lagging");
    server.trouble("GET /dids", "lagging");
    const unseen = await didww.ordering.order(live, { reference, e164s: [e164] });
    expect(unseen).toEqual({ items: [{ e164, outcome: "pending" }] });
    expect(server.owned).toHaveLength(1);
  });

  test("rejects a missing number of a repeated order once the lists must show it", async () => {
    const reference = newId();
    const at = (laterMs: number) =>
      openDidww({ ...server, ...UNPACED, clock: { now: () => new Date(Date.now() + laterMs) } });
    const again = { reference, e164s: [NUMBER] };

    expect(await at(0).ordering.order(live, again)).toEqual({
      items: [{ e164: NUMBER, outcome: "pending" }],
    });
    expect(await at(5 * MINUTE_MS).ordering.order(live, again)).toEqual({
      items: [{ e164: NUMBER, outcome: "refused" }],
    });
  });

  test("counts numbers of a completed order that no list shows yet as pending", async () => {
    const [e164] = fresh(1) as [string];
    const reference = newId();
    server.trouble("GET /dids", "lagging");

    expect(await order([e164], reference)).toEqual({ items: [{ e164, outcome: "pending" }] });
    expect(await didww.ordering.orderStatus(live, reference)).toEqual(bought(e164));
  });

  test("counts the numbers of an open order as pending, however old it is", async () => {
    await using slow = await startDidwwServer({ pendingReads: 3 });
    slow.stock([{ e164: NUMBER }]);
    const clock = { now: () => new Date(Date.now() + 60 * MINUTE_MS) };
    const { ordering } = openDidww({ ...slow, ...UNPACED, clock });
    const wanted = { reference: newId(), e164s: [NUMBER], isFirst: true };
    const pending = { items: [{ e164: NUMBER, outcome: "pending" }] };
    for (let nth = 0; nth < 2; nth++) expect(await ordering.order(live, wanted)).toEqual(pending);
    expect(await ordering.orderStatus(live, wanted.reference)).toBeUndefined();
    // The order ends between the query for it and the query for its numbers.
    expect(await ordering.orderStatus(live, wanted.reference)).toEqual(pending);
    expect(await ordering.orderStatus(live, wanted.reference)).toEqual(bought(NUMBER));
    expect(slow.owned).toHaveLength(1);
  });

  test("rejects the numbers of an order that DIDWW cancels", async () => {
    const [e164] = fresh(1) as [string];
    server.trouble("POST /orders", "canceled");
    expect(await order([e164])).toEqual({ items: [{ e164, outcome: "refused" }] });
  });

  test("orders the others again if DIDWW rejects the whole order because of one number", async () => {
    const [first, second] = fresh(2) as [string, string];
    const slow = Promise.withResolvers<void>();
    server.trouble("POST /orders", { until: slow.promise });
    const ordering = order([first, second]);
    await expect.poll(orders, { interval: 5 }).toBe(1);
    server.sellElsewhere(first);
    slow.resolve();

    expect(await ordering).toEqual({
      items: [
        { e164: first, outcome: "refused" },
        { e164: second, outcome: "bought" },
      ],
    });
  });

  test("orders with the reference, without back-ordering, and the cheapest offer with channels", async () => {
    const [e164] = fresh(1) as [string];
    const reference = newId();
    await order([e164], reference);
    expect(server.owned[0]!.order).toMatchObject({
      externalReference: reference,
      units: [{ channels: 2, monthlyPrice: "1.50" }],
    });
    expect(server.requests).toEqual([
      "GET /orders",
      "GET /did_reservations",
      "GET /available_dids",
      "POST /orders",
      "GET /dids",
    ]);
  });
});

describe("classifies an invalid response", () => {
  test.each([
    ["not_sent", { status: 401, code: "401" }],
    ["not_sent", { status: 403, code: "403" }],
    ["not_sent", { status: 404, code: "404" }],
    ["not_sent", { status: 429, code: "429" }],
    ["not_sent", { status: 400, code: "400" }],
    ["not_sent", { status: 422, code: "100", detail: "Insufficient funds." }],
    ["unknown", { status: 408, code: "408" }],
    ["unknown", { status: 503, code: "503" }],
    ["unknown", "redirect"],
    ["unknown", "hang_before"],
  ] as const)("of an order: %s after %o", async (kind, trouble) => {
    const [e164] = fresh(1) as [string];
    server.outage((route) => (route === "POST /orders" ? trouble : { until: Promise.resolve() }));

    await expect(order([e164])).rejects.toMatchObject({ name: "CarrierFault", kind });
    expect(server.requests.filter((one) => one.includes("elsewhere"))).toEqual([]);
    expect(server.owned).toEqual([]);
  });

  test("waits while the account has no money", async () => {
    const [e164] = fresh(1) as [string];
    server.setBalance(0);
    await expect(order([e164])).rejects.toMatchObject({ kind: "not_sent", said: "Insufficient balance." });
    server.setBalance(10);
    expect(await order([e164])).toEqual(bought(e164));
  });

  test("nothing is unknown before an order is placed", async () => {
    const [e164] = fresh(1) as [string];
    for (const route of ["GET /orders", "GET /did_reservations", "GET /available_dids"]) {
      server.trouble(route, "500_after");
      await expect(order([e164])).rejects.toMatchObject({ kind: "not_sent" });
    }
    server.trouble("GET /dids", "hang_before");
    await expect(didww.ordering.release(live, { reference: newId(), e164 })).rejects.toMatchObject({
      kind: "not_sent",
    });
    expect(server.owned).toEqual([]);
  });

  test("reports a placed order as unknown while the carrier does not respond", async () => {
    const [e164] = fresh(1) as [string];
    const reference = newId();
    await order([e164], reference);
    server.trouble("GET /dids", "500_after");
    await expect(order([e164], reference)).rejects.toMatchObject({ kind: "unknown" });
  });

  test("never throws the key", async () => {
    const wrong = openDidww({ url: server.url, apiKey: "KEY-wrong" });
    const error = await wrong.ordering.orderStatus(live, newId()).catch((thrown: unknown) => thrown as Error);
    expect(error).toMatchObject({ kind: "not_sent" });
    expect(`${(error as Error).stack}`).not.toContain("KEY-wrong");
  });

  test("accepts the URL with and without the version", async () => {
    const { url, apiKey } = server;
    for (const address of [url, `${url}/`, `${url}/v3`, `${url}/v3/`])
      expect(await openDidww({ url: address, apiKey }).delivery.trunks()).toEqual([]);
  });
});

test("lists all numbers of several pages", async () => {
  const e164s = fresh(260);
  for (let at = 0; at < e164s.length; at += 100)
    await openDidww({ ...server, ...UNPACED }).ordering.order(live, {
      reference: newId(),
      e164s: e164s.slice(at, at + 100),
      isFirst: true,
    });
  const first = await didww.ordering.list(undefined);
  const second = await didww.ordering.list(first.next);
  expect([...first.numbers, ...second.numbers].map(({ e164 }) => e164)).toEqual(e164s);
  expect(second.next).toBeUndefined();
});
