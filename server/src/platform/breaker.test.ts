import { beforeEach, expect, test } from "vitest";
import { type Breaker, openBreaker } from "./breaker.ts";

let now: number;
let breaker: Breaker;
beforeEach(() => {
  now = 0;
  breaker = openBreaker({ now: () => new Date(now) }, { failures: 3, pauseMs: 10_000 });
});
const fail = (times: number) => {
  for (let time = 0; time < times; time++) breaker.enter()!.failed();
};

test("opens with the third failure in a row, and blocks all calls", () => {
  fail(2);
  expect(breaker.isOpen()).toBe(false);

  fail(1);
  expect(breaker.isOpen()).toBe(true);
  expect(breaker.enter()).toBeUndefined();
});

test("a success in between starts the count over", () => {
  fail(2);
  breaker.enter()!.succeeded();
  fail(2);

  expect(breaker.isOpen()).toBe(false);
});

test("after the pause one call may try, and no other while it does", () => {
  fail(3);
  now += 9_999;
  expect(breaker.enter()).toBeUndefined();

  now += 1;
  const trial = breaker.enter();
  expect(trial).toBeDefined();
  expect(breaker.enter()).toBeUndefined();

  trial!.succeeded();
  expect(breaker.isOpen()).toBe(false);
  expect(breaker.enter()).toBeDefined();
});

test("a trial that fails begins another pause", () => {
  fail(3);
  now += 10_000;
  breaker.enter()!.failed();

  expect(breaker.enter()).toBeUndefined();
  now += 10_000;
  expect(breaker.enter()).toBeDefined();
});

test("is not extended by calls that were in progress when it opened", () => {
  const late = breaker.enter()!;
  fail(3);
  now += 9_000;
  late.failed();

  now += 1_000;
  expect(breaker.enter()).toBeDefined();
});

test("a call counts once, and one that was given up but answers after all closes it", () => {
  const late = breaker.enter()!;
  late.failed();
  late.failed();
  fail(1);
  expect(breaker.isOpen()).toBe(false);

  fail(1);
  expect(breaker.isOpen()).toBe(true);
  late.succeeded();
  expect(breaker.isOpen()).toBe(false);
});

test("counts a silent call repeatedly while it waits, and once when it ends", () => {
  const waiting = breaker.enter()!;
  waiting.waits();
  waiting.waits();
  waiting.failed();
  expect(breaker.isOpen()).toBe(false);

  waiting.waits();
  expect(breaker.isOpen()).toBe(true);
});

test("a call that waits although others are answered says nothing of the carrier, until it fails", () => {
  const lost = breaker.enter()!;
  lost.waits();
  breaker.enter()!.succeeded();
  for (let time = 0; time < 5; time++) lost.waits();
  fail(2);
  expect(breaker.isOpen()).toBe(false);

  lost.failed();
  fail(1);
  expect(breaker.isOpen()).toBe(true);
});

test("starts one pause after a trial without a response, however long it waits", () => {
  fail(3);
  now += 10_000;
  const trial = breaker.enter()!;
  trial.waits();
  now += 9_000;
  trial.waits();
  trial.failed();

  now += 1_000;
  expect(breaker.enter()).toBeDefined();
});
