import pg from "pg";
import { NoSlot } from "./fair-slots.ts";

/** The name of the constraint a statement ran into, if that is what went wrong. */
export function violatedConstraint(error: unknown): string | undefined {
  const isViolation = error instanceof pg.DatabaseError && error.code?.startsWith("23");
  return isViolation ? error.constraint : undefined;
}

/** Others held a lock or all connections for too long, or the statement took too long. The database itself is up. */
export function isBusy(error: unknown): boolean {
  return error instanceof NoSlot || isLockTimeout(error);
}

export function isLockTimeout(error: unknown): boolean {
  return error instanceof pg.DatabaseError && /^(55P03|57014|40P01|40001)$/.test(error.code ?? "");
}

/** Connection gone, server starting or stopping, pool exhausted, deadlock: the same request may work in a moment. */
export function isPassing(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return /^(08|53|57|40|55P03|25P03)/.test(error.code ?? "");
  if (!(error instanceof Error)) return false;
  const code = (error as NodeJS.ErrnoException).code ?? "";
  return PASSING_CODES.has(code) || PASSING_MESSAGES.test(error.message);
}

const PASSING_CODES = new Set(["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT", "ENOENT", "EHOSTUNREACH"]);
/** Reported without a code. The last one is a failover in progress. */
const PASSING_MESSAGES = new RegExp(
  [
    "Connection terminated",
    "timeout exceeded when trying to connect",
    "not queryable",
    "Client was closed",
    "Query read timeout",
    "None of the database hosts is the primary",
  ].join("|"),
);
