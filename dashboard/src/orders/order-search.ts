export const WAYS = ["criteria", "list", "inventory"] as const;
export type Way = (typeof WAYS)[number];

/** Order method and reservation, in the URL so that a reload keeps them. */
export interface OrderSearch {
  by?: Way;
  reservation?: string;
}

export function readOrderSearch(raw: Record<string, unknown>): OrderSearch {
  const by = WAYS.find((way) => way === raw["by"]);
  const { reservation } = raw;
  return { ...(by && { by }), ...(typeof reservation === "string" && reservation && { reservation }) };
}
