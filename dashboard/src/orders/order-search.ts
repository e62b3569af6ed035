export const WAYS = ["criteria", "list", "inventory"] as const;
export type Way = (typeof WAYS)[number];

/** How one orders, and what is held back for it in the meantime: in the address, so that a reload continues with it. */
export interface OrderSearch {
  by?: Way;
  reservation?: string;
}

export function readOrderSearch(raw: Record<string, unknown>): OrderSearch {
  const by = WAYS.find((way) => way === raw["by"]);
  const { reservation } = raw;
  return { ...(by && { by }), ...(typeof reservation === "string" && reservation && { reservation }) };
}
