import { afterAll, beforeAll, expect, test } from "vitest";
import { type Allowance, dayOf } from "../allowance.ts";
import { id, number } from "../testing/kamailio-bench.ts";
import { type RunningKamailio, runKamailio } from "../testing/running-kamailio.ts";
import { type KamailioSwitch, kamailioSwitch } from "./kamailio-switch.ts";

const ignore = (): void => undefined;
const log = { info: ignore, warn: ignore, error: ignore };
const organisation = (place: number): string => `01a1ddd5-9839-7833-89c5-${String(place).padStart(12, "0")}`;
const allowance = (place: number, rest: Partial<Allowance> = {}): Allowance => ({
  organisationId: organisation(place),
  version: place,
  callsAtOnce: place,
  calls: null,
  seconds: 0,
  caller: "+493010000001",
  identity: "drop",
  ...rest,
});
const ids = (allowances: Allowance[]): string[] => allowances.map(({ organisationId }) => organisationId);

let kamailio: RunningKamailio;
let driver: KamailioSwitch;
beforeAll(async () => {
  kamailio = await runKamailio();
  driver = kamailioSwitch({ ...kamailio.reached, log });
  await driver.boot();
});
afterAll(async () => {
  await driver?.close();
  await kamailio?.[Symbol.asyncDispose]();
});

test("the switch has the ability", () => {
  expect(driver.forwarding.features).toContain("forwarding");
});

test("a switch holds what was set, and nothing that was left out", async () => {
  const many = Array.from({ length: 2_500 }, (_, place) => allowance(place + 1));
  await driver.forwarding.setAllowances(many);
  expect(driver.forwarding.listAllowances()).toEqual(many);
  expect(await driver.forwarding.readAllowances(ids(many))).toEqual(many);
  const two = [
    allowance(1, { caller: "pass", identity: "keep", calls: 7 }),
    allowance(2, { callsAtOnce: null }),
  ];
  await driver.forwarding.setAllowances(two);
  expect(driver.forwarding.listAllowances()).toEqual(two);
  expect(await driver.forwarding.readAllowances(ids(many.slice(0, 3)))).toEqual([...two, null]);
});

test("a switch that was restarted has them again from its file", async () => {
  const two = [allowance(1), allowance(2)];
  await driver.forwarding.setAllowances(two);
  await kamailio.restart();
  expect(await driver.forwarding.readAllowances(ids(two))).toEqual([null, null]);
  await driver.refill();
  expect(await driver.forwarding.readAllowances(ids(two))).toEqual(two);
});

test("reads what an operator has changed by hand, and sets it again", async () => {
  const three = [allowance(1), allowance(2), allowance(3)];
  await driver.forwarding.setAllowances(three);
  await kamailio.rpc("htable.sets", ["org", organisation(1), "9|||pass|keep|1"]);
  await kamailio.rpc("htable.sets", ["org", organisation(2), "garbage"]);
  await kamailio.rpc("htable.delete", ["org", organisation(3)]);
  expect(await driver.forwarding.readAllowances(ids(three))).toEqual([
    { ...allowance(1), callsAtOnce: 9, seconds: null, caller: "pass", identity: "keep" },
    null,
    null,
  ]);
  await driver.forwarding.setAllowances(three);
  expect(await driver.forwarding.readAllowances(ids(three))).toEqual(three);
});

test("raises use and never lowers it", async () => {
  const day = dayOf(Date.now());
  const use = { organisationId: organisation(5), day, calls: 4, seconds: 100 };
  await driver.forwarding.raiseUsed([use]);
  await driver.forwarding.raiseUsed([{ ...use, calls: 3, seconds: 101 }]);
  await driver.forwarding.raiseUsed([{ ...use, day: day - 1, calls: 50 }]);
  expect(await driver.forwarding.readUsed(day, [organisation(5), organisation(6)])).toEqual([
    { ...use, seconds: 101, callsNow: 0 },
    { ...use, organisationId: organisation(6), calls: 0, seconds: 0, callsNow: 0 },
  ]);
});

test("names the payer of a number whose route forwards", async () => {
  const routeTo = (place: number, mode: "forward" | "unrouted") => ({
    kind: "route" as const,
    id: id(place),
    shard: 0,
    generation: 1,
    value: { e164: number(place), mode, ...(mode === "forward" && { forward_to: "+442079460000" }) },
    ...(mode === "forward" && { payer: organisation(7) }),
  });
  const changes = [routeTo(1, "forward"), routeTo(2, "unrouted")].map((want) => ({ ...want, want }));
  await driver.apply(changes, ignore);
  expect([1, 2, 3].map((place) => driver.forwarding.payerOf(id(place)))).toEqual([
    organisation(7),
    undefined,
    undefined,
  ]);
});
