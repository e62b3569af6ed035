import { expect } from "vitest";
import type { OutageReport } from "./carrier-outage.ts";

/** What holds however fast the machine is, and whoever else is at work on it. */
export function expectNobodyHarmed(report: OutageReport): void {
  const { openedMs, searches } = report;
  expect(report).toMatchObject({ failed: [], wrong: [], broken: [] });
  expect(Math.max(openedMs.api, openedMs.worker)).toBeLessThan(Infinity);
  expect(Object.keys(searches.healthy.answers)).toEqual(["200, 20 found"]);
  expect(Object.keys(searches.silent.answers)).toContain("503, 0 found");
}

/** After so long without a connection a request is rejected. A carrier's call would hold one for much longer. */
const DRAINED_MS = 2_000;

/** What holds on a machine that has nothing else to do. */
export function expectNobodyDelayed({ watched, openedMs, searches }: OutageReport): void {
  expect(openedMs.api).toBeLessThanOrEqual(10_000);
  expect(openedMs.worker).toBeLessThanOrEqual(10_000);
  expect(watched.silent.looks).toBeGreaterThan(20);
  expect(Math.max(...Object.values(watched.silent.poolWaitMs))).toBeLessThan(DRAINED_MS);
  expect(watched.silent.idleInTransactionMs).toBeLessThan(DRAINED_MS);
  // The carrier's whole time; after the breaker has opened the answer comes at once.
  expect(searches.silent.slowestMs).toBeLessThan(17_000);
}
