import type { Clock } from "../../../platform/clock.ts";
import type { Database, Tx } from "../../../platform/db/database.ts";
import {
  CarrierFault,
  type CarrierOrder,
  type Ordering,
  type ReleaseState,
  type WantedOrder,
} from "../carrier.ts";
import {
  type Manner,
  orderMannerOf,
  PENDING_MS,
  releaseMannerOf,
  requirementsFor,
  saleable,
  SILENT_MS,
  UNREACHABLE_MS,
} from "./sandbox.rules.ts";
import { sellAccepted } from "./sandbox.requirements.ts";
import {
  findReturn,
  firstTried,
  insertPurchases,
  insertReservations,
  listPurchases,
  listSold,
  lockReference,
  type PurchaseRow,
  type Return,
  setReturned,
  setRestored,
} from "./sandbox.store.ts";

export interface Sandbox {
  db: Database;
  clock: Clock;
  /** Delay of a response that is slow or never comes. */
  slowMs: number;
}

const PAGE = 1_000;
/** Time of the purchase of a number whose evidence is not complete. */
const NEVER = new Date("9999-12-31T00:00:00Z");

export function openSandboxOrdering(sandbox: Sandbox): Ordering {
  const { db, clock } = sandbox;
  return {
    async order({ organisationId, environment }, wanted) {
      if (environment !== "test")
        throw new CarrierFault("refused", "The sandbox sells numbers only to test environments.");
      const manners = wanted.e164s.map(orderMannerOf);
      await arrive(sandbox, organisationId, wanted.reference, manners);
      const { isFirst, rows } = await db.forSystem("sandbox", (tx) =>
        sell(tx, organisationId, wanted, clock.now()),
      );
      if (isFirst) await answer(sandbox, manners);
      return orderOf(rows, clock.now());
    },
    async orderStatus({ organisationId }, reference) {
      const rows = await db.forSystem("sandbox", async (tx) => {
        await sellAccepted(tx, organisationId, reference, clock.now());
        return listPurchases(tx, organisationId, reference);
      });
      if (rows.length === 0) return undefined;
      const isSilent = rows.some(({ e164 }) => orderMannerOf(e164) === "silent");
      if (isSilent) keepSilent(rows[0]!.asked_at, clock.now());
      return orderOf(rows, clock.now());
    },
    async release({ organisationId }, { reference, e164, boughtAs }) {
      const manner = releaseMannerOf(e164);
      await arrive(sandbox, organisationId, reference, [manner]);
      if (manner === "refused") return "refused";
      const { isFirst, state } = await db.forSystem("sandbox", (tx) =>
        acceptReturn(tx, { testSideOf: organisationId, reference, e164, boughtAs }, clock.now()),
      );
      if (isFirst) await answer(sandbox, [manner]);
      return state;
    },
    async releaseStatus({ organisationId }, { reference, e164 }) {
      const found = await db.forSystem("sandbox", (tx) =>
        findReturn(tx, { testSideOf: organisationId, reference, e164 }),
      );
      if (found?.returned_at && releaseMannerOf(e164) === "silent")
        keepSilent(found.returned_at, clock.now());
      return found && stateOf(found.returned_at, clock.now());
    },
    restore: ({ organisationId }, { reference, e164 }) =>
      db.forSystem("sandbox", async (tx) => {
        const given = { testSideOf: organisationId, reference, e164 };
        await setRestored(tx, given, clock.now());
        return (await findReturn(tx, given))?.returned_at === null ? "restored" : "not_available";
      }),
    async list(after) {
      const [e164, reference] = after?.split("/") ?? [];
      const from = e164 && reference ? { e164, reference } : undefined;
      const numbers = await db.forSystem("sandbox", (tx) => listSold(tx, from, PAGE, clock.now()));
      const last = numbers.at(-1);
      return { numbers, next: numbers.length === PAGE ? `${last!.e164}/${last!.reference}` : undefined };
    },
  };
}

/** Whether a call gets through to the company at all. */
async function arrive(
  { db, clock }: Sandbox,
  testSideOf: string,
  reference: string,
  manners: readonly (Manner | undefined)[],
): Promise<void> {
  const isUnreachable = manners.includes("unreachable");
  if (!isUnreachable && !manners.includes("lost")) return;
  const now = clock.now();
  const first = await db.forSystem("sandbox", (tx) => firstTried(tx, testSideOf, reference, now));
  if (isUnreachable && now.getTime() < first.at.getTime() + UNREACHABLE_MS)
    throw new CarrierFault("not_sent", "The sandbox cannot be reached.");
  if (!isUnreachable && first.isFirst) throw noAnswer();
}

/** How the company answers once it has done something. */
async function answer({ slowMs }: Sandbox, manners: readonly (Manner | undefined)[]): Promise<void> {
  if (manners.includes("failed")) throw new CarrierFault("unknown", "The sandbox returned an error.");
  const isUnanswered = manners.includes("timed_out") || manners.includes("silent");
  if (isUnanswered || manners.includes("slow")) await new Promise((resolve) => setTimeout(resolve, slowMs));
  if (isUnanswered) throw noAnswer();
}

function keepSilent(since: Date, now: Date): void {
  if (now.getTime() < since.getTime() + SILENT_MS) throw noAnswer();
}

function noAnswer(): CarrierFault {
  return new CarrierFault("unknown", "The sandbox did not respond.");
}

async function sell(
  tx: Tx,
  testSideOf: string,
  { reference, e164s, reservations = [] }: WantedOrder,
  now: Date,
): Promise<{ isFirst: boolean; rows: PurchaseRow[] }> {
  await lockReference(tx, reference);
  const earlier = await listPurchases(tx, testSideOf, reference);
  if (earlier.length > 0) return { isFirst: false, rows: earlier.filter(({ e164 }) => e164s.includes(e164)) };
  const taking = {
    reference,
    e164s: saleable(e164s),
    until: "infinity" as const,
    reservations,
  };
  const taken = new Set(await insertReservations(tx, testSideOf, taking, now));
  const rows = e164s.map((e164) => {
    const manner = orderMannerOf(e164);
    const isSold = taken.has(e164) && manner !== "sold_meanwhile";
    const boughtAt =
      requirementsFor(e164).length > 0 ? NEVER : manner === "pending" ? later(now, PENDING_MS) : now;
    return { e164, asked_at: now, bought_at: isSold ? boughtAt : null };
  });
  await insertPurchases(tx, testSideOf, reference, rows);
  return { isFirst: true, rows };
}

async function acceptReturn(
  tx: Tx,
  given: Return,
  now: Date,
): Promise<{ isFirst: boolean; state: ReleaseState }> {
  const earlier = await findReturn(tx, given);
  if (earlier) return { isFirst: false, state: stateOf(earlier.returned_at, now) };
  const manner = releaseMannerOf(given.e164);
  const returnedAt = manner === "pending" ? later(now, PENDING_MS) : now;
  await setReturned(tx, given, returnedAt, manner === "sold_on" ? "infinity" : returnedAt);
  // One that it did not sell, or has back already, is returned.
  const found = await findReturn(tx, given);
  return { isFirst: true, state: found ? stateOf(found.returned_at, now) : "released" };
}

/** After a restore, a repeated release changes nothing. */
function stateOf(returnedAt: Date | null, now: Date): ReleaseState {
  if (returnedAt === null) return "refused";
  return returnedAt > now ? "pending" : "released";
}

function orderOf(rows: readonly PurchaseRow[], now: Date): CarrierOrder {
  return {
    items: rows.map(({ e164, bought_at }) => ({
      e164,
      outcome: bought_at === null ? "refused" : bought_at > now ? "pending" : "bought",
    })),
  };
}

function later(date: Date, ms: number): Date {
  return new Date(date.getTime() + ms);
}
