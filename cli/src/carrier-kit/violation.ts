import { isDeepStrictEqual } from "node:util";
import type { CarrierReply } from "./carrier-client.ts";

/** The carrier breaks the protocol. The message says what was expected and what came. */
export class Violation extends Error {}

/** The check cannot run here. The message says why. */
export class NotChecked extends Error {}

/** Too few numbers are on sale. */
export class TooFewNumbers extends NotChecked {}

export function expectEqual(found: unknown, expected: unknown, what: string): void {
  if (!isDeepStrictEqual(found, expected))
    throw new Violation(`Expected ${what} to be ${JSON.stringify(expected)}, got ${JSON.stringify(found)}.`);
}

export function expectTrue(holds: boolean, otherwise: string): void {
  if (!holds) throw new Violation(otherwise);
}

export function described({ status, body }: CarrierReply): string {
  return `${status} ${(JSON.stringify(body) ?? "without JSON").slice(0, 200)}`;
}
