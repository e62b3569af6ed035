import { type Clock, systemClock } from "../../platform/clock.ts";
import type { Inventory, OrderingCarrier } from "../carrier.ts";
import { openTelnyxHttp } from "./telnyx.http.ts";
import { openTelnyxInventory } from "./telnyx.inventory.ts";
import { openTelnyxOrdering } from "./telnyx.ordering.ts";

export interface TelnyxOptions {
  /** Without the version: https://api.telnyx.com. */
  url: string;
  apiKey: string;
  /** For all requests that one call of ours takes. */
  timeoutMs?: number | undefined;
  clock?: Clock | undefined;
}

/**
 * Telnyx, API v2: https://developers.telnyx.com. One account for all organisations, and for the live side only.
 * A number that was given back is anybody's at once, so there is no `restore`.
 */
export function openTelnyx({ url, apiKey, timeoutMs = 15_000, clock = systemClock }: TelnyxOptions) {
  const begin = openTelnyxHttp({ url, apiKey, timeoutMs });
  return {
    name: "telnyx",
    inventory: openTelnyxInventory(begin, clock),
    ordering: openTelnyxOrdering(begin, clock),
  } satisfies OrderingCarrier & { inventory: Inventory };
}
