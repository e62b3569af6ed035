import type { Clock } from "../../../platform/clock.ts";
import type { Database } from "../../../platform/db/database.ts";
import type { Inventory, InventoryQuery, OfferedNumber, Side } from "../carrier.ts";
import { fictionalNumbers, isFictional } from "./sandbox.rules.ts";
import { deleteReservations, insertReservations, listFree } from "./sandbox.store.ts";

const CHUNK = 500;

/** Fictional numbers; every test environment has all of them to itself. */
export function openSandboxInventory({ db, clock }: { db: Database; clock: Clock }): Inventory {
  return {
    name: "sandbox",
    async search(of, query) {
      const found: OfferedNumber[] = [];
      for (const chunk of chunksOf(candidates(of, query))) {
        const free = await db.forSystem("sandbox", (tx) =>
          listFree(tx, of.organisationId, chunk, clock.now()),
        );
        found.push(...free.toSorted().map(offerOf));
        if (found.length > query.limit) break;
      }
      return found.slice(0, query.limit + 1);
    },
    reserve: (of, { reference, e164s, until }) =>
      db.forSystem("sandbox", async (tx) => {
        const wanted = of.environment === "test" ? e164s.filter(isFictional) : [];
        const taking = { reference, e164s: wanted, until, reservations: [] };
        const taken = new Set(await insertReservations(tx, of.organisationId, taking, clock.now()));
        if (e164s.some((e164) => !taken.has(e164))) await deleteReservations(tx, reference);
        return e164s.map((e164) => ({ e164, outcome: taken.has(e164) ? "available" : "not_available" }));
      }),
    unreserve: (reference) => db.forSystem("sandbox", (tx) => deleteReservations(tx, reference)),
  };
}

function candidates({ environment }: Side, query: InventoryQuery): Iterable<string> {
  const { country = "US", type = "local" } = query;
  return environment === "test" && country === "US" && type === "local" ? fictionalNumbers(query) : [];
}

function* chunksOf(all: Iterable<string>): Generator<string[]> {
  let chunk: string[] = [];
  for (const one of all) {
    chunk.push(one);
    if (chunk.length < CHUNK) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}

function offerOf(e164: string): OfferedNumber {
  return { e164, country: "US", type: "local", capabilities: ["voice"] };
}
