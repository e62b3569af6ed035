import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Inventory, InventoryQuery, Side } from "../carrier.ts";
import { newId } from "../../../platform/ids.ts";
import type { StockedNumber } from "../../../../testing/stock.ts";

/** An inventory under test, and the handles by which a test makes it have something. */
export interface OpenedInventory extends AsyncDisposable {
  inventory: Inventory;
  /** Two customers. */
  organisations: readonly [string, string];
  stock(environment: Side["environment"], numbers: readonly StockedNumber[]): Promise<void>;
  now(): Date;
  advance(ms: number): void;
}

const MINUTE_MS = 60_000;

/** Features that a carrier may lack. Its own tests cover the alternative. */
export type InventorySkill = "giving back" | "searching all countries" | "a test side";

/** The contract of every inventory. */
export function describeInventory(
  name: string,
  open: () => Promise<OpenedInventory>,
  { lacks = [] }: { lacks?: readonly InventorySkill[] } = {},
): void {
  const promises = Object.entries(PROMISES).filter(([promise]) => !lacks.includes(NEEDED[promise]!));
  describe(`the inventory ${name}`, () => {
    let opened: OpenedInventory;
    let tried: Tried;
    beforeAll(async () => {
      opened = await open();
      tried = tryOut(opened);
    });
    afterAll(() => opened[Symbol.asyncDispose]());

    test.each(promises)("%s", (_, holds) => holds(tried));
  });
}

type Tried = ReturnType<typeof tryOut>;

function tryOut({ inventory, organisations, stock, now, advance }: OpenedInventory) {
  const [one, other] = organisations;
  const side = (organisationId: string, environment: Side["environment"]): Side => ({
    organisationId,
    environment,
  });
  let ranges = 0;
  return {
    inventory,
    advance,
    live: side(one, "live"),
    rival: side(other, "live"),
    test: side(one, "test"),
    rivalTest: side(other, "test"),
    /** Numbers that share digits no other range has. */
    async range(count: number, of: Partial<StockedNumber> = {}, environment: Side["environment"] = "live") {
      const digits = String(1000 + ++ranges);
      const code = of.country === "IE" ? 353 : 44;
      const e164s = Array.from({ length: count }, (_, at) => `+${code}${digits}${555_000 + at}`);
      await stock(
        environment,
        e164s.map((e164) => ({ e164, ...of })),
      );
      return { e164s, contains: `${code}${digits}555` };
    },
    async free(of: Side, query: Partial<InventoryQuery>): Promise<string[]> {
      return (await inventory.search(of, { limit: 100, country: "GB", ...query })).map(({ e164 }) => e164);
    },
    async reserve(of: Side, e164s: readonly string[], reference = newId()): Promise<string[]> {
      const until = new Date(now().getTime() + 30 * MINUTE_MS);
      const reserved = await inventory.reserve(of, { reference, e164s, until });
      expect(reserved.map(({ e164 }) => e164)).toEqual(e164s);
      return reserved.map(({ outcome }) => outcome);
    },
  };
}

const PROMISES: Record<string, (tried: Tried) => Promise<void>> = {
  async "lists available numbers in order from any number, with one more than the limit"({
    inventory,
    live,
    range,
    free,
  }) {
    const { e164s, contains } = await range(5);

    const first = await inventory.search(live, { country: "GB", contains, limit: 2 });

    expect(first.map(({ e164 }) => e164)).toEqual(e164s.slice(0, 3));
    expect(first[0]).toEqual({
      e164: e164s[0],
      country: "GB",
      type: "local",
      capabilities: expect.arrayContaining(["voice"]),
    });
    expect(await free(live, { contains, after: e164s[1] })).toEqual(e164s.slice(2));
  },

  async "finds by country, type and digits, and by all of them together"({ live, range, free }) {
    const { e164s, contains } = await range(2, { country: "IE", type: "mobile" });
    const country = "IE";

    expect(await free(live, { country })).toEqual(e164s);
    expect(await free(live, { country, type: "mobile" })).toEqual(e164s);
    expect(await free(live, { country, contains })).toEqual(e164s);
    expect(await free(live, { country, contains: contains.slice(1) })).toEqual(e164s);
    expect(await free(live, { country, contains: contains.slice(4) })).toEqual(e164s);
    expect(await free(live, { country, type: "mobile", contains })).toEqual(e164s);
    expect(await free(live, { country: "GB", contains })).toEqual([]);
    expect(await free(live, { country, type: "local" })).toEqual([]);
  },

  async "finds in all countries by type and digits"({ live, range, free }) {
    const { e164s, contains } = await range(2, { type: "national" });

    expect(await free(live, { country: undefined, type: "national" })).toEqual(e164s);
    expect(await free(live, { country: undefined, contains })).toEqual(e164s);
  },

  async "neither lists nor reserves reserved numbers"({ live, rival, range, free, reserve }) {
    const { e164s, contains } = await range(2);
    const [taken, left] = e164s as [string, string];

    expect(await reserve(live, [taken])).toEqual(["available"]);
    expect(await free(live, { contains })).toEqual([left]);
    expect(await free(rival, { contains })).toEqual([left]);
    expect(await reserve(rival, [taken])).toEqual(["not_available"]);
    expect(await reserve(live, [taken])).toEqual(["not_available"]);
  },

  async "makes cancelled numbers available at once"({ inventory, live, rival, range, free, reserve }) {
    const { e164s, contains } = await range(2);
    const reference = newId();
    await reserve(live, [e164s[0]!], reference);

    await inventory.unreserve(reference);

    expect(await free(rival, { contains })).toEqual(e164s);
    expect(await reserve(rival, e164s)).toEqual(["available", "available"]);
  },

  async "reserves nothing if one number is not available"(tried) {
    const { live, rival, range, free, reserve } = tried;
    const { e164s, contains } = await range(3);
    await reserve(rival, [e164s[1]!]);

    expect(await reserve(live, e164s)).toEqual([expect.any(String), "not_available", expect.any(String)]);
    expect(await free(live, { contains })).toEqual([e164s[0], e164s[2]]);
  },

  async "shows an unknown number as not available"({ live, reserve }) {
    expect(await reserve(live, ["+447700900999"])).toEqual(["not_available"]);
  },

  async "makes expired reservations available again, and not before"(tried) {
    const { inventory, advance, live, rival, range, free, reserve } = tried;
    const { e164s, contains } = await range(1);
    const first = newId();
    await reserve(live, e164s, first);
    advance(30 * MINUTE_MS - 5_000);
    expect(await reserve(rival, e164s)).toEqual(["not_available"]);

    advance(5_000);
    expect(await free(rival, { contains })).toEqual(e164s);
    expect(await reserve(rival, e164s)).toEqual(["available"]);
    // An expired reservation has nothing to release.
    await inventory.unreserve(first);
    expect(await free(live, { contains })).toEqual([]);
  },

  async "accepts the cancellation of an unknown reference"({ inventory }) {
    await expect(inventory.unreserve(newId())).resolves.toBeUndefined();
  },

  async "reserves the same numbers for exactly one of fifty concurrent requests"(tried) {
    const { live, rival, range, reserve } = tried;
    const { e164s } = await range(3);

    const all = await Promise.all(
      Array.from({ length: 50 }, (_, at) =>
        reserve(at % 3 === 0 ? rival : live, at % 2 === 0 ? e164s : e164s.toReversed()),
      ),
    );

    const winners = all.filter((outcomes) => outcomes.every((outcome) => outcome === "available"));
    expect(winners).toHaveLength(1);
  },

  async "has separate numbers for the test environment of every organisation"(tried) {
    const { live, range, free, reserve } = tried;
    const { e164s, contains } = await range(1, {}, "test");

    expect(await free(live, { contains })).toEqual([]);
    expect(await reserve(live, e164s)).toEqual(["not_available"]);
    expect(await reserve(tried.test, e164s)).toEqual(["available"]);
    expect(await free(tried.test, { contains })).toEqual([]);
    expect(await free(tried.rivalTest, { contains })).toEqual(e164s);
    expect(await reserve(tried.rivalTest, e164s)).toEqual(["available"]);
  },
};

/** Features that a test needs beyond search and reservation. */
const NEEDED: Record<string, InventorySkill> = {
  "finds in all countries by type and digits": "searching all countries",
  "makes cancelled numbers available at once": "giving back",
  "reserves nothing if one number is not available": "giving back",
  "has separate numbers for the test environment of every organisation": "a test side",
};
