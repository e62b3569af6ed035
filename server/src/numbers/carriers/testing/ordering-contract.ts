import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newId } from "../../../platform/ids.ts";
import { type OpenedOrdering, type Outcomes, outcomesOf, type Tried, tryOut } from "./tried-ordering.ts";

/** The contract of every carrier for orders. */
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

function all(e164s: readonly string[], outcome: Outcomes[string]): Outcomes {
  return Object.fromEntries(e164s.map((e164) => [e164, outcome]));
}

const PROMISES: Record<string, (tried: Tried) => Promise<void>> = {
  async "buys the numbers of an order under its reference"({ fresh, order, owned }) {
    const e164s = await fresh(2);
    const reference = newId();

    expect(await order(e164s, { reference })).toEqual(all(e164s, "bought"));
    expect(await owned()).toEqual(
      expect.arrayContaining(e164s.map((e164) => expect.objectContaining({ e164, reference }))),
    );
  },

  async "returns the same response to a repeated reference, without another purchase"(tried) {
    const { fresh, order, owned } = tried;
    const e164s = await fresh(2);
    const reference = newId();
    await order(e164s, { reference });
    const before = await owned();

    expect(await order(e164s, { reference })).toEqual(all(e164s, "bought"));
    expect(await order(e164s, { reference })).toEqual(all(e164s, "bought"));
    expect(await owned()).toEqual(before);
  },

  async "buys once for two concurrent requests with one reference, and responds to both"({
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

  async "returns the outcome of an order, and none of an unknown one"({ of, ordering, fresh, order }) {
    const e164s = await fresh(2);
    const reference = newId();
    await order(e164s, { reference });

    expect(outcomesOf((await ordering.orderStatus(of, reference))!)).toEqual(all(e164s, "bought"));
    expect(await ordering.orderStatus(of, newId())).toBeUndefined();
  },

  async "rejects a number it does not have, without a charge"({ spare, order, owned }) {
    const before = await owned();
    const e164 = spare();

    expect(await order([e164])).toEqual({ [e164]: "refused" });
    expect(await owned()).toEqual(before);
  },

  async "buys the others if one number is not available"({ of, ordering, spare, fresh, order }) {
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
  },

  async "keeps rejecting a number under its reference, even if it is available now"(tried) {
    const { spare, stock, fresh, order, owned } = tried;
    const [first] = (await fresh(1)) as [string];
    const missing = spare();
    const reference = newId();
    await order([first, missing], { reference });
    await stock([missing]);
    const before = await owned();

    expect(await order([first, missing], { reference })).toEqual({ [first]: "bought", [missing]: "refused" });
    expect(await order([missing], { reference })).toEqual({ [missing]: "refused" });
    expect(await owned()).toEqual(before);
  },

  async "rejects an unavailable number of a repeated order with an unknown outcome"({ spare, order }) {
    const e164 = spare();
    const reference = newId();
    await order([e164], { reference });

    expect(await order([e164], { reference })).toEqual({ [e164]: "refused" });
  },

  async "rejects a sold number for all other customers"(tried) {
    const { rival, fresh, order, owned } = tried;
    const [e164] = (await fresh(1)) as [string];
    const reference = newId();
    await order([e164], { reference });

    expect(await order([e164], { by: rival })).toEqual({ [e164]: "refused" });
    expect(await order([e164])).toEqual({ [e164]: "refused" });
    expect((await owned()).filter((one) => one.e164 === e164)).toMatchObject([
      { e164, reference, boughtAt: expect.toBeOneOf([null, expect.stringMatching(/^\d{4}-.*Z$/)]) },
    ]);
  },

  async "sells each number once to two concurrent orders in opposite order"({ rival, fresh, order }) {
    const e164s = await fresh(2);

    const [one, other] = await Promise.all([order(e164s), order(e164s.toReversed(), { by: rival })]);

    for (const e164 of e164s)
      expect(new Set([one[e164], other[e164]])).toEqual(new Set(["bought", "refused"]));
  },

  async "sells reserved numbers to the organisation that reserved them"({
    of,
    rival,
    inventory,
    fresh,
    order,
  }) {
    if (!inventory) return;
    const [e164] = (await fresh(1)) as [string];
    const reservation = newId();
    const until = new Date(Date.now() + 30 * 60_000);
    await inventory.reserve(of, { reference: reservation, e164s: [e164], until });
    await inventory.reserve(rival, { reference: newId(), e164s: [e164], until });

    expect(await order([e164], { by: rival })).toEqual({ [e164]: "refused" });
    expect(await order([e164], { by: rival, reservations: [newId()] })).toEqual({ [e164]: "refused" });
    expect(await order([e164], { reservations: [newId(), reservation] })).toEqual({ [e164]: "bought" });
  },

  async "stops the charge of a released number, also after repeated releases"(tried) {
    const { of, ordering, fresh, order, release, owned } = tried;
    const e164s = (await fresh(2)) as [string, string];
    const [e164, kept] = e164s;
    const [boughtAs, reference] = [newId(), newId()];
    await order(e164s, { reference: boughtAs });
    expect(await ordering.releaseStatus(of, { reference, e164, boughtAs })).toBeUndefined();

    expect(await release(e164, { reference, boughtAs })).toBe("released");
    expect(await ordering.releaseStatus(of, { reference, e164, boughtAs })).toBe("released");
    expect(await release(e164, { reference, boughtAs })).toBe("released");
    expect(await release(e164, { reference })).toBe("released");
    expect(await release(e164)).toBe("released");
    const paid = (await owned()).map((one) => one.e164);
    expect(paid).toContain(kept);
    expect(paid).not.toContain(e164);
  },

  async "does not release a number that was bought again for its earlier purchase"(tried) {
    const { rival, fresh, order, release, owned } = tried;
    const [e164] = (await fresh(1)) as [string];
    const earlier = newId();
    await order([e164], { reference: earlier });
    await release(e164, { boughtAs: earlier });
    for (const by of [rival, tried.of]) {
      const reference = newId();
      expect(await order([e164], { by, reference })).toEqual({ [e164]: "bought" });

      expect(await release(e164, { boughtAs: earlier })).toBe("released");
      expect(await owned()).toContainEqual(expect.objectContaining({ e164, reference }));
      await tried.ordering.release(by, { reference: newId(), e164, boughtAs: reference });
    }
  },

  async "accepts the release of an unknown number"({ spare, release }) {
    expect(await release(spare())).toBe("released");
  },

  async "lists owned numbers page by page, each once"({ fresh, order, owned }) {
    const e164s = await fresh(3);
    await order(e164s);

    const listed = (await owned()).map(({ e164 }) => e164);

    expect(listed).toEqual(expect.arrayContaining(e164s));
    expect(new Set(listed).size).toBe(listed.length);
  },
};
