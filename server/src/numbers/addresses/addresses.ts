import type { App } from "../../app.ts";
import { recordChange } from "../../events/events/events.ts";
import { authorOf } from "../../events/audit/audit.ts";
import { ApiError, notFound } from "../../platform/api-error.ts";
import type { OrganisationTx } from "../../platform/db/database.ts";
import { violatedConstraint } from "../../platform/db/database-error.ts";
import type { Actor } from "../../platform/http/access.ts";
import type { Page } from "../../platform/http/page.ts";
import { newId } from "../../platform/ids.ts";
import type { CreateAddress } from "./addresses.schema.ts";
import {
  type AddressRow,
  deleteAddressRow,
  findAddress,
  insertAddress,
  listAddressesAfter,
} from "./addresses.store.ts";

export type { AddressRow };
export { findAddress };

type Needs = Pick<App, "clock">;

export async function listAddresses(
  { db }: Pick<App, "db">,
  actor: Actor,
  page: Page,
): Promise<AddressRow[]> {
  return db.forOrganisation(actor, (tx) => listAddressesAfter(tx, page.after, page.limit));
}

export async function getAddress({ db }: Pick<App, "db">, actor: Actor, id: string): Promise<AddressRow> {
  return (await db.forOrganisation(actor, (tx) => findAddress(tx, tx, id))) ?? noSuchAddress();
}

export async function createAddress(
  tx: OrganisationTx,
  { clock }: Needs,
  actor: Actor,
  { region, ...wanted }: CreateAddress,
): Promise<AddressRow> {
  const row = { id: newId(), ...wanted, region: region ?? null, created_at: clock.now() };
  await insertAddress(tx, row).catch(rejectBeyondLimit);
  await record(tx, actor, row.created_at, { type: "address.created", row });
  return row;
}

/** Fails while an open order uses it: the carrier may still ask for it. */
export async function deleteAddress(
  tx: OrganisationTx,
  { clock }: Needs,
  actor: Actor,
  id: string,
): Promise<void> {
  const row = (await findAddress(tx, tx, id)) ?? noSuchAddress();
  await deleteAddressRow(tx, id).catch(rejectInUse);
  await record(tx, actor, clock.now(), { type: "address.deleted", row });
}

/** Without the address itself: events are kept longer than it, and go to other systems. */
async function record(
  tx: OrganisationTx,
  actor: Actor,
  at: Date,
  { type, row }: { type: "address.created" | "address.deleted"; row: AddressRow },
): Promise<void> {
  await recordChange(tx, authorOf(actor.caller, actor.origin), at, {
    type,
    organisationId: tx.organisationId,
    environment: tx.environment,
    subject: row.id,
    data: { country: row.country },
  });
}

function rejectBeyondLimit(error: unknown): never {
  if (violatedConstraint(error) !== "evidence_totals_addresses") throw error;
  throw new ApiError("address_limit_reached", "The organisation has 500 addresses in this environment.");
}

function rejectInUse(error: unknown): never {
  if (!violatedConstraint(error)?.startsWith("order_requirements_")) throw error;
  throw new ApiError("address_in_use", "An open order uses the address.");
}

function noSuchAddress(): never {
  throw notFound("address_not_found");
}
