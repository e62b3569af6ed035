import { randomUUID } from "node:crypto";
import type { Fault } from "./planted-ordering-faults.ts";

/** Mistakes of inventory and delivery. */
export const INVENTORY_FAULTS: Record<string, { fault: Fault; finds: string }> = {
  "searches without an order": {
    finds: "finds numbers on sale in order, and not more than the limit",
    fault: (_, original) => ({ search: (query) => original.search(query).toReversed() }),
  },
  "ignores the country in a search": {
    finds: "finds by country, type, prefix and digits",
    fault: (_, original) => ({ search: (query) => original.search({ ...query, country: undefined }) }),
  },
  "ignores the digits in a search": {
    finds: "finds by country, type, prefix and digits",
    fault: (_, original) => ({ search: (query) => original.search({ ...query, contains: undefined }) }),
  },
  "finds sold numbers": {
    finds: "does not find numbers that are sold",
    fault: (_, original) => ({
      search(query) {
        const sold = original
          .list("", 1_000)
          .numbers.filter(({ number }) => number.startsWith(`+${query.prefix ?? "-"}`))
          .map(({ number }) => ({ number, country: "DE", type: "local", capabilities: ["voice"] }));
        return [...original.search(query), ...sold].slice(0, query.limit);
      },
    }),
  },
  "sells reserved numbers to anyone with the reference": {
    finds: "reserves numbers against other customers",
    fault: (_, original) => ({
      order(reference, wanted) {
        for (const one of wanted.reservations) original.unreserve(one);
        return original.order(reference, wanted);
      },
    }),
  },
  "reserves some of the numbers": {
    finds: "reserves all numbers or none",
    fault: (_, original) => ({
      reserve: (reference, wanted) =>
        wanted.numbers.flatMap((number) =>
          original.reserve(`${reference} ${number}`, { ...wanted, numbers: [number] }),
        ),
      unreserve(reference) {
        original.unreserve(reference);
      },
    }),
  },
  "keeps reservations forever": {
    finds: "frees the numbers of an expired reservation",
    fault: (_, original) => ({
      reserve: (reference, wanted) =>
        original.reserve(reference, { ...wanted, until: "2099-01-01T00:00:00.000Z" }),
    }),
  },
  "reserves again if a cancelled reservation is repeated": {
    finds: "does not reserve again if a cancelled reservation is repeated",
    fault: (_, original) => {
      const cancelled = new Set<string>();
      return {
        reserve: (reference, wanted) =>
          original.reserve(cancelled.has(reference) ? randomUUID() : reference, wanted),
        unreserve(reference) {
          cancelled.add(reference);
          original.unreserve(reference);
        },
      };
    },
  },
  "reports a recorded reservation for other numbers": {
    finds: "rejects a reference that belongs to a reservation of other numbers",
    fault: (_, original) => {
      const outcomes = new Map<string, ReturnType<typeof original.reserve>>();
      return {
        reserve(reference, wanted) {
          const known = outcomes.get(reference) ?? original.reserve(reference, wanted);
          outcomes.set(reference, known);
          return known;
        },
      };
    },
  },
  "keeps the reservation of a number that is bought": {
    finds: "ends the reservation of a number that is bought",
    fault: (_, original) => {
      const holds = new Map<string, string>();
      return {
        order(reference, wanted) {
          const isHeld = (number: string) =>
            holds.has(number) && !wanted.reservations.includes(holds.get(number)!);
          const sold = wanted.numbers.filter((number) => original.orderStatus(reference) || !isHeld(number));
          const items = original.order(reference, { ...wanted, numbers: sold });
          const used = wanted.reservations.at(-1);
          if (used) for (const number of sold) holds.set(number, used);
          return wanted.numbers.map(
            (number) => items.find((item) => item.number === number) ?? { number, outcome: "rejected" },
          );
        },
      };
    },
  },
  "does not cancel reservations": {
    finds: "frees the numbers of a cancelled reservation",
    fault: () => ({ unreserve: () => {} }),
  },
  "accepts any trunk": {
    finds: "rejects a trunk that it does not have, and changes nothing",
    fault: (_, original) => ({
      deliver: (number, trunk) =>
        original.trunks().some(({ id }) => id === trunk) || !original.deliveryOf(number)
          ? original.deliver(number, trunk)
          : { trunk },
    }),
  },
  "reports a trunk that it does not use": {
    finds: "delivers to a trunk, and reads the same trunk back",
    fault: (_, original) => ({
      deliver: (number, trunk) => (original.deliveryOf(number) ? { trunk } : original.deliver(number, trunk)),
    }),
  },
  "delivers all numbers to the same trunk": {
    finds: "changes only the number that was named",
    fault: (_, original) => ({
      deliver(number, trunk) {
        const delivered = original.deliver(number, trunk);
        for (const one of original.list("", 1_000).numbers) original.deliver(one.number, trunk);
        return delivered;
      },
    }),
  },
};
