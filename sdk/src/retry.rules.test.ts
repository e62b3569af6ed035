import { expect, test } from "vitest";
import {
  isDeletionDone,
  mayRepeat,
  type Outcome,
  pauseBefore,
  type Repetition,
  retryAfterMs,
} from "./retry.rules.ts";

const sent: Outcome = { kind: "silence", wasSent: true };
const unsent: Outcome = { kind: "silence", wasSent: false };
const apiError = (status: number, isRetryable?: boolean): Outcome => ({
  kind: "refusal",
  status,
  isRetryable,
});
const safe: Repetition[] = ["read", "keyed", "deletion"];

test.each<[what: string, Outcome, whose: Repetition[]]>([
  ["nobody answered", sent, safe],
  ["nobody was reached", unsent, [...safe, "once"]],
  ["over a limit", apiError(429, true), [...safe, "once"]],
  ["the service is away", apiError(503, true), safe],
  ["the first request with the key still runs", apiError(409, true), safe],
  ["a proxy answered", apiError(502), safe],
  ["a proxy gave up", apiError(504), safe],
  ["refused for good", apiError(409, false), []],
  ["a failure that the service says is lasting", apiError(503, false), []],
  ["not allowed, says a proxy", apiError(403), []],
  ["not connected", apiError(501, false), []],
  ["not connected, whatever else is said", apiError(501, true), []],
])("%s: tried again where that cannot do a thing twice", (_, outcome, whose) => {
  const all: Repetition[] = [...safe, "once"];
  expect(all.filter((repetition) => mayRepeat(repetition, outcome))).toEqual(whose);
});

test("a thing is deleted if it is gone after a deletion that may have arrived, and not otherwise", () => {
  expect(isDeletionDone("deletion", 404, true)).toBe(true);
  expect(isDeletionDone("deletion", 404, false)).toBe(false);
  expect(isDeletionDone("deletion", 403, true)).toBe(false);
  expect(isDeletionDone("read", 404, true)).toBe(false);
});

test("pauses double up to eight seconds, between half and all of it; Retry-After is the least", () => {
  const longest = [1, 2, 3, 4, 5, 6, 7, 20].map((repeat) => pauseBefore(repeat, undefined, 1));
  expect(longest).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000]);
  expect(pauseBefore(3, undefined, 0)).toBe(500);
  expect(pauseBefore(1, 2_000, 0)).toBe(2_000);
  expect(pauseBefore(1, 2_000, 1)).toBe(2_200);
  expect(pauseBefore(9, 0, 1)).toBe(100);
});

test.each([
  ["2", 2_000],
  ["0", 0],
  ["Thu, 01 Jan 1970 00:00:05 GMT", 4_000],
  ["Thu, 01 Jan 1970 00:00:00 GMT", 0],
  ["soon", undefined],
  [null, undefined],
])("Retry-After %s, a second after the epoch, is %s ms", (header, ms) => {
  expect(retryAfterMs(header, 1_000)).toBe(ms);
});
