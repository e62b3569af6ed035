import type { Clock } from "../../../platform/clock.ts";
import type { Database } from "../../../platform/db/database.ts";
import type { Inventory, OrderingCarrier } from "../carrier.ts";
import { openSandboxInventory } from "./sandbox.inventory.ts";
import { openSandboxOrdering } from "./sandbox.ordering.ts";
import { openSandboxRequirements } from "./sandbox.requirements.ts";

const SLOW_MS = 2_000;

/**
 * The simulated carrier of test environments. Its numbers are fictional, and their last digits select its behaviour.
 */
export function openSandbox({
  db,
  clock,
  slowMs = SLOW_MS,
}: {
  db: Database;
  clock: Clock;
  slowMs?: number;
}): OrderingCarrier & { inventory: Inventory } {
  return {
    name: "sandbox",
    inventory: openSandboxInventory({ db, clock }),
    ordering: openSandboxOrdering({ db, clock, slowMs }),
    requirements: openSandboxRequirements({ db, clock, slowMs }),
  };
}
