import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { newId } from "../../../platform/ids.ts";
import { startTelnyxServer, type TelnyxServer } from "../testing/telnyx-server/telnyx-server.ts";
import type { Side } from "../carrier.ts";
import { openTelnyx } from "./telnyx.ts";

/** Lists that do not show yet what has just happened. */
let server: TelnyxServer;
let telnyx: ReturnType<typeof openTelnyx>;
let laterMs: number;
const now = () => new Date(Date.now() + laterMs);
beforeEach(async () => {
  laterMs = 0;
  server = await startTelnyxServer({ now });
  telnyx = openTelnyx({ ...server, timeoutMs: 500, clock: { now } });
});
afterEach(() => server[Symbol.asyncDispose]());

const live: Side = { organisationId: newId(), environment: "live" };
const E164 = "+12015551000";
const MINUTE_MS = 60_000;
const lag = (...routes: string[]): void => routes.forEach((route) => server.trouble(route, "lagging"));
const items = (outcome: string) => ({ items: [{ e164: E164, outcome }] });
const active = () => server.owned.filter(({ status }) => status === "active").map(({ e164 }) => e164);

describe("an order that is repeated after an unknown outcome", () => {
  const again = (reference: string) => telnyx.ordering.order(live, { reference, e164s: [E164] });

  async function boughtUnheard(): Promise<string> {
    server.stock([{ e164: E164 }]);
    await telnyx.inventory.search(live, { country: "US", limit: 10 });
    const reference = newId();
    server.trouble("POST /number_orders", "500_after");
    const first = telnyx.ordering.order(live, { reference, e164s: [E164], isFirst: true });
    await expect(first).rejects.toMatchObject({ kind: "unknown" });
    return reference;
  }

  test("is bought if no list shows it yet", async () => {
    const reference = await boughtUnheard();
    lag("GET /number_orders", "GET /phone_numbers", "GET /phone_numbers");

    expect(await again(reference)).toEqual(items("pending"));
    expect(await telnyx.ordering.orderStatus(live, reference)).toEqual(items("bought"));
    expect(active()).toEqual([E164]);
  });

  test("is rejected if lists must have shown it by now", async () => {
    const reference = newId();

    expect(await again(reference)).toEqual(items("pending"));
    laterMs = 5 * MINUTE_MS;
    expect(await again(reference)).toEqual(items("refused"));
  });

  test("buys an available number of any age", async () => {
    server.stock([{ e164: E164 }]);

    expect(await again(newId())).toEqual(items("bought"));
  });

  test.each([
    ["was refused in the order that is listed", E164],
    ["is in none of the orders that are listed", "+12015551001"],
  ])("waits for the order that is not listed yet, where a number %s", async (_, sold) => {
    // Two orders share the reference, and the one that bought is not listed. Until it is, it has another reference.
    const unlisted = await boughtUnheard();
    const reference = newId();
    server.stock([{ e164: sold }]);
    await telnyx.inventory.search(live, { country: "US", limit: 10 });
    server.trouble("POST /number_orders", "sold_meanwhile");
    await telnyx.ordering.order(live, { reference, e164s: [sold] });

    expect(await telnyx.ordering.orderStatus(live, reference)).toEqual({
      items: [{ e164: sold, outcome: "pending" }],
    });
    expect(await again(reference)).toEqual(items("pending"));

    server.owned.find((one) => one.reference === unlisted)!.reference = reference;
    expect(await again(reference)).toEqual(items("bought"));
  });

  test("of which one purchase is listed has bought also what only the list of numbers shows", async () => {
    const other = "+12015551001";
    const reference = await boughtUnheard();
    server.stock([{ e164: other }]);
    await telnyx.ordering.order(live, { reference: newId(), e164s: [other] });
    server.owned[1]!.reference = reference;

    expect(await telnyx.ordering.order(live, { reference, e164s: [E164, other] })).toEqual({
      items: [
        { e164: E164, outcome: "bought" },
        { e164: other, outcome: "bought" },
      ],
    });
  });
});

describe("a returned number", () => {
  async function bought(): Promise<string> {
    server.stock([{ e164: E164 }]);
    const boughtAs = newId();
    const order = await telnyx.ordering.order(live, { reference: boughtAs, e164s: [E164] });
    expect(order).toEqual(items("bought"));
    return boughtAs;
  }

  test.each([
    ["which purchase it came by is told", true],
    ["that is not told", false],
  ])("before any list shows it is not gone, where %s", async (_, isKnown) => {
    const boughtAs = await bought();
    const wanted = { reference: newId(), e164: E164, ...(isKnown && { boughtAs }) };
    lag("GET /phone_numbers", "GET /phone_numbers");

    expect(await telnyx.ordering.releaseStatus(live, wanted)).toBe("pending");
    expect(await telnyx.ordering.release(live, wanted)).toBe("pending");
    expect(active()).toEqual([E164]);

    expect(await telnyx.ordering.releaseStatus(live, wanted)).toBeUndefined();
    expect(await telnyx.ordering.release(live, wanted)).toBe("released");
    expect(active()).toEqual([]);
  });

  test("is gone where lists must have shown it by now, counted from the release: its purchase may have been repeated", async () => {
    const time = (Date.now() - 60 * MINUTE_MS).toString(16).padStart(12, "0");
    const old = `${time.slice(0, 8)}-${time.slice(8)}${newId().slice(13)}`;
    const wanted = { reference: newId(), e164: E164 };
    for (const told of [{ boughtAs: old }, {}])
      expect(await telnyx.ordering.releaseStatus(live, { ...wanted, ...told })).toBe("pending");
    laterMs = 5 * MINUTE_MS;

    for (const told of [{ boughtAs: old }, {}])
      expect(await telnyx.ordering.releaseStatus(live, { ...wanted, ...told })).toBe("released");
  });

  test("is gone where its own purchase is listed as ended, and not where an earlier one is", async () => {
    const earlier = await bought();
    await telnyx.ordering.release(live, { reference: newId(), e164: E164 });
    const boughtAs = await bought();
    const wanted = { reference: newId(), e164: E164 };

    expect(await telnyx.ordering.releaseStatus(live, { ...wanted, boughtAs: earlier })).toBe("released");
    server.owned[1]!.status = "purchase-failed";
    server.owned[1]!.reference = newId();
    expect(await telnyx.ordering.releaseStatus(live, { ...wanted, boughtAs: newId() })).toBe("pending");
    expect(await telnyx.ordering.releaseStatus(live, { ...wanted, boughtAs })).toBe("released");
  });

  test("is kept if it was bought again since, and released if only its reference was overwritten", async () => {
    const earlier = await bought();
    await telnyx.ordering.release(live, { reference: newId(), e164: E164 });
    await bought();
    const wanted = { reference: newId(), e164: E164, boughtAs: earlier };

    expect(await telnyx.ordering.release(live, wanted)).toBe("released");
    expect(active()).toEqual([E164]);

    server.owned[1]!.reference = "our best customer";
    expect(await telnyx.ordering.release(live, wanted)).toBe("released");
    expect(active()).toEqual([]);
  });

  test("is distinguished from an earlier returned one that is still listed", async () => {
    await bought();
    const wanted = { reference: newId(), e164: E164, boughtAs: newId() };

    expect(await telnyx.ordering.release(live, wanted)).toBe("pending");
    expect(active()).toEqual([E164]);
  });
});
