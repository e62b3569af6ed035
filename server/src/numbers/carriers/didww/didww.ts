import { type Clock, systemClock } from "../../../platform/clock.ts";
import { API_KEY } from "../carrier-keys.ts";
import type { Delivery, Inventory, OrderingCarrier, Requirements } from "../carrier.ts";
import { openCoverage } from "./didww.coverage.ts";
import { openDidwwDelivery } from "./didww.delivery.ts";
import { openDidwwHttp } from "./didww.http.ts";
import { openDidwwInventory } from "./didww.inventory.ts";
import { openDidwwOrdering } from "./didww.ordering.ts";
import { openDidwwRequirements } from "./didww.requirements.ts";

const URL_OF_DIDWW = "https://api.didww.com/v3";

export const DIDWW = {
  credentials: API_KEY,
  url: { default: URL_OF_DIDWW },
  open: ({ credentials, ...settings }: Named & { credentials: Record<string, string> }) =>
    openDidww({ ...settings, apiKey: credentials["api_key"]! }),
};

type Named = Pick<DidwwOptions, "url" | "clock"> & { name: string };

export interface DidwwOptions {
  /** Name of the carrier in this installation (default: `didww`). */
  name?: string | undefined;
  /** With or without the version: https://api.didww.com/v3. */
  url: string;
  apiKey: string;
  /** Timeout of all requests of one operation. */
  timeoutMs?: number | undefined;
  /** Limit for this process (default: 15). DIDWW allows 20 for a key, which all processes share. */
  requestsPerSecond?: number | undefined;
  clock?: Clock | undefined;
}

/**
 * DIDWW, API v3: https://doc.didww.com/api3/2026-04-16/. An account for all organisations, and for the live
 * environment only. A cancelled number can be restored for some weeks, but DIDWW documents no time until when, so
 * there is no `restore`.
 */
export function openDidww({
  name = "didww",
  url,
  apiKey,
  timeoutMs = 15_000,
  requestsPerSecond = 15,
  clock = systemClock,
}: DidwwOptions) {
  const begin = openDidwwHttp({ url, apiKey, timeoutMs, requestsPerSecond });
  const coverage = openCoverage();
  return {
    name,
    inventory: openDidwwInventory(name, begin, coverage),
    ordering: openDidwwOrdering(begin, clock),
    delivery: openDidwwDelivery(begin),
    requirements: openDidwwRequirements(begin, coverage),
  } satisfies OrderingCarrier & { inventory: Inventory; delivery: Delivery; requirements: Requirements };
}
