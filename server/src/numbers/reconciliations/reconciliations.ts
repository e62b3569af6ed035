import type { App } from "../../app.ts";
import { CarrierFault, type Ordering } from "../carriers/carrier.ts";
import type { Page } from "../../platform/http/page.ts";
import { newId } from "../../platform/ids.ts";
import { ApiError, notFound } from "../../platform/api-error.ts";
import { type Author, recordAct } from "../../events/audit/audit.ts";
import { recordChange } from "../../events/events/events.ts";
import { compareDeliveries, repairsDelivery } from "../deliveries/deliveries.ts";
import { repairFinding } from "./reconciliations.repair.ts";
import { differences, type Finding, NOT_AT_CARRIER } from "./reconciliations.rules.ts";
import {
  type FindingRow,
  findReconciliation,
  insertFindings,
  insertReconciliation,
  listCarriersKnown,
  listFindingsAfter,
  listNumbersFrom,
  listReconciliationsBefore,
  listTaken,
  listUnreported,
  lockFindings,
  type ReconciliationRow,
  setReconciled,
  setReconciliationFailed,
  setReported,
} from "./reconciliations.store.ts";

export type { FindingRow, ReconciliationRow };
export { adoptFinding, repairFinding } from "./reconciliations.repair.ts";

type Needs = Pick<App, "db" | "clock" | "carriers">;

/** With every carrier that live numbers may come from, also one that nothing is ordered from any longer. */
export async function reconcileAll(app: Needs, author: Author): Promise<void> {
  await notifyHolders(app, author);
  const known = await app.db.forSystem("reconcile", (tx) => listCarriersKnown(tx));
  const carriers = new Set([...app.carriers.live(), ...known]);
  const compared = await Promise.allSettled(
    [...carriers]
      .filter((name) => app.carriers.named(name) && !isInTestEnvironment(app, name))
      .map((name) => reconcile(app, author, name)),
  );
  const failed = compared.find((one) => one.status === "rejected");
  if (failed) throw failed.reason;
}

/** Compares our numbers with the carrier's list in both directions. It records and notifies, and changes no number. */
export async function reconcile(app: Needs, author: Author, carrier: string): Promise<ReconciliationRow> {
  const ordering = app.carriers.named(carrier)?.ordering;
  if (!ordering) throw new ApiError("carrier_not_found", `No carrier ${carrier} is connected.`);
  if (isInTestEnvironment(app, carrier))
    throw new ApiError(
      "carrier_not_found",
      `${carrier} has only numbers of test environments, which are not reconciled.`,
    );
  const id = newId();
  await app.db.forSystem("reconcile", (tx) => insertReconciliation(tx, id, carrier, app.clock.now()));
  try {
    const first = await compare(app, carrier, ordering);
    // A change while a list is read page by page may hide a neighbour. A second comparison confirms findings.
    const second = first.findings.length > 0 ? await compare(app, carrier, ordering) : first;
    const seen = new Set(first.findings.map(({ kind, e164 }) => `${kind}/${e164}`));
    const findings = [
      ...second.findings.filter(({ kind, e164 }) => seen.has(`${kind}/${e164}`)),
      ...(await findMisdelivered(app, carrier)),
    ];
    const recorded = await recordOutcome(app, author, { id, carrier }, { ...second, findings });
    await repairDeliveries(app, author, carrier, recorded);
  } catch (error) {
    const why = error instanceof CarrierFault ? error.message : "Internal error. See the log of the service.";
    await app.db.forSystem("reconcile", (tx) => setReconciliationFailed(tx, id, why, app.clock.now()));
    if (!(error instanceof CarrierFault)) throw error;
  }
  await notifyHolders(app, author);
  return (await app.db.forSystem("reconcile", (tx) => findReconciliation(tx, id)))!;
}

/** Numbers of test environments are never billed. */
function isInTestEnvironment({ carriers }: Needs, name: string): boolean {
  return name === carriers.openFor("test")[0]?.name && !carriers.live().includes(name);
}

interface Compared {
  findings: Finding[];
  held: number;
  owned: number;
}

/** More than this at once is the carrier's list gone wrong; the operator sees all of them in the report. */
const MAX_REPORTED = 1_000;
/** Holders are notified of a missing number at most once a night, however often reconciliation runs or restarts. */
const REPORT_AGAIN_MS = 20 * 3_600_000;

async function recordOutcome(
  { db, clock }: Needs,
  author: Author,
  { id, carrier }: { id: string; carrier: string },
  { findings, held, owned }: Compared,
): Promise<(Finding & { id: string })[]> {
  const missing = findings.filter(({ kind }) => kind === NOT_AT_CARRIER);
  const toTell = new Set(missing.slice(0, MAX_REPORTED));
  const rows = findings.map((finding) => ({ ...finding, id: newId(), isToTell: toTell.has(finding) }));
  await db.forSystem("reconcile", async (tx) => {
    await lockFindings(tx, carrier);
    const at = clock.now();
    const reportedSince = new Date(at.getTime() - REPORT_AGAIN_MS);
    await insertFindings(tx, id, rows, reportedSince);
    await setReconciled(tx, id, { held, owned, at });
    await recordAct(tx, author, at, {
      action: "carrier.reconciled",
      subject: id,
      detail: { carrier, held, owned, findings: findings.length },
    });
  });
  return rows;
}

/** Numbers that the carrier delivers to another trunk than that of their switch group, read twice. */
async function findMisdelivered(app: Needs, carrier: string): Promise<Finding[]> {
  const delivery = app.carriers.named(carrier)?.delivery;
  if (!delivery) return [];
  const first = await compareDeliveries(app, carrier, delivery);
  if (first.length === 0) return [];
  const seen = new Set(first.map(({ e164, found }) => `${e164}/${found}`));
  const second = await compareDeliveries(app, carrier, delivery);
  return second
    .filter(({ e164, found }) => seen.has(`${e164}/${found}`))
    .map((one) => ({ ...one, kind: "delivered_elsewhere", boughtFor: null }));
}

/** Only if the operator allows it for this carrier. A repair that fails remains a finding. */
async function repairDeliveries(
  app: Needs,
  author: Author,
  carrier: string,
  findings: readonly (Finding & { id: string })[],
): Promise<void> {
  const misdelivered = findings.filter(({ kind }) => kind === "delivered_elsewhere");
  if (misdelivered.length === 0) return;
  if (!(await app.db.forSystem("reconcile", (tx) => repairsDelivery(tx, carrier)))) return;
  for (const { id } of misdelivered)
    await repairFinding(app, author, id).catch((error: unknown) => {
      if (!(error instanceof ApiError)) throw error;
    });
}

async function compare({ db }: Needs, carrier: string, ordering: Ordering): Promise<Compared> {
  const before = await db.forSystem("reconcile", (tx) => listNumbersFrom(tx, carrier));
  const owned = await listOwned(ordering);
  const after = await db.forSystem("reconcile", (tx) => listNumbersFrom(tx, carrier));
  const found = differences(before, owned, after);
  const orphans = found.filter(({ kind }) => kind === "not_here").map(({ e164 }) => e164);
  // The number may be held with another carrier or without one: it is billed and in use.
  const taken = await db.forSystem("reconcile", (tx) => listTaken(tx, carrier, orphans));
  const findings = found.filter(({ kind, e164 }) => kind !== "not_here" || !taken.has(e164));
  return { findings, held: after.length, owned: owned.size };
}

async function listOwned(ordering: Ordering): Promise<Map<string, string | null>> {
  const owned = new Map<string, string | null>();
  let after: string | undefined;
  do {
    const page = await ordering.list(after);
    for (const { e164, boughtFor } of page.numbers) owned.set(e164, boughtFor ?? null);
    after = page.next;
  } while (after !== undefined);
  return owned;
}

const REPORTED_AT_ONCE = 100;

/**
 * Uses a separate transaction for each finding, because each is another organisation's event. The finding stores
 * whether it is due, so that the next run continues after a crash.
 */
async function notifyHolders(app: Needs, author: Author): Promise<void> {
  const errors: unknown[] = [];
  let unreported: string[] = [];
  do {
    const after = unreported.at(-1);
    unreported = await app.db.forSystem("reconcile", (tx) => listUnreported(tx, after, REPORTED_AT_ONCE));
    // One failed notification must not prevent the others.
    for (const id of unreported)
      await notifyHolder(app, author, id).catch((error: unknown) => errors.push(error));
  } while (unreported.length === REPORTED_AT_ONCE);
  if (errors.length > 0) throw new AggregateError(errors, "Not every holder could be notified.");
}

async function notifyHolder({ db, clock }: Needs, author: Author, id: string): Promise<void> {
  await db.forSystem("reconcile", async (tx) => {
    const at = clock.now();
    const reported = await setReported(tx, id, at);
    if (!reported?.is_due) return;
    await recordChange(tx, author, at, {
      type: "number.missing_at_carrier",
      organisationId: reported.organisation_id,
      environment: "live",
      subject: reported.holding_id,
      data: { e164: reported.e164, carrier: reported.carrier },
    });
  });
}

export async function listReconciliations({ db }: Needs, page: Page): Promise<ReconciliationRow[]> {
  return db.forSystem("reconcile", (tx) => listReconciliationsBefore(tx, page.after, page.limit));
}

export async function listFindings({ db }: Needs, id: string, page: Page): Promise<FindingRow[]> {
  return db.forSystem("reconcile", async (tx) => {
    if (!(await findReconciliation(tx, id))) throw notFound("reconciliation_not_found");
    return listFindingsAfter(tx, id, page.after, page.limit);
  });
}
