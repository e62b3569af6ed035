import type { Checks } from "./carrier-check.ts";
import type { TriedCarrier } from "./tried-carrier.ts";
import { expectEqual, expectTrue } from "./violation.ts";

interface Listed {
  number: string;
}

/** Buys and returns numbers while pages are read: a number that is there all the time is listed once. */
async function expectStablePages(tried: TriedCarrier, path: string, operation: string): Promise<void> {
  const returned = new Set(await tried.take(3));
  const stable = await tried.take(5);
  await tried.order([...returned, ...stable]);
  let bought = false;
  const listed = await tried.pages<Listed>(path, operation, 2, async (rows) => {
    const passed = rows.find(({ number }) => returned.has(number));
    if (passed) {
      returned.delete(passed.number);
      await tried.release(passed.number);
    } else if (!bought && returned.size === 0) {
      bought = true;
      await tried.order(await tried.take(1));
    }
  });
  const numbers = listed.map(({ number }) => number);
  for (const number of stable)
    expectEqual(
      numbers.filter((one) => one === number).length,
      1,
      `the count of rows for ${number} in the pages of ${path}`,
    );
  expectEqual(new Set(numbers).size, numbers.length, `the count of rows in the pages of ${path}`);
}

async function expectSameInPages(tried: TriedCarrier, path: string, operation: string): Promise<void> {
  await tried.order(await tried.take(5));
  const whole = await tried.pages<Listed>(path, operation, 1_000);
  const paged = await tried.pages<Listed>(path, operation, 2);
  expectTrue(whole.length >= 5, `${path} lists ${whole.length} numbers, but five were just bought.`);
  const sorted = (rows: Listed[]) => rows.toSorted((one, other) => (one.number < other.number ? -1 : 1));
  expectEqual(sorted(paged), sorted(whole), `${path} in pages of 2`);
}

export const LISTING_CHECKS: Checks = {
  "lists the same numbers in pages of any size": {
    run: (tried) => expectSameInPages(tried, "/numbers", "listNumbers"),
  },
  "keeps its pages stable while numbers are bought and returned": {
    run: (tried) => expectStablePages(tried, "/numbers", "listNumbers"),
  },
  "lists the same deliveries in pages of any size": {
    needs: "delivery",
    run: (tried) => expectSameInPages(tried, "/deliveries", "listDeliveries"),
  },
  "keeps the pages of deliveries stable while numbers are bought and returned": {
    needs: "delivery",
    run: (tried) => expectStablePages(tried, "/deliveries", "listDeliveries"),
  },
};
