import { afterEach, beforeEach, expect, test } from "vitest";
import { dayOf } from "../allowance.ts";
import {
  byeRow,
  endBySwitchRow,
  inviteRow,
  lateAnswerRow,
  type WrittenCall,
  writtenCall,
} from "../testing/acc-rows.ts";
import { SpoolScene } from "../testing/spool-scene.ts";

const PAYER = "01a1ddd5-9839-7833-89c5-be12f8a6a618";
const OTHER = "01a1ddd5-9839-7833-89c5-be12f8a6a619";
const SECOND_US = 1_000_000;
const START_US = Date.UTC(2026, 10, 18, 12) * 1000;
const DAY = dayOf(START_US / 1000);

let scene: SpoolScene;
beforeEach(() => {
  scene = new SpoolScene({ payerOf: () => OTHER });
});
afterEach(() => scene[Symbol.dispose]());

const leg = "192.0.2.9~5060~udp";
const paidEvents = `p ${DAY} ${PAYER}^t f 1763467200.000001 ${leg} acme^`;
const forwarded = (name: number, rest: Partial<WrittenCall> = {}): WrittenCall =>
  writtenCall(name, { startedUs: START_US, mode: "f", events: paidEvents, ...rest });
const usedOn = (day: number, organisationId = PAYER) => {
  const use = scene.store.forwarded.on(day).find((one) => one.organisationId === organisationId);
  return use && [use.calls, use.seconds];
};
async function readAll(...rows: string[]): Promise<void> {
  for (const row of rows) {
    scene.write(1, row);
    await scene.read();
  }
}

test("counts an answered call at once, and its seconds when it ends", async () => {
  const call = forwarded(1);
  await readAll(inviteRow(call));
  expect(usedOn(DAY)).toEqual([1, 0]);
  await readAll(byeRow(call, 90 * SECOND_US));
  expect(usedOn(DAY)).toEqual([1, 90]);
});

test("counts the whole seconds of the clock between answer and end, as the switch does", async () => {
  const late = forwarded(1, { startedUs: START_US + 0.1 * SECOND_US });
  await readAll(inviteRow(late), byeRow(late, 8.8 * SECOND_US));
  expect(usedOn(DAY)).toEqual([1, 8]);
  const crossing = forwarded(2, { startedUs: START_US + 0.9 * SECOND_US });
  await readAll(inviteRow(crossing), byeRow(crossing, 8.2 * SECOND_US));
  expect(usedOn(DAY)).toEqual([2, 17]);
});

test("counts each call once, in whatever order and however often its rows come", async () => {
  for (let name = 0; name < 6; name++) {
    const call = forwarded(name);
    const rows = [inviteRow(call), byeRow(call, 10 * SECOND_US), byeRow(call, 11 * SECOND_US)];
    for (let turn = 0; turn < 6; turn++) await readAll(rows[(name + turn * (1 + (name % 2))) % 3]!);
    if (name % 3 === 0) scene.restart();
    scene.freeze();
    await readAll(...rows);
  }
  expect(usedOn(DAY)).toEqual([6, 60]);
});

test("counts a rejected call, and no seconds", async () => {
  await readAll(inviteRow(forwarded(1, { code: 486 })));
  expect(usedOn(DAY)).toEqual([1, 0]);
});

test("counts each forward step, and seconds for the one that was answered", async () => {
  const two = `${paidEvents}e 1763467210.000001 486^p ${DAY} ${OTHER}^t f2 1763467210.000002 ${leg} acme^`;
  const call = forwarded(1, { mode: "F2", events: two });
  await readAll(inviteRow(call), endBySwitchRow(call, "organisation_minutes", 60 * SECOND_US));
  expect([usedOn(DAY), usedOn(DAY, OTHER)]).toEqual([
    [1, 0],
    [1, 60],
  ]);
});

test("counts no seconds of a call that another step took", async () => {
  const events = `${paidEvents}e 1763467210.000001 503^t u2 1763467210.000002 ${leg} sip:a@192.0.2.9^`;
  const call = forwarded(1, { mode: "F2", events });
  await readAll(inviteRow(call), byeRow(call, 60 * SECOND_US));
  expect(usedOn(DAY)).toEqual([1, 0]);
});

test("counts seconds on the day on which the call ends", async () => {
  const call = forwarded(1, { startedUs: (DAY + 1) * 86_400 * SECOND_US - 30 * SECOND_US });
  await readAll(inviteRow(call), byeRow(call, 100 * SECOND_US));
  expect([usedOn(DAY), usedOn(DAY + 1)]).toEqual([
    [1, 0],
    [0, 100],
  ]);
});

test("counts a call that was answered during a restart for the payer of its number", async () => {
  const call = forwarded(1);
  await readAll(lateAnswerRow(call, SECOND_US, `t f - ${leg} ^`), byeRow(call, 31 * SECOND_US));
  expect(usedOn(DAY, OTHER)).toEqual([1, 30]);
});

test("counts nothing for other calls, and forgets past days", async () => {
  await readAll(inviteRow(writtenCall(1, { startedUs: START_US, events: `t u - ${leg} ^` })));
  await readAll(inviteRow(forwarded(2, { events: `p x ${PAYER}^p ${DAY} short^t f - ${leg} acme^` })));
  expect(scene.store.forwarded.on(DAY)).toEqual([]);
  await readAll(inviteRow(forwarded(3)));
  scene.store.forwarded.dropBefore((DAY + 10) * 86_400_000);
  expect(scene.store.forwarded.on(DAY)).toEqual([]);
});
