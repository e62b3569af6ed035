import type { PlaceOrder, SetRouting } from "@dialplane/sdk";
import { tagsOf } from "../numbers/tag-list.ts";
import type { Way } from "./order-search.ts";
import { ordersText } from "./orders-text.ts";

export const TYPES = ["local", "national", "mobile", "toll_free"] as const;
export const MOST_NUMBERS = 100;

/** Fields of all methods, so that the input survives a change of method. */
export interface OrderValues {
  country: string;
  type: string;
  prefix: string;
  quantity: string;
  numbers: string;
  label: string;
  tags: string;
  external_ref: string;
  all_or_nothing: boolean;
  isRouted: boolean;
}

export const FIRST_VALUES: OrderValues = {
  country: "",
  type: "",
  prefix: "",
  quantity: "1",
  numbers: "",
  label: "",
  tags: "",
  external_ref: "",
  all_or_nothing: false,
  isRouted: false,
};

/** Pasted numbers, separated by lines or commas, with any formatting. */
export function listedNumbers(text: string): string[] {
  const all = text.split(/[\n,;]/).map((one) => one.replaceAll(/[\s()/.-]/g, ""));
  return [...new Set(all.filter(Boolean))];
}

export function listError(text: string): string | undefined {
  const all = listedNumbers(text);
  if (all.length === 0) return ordersText.listRequired;
  if (all.length > MOST_NUMBERS) return ordersText.listTooLong(MOST_NUMBERS);
  const wrong = all.find((one) => !/^\+[1-9]\d{6,14}$/.test(one));
  return wrong && ordersText.listInvalid(wrong);
}

export function orderOf(
  way: Way,
  values: OrderValues,
  { reservation, routing }: { reservation: string | undefined; routing: SetRouting | undefined },
): PlaceOrder {
  const { label, tags, external_ref, all_or_nothing } = values;
  const rest = {
    ...(routing && { routing }),
    ...(label.trim() && { label: label.trim() }),
    ...(tagsOf(tags).length > 0 && { tags: tagsOf(tags) }),
    ...(external_ref.trim() && { external_ref: external_ref.trim() }),
    ...(all_or_nothing && { all_or_nothing }),
  };
  if (way === "list") return { numbers: listedNumbers(values.numbers), ...rest };
  if (way === "inventory") return { reservation_id: reservation ?? "", ...rest };
  const { country, type, prefix, quantity } = values;
  const criteria = {
    country: country.trim().toUpperCase(),
    ...(type && { type }),
    ...(prefix.trim() && { prefix: prefix.replaceAll(/\D/g, "") }),
  };
  return { criteria, quantity: Number(quantity), ...rest };
}
