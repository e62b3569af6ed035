import type { App } from "../../app.ts";
import type { Tx } from "../../platform/db/database.ts";
import { notFound } from "../../platform/api-error.ts";
import { type Author, systemAuthor } from "../../events/audit/audit.ts";
import { recordChange } from "../../events/events/events.ts";
import { listHoldingsToAlign, suspendHolding, WITH_ORGANISATION } from "../../numbers/numbers/numbers.ts";
import type { SuspendOrganisation } from "./organisations.schema.ts";
import {
  findOrganisation,
  lockOrganisation,
  type OrganisationRow,
  setNumbersDone,
  setOrganisationSuspension,
  type Suspension,
} from "./organisations.store.ts";

type Needs = Pick<App, "db" | "clock" | "jobs">;

export const ALIGN_NUMBERS = "organisations.align-numbers";
const CHUNK = 100;
const AUTHOR = systemAuthor("organisation suspension");

/**
 * All processes reject the organisation's requests within a second. Sessions read the organisation at each
 * request, and a trigger invalidates cached keys. Another suspension replaces the reason and the choice about
 * numbers.
 */
export async function suspendOrganisation(
  app: Needs,
  author: Author,
  id: string,
  { reason, suspend_numbers }: SuspendOrganisation,
): Promise<OrganisationRow> {
  const now = app.clock.now();
  return change(app, author, id, (before) => ({
    suspended_at: before.suspended_at ?? now,
    suspension_reason: reason ?? before.suspension_reason,
    suspends_numbers: suspend_numbers ?? before.suspends_numbers,
  }));
}

export async function resumeOrganisation(app: Needs, author: Author, id: string): Promise<OrganisationRow> {
  return change(app, author, id, () => ({
    suspended_at: null,
    suspension_reason: null,
    suspends_numbers: false,
  }));
}

async function change(
  app: Needs,
  author: Author,
  id: string,
  decide: (before: OrganisationRow) => Omit<Suspension, "numbers_due">,
): Promise<OrganisationRow> {
  return app.db.forSystem("operator", async (tx) => {
    const before = await lockOrganisation(tx, id);
    if (!before) throw notFound("organisation_not_found");
    const wanted = decide(before);
    if (isAsBefore(before, wanted)) return before;
    const isDue = wanted.suspends_numbers !== before.suspends_numbers;
    const after = await setOrganisationSuspension(tx, id, {
      ...wanted,
      numbers_due: isDue || before.numbers_due,
    });
    if (isDue) await app.jobs.enqueue(tx, ALIGN_NUMBERS, { id });
    await recordSuspension(tx, author, app.clock.now(), after);
    return after;
  });
}

function isAsBefore(before: OrganisationRow, wanted: Omit<Suspension, "numbers_due">): boolean {
  return (
    (before.suspended_at === null) === (wanted.suspended_at === null) &&
    before.suspension_reason === wanted.suspension_reason &&
    before.suspends_numbers === wanted.suspends_numbers
  );
}

async function recordSuspension(
  tx: Tx,
  author: Author,
  at: Date,
  { id, suspended_at, suspension_reason, suspends_numbers }: OrganisationRow,
): Promise<void> {
  const suspension = {
    numbers_suspended: suspends_numbers,
    ...(suspension_reason !== null && { reason: suspension_reason }),
  };
  await recordChange(tx, author, at, {
    type: suspended_at ? "organisation.suspended" : "organisation.resumed",
    organisationId: id,
    subject: id,
    data: suspended_at ? suspension : {},
  });
}

/**
 * Suspends or resumes live numbers to match the organisation's suspension. Each has its own transaction, so
 * the next run continues after an interruption. Returns false if the time is up.
 */
export async function alignNumbers(app: Needs, id: string, withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const chunk = await app.db.forSystem("operator", async (tx) => {
      const organisation = await findOrganisation(tx, id);
      if (!organisation?.numbers_due) return undefined;
      const isSuspended = organisation.suspends_numbers;
      const ids = await listHoldingsToAlign(tx, id, isSuspended, CHUNK);
      if (ids.length === 0) await setNumbersDone(tx, id, isSuspended);
      return { ids, isSuspended };
    });
    if (!chunk || chunk.ids.length === 0) return true;
    for (const holding of chunk.ids) {
      if (performance.now() > deadline) return false;
      await alignNumber(app, id, holding, chunk.isSuspended);
    }
  }
}

/** Locks the organisation and checks again: the operator can have resumed it since the numbers were listed. */
async function alignNumber(
  app: Needs,
  organisationId: string,
  id: string,
  isSuspended: boolean,
): Promise<void> {
  await app.db.forSystem("operator", async (tx) => {
    const organisation = await lockOrganisation(tx, organisationId);
    if (organisation?.suspends_numbers !== isSuspended) return;
    const reason = isSuspended ? { reason: WITH_ORGANISATION } : { ifReason: WITH_ORGANISATION };
    await suspendHolding(tx, AUTHOR, { id, isSuspended, ...reason, at: app.clock.now() });
  });
}
