import type { JobRow } from "../jobs/jobs.ts";
import { ACTION_REQUIRED, moveJob, pauseMs } from "../jobs/jobs.ts";
import { activateNumbers, routeNumbers } from "./orders.activate.ts";
import { chooseNumbers } from "./orders.choose.ts";
import { abandonOrder, returnNumber } from "./orders.return.ts";
import { isReviewing } from "./orders.requirements.rules.ts";
import { hasSubmissions } from "./orders.requirements.store.ts";
import { deliverOrder } from "./orders.deliver.ts";
import { type Move, nameOf, nextMove } from "./orders.rules.ts";
import { readOrderOfJob } from "./orders.store.ts";
import { askForPurchase, submitPurchase } from "./orders.submit.ts";
import type { Moved, Needs, Turn } from "./orders.claim.ts";

/** Advances an order until it has ended, or until every remaining move waits for a carrier. */
export async function advanceOrder(app: Needs, job: JobRow): Promise<void> {
  let order = await readOrderOfJob(app.db, job);
  if (!order) throw new Error("The job has no order.");
  const stuck = new Map<string, string>();
  while (order.finished_at === null) {
    const move = nextMove(order, new Set(stuck.keys()));
    if (!move) return waitFor({ app, job, order }, [...stuck.values()]);
    const moved = await make(move, { app, job, order });
    if (moved.waits) stuck.set(nameOf(moved.waits[0]), moved.waits[1]);
    order = moved.order;
  }
}

function make(move: Move, turn: Turn): Promise<Moved> {
  switch (move.kind) {
    case "ask":
      return askForPurchase(turn, move.reference);
    case "abandon":
      return abandonOrder(turn);
    case "giveBack":
      return returnNumber(turn, move.position);
    case "choose":
      return chooseNumbers(turn);
    case "submit":
      return submitPurchase(turn);
    case "activate":
      return activateNumbers(turn);
    case "route":
      return routeNumbers(turn);
    case "deliver":
      return deliverOrder(turn);
    case "end":
      throw new Error("An order ends with its last item.");
  }
}

/** A customer needs longer than a carrier, and a submission wakes the job. This is for changes at the carrier. */
const PATIENT_MS = 300_000;

async function waitFor({ app, job, order }: Turn, reasons: readonly string[]): Promise<void> {
  const waits = reasons.includes(ACTION_REQUIRED) ? ACTION_REQUIRED : reasons[0]!;
  const isPatient = reasons.every((reason) => reason === ACTION_REQUIRED) && !isReviewing(order.items);
  await app.db.forSystem("jobs", async (tx) => {
    await moveJob(tx, app, job, {});
    // Behind the lock: a submission that came in the meantime is seen here, and a later one wakes the job.
    const isDue = isPatient && (await hasSubmissions(tx, order));
    const waitMs = isPatient && !isDue ? PATIENT_MS : pauseMs(isDue ? 0 : job.waits);
    await moveJob(tx, app, job, { waitMs, reason: waits });
  });
}
