import { findAddress } from "../addresses/addresses.ts";
import {
  CarrierFault,
  type CarrierRequirement,
  type Evidence,
  type Requirements,
  type SubmissionState,
} from "../carriers/carrier.ts";
import { openDocument } from "../documents/documents.ts";
import { recordChange } from "../../events/events/events.ts";
import type { Tx } from "../../platform/db/database.ts";
import { newId } from "../../platform/ids.ts";
import { ACTION_REQUIRED, holdJob, rejectLate } from "../jobs/jobs.ts";
import {
  authorOfOrder,
  carrierOf,
  type Change,
  type Moved,
  moveItems,
  queryCarrier,
  sideOf,
  type Turn,
  underWay,
} from "./orders.claim.ts";
import { UNMET } from "./orders.errors.ts";
import { endOfWaiting, needsAction, statusAfter, waitsSince } from "./orders.requirements.rules.ts";
import {
  insertRequirements,
  type RequirementMove,
  type RequirementRow,
  setRequirements,
} from "./orders.requirements.store.ts";
import { findOrderOfJob, type ItemRow, type Order } from "./orders.store.ts";

/**
 * Follows the requirements of a purchase that the carrier has not decided yet: reads them, submits the evidence of the
 * customer, and gives up numbers whose evidence did not come in time.
 */
export async function followRequirements(turn: Turn, reference: string): Promise<Moved> {
  const waits = (order: Order, reason: string): Moved => ({
    order,
    waits: [{ kind: "ask", reference }, reason],
  });
  const requirements = carrierOf(turn)?.requirements;
  if (!requirements) return waits(turn.order, "carrier_pending");
  const listed = await queryCarrier(turn, () => requirements.requirementsOf(sideOf(turn.order), reference));
  if (listed instanceof CarrierFault) return waits(turn.order, waitFor(listed));
  let order = await recordListed(turn, reference, listed);
  const places = listed.map(placeOf);
  for (const due of submissionsOf(order, reference, places)) {
    const next = { ...turn, order };
    if (requirements.isReviewedTogether && isIncomplete(order, due)) continue;
    const state = await submit(next, requirements, due);
    if (state instanceof CarrierFault && state.kind !== "refused") return waits(order, waitFor(state));
    order = await recordState(next, due, state);
  }
  const expired = underWay(order, reference).filter((item) => hasExpired(turn, item));
  if (expired.length > 0) return { order: await giveUp({ ...turn, order }, expired) };
  return waits(order, underWay(order, reference).some(needsAction) ? ACTION_REQUIRED : "carrier_pending");
}

/** That the question was rejected says nothing about the requirements. */
function waitFor({ kind }: CarrierFault): string {
  return kind === "not_sent" ? "carrier_unreachable" : "carrier_unknown";
}

async function recordListed(
  turn: Turn,
  reference: string,
  listed: readonly CarrierRequirement[],
): Promise<Order> {
  const known = underWay(turn.order, reference).flatMap((item) =>
    listed.filter(({ e164 }) => e164 === item.e164).map((needed) => ({ item, needed })),
  );
  const added = known.filter(({ item, needed }) => !rowOf(item, needed.id));
  const moves = known.flatMap(({ item, needed }): RequirementMove[] => {
    const row = rowOf(item, needed.id);
    return row ? moveOf(item, row, { ...needed, status: statusAfter(row, needed) }) : [];
  });
  if (added.length === 0 && moves.length === 0) return turn.order;
  return record(turn, async (tx, at) => {
    const rows = added.map(({ item, needed }) => ({
      position: item.position,
      requirement_id: needed.id,
      type: needed.type,
      description: needed.description,
      country: needed.country ?? null,
      document_kinds: [...(needed.documentKinds ?? [])],
      status: needed.status,
      rejected_reason: needed.status === "rejected" ? needed.reason! : null,
    }));
    await insertRequirements(tx, turn.order, rows, at);
    await setRequirements(tx, turn.order, moves, at);
  });
}

function rowOf({ requirements }: ItemRow, id: string): RequirementRow | undefined {
  return requirements.find(({ requirement_id }) => requirement_id === id);
}

/** Empty if nothing changed. */
function moveOf(
  { position }: ItemRow,
  { requirement_id, status: was, reference, rejected_reason }: RequirementRow,
  { status, reason }: { status: RequirementRow["status"]; reason?: string | undefined },
): RequirementMove[] {
  const why = status === "rejected" ? (reason ?? rejected_reason) : null;
  if (status === was && why === rejected_reason) return [];
  return [{ position, requirement_id, was, reference, status, rejected_reason: why }];
}

interface Due {
  item: ItemRow;
  row: RequirementRow;
}

function placeOf({ e164, id }: { e164: string; id: string }): string {
  return `${e164} ${id}`;
}

/** In the order of the carrier. */
function submissionsOf(order: Order, reference: string, places: readonly string[]): Due[] {
  const place = ({ item, row }: Due) => places.indexOf(placeOf({ e164: item.e164!, id: row.requirement_id }));
  return underWay(order, reference)
    .flatMap((item) =>
      item.requirements.filter(({ status }) => status === "submitting").map((row) => ({ item, row })),
    )
    .toSorted((one, other) => place(one) - place(other));
}

/** Whether the customer still has to submit something for the number. A rejection may just have come. */
function isIncomplete({ items }: Order, { item }: Due): boolean {
  return items.some((one) => one.position === item.position && needsAction(one));
}

/** Repeated after a crash with the same reference, which the carrier knows then. */
async function submit(
  turn: Turn,
  requirements: Requirements,
  { item, row }: Due,
): Promise<SubmissionState | CarrierFault> {
  const evidence = await evidenceOf(turn, row);
  const wanted = {
    reference: row.reference!,
    order: item.reference!,
    e164: item.e164!,
    requirement: row.requirement_id,
    evidence,
  };
  rejectLate(turn.app, await holdJob(turn.app, turn.job));
  return queryCarrier(turn, () => requirements.submit(sideOf(turn.order), wanted));
}

async function evidenceOf({ app, order }: Turn, row: RequirementRow): Promise<Evidence> {
  const of = sideOf(order);
  const found = await app.db.forSystem("jobs", async (tx): Promise<Evidence | undefined> => {
    if (row.end_user) return { type: "end_user", endUser: row.end_user };
    if (row.address_id) {
      const address = await findAddress(tx, of, row.address_id);
      return address && { type: "address", address };
    }
    const document = row.document_id ? await openDocument(tx, app, of, row.document_id) : undefined;
    return document && { type: "document", document };
  });
  if (!found) throw new Error("The evidence of a submission is missing.");
  return found;
}

/** The log has the response, which can contain details of the operator's account. */
const NOT_TAKEN = "The carrier does not take this evidence.";

/** A carrier that rejects the call will not take this evidence later either. */
async function recordState(
  turn: Turn,
  { item, row }: Due,
  state: SubmissionState | CarrierFault,
): Promise<Order> {
  const decided = state instanceof CarrierFault ? { status: "rejected" as const, reason: NOT_TAKEN } : state;
  return record(turn, (tx, at) => setRequirements(tx, turn.order, moveOf(item, row, decided), at));
}

/** One step, with an event for items that need action from now on. */
async function record(turn: Turn, work: (tx: Tx, at: Date) => Promise<void>): Promise<Order> {
  const { app, job, order: before } = turn;
  const at = app.clock.now();
  await moveItems(turn, async (tx) => {
    await work(tx, at);
    const after = (await findOrderOfJob(tx, job))!;
    const waited = new Set(before.items.filter(needsAction).map(({ position }) => position));
    const waiting = after.items.filter((item) => needsAction(item) && !waited.has(item.position));
    if (waiting.length > 0)
      await recordChange(tx, authorOfOrder(turn), at, {
        type: "order.action_required",
        organisationId: before.organisation_id,
        environment: before.environment,
        subject: before.id,
        data: { job_id: job.id, numbers: waiting.map(({ e164 }) => e164!) },
      });
    return [];
  });
  return (await app.db.forSystem("jobs", (tx) => findOrderOfJob(tx, job)))!;
}

function hasExpired({ app }: Turn, item: ItemRow): boolean {
  const since = waitsSince(item);
  return since !== undefined && app.clock.now() >= endOfWaiting(since, app.config.requirementDays);
}

/** The return cancels a purchase that was never completed. */
async function giveUp(turn: Turn, items: readonly ItemRow[]): Promise<Order> {
  const changes = items.map(({ position }): Change => ({
    position,
    step: "returning",
    return_reference: newId(),
    ...UNMET,
  }));
  return moveItems(turn, async () => changes);
}
