import { type Clock, systemClock } from "../../../platform/clock.ts";
import type { Database } from "../../../platform/db/database.ts";
import { API_KEY } from "../carrier-keys.ts";
import type { Delivery, Inventory, OrderingCarrier } from "../carrier.ts";
import { openTelnyxDelivery } from "./telnyx.delivery.ts";
import { openTelnyxHttp } from "./telnyx.http.ts";
import { openTelnyxInventory } from "./telnyx.inventory.ts";
import { openTelnyxOrdering } from "./telnyx.ordering.ts";
import type { StatusesOf } from "./telnyx.reservations.ts";
import { listReservationStatuses } from "./telnyx.store.ts";

const URL_OF_TELNYX = "https://api.telnyx.com";

export const TELNYX = {
  credentials: API_KEY,
  url: { default: URL_OF_TELNYX },
  open: ({ credentials, ...settings }: Named & { credentials: Record<string, string> }) =>
    openTelnyx({ ...settings, apiKey: credentials["api_key"]! }),
};

type Named = Pick<TelnyxOptions, "url" | "clock" | "db"> & { name: string };

export interface TelnyxOptions {
  /** Name of the carrier in this installation (default: `telnyx`). */
  name?: string | undefined;
  /** Without the version: https://api.telnyx.com. */
  url: string;
  apiKey: string;
  /** Timeout of all requests of one operation. */
  timeoutMs?: number | undefined;
  clock?: Clock | undefined;
  /** Provides the status of reservations. Without it, all count as active. */
  db?: Database | undefined;
}

const ALL_ACTIVE: StatusesOf = async (references) => new Map(references.map((one) => [one, "active"]));

/**
 * Telnyx, API v2: https://developers.telnyx.com. An account for all organisations, and for the live environment
 * only. A returned number is for sale at once, so there is no `restore`.
 */
export function openTelnyx({
  name = "telnyx",
  url,
  apiKey,
  timeoutMs = 15_000,
  clock = systemClock,
  db,
}: TelnyxOptions) {
  const statusesOf: StatusesOf = db
    ? (references) => db.forSystem("stock", (tx) => listReservationStatuses(tx, references))
    : ALL_ACTIVE;
  const begin = openTelnyxHttp({ url, apiKey, timeoutMs });
  return {
    name,
    inventory: openTelnyxInventory(name, begin, clock),
    ordering: openTelnyxOrdering(begin, { clock, statusesOf }),
    delivery: openTelnyxDelivery(begin),
  } satisfies OrderingCarrier & { inventory: Inventory; delivery: Delivery };
}
