import type { PlaceOrder, SetRouting } from "@dialplane/sdk";
import { tagsOf } from "../numbers/tag-list.ts";
import type { Way } from "./order-search.ts";

export const TYPES = ["local", "national", "mobile", "toll_free"] as const;
export const MOST_NUMBERS = 100;

/** Everything at once: what was typed for one way is still there after a look at another. */
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

/** Numbers as people paste them: one to a line or with commas between, with blanks, brackets and dashes. */
export function listedNumbers(text: string): string[] {
  const all = text.split(/[\n,;]/).map((one) => one.replaceAll(/[\s()/.-]/g, ""));
  return [...new Set(all.filter(Boolean))];
}

export function listError(text: string): string | undefined {
  const all = listedNumbers(text);
  if (all.length === 0) return "Enter at least one number.";
  if (all.length > MOST_NUMBERS) return `At most ${MOST_NUMBERS} numbers in one order.`;
  const wrong = all.find((one) => !/^\+[1-9]\d{6,14}$/.test(one));
  return wrong && `${wrong} is no number with its country code, such as +442079460000.`;
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
