import { randomUUID } from "node:crypto";
import type { Checks } from "./carrier-check.ts";
import { expectUnknown, expectUsed } from "./expected-errors.ts";
import type { TriedCarrier } from "./tried-carrier.ts";
import { expectEqual, NotChecked } from "./violation.ts";

async function bought(tried: TriedCarrier): Promise<{ number: string; reference: string }> {
  const [number] = (await tried.take(1)) as [string];
  const reference = randomUUID();
  expectEqual(await tried.order([number], { reference }), { [number]: "bought" }, "the order");
  return { number, reference };
}

/** Buys a returned number again, where the carrier sells it at once. */
async function buyAgain(tried: TriedCarrier, number: string): Promise<string> {
  const reference = randomUUID();
  const outcomes = await tried.order([number], { reference });
  if (outcomes[number] !== "bought") throw new NotChecked("Returned numbers are not on sale at once.");
  return reference;
}

const releaseOf = (tried: TriedCarrier, number: string, bought_as: string | null) => ({
  organisation: tried.one,
  number,
  bought_as,
});

export const RELEASE_CHECKS: Checks = {
  "releases a number, and no longer lists it": {
    async run(tried) {
      const { number, reference } = await bought(tried);
      expectEqual(await tried.release(number, { boughtAs: reference }), "released", "the release");
      expectEqual(await tried.ownedAs(number), [], "the purchases of the number");
    },
  },
  "returns the same state to a repeated release": {
    async run(tried) {
      const { number, reference: boughtAs } = await bought(tried);
      const reference = randomUUID();
      for (let times = 0; times < 3; times++)
        expectEqual(await tried.release(number, { reference, boughtAs }), "released", "the release");
      const state = (await tried.ask<{ state: string }>("GET", `/releases/${reference}`, "getRelease")).state;
      expectEqual(state, "released", `GET /releases/${reference}`);
    },
  },
  "releases a number if the response is lost and the release repeated": {
    async run(tried) {
      const { number, reference: boughtAs } = await bought(tried);
      const reference = randomUUID();
      const body = releaseOf(tried, number, boughtAs);
      for (let times = 0; times < 2; times++) await tried.client.lose("PUT", `/releases/${reference}`, body);
      expectEqual(await tried.release(number, { reference, boughtAs }), "released", "the release");
      expectEqual(await tried.ownedAs(number), [], "the purchases of the number");
    },
  },
  "leaves a number alone that was bought again, if its earlier release is repeated": {
    async run(tried) {
      const { number, reference: boughtAs } = await bought(tried);
      const reference = randomUUID();
      await tried.release(number, { reference });
      const later = await buyAgain(tried, number);
      expectEqual(await tried.release(number, { reference, boughtAs }), "released", "the repeated release");
      const purchases = (await tried.ownedAs(number)).map((one) => one.reference);
      expectEqual(purchases, [later], "the purchases of the number");
    },
  },
  "leaves a number alone that another order has bought since": {
    async run(tried) {
      const { number, reference: boughtAs } = await bought(tried);
      await tried.release(number, { boughtAs });
      const later = await buyAgain(tried, number);
      expectEqual(
        await tried.release(number, { boughtAs }),
        "released",
        "the release of the earlier purchase",
      );
      const purchases = (await tried.ownedAs(number)).map((one) => one.reference);
      expectEqual(purchases, [later], "the purchases of the number");
    },
  },
  "releases a number of an unknown purchase": {
    async run(tried) {
      const { number } = await bought(tried);
      expectEqual(
        await tried.release(number, { boughtAs: null }),
        "released",
        "the release without bought_as",
      );
      expectEqual(await tried.ownedAs(number), [], "the purchases of the number");
    },
  },
  "counts a number that it does not have as released": {
    async run(tried) {
      const [number] = (await tried.take(1)) as [string];
      expectEqual(await tried.release(number), "released", "the release");
    },
  },
  "keeps the other numbers of an order": {
    async run(tried) {
      const [returned, kept] = (await tried.take(2)) as [string, string];
      const reference = randomUUID();
      await tried.order([returned, kept], { reference });
      await tried.release(returned, { boughtAs: reference });
      expectEqual((await tried.ownedAs(kept)).length, 1, "the count of purchases of the other number");
    },
  },
  "rejects a reference that belongs to the release of another number": {
    async run(tried) {
      const [first, second] = [await bought(tried), await bought(tried)];
      const reference = randomUUID();
      await tried.release(first.number, { reference, boughtAs: first.reference });
      await expectUsed(tried, `/releases/${reference}`, releaseOf(tried, second.number, second.reference));
      expectEqual(
        (await tried.ownedAs(second.number)).length,
        1,
        "the count of purchases of the second number",
      );
    },
  },
  "does not know a release that it never received": {
    run: (tried) => expectUnknown(tried, "GET", `/releases/${randomUUID()}`),
  },
  "restores a returned number under its purchase": {
    needs: "restore",
    async run(tried) {
      const { number, reference: boughtAs } = await bought(tried);
      const reference = randomUUID();
      await tried.release(number, { reference, boughtAs });
      for (let times = 0; times < 2; times++)
        expectEqual(await restore(tried, number, reference, boughtAs), "restored", "the restore");
      const purchases = (await tried.ownedAs(number)).map((one) => one.reference);
      expectEqual(purchases, [boughtAs], "the purchases of the number");
    },
  },
  "leaves a restored number alone if its release is repeated": {
    needs: "restore",
    async run(tried) {
      const { number, reference: boughtAs } = await bought(tried);
      const reference = randomUUID();
      await tried.release(number, { reference, boughtAs });
      await restore(tried, number, reference, boughtAs);
      await tried.release(number, { reference, boughtAs });
      expectEqual((await tried.ownedAs(number)).length, 1, "the count of purchases of the number");
    },
  },
  "rejects a restore whose reference belongs to another number": {
    needs: "restore",
    async run(tried) {
      const [first, second] = [await bought(tried), await bought(tried)];
      const reference = randomUUID();
      await tried.release(first.number, { reference, boughtAs: first.reference });
      await tried.release(second.number, { boughtAs: second.reference });
      await expectUsed(tried, `/restores/${reference}`, releaseOf(tried, second.number, second.reference));
      expectEqual(await tried.ownedAs(second.number), [], "the purchases of the second number");
    },
  },
  "does not restore a number that it never sold": {
    needs: "restore",
    async run(tried) {
      const [number] = (await tried.take(1)) as [string];
      expectEqual(await restore(tried, number, randomUUID(), randomUUID()), "not_available", "the restore");
      expectEqual(await tried.ownedAs(number), [], "the purchases of the number");
    },
  },
};

async function restore(tried: TriedCarrier, number: string, reference: string, boughtAs: string) {
  const body = releaseOf(tried, number, boughtAs);
  return (await tried.ask<{ outcome: string }>("PUT", `/restores/${reference}`, "restore", body)).outcome;
}
