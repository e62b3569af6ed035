import { KINDS } from "../src/numbers/carriers/carrier-kinds.ts";
import {
  CarrierFault,
  type CarrierOrder,
  type Carriers,
  type Inventories,
  type Inventory,
  type Ordering,
  type OrderingCarrier,
  type ReleaseState,
  type WantedOrder,
} from "../src/numbers/carriers/carrier.ts";

/** Course of a request. A completed action stays completed even if its response is lost. */
export type Manner =
  | "well"
  /** The connection breaks before the carrier gets the request. The client cannot know. */
  | "unheard"
  /** It is done, and then the line breaks. */
  | "lost"
  /** The action completes, and the response is an error. */
  | "failed"
  | "not_sent"
  /** It says no to the whole call, and nothing happens. */
  | "refused"
  /** The carrier needs time: the action completes after two more queries. */
  | "pending"
  /** Another customer buys the first of the numbers just before. */
  | "sold"
  /** It names only the first of the numbers. */
  | "partial";

export type Call = "order" | "orderStatus" | "release" | "releaseStatus" | "search";

interface Purchase {
  e164: string;
  reference: string;
  organisationId: string;
  returnedBy: string | null;
  boughtAt: string | null;
}

interface Pending<Outcome> {
  outcome: Outcome;
  /** Questions until it is known. */
  left: number;
}

export interface ScriptedCarrier extends OrderingCarrier {
  inventory: Inventory;
  ordering: Ordering;
  /** Everything it ever sold. */
  ledger: Purchase[];
  calls: { call: Call; reference: string }[];
  /** How the next calls of a kind go; afterwards they go well. */
  script(call: Call, ...manners: Manner[]): void;
  /** Nothing is left of the script: from now on all goes well. */
  behave(): void;
  stock(...e164s: string[]): void;
}

/** State of the carrier. */
interface Books {
  free: Set<string>;
  reserved: Map<string, string>;
  ledger: Purchase[];
  orders: Map<string, Map<string, Pending<"bought" | "refused">>>;
  returns: Map<string, Pending<"released">>;
  calls: ScriptedCarrier["calls"];
  scripts: Map<Call, Manner[]>;
}

/** A carrier in memory that keeps the interface's guarantees and otherwise follows its script. */
export function scriptedCarrier(name = "scripted"): ScriptedCarrier {
  const books: Books = {
    free: new Set(),
    reserved: new Map(),
    ledger: [],
    orders: new Map(),
    returns: new Map(),
    calls: [],
    scripts: new Map(),
  };
  const { scripts, free, ledger, calls } = books;
  return {
    name,
    inventory: inventoryOf(books, name),
    ordering: orderingOf(books),
    ledger,
    calls,
    script: (call, ...manners) => void scripts.set(call, [...(scripts.get(call) ?? []), ...manners]),
    behave: () => scripts.clear(),
    stock: (...e164s) => e164s.forEach((e164) => free.add(e164)),
  };
}

async function ask<Answer>(
  { calls, scripts }: Books,
  call: Call,
  reference: string,
  work: (manner: Manner) => Answer,
): Promise<Answer> {
  calls.push({ call, reference });
  const manner = scripts.get(call)?.shift() ?? "well";
  if (manner === "not_sent") throw new CarrierFault("not_sent", "The line is dead.");
  if (manner === "unheard") throw new CarrierFault("unknown", "No answer.");
  if (manner === "refused") throw new CarrierFault("refused", "Not you.");
  const answer = work(manner);
  // As a program breaks: not every error says of which kind it is.
  if (manner === "lost") throw new Error("socket hang up");
  if (manner === "failed") throw new CarrierFault("unknown", "Internal error.");
  return answer;
}

function orderingOf(books: Books): Ordering {
  const { free, ledger, orders, returns } = books;
  return {
    order: ({ organisationId }, wanted) =>
      ask(books, "order", wanted.reference, (manner) => {
        if (manner === "sold") free.delete(wanted.e164s[0]!);
        if (!orders.has(wanted.reference)) {
          const left = manner === "pending" ? 2 : 0;
          const items = wanted.e164s.map(
            (e164) => [e164, { outcome: sell(books, organisationId, wanted, e164), left }] as const,
          );
          orders.set(wanted.reference, new Map(items));
        }
        return shown(books, wanted.reference);
      }),
    orderStatus: (_of, reference) =>
      ask(books, "orderStatus", reference, (manner) => {
        if (!orders.has(reference)) return undefined;
        const { items } = shown(books, reference);
        return { items: manner === "partial" ? items.slice(0, 1) : items };
      }),
    release: (_of, { reference, e164, boughtAs }) =>
      ask(books, "release", reference, (manner) => {
        if (!returns.has(reference)) {
          const owned = ledger.find(
            (one) =>
              one.e164 === e164 &&
              one.returnedBy === null &&
              (boughtAs === undefined || one.reference === boughtAs),
          );
          if (owned) {
            owned.returnedBy = reference;
            free.add(e164);
          }
          returns.set(reference, { outcome: "released", left: manner === "pending" ? 2 : 0 });
        }
        return returned(returns.get(reference)!);
      }),
    releaseStatus: (_of, { reference }) =>
      ask(books, "releaseStatus", reference, () =>
        returns.has(reference) ? returned(returns.get(reference)!) : undefined,
      ),
    list: async () => ({
      numbers: ledger.filter(({ returnedBy }) => returnedBy === null),
      next: undefined,
    }),
  };
}

function inventoryOf(books: Books, name: string): Inventory {
  const { free, reserved } = books;
  return {
    name,
    search: (_of, { prefix = "", limit }) =>
      ask(books, "search", "", () =>
        [...free]
          .filter((e164) => e164.startsWith(`+${prefix}`) && !reserved.has(e164))
          .toSorted()
          .slice(0, limit)
          .map((e164) => ({ e164, country: "GB", type: "local", capabilities: ["voice"] })),
      ),
    async reserve(_of, { reference, e164s }) {
      const isWhole = e164s.every((e164) => free.has(e164) && !reserved.has(e164));
      if (isWhole) for (const e164 of e164s) reserved.set(e164, reference);
      return e164s.map((e164) => ({ e164, outcome: isWhole ? "available" : "not_available" }));
    },
    async unreserve(reference) {
      for (const [e164, by] of reserved) if (by === reference) reserved.delete(e164);
    },
  };
}

function sell(
  { free, reserved, ledger }: Books,
  organisationId: string,
  { reference, reservations = [] }: WantedOrder,
  e164: string,
): "bought" | "refused" {
  const isPutAside = reserved.has(e164) && !reservations.includes(reserved.get(e164)!);
  if (isPutAside || !free.delete(e164)) return "refused";
  ledger.push({ e164, reference, organisationId, returnedBy: null, boughtAt: new Date().toISOString() });
  return "bought";
}

function shown({ orders }: Books, reference: string): CarrierOrder {
  return {
    items: [...orders.get(reference)!].map(([e164, item]) => ({
      e164,
      outcome: item.left-- > 0 ? "pending" : item.outcome,
    })),
  };
}

function returned(item: Pending<"released">): ReleaseState {
  return item.left-- > 0 ? "pending" : item.outcome;
}

/** The only carrier, for both environments. */
export function onlyCarrier(carrier: OrderingCarrier): Carriers {
  return {
    openFor: () => [carrier],
    named: (name) => (name === carrier.name ? carrier : undefined),
    live: () => [carrier.name],
    kinds: KINDS,
    refresh: async () => {},
  };
}

/** Carriers of numbers that exist already. Nothing is ordered from them. */
export function formerCarriers(named: Carriers["named"]): Carriers {
  return { openFor: () => [], named, live: () => [], kinds: KINDS, refresh: async () => {} };
}

export const NO_INVENTORY: Inventories = {
  isConnected: () => false,
  of: () => undefined,
  named: () => undefined,
};

/** The only inventory, for both environments. */
export function onlyInventory(inventory: Inventory): Inventories {
  return {
    isConnected: () => true,
    of: () => inventory,
    named: (_environment, name) => (name === inventory.name ? inventory : undefined),
  };
}
