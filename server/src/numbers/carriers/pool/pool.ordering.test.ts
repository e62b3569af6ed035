import { afterAll, beforeAll, expect, test } from "vitest";
import { newId } from "../../../platform/ids.ts";
import { describeOrdering } from "../testing/ordering-contract.ts";
import { type Service, startService } from "../../../../testing/service.ts";
import { holdNumber, stockNumbers } from "../../../../testing/stock.ts";
import type { CarrierOrder, Inventory, OrderingCarrier, Side } from "../carrier.ts";
import { openPool } from "./pool.ts";

describeOrdering("the pool", async () => {
  const opened = await startService({ settings: { DATABASE_CONNECTIONS: "20" } });
  return {
    carrier: opened.app.carriers.openFor("live")[0]!,
    organisations: [await opened.organisation(), await opened.organisation()],
    environment: "live",
    stock: (environment, e164s) =>
      stockNumbers(
        opened.database,
        environment,
        e164s.map((e164) => ({ e164 })),
      ),
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  };
});

let service: Service;
let pool: OrderingCarrier & { inventory: Inventory };
let home: Side;
let other: Side;
beforeAll(async () => {
  service = await startService({ settings: { DATABASE_CONNECTIONS: "40" } });
  pool = openPool(service.app);
  home = { organisationId: await service.organisation(), environment: "live" };
  other = { organisationId: await service.organisation(), environment: "live" };
});
afterAll(() => service[Symbol.asyncDispose]());

let stocked = 0;
async function stock(count: number): Promise<string[]> {
  const e164s = Array.from({ length: count }, () => `+44208${9_000_000 + ++stocked}`);
  await stockNumbers(
    service.database,
    "live",
    e164s.map((e164) => ({ e164 })),
  );
  return e164s;
}
const order = async (of: Side, e164s: readonly string[], ...reservations: string[]): Promise<string[]> => {
  const { items } = await pool.ordering.order(of, { reference: newId(), e164s, reservations });
  return e164s.map((wanted) => items.find(({ e164 }) => e164 === wanted)!.outcome);
};
const release = (of: Side, e164: string, reference = newId()) =>
  pool.ordering.release(of, { reference, e164 });
const reserve = async (of: Side, e164s: readonly string[], reference = newId()) => {
  const until = new Date(service.clock.now().getTime() + 60_000);
  const reserved = await pool.inventory.reserve(of, { reference, e164s, until });
  return reserved.map(({ outcome }) => outcome);
};
const isOffered = async (e164: string): Promise<boolean> =>
  (await pool.inventory.search(other, { prefix: e164.slice(1), limit: 1 })).length === 1;

test("offers, reserves and sells a sold number to no other customer until it is returned", async () => {
  const [e164] = (await stock(1)) as [string];
  expect(await isOffered(e164)).toBe(true);
  expect(await order(home, [e164])).toEqual(["bought"]);

  expect(await isOffered(e164)).toBe(false);
  expect(await reserve(other, [e164])).toEqual(["not_available"]);
  expect(await order(other, [e164])).toEqual(["refused"]);
  service.clock.advance(365 * 86_400_000);
  expect(await order(other, [e164])).toEqual(["refused"]);

  expect(await release(home, e164)).toBe("released");
  expect(await isOffered(e164)).toBe(true);
  expect(await order(other, [e164])).toEqual(["bought"]);
});

test("rejects numbers that are not in stock, held, or reserved by another organisation", async () => {
  const [reserved, free] = (await stock(2)) as [string, string];
  const held = await holdNumber(service.app, other.organisationId, "live");
  await reserve(other, [reserved]);

  expect(await order(home, ["+442089999999", held.e164, reserved, free])).toEqual([
    "refused",
    "refused",
    "refused",
    "bought",
  ]);
});

test("a reservation is for the order that names it, and is used up by it", async () => {
  const e164s = await stock(2);
  const reservation = newId();
  await reserve(home, e164s, reservation);

  expect(await order(home, [e164s[0]!], reservation)).toEqual(["bought"]);
  await pool.inventory.unreserve(reservation);
  expect(await reserve(other, [e164s[1]!])).toEqual(["available"]);
  expect(await reserve(other, [e164s[0]!])).toEqual(["not_available"]);
  expect(await order(other, [e164s[0]!])).toEqual(["refused"]);
});

test("returns the outcome of the first request when it is repeated", async () => {
  const [mine, gone] = (await stock(2)) as [string, string];
  await order(other, [gone]);
  const wanted = { reference: newId(), e164s: [mine, gone] };
  const first = await pool.ordering.order(home, wanted);
  await release(other, gone);
  await release(home, mine);

  expect(await pool.ordering.order(home, wanted)).toEqual(first);
  expect(await pool.ordering.orderStatus(home, wanted.reference)).toEqual(first);
  expect(await pool.ordering.orderStatus(home, newId())).toBeUndefined();
  expect(await pool.ordering.orderStatus(other, wanted.reference)).toBeUndefined();
  expect(await isOffered(mine)).toBe(true);
});

test("twenty calls with one reference at once are one purchase and one answer", async () => {
  const wanted = { reference: newId(), e164s: await stock(3) };
  const answers = await Promise.all(Array.from({ length: 20 }, () => pool.ordering.order(home, wanted)));

  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  expect(answers[0]!.items.map(({ outcome }) => outcome)).toEqual(["bought", "bought", "bought"]);
});

test("returns no number of another organisation, and ignores a late repetition", async () => {
  const [e164] = (await stock(1)) as [string];
  await order(home, [e164]);
  expect(await release(other, e164)).toBe("released");
  expect(await order(other, [e164])).toEqual(["refused"]);

  const reference = newId();
  expect(await pool.ordering.releaseStatus(home, { reference, e164 })).toBeUndefined();
  expect(await release(home, e164, reference)).toBe("released");
  expect(await pool.ordering.releaseStatus(home, { reference, e164 })).toBe("released");
  await order(home, [e164]);
  expect(await release(home, e164, reference)).toBe("released");
  expect(await order(other, [e164])).toEqual(["refused"]);
});

test("restores a returned number that has no other holder", async () => {
  const [kept, lost] = (await stock(2)) as [string, string];
  await order(home, [kept, lost]);
  const [first, second] = [newId(), newId()];
  await release(home, kept, first);
  await release(home, lost, second);
  await order(other, [lost]);

  const restore = (reference: string, e164: string) => pool.ordering.restore!(home, { reference, e164 });
  expect(await Promise.all([restore(first, kept), restore(first, kept)])).toEqual(["restored", "restored"]);
  expect(await order(other, [kept])).toEqual(["refused"]);
  expect(await release(home, kept, first)).toBe("refused");
  expect(await restore(second, lost)).toBe("not_available");
  expect(await restore(newId(), kept)).toBe("not_available");
});

test("lists sold numbers that were not returned, page by page", async () => {
  const e164s = await stock(1_005);
  const reference = newId();
  await pool.ordering.order(home, { reference, e164s });
  await release(home, e164s[0]!);

  const listed = [];
  let after: string | undefined;
  do {
    const page = await pool.ordering.list(after);
    listed.push(...page.numbers);
    after = page.next;
  } while (after !== undefined);
  expect(listed.filter((one) => one.reference === reference).map(({ e164 }) => e164)).toEqual(e164s.slice(1));
  expect(listed.map(({ e164 }) => e164)).toEqual([...new Set(listed.map(({ e164 }) => e164))].toSorted());
});

/** Retries with the same reference after a pool timeout. */
async function orderInTheEnd(organisationId: string, e164s: readonly string[]): Promise<CarrierOrder> {
  const wanted = { reference: newId(), e164s };
  for (;;) {
    try {
      return await pool.ordering.order({ organisationId, environment: "live" }, wanted);
    } catch (error) {
      if (!/trying to connect/.test(String(error))) throw error;
    }
  }
}

test("of a hundred organisations that order the same fifty numbers at once, in any order, one gets each", async () => {
  const organisations: string[] = [];
  while (organisations.length < 100) organisations.push(await service.organisation());
  for (let round = 0; round < 3; round++) {
    const e164s = await stock(50);
    const all = await Promise.all(
      organisations.map((organisationId, at) =>
        orderInTheEnd(organisationId, at % 2 === 0 ? e164s : e164s.toReversed()),
      ),
    );
    const bought = all.flatMap(({ items }) => items.filter(({ outcome }) => outcome === "bought"));
    expect(bought.map(({ e164 }) => e164).toSorted()).toEqual(e164s);
    expect(
      await service.database.admin(
        "select count(*)::int as open from pool_purchases where e164 = any($1) and number_id is not null",
        [e164s],
      ),
    ).toEqual([{ open: 50 }]);
  }
});

test("sells nothing to the test environment", async () => {
  const [e164] = (await stock(1)) as [string];
  await expect(order({ ...home, environment: "test" }, [e164])).rejects.toMatchObject({ kind: "refused" });
});
