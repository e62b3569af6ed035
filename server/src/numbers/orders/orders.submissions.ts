import type { App } from "../../app.ts";
import { findAddress } from "../addresses/addresses.ts";
import { findDocument } from "../documents/documents.ts";
import { authorOf } from "../../events/audit/audit.ts";
import { recordChange } from "../../events/events/events.ts";
import { ApiError, notFound } from "../../platform/api-error.ts";
import type { OrganisationTx } from "../../platform/db/database.ts";
import type { Actor } from "../../platform/http/access.ts";
import { newId } from "../../platform/ids.ts";
import { wakeJob } from "../jobs/jobs.ts";
import { isOpen } from "./orders.requirements.rules.ts";
import { type NewSubmission, type RequirementRow, setSubmissions } from "./orders.requirements.store.ts";
import type { SubmitRequirements } from "./orders.requirements.schema.ts";
import { findOrder, type ItemRow, type Order } from "./orders.store.ts";

type Submission = SubmitRequirements["submissions"][number];
type Needs = Pick<App, "clock" | "jobs">;

/** Stores evidence, and wakes the job of the order, which submits it to the carrier. */
export async function submitRequirements(
  tx: OrganisationTx,
  app: Needs,
  actor: Actor,
  { id, submissions }: { id: string; submissions: readonly Submission[] },
): Promise<Order> {
  const order = await findOrder(tx, id);
  if (!order) throw notFound("order_not_found");
  return wakeJob(tx, app, { id: order.job_id, type: "number_order" }, async () => {
    // Behind the lock, because a worker may just have changed it.
    const current = (await findOrder(tx, id))!;
    const wanted: NewSubmission[] = [];
    for (const [at, submission] of submissions.entries()) {
      const targets = targetsOf(current, submission, at);
      for (const { row } of targets) await rejectUnsuitable(tx, row, submission, at);
      wanted.push(...targets.map(({ item, row }) => newSubmission(item, row, submission)));
    }
    rejectTwice(wanted);
    const now = app.clock.now();
    if ((await setSubmissions(tx, id, wanted, now)) < wanted.length) throw notOpen(0);
    await recordChange(tx, authorOf(actor.caller, actor.origin), now, {
      type: "order.requirements_submitted",
      organisationId: tx.organisationId,
      environment: tx.environment,
      subject: id,
      data: { job_id: order.job_id, submissions: wanted.length },
    });
    return (await findOrder(tx, id))!;
  });
}

interface Target {
  item: ItemRow;
  row: RequirementRow;
}

/** Without a number, all items that still need it. */
function targetsOf(order: Order, { e164, requirement_id }: Submission, at: number): Target[] {
  const named = order.items
    .filter((item) => item.step === "submitted" && (e164 === undefined || item.e164 === e164))
    .flatMap((item) =>
      item.requirements
        .filter((row) => row.requirement_id === requirement_id && isOpen(row.status))
        .map((row) => ({ item, row })),
    );
  if (named.length === 0) throw notOpen(at);
  return named;
}

function notOpen(at: number): ApiError {
  const detail = "The order does not wait for evidence for this requirement.";
  return new ApiError("requirement_not_open", detail, {
    errors: [{ pointer: `#/submissions/${at}/requirement_id`, code: "not_open", detail }],
  });
}

/** Two submissions for one requirement would both have a reference, and only one row. */
function rejectTwice(wanted: readonly NewSubmission[]): void {
  const seen = new Set(wanted.map(({ position, requirement_id }) => `${position} ${requirement_id}`));
  if (seen.size === wanted.length) return;
  const detail = "Two submissions are for the same requirement of the same number.";
  throw new ApiError("invalid_request", detail, {
    errors: [{ pointer: "#/submissions", code: "duplicate", detail }],
  });
}

function newSubmission(
  { position }: ItemRow,
  { requirement_id }: RequirementRow,
  { address_id, document_id, end_user }: Submission,
): NewSubmission {
  return {
    position,
    requirement_id,
    reference: newId(),
    address_id: address_id?.toLowerCase() ?? null,
    document_id: document_id?.toLowerCase() ?? null,
    end_user: end_user ?? null,
  };
}

async function rejectUnsuitable(
  tx: OrganisationTx,
  row: RequirementRow,
  submission: Submission,
  at: number,
): Promise<void> {
  const fault = await faultOf(tx, row, submission);
  if (!fault) return;
  const [field, detail] = fault;
  throw new ApiError("evidence_not_suitable", detail, {
    errors: [{ pointer: `#/submissions/${at}/${field}`, code: "not_allowed", detail }],
  });
}

type Fault = [field: string, detail: string];

async function faultOf(
  tx: OrganisationTx,
  { type, country, document_kinds: kinds }: RequirementRow,
  { address_id, document_id, end_user }: Submission,
): Promise<Fault | undefined> {
  const given = address_id ? "address_id" : document_id ? "document_id" : "end_user";
  const needed = { address: "address_id", document: "document_id", end_user: "end_user" }[type];
  if (given !== needed) return [given, `The requirement needs ${needed}.`];
  if (end_user) return undefined;
  if (address_id) {
    const address = await findAddress(tx, tx, address_id.toLowerCase());
    if (!address) return [given, "No address with this ID in this organisation and environment."];
    if (country && address.country !== country) return [given, `The address must be in ${country}.`];
    return undefined;
  }
  const document = await findDocument(tx, document_id!.toLowerCase());
  if (!document) return [given, "No document with this ID in this organisation and environment."];
  if (kinds.length > 0 && !kinds.includes(document.kind))
    return [given, `The document must be of the kind ${kinds.join(" or ")}.`];
  return undefined;
}
