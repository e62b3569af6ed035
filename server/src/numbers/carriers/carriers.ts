import { openBreaker } from "../../platform/breaker.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Database } from "../../platform/db/database.ts";
import type { Metrics } from "../../platform/metrics.ts";
import type { Carriers, Inventories, OrderingCarrier } from "./carrier.ts";
import { guardCarrier } from "./guarded-carrier.ts";
import { openPool } from "./pool/pool.ts";
import { openSandbox } from "./sandbox/sandbox.ts";
import { openTelnyx } from "./telnyx/telnyx.ts";

interface Needs extends Pick<CarrierSettings, "telnyx"> {
  db: Database;
  clock: Clock;
}

/** A new carrier is one folder and one line here. Returns undefined if the carrier is not configured. */
const CARRIERS = {
  pool: (needs) => openPool(needs),
  telnyx: ({ telnyx, ...needs }) => telnyx && openTelnyx({ ...telnyx, ...needs }),
} satisfies Record<string, (needs: Needs) => OrderingCarrier | undefined>;

type CarrierName = keyof typeof CARRIERS;
export const CARRIER_NAMES = Object.keys(CARRIERS) as CarrierName[];

export interface CarrierSettings {
  /** Carrier of new live orders. */
  ordering: CarrierName;
  /** Carrier that is searched for live numbers, and reserves them. */
  inventory: "none" | CarrierName;
  /** Known also while nothing is ordered there: numbers bought there before can only be returned there. */
  telnyx: { url: string; apiKey: string } | undefined;
}

/** After 5 failures in a row, calls to a carrier pause for 10 s. */
const BREAKER = { failures: 5, pauseMs: 10_000 };

interface Surroundings {
  db: Database;
  clock: Clock;
  metrics: Metrics;
}

/** Opens all carriers of an installation. Test environments use the sandbox carrier only. */
export function openCarriers(
  { db, clock, metrics }: Surroundings,
  settings: CarrierSettings,
): { carriers: Carriers; inventory: Inventories | undefined } {
  const guarded = <Given extends OrderingCarrier>(carrier: Given): Given =>
    guardCarrier(canRestore(carrier), { metrics, breaker: openBreaker(clock, BREAKER) });
  // Failing is what its numbers are scripted for; one customer's tests must not shut it for the others.
  const sandbox = guardCarrier(canRestore(openSandbox({ db, clock })), { metrics });
  const opened = CARRIER_NAMES.map((name) => CARRIERS[name]({ db, clock, telnyx: settings.telnyx }));
  const connected = [...opened.filter((one) => one !== undefined).map((one) => guarded(one)), sandbox];

  const find = (name: string) => connected.find((one) => one.name === name);
  const live = find(settings.ordering);
  const inventory = find(settings.inventory)?.inventory;
  if (!live || (settings.inventory !== "none" && !inventory))
    throw new Error("The configured carrier is not connected.");
  return {
    carriers: {
      orderingOf: (environment) => (environment === "test" ? sandbox : live),
      named: find,
    },
    inventory: inventory && { of: (environment) => (environment === "test" ? sandbox.inventory : inventory) },
  };
}

/** Rejects carriers without `release`: a number that was bought must be returnable. */
export function canRestore<Given extends OrderingCarrier>(carrier: Given): Given {
  // Types are gone when an adapter runs.
  if (typeof carrier.ordering.release !== "function")
    throw new Error(
      `Numbers cannot be ordered from ${carrier.name}: the carrier adapter has no release function.`,
    );
  return carrier;
}
