import type { App } from "../../app.ts";
import { CarrierFault, type Ordering, type OrderingCarrier, type OwnedNumber } from "../carriers/carrier.ts";
import { ApiError, notFound } from "../../platform/api-error.ts";
import { isRestoring } from "../../platform/restoring.ts";
import { type Author, recordAct } from "../../events/audit/audit.ts";
import { addHoldings, parseNumber, suspendHolding } from "../numbers/numbers.ts";
import { repairDelivery } from "../deliveries/deliveries.ts";
import { lostBy, NOT_AT_CARRIER } from "./reconciliations.rules.ts";
import {
  claimFinding,
  findFinding,
  findHoldingStatus,
  type FindingRow,
  listRollbacks,
  listTaken,
  organisationExists,
  setRepaired,
  unclaimFinding,
} from "./reconciliations.store.ts";

type Needs = Pick<App, "db" | "clock" | "carriers">;

/**
 * Repairs a finding of any age after querying the carrier again. A number that the carrier no longer has is
 * suspended. A number without a holder is returned. A number that is delivered elsewhere is delivered as desired.
 */
export async function repairFinding(app: Needs, author: Author, id: string): Promise<FindingRow> {
  const finding = await app.db.forSystem("reconcile", (tx) => findFinding(tx, id));
  if (!finding) throw notFound("finding_not_found");
  if (finding.repaired_at) throw repairedAlready();
  if (finding.kind !== "not_at_carrier" && (await app.db.forSystem("reconcile", (tx) => isRestoring(tx))))
    throw new ApiError(
      "restore_open",
      "A restore of the database is open. Nothing changes at carriers until it ends.",
    );
  const carrier = app.carriers.named(finding.carrier);
  if (!carrier) throw new ApiError("carrier_not_found", `No carrier ${finding.carrier} is connected.`);
  return { ...finding, repaired_at: await REPAIRS[finding.kind](app, author, finding, carrier) };
}

const REPAIRS: Record<
  FindingRow["kind"],
  (app: Needs, author: Author, finding: FindingRow, carrier: OrderingCarrier) => Promise<Date>
> = {
  not_here: (app, author, finding, { ordering }) => returnToCarrier(app, author, finding, ordering),
  not_at_carrier: (app, author, finding, { ordering }) => suspend(app, author, finding, ordering),
  delivered_elsewhere: redeliver,
};

/** Sends the number's calls to the trunk that is desired now. */
async function redeliver(
  app: Needs,
  author: Author,
  finding: FindingRow,
  { delivery }: OrderingCarrier,
): Promise<Date> {
  if (!delivery) throw new ApiError("finding_outdated", "The carrier cannot deliver numbers to trunks.");
  const outcome = await asked(finding, () => repairDelivery(app, delivery, finding.holding_id!));
  if (outcome === "refused")
    throw new ApiError("carrier_refused", "The carrier rejects the trunk for this number.");
  if (outcome === "outdated")
    throw new ApiError(
      "finding_outdated",
      "The carrier delivers the number as desired, or its delivery is no longer set here.",
    );
  return settle(app, author, finding);
}

async function suspend(app: Needs, author: Author, finding: FindingRow, ordering: Ordering): Promise<Date> {
  const owned = await asked(finding, () => findOwned(ordering, finding.e164));
  if (owned) throw new ApiError("finding_outdated", "The carrier has the number.");
  const id = finding.holding_id!;
  return settle(app, author, finding, async (tx, at) => {
    if (await suspendHolding(tx, author, { id, isSuspended: true, reason: NOT_AT_CARRIER, at })) return;
    // For whatever reason it was suspended before: its calls go nowhere, and its holder knows.
    if ((await findHoldingStatus(tx, id)) !== "suspended")
      throw new ApiError(
        "finding_outdated",
        "The number has been returned to the carrier, or is being returned.",
      );
  });
}

/** Longer than reading a whole list takes. */
const CLAIMED_MS = 10 * 60_000;
/** Minimum lease time left for the call that returns the number. */
const CALL_MS = 60_000;

/**
 * Queries the carrier before our own tables, so that a number cannot be bought between check and return. The lease
 * prevents a concurrent return.
 */
async function returnToCarrier(
  app: Needs,
  author: Author,
  finding: FindingRow,
  ordering: Ordering,
): Promise<Date> {
  const { id, e164, carrier } = finding;
  const at = app.clock.now();
  const until = new Date(at.getTime() + CLAIMED_MS);
  if (!(await app.db.forSystem("reconcile", (tx) => claimFinding(tx, finding, { at, until }))))
    throw tryAgain("Another request is returning the number to the carrier.");
  try {
    const owned = await asked(finding, () => findOwned(ordering, e164));
    const taken = await app.db.forSystem("reconcile", (tx) => listTaken(tx, carrier, [e164]));
    if (taken.has(e164))
      throw new ApiError(
        "finding_outdated",
        "An organisation holds or is ordering the number since the reconciliation.",
      );
    if (app.clock.now().getTime() > until.getTime() - CALL_MS)
      throw tryAgain(`${carrier} took too long to respond.`);
    if (owned) {
      await rejectLost(app, owned);
      await release(finding, ordering, owned);
    }
    return await settle(app, author, finding);
  } finally {
    await app.db.forSystem("reconcile", (tx) => unclaimFinding(tx, id, until));
  }
}

/** After a rollback, numbers without a holder may be purchases of the lost time. */
async function rejectLost({ db }: Needs, { e164, boughtAt }: OwnedNumber): Promise<void> {
  const lost = lostBy(boughtAt, await db.forSystem("reconcile", (tx) => listRollbacks(tx)));
  if (!lost) return;
  const when =
    boughtAt === null
      ? `The carrier does not report when it sold ${e164}`
      : `${e164} was bought at ${boughtAt}`;
  const since = lost.newest_row_at
    ? `lost its changes after ${lost.newest_row_at.toISOString()}`
    : "lost changes";
  throw new ApiError(
    "bought_after_rollback",
    `${when}, and the database ${since}. Adopt the number instead.`,
  );
}

/** Adds a number that the carrier has and that has no holder here to the organisation the operator names. */
export async function adoptFinding(
  app: Needs,
  author: Author,
  id: string,
  organisationId: string,
): Promise<FindingRow> {
  const finding = await app.db.forSystem("reconcile", (tx) => findFinding(tx, id));
  if (!finding) throw notFound("finding_not_found");
  if (finding.repaired_at) throw repairedAlready();
  if (finding.kind !== "not_here")
    throw new ApiError("finding_outdated", "An organisation holds the number. Repair the finding instead.");
  const { e164, carrier } = finding;
  const ordering = app.carriers.named(carrier)?.ordering;
  if (!ordering) throw new ApiError("carrier_not_found", `No carrier ${carrier} is connected.`);
  if (!(await asked(finding, () => findOwned(ordering, e164))))
    throw new ApiError("finding_outdated", "The carrier no longer has the number.");
  const parsed = parseNumber(e164);
  if ("fault" in parsed) throw new ApiError("finding_outdated", parsed.fault);
  const { country, type } = parsed;
  const at = await settle(app, author, finding, async (tx, at) => {
    if (!(await organisationExists(tx, organisationId))) throw notFound("organisation_not_found");
    const numbers = [{ e164, country, type }];
    const holdings = { organisationId, environment: "live", source: "import", carrier, numbers } as const;
    const [added] = await addHoldings(tx, author, at, holdings);
    if (added?.outcome !== "added")
      throw new ApiError(
        "finding_outdated",
        "An organisation holds or is ordering the number since the reconciliation.",
      );
  });
  return { ...finding, repaired_at: at };
}

async function release(finding: FindingRow, ordering: Ordering, owned: OwnedNumber): Promise<void> {
  const { id, e164, bought_for } = finding;
  const of = { organisationId: bought_for ?? NO_ORGANISATION, environment: "live" } as const;
  const wanted = { reference: id, e164, ...(owned.reference !== null && { boughtAs: owned.reference }) };
  const state = await asked(finding, () => ordering.release(of, wanted));
  if (state === "refused") throw new ApiError("carrier_refused", "The carrier keeps the number.");
}

/** Used if the carrier does not know organisations. */
const NO_ORGANISATION = "00000000-0000-0000-0000-000000000000";

async function settle(
  app: Needs,
  author: Author,
  { id, kind, e164, carrier }: FindingRow,
  work?: (tx: Parameters<typeof suspendHolding>[0], at: Date) => Promise<void>,
): Promise<Date> {
  const at = app.clock.now();
  await app.db.forSystem("reconcile", async (tx) => {
    if (!(await setRepaired(tx, id, at))) throw repairedAlready();
    await recordAct(tx, author, at, {
      action: "finding.repaired",
      subject: id,
      detail: { kind, e164, carrier },
    });
    await work?.(tx, at);
  });
  return at;
}

/** Whatever changes while its list is read page by page may hide a neighbour: before it is missing it is looked for twice. */
async function findOwned(ordering: Ordering, e164: string): Promise<OwnedNumber | undefined> {
  return (await findListed(ordering, e164)) ?? (await findListed(ordering, e164));
}

async function findListed(ordering: Ordering, e164: string): Promise<OwnedNumber | undefined> {
  let after: string | undefined;
  do {
    const page = await ordering.list(after);
    const found = page.numbers.find((number) => number.e164 === e164);
    if (found) return found;
    after = page.next;
  } while (after !== undefined);
  return undefined;
}

async function asked<Answer>({ carrier }: FindingRow, ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof CarrierFault)) throw error;
    if (error.kind === "refused") throw new ApiError("carrier_refused", error.message);
    throw tryAgain(`${carrier} did not respond.`);
  }
}

function tryAgain(why: string): ApiError {
  return new ApiError("unavailable", `${why} Retry.`, { retryAfterSeconds: 10 });
}

function repairedAlready(): ApiError {
  return new ApiError("finding_repaired", "The finding is already repaired.");
}
