import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Checks } from "./carrier-check.ts";
import { expectUnknown, expectUsed, isUnknown } from "./expected-errors.ts";
import { allOf, type TriedCarrier } from "./tried-carrier.ts";
import { expectEqual, expectTrue } from "./violation.ts";

const CONCURRENT = 8;

/** Orders without a response are repeated until there is one, as Dialplane does. */
async function expectOnce(tried: TriedCarrier, number: string, reference: string): Promise<void> {
  const bought = await tried.ownedAs(number);
  expectEqual(
    bought.map((one) => one.reference),
    [reference],
    `the purchases of ${number}`,
  );
}

/** A request arrives within this time after it was sent. */
const ARRIVAL_MS = 50;
const BETWEEN_GETS_MS = 100;

/** Whether `GET` returned `unknown` while the `PUT` of the order was in progress. */
async function isUnknownInProgress(tried: TriedCarrier): Promise<boolean> {
  const [number] = (await tried.take(1)) as [string];
  const reference = randomUUID();
  const target = `/orders/${reference}`;
  const body = { organisation: tried.one, numbers: [number], reservations: [] };
  const { sent, replied } = tried.client.start("PUT", target, body);
  const work = { isOver: false };
  const over = replied.finally(() => (work.isOver = true));
  // Handled below, even if it fails first.
  over.catch(() => {});
  await sent;
  await sleep(ARRIVAL_MS);
  let wasUnknown = false;
  while (!work.isOver) {
    wasUnknown ||= isUnknown(await tried.client.send("GET", target));
    await sleep(BETWEEN_GETS_MS);
  }
  await over;
  expectEqual(await tried.order([number], { reference }), { [number]: "bought" }, "the order");
  return wasUnknown;
}

export const ORDERING_CHECKS: Checks = {
  "buys the numbers of an order, and lists them with reference and organisation": {
    async run(tried) {
      const numbers = await tried.take(2);
      const reference = randomUUID();
      const before = Date.now();
      expectEqual(await tried.order(numbers, { reference }), allOf(numbers, "bought"), "the order");
      for (const number of numbers) {
        await expectOnce(tried, number, reference);
        const [bought] = await tried.ownedAs(number);
        expectEqual(bought!.organisation, tried.one, `the organisation of ${number}`);
        const at = Date.parse(bought!.bought_at ?? "");
        if (bought!.bought_at !== null)
          expectTrue(
            Math.abs(at - before) < 3_600_000,
            `bought_at of ${number} is ${bought!.bought_at}, but it was bought now.`,
          );
      }
    },
  },
  "returns the same outcome to a repeated order, and buys nothing twice": {
    async run(tried) {
      const numbers = await tried.take(2);
      const reference = randomUUID();
      await tried.order(numbers, { reference });
      const before = await tried.owned();
      for (let times = 0; times < 3; times++)
        expectEqual(
          await tried.order(numbers, { reference }),
          allOf(numbers, "bought"),
          "the repeated order",
        );
      expectEqual(await tried.owned(), before, "the list of numbers after the repeats");
    },
  },
  "buys once if the response is lost and the order repeated": {
    async run(tried) {
      const [number] = (await tried.take(1)) as [string];
      const reference = randomUUID();
      const body = { organisation: tried.one, numbers: [number], reservations: [] };
      for (let times = 0; times < 3; times++) await tried.client.lose("PUT", `/orders/${reference}`, body);
      expectEqual(
        await tried.order([number], { reference }),
        { [number]: "bought" },
        "the order after three lost responses",
      );
      await expectOnce(tried, number, reference);
    },
  },
  "buys once for concurrent requests with one reference": {
    async run(tried) {
      const [number] = (await tried.take(1)) as [string];
      const reference = randomUUID();
      const outcomes = await Promise.all(
        Array.from({ length: CONCURRENT }, () => tried.order([number], { reference })),
      );
      for (const outcome of outcomes) expectEqual(outcome, { [number]: "bought" }, "each response");
      await expectOnce(tried, number, reference);
    },
  },
  "sells a number to one of several concurrent orders": {
    async run(tried) {
      const [number] = (await tried.take(1)) as [string];
      const outcomes = await Promise.all(
        Array.from({ length: CONCURRENT }, (_, at) =>
          tried.order([number], { organisation: at % 2 === 0 ? tried.one : tried.other }),
        ),
      );
      const buyers = outcomes.filter((outcome) => outcome[number] === "bought").length;
      expectEqual(buyers, 1, "the count of orders that bought the number");
      expectEqual((await tried.ownedAs(number)).length, 1, "the count of its purchases");
    },
  },
  "rejects a number of another purchase, and leaves that purchase alone": {
    async run(tried) {
      const [number] = (await tried.take(1)) as [string];
      const reference = randomUUID();
      await tried.order([number], { reference });
      for (const organisation of [tried.one, tried.other])
        expectEqual(
          await tried.order([number], { organisation }),
          { [number]: "rejected" },
          "an order of a number that is sold",
        );
      await expectOnce(tried, number, reference);
    },
  },
  "buys the other numbers if one is not on sale": {
    async run(tried) {
      const [sold, first, last] = (await tried.take(3)) as [string, string, string];
      await tried.order([sold]);
      const expected = { [first]: "bought", [sold]: "rejected", [last]: "bought" };
      expectEqual(await tried.order([first, sold, last]), expected, "the order");
    },
  },
  "keeps rejecting a number under its reference, even if it is on sale again": {
    async run(tried) {
      const [sold, other] = (await tried.take(2)) as [string, string];
      const [earlier, reference] = [randomUUID(), randomUUID()];
      await tried.order([sold], { reference: earlier });
      await tried.order([sold, other], { reference });
      await tried.release(sold, { boughtAs: earlier });
      expectEqual(
        await tried.order([sold, other], { reference }),
        { [sold]: "rejected", [other]: "bought" },
        "the repeated order",
      );
      expectEqual(await tried.ownedAs(sold), [], "the purchases of the rejected number");
    },
  },
  "accepts a repeat for some numbers of the order": {
    async run(tried) {
      const numbers = await tried.take(2);
      const reference = randomUUID();
      await tried.order(numbers, { reference });
      expectEqual(
        await tried.order([numbers[1]!], { reference }),
        { [numbers[1]!]: "bought" },
        "the repeat for one number",
      );
    },
  },
  "rejects a reference that belongs to an order of other numbers": {
    async run(tried) {
      const [first, second] = (await tried.take(2)) as [string, string];
      const reference = randomUUID();
      await tried.order([first], { reference });
      const body = { organisation: tried.one, numbers: [second], reservations: [] };
      await expectUsed(tried, `/orders/${reference}`, body);
      expectEqual(await tried.ownedAs(second), [], "the purchases of the second number");
    },
  },
  "returns the outcome of an order by its reference": {
    async run(tried) {
      const [sold, number] = (await tried.take(2)) as [string, string];
      await tried.order([sold]);
      const reference = randomUUID();
      await tried.order([sold, number], { reference });
      const outcomes = await tried.settle(reference, { [sold]: "pending", [number]: "pending" });
      expectEqual(outcomes, { [sold]: "rejected", [number]: "bought" }, `GET /orders/${reference}`);
    },
  },
  "does not call an order unknown while the order is in progress": {
    async run(tried) {
      let times = 0;
      for (let orders = 0; orders < 4; orders++) if (await isUnknownInProgress(tried)) times++;
      // A single one can be an order that was delayed on its way.
      expectTrue(
        times < 2,
        `GET /orders/{reference} returned "unknown" during the PUT of ${times} of 4 orders. Wait for the PUT, or return pending or 503.`,
      );
    },
  },
  "does not know an order that it never received": {
    run: (tried) => expectUnknown(tried, "GET", `/orders/${randomUUID()}`),
  },
};
