import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { newId } from "../../../platform/ids.ts";
import { describeInventory } from "../testing/inventory-contract.ts";
import { describeOrdering } from "../testing/ordering-contract.ts";
import { startTelnyxServer, type TelnyxServer } from "../testing/telnyx-server/telnyx-server.ts";
import type { Side } from "../carrier.ts";
import { openTelnyx } from "./telnyx.ts";

const organisations = [newId(), newId()] as const;
const live: Side = { organisationId: organisations[0], environment: "live" };
const MINUTE_MS = 60_000;

describeInventory(
  "telnyx",
  async () => {
    let time = Date.now();
    const now = () => new Date(time);
    const server = await startTelnyxServer({ now });
    return {
      inventory: openTelnyx({ ...server, clock: { now } }).inventory,
      organisations,
      async stock(_, numbers) {
        server.stock(
          numbers.map(({ e164, country, type = "local" }) => ({ e164, country: country ?? "GB", type })),
        );
      },
      now,
      advance: (ms) => void (time += ms),
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    };
  },
  { lacks: ["giving back", "searching all countries", "a test side"] },
);

describe.each([
  ["at once", 0],
  ["after a while", 2],
])("orders that are decided %s", (_, pendingReads) => {
  describeOrdering("telnyx", async () => {
    let laterMs = 0;
    const now = () => new Date(Date.now() + laterMs);
    const server = await startTelnyxServer({ now, pendingReads });
    return {
      carrier: openTelnyx({ ...server, clock: { now } }),
      organisations,
      environment: "live",
      stock: async (_side, e164s) => server.stock(e164s.map((e164) => ({ e164 }))),
      advance: (ms) => void (laterMs += ms),
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    };
  });
});

let server: TelnyxServer;
let telnyx: ReturnType<typeof openTelnyx>;
beforeEach(async () => {
  server = await startTelnyxServer();
  telnyx = openTelnyx({ ...server, timeoutMs: 500 });
});
afterEach(() => server[Symbol.asyncDispose]());

const NUMBER = "+12015550100";
const order = (e164s: string[], reference = newId()) =>
  telnyx.ordering.order(live, { reference, e164s, isFirst: true });
const fresh = (count: number): string[] => {
  const e164s = Array.from({ length: count }, (_, at) => `+1201555${String(1000 + at)}`);
  server.stock(e164s.map((e164) => ({ e164 })));
  return e164s;
};
const bought = (...e164s: string[]) => ({ items: e164s.map((e164) => ({ e164, outcome: "bought" })) });

describe("nothing is bought twice, and nothing bought is lost", () => {
  test.each([
    ["it says 500", "500_after"],
    ["it never answers", "hang_after"],
    ["its answer never ends", "drip_after"],
    ["the connection breaks", "cut_after"],
    ["it answers what is not documented", "malformed_after"],
    ["it answers without end", "oversized_after"],
  ] as const)("bought, but %s: unknown until the next query", async (_, trouble) => {
    const [e164] = fresh(1) as [string];
    const reference = newId();
    server.trouble("POST /number_orders", { status: 422, code: "85000" });
    server.trouble("POST /number_orders", trouble);

    await expect(order([e164], reference)).rejects.toMatchObject({ name: "CarrierFault", kind: "unknown" });

    expect(await telnyx.ordering.orderStatus(live, reference)).toEqual(bought(e164));
    expect(await order([e164], reference)).toEqual(bought(e164));
    expect(server.owned).toHaveLength(1);
  });

  test.each([
    ["422", undefined],
    ["409", { status: 409, code: "85001" }],
  ] as const)(
    "bought, though no list shows the order yet and a new one is met with %s",
    async (_, trouble) => {
      const [e164] = fresh(1) as [string];
      const reference = newId();
      await order([e164], reference);
      server.trouble("GET /number_orders", "lagging");
      if (trouble) server.trouble("POST /number_orders", trouble);

      expect(await order([e164], reference)).toEqual(bought(e164));
      server.trouble("GET /number_orders", "lagging");
      expect(await order([e164])).toEqual({ items: [{ e164, outcome: "refused" }] });
      expect(server.owned).toHaveLength(1);
    },
  );

  test("rejects a number that is sold to another customer during the order", async () => {
    const [e164] = fresh(1) as [string];
    server.trouble("POST /number_orders", { status: 422, code: "85000" });
    server.trouble("POST /number_orders", "sold_meanwhile");
    const reference = newId();

    expect(await order([e164], reference)).toEqual({ items: [{ e164, outcome: "refused" }] });
    // A later query is inconclusive until all orders of the reference must be listed.
    const statusAfter = (ms: number) =>
      openTelnyx({ ...server, clock: { now: () => new Date(Date.now() + ms) } }).ordering.orderStatus(
        live,
        reference,
      );
    expect(await statusAfter(0)).toEqual({ items: [{ e164, outcome: "pending" }] });
    expect(await statusAfter(5 * MINUTE_MS)).toEqual({ items: [{ e164, outcome: "refused" }] });
    expect(await telnyx.ordering.list(undefined)).toEqual({ numbers: [], next: undefined });
  });

  test("reports the outcome of each number of a partial order", async () => {
    const [first, second] = fresh(2) as [string, string];
    server.trouble("POST /number_orders", { status: 422, code: "85000" });
    server.trouble("POST /number_orders", "partial");

    expect(await order([first, second])).toEqual({
      items: [
        { e164: first, outcome: "bought" },
        { e164: second, outcome: "refused" },
      ],
    });
  });

  test("searches for and buys a number without an earlier search", async () => {
    const [e164] = fresh(1) as [string];

    expect(await order([e164])).toEqual(bought(e164));
    expect(server.requests).toEqual([
      "GET /number_orders",
      "GET /number_reservations",
      "POST /number_orders",
      "GET /phone_numbers",
      "GET /available_phone_numbers",
      "POST /number_orders",
    ]);
  });

  test("a number just found is bought with one order", async () => {
    const [e164] = fresh(1) as [string];
    await telnyx.inventory.search(live, { country: "US", limit: 10 });
    server.requests.length = 0;

    expect(await order([e164])).toEqual(bought(e164));
    expect(server.requests).toEqual([
      "GET /number_orders",
      "GET /number_reservations",
      "POST /number_orders",
    ]);
  });
});

describe("classifies an invalid response", () => {
  test.each([
    ["not_sent", { status: 401, code: "10009" }],
    ["not_sent", { status: 403, code: "10009" }],
    ["not_sent", { status: 404, code: "10005" }],
    ["not_sent", { status: 429, code: "10011" }],
    ["unknown", { status: 408, code: "10007" }],
    ["unknown", { status: 503, code: "10007" }],
    ["unknown", "redirect"],
    ["unknown", "hang_before"],
  ] as const)("of an order: %s after %o", async (kind, trouble) => {
    const [e164] = fresh(1) as [string];
    server.trouble("POST /number_orders", trouble);

    await expect(order([e164])).rejects.toMatchObject({ name: "CarrierFault", kind });
    expect(server.requests.filter((one) => one.includes("elsewhere"))).toEqual([]);
    expect(server.owned).toEqual([]);
  });

  test("while it only asks beforehand, nothing is unknown", async () => {
    const [e164] = fresh(1) as [string];
    for (const route of ["GET /number_orders", "GET /number_reservations", "GET /available_phone_numbers"]) {
      server.trouble(route, "500_after");
      await expect(order([e164])).rejects.toMatchObject({ kind: "not_sent" });
    }
    server.trouble("GET /phone_numbers", "hang_before");
    await expect(telnyx.ordering.release(live, { reference: newId(), e164 })).rejects.toMatchObject({
      kind: "not_sent",
    });
    expect(server.owned).toEqual([]);
  });

  test.each([
    ["orders", "GET /number_orders"],
    ["reservations", "GET /number_reservations"],
  ])("draws no conclusion about the purchase from a rejected list of %s", async (_, route) => {
    const [e164] = fresh(1) as [string];
    const reference = newId();
    await order([e164], reference);
    if (route !== "GET /number_orders") server.trouble("GET /number_orders", "lagging");
    server.trouble(route, { status: 422, code: "10015" });

    await expect(order([e164], reference)).rejects.toMatchObject({ kind: "not_sent" });
  });

  test("where one number cannot even be looked up, the others are bought", async () => {
    const [first, second] = fresh(2) as [string, string];
    server.trouble("GET /available_phone_numbers", { status: 422, code: "10015" });

    const { items } = await order([first, second]);

    expect(items.map(({ outcome }) => outcome).toSorted()).toEqual(["bought", "refused"]);
  });

  test("does not treat a rejected query about a number as a rejected release", async () => {
    const wanted = { reference: newId(), e164: NUMBER };
    for (const call of ["release", "releaseStatus"] as const) {
      server.trouble("GET /phone_numbers", { status: 422, code: "10015" });
      await expect(telnyx.ordering[call](live, wanted)).rejects.toMatchObject({ kind: "not_sent" });
    }
  });

  test("reports a known order as unknown while the carrier does not respond", async () => {
    const [e164] = fresh(1) as [string];
    const reference = newId();
    await order([e164], reference);
    server.trouble("GET /number_orders/{id}", { status: 429, code: "10011" });

    await expect(order([e164], reference)).rejects.toMatchObject({ kind: "unknown" });
  });

  test('reports "not sent" if no server listens', async () => {
    const { url, apiKey } = server;
    await server[Symbol.asyncDispose]();
    const gone = openTelnyx({ url, apiKey });
    server = await startTelnyxServer();

    await expect(gone.ordering.orderStatus(live, newId())).rejects.toMatchObject({ kind: "not_sent" });
  });

  test("the key is never in what is thrown", async () => {
    const wrong = openTelnyx({ url: server.url, apiKey: "KEY-wrong" });

    const error = await wrong.ordering.orderStatus(live, newId()).catch((thrown: unknown) => thrown as Error);

    expect(error).toMatchObject({ kind: "not_sent" });
    expect(`${(error as Error).stack}`).not.toContain("KEY-wrong");
  });
});

describe("releases", () => {
  const release = (e164: string) => telnyx.ordering.release(live, { reference: newId(), e164 });

  test.each(["500_after", "hang_after", "malformed_after"] as const)(
    "released, but %s: unknown until the next query",
    async (trouble) => {
      const [e164] = fresh(1) as [string];
      const boughtAs = newId();
      await order([e164], boughtAs);
      server.trouble("DELETE /phone_numbers/{id}", trouble);
      const wanted = { reference: newId(), e164, boughtAs };

      await expect(telnyx.ordering.release(live, wanted)).rejects.toMatchObject({ kind: "unknown" });
      expect(await telnyx.ordering.releaseStatus(live, wanted)).toBe("released");
      expect(await telnyx.ordering.release(live, wanted)).toBe("released");
    },
  );

  test("rejects a locked number, which stays", async () => {
    const [e164] = fresh(1) as [string];
    await order([e164]);
    server.owned[0]!.isLocked = true;

    expect(await release(e164)).toBe("refused");
    expect(await telnyx.ordering.releaseStatus(live, { reference: newId(), e164 })).toBeUndefined();
  });

  test("treats a number that was ported away as released", async () => {
    const [e164] = fresh(1) as [string];
    const boughtAs = newId();
    await order([e164], boughtAs);
    server.owned[0]!.status = "ported-out";

    expect(await telnyx.ordering.release(live, { reference: newId(), e164, boughtAs })).toBe("released");
    expect(server.requests).not.toContain(`DELETE /phone_numbers/${server.owned[0]!.id}`);
    expect((await telnyx.ordering.list(undefined)).numbers).toEqual([]);
  });

  test("treats a number that disappears during the release as released", async () => {
    const [e164] = fresh(1) as [string];
    await order([e164]);
    const slow = Promise.withResolvers<void>();
    server.trouble("DELETE /phone_numbers/{id}", { until: slow.promise });
    const first = release(e164);
    await waitFor(() => server.requests.some((one) => one.startsWith("DELETE")));
    expect(await release(e164)).toBe("released");
    slow.resolve();

    expect(await first).toBe("released");
  });

  test("a number is not taken for one whose digits it contains", async () => {
    const longer = "+120155510001";
    server.stock([{ e164: longer }, { e164: "+12015551000" }]);
    await telnyx.inventory.search(live, { country: "US", limit: 10 });
    await order([longer]);

    await release("+12015551000");
    expect((await telnyx.ordering.list(undefined)).numbers.map(({ e164 }) => e164)).toEqual([longer]);
  });
});

test("more numbers than fit on a page are all listed", async () => {
  const e164s = fresh(600);
  await telnyx.inventory.search(live, { country: "US", limit: 1000 });
  await order(e164s);

  const listed: string[] = [];
  let pages = 0;
  for (let after: string | undefined; pages === 0 || after !== undefined; pages++) {
    const page = await telnyx.ordering.list(after);
    listed.push(...page.numbers.map(({ e164 }) => e164));
    after = page.next;
  }

  expect(pages).toBe(3);
  expect(listed).toEqual(e164s);
});

test("numbers can be ordered while thousands are put aside, and those are not", async () => {
  const e164s = fresh(4_000);
  const until = new Date(Date.now() + 30 * MINUTE_MS);
  telnyx = openTelnyx(server);
  for (let at = 0; at < e164s.length; at += 100)
    await telnyx.inventory.reserve(live, { reference: newId(), e164s: e164s.slice(at, at + 100), until });
  server.stock([{ e164: NUMBER }]);

  expect(await order([NUMBER, e164s[0]!, e164s.at(-1)!])).toEqual({
    items: [
      { e164: NUMBER, outcome: "bought" },
      { e164: e164s[0], outcome: "refused" },
      { e164: e164s.at(-1), outcome: "refused" },
    ],
  });
});

test("a reservation that is not decided at once is waited for", async () => {
  await using other = await startTelnyxServer({ reservationReads: 1 });
  const { inventory } = openTelnyx(other);
  other.stock([{ e164: NUMBER }]);
  const wanted = { reference: newId(), e164s: [NUMBER], until: new Date(Date.now() + 30 * MINUTE_MS) };

  expect(await inventory.reserve(live, wanted)).toEqual([{ e164: NUMBER, outcome: "available" }]);
  expect(other.requests).toHaveLength(3);
});

describe("what Telnyx cannot do", () => {
  test("it is not searched without a country", async () => {
    await expect(telnyx.inventory.search(live, { limit: 10 })).rejects.toMatchObject({ kind: "refused" });
    expect(server.requests).toEqual([]);
  });

  test("of countries and types it does not have, it has no number", async () => {
    expect(await telnyx.inventory.search(live, { country: "AQ", limit: 10 })).toEqual([]);
    expect(await telnyx.inventory.search(live, { country: "US", type: "pager", limit: 10 })).toEqual([]);
    expect(server.requests).toEqual([]);
  });

  test("rejects cancelling a reservation, and accepts it after the expiry", async () => {
    let time = Date.now();
    const now = () => new Date(time);
    await using other = await startTelnyxServer({ now });
    const { inventory } = openTelnyx({ ...other, clock: { now } });
    other.stock([{ e164: NUMBER }]);
    const wanted = { reference: newId(), e164s: [NUMBER], until: new Date(time + 30 * MINUTE_MS) };
    await inventory.reserve(live, wanted);

    await expect(inventory.unreserve(wanted.reference)).rejects.toMatchObject({ kind: "refused" });
    time += 30 * MINUTE_MS;
    await expect(inventory.unreserve(wanted.reference)).resolves.toBeUndefined();
  });

  test("keeps the other numbers reserved until expiry if one cannot be reserved", async () => {
    let time = Date.now();
    const now = () => new Date(time);
    await using other = await startTelnyxServer({ now });
    const { inventory } = openTelnyx({ ...other, clock: { now } });
    other.stock([{ e164: NUMBER }]);
    const e164s = [NUMBER, "+12025550100"];
    const until = new Date(time + 30 * MINUTE_MS);

    const reserved = await inventory.reserve(live, { reference: newId(), e164s, until });

    expect(reserved.map(({ outcome }) => outcome)).toEqual(["available", "not_available"]);
    expect(await inventory.search(live, { country: "US", limit: 10 })).toEqual([]);
    time += 30 * MINUTE_MS;
    expect(await inventory.search(live, { country: "US", limit: 10 })).toHaveLength(1);
  });

  test("never serves the test environment", async () => {
    const side: Side = { ...live, environment: "test" };
    const wanted = { reference: newId(), e164s: [NUMBER], until: new Date() };
    const attempts = [
      telnyx.inventory.search(side, { country: "US", limit: 1 }),
      telnyx.inventory.reserve(side, wanted),
      telnyx.ordering.order(side, wanted),
      telnyx.ordering.orderStatus(side, newId()),
      telnyx.ordering.release(side, { reference: newId(), e164: NUMBER }),
      telnyx.ordering.releaseStatus(side, { reference: newId(), e164: NUMBER }),
    ];

    for (const attempt of await Promise.allSettled(attempts))
      expect(attempt).toMatchObject({ status: "rejected", reason: { kind: "refused" } });
    expect(server.requests).toEqual([]);
  });
});

async function waitFor(holds: () => boolean): Promise<void> {
  await expect.poll(holds, { interval: 5 }).toBe(true);
}
