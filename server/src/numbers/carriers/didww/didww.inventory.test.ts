import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { newId } from "../../../platform/ids.ts";
import type { Side } from "../carrier.ts";
import { USUAL_REQUIREMENT } from "../testing/didww-server/didww-regulation.ts";
import {
  type DidwwServer,
  type DidwwServerOptions,
  startDidwwServer,
} from "../testing/didww-server/didww-server.ts";
import { openDidww } from "./didww.ts";

const live: Side = { organisationId: newId(), environment: "live" };
const MINUTE_MS = 60_000;
const E164 = "+12015550100";
const OTHER = "+12015550101";

let server: DidwwServer;
let didww: ReturnType<typeof openDidww>;
async function restart(options: DidwwServerOptions = {}): Promise<void> {
  await server[Symbol.asyncDispose]();
  server = await startDidwwServer(options);
  didww = open();
}
const open = (requestsPerSecond = Number.POSITIVE_INFINITY) =>
  openDidww({ ...server, requestsPerSecond, timeoutMs: 5_000 });
beforeEach(async () => {
  server = await startDidwwServer();
  didww = open();
});
afterEach(() => server[Symbol.asyncDispose]());

const reserve = (e164s: string[], reference = newId()) =>
  didww.inventory.reserve(live, { reference, e164s, until: new Date(Date.now() + 30 * MINUTE_MS) });
const order = (e164s: string[], reservations: string[] = []) =>
  didww.ordering.order(live, { reference: newId(), e164s, reservations, isFirst: true });
const search = () => didww.inventory.search(live, { country: "US", limit: 10 });

describe("reservations", () => {
  test("end with the hold of DIDWW, which lasts ten minutes by default", async () => {
    server.stock([{ e164: E164 }]);
    const [reserved] = await reserve([E164]);

    expect(reserved).toMatchObject({ e164: E164, outcome: "available" });
    const lastsMs = Date.parse(reserved!.until!) - Date.now();
    expect(lastsMs).toBeGreaterThan(9 * MINUTE_MS);
    expect(lastsMs).toBeLessThanOrEqual(10 * MINUTE_MS);
  });

  test("last as long as requested if DIDWW holds them for longer", async () => {
    await restart({ holdMs: 60 * MINUTE_MS });
    server.stock([{ e164: E164 }]);
    expect(await reserve([E164])).toEqual([{ e164: E164, outcome: "available" }]);
  });

  test("over the limit of the account are rejected with the carrier's text, and nothing stays reserved", async () => {
    await restart({ mostHeld: 1 });
    server.stock([{ e164: E164 }, { e164: OTHER }]);

    await expect(reserve([E164, OTHER])).rejects.toMatchObject({
      kind: "refused",
      said: "did_reservation - limit of reservations is reached",
    });
    expect(await search()).toHaveLength(2);
  });

  test.each(["500_after", "malformed_after", "cut_after"] as const)(
    "of which the response is lost by %s stay for no number",
    async (trouble) => {
      server.stock([{ e164: E164 }, { e164: OTHER }]);
      server.trouble("POST /did_reservations", { until: Promise.resolve() });
      server.trouble("POST /did_reservations", trouble);
      await expect(reserve([E164, OTHER])).rejects.toMatchObject({ kind: "unknown" });
      expect(await search()).toHaveLength(2);
    },
  );

  test("in the user panel are left alone: their numbers are neither found nor sold", async () => {
    server.stock([{ e164: E164 }, { e164: OTHER }]);
    server.hold(E164, null);
    server.hold(OTHER, "our own desk");

    expect(await search()).toEqual([]);
    expect(await order([E164, OTHER], [newId()])).toMatchObject({
      items: [{ outcome: "refused" }, { outcome: "refused" }],
    });
  });

  test("can be ordered, and are gone afterwards", async () => {
    server.stock([{ e164: E164 }]);
    const reference = newId();
    await reserve([E164], reference);
    expect(await order([E164], [reference])).toEqual({ items: [{ e164: E164, outcome: "bought" }] });
    await expect(didww.inventory.unreserve(reference)).resolves.toBeUndefined();
  });
});

describe("numbers that need registration", () => {
  beforeEach(() => server.stock([{ e164: E164, requirement: USUAL_REQUIREMENT }, { e164: OTHER }]));

  test("are found, reserved and ordered like others", async () => {
    expect((await search()).map(({ e164 }) => e164).toSorted()).toEqual([E164, OTHER].toSorted());
    const reference = newId();
    await reserve([E164], reference);
    expect(await order([E164, OTHER], [reference])).toEqual({
      items: [
        { e164: E164, outcome: "pending" },
        { e164: OTHER, outcome: "bought" },
      ],
    });
  });

  test("are pending if DIDWW sells one that waits for its registration", async () => {
    server.trouble("POST /orders", "awaiting_registration");
    const reference = newId();
    const wanted = { reference, e164s: [OTHER], isFirst: true };
    expect(await didww.ordering.order(live, wanted)).toEqual({
      items: [{ e164: OTHER, outcome: "pending" }],
    });
    server.owned[0]!.isAwaitingRegistration = false;
    expect(await didww.ordering.orderStatus(live, reference)).toEqual({
      items: [{ e164: OTHER, outcome: "bought" }],
    });
  });
});

describe("an order of a hundred numbers", () => {
  const e164s = Array.from({ length: 100 }, (_, at) => `+120155501${String(at).padStart(2, "0")}`);
  const all = { items: e164s.map((e164) => ({ e164, outcome: "bought" })) };

  test("looks up numbers with the same beginning at once", async () => {
    server.stock(e164s.map((e164) => ({ e164 })));
    expect(await order(e164s)).toEqual(all);
    expect(server.requests.filter((one) => one === "GET /available_dids")).toHaveLength(1);
  });

  test("looks up each number that a capped list does not have", async () => {
    await restart({ mostListed: 60 });
    server.stock(e164s.map((e164) => ({ e164 })));
    expect(await order(e164s)).toEqual(all);
    expect(server.requests.filter((one) => one === "GET /available_dids")).toHaveLength(41);
  });
});

test("reports why DIDWW rejects an order whose numbers are all on sale", async () => {
  server.stock([{ e164: E164 }]);
  const detail = "sku_id - is not allowed for this account";
  server.trouble("POST /orders", { status: 422, code: "100", detail });
  expect(await order([E164])).toEqual({ items: [{ e164: E164, outcome: "refused", reason: detail }] });
});

test("does not search without a country, and finds nothing in countries and of types that DIDWW lacks", async () => {
  await expect(didww.inventory.search(live, { limit: 10 })).rejects.toMatchObject({ kind: "refused" });
  expect(server.requests).toEqual([]);
  server.stock([{ e164: E164 }]);
  expect(await didww.inventory.search(live, { country: "AQ", limit: 10 })).toEqual([]);
  expect(await didww.inventory.search(live, { country: "US", type: "pager", limit: 10 })).toEqual([]);
});

test("does not find or sell a number of a group that is sold in bulk only", async () => {
  server.stock([{ e164: E164, isSelectable: false }]);
  expect(await search()).toEqual([]);
  expect(await order([E164])).toEqual({ items: [{ e164: E164, outcome: "refused" }] });
});

describe("the rate limit", () => {
  test("is kept by concurrent requests, which wait for their turn", async () => {
    await restart({ requestsPerSecond: 10 });
    const searchAll = (carrier: ReturnType<typeof open>) =>
      Promise.all(
        Array.from({ length: 15 }, () => carrier.inventory.search(live, { country: "AQ", limit: 1 })),
      );
    await searchAll(open(5));
    expect(server.requests).toHaveLength(15);

    await searchAll(open());
    expect(server.requests.length).toBeGreaterThan(30);
  });

  test("is met by another program: the request is sent again after Retry-After", async () => {
    server.stock([{ e164: E164 }]);
    server.trouble("POST /orders", { status: 429, code: "429", retryAfter: 1 });
    const begin = performance.now();
    expect(await order([E164])).toEqual({ items: [{ e164: E164, outcome: "bought" }] });
    expect(performance.now() - begin).toBeGreaterThan(950);
    expect(server.owned).toHaveLength(1);
  });
});
