import type { App } from "../../app.ts";
import type { Page } from "../../platform/http/page.ts";
import { ApiError, notFound } from "../../platform/api-error.ts";
import type { Author } from "../../events/audit/audit.ts";
import {
  findHeldBy,
  findHeldById,
  type HeldByRow,
  type HeldFilters,
  listHeldAfter,
} from "./numbers.lifecycle.store.ts";
import { suspendHolding } from "./numbers.lifecycle.ts";

export type { HeldByRow };
type Needs = Pick<App, "db" | "clock">;

interface Wanted {
  isSuspended: boolean;
  /** The holder sees it. */
  reason?: string | undefined;
}

export async function listHeld(
  { db }: Pick<App, "db">,
  filters: HeldFilters,
  page: Page,
): Promise<HeldByRow[]> {
  return db.forSystem("operator", (tx) => listHeldAfter(tx, filters, page.after, page.limit));
}

export async function getHeld({ db }: Pick<App, "db">, id: string): Promise<HeldByRow> {
  return (await db.forSystem("operator", (tx) => findHeldById(tx, id))) ?? noSuchNumber();
}

/** Has no effect if the number already has that status. */
export async function suspendHeld(
  { db, clock }: Needs,
  author: Author,
  id: string,
  wanted: Wanted,
): Promise<HeldByRow> {
  return db.forSystem("operator", async (tx) => {
    await suspendHolding(tx, author, { id, ...wanted, at: clock.now() });
    const after = (await findHeldById(tx, id)) ?? noSuchNumber();
    if (after.status !== (wanted.isSuspended ? "suspended" : "active"))
      throw new ApiError("number_not_active", `The number is ${after.status}.`);
    return after;
  });
}

/** The same by E.164 number. False if no organisation holds it, or if it already has that status. */
export async function suspendNumber(
  { db, clock }: Needs,
  author: Author,
  e164: string,
  isSuspended: boolean,
): Promise<boolean> {
  return db.forSystem("operator", async (tx) => {
    const held = await findHeldBy(tx, e164);
    return held !== undefined && suspendHolding(tx, author, { id: held.id, isSuspended, at: clock.now() });
  });
}

function noSuchNumber(): never {
  throw notFound("number_not_found", "operator");
}
