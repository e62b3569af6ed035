import type { Database, OrganisationScope, OrganisationTx } from "../../../platform/db/database.ts";

export interface HeldNumber {
  id: string;
  e164: string;
}

/** A group of switches, and one of them. */
export interface SeededSwitch {
  switchId: string;
  groupId: string;
}

export interface Given {
  scope: OrganisationScope;
  /** For functions that open their own transaction: here they run in the one that is measured. */
  db: Database;
  number: HeldNumber;
  /** Another number of the same organisation. */
  other: HeldNumber;
  seededSwitch: SeededSwitch;
}

export interface NumberOperation {
  /** Shared buffers. */
  most: number;
  run(tx: OrganisationTx, given: Given): Promise<unknown>;
}

export const NOW = new Date();
export const AUTHOR = {
  kind: "system",
  id: null,
  name: "Buffers",
  request_id: null,
  address: null,
  reason: null,
};
