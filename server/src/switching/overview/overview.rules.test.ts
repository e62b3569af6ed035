import { describe, expect, test } from "vitest";
import { callsAt, rangeOf, windowsAt } from "./overview.calls.rules.ts";
import { countNumbers, foldProblems, type ProblemGroup } from "./overview.rules.ts";
import type { OverviewProblem, ProblemKind } from "./overview.schema.ts";

const DAY_MS = 86_400_000;
const TEN_MS = 600_000;
const NOON = Date.parse("2026-11-18T12:04:00.000Z");

function problem(kind: ProblemKind, minute: number, rest: Partial<OverviewProblem> = {}): OverviewProblem {
  return {
    kind,
    since: new Date(NOON - minute * 60_000).toISOString(),
    subject: { type: "number", id: `${kind} ${minute}`, label: null },
    switch: "fra-1",
    found: null,
    expected: null,
    error: null,
    times_found: null,
    count: 1,
    numbers_affected: 1,
    calls_failed: null,
    calls_misrouted: null,
    ...rest,
  };
}

const groupOf = (kind: ProblemKind, count: number, total = count): ProblemGroup => ({
  total,
  listed: Array.from({ length: count }, (_, place) => problem(kind, place + 1)),
});

describe("problems", () => {
  test("are listed longest first", () => {
    const listed = foldProblems([groupOf("number_failing", 2), groupOf("order_failed", 3)]);
    expect(listed.map(({ since }) => since)).toEqual(listed.map(({ since }) => since).toSorted());
    expect(listed).toHaveLength(5);
  });

  test("fold the kind with the most of them if there are more than 20", () => {
    const listed = foldProblems([groupOf("number_failing", 12), groupOf("order_failed", 9)]);
    expect(listed).toHaveLength(10);
    expect(listed.filter(({ kind }) => kind === "number_failing")).toMatchObject([
      {
        subject: null,
        count: 12,
        numbers_affected: 12,
        switch: "fra-1",
        since: problem("order_failed", 12).since,
      },
    ]);
  });

  test("fold a kind that was not listed in full", () => {
    const [only, ...others] = foldProblems([groupOf("webhook_endpoint_disabled", 20, 480)]);
    expect(others).toEqual([]);
    expect(only).toMatchObject({ count: 480, subject: null, numbers_affected: null });
  });

  test("that all hit the same switch keep its name, others do not", () => {
    const mixed = groupOf("number_failing", 20, 21);
    const listed = mixed.listed.map((one, place) => (place === 3 ? { ...one, switch: "fra-2" } : one));
    expect(foldProblems([{ ...mixed, listed }])[0]!.switch).toBeNull();
    expect(foldProblems([mixed])[0]!.switch).toBe("fra-1");
  });
});

describe("counts", () => {
  const count = { group_id: "g", use: "other" as const, connection_ids: [], numbers: 10 };
  test("of more deviations than are looked at call the rest unknown, not in sync", () => {
    const counts = countNumbers({
      counts: [{ ...count, group_state: "in_sync" }],
      deviating: [{ ...count, state: "failed", numbers: 4 }],
      connections: [],
      lost: [],
      is_complete: false,
    });
    expect(counts).toMatchObject({ total: 10, failed: 4, in_sync: 0, unknown: 6, is_complete: false });
  });
});

describe("usual", () => {
  test("is null with fewer than two weeks", () => {
    expect(rangeOf([3], 0)).toBeNull();
    expect(rangeOf([], 0)).toBeNull();
  });

  test("is the 10th to 90th percentile", () => {
    expect(rangeOf([10, 20, 30, 40], 0)).toEqual({ low: 13, high: 37 });
    expect(rangeOf([0.5, 0.8], 3)).toEqual({ low: 0.53, high: 0.77 });
  });

  test("compares the same weekday and ten minutes, and counts empty ones as zero", () => {
    const at = (weeks: number, minutes: number): number =>
      Math.floor(NOON / TEN_MS) * TEN_MS - weeks * 7 * DAY_MS - minutes * 60_000;
    const bucket = (time: number, calls: number) => ({
      at: time,
      calls,
      answered: calls / 2,
      seconds: calls * 60,
    });
    const buckets = [
      bucket(at(0, 10), 4),
      bucket(at(0, 0), 2),
      bucket(at(1, 10), 10),
      bucket(at(1, 0), 20),
      // Later on the same day, which is not so far yet.
      bucket(at(1, -60), 1000),
      bucket(at(3, 10), 20),
    ];
    const calls = callsAt(NOON, { buckets, first_at: at(3, 24 * 60) }, 6);
    expect(calls).toMatchObject({
      active: { value: 6, usual: { low: 0, high: 1.6 } },
      last_10_minutes: { value: 4, usual: { low: 2, high: 18 } },
      today: { value: 6, usual: { low: 4, high: 28 } },
      answered: { value: 0.5, usual: { low: 0.5, high: 0.5 } },
    });
    expect(calls.buckets).toHaveLength(144);
    expect(calls.buckets[72]).toEqual({
      from: "2026-11-18T12:00:00.000Z",
      calls: 2,
      answered: 1,
      usual: { low: 0, high: 16 },
    });
    expect(calls.buckets[73]!.calls).toBeNull();
    expect(calls.buckets[78]!.usual).toEqual({ low: 0, high: 800 });
  });

  test("is null until two of the days were counted in full", () => {
    const calls = callsAt(NOON, { buckets: [], first_at: NOON - 8 * DAY_MS }, 0);
    expect(calls.today).toEqual({ value: 0, usual: null });
    expect(calls.answered).toEqual({ value: null, usual: null });
    expect(calls.buckets.every(({ usual }) => usual === null)).toBe(true);
  });

  test("needs today and four days, each with the ten minutes before", () => {
    const [today, ...weeks] = windowsAt(Date.parse("2026-11-18T00:03:00.000Z"));
    expect(new Date(today!.from).toISOString()).toBe("2026-11-17T23:50:00.000Z");
    expect(weeks).toHaveLength(4);
  });
});
