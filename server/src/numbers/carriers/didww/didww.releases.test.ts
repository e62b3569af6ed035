import { afterEach, beforeEach, expect, test } from "vitest";
import { newId } from "../../../platform/ids.ts";
import type { Side } from "../carrier.ts";
import { type DidwwServer, startDidwwServer } from "../testing/didww-server/didww-server.ts";
import { openDidww } from "./didww.ts";

const live: Side = { organisationId: newId(), environment: "live" };
const E164 = "+12015550100";
const MINUTE_MS = 60_000;

let server: DidwwServer;
let laterMs: number;
let didww: ReturnType<typeof openDidww>;
const now = () => new Date(Date.now() + laterMs);
const open = () =>
  openDidww({ ...server, requestsPerSecond: Number.POSITIVE_INFINITY, timeoutMs: 500, clock: { now } });
beforeEach(async () => {
  laterMs = 0;
  server = await startDidwwServer({ now });
  didww = open();
});
afterEach(() => server[Symbol.asyncDispose]());

async function buy(): Promise<string> {
  server.stock([{ e164: E164 }]);
  const reference = newId();
  const { items } = await didww.ordering.order(live, { reference, e164s: [E164], isFirst: true });
  expect(items).toEqual([{ e164: E164, outcome: "bought" }]);
  return reference;
}

const listed = async () => (await didww.ordering.list(undefined)).numbers.map(({ e164 }) => e164);

test.each(["500_after", "hang_after", "malformed_after"] as const)(
  "a release that meets %s is unknown until the next query",
  async (trouble) => {
    const boughtAs = await buy();
    const wanted = { reference: newId(), e164: E164, boughtAs };
    server.trouble("PATCH /dids/{id}", trouble);

    await expect(didww.ordering.release(live, wanted)).rejects.toMatchObject({ kind: "unknown" });
    expect(await didww.ordering.releaseStatus(live, wanted)).toBe("released");
    expect(await didww.ordering.release(live, wanted)).toBe("released");
    expect(server.requests.filter((one) => one.startsWith("PATCH"))).toHaveLength(1);
  },
);

test("rejects the release of a number that DIDWW keeps, with its text", async () => {
  const boughtAs = await buy();
  server.owned[0]!.isLocked = true;
  const wanted = { reference: newId(), e164: E164, boughtAs };

  await expect(didww.ordering.release(live, wanted)).rejects.toMatchObject({
    kind: "refused",
    said: "terminated - is not allowed",
  });
  expect(await didww.ordering.releaseStatus(live, wanted)).toBeUndefined();
  expect(await listed()).toEqual([E164]);
});

test("a cancelled number is no longer listed as owned, and its record stays for a while", async () => {
  const boughtAs = await buy();
  expect(await didww.ordering.release(live, { reference: newId(), e164: E164, boughtAs })).toBe("released");

  expect(server.owned).toMatchObject([{ isTerminated: true }]);
  expect(await listed()).toEqual([]);
});

test("a number that is not in any list is released once the lists must show it", async () => {
  const wanted = { reference: newId(), e164: E164 };
  for (const boughtAs of [undefined, newId()])
    expect(await didww.ordering.releaseStatus(live, { ...wanted, boughtAs })).toBe("pending");
  laterMs = 5 * MINUTE_MS;
  for (const boughtAs of [undefined, newId()])
    expect(await didww.ordering.release(live, { ...wanted, boughtAs })).toBe("released");
});

test("the history proves that a removed number has left since its purchase", async () => {
  await server[Symbol.asyncDispose]();
  server = await startDidwwServer({ now, isRemovedAtOnce: true });
  didww = open();
  const boughtAs = await buy();
  await didww.ordering.release(live, { reference: newId(), e164: E164, boughtAs });

  const wanted = { reference: newId(), e164: E164 };
  expect(await didww.ordering.releaseStatus(live, { ...wanted, boughtAs })).toBe("released");
  server.trouble("GET /did_history", { status: 400, code: "102" });
  expect(await didww.ordering.releaseStatus(live, { ...wanted, boughtAs })).toBe("pending");
  expect(await didww.ordering.releaseStatus(live, wanted)).toBe("pending");
});

test("a number that disappears during the release is released", async () => {
  const boughtAs = await buy();
  const wanted = { reference: newId(), e164: E164, boughtAs };
  const slow = Promise.withResolvers<void>();
  server.trouble("PATCH /dids/{id}", { until: slow.promise });
  const first = open().ordering.release(live, wanted);
  await expect.poll(() => server.requests.some((one) => one.startsWith("PATCH")), { interval: 5 }).toBe(true);
  expect(await didww.ordering.release(live, wanted)).toBe("released");
  slow.resolve();
  expect(await first).toBe("released");
});

test("never serves the test environment", async () => {
  const side: Side = { ...live, environment: "test" };
  const wanted = { reference: newId(), e164s: [E164], until: new Date() };
  const attempts = [
    didww.inventory.search(side, { country: "US", limit: 1 }),
    didww.inventory.reserve(side, wanted),
    didww.ordering.order(side, wanted),
    didww.ordering.orderStatus(side, newId()),
    didww.ordering.release(side, { reference: newId(), e164: E164 }),
    didww.ordering.releaseStatus(side, { reference: newId(), e164: E164 }),
  ];
  for (const attempt of await Promise.allSettled(attempts))
    expect(attempt).toMatchObject({ status: "rejected", reason: { kind: "refused" } });
  expect(server.requests).toEqual([]);
});
