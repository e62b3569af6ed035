import type { App } from "../../app.ts";
import { CarrierFault, type OfferedNumber, type WantedNumbers } from "../carriers/carrier.ts";
import type { Actor } from "../../platform/http/access.ts";
import type { Page } from "../../platform/http/page.ts";
import { ApiError } from "../../platform/api-error.ts";
import { parseNumber } from "../numbers/numbers.ts";

/** Available numbers of the preferred carrier; an empty list if no inventory is connected. */
export async function searchInventory(
  { inventory }: Pick<App, "inventory">,
  actor: Actor,
  filters: { country?: string | undefined; type?: string | undefined; contains?: string | undefined },
  page: Page,
): Promise<OfferedNumber[]> {
  const { country, type } = filters;
  const searched = inventory.of(actor.environment, [{ country, type }]);
  if (!searched) {
    if (inventory.isConnected() && country === undefined) throw countryNeeded();
    return [];
  }
  const found = searched.search(actor, { ...filters, ...page });
  return answered(
    found.catch((error: unknown) => {
      const isRejected = error instanceof CarrierFault && error.kind === "refused";
      throw isRejected && filters.country === undefined ? countryNeeded() : error;
    }),
  );
}

/** Not every carrier can be searched everywhere at once, and which one is connected the contract does not say. */
function countryNeeded(): ApiError {
  const detail =
    "Parameter country is required: the carrier of this installation searches one country at a time.";
  return new ApiError("invalid_request", detail, {
    errors: [{ parameter: "country", code: "required", detail }],
  });
}

/** Country and type of numbers, by which a carrier is chosen. */
export function numbersWanted(e164s: readonly string[]): WantedNumbers[] {
  return e164s.map((e164) => {
    const parsed = parseNumber(e164);
    return "fault" in parsed
      ? { country: null, type: "other" }
      : { country: parsed.country, type: parsed.type };
  });
}

/** A carrier that does not respond is a temporary error: the caller may retry. */
export async function answered<Answer>(asked: Promise<Answer>): Promise<Answer> {
  try {
    return await asked;
  } catch (error) {
    if (!(error instanceof CarrierFault)) throw error;
    throw new ApiError("unavailable", "The carrier is not responding. Retry later.", {
      retryAfterSeconds: 10,
    });
  }
}

export function requireInventory({ inventory }: Pick<App, "inventory">): void {
  if (!inventory.isConnected()) throw noInventory();
}

export function noInventory(): ApiError {
  return new ApiError(
    "carrier_inventory_not_connected",
    "This installation has no inventory to reserve from.",
  );
}
