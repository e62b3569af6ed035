import { expect, test } from "vitest";
import { measureRevocations, type Trouble } from "./testing/revocations.ts";

const CASES: [Trouble, number][] = [
  ["none", 40],
  ["listener killed", 8],
  ["socket frozen", 8],
];

test.each(CASES)(
  "AK-03 three replicas reject a revoked key within a second (%s)",
  { timeout: 180_000 },
  async (trouble, count) => {
    const report = await measureRevocations(count, trouble);
    console.log(`revocations, ${trouble}: ${JSON.stringify(report)}`);

    expect(report.answeredFromMemory).toBe(true);
    expect(report.p99Ms).toBeLessThan(1_000);
  },
);
