import type { HeldItem } from "../held-item.ts";
import { ASKEW } from "./held-routes.ts";
import { asDigest, connectionText, hashOfRow, routeRow } from "./route-text.ts";

/**
 * Contribution of an item to its shard's digest. An item that the switch will reject makes the digests
 * differ.
 */
export function itemHash(item: HeldItem): bigint {
  try {
    if (item.kind === "route") return asDigest(hashOfRow(routeRow(item)));
    return asDigest(hashOfRow({ key: item.id, text: connectionText(item, "") }));
  } catch {
    return ASKEW;
  }
}
