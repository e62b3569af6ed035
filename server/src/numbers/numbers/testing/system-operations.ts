import { insertPurchases } from "../../carriers/pool/pool.purchases.store.ts";
import { insertStockReservations, listFreeNumbers } from "../../carriers/pool/pool.store.ts";
import { insertReservations, listFree } from "../../carriers/sandbox/sandbox.store.ts";
import { insertLiveReport } from "../../../switching/live/live.reports.store.ts";
import { listWatched } from "../../../switching/live/live.store.ts";
import {
  endRouting,
  findHeldBy,
  findRouteStanding,
  lockNumber,
  setNumberRest,
  setNumberStatus,
  setSuspension,
} from "../numbers.lifecycle.store.ts";
import { insertHoldings, insertStock } from "../numbers.stock.store.ts";
import { publishRoute } from "../numbers.store.ts";
import {
  findFinding,
  findHoldingStatus,
  insertFindings,
  insertReconciliation,
  listCarriersKnown,
  listFindingsAfter,
  listTaken,
  setReported,
} from "../../reconciliations/reconciliations.store.ts";
import type { Tx } from "../../../platform/db/database.ts";
import { newId } from "../../../platform/ids.ts";
import { AUTHOR, type Given, NOW, type NumberOperation } from "./number-operation.ts";

/** The reads and writes of worker and operator, as the role of the system. */
export const SYSTEM_OPERATIONS: Record<string, NumberOperation> = {
  "publish a route": { most: 80, run: (tx, { number }) => publishRoute(tx, number.id, NOW) },
  "import a number": { most: 500, run: (tx, given) => addNumber(tx, given, freshE164()) },
  "import a number that is held already": {
    most: 80,
    run: (tx, given) => addNumber(tx, given, given.number.e164),
  },
  "find a live number by its digits": { most: 20, run: (tx, { number }) => findHeldBy(tx, number.e164) },
  "lock a number and its routing": {
    most: 30,
    run: (tx, { scope, number }) => lockNumber(tx, scope, number.id),
  },
  "release a number": {
    most: 150,
    async run(tx, { scope, number }) {
      const rest = { at: NOW, restoreUntil: NOW, releasedAt: null };
      await setNumberStatus(tx, scope, number.id, { from: "active", to: "releasing", at: NOW });
      await setNumberRest(tx, scope, number.id, { from: "releasing", to: "quarantined", ...rest });
      await findRouteStanding(tx, number.id);
      await endRouting(tx, number.id, "Buffers", NOW);
    },
  },
  "suspend a number": {
    most: 100,
    run: (tx, { number }) =>
      setSuspension(tx, { id: number.id, isSuspended: true, reason: "unpaid", at: NOW }),
  },
  "read a watched number": {
    most: 40,
    run: (tx, { scope, number }) => listWatched(tx, [{ ...scope, id: number.id }]),
  },
  "record a reconciliation finding": {
    most: 120,
    async run(tx, { number }) {
      const [id, findingId] = [newId(), newId()];
      await insertReconciliation(tx, id, "telnyx", NOW);
      const finding = {
        kind: "not_at_carrier",
        e164: number.e164,
        holdingId: number.id,
        boughtFor: null,
      } as const;
      await insertFindings(tx, id, [{ ...finding, id: findingId, isToTell: true }], NOW);
      await setReported(tx, findingId, NOW);
      await findFinding(tx, findingId);
      await listFindingsAfter(tx, id, undefined, 50);
      await findHoldingStatus(tx, number.id);
    },
  },
  "look for numbers in use": {
    most: 40,
    run: (tx, { number }) => listTaken(tx, "telnyx", [number.e164]),
  },
  "list carriers": { most: 20, run: (tx) => listCarriersKnown(tx) },
  "look for free test numbers": {
    most: 40,
    run: (tx, { scope, number }) => listFree(tx, scope.organisationId, [number.e164], NOW),
  },
  "reserve test numbers": {
    most: 60,
    run: (tx, { scope, number }) =>
      insertReservations(
        tx,
        scope.organisationId,
        { reference: newId(), e164s: [number.e164], until: NOW, reservations: [] },
        NOW,
      ),
  },
  "look for free stock": {
    most: 40,
    run: (tx) =>
      listFreeNumbers(
        tx,
        { environment: "live", testSideOf: null },
        { country: null, type: null, contains: null, prefix: null, after: null },
        { limit: 10, now: NOW },
      ),
  },
  "reserve stock": {
    most: 40,
    run: (tx, { number }) =>
      insertStockReservations(
        tx,
        { environment: "live", testSideOf: null },
        { reference: newId(), e164s: [number.e164], until: NOW },
        NOW,
      ),
  },
  "buy stock": {
    most: 60,
    run: (tx, { scope, number }) =>
      insertPurchases(
        tx,
        scope.organisationId,
        { reference: newId(), e164s: [number.e164], reservations: [] },
        NOW,
      ),
  },
  "stock a number that is held already": {
    most: 40,
    run: (tx, { number }) =>
      insertStock(tx, undefined, [{ id: newId(), e164: number.e164, country: "DE", type: "local" }], NOW),
  },
};

/** Policies check a switch's reports against routings, by the same key. */
export const SWITCH_OPERATIONS: Record<string, NumberOperation> = {
  "report active calls": {
    most: 80,
    run: (tx, { number, seededSwitch }) =>
      insertLiveReport(
        tx,
        { ...seededSwitch, name: "buffers", credentialVersion: 1 },
        {
          session: newId(),
          sequence: 1,
          is_snapshot: true,
          numbers: [{ number_id: number.id, active_calls: 1, calls_last_minute: 1 }],
        },
        NOW,
      ),
  },
};

let added = 0;
const freshE164 = (): string => `+4940${String(++added).padStart(8, "0")}`;

function addNumber(tx: Tx, { scope }: Given, e164: string): Promise<unknown> {
  const ids = { id: newId(), number_id: newId(), audit_id: newId(), event_id: newId() };
  return insertHoldings(tx, {
    ...scope,
    group: null,
    source: "import",
    orderId: null,
    carrier: null,
    author: AUTHOR,
    rows: [{ ...ids, e164, country: "DE", type: "local", label: null, tags: ["a"] }],
    at: NOW,
  });
}
