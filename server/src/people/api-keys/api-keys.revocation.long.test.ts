import { expect, test } from "vitest";
import { measureRevocations } from "./testing/revocations.ts";

test.each(["none", "listener killed", "socket frozen"] as const)(
  "100 revocations on three replicas, %s",
  async (trouble) => {
    const report = await measureRevocations(100, trouble);
    console.log(`revocations, ${trouble}: ${JSON.stringify(report)}`);

    expect(report.answeredFromMemory).toBe(true);
    expect(report.p99Ms).toBeLessThan(1_000);
  },
);
