import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CountedCalls, shortCalls } from "./service/counted-calls.ts";
import { callThroughKills } from "./service/kill-run.ts";
import { movedClock } from "./service/moved-clock.ts";
import { SmallDisk } from "./service/small-disk.ts";
import type { PlannedCall } from "./sip/load-callee.ts";
import { until } from "./sip/until.ts";

const PATIENCE_MS = 120_000;
const TEST_MS = 400_000;
/** Room for the reserve of 32 MiB, and for the 64 MiB under which a disk is full. */
const DISK_MIB = 200;
const ALARM = "the disk for records is full; the reserve was given up";

const staysUp = (): PlannedCall => ({ ringMs: 0, talkMs: 3_600_000, hangsUp: "caller" });
let plan: (callId: string) => PlannedCall = staysUp;
let disk: SmallDisk;
let scene: CountedCalls;
beforeAll(async () => {
  disk = new SmallDisk(DISK_MIB);
  scene = await CountedCalls.open((callId) => plan(callId), { data_dir: join(disk.folder, "data") });
}, TEST_MS);
afterAll(async () => {
  await scene?.[Symbol.asyncDispose]();
  disk?.[Symbol.dispose]();
}, TEST_MS);

function hangUp(calls: number): void {
  for (const callId of scene.caller.up().slice(0, calls)) scene.caller.calls.get(callId)!.hangUp();
}

async function expectTold(calls: number): Promise<void> {
  const { caller, callee } = scene;
  const isSo = (): boolean => caller.up().length === calls && callee.up().length === calls;
  await until(`${calls} calls`, isSo, PATIENCE_MS);
  await until("the service to be told", async () => (await scene.liveCalls()) === calls, PATIENCE_MS);
}

async function statusOfNext(): Promise<number> {
  const before = new Set(scene.caller.calls.keys());
  await scene.place(1, 100);
  const [call] = [...scene.caller.calls].flatMap(([callId, one]) => (before.has(callId) ? [] : [one]));
  return until("an answer", () => call!.final ?? false, PATIENCE_MS);
}

/** Each answered call once. Returns those of which nobody wrote down that they ended. */
async function countAll(): Promise<string[]> {
  hangUp(Infinity);
  await scene.settled();
  const records = await scene.records();
  await scene.restartAgent();
  expect(new Set(records.map(({ callId }) => callId)).size).toBe(records.length);
  const idsOf = (...endings: string[]): string[] =>
    records.flatMap(({ callId, ending }) => (endings.includes(ending) ? [callId] : []));
  expect(idsOf("hung_up", "unknown").toSorted()).toEqual(scene.caller.answered().toSorted());
  return idsOf("unknown").toSorted();
}

test(
  "the calls of a number that the service is told are those that callers and callees have up, after a restart of switch or agent too",
  async () => {
    await scene.place(30, 100);
    await expectTold(30);
    hangUp(10);
    await expectTold(20);
    // What was up before is not in the memory of the switch any more, but in its rows.
    await scene.restart("switch");
    await scene.place(5, 100);
    await expectTold(25);
    hangUp(22);
    await expectTold(3);
    await scene.restart("agent");
    hangUp(1);
    await expectTold(2);
    hangUp(2);
    await expectTold(0);
  },
  TEST_MS,
);

test(
  "a disk that fills up is told, and new calls are refused until there is room; calls that are up end in order, and none is lost",
  async () => {
    await scene.place(10, 100);
    await expectTold(10);
    await until("the reserve", () => disk.freeMib() < DISK_MIB - 32, PATIENCE_MS);
    disk.fillUpTo(50);
    await until("the alarm", () => scene.agentLog().includes(ALARM), PATIENCE_MS);
    expect(disk.freeMib(), "with the reserve given up").toBeGreaterThan(70);
    await until("a call to be refused", async () => (await statusOfNext()) === 503, PATIENCE_MS);

    // While there is the room of the reserve, ends are written down.
    const stayUp = scene.caller.up().length - 5;
    hangUp(5);
    await expectTold(stayUp);
    // To the last byte, by something else than records: calls end all the same, and count all the same.
    disk.fill();
    const endUnseen = new Set(scene.caller.up());
    hangUp(Infinity);
    await until("the end of all calls", () => scene.caller.up().length === 0, PATIENCE_MS);
    disk.clear();
    await until("a call to be taken", async () => (await statusOfNext()) === 200, PATIENCE_MS);
    expect(scene.agentLog()).toContain("there is room for records again");
    const unknown = await countAll();
    expect(unknown.filter((callId) => !endUnseen.has(callId))).toEqual([]);
  },
  TEST_MS,
);

test(
  "where the operator chose to go on, calls are taken and recorded while the disk fills up",
  async () => {
    const unknownBefore = await countAll();
    await scene.restartAgent({ SWITCH_SETTINGS: scene.changedSettings({ when_disk_is_full: "continue" }) });
    await until("the reserve", () => disk.freeMib() < DISK_MIB - 32, PATIENCE_MS);
    disk.fillUpTo(50);
    await until("the alarm", () => scene.agentLog().includes(ALARM), PATIENCE_MS);
    for (let calls = 0; calls < 5; calls += 1) expect(await statusOfNext()).toBe(200);
    hangUp(Infinity);
    await expectTold(0);
    disk.clear();
    expect(await countAll()).toEqual(unknownBefore);
  },
  TEST_MS,
);

test(
  "while the service is away, for nine days, records wait, and all of them are handed over when it is back",
  async () => {
    const unknownBefore = await countAll();
    await scene.service.killServer();
    await scene.place(20, 100);
    await until("twenty calls", () => scene.caller.up().length === 20, PATIENCE_MS);
    hangUp(Infinity);
    await scene.settled();
    await scene.restartAgent(movedClock(9 * 24 * 3_600_000));
    const waiting = "call records wait to be handed over";
    await until("the agent to miss it", () => scene.agentLog().includes(waiting), PATIENCE_MS);
    scene.service.startServer();
    expect(await countAll()).toEqual(unknownBefore);
  },
  TEST_MS,
);

test(
  "with switch, agent and server killed in the midst of calls, each answered call has one record and none has two",
  async () => {
    plan = shortCalls;
    const outcome = await callThroughKills(scene, { calls: 400, perSecond: 60, everyMs: 1_500 });
    expect(outcome).toMatchObject({ twice: [], wrong: [], oneSided: [] });
    expect(outcome.unknown, outcome.told).toBeLessThanOrEqual(outcome.mostUnknown);
    expect(outcome.told).toMatch(/"switch":[1-9]/);
  },
  TEST_MS,
);
