import { isDeepStrictEqual } from "node:util";
import type { App } from "../../app.ts";
import { CarrierFault, type OrderingCarrier } from "../carriers/carrier.ts";
import type { OrganisationScope, Tx } from "../../platform/db/database.ts";
import type { ErrorCode } from "../../platform/error-catalogue.ts";
import type { Author } from "../../events/audit/audit.ts";
import { recordChange } from "../../events/events/events.ts";
import { endJob, type JobRow, JobTakenOver, moveJob } from "../jobs/jobs.ts";
import type { ItemError } from "./orders.errors.ts";
import {
  canChooseAgain,
  endOf,
  type Move,
  nextMove,
  progressOf,
  type Step,
  WIRE_STATUS,
} from "./orders.rules.ts";
import { forgetEndUsers } from "./orders.requirements.store.ts";
import { type ItemRow, type Order, setItems, setOrderStatus } from "./orders.store.ts";

export type Needs = Pick<App, "db" | "clock" | "config" | "log" | "names" | "carriers" | "secrets">;

/** An order that a worker has claimed. */
export interface Turn {
  app: Needs;
  job: JobRow;
  order: Order;
}

/** The order after a move, and the move that has to wait with its reason. */
export interface Moved {
  order: Order;
  waits?: [move: Move, reason: string];
}

/** Change of an item. Omitted fields stay. */
export type Change = Partial<Omit<ItemRow, "position">> & {
  position: number;
  step: Step;
  /** By the statement that found it out. */
  isWritten?: true;
};

/**
 * Records one step in one transaction: checks the lease and the previous state of each item, and ends the order if
 * nothing is left. `work` does the step and returns the changes of the items.
 */
export async function moveItems(
  { app, job, order }: Turn,
  work: (tx: Tx) => Promise<readonly Change[]>,
): Promise<Order> {
  return app.db.forSystem("jobs", async (tx) => {
    await moveJob(tx, app, job, {});
    const changes = await work(tx);
    const moved = withChanges(order, changes);
    const moves = changes
      .filter(({ isWritten }) => !isWritten)
      .map(({ position }) => ({ from: itemAt(order, position), to: itemAt(moved, position) }));
    const set = moves.length > 0 ? await setItems(tx, order, moves) : 0;
    if (set < moves.length) throw new JobTakenOver();
    if (nextMove(moved)?.kind === "end") return endOrder(tx, { app, job, order: moved });
    if (order.status === "pending") await setOrderStatus(tx, order, "processing", null);
    const progress = progressOf(moved.items);
    if (!isDeepStrictEqual(progress, progressOf(order.items))) await moveJob(tx, app, job, { progress });
    return { ...moved, status: "processing" };
  });
}

/** The orderer is the author of all results. The address is no longer known. */
export function authorOfOrder({ job, order }: Turn): Author {
  return {
    actor_kind: order.created_by_kind,
    actor_id: order.created_by_id,
    actor_name: order.created_by_name,
    request_id: job.request_id,
    address: null,
  };
}

export function carrierOf({ app, order }: Turn): OrderingCarrier | undefined {
  return app.carriers.named(order.carrier);
}

export function itemAt({ items }: Order, position: number): ItemRow {
  return items[position - 1]!;
}

/** Items of a purchase in progress. */
export function underWay({ items }: Order, reference: string): ItemRow[] {
  return items.filter(
    (item) => item.reference === reference && (item.step === "submitted" || item.step === "unknown"),
  );
}

export function sideOf({ organisation_id, environment }: Order): OrganisationScope {
  return { organisationId: organisation_id, environment };
}

/** A number that is not available ends its item, unless another number can be chosen by criteria. */
export function lostChange({ criteria }: Order, { position, round }: ItemRow, error: ItemError): Change {
  return criteria && canChooseAgain(round)
    ? { position, step: "wanted", e164: null, reference: null }
    : { position, step: "refused", ...error };
}

/** Returns the carrier's response or a CarrierFault. After any other error the call may have had an effect. */
export async function queryCarrier<Answer>(
  { app, order }: Turn,
  call: () => Promise<Answer>,
): Promise<Answer | CarrierFault> {
  try {
    return await call();
  } catch (error) {
    app.log.warn({ err: error, order: order.id, carrier: order.carrier }, "carrier did not respond");
    return error instanceof CarrierFault
      ? error
      : new CarrierFault("unknown", "The carrier did not respond.", { cause: error });
  }
}

function withChanges(order: Order, changes: readonly Change[]): Order {
  const byPosition = new Map(
    changes.map(({ isWritten: _isWritten, ...change }) => [change.position, change]),
  );
  return { ...order, items: order.items.map((item) => ({ ...item, ...byPosition.get(item.position) })) };
}

async function endOrder(tx: Tx, turn: Turn): Promise<Order> {
  const { app, job, order } = turn;
  const progress = progressOf(order.items);
  const status = endOf(progress);
  const now = app.clock.now();
  const error = errorOf(order);
  await endJob(tx, app, job, { ...progress, ...(error && { error }) });
  await setOrderStatus(tx, order, status, now);
  await forgetEndUsers(tx, order);
  await recordChange(tx, authorOfOrder(turn), now, {
    type: status === "failed" ? "order.failed" : "order.completed",
    organisationId: order.organisation_id,
    environment: order.environment,
    subject: order.id,
    data: { status, ...progress },
  });
  return { ...order, status, finished_at: now };
}

/** Error of the job. Each item has its own error. */
function errorOf(order: Order): { code: ErrorCode; detail: string } | undefined {
  const failed = order.items.filter(({ step }) => WIRE_STATUS[step] === "failed");
  if (failed.length === 0) return undefined;
  if (order.all_or_nothing)
    return { code: "order_incomplete", detail: "Not all numbers were available, so none was kept." };
  return {
    code: failed[0]!.error_code as ErrorCode,
    detail: `${failed.length} of ${order.items.length} numbers could not be ordered. See the errors of the order items.`,
  };
}
