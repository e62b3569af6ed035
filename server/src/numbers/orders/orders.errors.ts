import type { ErrorCode } from "../../platform/error-catalogue.ts";
import { rejectionText } from "../carriers/carrier.ts";

/** Why an item has no number. */
export interface ItemError {
  error_code: ErrorCode;
  error_detail: string;
}

/** Held, quarantined, reserved by another organisation or unknown: the error does not reveal which. */
export const NOT_AVAILABLE: ItemError = {
  error_code: "number_not_available",
  error_detail: "The number is not available.",
};

export const NONE_FITS: ItemError = {
  error_code: "number_not_available",
  error_detail: "No matching number is available.",
};

export const INCOMPLETE: ItemError = {
  error_code: "order_incomplete",
  error_detail: "Another number of the order was not available, so this one was not kept.",
};

/** With the carrier's own text, if it gave one. */
export function carrierRejection(said?: string): ItemError {
  return { error_code: "carrier_refused", error_detail: rejectionText("the order", said) };
}

export const UNMET: ItemError = {
  error_code: "requirements_expired",
  error_detail: "The requirements of the carrier were not met in time.",
};
