import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type {
  CarrierOrder,
  CarrierOrderItem,
  OrderingCarrier,
  OwnedNumber,
  ReleaseState,
  Side,
} from "../carriers/carrier.ts";
import { newId } from "../platform/ids.ts";

/** A carrier under test, and the handles by which a test makes it have something. */
export interface OpenedOrdering extends AsyncDisposable {
  carrier: OrderingCarrier;
  /** Two customers. */
  organisations: readonly [string, string];
  /** The side the carrier sells to. On the test side every organisation has the numbers to itself. */
  environment: Side["environment"];
  stock(environment: Side["environment"], e164s: readonly string[]): Promise<void>;
}

/** What every carrier promises that numbers are ordered from, whoever is behind it. */
export function describeOrdering(kind: string, open: () => Promise<OpenedOrdering>): void {
  describe(`ordering from ${kind}`, () => {
    let opened: OpenedOrdering;
    let tried: Tried;
    beforeAll(async () => {
      opened = await open();
      tried = tryOut(opened);
    });
    afterAll(() => opened[Symbol.asyncDispose]());

    test.each(Object.entries(PROMISES))("%s", (_, holds) => holds(tried));
  });
}

type Tried = ReturnType<typeof tryOut>;

/** Of places in the United States. +1 … 555 0100 is fiction in each of them, and nothing special on the test side. */
const AREAS = [
  201, 203, 205, 206, 207, 208, 209, 210, 212, 213, 214, 215, 216, 217, 218, 219, 224, 225, 228, 229, 231,
  234, 239, 240, 248, 251, 252, 253, 254, 256, 260, 262, 267, 269, 270, 272, 276, 281, 301, 302, 303, 304,
  305, 307, 308, 309, 310, 312,
];

/** A carrier that is still at it after so many questions never comes to an end. */
const QUESTIONS = 50;

function tryOut({ carrier, organisations, environment, stock }: OpenedOrdering) {
  const { ordering, inventory } = carrier;
  const [one, other] = organisations;
  const of: Side = { organisationId: one, environment };
  const areas = AREAS.values();
  const spare = (): string => `+1${areas.next().value}5550100`;

  /** Asks until nothing is pending any more. What was refused at once may be missing from then on. */
  async function settle(reference: string, { items }: CarrierOrder): Promise<Outcomes> {
    const outcomes = outcomesOf({ items });
    for (let asked = 0; Object.values(outcomes).includes("pending"); asked++) {
      expect(asked, "questions").toBeLessThan(QUESTIONS);
      Object.assign(outcomes, outcomesOf((await ordering.orderStatus(of, reference))!));
    }
    return outcomes;
  }
  return {
    of,
    rival: { organisationId: environment === "live" ? other : one, environment } satisfies Side,
    ordering,
    inventory,
    /** A number that nobody has. */
    spare,
    async fresh(count: number): Promise<string[]> {
      const e164s = Array.from({ length: count }, spare);
      await stock(environment, e164s);
      return e164s;
    },
    async order(
      e164s: readonly string[],
      {
        reference = newId(),
        by = of,
        reservation,
      }: { reference?: string; by?: Side; reservation?: string } = {},
    ) {
      const first = await ordering.order(by, { reference, e164s, reservation });
      expect(first.items.map(({ e164 }) => e164).toSorted()).toEqual(e164s.toSorted());
      return settle(reference, first);
    },
    async release(e164: string, reference = newId()): Promise<ReleaseState> {
      let state = await ordering.release(of, { reference, e164 });
      for (let asked = 0; state === "pending"; asked++) {
        expect(asked, "questions").toBeLessThan(QUESTIONS);
        state = (await ordering.releaseStatus(of, { reference, e164 })) ?? "pending";
      }
      return state;
    },
    /** Everything that is paid for. */
    async owned(): Promise<OwnedNumber[]> {
      const numbers: OwnedNumber[] = [];
      for (let after: string | undefined, page = 0; page === 0 || after !== undefined; page++) {
        const { numbers: some, next } = await ordering.list(after);
        numbers.push(...some.map(({ e164, reference }) => ({ e164, reference })));
        after = next;
      }
      return numbers;
    },
  };
}

type Outcomes = Record<string, CarrierOrderItem["outcome"]>;

function outcomesOf({ items }: CarrierOrder): Outcomes {
  return Object.fromEntries(items.map(({ e164, outcome }) => [e164, outcome]));
}

function all(e164s: readonly string[], outcome: CarrierOrderItem["outcome"]): Outcomes {
  return Object.fromEntries(e164s.map((e164) => [e164, outcome]));
}

const PROMISES: Record<string, (tried: Tried) => Promise<void>> = {
  async "an order buys its numbers, and they are paid for under its reference"({ fresh, order, owned }) {
    const e164s = await fresh(2);
    const reference = newId();

    expect(await order(e164s, { reference })).toEqual(all(e164s, "bought"));
    expect(await owned()).toEqual(expect.arrayContaining(e164s.map((e164) => ({ e164, reference }))));
  },

  async "asked again with the same reference it buys nothing and answers the same"(tried) {
    const { fresh, order, owned } = tried;
    const e164s = await fresh(2);
    const reference = newId();
    await order(e164s, { reference });
    const before = await owned();

    expect(await order(e164s, { reference })).toEqual(all(e164s, "bought"));
    expect(await order(e164s, { reference })).toEqual(all(e164s, "bought"));
    expect(await owned()).toEqual(before);
  },

  async "asked twice at once with the same reference it buys once, and both are told so"({
    fresh,
    order,
    owned,
  }) {
    const e164s = await fresh(1);
    const reference = newId();

    const answers = await Promise.all([order(e164s, { reference }), order(e164s, { reference })]);

    expect(answers).toEqual([all(e164s, "bought"), all(e164s, "bought")]);
    expect((await owned()).filter((one) => one.reference === reference)).toHaveLength(1);
  },

  async "it tells what became of an order, and nothing of one it never heard of"({
    of,
    ordering,
    fresh,
    order,
  }) {
    const e164s = await fresh(2);
    const reference = newId();
    await order(e164s, { reference });

    expect(outcomesOf((await ordering.orderStatus(of, reference))!)).toEqual(all(e164s, "bought"));
    expect(await ordering.orderStatus(of, newId())).toBeUndefined();
  },

  async "a number it does not have is refused, and nothing is paid for"({ spare, order, owned }) {
    const before = await owned();
    const e164 = spare();

    expect(await order([e164])).toEqual({ [e164]: "refused" });
    expect(await owned()).toEqual(before);
  },

  async "where one number cannot be had the others are bought"({ of, ordering, spare, fresh, order }) {
    const [first, last] = (await fresh(2)) as [string, string];
    const missing = spare();
    const reference = newId();

    expect(await order([first, missing, last], { reference })).toEqual({
      [first]: "bought",
      [missing]: "refused",
      [last]: "bought",
    });
    expect(outcomesOf((await ordering.orderStatus(of, reference))!)).toMatchObject(
      all([first, last], "bought"),
    );
    expect(await order([first, missing, last], { reference })).toMatchObject({ [missing]: "refused" });
  },

  async "a number that is sold is refused to everybody else, and stays whose it is"(tried) {
    const { rival, fresh, order, owned } = tried;
    const [e164] = (await fresh(1)) as [string];
    const reference = newId();
    await order([e164], { reference });

    expect(await order([e164], { by: rival })).toEqual({ [e164]: "refused" });
    expect(await order([e164])).toEqual({ [e164]: "refused" });
    expect((await owned()).filter((one) => one.e164 === e164)).toEqual([{ e164, reference }]);
  },

  async "of two orders at once, in opposite order, each number goes to exactly one"({ rival, fresh, order }) {
    const e164s = await fresh(2);

    const [one, other] = await Promise.all([order(e164s), order(e164s.toReversed(), { by: rival })]);

    for (const e164 of e164s)
      expect(new Set([one[e164], other[e164]])).toEqual(new Set(["bought", "refused"]));
  },

  async "what is put aside is sold to whoever put it aside"({ of, rival, inventory, fresh, order }) {
    if (!inventory) return;
    const [e164] = (await fresh(1)) as [string];
    const reservation = newId();
    const until = new Date(Date.now() + 30 * 60_000);
    await inventory.reserve(of, { reference: reservation, e164s: [e164], until });
    await inventory.reserve(rival, { reference: newId(), e164s: [e164], until });

    expect(await order([e164], { by: rival })).toEqual({ [e164]: "refused" });
    expect(await order([e164], { by: rival, reservation: newId() })).toEqual({ [e164]: "refused" });
    expect(await order([e164], { reservation })).toEqual({ [e164]: "bought" });
  },

  async "a number that was given back is not paid for any more, however often it is given back"(tried) {
    const { of, ordering, fresh, order, release, owned } = tried;
    const e164s = (await fresh(2)) as [string, string];
    const [e164, kept] = e164s;
    await order(e164s);
    const reference = newId();
    expect(await ordering.releaseStatus(of, { reference, e164 })).toBeUndefined();

    expect(await release(e164, reference)).toBe("released");
    expect(await ordering.releaseStatus(of, { reference, e164 })).toBe("released");
    expect(await release(e164, reference)).toBe("released");
    expect(await release(e164)).toBe("released");
    const paid = (await owned()).map((one) => one.e164);
    expect(paid).toContain(kept);
    expect(paid).not.toContain(e164);
  },

  async "a number it never had is given back"({ spare, release }) {
    expect(await release(spare())).toBe("released");
  },

  async "what is paid for is listed page by page, every number once"({ fresh, order, owned }) {
    const e164s = await fresh(3);
    await order(e164s);

    const listed = (await owned()).map(({ e164 }) => e164);

    expect(listed).toEqual(expect.arrayContaining(e164s));
    expect(new Set(listed).size).toBe(listed.length);
  },
};
