import { expect } from "vitest";
import type { OutageReport } from "./carrier-outage.ts";

/** Holds on any machine, fast or slow, idle or busy. */
export function expectNobodyHarmed(report: OutageReport): void {
  const { openedMs, searches } = report;
  expect(report).toMatchObject({ failed: [], wrong: [], broken: [] });
  expect(Math.max(openedMs.api, openedMs.worker)).toBeLessThan(Infinity);
  expect(Object.keys(searches.healthy.answers)).toEqual(["200, 20 found"]);
  expect(Object.keys(searches.silent.answers)).toContain("503, 0 found");
}

/**
 * Requests without a database connection are rejected after this time. A carrier call would hold one for much longer.
 */
const DRAINED_MS = 2_000;

/** Holds on an otherwise idle machine. */
export function expectNobodyDelayed({ watched, openedMs, searches }: OutageReport): void {
  expect(openedMs.api).toBeLessThanOrEqual(10_000);
  expect(openedMs.worker).toBeLessThanOrEqual(10_000);
  expect(watched.silent.looks).toBeGreaterThan(20);
  expect(Math.max(...Object.values(watched.silent.poolWaitMs))).toBeLessThan(DRAINED_MS);
  expect(watched.silent.idleInTransactionMs).toBeLessThan(DRAINED_MS);
  // The carrier timeout. Once the breaker is open, the response is immediate.
  expect(searches.silent.slowestMs).toBeLessThan(17_000);
}
