import { existsSync, fstatSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { byeRow, inviteRow, writtenCall } from "../testing/acc-rows.ts";
import { SpoolScene, WritingProcess } from "../testing/spool-scene.ts";

const filesIn = (scene: SpoolScene): string[] =>
  readdirSync(scene.directory).filter((name) => name.startsWith("acc_"));
const recordsOf = async (scene: SpoolScene): Promise<string[]> => {
  scene.freeze(true);
  await scene.send();
  expect(scene.service.taken).toHaveLength(scene.service.records().size);
  return [...scene.service.records().keys()];
};

describe("rows", () => {
  test("of one call in the files of two processes become one record, whichever is read first", async () => {
    for (const [first, second] of [
      [1, 2],
      [2, 1],
    ] as const) {
      using scene = new SpoolScene();
      const call = writtenCall("one");
      scene.write(first, inviteRow(call));
      scene.write(second, byeRow(call));
      await scene.read();
      expect(await recordsOf(scene)).toEqual([call.rid]);
      expect(scene.service.taken[0]).toMatchObject({ ending: "hung_up", caller: "+15550009999" });
    }
  });

  test("are each taken once, however often and after whatever restarts the files are read", async () => {
    using scene = new SpoolScene({ chunkBytes: 700 });
    const calls = Array.from({ length: 50 }, (_, at) => writtenCall(at));
    for (const call of calls) {
      scene.write(1, inviteRow(call));
      scene.write(2, byeRow(call));
      await scene.read();
      scene.restart();
    }
    await scene.read();
    await scene.read();
    expect((await recordsOf(scene)).toSorted()).toEqual(calls.map(({ rid }) => rid).toSorted());
    expect(scene.store.counts()).toEqual({ malformed: 0, torn: 0, anomalies: 0 });
  });

  test("that are still being written are waited for", async () => {
    using scene = new SpoolScene();
    const call = writtenCall("one", { code: 486 });
    const row = inviteRow(call);
    for (let at = 0; at < row.length; at++) {
      scene.write(1, row[at]!);
      if (at % 20 === 0) scene.restart();
      await scene.read();
      expect(scene.store.backlog().open).toBe(at === row.length - 1 ? 1 : 0);
    }
    expect(await recordsOf(scene)).toEqual([call.rid]);
    expect(scene.store.counts()).toEqual({ malformed: 0, torn: 0, anomalies: 0 });
  });

  test("that are none are counted and hold up nothing, however long they are", async () => {
    using scene = new SpoolScene({ chunkBytes: 4_096 });
    const call = writtenCall("one", { code: 486 });
    scene.write(1, `nonsense\n${"|".repeat(30)}\n\u0000\u0001\n`);
    scene.write(1, "x".repeat(10_000));
    scene.write(1, `\n${inviteRow(call)}`);
    await scene.read();
    expect(await recordsOf(scene)).toEqual([call.rid]);
    expect(scene.store.counts().malformed).toBeGreaterThanOrEqual(4);
  });

  test("that were cut off by a crash do not take along what the next process writes behind them", async () => {
    using scene = new SpoolScene();
    const [lost, next] = [writtenCall("lost", { code: 486 }), writtenCall("next", { code: 486 })];
    scene.write(1, inviteRow(lost).slice(0, 100));
    await scene.read();
    scene.write(1, inviteRow(next));
    await scene.read();
    expect(await recordsOf(scene)).toEqual([next.rid]);
    expect(scene.store.counts()).toMatchObject({ torn: 1 });
  });
});

/** Each file that is on the disk, and each that is stored as read, by inode, in the order it happened. */
async function watchDisk(scene: SpoolScene): Promise<string[]> {
  await using any = await open(scene.directory);
  const handles = Object.getPrototypeOf(any) as FileHandle;
  const steps: string[] = [];
  const { datasync } = handles;
  const syncing = vi.spyOn(handles, "datasync").mockImplementation(async function (this: FileHandle) {
    await datasync.call(this);
    steps.push(`synced ${fstatSync(this.fd).ino}`);
  });
  const take = scene.store.take.bind(scene.store);
  vi.spyOn(scene.store, "take").mockImplementation((readings, atMs) => {
    for (const { file } of readings) steps.push(`took ${file.inode}`);
    return take(readings, atMs);
  });
  onTestFinished(() => syncing.mockRestore());
  return steps;
}

describe("a file", () => {
  test("is on the disk before it is stored how far it was read, each time it has new rows", async () => {
    using scene = new SpoolScene();
    const steps = await watchDisk(scene);
    const begin = (process: number): void =>
      scene.write(process, inviteRow(writtenCall(process, { code: 486 })));
    begin(1);
    begin(2);
    await scene.read();
    const [one, two] = [1, 2].map((process) => {
      const { ino } = statSync(join(scene.directory, `acc_${process}.log`));
      return { synced: `synced ${ino}`, took: `took ${ino}` };
    });
    expect(steps.slice(0, 2).toSorted()).toEqual([one!.synced, two!.synced].toSorted());
    expect(steps.splice(0).slice(2)).toEqual([one!.took, two!.took]);

    scene.write(2, inviteRow(writtenCall("another", { code: 486 })));
    await scene.read();
    await scene.read();
    expect(steps).toEqual([two!.synced, two!.took]);
  });

  test("that takes the place of another, even with its inode, is read from its beginning", async () => {
    using scene = new SpoolScene();
    const path = join(scene.directory, "acc_1.log");
    const calls = ["one", "two", "three"].map((name) => writtenCall(name, { code: 486 }));
    scene.write(1, inviteRow(calls[0]!));
    await scene.read();
    // The same inode, shorter and then longer than what was read.
    truncateSync(path, 0);
    scene.write(1, inviteRow(calls[1]!));
    await scene.read();
    truncateSync(path, 0);
    scene.write(1, inviteRow(calls[2]!) + inviteRow(writtenCall("four", { code: 486 })));
    await scene.read();
    rmSync(path);
    await scene.read();
    expect(scene.store.listFiles()).toEqual([]);
    expect(await recordsOf(scene)).toHaveLength(4);
  });

  test("read again from its beginning says nothing new: no second record, no anomaly", async () => {
    using scene = new SpoolScene();
    const call = writtenCall("one");
    scene.write(1, inviteRow(call) + byeRow(call));
    await scene.read();
    scene.freeze();
    for (const { inode } of scene.store.listFiles()) scene.store.forgetFile(inode);
    await scene.read();
    expect(await recordsOf(scene)).toEqual([call.rid]);
    expect(scene.store.counts().anomalies).toBe(0);
  });

  test("that has grown large is rotated and deleted when stored, without losing concurrent writes", async () => {
    using scene = new SpoolScene({ rotateBytes: 2_000 });
    const rotation = { atSecond: 0 };
    using writer = new WritingProcess(scene.directory, 1, rotation);
    let rotations = 0;
    scene.rotate = async () => {
      rotations++;
      // Between the renaming and the rotation: this still goes into the old file.
      writer.begin(inviteRow(writtenCall(`late ${rotations}`, { code: 486 })));
      rotation.atSecond = Math.floor(scene.nowMs / 1000);
    };
    for (let at = 0; at < 60; at++) {
      writer.begin(inviteRow(writtenCall(at, { code: 486 })));
      if (at % 7 === 0) {
        await scene.read();
        await scene.tidy();
      }
    }
    await scene.read();
    await scene.tidy();
    writer.begin(inviteRow(writtenCall("last", { code: 486 })));
    await scene.read();
    await scene.tidy(0);
    expect(rotations).toBeGreaterThan(2);
    expect(await recordsOf(scene)).toHaveLength(61 + rotations);
    expect(filesIn(scene)).toEqual(["acc_1.log"]);
  });

  test("stays until its process writes to another one, or two rotations were requested long ago", async () => {
    using scene = new SpoolScene({ rotateBytes: 400, retireMs: 3_600_000 });
    const rotation = { atSecond: 0 };
    using idle = new WritingProcess(scene.directory, 1, rotation);
    using busy = new WritingProcess(scene.directory, 2, rotation);
    const turn = async (afterMs: number): Promise<string[]> => {
      await scene.read();
      await scene.tidy(afterMs);
      return filesIn(scene).map((name) => name.replace(/\d{13}$/, "aside"));
    };
    // The first one has no effect, as within the second in which the switch was started.
    scene.rotate = async () => {};
    for (const [at, process] of [idle, busy, idle, busy].entries())
      process.begin(inviteRow(writtenCall(at, { code: 486 })));
    expect(await turn(3_000)).toEqual(["acc_1.log.aside", "acc_2.log.aside"]);
    scene.rotate = async () => void (rotation.atSecond = Math.floor(scene.nowMs / 1000));
    busy.begin(inviteRow(writtenCall("three", { code: 486 })));
    expect(await turn(3_000)).toEqual(["acc_1.log.aside", "acc_2.log.aside"]);
    busy.begin(inviteRow(writtenCall("four", { code: 486 })));
    expect(await turn(3_000)).toEqual(["acc_1.log.aside", "acc_2.log"]);
    // After a long pause it writes to the new file, because the rotation was requested twice.
    expect(await turn(3_000_000)).toContain("acc_1.log.aside");
    idle.begin(inviteRow(writtenCall("five", { code: 486 })));
    expect(await turn(600_001)).toContain("acc_1.log");
    expect(await turn(3_000)).not.toContain("acc_1.log.aside");
    expect(await recordsOf(scene)).toHaveLength(7);
  });

  test.each([
    { after: "is set back", restarts: false },
    { after: "is set back while the agent is down", restarts: true },
  ])("keeps every row if the clock $after", async ({ restarts }) => {
    using scene = new SpoolScene({ rotateBytes: 100, retireMs: 3_600_000 });
    const rotation = { atSecond: 0 };
    using writer = new WritingProcess(scene.directory, 1, rotation);
    let rotations = 0;
    scene.rotate = async () => {
      writer.begin(inviteRow(writtenCall(`late ${++rotations}`, { code: 486 })));
      rotation.atSecond = rotations;
    };
    for (let at = 0; at < 12; at++) {
      writer.begin(inviteRow(writtenCall(at, { code: 486 })));
      await scene.read();
      const isSetBack = at % 4 === 3;
      if (isSetBack && restarts) scene.restart();
      await scene.tidy(isSetBack ? -86_400_000 : 3_000);
    }
    await scene.read();
    expect(await recordsOf(scene)).toHaveLength(12 + rotations);
    expect(rotations).toBe(12);
  });

  test("of a process that never comes back goes too, in the end", async () => {
    using scene = new SpoolScene({ rotateBytes: 100, retireMs: 3_600_000 });
    scene.write(1, inviteRow(writtenCall("one", { code: 486 })));
    for (const afterMs of [3_000, 3_000, 3_599_000]) {
      await scene.read();
      await scene.tidy(afterMs);
    }
    expect(filesIn(scene)).toHaveLength(1);
    await scene.tidy(2_000);
    expect(filesIn(scene)).toEqual([]);
  });

  test("stays while the switch cannot rotate", async () => {
    using scene = new SpoolScene({ rotateBytes: 100, retireMs: 0 });
    const rotation = { atSecond: 0 };
    using writer = new WritingProcess(scene.directory, 1, rotation);
    scene.rotate = async () => Promise.reject(new Error("No answer."));
    writer.begin(inviteRow(writtenCall("one", { code: 486 })));
    for (let at = 0; at < 5; at++) {
      await scene.read();
      await scene.tidy();
      scene.restart();
    }
    expect(filesIn(scene)).toHaveLength(1);
    writer.begin(inviteRow(writtenCall("two", { code: 486 })));
    scene.rotate = async () => void (rotation.atSecond = Math.floor(scene.nowMs / 1000));
    for (let at = 0; at < 4; at++) {
      await scene.read();
      await scene.tidy();
    }
    expect(filesIn(scene)).toEqual([]);
    expect(await recordsOf(scene)).toHaveLength(2);
  });

  test("whose last row was cut off goes too, and that is counted", async () => {
    using scene = new SpoolScene({ rotateBytes: 100 });
    scene.write(1, inviteRow(writtenCall("one", { code: 486 })) + "INVITE|cut");
    for (let at = 0; at < 4; at++) {
      await scene.read();
      await scene.tidy();
    }
    expect(filesIn(scene)).toEqual([]);
    expect(scene.store.counts()).toMatchObject({ torn: 1 });
    expect(await recordsOf(scene)).toHaveLength(1);
  });

  test("of another kind is left alone", async () => {
    using scene = new SpoolScene({ rotateBytes: 1 });
    const strange = join(scene.directory, "notes.txt");
    writeFileSync(strange, inviteRow(writtenCall("one")));
    await scene.read();
    await scene.tidy();
    expect(existsSync(strange)).toBe(true);
    expect(scene.store.backlog()).toEqual({ open: 0, unsent: 0 });
  });
});
