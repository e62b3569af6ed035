import type { Clock } from "../../../platform/clock.ts";
import type { Database, Tx } from "../../../platform/db/database.ts";
import {
  CarrierFault,
  type CarrierRequirement,
  type Requirements,
  type SubmissionState,
  type WantedSubmission,
} from "../carrier.ts";
import { orderMannerOf, rejectionOf, requirementsFor, REVIEW_MS } from "./sandbox.rules.ts";
import { listPurchases, lockReference, setBought } from "./sandbox.store.ts";
import { insertSubmission, listSubmissions, type SubmissionRow } from "./sandbox.submissions.store.ts";

interface Needs {
  db: Database;
  clock: Clock;
  /** Delay of the response about a number whose script is slow. */
  slowMs: number;
}

/** Some area codes need evidence, which is reviewed in a few seconds. Its values decide about the result. */
export function openSandboxRequirements({ db, clock, slowMs }: Needs): Requirements {
  return {
    requirementsOf: ({ organisationId }, order) =>
      db.forSystem("sandbox", async (tx) => {
        const purchases = await listPurchases(tx, organisationId, order);
        const submissions = await listSubmissions(tx, organisationId, order);
        const now = clock.now();
        return purchases
          .filter(({ bought_at }) => bought_at !== null)
          .flatMap(({ e164 }) => requirementsOf(e164, submissions, now));
      }),
    async submit({ organisationId }, wanted) {
      const row = await db.forSystem("sandbox", (tx) => accept(tx, organisationId, wanted, clock.now()));
      if (orderMannerOf(wanted.e164) === "slow") await new Promise((resolve) => setTimeout(resolve, slowMs));
      return stateOf(row, clock.now());
    },
  };
}

async function accept(
  tx: Tx,
  testSideOf: string,
  { reference, order, e164, requirement, evidence }: WantedSubmission,
  now: Date,
): Promise<SubmissionRow> {
  await lockReference(tx, order);
  const purchases = await listPurchases(tx, testSideOf, order);
  const needed = requirementsFor(e164).find(({ id }) => id === requirement);
  if (!purchases.some((one) => one.e164 === e164) || needed?.type !== evidence.type)
    throw new CarrierFault("refused", "The sandbox does not require this.");
  const given = { reference, order, e164, requirement, rejectedReason: rejectionOf(evidence) };
  return insertSubmission(tx, testSideOf, given, now);
}

/** Sells the numbers of a purchase whose evidence is complete by now. */
export async function sellAccepted(tx: Tx, testSideOf: string, order: string, now: Date): Promise<void> {
  const purchases = await listPurchases(tx, testSideOf, order);
  const waiting = purchases.filter(
    ({ e164, bought_at }) => bought_at !== null && bought_at > now && requirementsFor(e164).length > 0,
  );
  if (waiting.length === 0) return;
  const submissions = await listSubmissions(tx, testSideOf, order);
  const accepted = waiting
    .map(({ e164 }) => e164)
    .filter((e164) => requirementsOf(e164, submissions, now).every(({ status }) => status === "accepted"));
  await setBought(tx, { testSideOf, reference: order, e164s: accepted }, now);
}

function requirementsOf(
  e164: string,
  submissions: readonly SubmissionRow[],
  now: Date,
): CarrierRequirement[] {
  return requirementsFor(e164).map((needed) => {
    const last = submissions.findLast((one) => one.e164 === e164 && one.requirement_id === needed.id);
    return {
      e164,
      ...needed,
      submission: last?.reference ?? null,
      ...(last ? stateOf(last, now) : { status: "missing" }),
    };
  });
}

function stateOf({ submitted_at, rejected_reason }: SubmissionRow, now: Date): SubmissionState {
  if (now.getTime() < submitted_at.getTime() + REVIEW_MS) return { status: "pending" };
  return rejected_reason === null ? { status: "accepted" } : { status: "rejected", reason: rejected_reason };
}
