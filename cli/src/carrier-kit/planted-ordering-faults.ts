import { randomUUID } from "node:crypto";
import type { MemoryCarrier, Purchase } from "../../../examples/carrier-server/memory-carrier.ts";

/** A mistake in a carrier: it replaces functions of a sound one. */
export type Fault = (carrier: MemoryCarrier, original: MemoryCarrier) => Partial<MemoryCarrier>;

type Wanted = Parameters<MemoryCarrier["order"]>[1];

const OTHER_REFERENCE = () => randomUUID();

/** Mistakes of orders, releases and lists. */
export const ORDERING_FAULTS: Record<string, { fault: Fault; finds: string }> = {
  "buys again at each repeat": {
    finds: "returns the same outcome to a repeated order, and buys nothing twice",
    fault: (_, original) => {
      const bought: Purchase[] = [];
      const seen = new Set<string>();
      return {
        order(reference, wanted) {
          const items = original.order(reference, wanted);
          if (seen.has(reference))
            bought.push({ ...original.list("", 1_000).numbers.find((one) => one.reference === reference)! });
          seen.add(reference);
          return items;
        },
        list(after, limit) {
          const page = original.list(after, limit);
          return { ...page, numbers: page.next === null ? [...page.numbers, ...bought] : page.numbers };
        },
      };
    },
  },
  "rejects the repeat of an order, because the number is sold": {
    finds: "returns the same outcome to a repeated order, and buys nothing twice",
    fault: (_, original) => ({
      order: (_reference, wanted) => original.order(OTHER_REFERENCE(), wanted),
    }),
  },
  "decides a rejected number again": {
    finds: "keeps rejecting a number under its reference, even if it is on sale again",
    fault: (_, original) => ({
      order(reference, wanted) {
        const items = original.order(reference, wanted);
        return items.map((item) =>
          item.outcome === "rejected"
            ? original.order(OTHER_REFERENCE(), onlyOf(wanted, item.number))[0]!
            : item,
        );
      },
    }),
  },
  "rejects the whole order because of one number": {
    finds: "buys the other numbers if one is not on sale",
    fault: (_, original) => ({
      order(reference, wanted) {
        const isFree = (number: string) => original.search({ prefix: number.slice(1), limit: 1 }).length > 0;
        const known = original.orderStatus(reference);
        const numbers = known || wanted.numbers.every(isFree) ? wanted.numbers : [];
        const items = original.order(reference, { ...wanted, numbers });
        return wanted.numbers.map(
          (number) => items.find((item) => item.number === number) ?? { number, outcome: "rejected" },
        );
      },
    }),
  },
  "loses the reference of a purchase": {
    finds: "buys the numbers of an order, and lists them with reference and organisation",
    fault: (_, original) => ({ list: mapped(original, (one) => ({ ...one, reference: OTHER_REFERENCE() })) }),
  },
  "lists purchases without their organisation": {
    finds: "buys the numbers of an order, and lists them with reference and organisation",
    fault: (_, original) => ({ list: mapped(original, (one) => ({ ...one, organisation: randomUUID() })) }),
  },
  "reports a purchase of long ago": {
    finds: "buys the numbers of an order, and lists them with reference and organisation",
    fault: (_, original) => ({
      list: mapped(original, (one) => ({ ...one, bought_at: "2020-01-01T00:00:00Z" })),
    }),
  },
  "forgets orders": {
    finds: "returns the outcome of an order by its reference",
    fault: () => ({ orderStatus: () => undefined }),
  },
  "knows every order": {
    finds: "does not know an order that it never received",
    fault: (_, original) => ({
      orderStatus: (reference) =>
        original.orderStatus(reference) ?? [{ number: "+493010000001", outcome: "rejected" }],
    }),
  },
  "takes over a number of another purchase": {
    finds: "rejects a number of another purchase, and leaves that purchase alone",
    fault: (_, original) => ({
      order(reference, wanted) {
        if (!original.orderStatus(reference))
          for (const number of wanted.numbers)
            original.release(OTHER_REFERENCE(), { number, boughtAs: null });
        return original.order(reference, wanted);
      },
    }),
  },
  "adds numbers to an order": {
    finds: "rejects a reference that belongs to an order of other numbers",
    fault: (_, original) => ({
      order(reference, wanted) {
        const known = original.orderStatus(reference)?.map(({ number }) => number);
        if (!known || wanted.numbers.every((number) => known.includes(number)))
          return original.order(reference, wanted);
        return original.order(OTHER_REFERENCE(), wanted);
      },
    }),
  },
  "stays pending": {
    finds: "buys the numbers of an order, and lists them with reference and organisation",
    fault: (_, original) => ({
      order: (reference, wanted) =>
        original.order(reference, wanted).map(({ number }) => ({ number, outcome: "pending" })),
      orderStatus: (reference) =>
        original.orderStatus(reference)?.map(({ number }) => ({ number, outcome: "pending" })),
    }),
  },
  "names another number than the one ordered": {
    finds: "buys the numbers of an order, and lists them with reference and organisation",
    fault: (_, original) => ({
      order: (reference, wanted) =>
        original.order(reference, wanted).map((item) => ({ ...item, number: "+493010000001" })),
    }),
  },
  "releases a number again at each repeat": {
    finds: "leaves a number alone that was bought again, if its earlier release is repeated",
    fault: (_, original) => ({
      release: (_reference, { number }) => original.release(OTHER_REFERENCE(), { number, boughtAs: null }),
    }),
  },
  "releases what another order has bought": {
    finds: "leaves a number alone that another order has bought since",
    fault: (_, original) => ({
      release: (reference, { number }) => original.release(reference, { number, boughtAs: null }),
    }),
  },
  "keeps charging for a returned number": {
    finds: "releases a number, and no longer lists it",
    fault: () => ({ release: () => "released", releaseStatus: () => "released" }),
  },
  "rejects a release without its purchase": {
    finds: "releases a number of an unknown purchase",
    fault: (_, original) => ({
      release: (reference, wanted) =>
        wanted.boughtAs === null ? "rejected" : original.release(reference, wanted),
    }),
  },
  "rejects the release of a number it does not have": {
    finds: "counts a number that it does not have as released",
    fault: (_, original) => ({
      release: (reference, wanted) =>
        original.deliveryOf(wanted.number) || original.releaseStatus(reference)
          ? original.release(reference, wanted)
          : "rejected",
    }),
  },
  "returns the whole order with one number": {
    finds: "keeps the other numbers of an order",
    fault: (_, original) => ({
      release(reference, wanted) {
        const order = original.list("", 1_000).numbers.filter((one) => one.reference === wanted.boughtAs);
        for (const { number } of order) original.release(OTHER_REFERENCE(), { ...wanted, number });
        return original.release(reference, wanted);
      },
    }),
  },
  "forgets releases": {
    finds: "returns the same state to a repeated release",
    fault: () => ({ releaseStatus: () => undefined }),
  },
  "reports a recorded release for another number": {
    finds: "rejects a reference that belongs to the release of another number",
    fault: (_, original) => ({
      release: (reference, wanted) =>
        original.releaseStatus(reference) ?? original.release(reference, wanted),
    }),
  },
  "restores another number than the one released": {
    finds: "rejects a restore whose reference belongs to another number",
    fault: (_, original) => {
      const released = new Map<string, string>();
      return {
        release(reference, wanted) {
          released.set(wanted.number, reference);
          return original.release(reference, wanted);
        },
        restore: (reference, wanted) => original.restore(released.get(wanted.number) ?? reference, wanted),
      };
    },
  },
  "restores under another reference": {
    finds: "restores a returned number under its purchase",
    fault: (_, original) => ({
      restore(reference, wanted) {
        if (original.deliveryOf(wanted.number)) return "restored";
        const [item] = original.order(reference, {
          organisation: randomUUID(),
          numbers: [wanted.number],
          reservations: [],
        });
        return item!.outcome === "bought" ? "restored" : "not_available";
      },
    }),
  },
  "restores what it never sold": {
    finds: "does not restore a number that it never sold",
    fault: (_, original) => ({
      restore(reference, wanted) {
        original.restore(reference, wanted);
        return "restored";
      },
    }),
  },
  "counts rows to find a page": {
    finds: "keeps its pages stable while numbers are bought and returned",
    fault: (_, original) => ({
      list(after, limit) {
        const all = original.list("", 1_000).numbers;
        const start = Number(after || 0);
        const isLast = start + limit >= all.length;
        return { numbers: all.slice(start, start + limit), next: isLast ? null : String(start + limit) };
      },
    }),
  },
  "ends the list after one page": {
    finds: "lists the same numbers in pages of any size",
    fault: (_, original) => ({ list: (after, limit) => ({ ...original.list(after, limit), next: null }) }),
  },
  "repeats the last number of a page": {
    finds: "lists the same numbers in pages of any size",
    fault: (_, original) => ({
      list(after, limit) {
        const page = original.list(after, limit);
        const last = original.list("", 1_000).numbers.find(({ number }) => number === after);
        return last && page.numbers.length < limit ? { ...page, numbers: [last, ...page.numbers] } : page;
      },
    }),
  },
};

function onlyOf(wanted: Wanted, number: string): Wanted {
  return { ...wanted, numbers: [number] };
}

function mapped(original: MemoryCarrier, map: (one: Purchase) => Purchase): MemoryCarrier["list"] {
  return (after, limit) => {
    const page = original.list(after, limit);
    return { ...page, numbers: page.numbers.map(map) };
  };
}
