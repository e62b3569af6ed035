import type { HeldItem } from "../held-item.ts";
import { ASKEW } from "./held-routes.ts";
import { asDigest, connectionText, hashOfRow, routeRow } from "./route-text.ts";

/** What the switch adds to its shard's digest for an item. One it will reject makes the shard seem not as told. */
export function itemHash(item: HeldItem): bigint {
  try {
    if (item.kind === "route") return asDigest(hashOfRow(routeRow(item)));
    return asDigest(hashOfRow({ key: item.id, text: connectionText(item, "") }));
  } catch {
    return ASKEW;
  }
}
