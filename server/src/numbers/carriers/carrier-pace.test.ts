import { expect, test } from "vitest";
import { openPace } from "./carrier-pace.ts";

const never = new AbortController().signal;

test("sends as many requests at once as a second allows, and the next when the first is a second old", async () => {
  const pace = openPace(3, 0);
  const begin = performance.now();
  const atMs = await Promise.all(
    Array.from({ length: 5 }, async () => {
      await pace.turn(never);
      return performance.now() - begin;
    }),
  );
  expect(Math.max(...atMs.slice(0, 3))).toBeLessThan(500);
  for (const ms of atMs.slice(3)) expect(ms).toBeGreaterThan(995);
});

test("rejects a request that would wait for too long, and keeps no place for it", async () => {
  const pace = openPace(10, 0);
  const turns = Array.from({ length: 200 }, () => pace.turn(AbortSignal.timeout(50)).catch(() => "late"));
  const waiting = Array.from({ length: 10 }, () => pace.turn(never));
  expect(await Promise.allSettled(waiting)).toEqual(
    Array.from({ length: 10 }, () => expect.objectContaining({ status: "rejected" })),
  );
  // Ten of the first 200 requests were sent. The others had a place within five seconds, or none.
  expect((await Promise.all(turns)).filter((one) => one === undefined)).toHaveLength(10);
});
