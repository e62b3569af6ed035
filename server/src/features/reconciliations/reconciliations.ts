import type { App } from "../../app.ts";
import { CarrierFault, type Ordering } from "../../carriers/carrier.ts";
import type { Page } from "../../platform/http/page.ts";
import { newId } from "../../platform/ids.ts";
import { Refusal } from "../../platform/refusal.ts";
import { type Author, recordAct } from "../audit/audit.ts";
import { recordChange } from "../events/events.ts";
import { suspendHolding } from "../numbers/numbers.ts";
import { differences, type Finding } from "./reconciliations.rules.ts";
import {
  findFinding,
  type FindingRow,
  findReconciliation,
  insertFindings,
  insertReconciliation,
  listFindingsAfter,
  listNumbersFrom,
  listReconciliationsBefore,
  type ReconciliationRow,
  setReconciled,
  setReconciliationFailed,
  setRepaired,
} from "./reconciliations.store.ts";

export type { FindingRow, ReconciliationRow };

type Needs = Pick<App, "db" | "clock" | "carriers">;

/** Ours against the carrier's list, both ways. Finds, tells, and changes nothing. */
export async function reconcile(app: Needs, author: Author, carrier: string): Promise<ReconciliationRow> {
  const ordering = app.carriers.named(carrier)?.ordering;
  if (!ordering) throw new Refusal("carrier_not_found", `No carrier ${carrier} is connected.`);
  const id = newId();
  await app.db.forSystem("reconcile", (tx) => insertReconciliation(tx, id, carrier, app.clock.now()));
  try {
    const first = await compare(app, carrier, ordering);
    // What changes while a list is read page by page may hide a neighbour; a second look tells.
    const second = first.findings.length > 0 ? await compare(app, carrier, ordering) : first;
    const seen = new Set(first.findings.map(({ kind, e164 }) => `${kind}/${e164}`));
    const findings = second.findings.filter(({ kind, e164 }) => seen.has(`${kind}/${e164}`));
    await app.db.forSystem("reconcile", async (tx) => {
      const at = app.clock.now();
      await insertFindings(
        tx,
        id,
        findings.map((finding) => ({ ...finding, id: newId() })),
      );
      const counts = { held: second.held, owned: second.owned };
      await setReconciled(tx, id, { ...counts, at });
      await recordAct(tx, author, at, {
        action: "carrier.reconciled",
        subject: id,
        detail: { carrier, ...counts, findings: findings.length },
      });
    });
    await tellHolders(app, author, id);
  } catch (error) {
    const why = error instanceof CarrierFault ? error.message : "It failed on our side; see the log.";
    await app.db.forSystem("reconcile", (tx) => setReconciliationFailed(tx, id, why, app.clock.now()));
    if (!(error instanceof CarrierFault)) throw error;
  }
  return (await app.db.forSystem("reconcile", (tx) => findReconciliation(tx, id)))!;
}

async function compare(
  { db }: Needs,
  carrier: string,
  ordering: Ordering,
): Promise<{ findings: Finding[]; held: number; owned: number }> {
  const before = await db.forSystem("reconcile", (tx) => listNumbersFrom(tx, carrier));
  const owned = await listOwned(ordering);
  const after = await db.forSystem("reconcile", (tx) => listNumbersFrom(tx, carrier));
  return { findings: differences(before, owned, after), held: after.length, owned: owned.size };
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

/** Each in a transaction of its own: it is another organisation's events every time. */
async function tellHolders(app: Needs, author: Author, id: string): Promise<void> {
  const missing = await app.db.forSystem("reconcile", (tx) =>
    listFindingsAfter(tx, id, undefined, MOST_TOLD),
  );
  for (const { organisation_id, holding_id, e164, carrier, status_reason } of missing) {
    // One that was suspended for it has been told.
    if (!organisation_id || !holding_id || status_reason === REASON) continue;
    await app.db.forSystem("reconcile", (tx) =>
      recordChange(tx, author, app.clock.now(), {
        type: "number.missing_at_carrier",
        organisationId: organisation_id,
        environment: "live",
        subject: holding_id,
        data: { e164, carrier },
      }),
    );
  }
}

/** Why a number is suspended that the carrier no longer has. */
const REASON = "not_at_carrier";

/** More than this at once is the carrier's list gone wrong; the operator sees all of them in the report. */
const MOST_TOLD = 1_000;

/**
 * What the operator has decided about a finding. A number the carrier no longer has is suspended; one that nobody
 * holds is given back.
 */
export async function repairFinding(app: Needs, author: Author, id: string): Promise<FindingRow> {
  const finding = await app.db.forSystem("reconcile", (tx) => findFinding(tx, id));
  if (!finding) throw new Refusal("finding_not_found", "There is no such thing here.");
  if (finding.repaired_at) throw new Refusal("finding_repaired", "The finding has been repaired already.");
  if (finding.kind === "not_here") await giveBack(app, finding);
  await app.db.forSystem("reconcile", async (tx) => {
    const at = app.clock.now();
    if (!(await setRepaired(tx, id, at)))
      throw new Refusal("finding_repaired", "The finding has been repaired already.");
    const detail = { kind: finding.kind, e164: finding.e164, carrier: finding.carrier };
    await recordAct(tx, author, at, { action: "finding.repaired", subject: id, detail });
    if (finding.holding_id)
      await suspendHolding(tx, author, { id: finding.holding_id, isSuspended: true, reason: REASON, at });
  });
  return { ...finding, repaired_at: app.clock.now() };
}

/** Looked at once more: somebody may hold it by now. */
async function giveBack(app: Needs, { id, e164, carrier, bought_for }: FindingRow): Promise<void> {
  const ordering = app.carriers.named(carrier)?.ordering;
  if (!ordering) throw new Refusal("carrier_not_found", `No carrier ${carrier} is connected.`);
  const ours = await app.db.forSystem("reconcile", (tx) => listNumbersFrom(tx, carrier));
  if (ours.some((number) => number.e164 === e164))
    throw new Refusal("finding_outdated", "The number is held, or on its way, by now.");
  const of = { organisationId: bought_for ?? NOBODY, environment: "live" } as const;
  const state = await ordering.release(of, { reference: id, e164 }).catch((error: unknown) => {
    if (!(error instanceof CarrierFault)) throw error;
    if (error.kind === "refused") throw new Refusal("carrier_refused", error.message);
    throw new Refusal("unavailable", `${carrier} gave no answer; try again.`, { retryAfterSeconds: 10 });
  });
  if (state === "refused") throw new Refusal("carrier_refused", "The carrier keeps the number.");
}

/** Where the carrier does not tell organisations apart. */
const NOBODY = "00000000-0000-0000-0000-000000000000";

export async function listReconciliations({ db }: Needs, page: Page): Promise<ReconciliationRow[]> {
  return db.forSystem("reconcile", (tx) => listReconciliationsBefore(tx, page.after, page.limit));
}

export async function listFindings({ db }: Needs, id: string, page: Page): Promise<FindingRow[]> {
  return db.forSystem("reconcile", async (tx) => {
    if (!(await findReconciliation(tx, id)))
      throw new Refusal("reconciliation_not_found", "There is no such thing here.");
    return listFindingsAfter(tx, id, page.after, page.limit);
  });
}
