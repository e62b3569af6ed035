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
  async "an order buys its numbers, and they are paid for under its reference"({ fresh, order, owned }) {
    const e164s = await fresh(2);
    const reference = newId();

    expect(await order(e164s, { reference })).toEqual(all(e164s, "bought"));
    expect(await owned()).toEqual(
      expect.arrayContaining(e164s.map((e164) => expect.objectContaining({ e164, reference }))),
    );
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
  },

  async "what it has refused stays refused under the reference, though it could be had by now"(tried) {
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

  async "ordered again because nobody knows, what cannot be had is refused in the end"({ spare, order }) {
    const e164 = spare();
    const reference = newId();
    await order([e164], { reference });

    expect(await order([e164], { reference })).toEqual({ [e164]: "refused" });
  },

  async "a number that is sold is refused to everybody else, and stays whose it is"(tried) {
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
    expect(await order([e164], { by: rival, reservations: [newId()] })).toEqual({ [e164]: "refused" });
    expect(await order([e164], { reservations: [newId(), reservation] })).toEqual({ [e164]: "bought" });
  },

  async "a number that was given back is not paid for any more, however often it is given back"(tried) {
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

  async "a number that was bought anew is not given back for the purchase before"(tried) {
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
