import type { TriedCarrier } from "./tried-carrier.ts";

export interface Check {
  /** The feature that the check needs. */
  needs?: "inventory" | "restore" | "delivery" | "requirements";
  /** Throws a Violation if the carrier breaks the promise. */
  run(tried: TriedCarrier): Promise<void>;
}

/** By what the carrier promises. */
export type Checks = Record<string, Check>;
