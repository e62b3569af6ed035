import { randomInt } from "node:crypto";
import { CarrierFault, type OfferedNumber } from "../carriers/carrier.ts";
import { NONE_FITS } from "./orders.errors.ts";
import { listUnderWay } from "./orders.store.ts";
import {
  carrierOf,
  type Change,
  queryCarrier,
  type Moved,
  moveItems,
  sideOf,
  type Turn,
} from "./orders.claim.ts";

/** Enough that many who want the same kind of number at once rarely choose the same one. */
const CANDIDATES = 500;

/** Picks numbers of the wanted kind. Items for which none is left end here. */
export async function chooseNumbers(turn: Turn): Promise<Moved> {
  const { order } = turn;
  const found = await searchFree(turn);
  if (typeof found === "string") return { order, waits: [{ kind: "choose" }, found] };
  const chosen = shuffled(found);
  const wanted = order.items.filter(({ step }) => step === "wanted");
  const changes = wanted.map(({ position, round }, at): Change => {
    const number = chosen[at];
    return number
      ? { position, step: "chosen", e164: number.e164, round: round + 1 }
      : { position, step: "refused", ...NONE_FITS };
  });
  return { order: await moveItems(turn, async () => changes) };
}

/** Or what to wait for. */
async function searchFree(turn: Turn): Promise<OfferedNumber[] | string> {
  const { app, order } = turn;
  const inventory = carrierOf(turn)?.inventory;
  if (!inventory) return "carrier_not_connected";
  const offered = await queryCarrier(turn, () =>
    inventory.search(sideOf(order), { ...order.criteria, limit: CANDIDATES }),
  );
  // It does not sell what is wanted.
  if (offered instanceof CarrierFault && offered.kind === "refused") return [];
  if (offered instanceof CarrierFault) return "carrier_unreachable";
  const underWay = await listUnderWay(
    app.db,
    order,
    offered.map(({ e164 }) => e164),
  );
  const taken = new Set([...underWay, ...order.items.map(({ e164 }) => e164)]);
  return offered.filter(({ e164 }) => !taken.has(e164));
}

function shuffled<Item>(items: readonly Item[]): Item[] {
  const all = [...items];
  for (let at = all.length - 1; at > 0; at--) {
    const other = randomInt(at + 1);
    [all[at], all[other]] = [all[other]!, all[at]!];
  }
  return all;
}
