import { expect, test } from "vitest";
import type { SwitchChange } from "../driver.ts";
import type { RouteValue } from "../control-plane.ts";
import { eventually, routeTo } from "../testing/agent-bench.ts";
import { describeDriver } from "../testing/driver-contract.ts";
import { MAGIC_NUMBERS } from "./magic-numbers.ts";
import { simulatedSwitch } from "./simulated-switch.ts";

describeDriver("simulated", async () => {
  const driver = simulatedSwitch();
  return { driver, restart: async () => driver.loseMemory(), close: async () => undefined };
});

const name = { kind: "route", id: "a" } as const;
const to = (value: RouteValue | null, generation = 1): SwitchChange => ({
  ...name,
  shard: 0,
  want: value && { ...name, shard: 0, generation, value },
});
const unrouted = (e164: string): RouteValue => ({ e164, mode: "unrouted" });

function open() {
  const driver = simulatedSwitch({ slowMs: 40, driftMs: 40 });
  const answers: (string | null)[] = [];
  const tell = (change: SwitchChange) => driver.apply([change], (_change, error) => answers.push(error));
  const held = () => driver.held(name)?.value;
  return { driver, answers, tell, held };
}

test("the plain number works at once", async () => {
  const { answers, tell, held } = open();
  const value = routeTo("x", MAGIC_NUMBERS.plain.e164);
  await tell(to(value));
  expect([answers, held()]).toEqual([[null], value]);
});

test("the slow number takes its time, and a newer change takes the place of the older", async () => {
  const { answers, tell, held } = open();
  await tell(to(routeTo("one", MAGIC_NUMBERS.slow.e164)));
  await tell(to(routeTo("two", MAGIC_NUMBERS.slow.e164)));
  expect([answers, held()]).toEqual([[], undefined]);
  await eventually(() => answers.length > 0);
  expect([answers, held()]).toEqual([[null], routeTo("two", MAGIC_NUMBERS.slow.e164)]);
});

test("the rejecting number keeps its value, and can be unrouted and deleted", async () => {
  const { answers, tell, held } = open();
  const { e164 } = MAGIC_NUMBERS.refusing;
  await tell(to(unrouted(e164)));
  await tell(to(routeTo("x", e164)));
  expect(answers).toEqual([null, "500 Unable to add the value: out of shared memory"]);
  expect(held()).toEqual(unrouted(e164));
  await tell(to(null));
  expect([answers.at(-1), held()]).toEqual([null, undefined]);
});

test("the drifting number holds unrouted a while after each change", async () => {
  const { answers, tell, held } = open();
  const value = routeTo("x", MAGIC_NUMBERS.drifting.e164);
  for (const generation of [1, 2]) {
    await tell(to(value, generation));
    expect(held()).toEqual(value);
    await eventually(() => held() !== value);
    expect(held()).toEqual(unrouted(value.e164));
  }
  expect(answers).toEqual([null, null]);
});

test("the silent number answers nothing but unrouted, and keeps what it held", async () => {
  const { answers, tell, held } = open();
  const { e164 } = MAGIC_NUMBERS.silent;
  await tell(to(unrouted(e164)));
  await tell(to(routeTo("x", e164)));
  expect([answers, held()]).toEqual([[null], unrouted(e164)]);
});
