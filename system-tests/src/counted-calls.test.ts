import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CountedCalls, NUMBER, shortCalls } from "./service/counted-calls.ts";
import { callThroughKills } from "./service/kill-run.ts";
import { movedClock } from "./service/moved-clock.ts";
import { RecordFiles } from "./service/record-files.ts";
import { SmallDisk } from "./service/small-disk.ts";
import type { PlannedCall } from "./sip/load-callee.ts";
import { until } from "./sip/until.ts";

const PATIENCE_MS = 120_000;
const TEST_MS = 400_000;
/** Room for the reserve of 32 MiB, and for the 64 MiB under which a disk is full. */
const DISK_MIB = 200;
const ALARM = "record disk full; reserve file deleted";
const HOUR_MS = 3_600_000;

const staysUp = (): PlannedCall => ({ ringMs: 0, talkMs: 3_600_000, hangsUp: "caller" });
let plan: (callId: string) => PlannedCall = staysUp;
let disk: SmallDisk;
let scene: CountedCalls;
const running = new AsyncDisposableStack();
beforeAll(async () => {
  disk = running.use(new SmallDisk(DISK_MIB));
  const data = { data_dir: join(disk.folder, "data") };
  scene = running.use(await CountedCalls.open((callId) => plan(callId), data));
}, TEST_MS);
afterAll(() => running.disposeAsync(), TEST_MS);

function hangUp(calls: number): void {
  for (const callId of scene.caller.up().slice(0, calls)) scene.caller.calls.get(callId)!.hangUp();
}

async function expectReported(calls: number): Promise<void> {
  const { caller, callee } = scene;
  const isSo = (): boolean => caller.up().length === calls && callee.up().length === calls;
  await until(`${calls} calls`, isSo, PATIENCE_MS);
  await until("the service to be told", async () => (await scene.liveCalls()) === calls, PATIENCE_MS);
}

/** Returns their Call-IDs once each has a final response. */
async function placeCalls(calls: number, perSecond = 100): Promise<string[]> {
  const before = new Set(scene.caller.calls.keys());
  await scene.place(calls, perSecond);
  const placed = [...scene.caller.calls.keys()].filter((callId) => !before.has(callId));
  const isAnswered = (callId: string): boolean => scene.caller.calls.get(callId)!.final !== null;
  await until("an answer", () => placed.every(isAnswered), PATIENCE_MS);
  return placed;
}

const statusOf = (callId: string): number => scene.caller.calls.get(callId)!.final!;
const statusOfNext = async (): Promise<number> => statusOf((await placeCalls(1))[0]!);

/** To the last byte, once the agent has given up its reserve. */
async function fillDisk(): Promise<void> {
  const alarms = (): number => scene.agentLog().split(ALARM).length;
  await until("the reserve", () => disk.freeMib() < DISK_MIB - 32, PATIENCE_MS);
  const before = alarms();
  disk.fill();
  await until("the alarm", () => alarms() > before, PATIENCE_MS);
  disk.fill();
}

const endUnknown = new Set<string>();

/**
 * Checks that each answered call has one record. Returns calls without a recorded end, in addition to those
 * returned before.
 */
async function countAll(): Promise<string[]> {
  hangUp(Infinity);
  await scene.settled();
  const records = await scene.records();
  await scene.restartAgent();
  expect(new Set(records.map(({ callId }) => callId)).size).toBe(records.length);
  const idsOf = (...endings: string[]): string[] =>
    records.flatMap(({ callId, ending }) => (endings.includes(ending) ? [callId] : []));
  expect(idsOf("hung_up", "unknown").toSorted()).toEqual(scene.caller.answered().toSorted());
  const more = idsOf("unknown").filter((callId) => !endUnknown.has(callId));
  for (const callId of more) endUnknown.add(callId);
  return more;
}

/** By the agent that runs now, each of these calls once; returns how they ended. */
async function expectHandedOver(callIds: string[]): Promise<string[]> {
  const isOne = new Set(callIds);
  const records = await until(
    "all records",
    async () => {
      scene.assertAgentRuns();
      const found = (await scene.stored()).filter(({ callId }) => isOne.has(callId));
      if (found.length >= callIds.length) return found;
      await sleep(200);
      return undefined;
    },
    PATIENCE_MS,
  );
  expect(records.map(({ callId }) => callId).toSorted()).toEqual(callIds.toSorted());
  return records.map(({ ending }) => ending);
}

test(
  "reports the active calls of a number as callers and callees see them, also after restarts",
  async () => {
    await scene.place(30, 100);
    await expectReported(30);
    hangUp(10);
    await expectReported(20);
    // Earlier active calls are no longer in the switch's memory, but in its rows.
    await scene.restart("switch");
    await scene.place(5, 100);
    await expectReported(25);
    hangUp(22);
    await expectReported(3);
    await scene.restart("agent");
    hangUp(1);
    await expectReported(2);
    hangUp(2);
    await expectReported(0);
  },
  TEST_MS,
);

test(
  "reports a full disk and rejects new calls until space is free; active calls end in order, and none is lost",
  async () => {
    await scene.place(10, 100);
    await expectReported(10);
    await until("the reserve", () => disk.freeMib() < DISK_MIB - 32, PATIENCE_MS);
    disk.fillUpTo(50);
    await until("the alarm", () => scene.agentLog().includes(ALARM), PATIENCE_MS);
    expect(disk.freeMib(), "with the reserve given up").toBeGreaterThan(70);
    await until("a call to be refused", async () => (await statusOfNext()) === 503, PATIENCE_MS);

    // While there is the room of the reserve, ends are recorded.
    const stayUp = scene.caller.up().length - 5;
    hangUp(5);
    await expectReported(stayUp);
    // To the last byte, by something other than records: calls end anyway, and count anyway.
    disk.fill();
    const endUnseen = new Set(scene.caller.up());
    hangUp(Infinity);
    await until("the end of all calls", () => scene.caller.up().length === 0, PATIENCE_MS);
    disk.clear();
    await until("a call to be taken", async () => (await statusOfNext()) === 200, PATIENCE_MS);
    expect(scene.agentLog()).toContain("record disk has free space again");
    const unknown = await countAll();
    expect(unknown.filter((callId) => !endUnseen.has(callId))).toEqual([]);
  },
  TEST_MS,
);

test(
  "while the disk is full, no routing is said to be applied that the switch does not hold, and each is when there is room",
  async () => {
    const { customer, callee } = scene;
    let uri = "";
    const isTrue = async ({ status }: { status: string }): Promise<boolean> =>
      status !== "in_sync" || (await scene.heldRow()).includes(`|${uri}|`);
    const isInSync = async (): Promise<boolean> => {
      const routing = await customer.routing();
      expect(await isTrue(routing)).toBe(true);
      return routing.status === "in_sync";
    };
    await fillDisk();
    let turn = 0;
    // The files of the agent's store have a little room left in themselves.
    const isNotTaken = async (): Promise<boolean> => {
      uri = callee.contact.replace("callee", `callee${turn++}`);
      const { routing } = await customer.route(NUMBER, { mode: "sip_uri", sip_uri: uri }, 2);
      expect(await isTrue(routing)).toBe(true);
      return routing.status !== "in_sync";
    };
    await until("a change that finds no room", isNotTaken, PATIENCE_MS);
    for (let looks = 0; looks < 10; looks += 1, await sleep(200)) expect(await isInSync()).toBe(false);
    scene.assertAgentRuns();
    disk.clear();
    await until("the switch to be told", isInSync, PATIENCE_MS);
    scene.assertAgentRuns();

    // Started when there is no room for anything, it may end, and its unit starts it until it can.
    await fillDisk();
    await scene.restartAgent();
    expect(await isNotTaken()).toBe(true);
    disk.clear();
    await scene.restartAgent();
    await until("the switch to be told again", isInSync, PATIENCE_MS);
    await until("a call to be taken", async () => (await statusOfNext()) === 200, PATIENCE_MS);
  },
  TEST_MS,
);

test(
  "accepts and records calls while the disk fills up, with when_disk_is_full set to continue",
  async () => {
    await scene.restartAgent({ SWITCH_SETTINGS: scene.changedSettings({ when_disk_is_full: "continue" }) });
    await until("the reserve", () => disk.freeMib() < DISK_MIB - 32, PATIENCE_MS);
    disk.fillUpTo(50);
    await until("the alarm", () => scene.agentLog().includes(ALARM), PATIENCE_MS);
    for (let calls = 0; calls < 5; calls += 1) expect(await statusOfNext()).toBe(200);
    hangUp(Infinity);
    await expectReported(0);
    disk.clear();
    expect(await countAll()).toEqual([]);
  },
  TEST_MS,
);

test(
  "continues calls and records while the service is down for nine days, and uploads all records afterwards",
  async () => {
    const files = new RecordFiles(scene.kamailio.dataFolder);
    // That old, a file is put aside as soon as all of its rows are stored.
    const expectStored = () =>
      until("the rows to be stored", () => files.look().withRows.length === 0, PATIENCE_MS);
    await scene.service.killServer();
    const placed = await placeCalls(20);
    hangUp(Infinity);
    await scene.settled();
    await scene.restartAgent(movedClock(9 * 24 * HOUR_MS));
    await expectStored();
    await scene.restart("switch");
    for (let turns = 0; turns < 2; turns += 1) {
      placed.push(...(await placeCalls(10)));
      hangUp(Infinity);
      await scene.settled();
      await expectStored();
    }
    expect(placed.map(statusOf)).toEqual(placed.map(() => 200));
    await until("files to be removed", () => files.look().gone.length > 0, PATIENCE_MS);
    const isWarned = (): boolean => scene.agentLog().includes("call records not uploaded; retrying");
    await until("the warning", isWarned, PATIENCE_MS);

    scene.service.startServer();
    await expectHandedOver(placed);
  },
  TEST_MS,
);

test(
  "while files are put aside and removed in the midst of calls, each call has one record",
  async () => {
    plan = shortCalls;
    const files = new RecordFiles(scene.kamailio.dataFolder);
    // An hour is how old a file may get: for this agent each is too old at once.
    await scene.restartAgent(movedClock(2 * HOUR_MS));
    const placed: string[] = [];
    // A file goes when its process has written to the next one: a slow machine needs more calls for that.
    const end = performance.now() + PATIENCE_MS;
    for (let calls = 400; calls > 0; calls = files.look().gone.length < 4 ? 60 : 0) {
      expect(performance.now(), `removed by now: ${files.look().gone.length}`).toBeLessThan(end);
      const placing = placeCalls(calls, 60);
      const isPlaced = placing.then(() => true);
      while (!(await Promise.race([isPlaced, sleep(100, false)]))) files.look();
      placed.push(...(await placing));
      await scene.settled();
    }
    expect(placed.map(statusOf)).toEqual(placed.map(() => 200));
    expect(new Set(await expectHandedOver(placed))).toEqual(new Set(["hung_up"]));
  },
  TEST_MS,
);

test(
  "with switch, agent and server killed in the midst of calls, each answered call has one record and none has two",
  async () => {
    plan = shortCalls;
    const outcome = await callThroughKills(scene, { calls: 400, perSecond: 60, everyMs: 1_500 });
    expect(outcome).toMatchObject({ twice: [], wrong: [], oneSided: [], miscounted: [] });
    expect(outcome.unknown, outcome.told).toBeLessThanOrEqual(outcome.mostUnknown);
    expect(outcome.told).toMatch(/"switch":[1-9]/);
  },
  TEST_MS,
);

// The last one: what it places may leave no record.
test(
  "accepts calls on a full disk with when_disk_is_full set to continue, and records them again when space is free",
  async () => {
    plan = staysUp;
    await scene.restartAgent({ SWITCH_SETTINGS: scene.changedSettings({ when_disk_is_full: "continue" }) });
    await fillDisk();
    const placed = await placeCalls(5);
    expect(placed.map(statusOf)).toEqual([200, 200, 200, 200, 200]);
    hangUp(Infinity);
    await scene.settled();
    scene.assertAgentRuns();
    disk.clear();
    const [next] = await placeCalls(1);
    hangUp(Infinity);
    await scene.settled();
    const timesOf = (records: { callId: string }[], callId: string): number =>
      records.filter((record) => record.callId === callId).length;
    const records = await until("the record", async () => {
      const stored = await scene.stored();
      return timesOf(stored, next!) > 0 && stored;
    });
    for (const callId of [...placed, next!]) expect(timesOf(records, callId)).toBeLessThanOrEqual(1);
  },
  TEST_MS,
);
