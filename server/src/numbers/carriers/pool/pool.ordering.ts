import type { Clock } from "../../../platform/clock.ts";
import type { Database } from "../../../platform/db/database.ts";
import { CarrierFault, type CarrierOrder, type Ordering, type Side, type WantedRelease } from "../carrier.ts";
import {
  findReturn,
  insertPurchases,
  listOpenPurchases,
  listPurchases,
  lockReference,
  type PurchaseRow,
  type ReturnWanted,
  setReturned,
  setRestored,
} from "./pool.purchases.store.ts";

const PAGE = 1_000;

/** Sells the live numbers of the stock; the test environment has none here. */
export function openPoolOrdering({ db, clock }: { db: Database; clock: Clock }): Ordering {
  return {
    async order({ organisationId, environment }, { reference, e164s, reservations = [] }) {
      if (environment !== "live") throw new CarrierFault("refused", "The pool sells live numbers only.");
      return db.forSystem("stock", async (tx) => {
        await lockReference(tx, reference);
        const earlier = await listPurchases(tx, reference, organisationId);
        if (earlier.length > 0) return orderOf(earlier.filter(({ e164 }) => e164s.includes(e164)));
        return orderOf(
          await insertPurchases(tx, organisationId, { reference, e164s, reservations }, clock.now()),
        );
      });
    },
    async orderStatus(of, reference) {
      const rows = await db.forSystem("stock", (tx) => listPurchases(tx, reference, of.organisationId));
      return rows.length > 0 ? orderOf(rows) : undefined;
    },
    release: (of, wanted) =>
      db.forSystem("stock", async (tx) => {
        const given = returnOf(of, wanted);
        const earlier = await findReturn(tx, given);
        // If the number was restored since then, a repeated release must not return it again.
        if (earlier) return earlier.is_returned ? "released" : "refused";
        await setReturned(tx, given, clock.now());
        return "released";
      }),
    async releaseStatus(of, wanted) {
      const found = await db.forSystem("stock", (tx) => findReturn(tx, returnOf(of, wanted)));
      return found && (found.is_returned ? "released" : "refused");
    },
    restore: (of, wanted) =>
      db.forSystem("stock", async (tx) => {
        const given = returnOf(of, wanted);
        await setRestored(tx, given, clock.now());
        const found = await findReturn(tx, given);
        return found?.is_returned === false ? "restored" : "not_available";
      }),
    async list(after) {
      const numbers = await db.forSystem("stock", (tx) => listOpenPurchases(tx, after, PAGE));
      return { numbers, next: numbers.length === PAGE ? numbers.at(-1)!.e164 : undefined };
    },
  };
}

function returnOf({ organisationId }: Side, { reference, e164, boughtAs }: WantedRelease): ReturnWanted {
  return { reference, e164, soldTo: organisationId, boughtAs: boughtAs ?? null };
}

function orderOf(rows: readonly PurchaseRow[]): CarrierOrder {
  return { items: rows.map(({ e164, is_sold }) => ({ e164, outcome: is_sold ? "bought" : "refused" })) };
}
