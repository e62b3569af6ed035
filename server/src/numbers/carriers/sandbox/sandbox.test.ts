import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parsePhoneNumberFromString } from "libphonenumber-js/max";
import { newId } from "../../../platform/ids.ts";
import { describeOrdering } from "../testing/ordering-contract.ts";
import { type Service, startService } from "../../../../testing/service.ts";
import { holdNumber } from "../../../../testing/stock.ts";
import type { Inventory, OrderingCarrier, Side } from "../carrier.ts";
import { fictionalNumbers, SCRIPTS } from "./sandbox.rules.ts";
import { openSandbox } from "./sandbox.ts";

describeOrdering("the sandbox", async () => {
  const opened = await startService({ settings: { DATABASE_CONNECTIONS: "20" } });
  const organisations = [await opened.organisation(), await opened.organisation()] as const;
  const { admin } = opened.database;
  // The sandbox has every fictional number, so numbers that must be missing are sold to another buyer.
  await admin(
    `insert into sandbox_reservations (test_side_of, e164, reference, reserved_until)
     select o.id, '+1' || code || '5550100', gen_random_uuid(), 'infinity' from organisations o, generate_series(200, 999) code`,
  );
  return {
    carrier: opened.app.carriers.openFor("test")[0]!,
    organisations,
    environment: "test",
    async stock(_environment, e164s) {
      await admin("delete from sandbox_reservations where e164 = any($1)", [e164s]);
    },
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  };
});

const SLOW_MS = 60;

let service: Service;
let sandbox: OrderingCarrier & { inventory: Inventory };
let home: Side;
let other: Side;
beforeAll(async () => {
  service = await startService({ settings: { DATABASE_CONNECTIONS: "20" } });
  sandbox = openSandbox({ ...service.app, slowMs: SLOW_MS });
  home = { organisationId: await service.organisation(), environment: "test" };
  other = { organisationId: await service.organisation(), environment: "test" };
});
afterAll(() => service[Symbol.asyncDispose]());

let areaCode = 299;
/** Numbers with these endings, of an area code no other test uses. */
const numbers = (...endings: number[]): string[] => {
  areaCode++;
  return endings.map((ending) => `+1${areaCode}55501${ending}`);
};
const orderOf = (e164s: readonly string[], reference = newId(), of = home) => {
  const wanted = { reference, e164s };
  return {
    place: async () => outcomes(e164s, await sandbox.ordering.order(of, wanted)),
    ask: async () => {
      const found = await sandbox.ordering.orderStatus(of, reference);
      return found && outcomes(e164s, found);
    },
  };
};
const outcomes = (e164s: readonly string[], { items }: Awaited<ReturnType<typeof sandbox.ordering.order>>) =>
  e164s.map((wanted) => items.find(({ e164 }) => e164 === wanted)!.outcome);
const bought = async (ending: number): Promise<string> => {
  const e164s = numbers(ending);
  expect(await orderOf(e164s).place()).toEqual(["bought"]);
  return e164s[0]!;
};
const releaseOf = (e164: string, reference = newId()) => ({
  tell: () => sandbox.ordering.release(home, { reference, e164 }),
  ask: () => sandbox.ordering.releaseStatus(home, { reference, e164 }),
  restore: () => sandbox.ordering.restore!(home, { reference, e164 }),
});
const UNKNOWN = { name: "CarrierFault", kind: "unknown" };
const NOT_SENT = { name: "CarrierFault", kind: "not_sent" };

describe("ordinary numbers", () => {
  test("sells each number once per test environment", async () => {
    const e164s = numbers(50, 51);
    expect(await orderOf(e164s).place()).toEqual(["bought", "bought"]);
    expect(await orderOf(e164s).place()).toEqual(["refused", "refused"]);
    expect(await orderOf(e164s, newId(), other).place()).toEqual(["bought", "bought"]);
  });

  test("rejects real and held numbers, and sells nothing to the live environment", async () => {
    const [free] = numbers(50) as [string];
    const held = await holdNumber(service.app, home.organisationId, "test", numbers(50)[0]);
    expect(await orderOf(["+442079460000", held.e164, "+12125550200", free]).place()).toEqual([
      "refused",
      "refused",
      "refused",
      "bought",
    ]);
    const live = { ...home, environment: "live" as const };
    await expect(orderOf(numbers(50), newId(), live).place()).rejects.toMatchObject({ kind: "refused" });
  });

  test("returns the first outcome to repeated requests; twenty at once are one purchase", async () => {
    const { place, ask } = orderOf(numbers(50, 51));
    expect(await ask()).toBeUndefined();
    const answers = await Promise.all(Array.from({ length: 20 }, place));

    expect(new Set(answers.map(String))).toEqual(new Set(["bought,bought"]));
    expect(await ask()).toEqual(["bought", "bought"]);
  });

  test("makes a returned number available again or restores it, and ignores a late repetition", async () => {
    const e164 = await bought(50);
    const first = releaseOf(e164);
    expect(await first.ask()).toBeUndefined();
    expect(await first.tell()).toBe("released");
    expect(await first.ask()).toBe("released");
    expect(await first.restore()).toBe("restored");
    expect(await first.restore()).toBe("restored");
    expect(await first.tell()).toBe("refused");

    const second = releaseOf(e164);
    await second.tell();
    expect(await orderOf([e164]).place()).toEqual(["bought"]);
    expect(await second.restore()).toBe("not_available");
    expect(await second.tell()).toBe("released");
    expect(await orderOf([e164]).place()).toEqual(["refused"]);
  });

  test("lists sold numbers that were not returned, of every test environment", async () => {
    const e164s = numbers(50, 51);
    const [mine, theirs] = [newId(), newId()];
    await orderOf(e164s, mine).place();
    await orderOf(e164s, theirs, other).place();
    await releaseOf(e164s[0]!).tell();
    const listed = [];
    let after: string | undefined;
    do {
      const page = await sandbox.ordering.list(after);
      listed.push(...page.numbers);
      after = page.next;
    } while (after !== undefined);

    const found = listed.filter(({ reference }) => reference === mine || reference === theirs);
    expect(found).toHaveLength(3);
    expect(found).toContainEqual({ e164: e164s[1], reference: mine, boughtAt: expect.any(String) });
  });
});

describe("scripted orders", () => {
  test("10 is bought although the response is slow", async () => {
    const began = performance.now();
    expect(await orderOf(numbers(10)).place()).toEqual(["bought"]);
    expect(performance.now() - began).toBeGreaterThanOrEqual(SLOW_MS - 1);
  });

  test("11 is pending for five seconds, then bought", async () => {
    const { place, ask } = orderOf(numbers(11));
    expect(await place()).toEqual(["pending"]);
    service.clock.advance(4_000);
    expect(await ask()).toEqual(["pending"]);
    service.clock.advance(1_000);
    expect(await ask()).toEqual(["bought"]);
  });

  test("12 is rejected and stays available, 13 is gone afterwards", async () => {
    const e164s = ["+12165550112", "+12165550113", "+12165550150"];
    const found = async () =>
      (await sandbox.inventory.search(home, { prefix: "1216555011", limit: 10 })).map(({ e164 }) => e164);
    expect(await found()).toEqual(expect.arrayContaining(e164s.slice(0, 2)));
    expect(await orderOf(e164s).place()).toEqual(["refused", "refused", "bought"]);
    expect(await found()).toContain(e164s[0]);
    expect(await found()).not.toContain(e164s[1]);
  });

  test("14 is bought, and later numbers of the order are rejected", async () => {
    expect(await orderOf(numbers(50, 14, 51, 52)).place()).toEqual([
      "bought",
      "bought",
      "refused",
      "refused",
    ]);
  });

  test.each([15, 16])("%i is bought without a response, and known to the next query", async (ending) => {
    const { place, ask } = orderOf(numbers(ending));
    await expect(place()).rejects.toMatchObject(UNKNOWN);
    expect(await ask()).toEqual(["bought"]);
    expect(await place()).toEqual(["bought"]);
  });

  test("17 is lost, stays unknown, and is bought by the retry", async () => {
    const { place, ask } = orderOf(numbers(17));
    await expect(place()).rejects.toMatchObject(UNKNOWN);
    expect(await ask()).toBeUndefined();
    expect(await place()).toEqual(["bought"]);
  });

  test("18 cannot be reached for three seconds", async () => {
    const { place, ask } = orderOf(numbers(18));
    await expect(place()).rejects.toMatchObject(NOT_SENT);
    service.clock.advance(2_000);
    await expect(place()).rejects.toMatchObject(NOT_SENT);
    expect(await ask()).toBeUndefined();
    service.clock.advance(1_000);
    expect(await place()).toEqual(["bought"]);
  });

  test("19 is bought, and the carrier does not respond for ten seconds", async () => {
    const { place, ask } = orderOf(numbers(19));
    await expect(place()).rejects.toMatchObject(UNKNOWN);
    service.clock.advance(9_000);
    await expect(ask()).rejects.toMatchObject(UNKNOWN);
    service.clock.advance(1_000);
    expect(await ask()).toEqual(["bought"]);
  });
});

describe("scripted releases", () => {
  test("20 is returned although the response is slow", async () => {
    const { tell } = releaseOf(await bought(20));
    const began = performance.now();
    expect(await tell()).toBe("released");
    expect(performance.now() - began).toBeGreaterThanOrEqual(SLOW_MS - 1);
  });

  test("21 is pending for five seconds, and not available before", async () => {
    const e164 = await bought(21);
    const { tell, ask } = releaseOf(e164);
    expect(await tell()).toBe("pending");
    expect(await orderOf([e164]).place()).toEqual(["refused"]);
    service.clock.advance(5_000);
    expect(await ask()).toBe("released");
    expect(await orderOf([e164]).place()).toEqual(["bought"]);
  });

  test("22 is rejected", async () => {
    const e164 = await bought(22);
    const { tell, ask } = releaseOf(e164);
    expect(await tell()).toBe("refused");
    expect(await ask()).toBeUndefined();
    expect(await orderOf([e164]).place()).toEqual(["refused"]);
  });

  test.each([23, 24])("%i is returned without a response, and known to the next query", async (ending) => {
    const { tell, ask } = releaseOf(await bought(ending));
    await expect(tell()).rejects.toMatchObject(UNKNOWN);
    expect(await ask()).toBe("released");
    expect(await tell()).toBe("released");
  });

  test("25 is lost, stays unknown, and is returned by the retry", async () => {
    const { tell, ask } = releaseOf(await bought(25));
    await expect(tell()).rejects.toMatchObject(UNKNOWN);
    expect(await ask()).toBeUndefined();
    expect(await tell()).toBe("released");
  });

  test("26 cannot be reached for three seconds", async () => {
    const { tell } = releaseOf(await bought(26));
    await expect(tell()).rejects.toMatchObject(NOT_SENT);
    service.clock.advance(3_000);
    expect(await tell()).toBe("released");
  });

  test("27 is returned, and the carrier does not respond for ten seconds", async () => {
    const { tell, ask } = releaseOf(await bought(27));
    await expect(tell()).rejects.toMatchObject(UNKNOWN);
    await expect(ask()).rejects.toMatchObject(UNKNOWN);
    service.clock.advance(10_000);
    expect(await ask()).toBe("released");
  });

  test("28 cannot be restored", async () => {
    const { tell, restore } = releaseOf(await bought(28));
    expect(await tell()).toBe("released");
    expect(await restore()).toBe("not_available");
  });
});

describe("the inventory", () => {
  const search = async (query: object, of = home) =>
    (await sandbox.inventory.search(of, { limit: 1_000, ...query })).map(({ e164 }) => e164);

  test("every number it shows is one of the United States", () => {
    const all = [...fictionalNumbers({})];
    expect(all.length).toBeGreaterThan(10_000);
    for (const e164 of all.filter((one) => one.endsWith("50")))
      expect([e164, parsePhoneNumberFromString(e164)?.country]).toEqual([e164, "US"]);
    expect(all).toEqual(all.toSorted());
  });

  test("ordinary numbers are shown; scripted ones only where their digits are spelt out", async () => {
    const wide = await search({ prefix: "1212" });
    expect(wide).toHaveLength(100 - Object.keys(SCRIPTS).length);
    expect(await search({ prefix: "1212555011" })).toHaveLength(10);
    expect(await search({ prefix: "12125550113" })).toEqual(["+12125550113"]);
  });

  test("it finds by country, type and digits, from any number on, one more than asked for", async () => {
    expect(await search({ country: "DE" })).toEqual([]);
    expect(await search({ type: "mobile" })).toEqual([]);
    expect(await search({ country: "US", type: "local", contains: "2135550199" })).toEqual(["+12135550199"]);
    expect(await search({ prefix: "1213", after: "+12135550197" })).toEqual(["+12135550198", "+12135550199"]);
    expect(await search({ limit: 3 })).toHaveLength(4);
    expect(await search({}, { ...home, environment: "live" })).toEqual([]);
  });

  test("hides held, bought and reserved numbers from that test environment only", async () => {
    const [reserved, ordered] = ["+12145550150", "+12145550151"];
    const held = await holdNumber(service.app, home.organisationId, "test", "+12145550152");
    const reference = newId();
    const until = new Date(service.clock.now().getTime() + 60_000);
    const put = { reference, e164s: [reserved], until };
    expect(await sandbox.inventory.reserve(home, put)).toEqual([{ e164: reserved, outcome: "available" }]);
    await orderOf([ordered]).place();

    const shown = await search({ prefix: "1214" });
    for (const e164 of [reserved, ordered, held.e164]) expect(shown).not.toContain(e164);
    expect(await search({ prefix: "1214" }, other)).toContain(reserved);
    expect(await orderOf([reserved]).place()).toEqual(["refused"]);

    const all = { reference: newId(), e164s: [ordered, "+12145550153"], until };
    expect((await sandbox.inventory.reserve(home, all)).map(({ outcome }) => outcome)).toContain(
      "not_available",
    );
    expect(await search({ prefix: "1214" })).toContain("+12145550153");

    const wanted = { reference: newId(), e164s: [reserved], reservations: [reference] };
    expect((await sandbox.ordering.order(home, wanted)).items).toEqual([
      { e164: reserved, outcome: "bought" },
    ]);
    await sandbox.inventory.unreserve(reference);
    expect(await search({ prefix: "1214" })).not.toContain(reserved);
  });

  test("makes an expired reservation available again", async () => {
    const put = { reference: newId(), e164s: ["+12155550150"] };
    await sandbox.inventory.reserve(home, {
      ...put,
      until: new Date(service.clock.now().getTime() + 60_000),
    });
    expect(await search({ prefix: "1215" })).not.toContain("+12155550150");
    service.clock.advance(60_000);
    expect(await search({ prefix: "1215" })).toContain("+12155550150");
  });
});
