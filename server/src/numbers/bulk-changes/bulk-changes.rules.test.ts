import { expect, test } from "vitest";
import { FIRST_CHUNK, nextChunk } from "./bulk-changes.rules.ts";

test("halves a chunk after a timeout and after holding locks for more than 100 ms, down to one number", () => {
  expect(nextChunk(64, "timed_out")).toBe(32);
  expect(nextChunk(64, { heldMs: 101 })).toBe(32);
  expect(nextChunk(3, "timed_out")).toBe(1);
  expect(nextChunk(1, "timed_out")).toBe(1);
});

test("grows a chunk slowly while locks are held for less than 50 ms, up to 200 numbers", () => {
  expect(nextChunk(FIRST_CHUNK, { heldMs: 10 })).toBe(FIRST_CHUNK + 4);
  expect(nextChunk(FIRST_CHUNK, { heldMs: 60 })).toBe(FIRST_CHUNK);
  expect(nextChunk(190, { heldMs: 10 })).toBe(200);
  expect(nextChunk(200, { heldMs: 10 })).toBe(200);
});
