import type { Clock } from "../../../platform/clock.ts";
import type { Database } from "../../../platform/db/database.ts";
import type { Inventory, OrderingCarrier, Side } from "../carrier.ts";
import { openPoolOrdering } from "./pool.ordering.ts";
import {
  deleteStockReservations,
  insertStockReservations,
  listFreeNumbers,
  type StockSide,
} from "./pool.store.ts";

/** The operator's own stock: numbers that were loaded into this installation and have no holder. */
export const POOL = {
  credentials: undefined,
  url: undefined,
  open: (settings: { db: Database; clock: Clock }) => openPool(settings),
};

export function openPool(app: { db: Database; clock: Clock }): OrderingCarrier & { inventory: Inventory } {
  return { name: "pool", inventory: openPoolInventory(app), ordering: openPoolOrdering(app) };
}

export function openPoolInventory({ db, clock }: { db: Database; clock: Clock }): Inventory {
  return {
    name: "pool",
    search: (of, { country = null, type = null, contains = null, prefix = null, after = null, limit }) =>
      db.forSystem("stock", (tx) =>
        listFreeNumbers(
          tx,
          stockOf(of),
          { country, type, contains, prefix, after },
          { limit: limit + 1, now: clock.now() },
        ),
      ),
    reserve: (of, wanted) =>
      db.forSystem("stock", async (tx) => {
        const taken = new Set(await insertStockReservations(tx, stockOf(of), wanted, clock.now()));
        const isWhole = wanted.e164s.every((e164) => taken.has(e164));
        if (!isWhole) await deleteStockReservations(tx, wanted.reference);
        return wanted.e164s.map((e164) => ({
          e164,
          outcome: taken.has(e164) ? "available" : "not_available",
        }));
      }),
    unreserve: (reference) => db.forSystem("stock", (tx) => deleteStockReservations(tx, reference)),
  };
}

function stockOf({ organisationId, environment }: Side): StockSide {
  return { environment, testSideOf: environment === "test" ? organisationId : null };
}
