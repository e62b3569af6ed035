import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Check, Checks } from "./carrier-check.ts";
import { expectUsed } from "./expected-errors.ts";
import { allOf, type TriedCarrier } from "./tried-carrier.ts";
import { expectEqual, expectTrue, NotChecked } from "./violation.ts";

const RESERVED_MS = 2_000;
const CONCURRENT = 8;

interface Found {
  number: string;
  country: string | null;
  type: string;
}

const PROMISES: Record<string, Check["run"]> = {
  async "finds numbers on sale in order, and not more than the limit"(tried) {
    const found = await tried.search({ limit: "3" });
    expectEqual(found.length, 3, "the count of results for limit=3");
    expectEqual(found, found.toSorted(), "the order of the results");
    expectEqual(new Set(found).size, 3, "the count of different results");
  },

  async "continues a search after a number"(tried) {
    const all = await tried.search({ limit: "6" });
    const rest = await tried.search({ after: all[2], limit: String(all.length - 3) });
    expectEqual(rest, all.slice(3), `the search after ${all[2]}`);
  },

  async "finds by country, type, prefix and digits"(tried) {
    const { numbers } = await tried.ask<{ numbers: Found[] }>("GET", "/available?limit=20", "searchNumbers");
    const [before, sample] = numbers.slice(-2) as [Found?, Found?];
    if (!before || !sample) throw new NotChecked("Fewer than two numbers are on sale.");
    const { number, country, type } = sample;
    const [prefix, contains] = [number.slice(1, -1), number.slice(-6)];
    const criteria: Record<string, string>[] = [
      ...(country ? [{ country }] : []),
      { type },
      { prefix },
      { contains },
      { type, prefix, contains, ...(country && { country }) },
    ];
    for (const given of criteria) {
      const query = { country: undefined, after: before.number, limit: "1", ...given };
      expectEqual(await tried.search(query), [number], `search by ${JSON.stringify(given)}`);
    }
    for (const found of await tried.search({ country: undefined, prefix }))
      expectTrue(found.startsWith(`+${prefix}`), `Search by prefix ${prefix} found ${found}.`);
    for (const found of await tried.search({ country: undefined, contains }))
      expectTrue(found.slice(1).includes(contains), `Search by contains ${contains} found ${found}.`);
    const others: Record<string, string>[] = [{ type: "no-such-type" }, { country: "AQ" }];
    for (const given of others)
      expectEqual(await tried.search({ ...given, prefix }), [], `search by ${JSON.stringify(given)}`);
  },

  async "does not find numbers that are sold"(tried) {
    const [number] = (await tried.take(1)) as [string];
    expectTrue(await isOnSale(tried, number), `${number} is on sale, but search does not find it.`);
    await tried.order([number]);
    expectTrue(!(await isOnSale(tried, number)), `${number} is sold, but search finds it.`);
  },

  async "reserves numbers against other customers"(tried) {
    const [number] = (await tried.take(1)) as [string];
    const reference = randomUUID();
    expectEqual(
      await tried.reserve([number], { reference }),
      allOf([number], "available"),
      "the reservation",
    );
    expectTrue(!(await isOnSale(tried, number)), `${number} is reserved, but search finds it.`);
    const organisation = tried.other;
    const rejected = allOf([number], "not_available");
    expectEqual(
      await tried.reserve([number], { organisation }),
      rejected,
      "the reservation of another customer",
    );
    expectEqual(
      await tried.order([number], { organisation, reservations: [reference] }),
      allOf([number], "rejected"),
      "the order of another customer, even with the reference",
    );
    await tried.client.send("DELETE", `/reservations/${reference}`);
  },

  async "sells reserved numbers to the customer who reserved them"(tried) {
    const numbers = await tried.take(2);
    const reference = randomUUID();
    await tried.reserve(numbers, { reference });
    const bought = await tried.order(numbers, { reservations: [randomUUID(), reference] });
    expectEqual(bought, allOf(numbers, "bought"), "the order with the reservation");
  },

  async "reserves all numbers or none"(tried) {
    const [sold, free] = (await tried.take(2)) as [string, string];
    await tried.order([sold]);
    const outcomes = await tried.reserve([free, sold]);
    expectEqual(outcomes[sold], "not_available", "the outcome of the sold number");
    expectTrue(await isOnSale(tried, free), `${free} is reserved, although ${sold} could not be.`);
  },

  async "returns the same outcome to a repeated reservation"(tried) {
    const numbers = await tried.take(1);
    const reference = randomUUID();
    for (let times = 0; times < 3; times++)
      expectEqual(
        await tried.reserve(numbers, { reference }),
        allOf(numbers, "available"),
        "the reservation",
      );
    await tried.client.send("DELETE", `/reservations/${reference}`);
  },

  async "reserves a number for one of several concurrent requests"(tried) {
    const numbers = await tried.take(2);
    const references = Array.from({ length: CONCURRENT }, () => randomUUID());
    const all = await Promise.all(
      references.map((reference, at) =>
        tried.reserve(at % 2 === 0 ? numbers : numbers.toReversed(), {
          reference,
          organisation: at % 3 === 0 ? tried.one : tried.other,
        }),
      ),
    );
    const winners = all.filter((outcomes) => Object.values(outcomes).every((one) => one === "available"));
    for (const reference of references) await tried.client.send("DELETE", `/reservations/${reference}`);
    expectEqual(winners.length, 1, "the count of reservations that got the numbers");
  },

  async "frees the numbers of a cancelled reservation"(tried) {
    const [number] = (await tried.take(1)) as [string];
    const reference = randomUUID();
    await tried.reserve([number], { reference });
    for (let times = 0; times < 2; times++)
      await tried.ask("DELETE", `/reservations/${reference}`, "cancelReservation");
    expectTrue(await isOnSale(tried, number), `${number} is not on sale after the cancellation.`);
  },

  async "does not reserve again if a cancelled reservation is repeated"(tried) {
    const [number] = (await tried.take(1)) as [string];
    const reference = randomUUID();
    await tried.reserve([number], { reference });
    await tried.ask("DELETE", `/reservations/${reference}`, "cancelReservation");
    const repeated = await tried.reserve([number], { reference });
    expectEqual(repeated, allOf([number], "available"), "the recorded outcome");
    expectTrue(await isOnSale(tried, number), `${number} is reserved again by the repeat.`);
  },

  async "rejects a reference that belongs to a reservation of other numbers"(tried) {
    const [first, second] = (await tried.take(2)) as [string, string];
    const reference = randomUUID();
    await tried.reserve([first], { reference });
    const until = new Date(Date.now() + 600_000).toISOString();
    const body = { organisation: tried.one, numbers: [second], until };
    await expectUsed(tried, `/reservations/${reference}`, body);
    expectTrue(await isOnSale(tried, second), `${second} is reserved, although the request was rejected.`);
    await tried.client.send("DELETE", `/reservations/${reference}`);
  },

  async "ends the reservation of a number that is bought"(tried) {
    const [reserved, other] = (await tried.take(2)) as [string, string];
    const reference = randomUUID();
    await tried.reserve([reserved], { reference });
    await tried.order([reserved], { reservations: [reference] });
    await tried.order([other]);
    for (const number of [reserved, other]) await tried.release(number);
    const again = await tried.order([other, reserved], { organisation: tried.other });
    if (again[other] !== "bought") throw new NotChecked("Returned numbers are not on sale at once.");
    expectEqual(again[reserved], "bought", "the order of a number after its purchase and return");
  },

  async "accepts the cancellation of an unknown reservation"(tried) {
    await tried.ask("DELETE", `/reservations/${randomUUID()}`, "cancelReservation");
  },

  async "frees the numbers of an expired reservation"(tried) {
    const [number] = (await tried.take(1)) as [string];
    await tried.reserve([number], { forMs: RESERVED_MS });
    await sleep(RESERVED_MS + 500);
    expectTrue(await isOnSale(tried, number), `${number} is not on sale after the reservation expired.`);
    expectEqual(
      await tried.order([number]),
      allOf([number], "bought"),
      "the order after the reservation expired",
    );
  },
};

async function isOnSale(tried: TriedCarrier, number: string): Promise<boolean> {
  return (await tried.search({ prefix: number.slice(1), limit: "2" })).includes(number);
}

export const INVENTORY_CHECKS: Checks = Object.fromEntries(
  Object.entries(PROMISES).map(([promise, run]) => [promise, { needs: "inventory", run }]),
);
