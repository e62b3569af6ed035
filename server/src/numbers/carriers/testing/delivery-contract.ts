import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Delivery } from "../carrier.ts";

export interface OpenedDelivery extends AsyncDisposable {
  delivery: Delivery;
  /** Buys a number that no trunk receives yet. */
  number(): Promise<string>;
  /** A number that the account never had. */
  foreign: string;
  /** Two trunks of the account. */
  trunks: readonly [string, string];
  /** Sends the calls of a number elsewhere, as in the carrier's portal. */
  changeByHand(e164: string, trunk: string): Promise<void>;
}

/** The contract of every carrier that can deliver numbers to trunks. */
export function describeDelivery(kind: string, open: () => Promise<OpenedDelivery>): void {
  describe(`delivery by ${kind}`, () => {
    let opened: OpenedDelivery;
    beforeAll(async () => void (opened = await open()));
    afterAll(() => opened[Symbol.asyncDispose]());

    test.each(Object.entries(PROMISES))("%s", (_, holds) => holds(opened));
  });
}

async function listed({ listDeliveries }: Delivery): Promise<Map<string, string | null>> {
  const found = new Map<string, string | null>();
  let after: string | undefined;
  do {
    const page = await listDeliveries(after);
    for (const { e164, trunk } of page.numbers) found.set(e164, trunk);
    after = page.next;
  } while (after !== undefined);
  return found;
}

const REFUSED = { kind: "refused" };

const PROMISES: Record<string, (opened: OpenedDelivery) => Promise<void>> = {
  async "lists the trunks of the account, each once"({ delivery, trunks }) {
    const ids = (await delivery.trunks()).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(expect.arrayContaining([...trunks]));
  },

  async "delivers a number to a trunk and confirms it"({ delivery, number, trunks: [trunk] }) {
    const e164 = await number();
    expect(await delivery.deliveryOf(e164)).toEqual({ trunk: null });

    expect(await delivery.deliver({ e164, trunk })).toEqual({ trunk });
    expect(await delivery.deliveryOf(e164)).toEqual({ trunk });
    expect((await listed(delivery)).get(e164)).toBe(trunk);
  },

  async "changes nothing if it is repeated, and moves a number to another trunk"(opened) {
    const { delivery, number, trunks } = opened;
    const e164 = await number();
    for (const trunk of [trunks[0], trunks[0], trunks[1]]) {
      expect(await delivery.deliver({ e164, trunk })).toEqual({ trunk });
      expect(await delivery.deliveryOf(e164)).toEqual({ trunk });
    }
  },

  async "reports what was changed by hand"({ delivery, number, trunks, changeByHand }) {
    const e164 = await number();
    await delivery.deliver({ e164, trunk: trunks[0] });
    await changeByHand(e164, trunks[1]);
    expect(await delivery.deliveryOf(e164)).toEqual({ trunk: trunks[1] });
    expect((await listed(delivery)).get(e164)).toBe(trunks[1]);
    expect(await delivery.deliver({ e164, trunk: trunks[0] })).toEqual({ trunk: trunks[0] });
  },

  async "rejects an unknown trunk, and leaves the number where it is"({ delivery, number, trunks }) {
    const e164 = await number();
    await delivery.deliver({ e164, trunk: trunks[0] });

    await expect(delivery.deliver({ e164, trunk: "0" })).rejects.toMatchObject(REFUSED);
    expect(await delivery.deliveryOf(e164)).toEqual({ trunk: trunks[0] });
  },

  async "rejects a number that the account does not have"({ delivery, foreign, trunks }) {
    await expect(delivery.deliver({ e164: foreign, trunk: trunks[0] })).rejects.toMatchObject(REFUSED);
    expect(await delivery.deliveryOf(foreign)).toBeUndefined();
    expect((await listed(delivery)).has(foreign)).toBe(false);
  },

  async "keeps the numbers apart"({ delivery, number, trunks }) {
    const [one, other] = [await number(), await number()];
    await Promise.all([
      delivery.deliver({ e164: one, trunk: trunks[0] }),
      delivery.deliver({ e164: other, trunk: trunks[1] }),
    ]);
    const found = await listed(delivery);
    expect([found.get(one), found.get(other)]).toEqual([trunks[0], trunks[1]]);
  },
};
